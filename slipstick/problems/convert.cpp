// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/problems/convert.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include "slipstick/base/error.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/dense_factor.hpp"
#include "slipstick/matrix.hpp"
#include "slipstick/problems/sets.hpp"

namespace slipstick::internal {
namespace {

void check_length(const char* name, Index length, Index expected) {
  if (length != expected) fail("{} has {} rows, not {}", name, length, expected);
}

void check_bounds(const char* what, const auto& lower, const auto& upper) {
  for (Index i = 0; i < lower.size(); ++i) {
    if (!(lower[i] <= upper[i]) || lower[i] == infinity || upper[i] == -infinity)
      fail("{} {}: [{}, {}] is not an interval", what, i, lower[i], upper[i]);
  }
}

void check_sizes(const LcpProblem& lcp) {
  check_length("q", lcp.q.size(), lcp.M.rows());
}

void check_sizes(const MixedLcp& mixed) {
  check_length("q", mixed.q.size(), mixed.M.rows());
  check_length("the lower bound", mixed.lower.size(), mixed.M.rows());
  check_length("the upper bound", mixed.upper.size(), mixed.M.rows());
  check_bounds("row", mixed.lower, mixed.upper);
}

void check_sizes(const Problem& problem) {
  const Index n = problem.A.rows();
  check_length("b", problem.b.size(), n);
  check_length("K", problem.K.rows(), n);
  if (!problem.rows) return;
  if (!problem.rows->G) fail("the linear rows have no matrix");
  if (problem.rows->G->cols() != n) fail("G has {} columns, not {}", problem.rows->G->cols(), n);
  check_length("the lower bound of G x", problem.rows->lower.size(), problem.rows->G->rows());
  check_length("the upper bound of G x", problem.rows->upper.size(), problem.rows->G->rows());
  check_bounds("linear row", problem.rows->lower, problem.rows->upper);
}

// Sets all members except K.
void start_problem(const auto& complementarity, Problem& to, std::vector<int>& scratch) {
  check_sizes(complementarity);
  to.A = complementarity.M;
  to.b = complementarity.q;
  to.K.clear();
  to.rows.reset();
  to.constant = 0.0;
  to.symmetric = complementarity.M.asymmetry(scratch) <= symmetry_tolerance;
}

Problem converted(const auto& complementarity) {
  Problem problem;
  std::vector<int> scratch;
  to_problem(complementarity, problem, scratch);
  return problem;
}

/// Throws Error at the first block that `accepts` refuses.
void check_blocks(const Problem& problem, const char* needed, bool (*accepts)(SetKind)) {
  for (const SetBlock& block : problem.K.blocks()) {
    if (accepts(block.kind)) continue;
    fail("K must be {}, but the {} from row {} on are of kind {}", needed,
         block.size == 1 ? "row" : fmt::format("{} rows", block.size), block.start, name(block.kind));
  }
}

Problem to_symmetric(Problem problem) {
  if (!problem.symmetric) {
    fail(
        "M is asymmetric by {:.1e} of its largest entry, so its complementarity problem is not the "
        "optimality "
        "condition of a quadratic program",
        problem.A.asymmetry());
  }
  return problem;
}

/// How the rows of a mixed LCP become rows of an LCP.
struct RowSplit {
  explicit RowSplit(const MixedLcp& mixed) : start(Vector::Zero(mixed.q.size())) {
    for (int i = 0; i < mixed.q.size(); ++i) {
      const double lower = mixed.lower[i];
      const double upper = mixed.upper[i];
      if (lower == -infinity && upper == infinity) {
        free.push_back(i);
        continue;
      }
      start[i] = lower > -infinity ? lower : upper;
      if (lower == upper) continue;
      if (lower > -infinity && upper < infinity) two_sided.push_back(static_cast<int>(bounded.size()));
      bounded.push_back(i);
      sign.push_back(lower > -infinity ? 1.0 : -1.0);
    }
  }

  std::vector<int> free;
  std::vector<int> bounded;
  std::vector<double> sign;    // per bounded row
  std::vector<int> two_sided;  // positions in `bounded`
  Vector start;                // z at p = 0; 0 in free rows
};

/// The inverse of M_FF, the block of the free rows. It uses LU with partial pivoting, after scaling rows and
/// columns by powers of two.
class FreeBlock {
 public:
  FreeBlock(const CsrMatrix& m, const std::vector<int>& free) {
    if (free.empty()) return;
    DenseMatrix block = principal_submatrix(m, free);
    row_scale_ = block.rowwise().lpNorm<Eigen::Infinity>().unaryExpr(&power_of_two);
    block = row_scale_.asDiagonal() * block;
    column_scale_ = block.colwise().lpNorm<Eigen::Infinity>().transpose().unaryExpr(&power_of_two);
    block = block * column_scale_.asDiagonal();
    lu_.emplace(block);
    check_rank(free);
  }

