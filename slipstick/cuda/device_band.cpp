// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/device_band.hpp"

#include <fmt/format.h>

#include <limits>

#include "slipstick/linsolve/banded/cuthill_mckee.hpp"

namespace slipstick::internal {
namespace {

bool takes(const DelassusOperator& bodies) {
  return bodies.dofs_per_body() <= BodyBand::most_dofs;
}

}  // namespace

std::string DeviceBand::read(const Operator& A, int columns, std::string_view method) {
  if (!known_ || columns != columns_ || !A.same_storage(seen_)) {
    known_ = false;
    columns_ = columns;
    reason_ = explain(A, columns);
    seen_ = A;
    known_ = true;
  }
  if (reason_.empty()) return {};
  return fmt::format("{} needs a matrix whose band fits into the device, and {}", method, reason_);
}

std::string DeviceBand::explain(const Operator& A, int columns) {
  place_.clear();
  if (A.rows() > std::numeric_limits<int>::max() / 2) return "it has too many rows";
  const auto rows = static_cast<int>(A.rows());
  if (const auto* band = storage_of<BandedMatrix>(A)) {
    shape_ = BandShape(rows, static_cast<int>(band->bandwidth()));
  } else if (const auto* bodies = storage_of<DelassusOperator>(A); bodies != nullptr && takes(*bodies)) {
    bodies_.set(*bodies);
    shape_ = BandShape(rows, bodies_.bandwidth());
    place_ = bodies_.places();
  } else {
    const std::shared_ptr<const CsrMatrix> sparse = A.assemble();
    const std::vector<int> order = narrow_order(*sparse);
    shape_ = BandShape(rows, static_cast<int>(half_bandwidth(*sparse, order)));
    place_.resize(order.size());
    for (int k = 0; k < rows; ++k) place_[static_cast<std::size_t>(order[static_cast<std::size_t>(k)])] = k;
  }
  return BandEngine::explain_unsupported(shape_, columns);
}

void DeviceBand::upload(BandEngine& engine) {
  if (const auto* band = storage_of<BandedMatrix>(seen_)) {
    engine.set_matrix(shape_, columns_, band->lower().data());
    return;
  }
  if (const auto* bodies = storage_of<DelassusOperator>(seen_); bodies != nullptr && takes(*bodies)) {
    engine.set_matrix(shape_, columns_, bodies_.numbers(*bodies));
    return;
  }
  const std::shared_ptr<const CsrMatrix> sparse = seen_.assemble();
  std::vector<int> rows, columns;
  std::vector<double> values;
  for (Index i = 0; i < sparse->rows(); ++i) {
    for (CsrMatrix::InnerIterator it(*sparse, i); it; ++it) {
      if (place(i) < place(it.col())) continue;
      rows.push_back(place(i));
      columns.push_back(place(it.col()));
      values.push_back(it.value());
    }
  }
  engine.set_matrix(shape_, columns_, rows, columns, values);
}

}  // namespace slipstick::internal
