// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <type_traits>

#include "slipstick/base/error.hpp"
#include "slipstick/base/parallel.hpp"
#include "slipstick/linalg/operator.hpp"

namespace slipstick::internal {

// The kernels of the sweep methods, private to this room. `rows` are SweepSolver::Rows. Each sweep returns
// the estimate of the error, the norm of the weighted steps. A NaN in x makes the estimate a NaN.

/// The automatic relaxation is this number divided by rho(D^-1 A). 2 is the limit of convergence.
inline constexpr double jacobi_safety = 1.9;

/// The next x_i, given w_i = (A x + b)_i.
template <class Rows>
double projected_step(const Rows& rows, Index i, double x, double w) {
  return std::min(std::max(x - rows.step[i] * w, rows.lower[i]), rows.upper[i]);
}

/// Gauss-Seidel sweeps. The body velocities of a matrix-free operator follow x.
template <class Storage, class Rows>
class GaussSeidelSweep {
 public:
  GaussSeidelSweep(const Storage& a, const Rows& rows, Vector& x, Vector& velocities)
      : a_(a), rows_(rows), x_(x), velocities_(velocities), products_(a, x, velocities) {}

  double full() {
    return over(x_.size(), [](Index k) { return k; });
  }
  double backward() {
    return over(x_.size(), [last = x_.size() - 1](Index k) { return last - k; });
  }
  double reduced(std::span<const int> list) {
    return over(static_cast<Index>(list.size()), [list](Index k) { return Index{list[k]}; });
  }
  /// Computes the body velocities again, without accumulated rounding.
  void refresh() { SweepRows<Storage>(a_, x_, velocities_); }

 private:
  template <class RowAt>
  double over(Index count, const RowAt& row_at) {
    double* x = x_.data();
    double squared = 0.0;
    for (Index k = 0; k < count; ++k) {
      const Index i = row_at(k);
      const double next = projected_step(rows_, i, x[i], residual(i));
      const double change = next - x[i];
      x[i] = next;
      if (change != 0.0) products_.changed(i, change);
      squared += (rows_.weight[i] * change) * (rows_.weight[i] * change);
    }
    return std::sqrt(squared);
  }

  // (A x + b)_i. A sparse row starts with its last entry. In a forward sweep the first entries need the
  // newest x, which the processor is still computing.
  double residual(Index i) const {
    if constexpr (std::is_same_v<Storage, CsrMatrix>) {
      const int* columns = a_.innerIndexPtr();
      const double* values = a_.valuePtr();
      const double* x = x_.data();
      double sum = rows_.b[i];
      for (int k = a_.outerIndexPtr()[i + 1] - 1, first = a_.outerIndexPtr()[i]; k >= first; --k)
        sum += values[k] * x[columns[k]];
      return sum;
    } else {
      return products_.product(i) + rows_.b[i];
    }
  }

  const Storage& a_;
  const Rows& rows_;
  Vector& x_;
  Vector& velocities_;
  SweepRows<Storage> products_;
};

/// Jacobi sweeps; `product` is scratch.
template <class Storage, class Rows>
class JacobiSweep {
 public:
  JacobiSweep(const Storage& a, const Operator& A, const Rows& rows, Vector& x, Vector& velocities,
              Vector& product, Vector& partial_sums, int threads)
      : a_(a),
        A_(A),
        rows_(rows),
        x_(x),
        velocities_(velocities),
        product_(product),
        partial_sums_(partial_sums),
        threads_(threads),
        products_(a, x, velocities) {}

  /// The sum has fixed chunks, so its bits do not depend on the threads.
  double full() {
    constexpr Index piece = 4096;
    const Index n = x_.size();
    const Index pieces = (n + piece - 1) / piece;
    partial_sums_.resize(pieces);
    A_.multiply(x_, product_, threads_);
    parallel_for(pieces, threads_, [&](Index first, Index last) {
      for (Index p = first; p < last; ++p) {
        double squared = 0.0;
        for (Index i = p * piece; i < std::min(n, (p + 1) * piece); ++i) squared += update(i);
        partial_sums_[p] = squared;
      }
    });
    return std::sqrt(partial_sums_.sum());
  }

  double reduced(std::span<const int> list) {
    for (int i : list) product_[i] = products_.product(i);
    double squared = 0.0;
    for (int i : list) {
      const double before = x_[i];
      squared += update(i);
      if (x_[i] != before) products_.changed(i, x_[i] - before);
    }
    return std::sqrt(squared);
  }

  void refresh() { SweepRows<Storage>(a_, x_, velocities_); }

 private:
  double update(Index i) {
    const double next = projected_step(rows_, i, x_[i], product_[i] + rows_.b[i]);
    const double weighted = rows_.weight[i] * (next - x_[i]);
    x_[i] = next;
    return weighted * weighted;
  }

  const Storage& a_;
  const Operator& A_;
  const Rows& rows_;
  Vector& x_;
  Vector& velocities_;
  Vector& product_;
  Vector& partial_sums_;
  int threads_;
  SweepRows<Storage> products_;
};

inline void check_gauss_seidel_relaxation(double relaxation) {
  if (!(relaxation > 0.0 && relaxation < 2.0))
    fail("Gauss-Seidel needs a relaxation between 0 and 2 (exclusive), not {}", relaxation);
}

inline void check_jacobi_relaxation(double relaxation) {
  if (!(relaxation >= 0.0 && relaxation <= 2.0))
    fail("Jacobi needs a relaxation from 0 (automatic) to 2, not {}", relaxation);
}

}  // namespace slipstick::internal
