// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/sweeps/coulomb_contact.hpp"

namespace slipstick::internal {

CoulombContact<2>::CoulombContact(const double* D)
    : normal_(D[0]),
      inverse_normal_(D[0] > 0.0 ? 1.0 / D[0] : 0.0),
      row_(D[1]),
      column_(D[2]),
      corner_(D[3]),
      ratio_(D[2] * inverse_normal_),
      inverse_reduced_(coulomb_difference(D[3], ratio_ * D[1])) {
  if (inverse_reduced_ != 0.0) inverse_reduced_ = 1.0 / inverse_reduced_;
}

double CoulombContact<2>::mode_of(const double* /*b*/, double mu, const double* r) const {
  if (!(r[0] > 0.0)) return -1.0;
  return std::abs(r[1]) >= mu * r[0] * (1.0 - cone_edge) && r[1] != 0.0 ? 1.0 : 0.0;
}

}  // namespace slipstick::internal
