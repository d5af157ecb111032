// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scenes/random_problems.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>

#include "slipstick/base/error.hpp"
#include "slipstick/base/random.hpp"
#include "slipstick/linalg/banded_matrix.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/matrix.hpp"

namespace slipstick::internal {
namespace {

// 0, 1, ..., count - 1 in random order (Fisher and Yates).
std::vector<int> random_order(Index count, Random& random) {
  std::vector<int> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t k = order.size(); k > 1; --k) {
    std::swap(order[k - 1], order[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(k)))]);
  }
  return order;
}

Index share_of(double share, Index count) {
  return static_cast<Index>(std::llround(share * static_cast<double>(count)));
}

void check_share(const char* what, double share) {
  if (!(share >= 0.0 && share <= 1.0)) fail("random problem: {} is a share of 0 to 1, not {}", what, share);
}

void check(const RandomBoxOptions& options) {
  if (options.rows < 1 || options.rows > std::numeric_limits<int>::max() / 64)
    fail("random problem: rows must be 1 to 2^25, not {}", options.rows);
  if (!(options.condition >= 1.0) || !std::isfinite(options.condition))
    fail("random problem: the condition must be finite and at least 1, not {}", options.condition);
  if (options.rank_deficiency < 0 || options.rank_deficiency > options.rows)
    fail("random problem: {} zero eigenvalues in {} rows", options.rank_deficiency, options.rows);
  if (options.rotations_per_row < 0) fail("random problem: {} rotations per row", options.rotations_per_row);
  if (!(options.skew >= 0.0) || !std::isfinite(options.skew))
    fail("random problem: the skew part must be finite and not negative, not {}", options.skew);
  check_share("active", options.active);
  check_share("degenerate", options.degenerate);
  check_share("free", options.free);
  check_share("two_sided", options.two_sided);
  check_share("fixed", options.fixed);
  check_share("free + two_sided + fixed", options.free + options.two_sided + options.fixed);
}

// `zeros` zero eigenvalues, the others log-uniform in [1/condition, 1] with both ends present.
std::vector<double> random_spectrum(Index rows, Index zeros, double condition, Random& random) {
  std::vector<double> spectrum(static_cast<std::size_t>(rows), 0.0);
  const std::vector<int> order = random_order(rows, random);
  const Index positive = rows - zeros;
  for (Index k = 0; k < positive; ++k) {
    double& eigenvalue = spectrum[order[k]];
    if (k == 0) {
      eigenvalue = 1.0;
    } else if (k == 1) {
      eigenvalue = 1.0 / condition;
    } else {
      eigenvalue = std::exp(-std::log(condition) * random.uniform());
    }
  }
  return spectrum;
}

struct SparseEntry {
  int column;
  double value;
};
using SparseRow = std::vector<SparseEntry>;

// (a, b) <- (c a + s b, c b - s a)
void rotate(SparseRow& a, SparseRow& b, double c, double s, SparseRow& new_a, SparseRow& new_b) {
  new_a.clear();
  new_b.clear();
  for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    const bool left = j == b.size() || (i < a.size() && a[i].column <= b[j].column);
    const bool right = i == a.size() || (j < b.size() && b[j].column <= a[i].column);
    const int column = left ? a[i].column : b[j].column;
    const double x = left ? a[i++].value : 0.0;
    const double y = right ? b[j++].value : 0.0;
    new_a.push_back({column, c * x + s * y});
    new_b.push_back({column, c * y - s * x});
  }
  a.swap(new_a);
  b.swap(new_b);
}

// An orthogonal matrix as a product of rotations of neighbours on a square grid of rows. Rounds of disjoint
// pairs go along x and y in turn, every second time shifted by one. From the third round on, half of the
// pairs are left out. This keeps A = Q' D Q sparse.
std::vector<SparseRow> random_orthogonal(Index rows, int rounds, Random& random) {
  std::vector<SparseRow> q(static_cast<std::size_t>(rows));
  for (int i = 0; i < rows; ++i) q[i].push_back({i, 1.0});
  const Index width = static_cast<Index>(std::ceil(std::sqrt(static_cast<double>(rows))));
  SparseRow scratch_a, scratch_b;
  for (int round = 0; round < rounds; ++round) {
    const bool along_x = round % 2 == 0;
    const Index shift = round / 2 % 2;
    for (Index i = 0; i < rows; ++i) {
      const Index position = along_x ? i % width : i / width;
      const Index partner = along_x ? i + 1 : i + width;
      if (position % 2 != shift || partner >= rows || (along_x && position + 1 == width)) continue;
      if (round >= 2 && random.uniform() < 0.5) continue;
      const double angle = random.uniform(0.0, 2.0 * std::numbers::pi);
      rotate(q[i], q[partner], std::cos(angle), std::sin(angle), scratch_a, scratch_b);
    }
  }
  return q;
}

