// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// A kept driver in a time loop, as a simulator uses it. Every step has another matrix, and contacts come and
// go. The impulses of contacts that stay are the warm start. The answers are those of a new driver, to the
// bit. Once the contacts are the same from step to step, nothing is allocated.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numeric>
#include <ostream>
#include <string>
#include <vector>

#include "slipstick/contact/forms/condense.hpp"
#include "slipstick/contact_memory.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/scenes/box_piles.hpp"
#include "slipstick/solve.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/sanitized.hpp"

namespace slipstick::internal::time_loop_test {

enum class Form { assembled, bodies, global, lcp, mixed };

// A wall of bricks. Masses, arms and loads change in every step, and some contacts are missing in the first
// steps.
class Wall {
 public:
  static constexpr int settled_step = 60;  // from here on every contact is there

  /// With bilateral rows, two bricks of the lowest course move along x together, and two of the next.
  explicit Wall(Form form, bool bilateral)
      : form_(form),
        scene_(brick_tower({.pattern = BrickPattern::wall, .courses = 4, .bricks = 3, .seed = 5})) {
    if (!bilateral) return;
    const std::vector<Triplet> pairs = {{0, 0, 1.0}, {6, 0, -1.0}, {18, 1, 1.0}, {24, 1, -1.0}};
    add_joints(csr_from_triplets(scene_.M.rows(), 2, pairs), Vector::Zero(2), scene_);
  }

  bool is_contact() const { return form_ != Form::lcp && form_ != Form::mixed; }
  int rows_per_contact() const { return is_contact() ? 3 : 1; }

  AnyProblem step(int number) {
    GlobalContactProblem global = global_step(number);
    if (form_ == Form::global) return global;
    LocalContactProblem local = CondensedProblem(global).local();
    if (form_ == Form::bodies) {
      return local;
    }
    if (form_ == Form::assembled) {
      local.W = Operator(CsrMatrix(*local.W.assemble()));
      return local;
    }
    // Without friction, normal rows alone.
    std::vector<int> normals;
    for (int contact = 0; contact < local.contacts(); ++contact) normals.push_back(3 * contact);
    const LcpProblem lcp{Operator(principal_submatrix(*local.W.assemble(), normals)), local.q(normals)};
    if (form_ == Form::lcp) return lcp;
    return MixedLcp{lcp.M, lcp.q, Vector::Zero(lcp.q.size()), Vector::Constant(lcp.q.size(), 0.2)};
  }

  std::vector<std::uint64_t> keys;  // of the contacts and joints of the last step
  std::vector<int> first_rows;      // of these keys, then the number of rows

 private:
  GlobalContactProblem global_step(int number) {
    GlobalContactProblem now = scene_;
    const double phase = 0.3 * number;
    for (Index k = 0; k < now.M.nonZeros(); ++k) now.M.valuePtr()[k] *= 1.0 + 0.1 * std::sin(phase);
    for (Index k = 0; k < now.f.size(); ++k) now.f[k] *= 1.0 + 0.2 * std::sin(phase + static_cast<double>(k));
    for (Index k = 0; k < now.H.nonZeros(); ++k) now.H.valuePtr()[k] *= 1.0 + 1e-3 * std::sin(phase);
    keys.clear();
    std::vector<int> columns, every_row(static_cast<std::size_t>(now.H.rows()));
    std::iota(every_row.begin(), every_row.end(), 0);
    for (Index contact = 0; contact < scene_.contacts(); ++contact) {
      if (number < settled_step && (contact + number / 7) % 5 == 0) continue;
      keys.push_back(static_cast<std::uint64_t>(contact) + 1);
      for (int k = 0; k < 3; ++k) columns.push_back(static_cast<int>(3 * contact) + k);
    }
    const auto contacts = static_cast<Index>(keys.size());
    first_rows.resize(keys.size() + 1);
    for (std::size_t k = 0; k < first_rows.size(); ++k)
      first_rows[k] = static_cast<int>(k) * rows_per_contact();
    for (Index column = scene_.contact_rows(); column < scene_.H.cols() && is_contact(); ++column) {
      columns.push_back(static_cast<int>(column));
      keys.push_back(1000 + static_cast<std::uint64_t>(column));
      first_rows.push_back(first_rows.back() + 1);
    }
    now.H = submatrix(now.H, every_row, columns);
    now.w = Vector(now.w(columns));
    now.mu = Vector::Constant(contacts, 0.5);
    return now;
  }

