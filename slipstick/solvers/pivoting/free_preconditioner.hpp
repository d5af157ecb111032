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
#include "slipstick/solve/options.hpp"

namespace slipstick {

/// The diagonal, or a variant of IncompleteCholesky: IC(0) and MIC(0) with shifts of the whole diagonal,
/// IC(0) with imaginary columns, IC(0) with partial shifts, or a threshold.
enum class FreePreconditioning { jacobi, ic0, mic0, imaginary, partial_shift, ict };
/// What happens to the factor when a row leaves.
enum class LeavingRows {
  mask,      ///< the substitutions pass over it; where it comes back, its column is as good as before
  downdate,  ///< and the columns below it get back what it was to them (IncompleteCholesky::downdate)
};

struct FreePreconditionerSettings {
  FreePreconditioning preconditioner = FreePreconditioning::ict;
  /// Unit of the shifts, and of what a threshold compares; see IncompleteScaling
  IncompleteScaling scaling = IncompleteScaling::diagonal;
  /// Of ict: entries below this share of the norm of their column are dropped. [0, 1]; Ho 2022: 1e-5
  double drop_tolerance = 1e-2;
  /// Of ict: entries below the diagonal that a column keeps; 0: all
  Index most_entries = 0;
  LeavingRows leaving = LeavingRows::downdate;
  /// Changed rows, as a share of the free ones, above which the incomplete factor is computed anew; below,
  /// rows that leave are treated as `leaving` says and rows that have come divided by their diagonal entry.
  /// [0, 1], 0 is Ho 2022's
  double refactor = 0.1;

  static constexpr auto fields =
      std::tuple{Field{"preconditioner", &FreePreconditionerSettings::preconditioner, 0, 0,
                       "incomplete factor of the free rows", "jacobi|ic0|mic0|imaginary|partial_shift|ict"},
                 Field{"scaling", &FreePreconditionerSettings::scaling, 0, 0,
                       "what the matrix is scaled by before it is factored", "none|diagonal|column_norm"},
                 Field{"drop_tolerance", &FreePreconditionerSettings::drop_tolerance, 0.0, 1.0,
                       "of ict: share of a column's norm below which its entries are dropped"},
                 Field{"most_entries", &FreePreconditionerSettings::most_entries, 0.0, 1e6,
                       "of ict: entries that a column keeps, 0 for all"},
                 Field{"leaving", &FreePreconditionerSettings::leaving, 0, 0,
                       "what becomes of the factor when a row leaves", "mask|downdate"},
                 Field{"refactor", &FreePreconditionerSettings::refactor, 0.0, 1.0,
                       "changed share of free rows that asks for a new factor"}};
};

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

}  // namespace slipstick