  /// M_FF^-1 rhs
  DenseMatrix solve(const DenseMatrix& rhs) const {
    if (rhs.size() == 0) return rhs;  // Eigen would access entries of an empty matrix
    return column_scale_.asDiagonal() * lu_->solve(row_scale_.asDiagonal() * rhs);
  }

 private:
  static double power_of_two(double largest) { return largest > 0.0 ? std::exp2(-std::ilogb(largest)) : 1.0; }

  void check_rank(const std::vector<int>& free) const {
    const Vector pivots = lu_->pivots().cwiseAbs();
    Index smallest = 0;
    pivots.minCoeff(&smallest);
    const double ratio = pivots.maxCoeff() > 0.0 ? pivots[smallest] / pivots.maxCoeff() : 0.0;
    if (ratio > 0.0 && lu_->rcond() > std::numeric_limits<double>::epsilon()) return;
    fail("the block of the {} free rows is singular: pivot {} (column {} of M) is {:.1e} of the largest",
         free.size(), smallest, free[smallest], ratio);
  }

  Vector row_scale_;
  Vector column_scale_;
  std::optional<LuFactor> lu_;
};

void append_dense(const DenseMatrix& block, const std::vector<int>& rows, std::vector<Triplet>& triplets) {
  for (Index i = 0; i < block.rows(); ++i) {
    for (Index j = 0; j < block.cols(); ++j) {
      if (block(i, j) != 0.0) triplets.push_back({rows[i], static_cast<int>(j), block(i, j)});
    }
  }
}

void append_sparse(const CsrMatrix& a, int first_row, int first_column, double factor, bool transposed,
                   std::vector<Triplet>& triplets) {
  for (int i = 0; i < a.rows(); ++i) {
    for (CsrMatrix::InnerIterator it(a, i); it; ++it) {
      const int row = transposed ? static_cast<int>(it.col()) : i;
      const int column = transposed ? i : static_cast<int>(it.col());
      triplets.push_back({first_row + row, first_column + column, factor * it.value()});
    }
  }
}

std::vector<int> iota(Index count) {
  std::vector<int> list(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < list.size(); ++i) list[i] = static_cast<int>(i);
  return list;
}

}  // namespace

Problem to_problem(const LcpProblem& lcp) {
  return converted(lcp);
}

Problem to_problem(const MixedLcp& mixed) {
  return converted(mixed);
}

void to_problem(const LcpProblem& lcp, Problem& to, std::vector<int>& scratch) {
  start_problem(lcp, to, scratch);
  to.K.append_nonnegative(lcp.q.size());
}

void to_problem(const MixedLcp& mixed, Problem& to, std::vector<int>& scratch) {
  start_problem(mixed, to, scratch);
  to.K.append_box(mixed.lower, mixed.upper);
}

LcpProblem to_lcp(const Problem& problem) {
  check_sizes(problem);
  if (problem.rows) fail("an LCP has no linear rows, this problem has {}", problem.rows->G->rows());
  check_blocks(problem, "the nonnegative orthant", [](SetKind kind) { return kind == SetKind::nonnegative; });
  return {problem.A, problem.b};
}

MixedLcp to_mixed_lcp(const Problem& problem) {
  return to_kkt(problem).mixed;
}

MixedLcp to_mixed_lcp(const LcpProblem& lcp) {
  check_sizes(lcp);
  const Index n = lcp.q.size();
  return {lcp.M, lcp.q, Vector::Zero(n), Vector::Constant(n, infinity)};
}

Problem to_qp(const LcpProblem& lcp) {
  return to_symmetric(to_problem(lcp));
}

Problem to_qp(const MixedLcp& mixed) {
  return to_symmetric(to_problem(mixed));
}

LcpForm to_lcp(const MixedLcp& mixed) {
  check_sizes(mixed);
  const RowSplit split(mixed);
  const std::shared_ptr<const CsrMatrix> m = mixed.M.assemble();
  const FreeBlock free_block(*m, split.free);
  const int bounded = static_cast<int>(split.bounded.size());
  const int unknowns = bounded + static_cast<int>(split.two_sided.size());
  const Eigen::Map<const Vector> sign(split.sign.data(), bounded);

  // z_F is an affine function of p: z_F = free_start - free_slope p.
  Vector velocity = mixed.q;  // at z = start
  velocity += *m * split.start;
  const CsrMatrix m_bf = submatrix(*m, split.bounded, split.free);
  DenseMatrix m_fb = submatrix(*m, split.free, split.bounded);
  m_fb = m_fb * sign.asDiagonal();
  const DenseMatrix free_slope = free_block.solve(m_fb);
  Vector free_start = free_block.solve(-velocity(split.free));

  LcpForm form;
  form.offset = split.start;
  form.offset(split.free) = free_start;
  std::vector<Triplet> expand;
  for (int k = 0; k < bounded; ++k) expand.push_back({split.bounded[k], k, split.sign[k]});
  append_dense(-free_slope, split.free, expand);
  form.expand = csr_from_triplets(mixed.q.size(), unknowns, expand);

  // S (M_BB - M_BF M_FF^-1 M_FB) S
  CsrMatrix m_bb = principal_submatrix(*m, split.bounded);
  m_bb = sign.asDiagonal() * m_bb * sign.asDiagonal();
  std::vector<Triplet> triplets;
  append_sparse(m_bb, 0, 0, 1.0, false, triplets);
  if (!split.free.empty()) append_dense(-(sign.asDiagonal() * (m_bf * free_slope)), iota(bounded), triplets);

  Vector q(unknowns);
  q.head(bounded) = sign.cwiseProduct(velocity(split.bounded) + m_bf * free_start);
  for (int k = bounded; k < unknowns; ++k) {
    const int position = split.two_sided[k - bounded];
    const int row = split.bounded[position];
    q[k] = mixed.upper[row] - mixed.lower[row];
    triplets.push_back({position, k, 1.0});
    triplets.push_back({k, position, -1.0});
  }
  form.lcp = {csr_from_triplets(unknowns, unknowns, triplets), std::move(q)};
  return form;
}

Vector LcpForm::recover(const Vector& lcp_solution) const {
  check_length("the solution of the LCP", lcp_solution.size(), expand.cols());
  return offset + expand * lcp_solution;
}

KktForm to_kkt(const Problem& problem) {
  check_sizes(problem);
  check_blocks(problem, "a box", &has_independent_rows);
  check_bounds("row", problem.K.lower(), problem.K.upper());
  const Index n = problem.A.rows();
  KktForm form;
  form.unknowns = n;
  if (!problem.rows) {
    form.mixed = {problem.A, problem.b, problem.K.lower(), problem.K.upper()};
    return form;
  }

  const LinearRows& linear = *problem.rows;
  for (int i = 0; i < linear.lower.size(); ++i) {
    const bool has_lower = linear.lower[i] > -infinity;
    const bool has_upper = linear.upper[i] < infinity;
    if (!has_lower && !has_upper) continue;
    form.bounded.push_back(i);
    if (has_lower && has_upper && linear.lower[i] < linear.upper[i]) form.activities.push_back(i);
  }
  const int first_s = static_cast<int>(n);
  const int first_y = first_s + static_cast<int>(form.activities.size());
  const Index total = first_y + static_cast<Index>(form.bounded.size());

  MixedLcp& mixed = form.mixed;
  mixed.q.setZero(total);
  mixed.lower.setConstant(total, -infinity);
  mixed.upper.setConstant(total, infinity);
  mixed.q.head(n) = problem.b;
  mixed.lower.head(n) = problem.K.lower();
  mixed.upper.head(n) = problem.K.upper();

  const CsrMatrix g = submatrix(*linear.G, form.bounded, iota(n));
  std::vector<Triplet> triplets;
  append_sparse(*problem.A.assemble(), 0, 0, 1.0, false, triplets);
  append_sparse(g, 0, first_y, -1.0, true, triplets);
  append_sparse(g, first_y, 0, 1.0, false, triplets);
  int s = first_s;
  int y = first_y;
  for (const int row : form.bounded) {
    const double lower = linear.lower[row];
    const double upper = linear.upper[row];
    if (lower > -infinity && upper < infinity && lower < upper) {
      mixed.lower[s] = lower;
      mixed.upper[s] = upper;
      triplets.push_back({s, y, 1.0});
      triplets.push_back({y, s, -1.0});
      ++s;
    } else {
      mixed.q[y] = lower > -infinity ? -lower : -upper;
      if (lower == -infinity) mixed.upper[y] = 0.0;
      if (upper == infinity) mixed.lower[y] = 0.0;
    }
    ++y;
  }
  mixed.M = Operator(csr_from_triplets(total, total, triplets));
  return form;
}

void KktForm::recover(const Problem& problem, const Vector& z, Solution& solution) const {
  check_length("the solution of the mixed LCP", z.size(), mixed.q.size());
  solution.x = z.head(unknowns);
  solution.w.resize(unknowns);
  problem.A.multiply(solution.x, solution.w);
  solution.w += problem.b;
  if (!problem.rows) {
    solution.multipliers.resize(0);
    return;
  }
  solution.multipliers.setZero(problem.rows->G->rows());
  for (std::size_t k = 0; k < bounded.size(); ++k)
    solution.multipliers[bounded[k]] = z[unknowns + static_cast<Index>(activities.size() + k)];
  solution.w.noalias() -= problem.rows->G->transpose() * solution.multipliers;
}

}  // namespace slipstick::internal
