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

  /// The threads that put the contacts in the order of the kernels. The order does not depend on them.
  void set_threads(int threads) { threads_ = threads; }
  /// Made when it is first asked for. Throws DeviceError if the contacts need too many colours.
  const ContactLayout& layout();
  /// Changes with the layout.
  int version() const { return version_; }
  /// The arrays of the matrix alone. They are valid until the next call.
  ContactArrays matrix_arrays();
  /// All arrays, with b, K and the d of the ruler. They are valid until the next call.
  ContactArrays arrays(const ProductSet& K, const Vector& b, const Vector& scale);

 private:
  bool is_known(const Operator& A, const ProductSet& K) const;
  bool has_crowded_body();

  ContactOrder order_;
  Operator seen_;
  std::vector<SetBlock> blocks_;
  bool known_ = false, laid_ = false;
  int threads_ = 1;
  std::string reason_;
  std::vector<int> degree_;  // scratch
  int version_ = 0;
  Vector compliance_;
  WorldContacts world_;
  ContactLayout layout_;
  std::vector<double> friction_, axes_, load_, scale_, laid_compliance_, bounds_;
};

}  // namespace slipstick::internal