// A = B'B with B = diag(spectrum)^(1/2) Q. Entries (i, j) and (j, i) are the same sum of the same products in
// the same order, and therefore equal to the bit. B has no rows for zero eigenvalues.
CsrMatrix random_semidefinite(const RandomBoxOptions& options, Random& random) {
  const std::vector<double> spectrum =
      random_spectrum(options.rows, options.rank_deficiency, options.condition, random);
  const std::vector<SparseRow> q = random_orthogonal(options.rows, options.rotations_per_row, random);
  std::vector<Triplet> triplets;
  int rank = 0;
  for (std::size_t k = 0; k < q.size(); ++k) {
    if (spectrum[k] == 0.0) continue;
    for (const SparseEntry& e : q[k]) triplets.push_back({rank, e.column, std::sqrt(spectrum[k]) * e.value});
    ++rank;
  }
  const CsrMatrix b = csr_from_triplets(rank, options.rows, triplets);
  const CsrMatrix transposed = b.transpose();
  CsrMatrix a = transposed * b;
  a.makeCompressed();
  return a;
}

// A <- A + S with S skew-symmetric on A's pattern. S is scaled to a largest row sum of `size`, so that its
// spectral norm is at most `size`.
void add_skew_part(CsrMatrix& a, double size, Random& random) {
  const int* start = a.outerIndexPtr();
  const int* columns = a.innerIndexPtr();
  std::vector<double> skew(static_cast<std::size_t>(a.nonZeros()), 0.0);
  std::vector<int> mirror(start, start + a.rows());  // in each row, the entry that meets the current column
  Vector row_sums = Vector::Zero(a.rows());
  for (int i = 0; i < a.rows(); ++i) {
    for (int k = start[i]; k < start[i + 1]; ++k) {
      const int j = columns[k];
      if (j < i) continue;
      const int opposite = mirror[j]++;
      if (j == i) continue;
      skew[k] = random.uniform(-1.0, 1.0);
      skew[opposite] = -skew[k];
      row_sums[i] += std::abs(skew[k]);
      row_sums[j] += std::abs(skew[k]);
    }
  }
  const double largest = row_sums.maxCoeff();
  if (largest == 0.0) return;
  for (std::size_t k = 0; k < skew.size(); ++k) a.valuePtr()[k] += skew[k] * (size / largest);
}

// The kinds of the rows and the places of x*, in random order with exact counts.
struct Box {
  Vector lower, upper, x;
  std::vector<signed char> side;  // side of the bound that x* is at: -1 lower, 1 upper, 0 none, 2 both
};

Box random_bounds(const RandomBoxOptions& options, Random& random) {
  const Index rows = options.rows;
  const Index free = share_of(options.free, rows);
  const Index fixed = std::min(share_of(options.fixed, rows), rows - free);
  const Index two_sided = std::min(share_of(options.two_sided, rows), rows - free - fixed);
  const Index active = share_of(options.active, rows - free - fixed);
  Box box{Vector::Constant(rows, -infinity), Vector::Constant(rows, infinity), Vector(rows), {}};
  box.side.assign(static_cast<std::size_t>(rows), 0);

  const std::vector<int> order = random_order(rows, random);
  for (Index k = 0; k < free; ++k) box.x[order[k]] = random.uniform(-1.0, 1.0);
  for (Index k = free; k < free + fixed; ++k) {
    const int i = order[k];
    box.x[i] = box.lower[i] = box.upper[i] = random.uniform(-1.0, 1.0);
    box.side[i] = 2;
  }
  std::vector<int> bounded(order.begin() + (free + fixed), order.end());
  for (std::size_t k = 0; k < bounded.size(); ++k) {
    const int i = bounded[k];
    const bool has_both = static_cast<Index>(k) < two_sided;
    const bool has_lower = has_both || options.from_zero || random.below(4) > 0;
    const double bound = options.from_zero && !has_both ? 0.0 : random.uniform(-1.0, 1.0);
    if (has_lower) box.lower[i] = bound;
    if (!has_lower) box.upper[i] = bound;
    if (has_both) box.upper[i] = bound + random.uniform(0.5, 2.0);
  }
  // The active rows are drawn again, so that two-sided rows are not preferred.
  const std::vector<int> place = random_order(static_cast<Index>(bounded.size()), random);
  for (std::size_t k = 0; k < bounded.size(); ++k) {
    const int i = bounded[place[k]];
    const bool lower = std::isfinite(box.lower[i]);
    const bool upper = std::isfinite(box.upper[i]);
    if (static_cast<Index>(k) < active) {
      const bool at_lower = lower && (!upper || random.below(2) == 0);
      box.side[i] = at_lower ? -1 : 1;
      box.x[i] = at_lower ? box.lower[i] : box.upper[i];
    } else if (lower && upper) {
      box.x[i] = box.lower[i] + (box.upper[i] - box.lower[i]) * random.uniform(0.1, 0.9);
    } else {
      box.x[i] = lower ? box.lower[i] + random.uniform(0.1, 1.1) : box.upper[i] - random.uniform(0.1, 1.1);
    }
  }
  return box;
}

