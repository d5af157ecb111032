// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "slipstick/contact/coulomb/coulomb_method.hpp"
#include "slipstick/solve/contact_solver.hpp"

namespace slipstick::internal {

/// Solves Coulomb's law exactly, or the law of boxes, with W as given. The problem is split into islands.
/// Every island goes through a chain of methods until one of them has solved it. A stage starts from the best
/// answer of the earlier stages, and may leave islands to later stages.
///
/// The islands share the tolerance. E is the bound of the whole error, e_c the error of a solved island. An
/// island with n of the N contacts that are left may have the error sqrt((E^2 - sum e_c^2) n / N). The
/// islands of a stage are independent. Several threads take them in any order and give the same bits. They
/// call an observer one at a time. If nearly all contacts are in one island, the islands come one after the
/// other, and the threads work inside each.
class CoulombSolver : public ContactSolver {
 public:
  /// What a stage may know of an unsolved island: counted quantities, never times.
  struct IslandView {
    int dimension;  ///< 2 or 3
    int contacts;
    int joints;
    double friction;       ///< mean coefficient
    double error;          ///< error of the best answer so far, of the kind that the tolerance bounds
    double excess;         ///< the same relative to the target of the island
    bool warm;             ///< a warm start is given, with impulses of this island
    std::uint64_t stages;  ///< bit k: stage k has run on it
  };
  struct Stage {
    std::function<std::unique_ptr<CoulombMethod>()> make;
    std::string_view reason = {};  ///< why it is in the chain
    bool cold = false;             ///< starts from zero; the better of its answer and the last one is kept
    /// The islands that it takes. Empty: all.
    std::function<bool(const IslandView&)> takes = {};
    bool products_only = false;  ///< true: only for a W that is known by products only
    mutable std::unique_ptr<CoulombMethod> made = {};
    /// The method. It is made when it is first needed: most solves end at the first stages.
    CoulombMethod& method() const {
      if (!made) made = make();
      return *made;
    }
  };
  using Chain = std::vector<Stage>;

  /// `make` is called once for every thread. Its methods take `law`, which is coulomb or box.
  explicit CoulombSolver(std::function<Chain()> make, FrictionLaw law = FrictionLaw::coulomb);
  FrictionLaw law() const override { return law_; }
  bool takes_products_only() const override;
  std::string explain_unsupported(const LocalContactProblem& problem) const override;

 protected:
  void run(const Run& run) override;
  const IslandWork* find_island_work(Index row) const override;

 private:
  // start() sets errors and stages, share_out() targets and what is solved, and every stage the rest.
  struct IslandState {
    ContactErrors errors;
    CoulombTarget target;
    Counts counts;
    Status status = Status::not_run;
    bool solved = false;
    bool warm = false;   // its start has impulses
    bool taken = false;  // taken by the current stage
    std::uint64_t stages = 0;
    std::string_view method;  // of the last stage that took it
    IslandWork work = {};     // if islands are judged
    double load = 0.0;        // the same: the square of its q with the weights of the ruler; the least
                              // of its lone contacts
    double worst = 0.0;       // the same: see worst_share
  };
  bool has_turn(const Stage& stage) const;
  void start(const Run& run);
  double load(const Island& island) const;
  void for_judged(const Island& island, const auto& visit) const;
  double worst_share(const Island& island, const Vector& u) const;
  bool share_out(const Run& run);
  void run_stage(const Run& run, std::size_t stage);
  bool takes(const Run& run, std::size_t stage, std::size_t island) const;
  static void run_method(CoulombMethod& method, const CoulombMethod::Context& context);
  void run_island(const Run& run, std::size_t stage, std::size_t island, const Chain& chain);

  double time_left(const Run& run) const;

  std::function<Chain()> make_;
  FrictionLaw law_;
  std::vector<Chain> chains_;  // one for every thread
  ContactBlocks blocks_;
  std::vector<IslandState> states_;
  Vector r_, u_;
  Vector terms_;   // of q
  Vector last_r_;  // answer of the stages before a cold one
  Timer timer_;
  std::mutex observing_;
};

}  // namespace slipstick::internal
