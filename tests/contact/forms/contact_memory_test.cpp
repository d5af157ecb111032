// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact_memory.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <sstream>

#include "slipstick/base/error.hpp"
#include "slipstick/base/random.hpp"
#include "slipstick/contact/sequence/staggered.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/solvers/active_set/schurpa.hpp"
#include "slipstick/solvers/projected/apgd.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::contact_memory_test {

using Keys = std::vector<std::uint64_t>;
constexpr std::uint64_t largest_key = std::numeric_limits<std::uint64_t>::max();

// One step, then the start of the next.
Index recall(ContactMemory& memory, Index rows, const Keys& before, const Vector& r, const Keys& now,
             WarmStart& start) {
  memory.keep(before, rows, r);
  return memory.recall(now, rows, start);
}

TEST(ContactMemory, KeepsWhatIsThereAndStartsTheRestFromZero) {
  ContactMemory memory;
  WarmStart start{vec({9, 9, 9})};
  const Vector r = vec({1, 2, 3, 4, 5, 6});
  // The first contact has become the last, the second is gone, two are new.
  EXPECT_EQ(recall(memory, 2, Keys{7, 5, largest_key}, r, Keys{0, largest_key, 6, 7}, start), 2);
  EXPECT_EQ(start.x, vec({0, 0, 5, 6, 0, 0, 1, 2}));
  EXPECT_EQ(recall(memory, 3, Keys{1, 2}, r, Keys{2, 1}, start), 2);
  EXPECT_EQ(start.x, vec({4, 5, 6, 1, 2, 3}));
  EXPECT_EQ(recall(memory, 1, Keys{1, 2, 3, 4, 5, 6}, r, Keys{4}, start), 1);
  EXPECT_EQ(start.x, vec({4}));
}

TEST(ContactMemory, EqualKeysAreMatchedInOrderOfAppearance) {
  ContactMemory memory;
  WarmStart start;
  EXPECT_EQ(recall(memory, 1, Keys{3, 8, 3, 3}, vec({1, 2, 3, 4}), Keys{8, 3, 8, 3}, start), 3);
  EXPECT_EQ(start.x, vec({2, 1, 0, 3}));
  EXPECT_EQ(recall(memory, 1, Keys{3, 8}, vec({1, 2}), Keys{3, 3, 3}, start), 1);
  EXPECT_EQ(start.x, vec({1, 0, 0}));
}

TEST(ContactMemory, NothingBeforeOrNothingNow) {
  ContactMemory memory;
  WarmStart start;
  EXPECT_EQ(recall(memory, 3, Keys{}, Vector(0), Keys{4, 5}, start), 0);
  EXPECT_EQ(start.x, Vector::Zero(6));
  EXPECT_EQ(recall(memory, 3, Keys{4}, vec({1, 2, 3}), Keys{}, start), 0);
  EXPECT_EQ(start.x.size(), 0);
}

TEST(ContactMemory, AnImpulseThatIsNotFiniteIsNotPassedOn) {
  ContactMemory memory;
  WarmStart start;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  recall(memory, 2, Keys{1, 2}, vec({1, nan, 3, 4}), Keys{2, 1}, start);
  EXPECT_EQ(start.x, vec({3, 4, 0, 0}));
}

TEST(ContactMemory, SizesThatDoNotFitAreRefused) {
  ContactMemory memory;
  WarmStart start;
  EXPECT_THROW(recall(memory, 3, Keys{1, 2}, vec({1, 2, 3, 4}), Keys{1}, start), Error);
  EXPECT_THROW(recall(memory, 0, Keys{}, Vector(0), Keys{1}, start), Error);
}

// Against the plain way: for every new contact the first old one with its key that is not taken.
TEST(ContactMemory, IsWhatASearchFinds) {
  Random random(5);
  ContactMemory memory;
  WarmStart start;
  for (int turn = 0; turn < 50; ++turn) {
    Keys before(static_cast<std::size_t>(random.below(40))), now(static_cast<std::size_t>(random.below(40)));
    for (Keys* keys : {&before, &now}) {
      for (std::uint64_t& key : *keys) key = static_cast<std::uint64_t>(random.below(25));
    }
    const Vector r = random_vector(3 * static_cast<Index>(before.size()), random);
    Vector expected = Vector::Zero(3 * static_cast<Index>(now.size()));
    Index count = 0;
    std::vector<char> taken(before.size(), 0);
    for (std::size_t i = 0; i < now.size(); ++i) {
      for (std::size_t j = 0; j < before.size(); ++j) {
        if (taken[j] != 0 || before[j] != now[i]) continue;
        taken[j] = 1;
        ++count;
        expected.segment(3 * static_cast<Index>(i), 3) = r.segment(3 * static_cast<Index>(j), 3);
        break;
      }
    }
    EXPECT_EQ(recall(memory, 3, before, r, now, start), count);
    EXPECT_EQ(start.x, expected);
  }
}

