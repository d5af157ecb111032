// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/newton/shift_ipm.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "slipstick/contact/coulomb/newton/mode_newton.hpp"

namespace slipstick::internal {
namespace {

// The constants of a start.
struct Start {
  double smoothing = 0.1;  // eps / sqrt(tau)
  double settled = 0.03;   // largest norm of rho - s, relative to sqrt(tau), at which tau falls
  double growth = 2.0;     // of dt after a long step
};

// Much smoothing keeps what is jammed, little smoothing suits flows.
constexpr Start shift_starts[] = {
    {.smoothing = 1.0},
    {.smoothing = 0.01, .settled = 0.01},
    {.smoothing = 0.01, .settled = 0.01, .growth = 1.3},
    {.smoothing = 0.3},
    {.smoothing = 0.1},
    {.smoothing = 3.0, .settled = 0.1},
};
static_assert(std::size(shift_starts) == ShiftIpmSettings::most_starts);

// The starts in turn, and their steps at the end of a turn. A packing that jams is soon solved by the first
// start, or not at all. Steps and the patience at one tau are shares of a budget that grows with the root of
// the number of contacts.
struct Turn {
  int start;
  double steps;
};
constexpr Turn all_turns[] = {{0, 0.25}, {1, 0.5},  {0, 0.55}, {2, 0.5}, {3, 0.5}, {4, 0.75}, {1, 0.8},
                              {2, 0.8},  {5, 0.65}, {0, 1.3},  {1, 1.3}, {2, 1.3}, {3, 1.3},  {4, 1.3},
                              {5, 1.3},  {0, 2.6},  {1, 2.6},  {2, 2.6}, {3, 2.6}, {4, 2.6},  {5, 2.6}};
static_assert(std::size(all_turns) == ShiftIpmSettings::most_turns);
// The start at a similar problem's answer, and the largest share of the budget that it may take.
constexpr Start warm_start = {.smoothing = 0.01, .settled = 0.3};
constexpr double warm_dt = 100.0, warm_steps = 0.3;

constexpr double patience = 0.2;
constexpr double steps_per_root = 2.8;
constexpr int fewest_steps = 70;

constexpr double first_tau = 0.1, least_tau = 1e-15, tau_factor = 0.2;
constexpr double convex_step_share = 0.99, step_share = 0.9;  // of the way to the boundary of the cones
constexpr int most_convex_steps = 30;

// A point has settled only if its residual is at most 10 tau, or at the floor that delta leaves.
constexpr double residual_floor = 1e-6;
constexpr double central = 3.0;          // largest x'z / tau at which tau falls
constexpr double converging_tau = 1e-4;  // a start that settles below it keeps its turn

// Directions of one factor with new targets, as long as each makes the step longer. A solve is cheap.
constexpr int most_recentrings = 3;

constexpr double least_dt = 0.05, largest_dt = 1e6;
// dt grows after steps longer than the first, and falls after steps shorter than the second.
constexpr double long_step = 0.6, short_step = 0.3;
constexpr double grown_gap = 1.3;  // growth of rho - s from step to step, above which dt falls

constexpr double first_polish_tau = 1e-9, next_polish = 1e-3;
constexpr double proximal_schedule[] = {1e-6, 1e-8};
constexpr double largest_polish_error = 1e-3;  // error of the best point at the end of a turn
constexpr double worst_polish = 100.0;         // growth of the error at which the polish ends

}  // namespace

// The phases for cones or pyramids.
template <class Barrier>
class ShiftIpm::Phases {
 public:
  Phases(const ShiftIpmSettings& settings, const SharedSystem& system)
      : settings_(settings), path_(system), modes_(system) {}
  void run(const Context& context);

 private:
  using Path = ShiftPath<Barrier>;
  // Phase 2 of a start, which may be interrupted.
  struct Progress {
    typename Path::Point point;
    double tau, dt, polish_tau;
    double last_gap;       // norm of rho - s at the last step
    int steps, here;       // in all, and at this tau
    bool converges, over;  // it has settled at the last tau; it cannot go on
  };
  bool follow_warm_start(const Context& context, int most_steps);
  void begin(Progress& start, double tau, double dt) const;
  bool descend(const Context& context);
  void relax(const Context& context, const Start& start, Progress& now, int most_steps);
  void lower_tau(const Context& context, const Start& start, Progress& now);
  bool has_settled(const Start& start, double tau) const;
  double find_direction(double tau);
  void adapt_dt(const Start& start, double step, double gap, Progress& now) const;
  void polish(const Context& context, const Vector& from);
  void polish_best(const Context& context);
  void offer(const Context& context, double error, const Vector& r);
  static bool has_ended(const Context& context) { return context.monitor.status() != Status::not_run; }

