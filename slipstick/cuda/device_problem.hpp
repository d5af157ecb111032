// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "slipstick/cuda/contact_layout.hpp"
#include "slipstick/linalg/operator.hpp"
#include "slipstick/problem.hpp"

namespace slipstick::internal {

/// A problem as the device takes it. Keeps the layout of contacts while the matrix and the kinds of sets stay
/// the same.
class DeviceProblem {
 public:
  explicit DeviceProblem(ContactOrder order = ContactOrder::bodies) : order_(order) {}
  /// Empty, or why the device does not take A and K, as "METHOD needs ...".
  std::string read(const Operator& A, const ProductSet& K, std::string_view method);

  const ContactLayout& layout() const { return layout_; }
  /// Changes with the layout.
  int version() const { return version_; }
  /// The arrays of the matrix alone. They are valid until the next call.
  ContactArrays matrix_arrays();
  /// All arrays, with b, K and the d of the ruler. They are valid until the next call.
  ContactArrays arrays(const ProductSet& K, const Vector& b, const Vector& scale);

 private:
  bool is_known(const Operator& A, const ProductSet& K) const;

  ContactOrder order_;
  Operator seen_;
  std::vector<SetBlock> blocks_;
  bool known_ = false;
  std::string reason_;
  int version_ = 0;
  Vector compliance_;
  WorldContacts world_;
  ContactLayout layout_;
  std::vector<double> friction_, axes_, load_, scale_, laid_compliance_, bounds_;
};

}  // namespace slipstick::internal
