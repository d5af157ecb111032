// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/peers/factor_matrices.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "slipstick/base/random.hpp"
#include "slipstick/contact/forms/condense.hpp"
#include "slipstick/scenes/box_piles.hpp"
#include "slipstick/scenes/packing.hpp"
#include "slipstick/scenes/rigid_contacts.hpp"
#include "slipstick/scenes/sheet.hpp"
#include "slipstick/scenes/uic.hpp"

namespace slipstick::internal::bench {
namespace {

// A + t I, where t is this share of the mean diagonal entry. Redundant contacts make W singular.
CsrMatrix shifted(CsrMatrix a, double share) {
  CsrMatrix identity(a.rows(), a.cols());
  identity.setIdentity();
  const double mean = a.diagonal().sum() / static_cast<double>(std::max<Index>(1, a.rows()));
  CsrMatrix sum = a + share * mean * identity;
  sum.makeCompressed();
  return sum;
}

CsrMatrix delassus(const GlobalContactProblem& problem) {
  const CondensedProblem condensed(problem, Condensation::assembled);
  return shifted(*condensed.local().W.assemble(), 1e-6);
}

// M + H D H' with a 3 x 3 block of D for each contact, as in Newton's method on the bodies. The blocks are
// R diag(d) R', or not symmetric.
CsrMatrix on_bodies(const GlobalContactProblem& problem, bool symmetric, std::uint64_t seed) {
  Random random(seed);
  const CsrMatrix& H = problem.H;
  std::vector<Triplet> entries;
  for (int contact = 0; 3 * contact < H.cols(); ++contact) {
    Eigen::Matrix3d turn, d = Eigen::Matrix3d::Zero();
    for (double& entry : turn.reshaped()) entry = random.uniform(-1.0, 1.0);
    for (int a = 0; a < 3; ++a) d(a, a) = std::exp(random.uniform(-4.0, 4.0));
    Eigen::Matrix3d block = turn * d * turn.transpose();
    if (!symmetric) block.topRightCorner<1, 2>() *= 0.3;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) entries.push_back({3 * contact + i, 3 * contact + j, block(i, j)});
  }
  const CsrMatrix D = csr_from_triplets(H.cols(), H.cols(), entries);
  const double size = problem.M.diagonal().sum() / static_cast<double>(problem.M.rows());
  const CsrMatrix HD = H * D;
  const CsrMatrix transposed = H.transpose();
  CsrMatrix sum = problem.M + size * CsrMatrix(HD * transposed);
  sum.makeCompressed();
  return sum;
}

// D + E A with diagonals D and E, as in Newton's method on the Fischer-Burmeister function. Every second row
// is nearly one of the identity.
CsrMatrix fischer_burmeister(CsrMatrix a, std::uint64_t seed) {
  Random random(seed);
  const double size = a.diagonal().sum() / static_cast<double>(std::max<Index>(1, a.rows()));
  for (Index i = 0; i < a.rows(); ++i) {
    const double angle = random.uniform(0.0, 1.0) < 0.5 ? 1e-6 : random.uniform(0.3, 1.57);
    for (CsrMatrix::InnerIterator entry(a, i); entry; ++entry) {
      entry.valueRef() *= std::sin(angle) / size;
      if (entry.col() == i) entry.valueRef() += std::cos(angle);
    }
  }
  return a;
}

// Boxes in a row, each joined to the next at a point.
GlobalContactProblem joint_chain(int links) {
  RigidBodies bodies;
  std::vector<RigidContact> joints;
  Random random(1);
  for (int k = 0; k < links; ++k) {
    bodies.add(1.0, Eigen::Vector3d(0.1, 0.2, 0.3).asDiagonal());
    const Eigen::Vector3d axis =
        Eigen::Vector3d(1.0, random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3)).normalized();
    if (k > 0) joints.push_back({k - 1, k, axis, 0.5 * axis, -0.5 * axis});
  }
  return bodies.problem(joints, 0.5, "joint chain");
}

