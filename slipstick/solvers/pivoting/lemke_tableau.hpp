// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "slipstick/matrix.hpp"
#include "slipstick/solvers/pivoting/basis_memory.hpp"

namespace slipstick::internal {

/// Exchanges the basic variable of row r and the nonbasic variable of column s in a dictionary y_B = T y_N.
/// One column of T holds the constants. Only the leading `columns` columns of T are transformed. `scratch`
/// has T.rows() rows.
void exchange(DenseMatrix& T, Index columns, Index r, Index s, Vector& scratch);

/// A basis of w = M z + q + d z_0. Variables are numbered z (0..m), w (m..2m), z_0.
struct LemkeBasis {
  std::vector<char> is_basic;   // per variable
  std::vector<char> reflected;  // per pair: z is measured from its width
  std::size_t driving = 0;      // the variable that enters next
};

/// Lemke's complementary pivoting (UIC survey, sec. 3.2, Alg. 1) on w = M z + q + d z_0, w, z, z_0 >= 0, as a
/// dense dictionary. It has one column per nonbasic variable, one of constants and one of their perturbation.
/// It is column-major: the ratio test reads two contiguous columns, and a pivot is one contiguous update per
/// column.
///
/// Deviations from the paper: A pair may have a second bound, z <= width. When z reaches it, the pair is
/// reflected (z' = width - z, w' = -w), so that z' = 0 like any other nonbasic z. Ties in the ratio test are
/// broken as for the constants q + e r with a small e > 0 and a random r > 0. For almost every r no two rows
/// tie then, so that no basis comes back. Lexicographic columns (Cottle, Pang, Stone, sec. 4.9) do the same
/// for every problem. But they compare many exact zeros, and after 50 pivots zeros are 1e-12.
class LemkeTableau {
 public:
  enum class Outcome {
    pivoted,
    solved,    ///< z_0 has left the basis
    ray,       ///< the driving variable can grow without limit
    repeated,  ///< the basis was met before: rounding has misled the ratio test
  };

  /// Starts at w = M z + q with every w basic. Without `width` all widths are infinite.
  void load(const DenseMatrix& M, const Vector& q, const Vector* width = nullptr);
  /// Moves the z of the given pairs, which have one bound, into the basis and their w out of it. start()
  /// continues from that basis. Returns false if that block of M is singular. Call load() again then.
  bool enter(const std::vector<int>& pairs);
  /// Brings z_0 into the basis with the covering vector d > 0 of the basic variables. Returns false if the
  /// basis is already feasible.
  bool start(const Vector& d);
  /// Makes one exchange or one reflection.
  Outcome pivot();

  void copy_basis(LemkeBasis& basis) const;
  /// After load() and enter(): moves to a basis of a run that started with d. Returns false if the basis is
  /// singular or infeasible.
  bool restore(const LemkeBasis& basis, const Vector& d);
  /// The error of the dictionary: the residual of w = M z + q + d z_0 for random values of the nonbasic
  /// variables, relative to the size of the values. It costs as much as a pivot.
  double drift(const DenseMatrix& M, const Vector& q);

  /// The artificial variable z_0. It is zero at a solution.
  double artificial() const { return value(artificial_label()); }
  bool z_is_basic(Index pair) const { return position_[label(pair, false)] >= 0; }
  bool w_is_basic(Index pair) const { return position_[label(pair, true)] >= 0; }
  double z(Index pair) const { return value(label(pair, false)); }
  double w(Index pair) const { return value(label(pair, true)); }
  /// z is measured from its width.
  bool reflected(Index pair) const { return reflected_[static_cast<std::size_t>(pair)] != 0; }
  /// After a ray: the change of z along the ray, for a pair with one bound.
  double ray(Index pair) const;

 private:
  static constexpr Index none = -1;

  std::size_t label(Index pair, bool is_w) const { return static_cast<std::size_t>(is_w ? pair + m_ : pair); }
  std::size_t artificial_label() const { return static_cast<std::size_t>(2 * m_); }
  std::size_t complement(std::size_t variable) const {
    const auto m = static_cast<std::size_t>(m_);
    return variable < m ? variable + m : variable - m;
  }
  Index pair_of(std::size_t variable) const { return static_cast<Index>(variable) % m_; }
  bool has_two_bounds(std::size_t variable) const {
    return two_sided_ && variable < static_cast<std::size_t>(m_) &&
           width_[static_cast<Index>(variable)] < infinity;
  }
  double value(std::size_t variable) const;
  double coordinate(std::size_t variable, double current) const;
  void cover(const Vector& d);
  Index choose_row(Index s);
  void break_ties(Index s);
  void swap_basis(Index r, Index s);
  void reflect_row(Index r);
  void reflect_column(Index s);
  void toggle_reflected(Index pair);

  Index m_ = 0;
  DenseMatrix T_;  // columns: constants, then the m + 1 nonbasic variables, then the perturbation
  // Variables are numbered z (0..m), w (m..2m), z_0. position: the row of a basic variable, minus the column
  // of a nonbasic one.
  std::vector<Index> position_;
  std::vector<std::size_t> row_variable_;
  std::vector<std::size_t> column_variable_;
  std::vector<std::size_t> initial_basis_;  // its constants are perturbed, and d belongs to its rows
  std::vector<Index> ties_;
  std::size_t driving_ = 0;
  bool two_sided_ = false;       // some pair has two bounds
  Vector width_;                 // per pair, only if two_sided_
  std::vector<char> reflected_;  // per pair
  BasisMemory memory_;
  std::uint64_t hash_ = 0;  // of the basis and the reflections
  Vector scratch_, ratio_, cover_;
  Vector values_, z_, w_;  // of drift()
};

}  // namespace slipstick::internal
