// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "slipstick/contact/coulomb/coulomb_method.hpp"
#include "slipstick/contact/coulomb/sweeps/few_contacts.hpp"
#include "slipstick/solve/contact_solver.hpp"

namespace slipstick {

/// Coulomb's law, exactly, with W as given: the problem falls into connected pieces, and every piece goes
/// through a chain of methods until one of them has solved it. A stage of the chain starts from the best
/// answer of the stages before, and may leave pieces to those that follow.
///
/// The tolerance is shared out: with E the bound of the whole error and e_c those of the pieces that are
/// solved, a piece with n of the N contacts that are left may have sqrt((E^2 - sum e_c^2) n / N). The pieces
/// of a stage are independent, so several threads take them in any order and give the same bits.
///
/// Problems of a few contacts can be tried at once before (see FewContacts), where nobody observes.
class CoulombSolver : public ContactSolver {
 public:
  /// What a stage may know of a piece that is not solved: things that are counted, never timed.
  struct PieceView {
    int dimension;  ///< 2 or 3
    int contacts;
    double friction;       ///< mean coefficient
    double error;          ///< of the best answer so far, of the kind that the tolerance bounds
    std::uint64_t stages;  ///< bit k: stage k has had it
  };
  struct Stage {
    std::unique_ptr<CoulombMethod> method;
    std::string_view reason = {};  ///< why it is in the chain
    int max_iterations = 0;        ///< 0: the method's own limit
    bool warm = false;             ///< for starts that were given, and left out without one
    bool cold = false;             ///< starts from zero; the better one of its answer and the last is kept
    /// Which pieces it takes; empty: all.
    std::function<bool(const PieceView&)> takes = {};
    bool rowless = false;  ///< for a W without rows, and left out with them
  };
  using Chain = std::vector<Stage>;

  /// `make` is called once for every thread.
  explicit CoulombSolver(std::function<Chain()> make, bool few_at_once = false);
  FrictionLaw law() const override { return FrictionLaw::coulomb; }
  bool needs_rows() const override;
  std::string explain_unsupported(const LocalContactProblem& problem) const override;

  void list_attempts(std::vector<Attempt>& attempts) const override;

 protected:
  bool solve_at_once(const Run& run) override;
  void run(const Run& run) override;

 private:
  struct PieceState {
    PieceErrors errors;
    CoulombTarget target;
    Counts counts;
    Status status = Status::not_run;
    bool solved = false;
    bool taken = false;  // by the stage under way
    std::uint64_t stages = 0;
  };
  template <int d>
  bool solve_few(const Run& run, std::unique_ptr<FewContacts<d>>& few);
  bool has_hopeless_contact() const;
  bool has_turn(const Run& run, const Stage& stage) const;
  void start(const Run& run);
  bool share_out(const Run& run);
  void run_stage(const Run& run, std::size_t stage);
  bool takes(const Run& run, std::size_t stage, std::size_t piece) const;
  void run_piece(const Run& run, std::size_t stage, std::size_t piece, Chain& chain);

  double time_left(const Run& run) const;

  std::function<Chain()> make_;
  std::vector<Chain> chains_;  // one for every thread
  bool few_at_once_;
  std::unique_ptr<FewContacts<2>> few_in_plane_;
  std::unique_ptr<FewContacts<3>> few_in_space_;
  ContactBlocks blocks_;
  std::vector<PieceState> states_;
  std::vector<Attempt> attempts_;  // a stage each, and the few contacts at once
  Vector r_, l_, u_, residual_;
  Vector last_r_, last_l_;  // of the stages before a cold one
  Timer timer_;
};

}  // namespace slipstick
