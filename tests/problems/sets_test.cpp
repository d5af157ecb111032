// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/problems/sets.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <ostream>
#include <string>

#include "slipstick/base/error.hpp"
#include "slipstick/base/random.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::sets_test {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// One block behind a free row, so that bounds must be read at the block's place.
struct Case {
  std::string label;
  ProductSet K;
  const SetBlock& block() const { return K.blocks().back(); }
  Index size() const { return block().size; }
  double parameter() const { return block().parameter; }
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.label;
}

template <class Append>
Case make_case(std::string label, const Append& append) {
  ProductSet K;
  K.append_free(1, Role::bilateral);
  append(K);
  return {std::move(label), std::move(K)};
}

Case cone_case(double mu, int dimension) {
  return make_case("cone " + std::to_string(mu) + " " + std::to_string(dimension),
                   [&](ProductSet& K) { K.append_cone(mu, dimension); });
}

Case diamond_case(double radius, int dimension) {
  return make_case("diamond " + std::to_string(radius) + " " + std::to_string(dimension),
                   [&](ProductSet& K) { K.append_diamond(radius, dimension); });
}

Case disk_case(double radius, int dimension) {
  return make_case("disk " + std::to_string(radius) + " " + std::to_string(dimension),
                   [&](ProductSet& K) { K.append_disk(radius, dimension); });
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  cases.push_back(make_case("free", [](ProductSet& K) { K.append_free(3, Role::plain); }));
  cases.push_back(make_case("nonnegative", [](ProductSet& K) { K.append_nonnegative(4); }));
  cases.push_back(make_case("interval", [](ProductSet& K) {
    K.append_interval(-0.5, 0.75);
    K.append_interval(-inf, 0.25);
    K.append_interval(-1.0, inf);
    K.append_interval(0.5, 0.5);
  }));
  for (const int dimension : {2, 3}) {
    for (const double mu : {0.0, 1e-3, 0.3, 1.0, 50.0, 1e6}) cases.push_back(cone_case(mu, dimension));
  }
  for (const int dimension : {1, 2, 3, 5}) {
    for (const double radius : {0.0, 0.8}) {
      cases.push_back(diamond_case(radius, dimension));
      cases.push_back(disk_case(radius, dimension));
    }
  }
  return cases;
}

Vector random_vector(Random& random, Index size) {
  Vector x(size);
  for (double& value : x) value = random.normal();
  return x;
}

// A point of the set, by its definition and not by the projection; often on the boundary.
Vector random_member(const Case& c, Random& random) {
  Vector x = random_vector(random, c.size());
  const double shrink = random.uniform() < 0.5 ? 1.0 : random.uniform();
  switch (c.block().kind) {
    case SetKind::free:
      return x;
    case SetKind::nonnegative:
    case SetKind::interval:
      for (Index i = 0; i < c.size(); ++i) {
        const double lower = c.K.lower()[c.block().start + i];
        const double upper = c.K.upper()[c.block().start + i];
        x[i] = lower + random.uniform() * (upper - lower);
        if (lower == -inf) x[i] = upper - std::abs(random.normal());
        if (upper == inf) x[i] = lower + std::abs(random.normal());
        if (random.uniform() < 0.25 && lower > -inf) x[i] = lower;
        if (random.uniform() < 0.25 && upper < inf) x[i] = upper;
      }
      return x;
    case SetKind::cone:
      x[0] = std::abs(x[0]);
      x.tail(c.size() - 1) *= shrink * c.parameter() * x[0] / x.tail(c.size() - 1).norm();
      return x;
    case SetKind::diamond:
      return x * (shrink * c.parameter() / x.lpNorm<1>());
    case SetKind::disk:
      return x * (shrink * c.parameter() / x.norm());
  }
  return x;
}

Vector projected(const Case& c, Vector x) {
  project(c.K, c.block(), x);
  return x;
}

class Sets : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, Sets, ::testing::ValuesIn(all_cases()));

TEST_P(Sets, ProjectionSatisfiesTheOptimalityCondition) {
  const Case& c = GetParam();
  Random random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const Vector x = 2.0 * random_vector(random, c.size());
    const Vector p = projected(c, x);
    EXPECT_TRUE(contains(c.K, c.block(), p, 1e-14 * x.norm()));
    // x - P(x) is in the normal cone of the set at P(x).
    for (int sample = 0; sample < 20; ++sample) {
      const Vector y = random_member(c, random);
      EXPECT_LE((x - p).dot(y - p), 1e-13 * (1.0 + x.norm()) * (1.0 + y.norm()));
    }
    EXPECT_NEAR(distance(c.K, c.block(), x), (x - p).norm(), 1e-14 * x.norm());
    EXPECT_LE((projected(c, p) - p).norm(), 1e-15 * (1.0 + x.norm()));
  }
}

