// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "slipstick/linalg/operator.hpp"
#include "slipstick/linsolve/incomplete/incomplete_cholesky.hpp"
#include "slipstick/methods.hpp"

namespace slipstick::internal {

/// P ~ A_FF for a set F of rows that changes: an incomplete Cholesky factor, or the diagonal. P is symmetric
/// positive definite for any set.
class FreePreconditioner {
 public:
  /// Takes the matrix and assembles it if its storage is new. There is no factor after prepare().
  void prepare(const Operator& A, const FreePreconditionerSettings& settings);
  void set_free(std::span<const char> free);
  /// z <- P^-1 r on F, 0 on the other rows.
  void apply(const Vector& r, Vector& z) const;
  /// Factorizations since prepare().
  std::int64_t factorizations() const { return factorizations_; }

 private:
  void make_factor();
  void remove_rows();

  FreePreconditionerSettings settings_;
  Operator seen_;
  std::shared_ptr<const CsrMatrix> matrix_;
  IncompleteCholesky factor_;
  Vector inverse_diagonal_;            // 1 if the diagonal entry is not positive
  std::vector<char> free_, factored_;  // F now, and F when the factor was made
  // Removed from the factor by a downdate; if such a row is free again, only its diagonal entry is used.
  std::vector<char> removed_;
  std::vector<char> in_factor_;  // free and not removed
  bool has_factor_ = false;
  std::int64_t factorizations_ = 0;
};

}  // namespace slipstick::internal
