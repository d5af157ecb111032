// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// Ipopt, with MUMPS for its linear systems. It is told that the Hessian and the Jacobian are constant. With
// `mehrotra_algorithm` it takes the steps of a solver of QPs.
#include <IpIpoptApplication.hpp>
#include <IpTNLP.hpp>
#include <cmath>

#include "bench/peers/contest.hpp"
#include "slipstick/base/error.hpp"
#include "slipstick/linalg/operator.hpp"

namespace slipstick::internal::bench {
namespace {

using Ipopt::Number;
using IpoptIndex = Ipopt::Index;

constexpr double ipopt_infinity = 1e20;  // its nlp_upper_bound_inf is 1e19
constexpr int most_iterations = 100000;

double ipopt_bound(double value) {
  return std::clamp(value, -ipopt_infinity, ipopt_infinity);
}

// minimize 1/2 x'A x + b'x with bounds and rows. Its multipliers have the other sign.
class IpoptQp : public Ipopt::TNLP {
 public:
  explicit IpoptQp(const Problem& problem)
      : problem_(&problem), a_(problem.A.assemble()), rows_(problem.rows->G), gradient_(problem.b.size()) {
    for (Index i = 0; i < a_->rows(); ++i) {
      for (CsrMatrix::InnerIterator entry(*a_, i); entry && entry.col() <= i; ++entry) ++lower_entries_;
    }
  }

  const Vector& x() const { return x_; }
  const Vector& multipliers() const { return multipliers_; }

  bool get_nlp_info(IpoptIndex& n, IpoptIndex& m, IpoptIndex& jacobian, IpoptIndex& hessian,
                    IndexStyleEnum& style) override {
    n = static_cast<IpoptIndex>(problem_->b.size());
    m = static_cast<IpoptIndex>(rows_->rows());
    jacobian = static_cast<IpoptIndex>(rows_->nonZeros());
    hessian = lower_entries_;
    style = C_STYLE;
    return true;
  }

  bool get_bounds_info(IpoptIndex n, Number* lower, Number* upper, IpoptIndex m, Number* row_lower,
                       Number* row_upper) override {
    for (IpoptIndex j = 0; j < n; ++j) {
      lower[j] = ipopt_bound(problem_->K.lower()[j]);
      upper[j] = ipopt_bound(problem_->K.upper()[j]);
    }
    for (IpoptIndex i = 0; i < m; ++i) {
      row_lower[i] = ipopt_bound(problem_->rows->lower[i]);
      row_upper[i] = ipopt_bound(problem_->rows->upper[i]);
    }
    return true;
  }

  bool get_starting_point(IpoptIndex n, bool, Number* x, bool, Number*, Number*, IpoptIndex, bool,
                          Number*) override {
    Eigen::Map<Vector>(x, n).setZero();
    return true;
  }

  bool eval_f(IpoptIndex n, const Number* values, bool, Number& objective) override {
    const Eigen::Map<const Vector> x(values, n);
    gradient_.noalias() = *a_ * x;
    objective = 0.5 * x.dot(gradient_) + problem_->b.dot(x);
    return true;
  }

  bool eval_grad_f(IpoptIndex n, const Number* values, bool, Number* gradient) override {
    Eigen::Map<Vector>(gradient, n).noalias() = *a_ * Eigen::Map<const Vector>(values, n);
    Eigen::Map<Vector>(gradient, n) += problem_->b;
    return true;
  }

  bool eval_g(IpoptIndex n, const Number* values, bool, IpoptIndex m, Number* activity) override {
    Eigen::Map<Vector>(activity, m).noalias() = *rows_ * Eigen::Map<const Vector>(values, n);
    return true;
  }