// w* has the sign that the bounds allow and the size of A's rows. It is 0 on the degenerate share of the
// active rows.
Vector complementary(const CsrMatrix& a, const Box& box, double degenerate, Random& random) {
  Vector w = Vector::Zero(a.rows());
  std::vector<int> active;
  for (int i = 0; i < a.rows(); ++i) {
    if (box.side[i] == 0) continue;
    double row_norm = 0.0;
    for (CsrMatrix::InnerIterator it(a, i); it; ++it) row_norm += std::abs(it.value());
    const double size = (row_norm > 0.0 ? row_norm : 1.0) * random.uniform(0.1, 1.0);
    const bool negative = box.side[i] == 1 || (box.side[i] == 2 && random.below(2) == 0);
    w[i] = negative ? -size : size;
    if (box.side[i] != 2) active.push_back(i);
  }
  const Index count = static_cast<Index>(active.size());
  const std::vector<int> order = random_order(count, random);
  for (Index k = 0; k < share_of(degenerate, count); ++k) w[active[order[k]]] = 0.0;
  return w;
}

}  // namespace

KnownProblem random_box(const RandomBoxOptions& options) {
  check(options);
  Random random(options.seed);
  CsrMatrix a = random_semidefinite(options, random);
  if (options.skew > 0.0) add_skew_part(a, options.skew, random);
  Box box = random_bounds(options, random);

  KnownProblem known;
  known.w = complementary(a, box, options.degenerate, random);
  known.problem.b = known.w - a * box.x;
  known.problem.symmetric = asymmetry(a) == 0.0;
  known.problem.A = Operator(std::move(a));
  known.problem.K = ProductSet::box(box.lower, box.upper);
  known.x = std::move(box.x);
  return known;
}

KnownProblem random_lcp(const RandomBoxOptions& options) {
  RandomBoxOptions orthant = options;
  orthant.free = orthant.two_sided = orthant.fixed = 0.0;
  orthant.from_zero = true;
  return random_box(orthant);
}

BandedQp random_banded_qp(const BandedQpOptions& options) {
  if (options.rows < 1 || options.rows > std::numeric_limits<int>::max())
    fail("banded QP: rows must be positive and fit in 32 bits, not {}", options.rows);
  if (options.bandwidth < 0) fail("banded QP: the bandwidth cannot be {}", options.bandwidth);
  if (options.wrong_indices < 0 || options.wrong_indices > options.rows)
    fail("banded QP: {} wrong indices in {} rows", options.wrong_indices, options.rows);
  check_share("active", options.active);
  Random random(options.seed);
  const Index n = options.rows;
  const Index bandwidth = std::min(options.bandwidth, n - 1);

  BandedMatrix a(n, bandwidth);
  Vector off_diagonal = Vector::Zero(n);
  for (Index j = 0; j < n; ++j) {
    for (Index i = j + 1; i <= std::min(j + bandwidth, n - 1); ++i) {
      const double value = random.uniform(-1.0, 0.1);
      a.at(i, j) = value;
      off_diagonal[i] += std::abs(value);
      off_diagonal[j] += std::abs(value);
    }
  }
  for (Index i = 0; i < n; ++i) {
    a.at(i, i) = (bandwidth > 0 ? off_diagonal[i] : 1.0) * random.uniform(1.001, 1.02);
  }

  BandedQp qp;
  qp.x = Vector::Zero(n);
  Vector w = Vector::Zero(n);
  const std::vector<int> order = random_order(n, random);
  const Index active = share_of(options.active, n);
  for (Index k = 0; k < n; ++k) {
    const int i = order[k];
    (k < active ? w[i] : qp.x[i]) = random.uniform(0.1, 1.1) * (k < active ? a.entry(i, i) : 1.0);
  }
  for (int i = 0; i < n; ++i) {
    const bool is_active = qp.x[i] == 0.0;
    if (is_active) qp.active_set.push_back(i);
    if (is_active != (i < options.wrong_indices)) qp.initial_active_set.push_back(i);
  }
  Vector product(n);
  a.multiply(qp.x, product, 1);
  qp.problem.b = w - product;
  qp.problem.K = ProductSet::nonnegative(n);
  qp.problem.A = Operator(std::move(a));
  return qp;
}

}  // namespace slipstick::internal
