// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/rigid/sleep.hpp"

#include <algorithm>

#include "slipstick/base/binary_stream.hpp"
#include "slipstick/base/error.hpp"

namespace slipstick::internal {
namespace {

constexpr std::size_t most_kept_rows = 6;
constexpr int most_groups = 1 << 30;  // one after the other

}  // namespace

double Sleep::error() const {
  double largest = 0.0;
  for (const GroupError& group : errors_) largest = std::max(largest, group.error);
  return largest;
}

void Sleep::wake(int body) {
  if (!sleeps(body)) return;
  const int woken = group_[static_cast<std::size_t>(body)];
  for (std::size_t k = 0; k < group_.size(); ++k) {
    if (group_[k] != woken) continue;
    group_[k] = awake;
    rest_[k] = 0.0;
  }
  std::erase_if(errors_, [&](const GroupError& group) { return group.group == woken; });
  woken_ = true;
}

bool Sleep::exists(int group) const {
  const auto found = std::lower_bound(errors_.begin(), errors_.end(), group,
                                      [](const GroupError& error, int g) { return error.group < g; });
  return found != errors_.end() && found->group == group;
}

void Sleep::rest(int body, double time, bool rests) {
  double& sum = rest_[static_cast<std::size_t>(body)];
  sum = rests ? sum + time : 0.0;
}

void Sleep::fall_asleep(std::span<const int> bodies, std::span<const std::size_t> keys,
                        const BodyProblem& problem, const Vector& r, double error) {
  const int group = next_++;
  for (const int body : bodies) group_[static_cast<std::size_t>(body)] = group;
  errors_.push_back({group, error});
  for (const std::size_t k : keys) {
    const int first = problem.first_rows()[k], last = problem.first_rows()[k + 1];
    kept_.push_back({problem.keys()[k], group, {r.data() + first, r.data() + last}});
  }
  std::stable_sort(kept_.begin(), kept_.end(), [](const Kept& a, const Kept& b) { return a.key < b.key; });
}

std::span<const double> Sleep::impulses(std::uint64_t key) const {
  const auto found = std::lower_bound(kept_.begin(), kept_.end(), key,
                                      [](const Kept& kept, std::uint64_t k) { return kept.key < k; });
  if (found == kept_.end() || found->key != key) return {};
  return found->r;
}

void Sleep::recall(const BodyProblem& problem, WarmStart& start) const {
  if (kept_.empty()) return;
  for (std::size_t k = 0; k < problem.keys().size(); ++k) {
    const std::span<const double> r = impulses(problem.keys()[k]);
    const int first = problem.first_rows()[k], last = problem.first_rows()[k + 1];
    if (static_cast<int>(r.size()) == last - first) std::copy(r.begin(), r.end(), start.x.data() + first);
  }
}

void Sleep::forget() {
  if (!woken_) return;
  std::erase_if(kept_, [&](const Kept& kept) { return !exists(kept.group); });
  woken_ = false;
}

void Sleep::save(std::ostream& to) const {
  BinaryWriter out(to);
  for (std::size_t k = 0; k < group_.size(); ++k) {
    out.write(group_[k]);
    out.write(rest_[k]);
  }
  out.write(next_);
  out.write_count(errors_.size());
  for (const GroupError& group : errors_) {
    out.write(group.group);
    out.write(group.error);
  }
  out.write_count(kept_.size());
  for (const Kept& kept : kept_) {
    out.write(kept.key);
    out.write(kept.group);
    out.write_count(kept.r.size());
    out.write_numbers(kept.r);
  }
}

void Sleep::restore(std::istream& from) {
  BinaryReader in(from, "the state of a world");
  Sleep read(group_.size());
  for (std::size_t k = 0; k < group_.size(); ++k) {
    in.read(read.group_[k]);
    read.rest_[k] = in.read_finite();
  }
  in.read(read.next_);
  if (read.next_ < 0 || read.next_ > most_groups)
    fail("the state of a world: {} groups have fallen asleep", read.next_);
  const std::size_t groups = in.read_count(sizeof(int) + sizeof(double));
  if (groups > group_.size()) fail("the state of a world: there are more groups that sleep than bodies");
  for (std::size_t k = 0; k < groups; ++k) {
    GroupError& group = read.errors_.emplace_back();
    in.read(group.group);
    group.error = in.read_finite();
    const int least = k > 0 ? read.errors_[k - 1].group + 1 : 0;
    if (group.group < least || group.group >= read.next_)
      fail("the state of a world: the groups that sleep are not in order");
  }
  const std::size_t keys = in.read_count(2 * sizeof(std::uint64_t) + sizeof(int));
  for (std::size_t k = 0; k < keys; ++k) {
    Kept& kept = read.kept_.emplace_back();
    in.read(kept.key);
    in.read(kept.group);
    const std::size_t rows = in.read_count(sizeof(double));
    if (rows > most_kept_rows) fail("the state of a world: a contact that sleeps has {} rows", rows);
    kept.r.resize(rows);
    in.read_finite(kept.r);
    if (k > 0 && read.kept_[k - 1].key > kept.key) fail("the state of a world: what sleeps is not in order");
  }
  if (!std::all_of(read.group_.begin(), read.group_.end(),
                   [&](int group) { return group == awake || read.exists(group); }))
    fail("the state of a world: a body sleeps in a group that does not exist");
  read.woken_ = true;  // perhaps, before it was saved
  *this = std::move(read);
}

}  // namespace slipstick::internal
