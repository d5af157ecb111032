// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/solve/options.hpp"
#include "slipstick/solve/solver.hpp"
#include "slipstick/solvers/common/active_set_polish.hpp"

namespace slipstick {

struct TableauSettings {
  /// Largest problem taken, in unknowns that are not fixed: the tableau has their square entries.
  int max_rows = 64;

  static constexpr auto fields = std::tuple{
      Field{"max_rows", &TableauSettings::max_rows, 1.0, 2000.0, "largest problem taken, in unknowns"}};
};

/// Lemke's complementary pivoting (UIC survey, sec. 3.2, Alg. 1) for small boxed problems, A possibly
/// nonsymmetric: w = A x + b becomes the dictionary w = c + M z, z >= 0, in one dense array that is pivoted
/// in place, without scaling. A ray is followed by one more attempt, from the basis of the rows with a
/// negative constant; `lemke` has more, and proofs of infeasibility.
///
/// Deviates from the print. Free unknowns are exchanged with the slacks of their rows first, which leaves an
/// LCP of the bounded rows; where their block is singular, together with a bounded row. A row with two bounds
/// stays one row: where z reaches its width, the pair is reflected (z' = width - z, w' = -w), after which
/// z' = 0 as everywhere else. Ties in the ratio test are broken lexicographically (Cottle, Pang, Stone,
/// sec. 4.9). A basis whose answer rounding has spoilt is solved again by LU with refinement. One iteration
/// is one pivot or reflection; a warm start is used only where it is a solution.
class Tableau : public Solver {
 public:
  explicit Tableau(const TableauSettings& settings = {}) : settings_(settings) {}
  std::string explain_unsupported(const Problem& problem) const override;

 protected:
  void run(const Run& run) override;

 private:
  enum class End { basis, ray, interrupted };
  static constexpr Index none = -1;

  void load(const Problem& problem);
  void classify(const ProductSet& K);
  bool eliminate_free_unknowns();
  bool eliminate_one(Index column);
  bool exchange_with_pair();
  bool rows_left_are_empty() const;
  bool enter_negative_rows();
  bool start();
  End pivot_to_the_end(const Run& run, Monitor& monitor);
  Index choose_row(Index s);
  void break_ties(Index s);
  void reflect_row(Index r);
  void reflect_column(Index s);
  void negate_column(Index s);
  void exchange(Index first_row, Index first_column, Index r, Index s);
  void swap_labels(Index r, Index s);
  void recover(const ProductSet& K, Vector& x);
  double value(Index label) const;
  double judge(const Run& run);

  // Variables are numbered: unknown k of the dictionary is k, its slack size + k, the artificial one 2 size.
  Index complement(Index label) const { return label < size_ ? label + size_ : label - size_; }
  Index pair_of(Index label) const { return label < size_ ? label : label - size_; }
  bool has_two_bounds(Index label) const;
  Index constants() const { return size_; }
  Index artificial_column() const { return size_ + 1; }
  Index artificial() const { return 2 * size_; }

  TableauSettings settings_;

  // The dictionary's rows: free ones first, then the pairs of bounded rows.
  std::vector<int> rows_, place_;
  Index size_ = 0;
  Index free_ = 0;
  Vector origin_;        // x at z = 0
  Vector sign_, width_;  // per row: x = origin + sign z, 0 <= z <= width
  bool two_sided_ = false;

  // y_basic = T (y_nonbasic, 1, z_0): columns as the rows, then the constants, then the artificial variable.
  // Rows are padded with zeros.
  DenseMatrix T_;
  Vector pivot_column_, ratio_;
  Vector column_size_;      // of the free unknowns, before pivots
  Index first_column_ = 0;  // those before it belong to variables that are zero for good
  std::vector<Index> row_variable_, column_variable_;
  std::vector<Index> position_;       // per variable: its row where basic, -1 - column where not
  std::vector<Index> start_columns_;  // variables that the rows of free unknowns are given by
  std::vector<Index> start_rows_;     // the identity of the lexicographic order
  std::vector<char> reflected_;       // per pair, since the start
  std::vector<Index> ties_, entering_, open_rows_;
  Index driving_ = 0;

  std::vector<Place> places_;
  Vector w_;
  RowSystem system_;
  ActiveSetPolish polish_;
};

}  // namespace slipstick