TEST_P(Sets, ProjectionIsNonexpansiveAndLeavesMembersAlone) {
  const Case& c = GetParam();
  Random random(2);
  for (int trial = 0; trial < 200; ++trial) {
    const Vector x = 2.0 * random_vector(random, c.size());
    const Vector y = x + random.uniform() * random_vector(random, c.size());
    EXPECT_LE((projected(c, x) - projected(c, y)).norm(), (x - y).norm() + 1e-14);
    const Vector member = random_member(c, random);
    EXPECT_TRUE(contains(c.K, c.block(), member, 1e-15 * member.norm()));
    EXPECT_LE((projected(c, member) - member).norm(), 1e-15 * (1.0 + member.norm()));
  }
}

TEST_P(Sets, NanIsNowhere) {
  const Case& c = GetParam();
  if (c.block().kind == SetKind::free) return;
  Vector x = Vector::Zero(c.size());
  x[c.size() - 1] = nan;
  EXPECT_FALSE(contains(c.K, c.block(), x, 1.0));
}

TEST_P(Sets, JacobianAgreesWithFiniteDifferences) {
  const Case& c = GetParam();
  Random random(3);
  const double h = 1e-6;
  int smooth = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const Vector x = random_vector(random, c.size());
    DenseMatrix jacobian = DenseMatrix::Constant(c.size(), c.size(), nan);
    projection_jacobian(c.K, c.block(), x, jacobian);
    EXPECT_LE((jacobian - jacobian.transpose()).norm(), 1e-15);
    const Vector spectrum = eigenvalues(jacobian);
    EXPECT_GE(spectrum.minCoeff(), -1e-14);
    EXPECT_LE(spectrum.maxCoeff(), 1.0 + 1e-14);

    DenseMatrix forward(c.size(), c.size()), backward(c.size(), c.size());
    for (Index j = 0; j < c.size(); ++j) {
      const Vector step = h * Vector::Unit(c.size(), j);
      forward.col(j) = (projected(c, x + step) - projected(c, x)) / h;
      backward.col(j) = (projected(c, x) - projected(c, x - step)) / h;
    }
    if ((forward - backward).norm() > 1e-4) continue;  // a kink in between
    ++smooth;
    EXPECT_LE((jacobian - 0.5 * (forward + backward)).norm(), 1e-7) << x.transpose();
  }
  EXPECT_GE(smooth, 90);
}

// At kinks any element will do; it must be one of the neighbourhood's limits or their average.
TEST_P(Sets, JacobianAtMembersAndTheOrigin) {
  const Case& c = GetParam();
  Random random(4);
  for (int trial = 0; trial < 50; ++trial) {
    const Vector x = trial == 0 ? Vector::Zero(c.size()) : random_member(c, random);
    DenseMatrix jacobian = DenseMatrix::Constant(c.size(), c.size(), nan);
    projection_jacobian(c.K, c.block(), x, jacobian);
    ASSERT_TRUE(jacobian.allFinite()) << x.transpose();
    const Vector spectrum = eigenvalues(jacobian);
    EXPECT_GE(spectrum.minCoeff(), -1e-14);
    EXPECT_LE(spectrum.maxCoeff(), 1.0 + 1e-14);
  }
}

TEST_P(Sets, StepLandsOnTheBoundary) {
  const Case& c = GetParam();
  Random random(5);
  for (int trial = 0; trial < 3000; ++trial) {
    // Points deep inside, near the boundary and on it; directions across, towards a member, and tiny.
    Vector x = random_member(c, random);
    Vector d = random_vector(random, c.size());
    if (trial % 3 == 1) {
      // From inside: along a face, the rounding of the difference would decide.
      x.tail(c.block().kind == SetKind::cone ? c.size() - 1 : c.size()) *= c.K.is_box() ? 1.0 : 0.9;
      d = random_member(c, random) - x;
    }
    if (trial % 3 == 2) d *= 1e-150;
    const double t = step_to_boundary(c.K, c.block(), x, d);
    ASSERT_GE(t, 0.0);
    const double size = x.norm() + d.norm();
    if (d.norm() == 0.0) {
      EXPECT_EQ(t, inf);
      continue;
    }
    if (t == inf) {
      // A ray of the recession cone.
      EXPECT_TRUE(contains(c.K, c.block(), x + 1e3 / d.norm() * d, 1e-12 * (1e3 + size)));
      continue;
    }
    const Vector end = x + t * d;
    const double far = size + end.norm();
    EXPECT_LE(distance(c.K, c.block(), end), 1e-14 * far) << x.transpose() << " | " << d.transpose();
    const Vector beyond = x + (t + 1e-6 * far / d.norm()) * d;
    EXPECT_FALSE(contains(c.K, c.block(), beyond)) << x.transpose() << " | " << d.transpose() << " | " << t;
    // A direction towards a member does not leave before it.
    if (trial % 3 == 1 && d.norm() > 1e-3) {
      EXPECT_GE(t, 1.0 - 1e-9) << x.transpose() << " | " << d.transpose();
    }
  }
}