  bool eval_jac_g(IpoptIndex, const Number*, bool, IpoptIndex, IpoptIndex, IpoptIndex* row,
                  IpoptIndex* column, Number* values) override {
    Index k = 0;
    for (Index i = 0; i < rows_->rows(); ++i) {
      for (CsrMatrix::InnerIterator entry(*rows_, i); entry; ++entry, ++k) {
        if (values != nullptr) {
          values[k] = entry.value();
        } else {
          row[k] = static_cast<IpoptIndex>(i);
          column[k] = static_cast<IpoptIndex>(entry.col());
        }
      }
    }
    return true;
  }

  bool eval_h(IpoptIndex, const Number*, bool, Number factor, IpoptIndex, const Number*, bool, IpoptIndex,
              IpoptIndex* row, IpoptIndex* column, Number* values) override {
    Index k = 0;
    for (Index i = 0; i < a_->rows(); ++i) {
      for (CsrMatrix::InnerIterator entry(*a_, i); entry && entry.col() <= i; ++entry, ++k) {
        if (values != nullptr) {
          values[k] = factor * entry.value();
        } else {
          row[k] = static_cast<IpoptIndex>(i);
          column[k] = static_cast<IpoptIndex>(entry.col());
        }
      }
    }
    return true;
  }

  void finalize_solution(Ipopt::SolverReturn, IpoptIndex n, const Number* x, const Number*, const Number*,
                         IpoptIndex m, const Number*, const Number* multipliers, Number,
                         const Ipopt::IpoptData*, Ipopt::IpoptCalculatedQuantities*) override {
    x_ = Eigen::Map<const Vector>(x, n);
    multipliers_ = -Eigen::Map<const Vector>(multipliers, m);
  }

 private:
  const Problem* problem_;
  std::shared_ptr<const CsrMatrix> a_;
  std::shared_ptr<const CsrMatrix> rows_;
  IpoptIndex lower_entries_ = 0;
  Vector gradient_;  // scratch
  Vector x_;
  Vector multipliers_;
};

class IpoptAttempt : public Attempt {
 public:
  IpoptAttempt(const Problem& problem, bool mehrotra) : qp_(new IpoptQp(problem)), mehrotra_(mehrotra) {}

  void solve(double tolerance) override {
    Ipopt::SmartPtr<Ipopt::IpoptApplication> application = new Ipopt::IpoptApplication(false);
    const auto options = application->Options();
    for (const char* constant : {"hessian_constant", "jac_c_constant", "jac_d_constant"})
      options->SetStringValue(constant, "yes");
    if (mehrotra_) options->SetStringValue("mehrotra_algorithm", "yes");
    options->SetIntegerValue("print_level", 0);
    options->SetStringValue("sb", "yes");
    options->SetIntegerValue("max_iter", most_iterations);
    if (tolerance > 0.0) options->SetNumericValue("tol", tolerance);
    if (application->Initialize() != Ipopt::Solve_Succeeded) fail("Ipopt refuses its options");
    status_ = application->OptimizeTNLP(Ipopt::SmartPtr<Ipopt::TNLP>(Ipopt::GetRawPtr(qp_)));
  }
  const Vector& answer() const override { return qp_->x(); }
  const Vector& multipliers() const override { return qp_->multipliers(); }
  bool calls_solved() const override { return status_ == Ipopt::Solve_Succeeded; }

 private:
  Ipopt::SmartPtr<IpoptQp> qp_;
  bool mehrotra_;
  Ipopt::ApplicationReturnStatus status_ = Ipopt::Internal_Error;
};

Contestant ipopt(const char* name, bool mehrotra) {
  return {name, false, false, [](const ContestProblem& problem) { return problem.is_smooth_qp(); },
          [mehrotra](const ContestProblem& problem) -> std::unique_ptr<Attempt> {
            return std::make_unique<IpoptAttempt>(std::get<Problem>(problem.problem), mehrotra);
          }};
}

}  // namespace

void add_ipopt(std::vector<Contestant>& contestants) {
  contestants.push_back(ipopt("ipopt", false));
  contestants.push_back(ipopt("ipopt:mehrotra", true));
}

}  // namespace slipstick::internal::bench
