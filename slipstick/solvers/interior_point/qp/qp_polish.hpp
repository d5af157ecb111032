// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/solvers/common/place.hpp"
#include "slipstick/solvers/interior_point/qp/qp_path.hpp"
#include "slipstick/solvers/interior_point/qp/qp_system.hpp"

namespace slipstick::internal {

/// The exact end of a path: the equations of an active set. Held unknowns are put on their bounds, and rows
/// that are not held have no multiplier. The other unknowns and multipliers solve their equations with
/// refinement. If the signs then show another set, it can be tried too (Litven 2013, eq. 2.12).
class QpPolish {
 public:
  /// Takes a problem and a system that is prepared for it. Keeps pointers to both.
  void prepare(const StandardQp& qp, QpSystem& system);
  /// Takes the point, and holds the bounds whose multiplier is larger than their slack.
  void take(const QpPath& path);
  /// Takes the point without multipliers, and holds the bounds within `band` of it.
  void take_touching(ConstVectorView x, double band);
  /// Solves the system of the set. Returns false if there is no factor.
  bool solve();
  /// Takes the set that the signs show. Returns false if it is the same.
  bool revise();

  const Vector& x() const { return x_; }
  const Vector& y() const { return y_; }

 private:
  double lower(Index k) const { return k < n_ ? qp_->lower[k] : qp_->row_lower[k - n_]; }
  double upper(Index k) const { return k < n_ ? qp_->upper[k] : qp_->row_upper[k - n_]; }
  bool put(Index k, Place place);
  void find_values_and_forces();

  const StandardQp* qp_ = nullptr;
  QpSystem* system_ = nullptr;
  Index n_ = 0, m_ = 0;
  Vector x_, y_, values_, forces_, step_, scale_, diagonal_, compliance_;
  std::vector<Place> places_;
  std::vector<char> inside_;
};

}  // namespace slipstick::internal