TEST_P(Sets, OperationsDoNotAllocate) {
  const Case& c = GetParam();
  Random random(9);
  for (int trial = 0; trial < 10; ++trial) {
    Vector x = random_vector(random, c.size());
    const Vector d = random_vector(random, c.size());
    DenseMatrix jacobian(c.size(), c.size());
    double sum = 0.0;
    const std::size_t before = allocations();
    projection_jacobian(c.K, c.block(), x, jacobian);
    sum += distance(c.K, c.block(), x) + contains(c.K, c.block(), x, 0.1);
    project(c.K, c.block(), x);
    sum += step_to_boundary(c.K, c.block(), x, d);
    EXPECT_EQ(allocations() - before, 0u);
    EXPECT_GE(sum, 0.0);
  }
}

TEST_P(Sets, FacesOfProjectedPoints) {
  const Case& c = GetParam();
  Random random(6);
  for (int trial = 0; trial < 100; ++trial) {
    const Vector p = projected(c, 2.0 * random_vector(random, c.size()));
    const Face f = face(c.K, c.block(), p, 1e-12);
    ASSERT_EQ(f.tangent.rows(), c.size());
    ASSERT_EQ(f.tangent.cols(), f.dimension);
    EXPECT_LE((f.tangent.transpose() * f.tangent - DenseMatrix::Identity(f.dimension, f.dimension)).norm(),
              1e-14);
    // Both ways along the face stay in the set.
    if (f.dimension == 0) continue;
    const Vector d = f.tangent * random_vector(random, f.dimension);
    const double small = 1e-9;
    EXPECT_TRUE(contains(c.K, c.block(), p + small * d, 1e-14)) << p.transpose();
    EXPECT_TRUE(contains(c.K, c.block(), p - small * d, 1e-14)) << p.transpose();
  }
}

TEST_P(Sets, FacetsAgreeWithMembership) {
  const Case& c = GetParam();
  if (!has_facets(c.block())) {
    EXPECT_THROW(facets(c.K, c.block()), Error);
    return;
  }
  const Facets rows = facets(c.K, c.block());
  ASSERT_EQ(rows.normals.cols(), c.size());
  ASSERT_EQ(rows.normals.rows(), rows.offsets.size());
  Random random(7);
  int inside = 0;
  for (int trial = 0; trial < 400; ++trial) {
    Vector x = trial % 2 == 0 ? random_member(c, random) : random_vector(random, c.size());
    const double excess = rows.offsets.size() > 0 ? (rows.normals * x - rows.offsets).maxCoeff() : -inf;
    const double scale = rows.normals.size() > 0 ? 1.0 + rows.normals.cwiseAbs().maxCoeff() : 1.0;
    if (excess > 1e-13 * scale) {
      EXPECT_FALSE(contains(c.K, c.block(), x));
    } else {
      ++inside;
      EXPECT_TRUE(contains(c.K, c.block(), x, 1e-13));
    }
  }
  EXPECT_GE(inside, 200);
}

TEST(Cone, ProjectionByHand) {
  const Case c = cone_case(1.0, 3);
  EXPECT_LE((projected(c, vec({0, 3, 4})) - vec({2.5, 1.5, 2})).norm(), 1e-15);
  EXPECT_EQ(projected(c, vec({5, 3, 4})), vec({5, 3, 4}));
  EXPECT_EQ(projected(c, vec({-5, 3, 4})), vec({0, 0, 0}));
  EXPECT_EQ(projected(c, vec({-5, 0, 0})), vec({0, 0, 0}));
}