  ShiftIpmSettings settings_;
  Path path_;
  ModeNewton modes_;
  typename Path::Direction direction_, trial_;
  std::vector<Progress> progress_;  // by start
  Progress warm_;
  int patience_ = 0;             // steps at one tau
  double least_error_ = 0.0;     // error of context.r
  double polished_error_ = 0.0;  // error of the last point that was polished
  Vector polished_, u_;
};

ShiftIpm::ShiftIpm(const ShiftIpmSettings& settings, SharedSystem system)
    : settings_(settings), shared_(std::move(system)) {}

ShiftIpm::~ShiftIpm() = default;

void ShiftIpm::run(const Context& context) {
  const auto run_phases = [&]<class Barrier>(std::unique_ptr<Phases<Barrier>>& phases) {
    if (!phases) phases = std::make_unique<Phases<Barrier>>(settings_, shared_);
    phases->run(context);
  };
  if (context.blocks.has_boxes()) {
    run_phases(pyramids_);
  } else {
    run_phases(cones_);
  }
}

template <class Barrier>
void ShiftIpm::Phases<Barrier>::run(const Context& context) {
  u_.resize(context.r.size());
  context.blocks.velocities(context.island, context.r, u_);
  least_error_ = polished_error_ = relative_error(context, context.r, u_);
  if (context.monitor.finished(least_error_, context.r)) return;
  path_.prepare(context, Barrier::proximal_share * settings_.proximal);
  const double budget = std::max<double>(fewest_steps, steps_per_root * std::sqrt(context.island.contacts()));
  patience_ = static_cast<int>(patience * budget);
  if (context.warm && follow_warm_start(context, static_cast<int>(warm_steps * budget))) return;
  if (!descend(context)) return;
  progress_.resize(static_cast<std::size_t>(settings_.starts));
  for (Progress& start : progress_) begin(start, first_tau, 1.0);
  for (const Turn& turn : std::span(all_turns).first(static_cast<std::size_t>(settings_.turns))) {
    if (turn.start >= settings_.starts || progress_[turn.start].over) continue;
    relax(context, shift_starts[turn.start], progress_[turn.start], static_cast<int>(turn.steps * budget));
    if (!has_ended(context)) polish_best(context);
    if (has_ended(context)) return;
  }
  context.monitor.stop(Status::iteration_limit);
}

// Phase 2 from the answer of a similar problem: its modes are nearly right, so that the shift may follow at
// once. Returns true if the run has ended.
template <class Barrier>
bool ShiftIpm::Phases<Barrier>::follow_warm_start(const Context& context, int most_steps) {
  const double tau = path_.start_near(context);
  begin(warm_, tau, warm_dt);
  relax(context, warm_start, warm_, most_steps);
  if (!has_ended(context)) polish_best(context);
  return has_ended(context);
}

// Phase 2 begins at the present point.
template <class Barrier>
void ShiftIpm::Phases<Barrier>::begin(Progress& start, double tau, double dt) const {
  start.point = path_.point();
  start.tau = tau;
  start.dt = dt;
  start.polish_tau = first_polish_tau;
  start.last_gap = infinity;
  start.steps = start.here = 0;
  start.converges = start.over = false;
}

// Phase 1. Returns false if the run has ended.
template <class Barrier>
bool ShiftIpm::Phases<Barrier>::descend(const Context& context) {
  double error = path_.start(context);
  for (int k = 0; k < most_convex_steps; ++k) {
    offer(context, error, path_.r());
    if (context.monitor.finished(least_error_, context.r)) return false;
    const double gap = path_.gap();
    if ((gap <= 1.5 * first_tau && path_.residual() <= first_tau) || !path_.factorize(context, 0.0)) break;
    if (!path_.solve(0.0, trial_)) break;
    const double affine = std::min(1.0, path_.max_step(trial_));
    const double tau = std::max(std::pow(1.0 - affine, 3) * gap, first_tau);
    if (!path_.solve(tau, &trial_, 1.0, direction_)) break;
    error = path_.step(context, direction_, std::min(1.0, convex_step_share * path_.max_step(direction_)));
    if (!(error < infinity)) break;
  }
  return true;
}

// Phase 2 of a start, up to that number of steps.
template <class Barrier>
void ShiftIpm::Phases<Barrier>::relax(const Context& context, const Start& start, Progress& now,
                                      int most_steps) {
  double error = path_.restart(context, now.point);
  for (; now.steps < most_steps || now.converges; ++now.steps, ++now.here) {
    offer(context, error, path_.r());
    if (context.monitor.finished(least_error_, context.r)) return;
    lower_tau(context, start, now);
    if (now.over || has_ended(context)) return;
    path_.set_shift(start.smoothing * std::sqrt(now.tau));
    const double gap = path_.shift_gap();
    now.over = !path_.factorize(context, now.dt / (1.0 + now.dt));
    if (now.over) return;
    const double step = find_direction(now.tau);
    error = path_.step(context, direction_, step);
    now.over = !(step > 0.0 && error < infinity);
    if (now.over) return;
    adapt_dt(start, step, gap, now);
  }
  now.point = path_.point();
}

// Lowers tau if the point is central, and has settled or patience is over. Polishes settled points.
template <class Barrier>
void ShiftIpm::Phases<Barrier>::lower_tau(const Context& context, const Start& start, Progress& now) {
  path_.set_shift(start.smoothing * std::sqrt(now.tau));
  const bool settled = has_settled(start, now.tau);
  if (now.here >= patience_) now.converges = false;
  if (path_.gap() >= central * now.tau || !(settled || now.here >= patience_)) return;
  if (settled && now.tau <= now.polish_tau) {
    polish(context, path_.r());
    now.polish_tau = next_polish * now.tau;
  }
  now.over = now.tau <= least_tau;
  now.converges = settled && now.tau < converging_tau;
  now.tau = std::max(tau_factor * now.tau, least_tau);
  now.here = 0;
  now.last_gap = infinity;
}

template <class Barrier>
bool ShiftIpm::Phases<Barrier>::has_settled(const Start& start, double tau) const {
  return path_.shift_gap() < start.settled * std::sqrt(tau) &&
         path_.residual() < std::max(10.0 * tau, residual_floor);
}

// The longest of the direction to tau, the same with its second-order correction and with targets for the
// contacts that end the step, and a centring direction. Returns its step length.
template <class Barrier>
double ShiftIpm::Phases<Barrier>::find_direction(double tau) {
  double longest = 0.0;
  const auto take_trial = [&](bool solved) {
    const double length = solved ? path_.max_step(trial_) : 0.0;
    if (!(length > longest)) return;
    longest = length;
    std::swap(direction_, trial_);
  };
  take_trial(path_.solve(tau, trial_));
  if (longest > 0.0 && longest < 0.95) take_trial(path_.solve(tau, &direction_, 1.0, trial_));
  for (int k = 0; k < most_recentrings && longest > 0.0 && longest < 0.95; ++k) {
    const double before = longest;
    take_trial(path_.recentre(tau, direction_, std::min(1.0, 1.5 * longest + 0.1), trial_));
    if (!(longest > 1.05 * before)) break;
  }
  if (longest < 0.2) take_trial(path_.solve(std::max(tau, Barrier::centring_share * path_.gap()), trial_));
  return longest >= 1.0 ? 1.0 : step_share * longest;
}

template <class Barrier>
void ShiftIpm::Phases<Barrier>::adapt_dt(const Start& start, double step, double gap, Progress& now) const {
  if (step > long_step) now.dt *= start.growth;
  if (step < short_step) now.dt *= 0.5;
  if (gap > grown_gap * now.last_gap) now.dt *= 0.5;
  now.dt = std::clamp(now.dt, least_dt, largest_dt);
  now.last_gap = gap;
}

// Phase 3.
template <class Barrier>
void ShiftIpm::Phases<Barrier>::polish(const Context& context, const Vector& from) {
  polished_ = from;
  for (const double delta : proximal_schedule) {
    const double first = modes_.start(context, path_.scaled(), polished_);
    for (int k = 0; k < settings_.polish_steps; ++k) {
      const double error = modes_.step(context, path_.scaled(), delta);
      offer(context, error, modes_.r());
      if (context.monitor.finished(least_error_, context.r)) return;
      if (!(error <= worst_polish * first)) break;
    }
  }
}

// Phase 3 from the best point, if it is new and near the solution.
template <class Barrier>
void ShiftIpm::Phases<Barrier>::polish_best(const Context& context) {
  const double tolerance = context.target.scaled / context.blocks.weighted_norm();
  if (least_error_ * tolerance > largest_polish_error || least_error_ > 0.5 * polished_error_) return;
  polished_error_ = least_error_;
  polish(context, context.r);
}

// Keeps the best point as the answer.
template <class Barrier>
void ShiftIpm::Phases<Barrier>::offer(const Context& context, double error, const Vector& r) {
  if (!(error < least_error_)) return;
  least_error_ = error;
  copy_island(context, r, context.r);
}

}  // namespace slipstick::internal