// [Q + D, G'; G, -E] of an interior point method on a sparse QP, late: D and E span twelve decades.
FactorMatrix quadratic_program(int n, int m) {
  Random random(1);
  std::vector<Triplet> entries;
  const auto both = [&](int i, int j, double value) {
    entries.push_back({i, j, value});
    if (i != j) entries.push_back({j, i, value});
  };
  const auto scale = [&] { return std::exp(random.uniform(-14.0, 14.0)); };
  // Q = sum of squares of three neighbours, at 2 i - 1 and 3 i - 1 modulo n (CVXQP).
  for (int i = 0; i < n; ++i) {
    const int at[3] = {i, (2 * i + 1) % n, (3 * i + 2) % n};
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b <= a; ++b) both(at[a], at[b], 1.0 + i % 7);
    both(i, i, scale());
  }
  for (int i = 0; i < m; ++i) {
    both(n + i, i, 1.0);
    both(n + i, (4 * i + 3) % n, 2.0);
    both(n + i, (5 * i + 4) % n, 3.0);
    both(n + i, n + i, -scale());
  }
  FactorMatrix matrix{"KKT of a QP", FactorJob::signed_, csr_from_triplets(n + m, n + m, entries)};
  matrix.signs.assign(static_cast<std::size_t>(n), 1);
  matrix.signs.resize(static_cast<std::size_t>(n + m), -1);
  return matrix;
}

CsrMatrix band(int n, int k) {
  Random random(1);
  std::vector<Triplet> entries;
  for (int i = 0; i < n; ++i) {
    entries.push_back({i, i, 2.2 * k + 1.0});
    for (int j = std::max(0, i - k); j < i; ++j) {
      const double value = random.uniform(-1.0, 1.0);
      entries.push_back({i, j, value});
      entries.push_back({j, i, value});
    }
  }
  return csr_from_triplets(n, n, entries);
}

}  // namespace

std::vector<FactorMatrix> factor_matrices(double scale) {
  const auto length = [scale](int n) { return std::max(4, static_cast<int>(n * std::cbrt(scale))); };
  const auto count = [scale](int n) { return std::max(10, static_cast<int>(n * scale)); };
  const auto pressure = [](int dimension, int resolution) {
    return shifted(*uic_pressure({.dimension = dimension, .resolution = resolution}).A.assemble(), 1e-8);
  };
  const auto packing = [](int spheres) { return sphere_packing({.spheres = spheres, .friction = 0.3}); };
  using enum FactorJob;
  std::vector<FactorMatrix> list;
  list.push_back({"pressure, plane", positive, pressure(2, length(128)), {}, 1, true});
  list.push_back({"pressure, space", positive, pressure(3, length(64)), {}, 1, true});
  list.push_back({"W of a packing", positive, delassus(packing(count(600))), {}, 3, true});
  list.push_back(
      {"W of a tower", positive, delassus(brick_tower({.courses = count(100), .bricks = 4})), {}, 3, true});
  list.push_back({"W of a joint chain", positive, delassus(joint_chain(count(3000))), {}, 3, true});
  list.push_back({"M of a sheet", positive, elastic_sheet({.side = length(80)}).M});
  list.push_back({"bodies of a packing", positive, on_bodies(packing(count(3000)), true, 1), {}, 6});
  list.push_back({"band", positive, band(count(10000), 100)});
  list.push_back(quadratic_program(count(4000), count(2000)));
  list.push_back({"Newton, pressure in the plane", general, fischer_burmeister(pressure(2, length(128)), 3)});
  list.push_back({"Newton, pressure in space", general, fischer_burmeister(pressure(3, length(32)), 4)});
  list.push_back({"Newton, bodies of a packing", general, on_bodies(packing(count(1000)), false, 2), {}, 6});
  return list;
}

}  // namespace slipstick::internal::bench
