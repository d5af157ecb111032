// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/methods.hpp"
#include "slipstick/solvers/active_set/primal_dual_active_set.hpp"
#include "slipstick/solvers/active_set/schur_complement.hpp"

namespace slipstick::internal {

/// The primal-dual active-set method with one factorization of the first system and a Schur complement of
/// changes (SCHURPA; Litven 2013, Alg. 3.1 and 3.2). See SchurComplement. It visits the same sets as pdasm.
/// The present set is factorized again if there are too many changes or the complement is ill-conditioned.
class Schurpa : public PrimalDualActiveSet {
 public:
  explicit Schurpa(const SchurpaSettings& settings = {})
      : PrimalDualActiveSet("schurpa"), settings_(settings) {}

 protected:
  bool solve_system(VectorView r) override;
  bool forget_systems() override {
    factorized_.clear();
    return complement_.changes() > 0;
  }
  bool keeps_systems() const override { return settings_.keep; }

 private:
  SchurpaSettings settings_;
  std::vector<char> factorized_;  // A^0, the factorized set
  SchurComplement complement_;
};

}  // namespace slipstick::internal
