// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/problem.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

#include "slipstick/base/error.hpp"
#include "slipstick/base/random.hpp"
#include "slipstick/linalg/banded_matrix.hpp"
#include "slipstick/linalg/condensed_operator.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/delassus_operator.hpp"
#include "slipstick/linalg/dense_factor.hpp"
#include "slipstick/linalg/operator.hpp"
#include "slipstick/matrix.hpp"
#include "slipstick/problems/convert.hpp"

namespace slipstick {
using namespace internal;
namespace {

constexpr Index dense_rows = 800;  // up to this size Lanczos makes all steps
constexpr Index lanczos_steps = 60;
constexpr Index lanczos_entries = Index{1} << 26;  // limit of the basis, 512 MiB
constexpr double definiteness_tolerance = 1e-13;

// The checks fail() at the first defect.

void check_length(std::string_view name, Index length, Index expected) {
  if (length != expected) fail("{} has {} entries, not {}", name, length, expected);
}

void check_shape(std::string_view name, const CsrMatrix& a, Index rows, Index columns) {
  if (a.rows() != rows || a.cols() != columns)
    fail("{} is {} x {}, not {} x {}", name, a.rows(), a.cols(), rows, columns);
}

// Checks many numbers at once, because they are rarely wrong.
bool all_finite(const double* values, Index count) {
  constexpr std::uint64_t exponent = 0x7ff0000000000000;
  std::uint64_t bad = 0;
  for (Index i = 0; i < count; ++i)
    bad |= (std::bit_cast<std::uint64_t>(values[i]) & exponent) == exponent ? 1 : 0;
  return bad == 0;
}

// The same for the rows of a sparse matrix. Columns that ascend from 0 to the last column are in range. They
// descend only where a row starts.
bool rows_rise(const int* start, Index rows, const int* columns, Index cols, Index stored) {
  if (start[0] != 0) return false;
  int descents = 0;
  for (Index i = 0; i < rows; ++i) {
    const int begin = start[i], end = start[i + 1];
    if (end < begin || end > stored) return false;
    if (begin == end) continue;
    if (columns[begin] < 0 || columns[end - 1] >= cols) return false;
    descents += begin > 0 && columns[begin] <= columns[begin - 1];
  }
  for (int k = 1; k < start[rows]; ++k) descents -= columns[k] <= columns[k - 1];
  return descents == 0;
}

void check_finite(std::string_view name, const auto& v) {
  if constexpr (requires { v.data(); }) {
    if (all_finite(v.data(), static_cast<Index>(v.size()))) return;
  }
  for (Index i = 0; i < v.size(); ++i) {
    if (!std::isfinite(v[i])) fail("{}[{}] is {}", name, i, v[i]);
  }
}

void check_vector(std::string_view name, const Vector& v, Index expected) {
  check_length(name, v.size(), expected);
  check_finite(name, v);
}

/// Row pointers must ascend from 0 to at most the number of stored entries. Columns must be in range and
/// ascend.
void check_rows(std::string_view name, const int* start, Index rows, const int* columns, Index cols,
                Index stored) {
  if (rows_rise(start, rows, columns, cols, stored)) return;
  if (start[0] != 0) fail("the row pointers of {} start at {}, not 0", name, start[0]);
  for (Index i = 0; i < rows; ++i) {
    if (start[i + 1] < start[i])
      fail("row {} of {} ends at entry {}, before its start at {}", i, name, start[i + 1], start[i]);
    if (start[i + 1] > stored)
      fail("row {} of {} ends at entry {}, but there are {}", i, name, start[i + 1], stored);
    for (int k = start[i]; k < start[i + 1]; ++k) {
      if (columns[k] < 0 || columns[k] >= cols)
        fail("row {} of {} has an entry in column {} of {}", i, name, columns[k], cols);
      if (k > start[i] && columns[k] <= columns[k - 1])
        fail("row {} of {} has column {} after column {}", i, name, columns[k], columns[k - 1]);
    }
  }
}

void check_matrix(std::string_view name, const CsrMatrix& a) {
  if (!a.isCompressed()) fail("{} is not compressed", name);
  check_rows(name, a.outerIndexPtr(), a.rows(), a.innerIndexPtr(), a.cols(),
             static_cast<Index>(a.data().size()));
  if (all_finite(a.valuePtr(), a.outerIndexPtr()[a.rows()])) return;
  for (Index i = 0; i < a.rows(); ++i) {
    for (CsrMatrix::InnerIterator it(a, i); it; ++it) {
      if (!std::isfinite(it.value())) fail("{}({}, {}) is {}", name, i, it.col(), it.value());
    }
  }
}

void check_matrix(std::string_view name, const BandedMatrix& a) {
  for (Index j = 0; j < a.rows(); ++j) {
    for (Index i = j; i < std::min(a.rows(), j + a.bandwidth() + 1); ++i) {
      const double value = a.lower()(i - j, j);
      if (!std::isfinite(value)) fail("{}({}, {}) is {}", name, i, j, value);
    }
  }
}

void check_matrix(std::string_view name, const DenseMatrix& a) {
  if (all_finite(a.data(), a.size())) return;
  for (Index j = 0; j < a.cols(); ++j) {
    for (Index i = 0; i < a.rows(); ++i) {
      if (!std::isfinite(a(i, j))) fail("{}({}, {}) is {}", name, i, j, a(i, j));
    }
  }
}

void check_matrix(std::string_view name, const DelassusOperator& a) {
  const auto finite = [](std::span<const double> values) {
    return all_finite(values.data(), static_cast<Index>(values.size()));
  };
  if (finite(a.jacobian_values()) && finite(a.inverse_mass_values()) && a.compliance().allFinite()) return;
  check_matrix(fmt::format("the Jacobian of {}", name), a.jacobian_csr());
  check_matrix(fmt::format("the inverse mass of {}", name), a.inverse_mass_csr());
  check_finite(fmt::format("the compliance of {}", name), a.compliance());
}

void check_matrix(std::string_view name, const CondensedOperator& a) {
  check_matrix(fmt::format("H of {}", name), a.transposed_h());
  check_matrix(fmt::format("M of {}", name), a.mass());
}

void check_matrix(std::string_view name, const Operator& a, const Operator* known) {
  if (known != nullptr && a.same_storage(*known)) return;
  a.visit([&](const auto& storage) {
    if constexpr (requires { storage.cols(); }) {
      if (storage.rows() != storage.cols())
        fail("{} is {} x {}, not square", name, storage.rows(), storage.cols());
    }
    check_matrix(name, storage);
  });
}

void check_bounds(std::string_view what, Index i, double lower, double upper) {
  if (std::isnan(lower) || std::isnan(upper)) fail("{} {} has the bounds [{}, {}]", what, i, lower, upper);
  if (lower == infinity) fail("{} {} has the lower bound {}", what, i, lower);
  if (upper == -infinity) fail("{} {} has the upper bound {}", what, i, upper);
  if (lower > upper) fail("{} {} has the lower bound {} above the upper bound {}", what, i, lower, upper);
}

void check_bounds(std::string_view what, const Vector& lower, const Vector& upper, Index rows) {
  if (lower.size() != rows)
    fail("the lower bound of the {}s has {} entries, not {}", what, lower.size(), rows);
  if (upper.size() != rows)
    fail("the upper bound of the {}s has {} entries, not {}", what, upper.size(), rows);
  for (Index i = 0; i < rows; ++i) check_bounds(what, i, lower[i], upper[i]);
}

void check_set(const ProductSet& K) {
  for (const SetBlock& block : K.blocks()) {
    const bool has_parameter =
        block.kind == SetKind::cone || block.kind == SetKind::diamond || block.kind == SetKind::disk;
    if (has_parameter && !(block.parameter >= 0.0 && block.parameter < infinity)) {
      fail("the {} from row {} on has the {} {}", name(block.kind), block.start,
           block.kind == SetKind::cone ? "friction coefficient" : "radius", block.parameter);
    }
    if (block.kind != SetKind::interval) continue;
    for (Index i = block.start; i < block.start + block.size; ++i)
      check_bounds("row", i, K.lower()[i], K.upper()[i]);
  }
}

void check_contacts(const auto& p) {
  if (p.dimension != 2 && p.dimension != 3) fail("a contact has 2 or 3 rows, not {}", p.dimension);
  for (Index i = 0; i < p.mu.size(); ++i) {
    if (!(p.mu[i] >= 0.0 && p.mu[i] < infinity))
      fail("contact {} has the friction coefficient {}", i, p.mu[i]);
  }
  const Vector& bounds = p.friction_bounds;
  if (bounds.size() > 0 && bounds.size() != p.mu.size())
    fail("there are bounds of friction for {} contacts, not {}", p.mu.size(), bounds.size());
  for (Index i = 0; i < bounds.size(); ++i) {
    if (!(bounds[i] >= 0.0 && bounds[i] < infinity))
      fail("contact {} has the bound {} of friction", i, bounds[i]);
  }
}

void check(const LcpProblem& p, const Operator* known) {
  check_matrix("M", p.M, known);
  check_vector("q", p.q, p.M.rows());
}

void check(const MixedLcp& p, const Operator* known) {
  check_matrix("M", p.M, known);
  check_vector("q", p.q, p.M.rows());
  check_bounds("row", p.lower, p.upper, p.M.rows());
}

void check(const Problem& p, const Operator* known) {
  check_matrix("A", p.A, known);
  check_vector("b", p.b, p.A.rows());
  if (p.K.rows() != p.A.rows()) fail("K has {} rows, A has {}", p.K.rows(), p.A.rows());
  check_set(p.K);
  if (!std::isfinite(p.constant)) fail("the constant of the objective is {}", p.constant);
  if (!p.rows) return;
  if (!p.rows->G) fail("the linear rows have no matrix");
  if (p.rows->G->cols() != p.A.rows()) fail("G has {} columns, A has {} rows", p.rows->G->cols(), p.A.rows());
  check_matrix("G", *p.rows->G);
  check_bounds("linear row", p.rows->lower, p.rows->upper, p.rows->G->rows());
}

void check(const LocalContactProblem& p, const Operator* known) {
  check_contacts(p);
  const Index rows = p.contact_rows() + p.joint_rows();
  check_matrix("W", p.W, known);
  if (p.W.rows() != rows)
    fail("W has {} rows, but {} contacts in {} dimensions and {} rows of joints have {}", p.W.rows(),
         p.contacts(), p.dimension, p.joint_rows(), rows);
  check_vector("q", p.q, rows);
  check_bounds("joint row", p.lower, p.upper, p.joint_rows());
}

void check(const GlobalContactProblem& p, const Operator* /*known*/) {
  check_contacts(p);
  const Index rows = p.contact_rows() + p.joint_rows();
  const Index dofs = p.M.rows();
  if (p.M.cols() != dofs) fail("M is {} x {}, not square", dofs, p.M.cols());
  check_matrix("M", p.M);
  check_shape("H", p.H, dofs, rows);
  check_matrix("H", p.H);
  check_vector("f", p.f, dofs);
  check_vector("w", p.w, rows);
  check_bounds("joint row", p.lower, p.upper, p.joint_rows());
  if (p.compliance.size() > 0) check_vector("the compliance", p.compliance, rows);
  for (Index i = 0; i < p.compliance.size(); ++i)
    if (p.compliance[i] < 0.0) fail("the compliance of row {} is {}, below 0", i, p.compliance[i]);
}

/// The ends of the spectrum of a symmetric matrix, by Lanczos from a seeded vector with full
/// reorthogonalization (twice is enough). After fewer steps than rows the true ends lie further out.
SpectrumEnds lanczos_spectrum(const Operator& a, Index steps_wanted) {
  const Index n = a.rows();
  const Index most = std::min(steps_wanted, std::max<Index>(lanczos_entries / n, 8));
  DenseMatrix basis(n, most);
  Vector alpha(most), beta(most), next(n), overlap(most);
  Random random(1);
  for (double& value : next) value = random.normal();
  double scale = 0.0;
  beta[0] = next.norm();
  Index steps = 0;
  while (steps < most && beta[steps] > 1e-14 * scale) {
    basis.col(steps) = next / beta[steps];
    a.multiply(basis.col(steps), next);
    alpha[steps] = basis.col(steps).dot(next);
    ++steps;
    for (int pass = 0; pass < 2; ++pass) {
      overlap.head(steps).noalias() = basis.leftCols(steps).transpose() * next;
      next.noalias() -= basis.leftCols(steps) * overlap.head(steps);
    }
    if (steps == most) break;
    beta[steps] = next.norm();
    scale = std::max({scale, std::abs(alpha[steps - 1]), beta[steps]});
    if (scale == 0.0) break;
  }
  return tridiagonal_spectrum(alpha.head(steps), beta.segment(1, steps - 1));
}

void warn_about_symmetry(std::string_view name, const Operator& a, Validation& result) {
  if (a.rows() == 0) return;
  const double asymmetry = a.asymmetry();
  if (asymmetry > symmetry_tolerance)
    result.warnings.push_back(
        fmt::format("{} is asymmetric by {:.1e} of the largest entry", name, asymmetry));

  const bool dense = a.rows() <= dense_rows;
  const Operator symmetric = asymmetry == 0.0 ? a : Operator(symmetric_part(*a.assemble()));
  const SpectrumEnds spectrum = lanczos_spectrum(symmetric, dense ? a.rows() : lanczos_steps);
  const double largest = std::max(std::abs(spectrum.smallest), std::abs(spectrum.largest));
  if (spectrum.smallest < -definiteness_tolerance * largest) {
    result.warnings.push_back(
        fmt::format("{}{} is indefinite: its smallest eigenvalue is {}{:.1e}, its largest {:.1e}",
                    asymmetry > symmetry_tolerance ? "the symmetric part of " : "", name,
                    dense ? "" : "at most ", spectrum.smallest, spectrum.largest));
  }
}

void warn_about_zeros(std::string_view what, const std::vector<char>& has_entry, Validation& result) {
  const auto zeros = std::count(has_entry.begin(), has_entry.end(), 0);
  if (zeros == 0) return;
  const auto first = std::find(has_entry.begin(), has_entry.end(), 0) - has_entry.begin();
  result.warnings.push_back(
      fmt::format("{} of the {} {} are zero, the first is {}", zeros, has_entry.size(), what, first));
}

void warn_about_zero_rows(std::string_view name, const Operator& a, Validation& result) {
  std::vector<char> has_entry(static_cast<std::size_t>(a.rows()), 0);
  a.visit([&](const auto& storage) {
    if constexpr (ThroughBodies<std::decay_t<decltype(storage)>>) {
      // Semidefinite by construction: a zero diagonal entry means a zero row.
      Vector diagonal(a.rows());
      a.diagonal(diagonal);
      for (Index i = 0; i < a.rows(); ++i) has_entry[i] = diagonal[i] != 0.0;
    } else {
      const std::shared_ptr<const CsrMatrix> matrix = a.assemble();
      for (Index i = 0; i < a.rows(); ++i) {
        for (CsrMatrix::InnerIterator it(*matrix, i); it; ++it) has_entry[i] |= it.value() != 0.0;
      }
    }
  });
  warn_about_zeros(fmt::format("rows of {}", name), has_entry, result);
}

void warn(std::string_view name, const Operator& a, Validation& result) {
  warn_about_symmetry(name, a, result);
  warn_about_zero_rows(name, a, result);
}

void add_warnings(const LcpProblem& p, Validation& result) {
  warn("M", p.M, result);
}

void add_warnings(const MixedLcp& p, Validation& result) {
  warn("M", p.M, result);
}

void add_warnings(const Problem& p, Validation& result) {
  warn("A", p.A, result);
}

void add_warnings(const LocalContactProblem& p, Validation& result) {
  warn("W", p.W, result);
}

void add_warnings(const GlobalContactProblem& p, Validation& result) {
  warn_about_symmetry("M", Operator(p.M), result);
  for (Index i = 0; i < p.M.rows(); ++i) {
    const double diagonal = entry(p.M, i, i);
    if (diagonal > 0.0) continue;
    result.warnings.push_back(fmt::format("M({}, {}) is {}, so M is not positive definite", i, i, diagonal));
    break;
  }
  std::vector<char> has_entry(static_cast<std::size_t>(p.H.cols()), 0);
  for (Index i = 0; i < p.H.rows(); ++i) {
    for (CsrMatrix::InnerIterator it(p.H, i); it; ++it) has_entry[it.col()] |= it.value() != 0.0;
  }
  warn_about_zeros("columns of H", has_entry, result);
}

}  // namespace

Validation validate(const AnyProblem& problem, const Operator* known) {
  Validation result;
  try {
    std::visit([&](const auto& p) { check(p, known); }, problem);
  } catch (const Error& defect) {
    result.defect = defect.what();
  }
  return result;
}

Validation inspect(const AnyProblem& problem) {
  Validation result = validate(problem);
  if (result.ok()) std::visit([&](const auto& p) { add_warnings(p, result); }, problem);
  return result;
}

}  // namespace slipstick
