// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <limits>

namespace slipstick {

using Index = Eigen::Index;
using Vector = Eigen::VectorXd;
using DenseMatrix = Eigen::MatrixXd;
using VectorView = Eigen::Ref<Vector>;
using ConstVectorView = Eigen::Ref<const Vector>;
using MatrixView = Eigen::Ref<DenseMatrix>;

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double machine_epsilon = std::numeric_limits<double>::epsilon();

}  // namespace slipstick