TEST(Cone, ZeroFrictionIsARay) {
  for (const int dimension : {2, 3}) {
    const Case c = cone_case(0.0, dimension);
    const Vector up = Vector::Unit(dimension, 0);
    const Vector side = Vector::Unit(dimension, 1);
    EXPECT_EQ(projected(c, 2.0 * up), 2.0 * up);
    EXPECT_EQ(projected(c, -2.0 * up), 0.0 * up);
    EXPECT_EQ(projected(c, 2.0 * up + side), 2.0 * up);
    EXPECT_FALSE(contains(c.K, c.block(), -up));
    EXPECT_DOUBLE_EQ(distance(c.K, c.block(), -2.0 * up), 2.0);
    EXPECT_DOUBLE_EQ(distance(c.K, c.block(), up + 3.0 * side), 3.0);
    DenseMatrix jacobian(dimension, dimension);
    projection_jacobian(c.K, c.block(), up, jacobian);
    EXPECT_EQ(jacobian, DenseMatrix(up * up.transpose()));
    EXPECT_EQ(step_to_boundary(c.K, c.block(), 3.0 * up, -2.0 * up), 1.5);
    EXPECT_EQ(step_to_boundary(c.K, c.block(), up, up), inf);
    EXPECT_EQ(step_to_boundary(c.K, c.block(), up, up + side), 0.0);
    const Face ray = face(c.K, c.block(), up);
    EXPECT_EQ(ray.dimension, 1);
    EXPECT_EQ(Vector(ray.tangent.col(0)), up);
    EXPECT_EQ(face(c.K, c.block(), 0.0 * up).dimension, 0);
  }
}

TEST(Cone, FacesByHand) {
  const Case c = cone_case(0.5, 3);
  EXPECT_EQ(face(c.K, c.block(), vec({2, 0.3, 0.4})).dimension, 3);
  EXPECT_EQ(face(c.K, c.block(), vec({0, 0, 0})).dimension, 0);
  const Face ray = face(c.K, c.block(), vec({2, 0.6, 0.8}));
  ASSERT_EQ(ray.dimension, 1);
  EXPECT_LE((ray.tangent.col(0) - vec({2, 0.6, 0.8}).normalized()).norm(), 1e-15);
  // Within the tolerance of the boundary and of the apex.
  EXPECT_EQ(face(c.K, c.block(), vec({2.01, 0.6, 0.8}), 0.1).dimension, 1);
  EXPECT_EQ(face(c.K, c.block(), vec({0.05, 0, 0}), 0.1).dimension, 0);
}

// A line through the apex has a discriminant of exactly zero.
TEST(Cone, StepToTheApex) {
  Random random(8);
  for (const double mu : {1e-3, 0.3, 2.0, 1e6}) {
    for (const int dimension : {2, 3}) {
      const Case c = cone_case(mu, dimension);
      for (int trial = 0; trial < 100; ++trial) {
        const Vector x = random_member(c, random);
        const double s = random.uniform(0.1, 10.0);
        EXPECT_NEAR(step_to_boundary(c.K, c.block(), x, -s * x) * s, 1.0, 1e-13) << x.transpose();
        EXPECT_EQ(step_to_boundary(c.K, c.block(), x, s * x), inf) << x.transpose();
      }
    }
  }
}

TEST(Cone, StepFromTheBoundaryInward) {
  const Case c = cone_case(0.5, 3);
  // Across the cone, from a point that a rounding may have put outside.
  const Vector x = vec({2, 1.0 + 4e-16, 0});
  EXPECT_NEAR(step_to_boundary(c.K, c.block(), x, vec({0, -1, 0})), 2.0, 1e-14);
  EXPECT_EQ(step_to_boundary(c.K, c.block(), x, vec({0, 1, 0})), 0.0);
  EXPECT_EQ(step_to_boundary(c.K, c.block(), x, vec({0, 0, 1})), 0.0);
  // At the apex.
  EXPECT_EQ(step_to_boundary(c.K, c.block(), vec({0, 0, 0}), vec({1, 0.1, 0.1})), inf);
  EXPECT_EQ(step_to_boundary(c.K, c.block(), vec({0, 0, 0}), vec({1, 1, 0.1})), 0.0);
  EXPECT_EQ(step_to_boundary(c.K, c.block(), vec({1, 0, 0}), vec({0, 0, 0})), inf);
}

// mu x_N - ||x_T|| = 1e-10: the step must have full relative accuracy, not that of 1e-10.
TEST(Cone, StepNearTheBoundaryIsAccurate) {
  const Case c = cone_case(1.0, 3);
  const double gap = 0x1.0p-34;
  const Vector x = vec({1.0 + gap, 1.0, 0.0});
  EXPECT_NEAR(step_to_boundary(c.K, c.block(), x, vec({0, 1, 0})) / gap, 1.0, 1e-14);
  EXPECT_NEAR(step_to_boundary(c.K, c.block(), x, vec({-1, 1, 0})) / gap, 0.5, 1e-14);
  const double across = std::sqrt(gap) * std::sqrt(2.0 + gap);
  EXPECT_NEAR(step_to_boundary(c.K, c.block(), x, vec({0, 0, 1})) / across, 1.0, 1e-14);
}

