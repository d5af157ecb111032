// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/problems/body_checks.hpp"

#include <algorithm>
#include <cmath>

namespace slipstick::internal {
namespace {

constexpr double geometry_tolerance = 1e-9;

void check_finite(const Subject& subject, const char* name, const SmallMatrix& matrix) {
  for (Index i = 0; i < matrix.rows(); ++i) {
    for (Index j = 0; j < matrix.cols(); ++j) {
      if (!std::isfinite(matrix(i, j)))
        subject.fail("entry ({}, {}) of the {} is {}, expected a finite number", i, j, name, matrix(i, j));
    }
  }
}

// By Gaussian elimination, with rounding relative to the diagonal. A row whose diagonal vanishes has to
// vanish.
bool is_semidefinite(const SmallMatrix& block) {
  SmallMatrix left = block;
  for (Index k = 0; k < left.rows(); ++k) {
    const double rounding = geometry_tolerance * block(k, k);
    const bool vanishes = left(k, k) <= rounding;
    if (left(k, k) < -rounding) return false;
    for (Index i = k + 1; i < left.rows(); ++i) {
      if (vanishes && left(i, k) * left(i, k) > rounding * block(i, i)) return false;
      for (Index j = k + 1; j < left.rows() && !vanishes; ++j)
        left(i, j) -= left(i, k) * left(k, j) / left(k, k);
    }
  }
  return true;
}

}  // namespace

void check_vector(const Subject& subject, const char* name, const SmallVector& vector, Index size) {
  if (vector.size() != 0 && vector.size() != size)
    subject.fail("the {} has {} entries, expected {}", name, vector.size(), size);
  for (Index i = 0; i < vector.size(); ++i) {
    if (!std::isfinite(vector[i]))
      subject.fail("entry {} of the {} is {}, expected a finite number", i, name, vector[i]);
  }
}

Index check_jacobians(const Subject& subject, const RowSpec& spec, Index dofs) {
  const Index rows = spec.jacobians[spec.bodies[0] >= 0 ? 0 : 1].rows();
  for (int side = 0; side < 2; ++side) {
    if (spec.bodies[side] < 0) continue;
    const SmallMatrix& jacobian = spec.jacobians[side];
    const char* name = side == 0 ? "first Jacobian" : "second Jacobian";
    if (rows < 1 || jacobian.rows() != rows || jacobian.cols() != dofs) {
      subject.fail("the {} has {} x {} entries, expected {} x {}", name, jacobian.rows(), jacobian.cols(),
                   rows < 1 ? "1 to 6" : fmt::format("{}", rows), dofs);
    }
    check_finite(subject, name, jacobian);
  }
  return rows;
}

void check_compliance(const Subject& subject, const SmallVector& compliance, Index rows) {
  check_vector(subject, "compliance", compliance, rows);
  for (Index i = 0; i < compliance.size(); ++i) {
    if (compliance[i] < 0.0)
      subject.fail("the compliance of row {} is {}, expected a number >= 0", i, compliance[i]);
  }
}

void check_inverse_mass(const Subject& subject, const SmallMatrix& block, Index dofs) {
  if (block.size() == 0) return;
  if (block.rows() != dofs || block.cols() != dofs) {
    subject.fail("the inverse mass has {} x {} entries, expected {} x {}", block.rows(), block.cols(), dofs,
                 dofs);
  }
  check_finite(subject, "inverse mass", block);
  const double largest = block.cwiseAbs().maxCoeff();
  for (Index i = 0; i < dofs; ++i) {
    if (block(i, i) < 0.0)
      subject.fail("diagonal entry {} of the inverse mass is {}, expected a number >= 0", i, block(i, i));
    for (Index j = 0; j < i; ++j) {
      if (std::abs(block(i, j) - block(j, i)) > geometry_tolerance * largest) {
        subject.fail("entries ({}, {}) and ({}, {}) of the inverse mass are {} and {}, expected equal ones",
                     i, j, j, i, block(i, j), block(j, i));
      }
    }
  }
  if (!is_semidefinite(block))
    subject.fail("the inverse mass has a negative eigenvalue, expected a positive semidefinite matrix");
}

void check_frame(const Subject& subject, const SmallMatrix& frame, int dimension) {
  const Index rows = frame.rows();
  if (frame.cols() != dimension || (rows != dimension && rows != 2)) {
    subject.fail("the frame has {} x {} entries, expected {}", rows, frame.cols(),
                 dimension == 2 ? "2 x 2" : "3 x 3 or 2 x 3");
  }
  check_finite(subject, "frame", frame);
  double off = 0.0;
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j <= i; ++j)
      off = std::max(off, std::abs(frame.row(i).dot(frame.row(j)) - (i == j ? 1.0 : 0.0)));
  }
  if (off > geometry_tolerance)
    subject.fail("the frame is off by {:.3g} from an orthonormal one, expected at most {:g}", off,
                 geometry_tolerance);
}

void check_bounds(const Subject& subject, const RowSpec& spec, Index rows) {
  for (const auto& [name, bound] : {std::pair{"lower bound", &spec.lower}, {"upper bound", &spec.upper}}) {
    if (bound->size() != 0 && bound->size() != rows)
      subject.fail("the {} has {} entries, expected {}", name, bound->size(), rows);
  }
  for (Index i = 0; i < rows; ++i) {
    const double lower = spec.lower.size() > 0 ? spec.lower[i] : -infinity;
    const double upper = spec.upper.size() > 0 ? spec.upper[i] : infinity;
    if (!(lower <= upper) || lower == infinity || upper == -infinity) {
      subject.fail("the bounds of row {} are {} and {}, expected lower <= upper, with a number between them",
                   i, lower, upper);
    }
  }
}

}  // namespace slipstick::internal
