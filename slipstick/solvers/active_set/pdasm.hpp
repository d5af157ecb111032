// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/solve/options.hpp"
#include "slipstick/solvers/active_set/primal_dual_active_set.hpp"

namespace slipstick::internal {

struct PdasmSettings {};

/// The primal-dual active-set method with a new factorization for every set: DIRECT of Litven 2013,
/// chapter 7.
class Pdasm : public PrimalDualActiveSet {
 public:
  explicit Pdasm(const PdasmSettings& = {}) : PrimalDualActiveSet("pdasm") {}

 protected:
  bool solve_system(VectorView r) override;
  bool forget_systems() override {
    factorized_.clear();
    return false;
  }

 private:
  std::vector<char> factorized_;  // the set of the factor
};

}  // namespace slipstick::internal