TEST(ContactMemory, KeysMayHaveDifferentNumbersOfRows) {
  ContactMemory memory;
  WarmStart start;
  memory.keep(Keys{4, 9, 2}, std::vector<int>{0, 3, 4, 6}, vec({1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(memory.size(), 3);
  EXPECT_EQ(memory.recall(Keys{2, 7, 4}, std::vector<int>{0, 2, 3, 6}, start), 2);
  EXPECT_EQ(start.x, vec({5, 6, 0, 1, 2, 3}));
  // A key with another number of rows is another thing.
  EXPECT_EQ(memory.recall(Keys{2, 9}, Index{1}, start), 1);
  EXPECT_EQ(start.x, vec({0, 4}));
  EXPECT_THROW(memory.keep(Keys{1, 2}, std::vector<int>{0, 3}, vec({1, 2, 3})), Error);
  EXPECT_THROW(memory.keep(Keys{1, 2}, std::vector<int>{0, 3, 2}, vec({1, 2})), Error);
  EXPECT_THROW(memory.keep(Keys{1}, std::vector<int>{1, 2}, vec({1, 2})), Error);
  EXPECT_THROW(memory.keep(Keys{1}, std::vector<int>{0, 2}, vec({1, 2, 3})), Error);
  EXPECT_EQ(memory.recall(Keys{9}, Index{1}, start), 1);  // as before the errors
}

TEST(ContactMemory, SavedAndRestoredItGivesTheSameBits) {
  ContactMemory memory, restored;
  const Keys keys = {5, largest_key, 5, 0};
  const Vector r = Vector::LinSpaced(12, -1.0, std::sqrt(2.0));
  for (const Vector& u : {Vector(), Vector(std::sqrt(3.0) * r)}) {
    memory.keep(keys, Index{3}, r, u);
    std::stringstream data;
    memory.save(data);
    restored.restore(data);
    WarmStart from_memory, from_restored;
    memory.recall(keys, Index{3}, from_memory);
    EXPECT_EQ(restored.recall(keys, Index{3}, from_restored), 4);
    EXPECT_EQ(from_restored.x, from_memory.x);
    EXPECT_EQ(from_restored.u, u);
  }
}

TEST(ContactMemory, VelocitiesComeWithTheImpulses) {
  ContactMemory memory;
  WarmStart start;
  memory.keep(Keys{4, 9}, Index{2}, vec({1, 2, 3, 4}), vec({5, 6, 7, 8}));
  EXPECT_EQ(memory.recall(Keys{9, 1, 4}, Index{2}, start), 2);
  EXPECT_EQ(start.x, vec({3, 4, 0, 0, 1, 2}));
  EXPECT_EQ(start.u, vec({7, 8, 0, 0, 5, 6}));
  EXPECT_THROW(memory.keep(Keys{1}, Index{2}, vec({1, 2}), vec({1})), Error);
  memory.keep(Keys{9}, Index{2}, vec({1, 2}));
  memory.recall(Keys{9}, Index{2}, start);
  EXPECT_EQ(start.u.size(), 0);
}

TEST(ContactMemory, DamagedDataAreRefusedAndChangeNothing) {
  ContactMemory memory;
  memory.keep(Keys{1, 2}, Index{2}, vec({1, 2, 3, 4}));
  std::stringstream data;
  memory.save(data);
  const std::string whole = data.str();
  const auto restore = [&](const std::string& text) {
    std::istringstream from(text);
    memory.restore(from);
  };
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_THROW(restore(whole.substr(0, length)), Error);
  std::string other = whole;
  other[0] = 'x';
  EXPECT_THROW(restore(other), Error);
  std::string huge = whole;  // 2^56 rows of the first key
  huge[39] = 1;
  EXPECT_THROW(restore(huge), Error);
  std::string falling = whole;
  falling[24] = 3;
  EXPECT_THROW(restore(falling), Error);
  WarmStart start;
  EXPECT_EQ(memory.recall(Keys{1, 2}, Index{2}, start), 2);
  EXPECT_EQ(start.x, vec({1, 2, 3, 4}));
}

TEST(ContactMemory, TheSecondTimeAllocatesNothing) {
  Keys before(1000), now(1000);
  std::iota(before.begin(), before.end(), 0);
  std::iota(now.rbegin(), now.rend(), 100);
  const Vector r = Vector::Ones(3000);
  ContactMemory memory;
  WarmStart start;
  recall(memory, 3, before, r, now, start);
  const std::size_t count = allocations();
  EXPECT_EQ(recall(memory, 3, before, r, now, start), 900);
  EXPECT_EQ(allocations(), count);
}

// Two steps of bodies in space that touch each other in pairs. The load of the second differs by a
// thousandth. Its contacts are in another order. Some are gone and some are new: those that carry little, as
// in a simulation.
struct TwoSteps {
  Keys first_keys, second_keys;
  LocalContactProblem first, second;
};

LocalContactProblem take(const DenseMatrix& W, const Vector& q, const std::vector<int>& contacts) {
  std::vector<int> rows;
  for (const int c : contacts) {
    for (int k = 0; k < 3; ++k) rows.push_back(3 * c + k);
  }
  return {3, Operator(csr_from_dense(W(rows, rows))), q(rows),
          Vector::Constant(static_cast<Index>(contacts.size()), 0.3)};
}

Keys keys_of(const std::vector<int>& contacts) {
  Keys keys;
  for (const int c : contacts) keys.push_back(0x9e3779b97f4a7c15U * static_cast<std::uint64_t>(c + 1));
  return keys;
}

TwoSteps two_steps(std::uint64_t seed) {
  const int bodies = 40, contacts = 60;
  Random random(seed);
  DenseMatrix J = DenseMatrix::Zero(3 * contacts, 6 * bodies);
  Vector q(3 * contacts);
  for (int c = 0; c < contacts; ++c) {
    for (const double sign : {1.0, -1.0}) {
      const Index body = random.below(bodies);
      for (int k = 0; k < 3; ++k) J(3 * c + k, 6 * body + k) = sign;
      for (int k = 0; k < 3; ++k) {
        for (int j = 3; j < 6; ++j) J(3 * c + k, 6 * body + j) = sign * random.uniform(-0.5, 0.5);
      }
    }
    q.segment(3 * c, 3) << random.uniform(-2.0, 0.5), random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5);
  }
  const DenseMatrix W = J * J.transpose();
  std::vector<int> first, second;
  for (int c = 0; c < contacts; ++c) {
    const bool comes = c % 20 == 4, goes = c % 20 == 17;
    if (comes || goes) q[3 * c] = 0.3;
    if (!comes) first.push_back(c);
    if (!goes) second.push_back(c);
  }
  for (auto i = static_cast<std::int64_t>(second.size()); i > 1; --i) {
    std::swap(second[static_cast<std::size_t>(i - 1)], second[static_cast<std::size_t>(random.below(i))]);
  }
  const Vector later = q + 0.001 * random_vector(q.size(), random);
  return {keys_of(first), keys_of(second), take(W, q, first), take(W, later, second)};
}

// Iterations of the second step from zero, from the impulses as they lie, and matched.
void expect_fewer_iterations(ContactSolver& solver) {
  const Settings settings{.tolerance = 1e-5};
  std::int64_t from_zero = 0, as_they_lie = 0, from_matches = 0;
  ContactMemory memory;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const TwoSteps steps = two_steps(seed);
    Result before, cold, unmatched, warm;
    solver.solve(steps.first, settings, before);
    solver.solve(steps.second, settings, cold);
    WarmStart start{before.r};
    ASSERT_EQ(start.x.size(), steps.second.q.size());
    solver.solve(steps.second, settings, unmatched, &start);
    const Index contacts = recall(memory, 3, steps.first_keys, before.r, steps.second_keys, start);
    EXPECT_EQ(contacts, steps.second.contacts() - 3);
    solver.solve(steps.second, settings, warm, &start);
    ASSERT_TRUE(before.solved() && cold.solved() && warm.solved()) << warm.message;
    EXPECT_LE((warm.u - cold.u).norm(), 1e-4 * steps.second.q.norm());
    from_zero += cold.counts.iterations;
    as_they_lie += unmatched.counts.iterations;
    from_matches += warm.counts.iterations;
  }
  EXPECT_LT(from_matches, from_zero);
  EXPECT_LT(from_matches, as_they_lie);
}

// The same problem in another order: its solution is known.
void expect_no_iterations_where_only_the_order_changes(ContactSolver& solver) {
  const TwoSteps steps = two_steps(3);
  std::vector<int> backward(static_cast<std::size_t>(steps.first.contacts()));
  std::iota(backward.rbegin(), backward.rend(), 0);
  const Keys keys(steps.first_keys.rbegin(), steps.first_keys.rend());
  const LocalContactProblem turned = take(*steps.first.W.assemble(), steps.first.q, backward);
  Result before, after;
  solver.solve(steps.first, {.tolerance = 1e-9}, before);
  ASSERT_TRUE(before.solved()) << before.message;
  ContactMemory memory;
  WarmStart start;
  recall(memory, 3, steps.first_keys, before.r, keys, start);
  solver.solve(turned, {.tolerance = 1e-8}, after, &start);
  EXPECT_TRUE(after.solved());
  EXPECT_EQ(after.counts.iterations, 0);
}

TEST(ContactMemory, StaggeredProjections) {
  Staggered solver(FrictionLaw::coulomb, std::make_unique<Apgd>(), std::make_unique<Apgd>());
  expect_fewer_iterations(solver);
  expect_no_iterations_where_only_the_order_changes(solver);
}

// As the catalog makes schurpa-sp.
TEST(ContactMemory, StaggeredProjectionsWithKeptFactorizations) {
  const auto schurpa = [] { return std::make_unique<Schurpa>(SchurpaSettings{.keep = true}); };
  Staggered solver(FrictionLaw::diamond, schurpa(), schurpa(), {.proximal = 1e-3});
  expect_fewer_iterations(solver);
  expect_no_iterations_where_only_the_order_changes(solver);
}

}  // namespace slipstick::internal::contact_memory_test
