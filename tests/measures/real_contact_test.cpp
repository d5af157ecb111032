// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <Eigen/SparseLU>
#include <cstdlib>

#include "slipstick/base/random.hpp"
#include "slipstick/files.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/operator.hpp"
#include "slipstick/measures/contact_measures.hpp"
#include "slipstick/measures/measures.hpp"

namespace slipstick::internal::real_contact_test {

constexpr FrictionLaw laws[] = {FrictionLaw::none, FrictionLaw::convex, FrictionLaw::coulomb};

template <class Kind, class Visit>
void for_each_real_problem(const std::vector<std::string>& folders, const Visit& visit) {
  const char* data = std::getenv("SLIPSTICK_DATA");
  if (data == nullptr) GTEST_SKIP() << "SLIPSTICK_DATA is not set";
  int found = 0;
  for (const std::string& folder : folders) {
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(data) / folder)) {
      const ProblemFile file = read_problem(entry.path());
      ASSERT_TRUE(std::holds_alternative<Kind>(file.problem)) << entry.path();
      SCOPED_TRACE(entry.path().filename().string());
      visit(std::get<Kind>(file.problem));
      ++found;
    }
  }
  EXPECT_GT(found, 5);
}

Vector random_vector(Index rows, std::uint64_t seed) {
  Random random(seed);
  return Vector::NullaryExpr(rows, [&] { return random.normal(); });
}

// The published error by its definition, contact by contact.
double published_error(const LocalContactProblem& problem, FrictionLaw law, const Vector& r,
                       const Vector& u) {
  double squared = 0.0;
  for (Index i = 0; i < problem.contacts(); ++i) {
    const Index d = problem.dimension;
    const double mu = law == FrictionLaw::none ? 0.0 : problem.mu[i];
    Vector velocity = u.segment(d * i, d);
    if (law == FrictionLaw::coulomb) velocity[0] += mu * velocity.tail(d - 1).norm();
    Vector step = r.segment(d * i, d) - velocity;
    ProductSet::cones(Vector::Constant(1, mu), problem.dimension).project(step);
    squared += (r.segment(d * i, d) - step).squaredNorm();
  }
  return std::sqrt(squared) / std::max({problem.q.norm(), r.norm(), u.norm()});
}

TEST(RealContact, LocalFilesByTheDefinition) {
  for_each_real_problem<LocalContactProblem>({"fc2d", "fc3d"}, [](const LocalContactProblem& problem) {
    for (const double size : {0.0, 1.0}) {
      Solution solution;
      solution.r = size * random_vector(problem.q.size(), 1);
      for (const FrictionLaw law : laws) {
        Measures m;
        measure(problem, law, solution, m);
        EXPECT_TRUE(std::isfinite(m.scaled_natural_map));
        if (problem.joint_rows() > 0) continue;
        const double expected = published_error(problem, law, solution.r, solution.u);
        EXPECT_NEAR(m.desaxce, expected, 1e-12 * expected) << name(law);
      }
    }
  });
}

TEST(RealContact, GlobalFilesAgreeWithTheirLocalForm) {
  for_each_real_problem<GlobalContactProblem>({"gfc2d", "gfc3d"}, [](const GlobalContactProblem& p) {
    const Eigen::SparseMatrix<double> M = p.M;
    const Eigen::SparseLU<Eigen::SparseMatrix<double>> lu(M);
    const DenseMatrix H(p.H);
    LocalContactProblem local = {p.dimension,
                                 DenseMatrix(H.transpose() * lu.solve(H)),
                                 H.transpose() * lu.solve(p.f) + p.w,
                                 p.mu,
                                 p.lower,
                                 p.upper};
    Solution global_solution, local_solution;
    global_solution.r = local_solution.r = random_vector(p.w.size(), 3);
    for (const FrictionLaw law : laws) {
      Measures of_global, of_local;
      global_solution.v.resize(0);
      measure(p, law, global_solution, of_global);
      measure(local, law, local_solution, of_local);
      EXPECT_NEAR(of_global.scaled_natural_map, of_local.scaled_natural_map,
                  1e-8 * of_local.scaled_natural_map + 1e-15)
          << name(law);
      EXPECT_TRUE(std::isfinite(of_global.desaxce));
    }
  });
}

}  // namespace slipstick::internal::real_contact_test