TEST(Diamond, ByHand) {
  const Case c = diamond_case(1.0, 2);
  EXPECT_EQ(projected(c, vec({2, 0.5})), vec({1, 0}));
  EXPECT_EQ(projected(c, vec({1, -1})), vec({0.5, -0.5}));
  EXPECT_EQ(step_to_boundary(c.K, c.block(), vec({0, 0}), vec({1, 1})), 0.5);
  EXPECT_EQ(step_to_boundary(c.K, c.block(), vec({0.5, 0.5}), vec({-1, -1})), 1.0);
  // Along a facet to its vertex, though the direction leaves it by a rounding.
  EXPECT_NEAR(step_to_boundary(c.K, c.block(), vec({0.5, 0.5}), vec({-1, 1 + 2e-16})), 0.5, 1e-15);
  EXPECT_EQ(face(c.K, c.block(), vec({0.2, 0.2})).dimension, 2);
  EXPECT_EQ(face(c.K, c.block(), vec({1, 0})).dimension, 0);
  const Face edge = face(c.K, c.block(), vec({0.25, -0.75}));
  ASSERT_EQ(edge.dimension, 1);
  EXPECT_NEAR(std::abs(edge.tangent.col(0).dot(vec({1, 1}))), std::sqrt(2.0), 1e-15);
}

TEST(Disk, ByHand) {
  const Case c = disk_case(2.0, 2);
  EXPECT_LE((projected(c, vec({3, 4})) - vec({1.2, 1.6})).norm(), 1e-15);
  EXPECT_DOUBLE_EQ(distance(c.K, c.block(), vec({3, 4})), 3.0);
  EXPECT_EQ(step_to_boundary(c.K, c.block(), vec({1, 0}), vec({1, 0})), 1.0);
  EXPECT_EQ(step_to_boundary(c.K, c.block(), vec({1, 0}), vec({-1, 0})), 3.0);
  EXPECT_EQ(step_to_boundary(c.K, c.block(), vec({2, 0}), vec({0, 1})), 0.0);
  EXPECT_EQ(face(c.K, c.block(), vec({2, 0})).dimension, 0);
  EXPECT_EQ(face(c.K, c.block(), vec({1, 0})).dimension, 2);
}

TEST(Interval, ByHand) {
  const Case c = make_case("interval", [](ProductSet& K) {
    K.append_interval(-1.0, 2.0);
    K.append_interval(-inf, 3.0);
    K.append_interval(4.0, 4.0);
  });
  EXPECT_EQ(projected(c, vec({-2, 5, 0})), vec({-1, 3, 4}));
  EXPECT_EQ(step_to_boundary(c.K, c.block(), vec({0, 0, 4}), vec({1, 1, 0})), 2.0);
  EXPECT_EQ(step_to_boundary(c.K, c.block(), vec({0, 0, 4}), vec({-2, -1, 0})), 0.5);
  EXPECT_EQ(step_to_boundary(c.K, c.block(), vec({0, 0, 4}), vec({0, -1, 0})), inf);
  EXPECT_EQ(step_to_boundary(c.K, c.block(), vec({0, 0, 4}), vec({0, 0, 1})), 0.0);
  const Face f = face(c.K, c.block(), vec({2, 1, 4}));
  ASSERT_EQ(f.dimension, 1);
  EXPECT_EQ(Vector(f.tangent.col(0)), vec({0, 1, 0}));
  EXPECT_EQ(facets(c.K, c.block()).offsets, vec({1, 2, 3, -4, 4}));
}

TEST(SetNames, AreDistinct) {
  EXPECT_EQ(name(SetKind::diamond), "diamond");
  EXPECT_EQ(name(Role::bilateral), "bilateral");
}

TEST(ProductSet, RadiiAndBoundsCanBeChanged) {
  ProductSet K;
  K.append_disk(1.0, 2);
  K.append_interval(-1.0, 1.0);
  K.append_interval(-1.0, 1.0);
  K.set_radius(0, 5.0);
  K.set_bounds(3, -2.0, 7.0);
  Vector x{{6.0, 8.0, 9.0, 9.0}};
  K.project(x);
  EXPECT_TRUE(x.isApprox(Vector{{3.0, 4.0, 1.0, 7.0}}));
  EXPECT_THROW(K.set_radius(0, -1.0), Error);
  EXPECT_THROW(K.set_bounds(3, 2.0, 1.0), Error);
}

}  // namespace slipstick::internal::sets_test
