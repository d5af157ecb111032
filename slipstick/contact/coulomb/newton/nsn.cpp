// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/newton/nsn.hpp"

#include <algorithm>
#include <cmath>

#include "slipstick/matrix.hpp"
#include "slipstick/problems/cone_lanes.hpp"

namespace slipstick::internal {
namespace {

constexpr double schedule[] = {1e-5, 1e-3, 1e-8, 1e-2, 1e-4};  // values of alpha
constexpr double least_alpha = 1e-10;
constexpr int first_restart_sweeps = 20;  // doubled every time
constexpr double least_share = 1e-12;     // k of a sliding contact

// The unknowns of a closed contact under the law of boxes: r_N and the tangents that stick. A tangent whose x
// is beyond the radius has mu r_N on the side of x.
template <int d>
void choose_boxed_unknowns(const double* x, double mu, double radius, double shift, ContactUnknowns& own) {
  int places[d] = {};
  own.size = 1;
  for (int a = 1; a < d; ++a) places[a] = std::abs(x[a]) <= radius ? own.size++ : -1;
  own.plain = own.size == d;
  std::fill_n(own.added, own.size, shift);
  if (own.plain) return;
  std::fill_n(own.left, d * own.size, 0.0);
  std::fill_n(own.right, d * own.size, 0.0);
  own.left[0] = own.right[0] = 1.0;
  for (int a = 1; a < d; ++a) {
    if (places[a] > 0) {
      own.left[own.size * a + places[a]] = own.right[own.size * a + places[a]] = 1.0;
    } else {
      own.right[own.size * a] = std::copysign(mu, x[a]);
    }
  }
}

}  // namespace

void Nsn::run(const Context& context) {
  if (context.blocks.dimension() == 3) {
    iterate<3>(context);
  } else {
    iterate<2>(context);
  }
}

template <int d>
void Nsn::iterate(const Context& context) {
  prepare<d>(context);
  int factorizations = 0;
  if (context.monitor.finished(least_error_, context.r)) return;
  for (std::size_t cycle = 0;;) {
    double alpha = schedule[cycle % std::size(schedule)];
    const double merit_before = best_.merit;
    copy(context, best_, now_);
    for (int since_best = 0; since_best < settings_.stall_limit;) {
      if (factorizations++ == settings_.max_factorizations) {
        context.monitor.stop(Status::iteration_limit);
        return;
      }
      copy_island(context, now_.r, centre_);
      if (!find_step<d>(context, alpha)) break;
      ++since_best;
      take_step<d>(context);
      if (context.monitor.finished(least_error_, context.r)) return;
      if (now_.merit < best_.merit) {
        if (now_.merit < 0.3 * best_.merit) since_best = 0;
        if (now_.merit < 0.1 * best_.merit) alpha = std::max(0.1 * alpha, least_alpha);
        copy(context, now_, best_);
      }
    }
    if (best_.merit <= 0.5 * merit_before) continue;
    ++cycle;
    if (settings_.escape_sweeps == 0) continue;
    sweep(context, best_, settings_.escape_sweeps);
    judge<d>(context, best_);
    if (context.monitor.finished(least_error_, context.r)) return;
  }
}

template <int d>
void Nsn::prepare(const Context& context) {
  const ContactBlocks& blocks = context.blocks;
  system_.prepare(blocks, context.island, context.threads);
  for (Point* point : {&now_, &best_, &step_, &trial_, &candidate_}) {
    point->r.resize(context.r.size());
    point->u.resize(context.r.size());
  }
  for (Vector* vector : {&right_side_, &centre_, &fixed_, &load_}) vector->resize(context.r.size());
  if (contacts_.size() < static_cast<std::size_t>(blocks.nodes()))
    contacts_.resize(static_cast<std::size_t>(blocks.nodes()));
  for (int i = context.island.begin; i < context.island.joints; ++i) {
    const double* W = blocks.block(blocks.diagonal(i));
    double largest = W[d + 1];
    if constexpr (d == 3)
      largest = 0.5 * (W[4] + W[8]) + std::hypot(0.5 * (W[4] - W[8]), 0.5 * (W[5] + W[7]));
    contacts_[i].normal = W[0] > 0.0 ? W[0] : blocks.scale(i);
    contacts_[i].tangent = largest > 0.0 ? largest : blocks.scale(i);
  }
  copy_island(context, context.r, best_.r);
  set_velocities(context, best_);
  least_error_ = infinity;
  judge<d>(context, best_);
}

// Computes the Newton step from now_ to step_. Returns false if there is none.
template <int d>
bool Nsn::find_step(const Context& context, double alpha) {
  const ContactBlocks& blocks = context.blocks;
  choose_unknowns<d>(context, alpha);
  const bool at_bounds = choose_rows<d>(context, alpha);
  if (at_bounds) blocks.velocities(context.island, fixed_, load_);
  const Vector& load = at_bounds ? load_ : blocks.q();
  if (system_.factorize()) {
    ++context.counts.factorizations;
    for (int i = context.island.begin; i < context.island.end; ++i) {
      const ContactUnknowns& own = system_.unknowns(i);
      double* to = right_side_.data() + system_.offset(i);
      for (int c = 0; c < own.size; ++c) to[c] = 0.0;
      for (int a = 0; a < d; ++a) {
        const double scale = i < context.island.joints ? blocks.scale(i) : blocks.row_scale(i, a);
        const double f = alpha * scale * centre_[d * i + a] - load[d * i + a];
        if (own.plain) to[a] = f;
        if (!own.plain)
          for (int c = 0; c < own.size; ++c) to[c] += own.left[own.size * a + c] * f;
      }
    }
    system_.solve(right_side_.head(system_.rows()), system_.factor().perturbed() > 0 ? 1 : 0);
    if (!right_side_.head(system_.rows()).allFinite()) return false;
  } else if (system_.rows() > 0) {
    return false;
  }
  for (int i = context.island.begin; i < context.island.end; ++i) {
    const ContactUnknowns& own = system_.unknowns(i);
    const double* y = right_side_.data() + system_.offset(i);
    double* r = step_.r.data() + static_cast<Index>(d) * i;
    for (int a = 0; a < d; ++a) {
      r[a] = own.plain ? y[a] : 0.0;
      if (!own.plain)
        for (int c = 0; c < own.size; ++c) r[a] += own.right[own.size * a + c] * y[c];
    }
  }
  if (at_bounds) island_of(context, step_.r) += island_of(context, fixed_);
  return true;
}

// Chooses the rows of joints of now_ that are not at a bound as unknowns. fixed_ <- the impulses of the
// others. Returns true if one of these is not zero.
template <int d>
bool Nsn::choose_rows(const Context& context, double alpha) {
  const ContactBlocks& blocks = context.blocks;
  if (!context.island.has_joints()) return false;
  island_of(context, fixed_).setZero();
  bool at_bounds = false;
  for (int i = context.island.joints; i < context.island.end; ++i) {
    ContactUnknowns& own = system_.unknowns(i);
    own.size = 0;
    int free[d];
    for (int a = 0; a < d; ++a) {
      const Index row = static_cast<Index>(d) * i + a;
      const double scale = blocks.row_scale(i, a), r = now_.r[row];
      const double x = r - (now_.u[row] + alpha * scale * (r - centre_[row])) / scale;
      const double inside = blocks.clamp(i, a, x);
      if (x == inside && blocks.lower(i, a) < blocks.upper(i, a)) {
        own.added[own.size] = alpha * scale;
        free[own.size++] = a;
      } else {
        fixed_[row] = inside;
        at_bounds = at_bounds || inside != 0.0;
      }
    }
    own.plain = own.size == d;
    std::fill_n(own.left, d * own.size, 0.0);
    std::fill_n(own.right, d * own.size, 0.0);
    for (int c = 0; c < own.size; ++c)
      own.left[own.size * free[c] + c] = own.right[own.size * free[c] + c] = 1.0;
  }
  return at_bounds;
}

// Chooses the state of each contact of now_. u includes the proximal term.
template <int d>
void Nsn::choose_unknowns(const Context& context, double alpha) {
  const ContactBlocks& blocks = context.blocks;
  for (int i = context.island.begin; i < context.island.joints; ++i) {
    ContactUnknowns& own = system_.unknowns(i);
    const double* r = now_.r.data() + static_cast<Index>(d) * i;
    const double mu = blocks.mu(i);
    const double shift = alpha * blocks.scale(i);
    const Contact& contact = contacts_[i];
    double x[d], squared = 0.0;
    for (int a = 0; a < d; ++a) {
      const double u = now_.u[d * i + a] + shift * (r[a] - centre_[d * i + a]);
      x[a] = r[a] - u / (a == 0 ? contact.normal : contact.tangent);
      if (a > 0) squared += x[a] * x[a];
    }
    const double length = std::sqrt(squared);
    const double radius =
        mu * (settings_.equations == CoulombEquations::alart_curnier ? x[0] : std::max(0.0, r[0]));
    own.plain = false;
    if (!(x[0] > 0.0)) {  // open
      own.size = 0;
    } else if (mu == 0.0) {
      own.size = 1;
      for (int a = 0; a < d; ++a) own.left[a] = own.right[a] = a == 0 ? 1.0 : 0.0;
      own.added[0] = shift;
    } else if (blocks.has_boxes()) {
      choose_boxed_unknowns<d>(x, mu, radius, shift, own);
    } else if (length <= radius) {  // sticks
      own.size = d;
      own.plain = true;
      std::fill_n(own.added, d, shift);
    } else if constexpr (d == 2) {  // slides
      own.size = 1;
      own.left[0] = own.right[0] = 1.0;
      own.left[1] = 0.0;
      own.right[1] = std::copysign(mu, x[1]);
      own.added[0] = shift;
    } else {
      const double along[2] = {x[1] / length, x[2] / length};
      const double share = std::clamp(radius / length, least_share, 1.0);
      own.size = 2;
      const double left[6] = {1.0, 0.0, 0.0, -along[1], 0.0, along[0]};
      const double right[6] = {1.0, 0.0, mu * along[0], -along[1], mu * along[1], along[0]};
      std::copy_n(left, 6, own.left);
      std::copy_n(right, 6, own.right);
      own.added[0] = shift;
      own.added[1] = shift + contact.tangent * (1.0 - share) / share;
    }
  }
}

// now_ <- the best of the full step, shorter steps, and the projected step after sweeps.
template <int d>
void Nsn::take_step(const Context& context) {
  const bool sweeps = settings_.sweeps > 0;
  set_velocities(context, step_);
  candidate_.merit = infinity;
  for (const double length : {1.0, 0.3, 0.1}) {
    blend(context, length);
    judge<d>(context, trial_);
    if (least_error_ <= context.monitor.tolerance()) return;
    const bool better = trial_.merit < (length == 1.0 ? 0.5 : 0.9) * now_.merit;
    if ((better || !sweeps) && trial_.merit < candidate_.merit) copy(context, trial_, candidate_);
    if (better) break;
  }
  if (sweeps && !(candidate_.merit < 0.3 * best_.merit)) {
    project_step<d>(context);
    sweep(context, trial_, settings_.sweeps);
    judge<d>(context, trial_);
    if (trial_.merit < candidate_.merit) copy(context, trial_, candidate_);
  }
  if (candidate_.merit < infinity) copy(context, candidate_, now_);
}

// trial_ <- now_ + length (step_ - now_)
void Nsn::blend(const Context& context, double length) {
  for (Vector Point::*part : {&Point::r, &Point::u}) {
    island_of(context, trial_.*part) = length * island_of(context, step_.*part);
    if (length < 1.0) island_of(context, trial_.*part) += (1.0 - length) * island_of(context, now_.*part);
  }
}

// trial_ <- step_ with r in the cones, boxes and bounds
template <int d>
void Nsn::project_step(const Context& context) {
  for (int i = context.island.begin; i < context.island.joints; ++i) {
    const Index first = static_cast<Index>(d) * i;
    const double mu = context.blocks.mu(i);
    if (context.blocks.has_boxes()) {
      const double normal = trial_.r[first] = std::max(0.0, step_.r[first]);
      for (int a = 1; a < d; ++a)
        trial_.r[first + a] = std::clamp(step_.r[first + a], -mu * normal, mu * normal);
    } else {
      project_on_cone<d>(mu, step_.r.data() + first, trial_.r.data() + first);
    }
  }
  for (int i = context.island.joints; i < context.island.end; ++i)
    for (int a = 0; a < d; ++a) trial_.r[d * i + a] = context.blocks.clamp(i, a, step_.r[d * i + a]);
}

// Makes Gauss-Seidel sweeps and computes the velocities after them.
void Nsn::sweep(const Context& context, Point& point, int count) {
  sweeper_.sweep({context.blocks, context.island, context.target, context.monitor, context.counts, point.r},
                 count);
  set_velocities(context, point);
}

void Nsn::set_velocities(const Context& context, Point& point) {
  context.blocks.velocities(context.island, point.r, point.u);
  ++context.counts.products;
}

// Computes the merit and the error of a point. If it is the best so far, it becomes the answer.
template <int d>
void Nsn::judge(const Context& context, Point& point) {
  point.merit = merit<d>(context, point, 0.0);
  if (!(point.merit < infinity)) {
    point.merit = point.error = infinity;
    return;
  }
  point.error = relative_error(context, point.r, point.u);
  if (!(point.error < least_error_)) return;
  least_error_ = point.error;
  copy_island(context, point.r, context.r);
}

// The residual of the equations in the energy norm of the diagonal. With alpha > 0, of the equations of the
// proximal problem.
template <int d>
double Nsn::merit(const Context& context, const Point& point, double alpha) const {
  double sum = 0.0;
  for (int i = context.island.begin; i < context.island.joints; ++i) {
    const double* r = point.r.data() + static_cast<Index>(d) * i;
    const Contact& contact = contacts_[i];
    double u[d];
    for (int a = 0; a < d; ++a) {
      u[a] = point.u[d * i + a];
      if (alpha > 0.0) u[a] += alpha * context.blocks.scale(i) * (r[a] - centre_[d * i + a]);
    }
    const double normal = std::max(0.0, r[0] - u[0] / contact.normal);
    double x[d], squared = 0.0;
    for (int a = 1; a < d; ++a) {
      x[a] = r[a] - u[a] / contact.tangent;
      squared += x[a] * x[a];
    }
    const double length = std::sqrt(squared);
    const double radius =
        context.blocks.mu(i) *
        (settings_.equations == CoulombEquations::alart_curnier ? normal : std::max(0.0, r[0]));
    const double share = length > radius ? radius / length : 1.0;
    sum += contact.normal * (r[0] - normal) * (r[0] - normal);
    for (int a = 1; a < d; ++a) {
      const double inside = context.blocks.has_boxes() ? std::clamp(x[a], -radius, radius) : share * x[a];
      sum += contact.tangent * (r[a] - inside) * (r[a] - inside);
    }
  }
  for (int i = context.island.joints; i < context.island.end; ++i) {
    for (int a = 0; a < d; ++a) {
      const Index row = static_cast<Index>(d) * i + a;
      const double scale = context.blocks.row_scale(i, a);
      double u = point.u[row];
      if (alpha > 0.0) u += alpha * scale * (point.r[row] - centre_[row]);
      const double error =
          row_error(point.r[row], u, scale, context.blocks.lower(i, a), context.blocks.upper(i, a));
      sum += error / scale * error;
    }
  }
  return std::sqrt(sum);
}

Prox::Prox(const ProxSettings& settings, SharedSystem system, SharedSweeps sweeps)
    : Nsn({.equations = settings.equations,
           .max_factorizations = settings.max_factorizations,
           .stall_limit = settings.stall_limit,
           .sweeps = 0,
           .escape_sweeps = settings.sweeps},
          std::move(system), std::move(sweeps)),
      inner_steps_(settings.inner_steps),
      restarts_(settings.restarts) {}

void Prox::run(const Context& context) {
  if (context.blocks.dimension() == 3) {
    iterate<3>(context);
  } else {
    iterate<2>(context);
  }
}

template <int d>
void Prox::iterate(const Context& context) {
  prepare<d>(context);
  if (context.monitor.finished(least_error_, context.r)) return;
  copy(context, best_, now_);
  factorizations_ = 0;
  for (int restart = 1; !follow<d>(context); ++restart) {
    if (context.monitor.status() != Status::not_run) return;
    if (restart > restarts_) {
      context.monitor.stop(Status::stalled);
      return;
    }
    island_of(context, now_.r).setZero();
    sweep(context, now_, first_restart_sweeps << std::min(restart, 10));
    judge<d>(context, now_);
  }
}

// Solves a sequence of proximal problems from now_ on. Returns false if it makes no progress, or if the run
// has ended.
template <int d>
bool Prox::follow(const Context& context) {
  double alpha = schedule[0];
  halved_at_ = factorizations_;
  halved_error_ = now_.error;
  for (std::size_t next = 1;;) {
    const double merit_before = now_.merit;
    if (!solve_proximal<d>(context, alpha)) return false;
    if (now_.merit < 0.3 * merit_before) {
      alpha = std::max(0.1 * alpha, least_alpha);
    } else if (!(now_.merit <= 0.5 * merit_before)) {
      alpha = schedule[next++ % std::size(schedule)];
      if (settings_.escape_sweeps > 0) sweep(context, now_, settings_.escape_sweeps);
      judge<d>(context, now_);
      if (context.monitor.finished(least_error_, context.r)) return false;
    }
  }
}

// now_ <- the answer of the proximal problem around now_. Returns false if the error has not halved for long,
// or if the run has ended.
template <int d>
bool Prox::solve_proximal(const Context& context, double alpha) {
  copy_island(context, now_.r, centre_);
  const double start = now_.merit;
  double least = start;
  for (int k = 0; k == 0 || (k < inner_steps_ && least > 0.1 * start); ++k) {
    if (factorizations_ - halved_at_ == settings_.stall_limit) return false;
    if (factorizations_++ == settings_.max_factorizations) {
      context.monitor.stop(Status::iteration_limit);
      return false;
    }
    if (!find_step<d>(context, alpha)) break;
    set_velocities(context, step_);
    candidate_.merit = infinity;
    for (const double length : {1.0, 0.3, 0.1}) {
      blend(context, length);
      judge<d>(context, trial_);
      trial_.merit = merit<d>(context, trial_, alpha);
      if (trial_.merit < candidate_.merit) copy(context, trial_, candidate_);
      if (candidate_.merit < 0.9 * least) break;
    }
    if (context.monitor.finished(least_error_, context.r)) return false;
    if (!(candidate_.merit < infinity)) break;
    if (candidate_.error < 0.5 * halved_error_) {
      halved_error_ = candidate_.error;
      halved_at_ = factorizations_;
    }
    copy(context, candidate_, now_);
    least = now_.merit;
  }
  judge<d>(context, now_);
  return true;
}

void Nsn::copy(const Context& context, const Point& from, Point& to) {
  copy_island(context, from.r, to.r);
  copy_island(context, from.u, to.u);
  to.merit = from.merit;
  to.error = from.error;
}

}  // namespace slipstick::internal
