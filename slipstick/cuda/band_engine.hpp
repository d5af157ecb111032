// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "slipstick/cuda/band_shape.hpp"
#include "slipstick/cuda/body_band.hpp"

namespace slipstick::internal {

/// The kernels of symbgmm: the two of Litven 2013, listings 6.4 and 6.5, and ours.
enum class BandProduct { naive, shared, tiles };

/// A symmetric band A on the device, the factor of one of its principal submatrices, and a Schur complement
/// of changes of that submatrix (see SchurComplement). Vectors of the host have one entry per row of A.
///
/// A factorization is one kernel, a solve is two. No sum depends on timing: the same calls give the same
/// bits.
class BandEngine {
 public:
  BandEngine();
  ~BandEngine();

  /// Empty, or why the device cannot hold such a band with so many columns: "it needs ...".
  static std::string explain_unsupported(const BandShape& shape, int columns);

  /// Takes LAPACK's lower banded form, (bandwidth + 1) x rows, and makes room for columns of a complement.
  /// Allocates nothing if the last matrix had the same shape.
  void set_matrix(const BandShape& shape, int columns, const double* band);
  /// Takes entries of the lower triangle, each place once.
  void set_matrix(const BandShape& shape, int columns, std::span<const int> row, std::span<const int> column,
                  std::span<const double> value);
  /// Assembles J M^-1 J' + C on the device.
  void set_matrix(const BandShape& shape, int columns, const BodyBand& bodies);
  /// y = A x
  void multiply(const double* x, double* y);
  /// The same for many columns of `rows` entries (symbgmm).
  void multiply(const double* x, double* y, int columns, BandProduct how = BandProduct::tiles);

  /// Factorizes the submatrix of the rows `inside`, with `shift` added to its diagonal if it is not null.
  /// Returns the first row without a positive pivot, or -1.
  int factorize(const char* inside, const double* shift);
  /// Solves with the factor. x is zero outside and stays so. `x` has `columns` columns of `rows` entries.
  void solve(double* x, int columns);

  /// Column `to` becomes column `from`.
  void move_column(int from, int to);
  /// Y = L^-1 U for the changes from `first` on, and q = L^-1 r. A change is a row k that enters the set, or
  /// ~k for one that leaves it. The columns before are those of the calls before, as they were moved.
  /// products <- the new columns of C = D - Y'Y, each with one entry per change, then Y'q.
  void extend(std::span<const int> changes, int first, const double* r, double* products);
  /// x <- L^-T (q - Y pi)
  void correct(std::span<const double> pi, double* x);

  /// The factor's entry (row, column), row >= column, for tests.
  double factor_entry(int row, int column);
  /// Fills what a call must not read, for tests: the factor, its inverses, columns and scratch.
  void poison();

  /// Median microseconds on the device for the present matrix and set, without copies from and to the host.
  double time_assembly(const BodyBand& bodies, int repeats);
  double time_factorization(bool with_inverses, int repeats);
  double time_solve(int columns, int repeats);
  double time_product(int repeats);
  double time_product(int columns, BandProduct how, int repeats);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace slipstick::internal
