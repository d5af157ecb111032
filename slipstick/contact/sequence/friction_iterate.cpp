// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/sequence/friction_iterate.hpp"

#include <algorithm>
#include <cmath>

#include "slipstick/problems/convert.hpp"

namespace slipstick::internal {

void FrictionIterate::prepare(const LocalContactProblem& problem, FrictionLaw law, bool keeps_bodies) {
  problem_ = &problem;
  law_ = law;
  skew_ = problem.W.asymmetry(scratch_) > symmetry_tolerance;
  impulses_.set(skew_ ? symmetrized_.set(problem) : problem, FrictionLaw::convex);
  ruler_.prepare(problem, law);
  tangents_.clear();
  for (const SetBlock& block : blocks()) {
    if (block.kind == SetKind::cone)
      tangents_.push_back({block.start, block.start + 1, block.size - 1, block.parameter});
  }
  A_ = impulses_.problem.A;
  b_ = impulses_.problem.b;
  turned_ = law == FrictionLaw::diamond && problem.dimension == 3 && !tangents_.empty();
  if (turned_ && !(keeps_bodies && turn_jacobian())) turn_axes();
  r_.resize(problem.q.size());
  u_.resize(problem.q.size());
  product_.resize(b_.size());
}

// A <- Q A Q, b <- Q b with the reflection Q that turn() applies.
void FrictionIterate::turn_axes() {
  const double half = std::sqrt(0.5);
  builder_.start(turning_, b_.size(), b_.size());
  auto t = tangents_.begin();
  for (Index i = 0; i < b_.size(); ++i) {
    const Index place = t == tangents_.end() ? -1 : i - t->start;
    if (place < 0) {
      builder_.add(i, 1.0);
    } else {
      builder_.add(t->start, half);
      builder_.add(t->start + 1, place == 0 ? half : -half);
      t += place;
    }
    builder_.end_row();
  }
  const auto turned = matrices_.take();
  builder_.multiply(*assembler_.assemble(A_), turning_, turned_columns_);
  builder_.multiply(turning_, turned_columns_, *turned);
  A_ = std::shared_ptr<const CsrMatrix>(turned);
  turn(b_);
}

// The same for A = J M^-1 J' + C: J <- Q J. Returns false if A is of another form, or if Q C Q is not
// diagonal.
bool FrictionIterate::turn_jacobian() {
  const auto* graph = storage_of<DelassusOperator>(A_);
  if (graph == nullptr) return false;
  const auto dofs = static_cast<std::size_t>(graph->dofs_per_body());
  const std::span<const Constraint> constraints = graph->constraints();
  std::vector<double> jacobian = graph->jacobian_by_constraint();
  for (const Tangents& t : tangents_) {
    const auto k = static_cast<std::size_t>(graph->constraint_of(t.start));
    const auto rows = static_cast<std::size_t>(constraints[k].rows);
    const auto row = static_cast<std::size_t>(t.start - constraints[k].row);
    if (row + 1 >= rows || graph->compliance()[t.start] != graph->compliance()[t.start + 1]) return false;
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
      double* first =
          jacobian.data() + (2 * static_cast<std::size_t>(constraints[k].row) + side * rows + row) * dofs;
      for (std::size_t d = 0; d < dofs; ++d) {
        const double a = first[d], b = first[d + dofs];
        first[d] = std::sqrt(0.5) * (a + b);
        first[d + dofs] = std::sqrt(0.5) * (a - b);
      }
    }
  }
  DelassusOperator turned;
  turned.set(graph->dofs_per_body(), graph->bodies(), graph->inverse_mass_values(), constraints, jacobian,
             graph->compliance());
  A_ = Operator(std::move(turned));
  turn(b_);
  return true;
}

// (a, b) <- (a + b, a - b) / sqrt 2 for the tangents of every contact. Twice is the identity.
void FrictionIterate::turn(Vector& x) const {
  for (const Tangents& t : tangents_) {
    const double a = x[t.start], b = x[t.start + 1];
    x[t.start] = std::sqrt(0.5) * (a + b);
    x[t.start + 1] = std::sqrt(0.5) * (a - b);
  }
}

void FrictionIterate::start(const Vector& r, Vector& x) const {
  impulses_.restrict_impulses(r, x);
  if (turned_) turn(x);
}

void FrictionIterate::expand(const Vector& x, Vector& r) const {
  if (!turned_) return impulses_.expand(x, r);
  turned_x_ = x;
  turn(turned_x_);
  impulses_.expand(turned_x_, r);
}

void FrictionIterate::follow(const Vector& x, double share, Vector& radii) const {
  for (std::size_t t = 0; t < tangents_.size(); ++t) {
    double& radius = radii[static_cast<Index>(t)];
    const double of_normal = tangents_[t].mu * std::max(x[tangents_[t].normal], 0.0);
    const double wanted = turned_ ? std::sqrt(0.5) * of_normal : of_normal;
    radius = share == 1.0 ? wanted : radius + share * (wanted - radius);
  }
}

double FrictionIterate::sliding_speed(const Tangents& tangents) const {
  const int row = impulses_.rows[static_cast<std::size_t>(tangents.start)];
  return u_.segment(row, tangents.size).norm();
}

double FrictionIterate::error(const Vector& x, int threads) {
  expand(x, r_);
  problem_->W.multiply(r_, u_, threads);
  u_ += problem_->q;
  if (skew_) {
    impulses_.restrict_impulses(u_, b_);
    if (turned_) turn(b_);
    A_.multiply(x, product_, threads);
    b_ -= product_;
  }
  Measures measures;
  ruler_.judge(r_, u_, measures);
  return contact_error(measures, law_);
}

}  // namespace slipstick::internal