  Form form_;
  GlobalContactProblem scene_;
};

struct Case {
  const char* name;
  Form form;
  const char* solver = "auto";
  FrictionLaw law = FrictionLaw::coulomb;
  bool bilateral = false;
};
void PrintTo(const Case& value, std::ostream* out) {
  *out << value.name;
}

class TimeLoop : public testing::TestWithParam<Case> {};

TEST_P(TimeLoop, GivesTheBitsOfANewDriverAndAllocatesNothing) {
  const int steps = sanitized ? 70 : 100;
  const SolveRequest request{
      .settings = {.tolerance = 1e-6}, .solver = GetParam().solver, .friction = GetParam().law};
  Driver kept(request);
  DriverResult result;
  Wall wall(GetParam().form, GetParam().bilateral);
  ContactMemory memory;
  WarmStart start;
  int solved = 0;
  for (int step = 0; step < steps; ++step) {
    const AnyProblem problem = wall.step(step);
    const std::size_t before = allocations();
    memory.recall(wall.keys, wall.first_rows, start);
    kept.solve(problem, result, &start);
    memory.keep(wall.keys, wall.first_rows, wall.is_contact() ? result.r : result.x);
    const std::size_t allocated = allocations() - before;
    // Under box_once the rows of contacts that do not press drop out, so patterns change.
    const bool counted = step >= Wall::settled_step + 2 && GetParam().law != FrictionLaw::box_once;
    EXPECT_TRUE(!counted || allocated == 0) << allocated << " in step " << step;
    const DriverResult fresh = solve(problem, request, &start);
    EXPECT_EQ(result.r, fresh.r) << "step " << step;
    EXPECT_EQ(result.x, fresh.x) << "step " << step;
    EXPECT_EQ(result.v, fresh.v) << "step " << step;
    EXPECT_EQ(result.status, fresh.status) << "step " << step;
    EXPECT_EQ(result.counts.iterations, fresh.counts.iterations) << "step " << step;
    solved += result.solved() ? 1 : 0;
  }
  EXPECT_EQ(solved, steps);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, TimeLoop,
    testing::Values(Case{"assembled", Form::assembled}, Case{"bodies", Form::bodies},
                    Case{"nsgs", Form::bodies, "nsgs"}, Case{"nsn", Form::bodies, "nsn"},
                    Case{"admm", Form::bodies, "admm"}, Case{"global", Form::global},
                    Case{"bilateral", Form::assembled, "auto", FrictionLaw::coulomb, true},
                    Case{"bilateral_bodies", Form::bodies, "auto", FrictionLaw::coulomb, true},
                    Case{"bilateral_global", Form::global, "auto", FrictionLaw::coulomb, true},
                    Case{"convex", Form::assembled, "auto", FrictionLaw::convex},
                    Case{"convex_bodies", Form::bodies, "auto", FrictionLaw::convex},
                    Case{"convex_global", Form::global, "auto", FrictionLaw::convex},
                    Case{"convex_bilateral", Form::assembled, "auto", FrictionLaw::convex, true},
                    Case{"convex_bilateral_bodies", Form::bodies, "auto", FrictionLaw::convex, true},
                    Case{"box", Form::assembled, "auto", FrictionLaw::box},
                    Case{"box_once_bodies", Form::bodies, "auto", FrictionLaw::box_once},
                    Case{"diamond", Form::assembled, "auto", FrictionLaw::diamond},
                    Case{"diamond_global", Form::global, "auto", FrictionLaw::diamond},
                    Case{"smooth", Form::assembled, "auto", FrictionLaw::none},
                    Case{"smooth_global", Form::global, "auto", FrictionLaw::none}, Case{"lcp", Form::lcp},
                    Case{"mixed", Form::mixed}),
    [](const auto& value) { return std::string(value.param.name); });

}  // namespace slipstick::internal::time_loop_test
