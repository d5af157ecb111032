// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iosfwd>
#include <span>
#include <vector>

#include "slipstick/body_problem.hpp"
#include "slipstick/result.hpp"

namespace slipstick::internal {

/// Groups of bodies that sleep: they rest, and are neither solved nor moved. A group is an island whose
/// bodies all were at rest for some time. In its last step it was solved and judged, and its impulses are
/// kept. If it is woken, its step begins with these impulses, so that they are judged first.
class Sleep {
 public:
  static constexpr double time_to_sleep = 0.5;  // s at rest

  explicit Sleep(std::size_t bodies) : group_(bodies, awake), rest_(bodies, 0.0) {}

  bool sleeps(int body) const { return body >= 0 && group_[static_cast<std::size_t>(body)] != awake; }
  /// Groups that sleep.
  int groups() const { return static_cast<int>(errors_.size()); }
  /// The largest error with which one of them fell asleep.
  double error() const;
  /// Wakes the group of a body. Its impulses stay until forget().
  void wake(int body);
  /// Adds the time that a body is at rest, or ends it.
  void rest(int body, double time, bool rests);
  bool is_tired(int body) const { return rest_[static_cast<std::size_t>(body)] >= time_to_sleep; }
  /// The bodies fall asleep together, with the impulses of these keys.
  void fall_asleep(std::span<const int> bodies, std::span<const std::size_t> keys, const BodyProblem& problem,
                   const Vector& r, double error);

  /// The impulses of a key that sleeps or was just woken; empty: it is not known.
  std::span<const double> impulses(std::uint64_t key) const;
  /// Sets the rows of `start` whose keys were woken.
  void recall(const BodyProblem& problem, WarmStart& start) const;
  /// Forgets the impulses of groups that were woken.
  void forget();

  void save(std::ostream& to) const;
  /// Throws Error if it is something else.
  void restore(std::istream& from);

 private:
  static constexpr int awake = -1;
  struct Kept {
    std::uint64_t key;
    int group;
    std::vector<double> r;
  };
  struct GroupError {
    int group;
    double error;
  };
  bool exists(int group) const;

  std::vector<int> group_;          // of bodies
  std::vector<double> rest_;        // of bodies, s
  std::vector<Kept> kept_;          // by key
  std::vector<GroupError> errors_;  // by group
  int next_ = 0;                    // group; later ones have higher numbers
  bool woken_ = false;              // groups were, since the last forget()
};

}  // namespace slipstick::internal
