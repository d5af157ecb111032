// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include "slipstick/linalg/operator.hpp"
#include "slipstick/linsolve/incomplete_cholesky.hpp"
#include "slipstick/solve/options.hpp"

namespace slipstick {

enum class FreePreconditioning { jacobi, ic0, mic0 };

struct FreePreconditionerSettings {
  FreePreconditioning preconditioner = FreePreconditioning::ic0;
  /// Changed rows, as a share of the free ones, above which the incomplete factor is computed anew; below,
  /// rows that have left are masked out and rows that have come divided by their diagonal entry. [0, 1], 0 is
  /// Ho 2022's
  double refactor = 0.1;

  static constexpr auto fields =
      std::tuple{Field{"preconditioner", &FreePreconditionerSettings::preconditioner, 0, 0,
                       "incomplete factor of the free rows", "jacobi|ic0|mic0"},
                 Field{"refactor", &FreePreconditionerSettings::refactor, 0.0, 1.0,
                       "changed share of free rows that asks for a new factor"}};
};

/// P ~ A_FF for a set F of rows that changes: an incomplete Cholesky factor, or the diagonal.
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
  FreePreconditionerSettings settings_;
  Operator seen_;
  std::shared_ptr<const CsrMatrix> matrix_;
  IncompleteCholesky factor_;
  Vector inverse_diagonal_;  // 1 for rows that have none
  std::vector<char> free_, factored_;
  bool has_factor_ = false;
  std::int64_t factorizations_ = 0;
};

}  // namespace slipstick
