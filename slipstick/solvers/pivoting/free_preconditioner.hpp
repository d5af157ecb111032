// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include "slipstick/linalg/operator.hpp"
#include "slipstick/linsolve/incomplete/incomplete_cholesky.hpp"
#include "slipstick/methods.hpp"

namespace slipstick::internal {

/// P ~ A_FF for a set F of rows that changes: an incomplete Cholesky factor, or the diagonal. Symmetric
/// positive definite for any set.
class FreePreconditioner {
 public:
  /// Of the matrix, assembled where its storage is new. There is no factor then.
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
  Vector inverse_diagonal_;            // 1 for rows that have none
  std::vector<char> free_, factored_;  // F, and what it was when the factor was made
  std::vector<char> removed_;    // from the factor by a downdate; a row that is back has its diagonal entry
  std::vector<char> in_factor_;  // free and not removed
  bool has_factor_ = false;
  std::int64_t factorizations_ = 0;
};

}  // namespace slipstick::internal
