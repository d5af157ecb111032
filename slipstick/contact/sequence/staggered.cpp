// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/sequence/staggered.hpp"

#include <algorithm>
#include <cassert>

#include "slipstick/contact/sequence/inner_solve.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/operator.hpp"

namespace slipstick::internal {

Staggered::Staggered(FrictionLaw law, std::unique_ptr<Solver> contact, std::unique_ptr<Solver> friction,
                     const StaggeredSettings& settings, bool keeps_bodies)
    : law_(law), settings_(settings), keeps_bodies_(keeps_bodies) {
  assert(law == FrictionLaw::coulomb || law == FrictionLaw::diamond);
  contact_.solver = std::move(contact);
  friction_.solver = std::move(friction);
}

void Staggered::run(const Run& run) {
  constexpr int default_max_iterations = 20000;
  Monitor monitor(run.settings, default_max_iterations, run.observer);
  Progress progress;
  prepare(run);
  for (;;) {
    const double error = iterate_.error(x_, run.settings.threads);
    best_.offer(error, x_);
    couple(friction_, run);
    if (monitor.iterations() > 0 && kinetic_error() < settings_.kinetic_tolerance)
      monitor.stop(Status::stalled);
    if (progress.stalled(best_.error())) monitor.stop(Status::stalled);
    if (monitor.finished(error, x_)) break;

    previous_ = alone_;
    previous_coupled_ = coupled_;
    const double target = iterate_.norm() * std::max(0.1 * run.settings.tolerance, 0.01 * error);
    if (!solve_part(contact_, target, run, monitor)) continue;
    couple(contact_, run);
    contact_energy_ = alone_.dot(coupled_);
    iterate_.follow(x_, progress.relaxation(), radii_);
    set_radii();
    if (!solve_part(friction_, target, run, monitor)) continue;
  }
  iterate_.expand(best_.x(), run.result.r);
  run.result.counts.iterations = monitor.iterations();
  run.result.status = monitor.status();
}

void Staggered::prepare(const Run& run) {
  iterate_.prepare(run.problem, law_, keeps_bodies_);
  const Index n = iterate_.b().size();
  for (Vector* vector : {&alone_, &coupled_, &previous_, &previous_coupled_}) vector->setZero(n);
  x_.setZero(n);
  if (run.warm_start != nullptr) iterate_.start(run.warm_start->x, x_);
  radii_.setZero(static_cast<Index>(iterate_.tangents().size()));
  iterate_.follow(x_, 1.0, radii_);
  best_.reset(n);
  state_parts();
}

// Sets the rows of x and the sets of both problems. The radii come later.
void Staggered::state_parts() {
  for (Part* part : {&contact_, &friction_}) {
    part->rows.clear();
    part->problem.K.clear();
  }
  const auto add_rows = [](Part& part, Index start, Index size) {
    for (Index i = start; i < start + size; ++i) part.rows.push_back(static_cast<int>(i));
  };
  for (const SetBlock& block : iterate_.blocks()) {
    const bool cone = block.kind == SetKind::cone;
    if (cone || block.role == Role::normal) {
      add_rows(contact_, block.start, cone ? 1 : block.size);
      contact_.problem.K.append_nonnegative(cone ? 1 : block.size, Role::normal);
    }
    if (cone) {
      const Index tangents = block.size - 1;
      add_rows(friction_, block.start + 1, tangents);
      if (law_ == FrictionLaw::coulomb && tangents == 2) {
        friction_.problem.K.append_disk(0.0, 2);
      } else {
        for (Index k = 0; k < tangents; ++k) friction_.problem.K.append_interval(0.0, 0.0, Role::friction);
      }
    } else if (block.role == Role::bilateral) {
      for (Part* part : {&contact_, &friction_}) {
        add_rows(*part, block.start, block.size);
        part->problem.K.append_rows(iterate_.cones(), block);
      }
    }
  }
  contact_.problem.A = iterate_.A().principal_submatrix(contact_.rows);
  friction_.problem.A = iterate_.A().principal_submatrix(friction_.rows);
  for (Part* part : {&contact_, &friction_}) {
    const auto size = static_cast<Index>(part->rows.size());
    part->problem.b.resize(size);
    part->start.x.resize(size);
    add_proximal_term(*part);
  }
}

void Staggered::add_proximal_term(Part& part) const {
  part.shift = 0.0;
  if (settings_.proximal == 0.0 || part.rows.empty()) return;
  if (const auto* graph = storage_of<DelassusOperator>(part.problem.A); keeps_bodies_ && graph != nullptr) {
    Vector compliance(graph->rows());
    graph->diagonal(compliance);
    part.shift = settings_.proximal * compliance.mean();
    compliance = graph->compliance().array() + part.shift;
    part.problem.A = Operator(graph->with_compliance(compliance));
    return;
  }
  CsrMatrix a = *part.problem.A.assemble();
  part.shift = settings_.proximal * a.diagonal().mean();
  CsrMatrix shift(a.rows(), a.cols());
  shift.setIdentity();
  a += part.shift * shift;
  a.makeCompressed();
  part.problem.A = Operator(std::move(a));
}

// alone_ <- x in the contact rows of one part. coupled_ <- A alone_.
void Staggered::couple(const Part& part, const Run& run) {
  alone_.setZero();
  for (const int row : part.rows) alone_[row] = x_[row];
  alone_.tail(run.problem.joint_rows()).setZero();
  iterate_.A().multiply(alone_, coupled_, run.settings.threads);
  ++run.result.counts.products;
}

// Solves for the rows of x of one part. coupled_ holds the contribution of the other part.
bool Staggered::solve_part(Part& part, double target, const Run& run, Monitor& monitor) {
  for (std::size_t k = 0; k < part.rows.size(); ++k) {
    const int row = part.rows[k];
    part.problem.b[static_cast<Index>(k)] = iterate_.b()[row] + coupled_[row];
    part.start.x[static_cast<Index>(k)] = x_[row];
  }
  part.problem.b -= part.shift * part.start.x;
  if (!solve_inner(*part.solver, part.problem, target, run.settings, part.start, part.result, run.result,
                   monitor))
    return false;
  for (std::size_t k = 0; k < part.rows.size(); ++k) x_[part.rows[k]] = part.result.x[static_cast<Index>(k)];
  return true;
}

void Staggered::set_radii() {
  ProductSet& K = friction_.problem.K;
  Index row = 0;
  for (std::size_t t = 0; t < iterate_.tangents().size(); ++t) {
    const Index size = iterate_.tangents()[t].size;
    const double radius = radii_[static_cast<Index>(t)];
    if (law_ == FrictionLaw::coulomb && size == 2) {
      K.set_radius(t, radius);
    } else {
      for (Index k = 0; k < size; ++k) K.set_bounds(row + k, -radius, radius);
    }
    row += size;
  }
}

// Eq. 4.19: the kinetic energy of the change of the friction impulse, relative to that of the friction
// impulse. If there is no friction yet, it is relative to that of the contact impulse.
double Staggered::kinetic_error() const {
  const double change = (alone_ - previous_).dot(coupled_ - previous_coupled_);
  const double friction_energy = previous_.dot(previous_coupled_);
  const double energy = friction_energy > 0.0 ? friction_energy : contact_energy_;
  return change == 0.0 ? 0.0 : change / energy;
}

}  // namespace slipstick::internal
