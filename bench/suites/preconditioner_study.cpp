// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// Preconditioners for the conjugate gradient method on contact problems, in the manner of Ho 2022, Figure
// 6.1. The linear systems are those of heaps and columns under heavy plates, and of chains that carry a
// weight. Also: rows that leave the free set, and thousands of random matrices that break IC(0).
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "bench/suites/packing_problem.hpp"
#include "bench/suites/study.hpp"
#include "bench/suites/trial_factors.hpp"
#include "slipstick/base/random.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/delassus_operator.hpp"
#include "slipstick/linsolve/incomplete/incomplete_cholesky.hpp"
#include "slipstick/linsolve/krylov/conjugate_gradient.hpp"
#include "slipstick/linsolve/sparse/ordering.hpp"
#include "slipstick/scenes/random_problems.hpp"

namespace slipstick::internal::bench {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr double column_radius = 3.0;  // of the container, in mean radii

struct System {
  std::string name;
  double compliance = 0.0;
  CsrMatrix a;
  Vector b;
  bool has_friction;       // three rows per contact
  double condition = 0.0;  // of the matrix with a unit diagonal; 0: unknown
};

// A + c times the mean diagonal, in the given order, and a load that the rows share at random.
System system(std::string name, const CsrMatrix& assembled, double compliance, bool has_friction,
              const PreconditionerStudyOptions& options) {
  const std::vector<int> order = order_rows(assembled, options.ordering);
  std::vector<int> place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k)
    place[static_cast<std::size_t>(order[k])] = static_cast<int>(k);
  const double shift = compliance * assembled.diagonal().mean();
  std::vector<Triplet> triplets;
  for (int i = 0; i < assembled.rows(); ++i) {
    for (CsrMatrix::InnerIterator it(assembled, i); it; ++it) {
      triplets.push_back(
          {place[static_cast<std::size_t>(i)], place[static_cast<std::size_t>(it.col())], it.value()});
    }
    triplets.push_back({i, i, shift});
  }
  Random random(options.seed);
  return {std::move(name), compliance, csr_from_triplets(assembled.rows(), assembled.cols(), triplets),
          Vector::NullaryExpr(assembled.rows(), [&] { return random.normal(); }), has_friction};
}

// Links of 1 kg with a ball joint to the next; the last one is heavy. The first one has a joint with the
// ground. Each touches the ground beside it at a point with friction.
CsrMatrix chain(int links, double weight) {
  std::vector<double> inverse_mass, jacobian;
  std::vector<Constraint> constraints;
  const auto add = [&](int first, int second, const Eigen::Vector3d& first_arm,
                       const Eigen::Vector3d& second_arm) {
    constraints.push_back({static_cast<int>(3 * constraints.size()), 3, {first, second}});
    for (const auto& [sign, arm] : {std::pair(1.0, first_arm), std::pair(-1.0, second_arm)}) {
      // The velocity of the point, v + omega x arm, times the sign.
      const double rows[3][6] = {
          {1, 0, 0, 0, arm.z(), -arm.y()}, {0, 1, 0, -arm.z(), 0, arm.x()}, {0, 0, 1, arm.y(), -arm.x(), 0}};
      for (const auto& row : rows) {
        for (const double value : row) jacobian.push_back(sign * value);
      }
    }
  };
  for (int i = 0; i < links; ++i) {
    const double mass = i + 1 == links ? weight : 1.0;
    for (int k = 0; k < 6; ++k) inverse_mass.push_back(1.0 / (k < 3 ? mass : 0.1 * mass));
    // A bend every few links; in no direction of the axes, whose zeros would not be typical.
    const Eigen::Vector3d ahead =
        i % 7 < 4 ? Eigen::Vector3d(0.5, 0.1, 0.05) : Eigen::Vector3d(0.1, 0.5, 0.2);
    add(i, i - 1, -ahead, ahead);
    if (i + 1 < links) add(i, -1, {0.02, 0.03, -0.3}, {0.0, 0.0, 0.0});
  }
  const auto rows = static_cast<Index>(3 * constraints.size());
  return DelassusOperator(6, links, inverse_mass, constraints, jacobian, Vector::Zero(rows)).to_csr();
}

std::vector<System> contact_systems(const PreconditionerStudyOptions& options) {
  std::vector<System> systems;
  const auto add = [&](const std::string& name, const CsrMatrix& a, bool has_friction) {
    for (const double compliance : options.compliances)
      systems.push_back(system(name, a, compliance, has_friction, options));
  };
  const auto add_heaps = [&](std::string_view kind, const std::vector<int>& sizes, double radius,
                             FrictionLaw law) {
    for (const int spheres : sizes) {
      for (const double ratio : options.mass_ratios) {
        const PackingOptions heap{.spheres = spheres,
                                  .container_radius = radius,
                                  .density_ratio = 100.0,
                                  .plate_mass_ratio = ratio,
                                  .seed = options.seed};
        add(fmt::format("{}-{}-{:g}", kind, spheres, ratio), *packing_problem(heap, law).problem.A.assemble(),
            law != FrictionLaw::none);
      }
    }
  };
  add_heaps("heap", options.spheres, 0.0, FrictionLaw::convex);
  add_heaps("normals", options.normals, 0.0, FrictionLaw::none);
  add_heaps("column", options.columns, column_radius, FrictionLaw::none);
  for (const int links : options.links) {
    for (const double ratio : options.mass_ratios) {
      add(fmt::format("chain-{}-{:g}", links, ratio), chain(links, ratio), true);
    }
  }
  return systems;
}

struct Variant {
  std::string name;
  IncompleteCholeskySettings settings;
  int fill = 0;        // levels
  double shift = 0.0;  // of the diagonal that is factored
};

std::vector<Variant> variants(const PreconditionerStudyOptions& options) {
  const auto pattern = [](IncompleteVariant variant, IncompleteScaling scaling, double compensation) {
    return IncompleteCholeskySettings{
        .variant = variant, .scaling = scaling, .compensation = compensation, .smallest_pivot = 0.0};
  };
  const auto dropping = [](double tolerance, Index most) {
    return IncompleteCholeskySettings{.variant = IncompleteVariant::threshold,
                                      .scaling = IncompleteScaling::diagonal,
                                      .smallest_pivot = 0.0,
                                      .drop_tolerance = tolerance,
                                      .most_entries = most};
  };
  using enum IncompleteVariant;
  using enum IncompleteScaling;
  std::vector<Variant> all = {{"ic0-shifted", pattern(shifted, none, 0.0)},
                              {"ic0-shifted-norm", pattern(shifted, column_norm, 0.0)},
                              {"mic0-shifted", pattern(shifted, none, 0.97)},
                              {"ic0-partial-shift", pattern(partial_shift, none, 0.0)},
                              {"ic0-imaginary", pattern(imaginary, none, 0.0)}};
  for (const double floor : options.floors) {
    all.push_back({fmt::format("ic0-imaginary-{:g}", floor), pattern(imaginary, none, 0.0)});
    all.back().settings.imaginary_floor = floor;
  }
  for (const double compensation : options.compensations) {
    all.push_back({fmt::format("mic0-imaginary-{:g}", compensation), pattern(imaginary, none, compensation)});
  }
  all.push_back({.name = "ic0-imaginary+0.01", .settings = pattern(imaginary, none, 0.0), .shift = 0.01});
  all.push_back({.name = "ic1-imaginary", .settings = pattern(imaginary, none, 0.0), .fill = 1});
  all.push_back(
      {.name = "ic2-imaginary+0.01", .settings = pattern(imaginary, none, 0.0), .fill = 2, .shift = 0.01});
  for (const double tolerance : {1e-2, 1e-3, 1e-5}) {
    all.push_back({fmt::format("ict-{:g}", tolerance), dropping(tolerance, 0)});
  }
  all.push_back({"ict-0.001-20", dropping(1e-3, 20)});
  return all;
}

// PCG from zero to the tolerance.
struct Run {
  double seconds = never;
  KrylovOutcome outcome;
};

template <class ApplyInverse>
Run solve(const CsrMatrix& a, const Vector& b, const PreconditionerStudyOptions& options,
          const ApplyInverse& apply_inverse) {
  Run run;
  ConjugateGradient cg;
  Vector x(b.size());
  for (int repetition = 0; repetition < options.repetitions; ++repetition) {
    x.setZero();
    const double start = processor_seconds();
    run.outcome =
        cg.solve([&](const Vector& v, Vector& y) { multiply(a, v, y); }, b, x,
                 {.tolerance = options.tolerance, .max_iterations = options.max_iterations}, apply_inverse);
    run.seconds = std::min(run.seconds, processor_seconds() - start);
    if (run.outcome.status != KrylovStatus::converged) break;
  }
  return run;
}

template <class Factor>
Run solve_with(const Factor& factor, const CsrMatrix& a, const Vector& b,
               const PreconditionerStudyOptions& options) {
  return solve(a, b, options, [&](const Vector& r, Vector& z) {
    z = r;
    factor.solve(z);
  });
}

Run solve_jacobi(const CsrMatrix& a, const Vector& b, const PreconditionerStudyOptions& options) {
  const Vector d = a.diagonal();
  return solve(a, b, options, [&](const Vector& r, Vector& z) { z = r.cwiseQuotient(d); });
}

// What is printed about a factor.
struct Facts {
  Index entries = 0, breakdowns = 0;
  double shift = 0.0;
};
Facts facts(const IncompleteCholesky& factor) {
  return {factor.entries(), factor.breakdowns(), factor.shift()};
}

void print(std::FILE* csv, const System& s, double removed, std::string_view variant, const Facts& facts,
           double factor_seconds, const Run& run, const Run& jacobi) {
  fmt::print(csv, "{},{:g},{},{},{:g},{},{},{},{:.3g},{:.6f},{},{},{:.6f},{:.6f},{:.2f},{:.3g}\n", s.name,
             s.compliance, s.a.rows(), (s.a.nonZeros() - s.a.rows()) / 2, removed, variant, facts.entries,
             facts.breakdowns, facts.shift, factor_seconds, run.outcome.iterations,
             run.outcome.status == KrylovStatus::converged ? "yes" : "no", run.seconds,
             factor_seconds + run.seconds,
             static_cast<double>(jacobi.outcome.iterations) /
                 static_cast<double>(std::max<Index>(1, run.outcome.iterations)),
             s.condition);
  std::fflush(csv);
}

template <class Body>
double best_seconds(int repetitions, const Body& body) {
  double best = never;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    const double start = processor_seconds();
    body();
    best = std::min(best, processor_seconds() - start);
  }
  return best;
}

// The matrix is given its fill and its shift before the clock starts.
void compare_variants(const System& s, const PreconditionerStudyOptions& options, std::FILE* csv) {
  const Run jacobi = solve_jacobi(s.a, s.b, options);
  print(csv, s, 0.0, "jacobi", {}, 0.0, jacobi, jacobi);
  for (const Variant& variant : variants(options)) {
    const CsrMatrix filled = variant.fill > 0 ? with_fill(s.a, variant.fill) : s.a;
    const CsrMatrix factored = variant.shift > 0.0 ? with_shift(filled, variant.shift) : filled;
    IncompleteCholesky factor;
    const double seconds =
        best_seconds(options.repetitions, [&] { factor.factor(factored, {}, variant.settings); });
    Facts about = facts(factor);
    about.shift += variant.shift;
    print(csv, s, 0.0, variant.name, about, seconds, solve_with(factor, s.a, s.b, options), jacobi);
  }
  if (!s.has_friction || options.ordering != Ordering::natural) return;
  for (const double floor : {1e-8, 0.1}) {
    BlockImaginaryFactor factor;
    const double seconds = best_seconds(options.repetitions, [&] { factor.factor(s.a, floor); });
    print(csv, s, 0.0, fmt::format("block-imaginary-{:g}", floor), {factor.entries(), factor.breakdowns()},
          seconds, solve_with(factor, s.a, s.b, options), jacobi);
  }
}

// The factor of all rows serves the rest after some have left: masked, downdated, or made anew.
void compare_reuse(const System& s, double share, const PreconditionerStudyOptions& options, std::FILE* csv) {
  Random random(options.seed + 1);
  std::vector<int> rows, gone, place(static_cast<std::size_t>(s.a.rows()), -1);
  for (int i = 0; i < s.a.rows(); ++i) {
    if (random.uniform() < share) {
      gone.push_back(i);
    } else {
      place[static_cast<std::size_t>(i)] = static_cast<int>(rows.size());
      rows.push_back(i);
    }
  }
  const System rest = {s.name, s.compliance, principal_submatrix(s.a, rows), s.b(rows), s.has_friction};
  const Run jacobi = solve_jacobi(rest.a, rest.b, options);
  print(csv, rest, share, "jacobi", {}, 0.0, jacobi, jacobi);
  for (const Variant& variant : variants(options)) {
    if (variant.name != "ic0-imaginary" && variant.name != "ic0-shifted") continue;
    IncompleteCholesky whole, updated, part;
    whole.factor(s.a, {}, variant.settings);
    double seconds = best_seconds(options.repetitions, [&] { part.take_rows(whole, rows, place); });
    print(csv, rest, share, variant.name + "-masked", facts(part), seconds,
          solve_with(part, rest.a, rest.b, options), jacobi);
    seconds = never;
    for (int repetition = 0; repetition < options.repetitions; ++repetition) {
      updated = whole;
      seconds = std::min(seconds, best_seconds(1, [&] {
                           for (const int row : gone) updated.downdate(row);
                           part.take_rows(updated, rows, place);
                         }));
    }
    print(csv, rest, share, variant.name + "-downdated", facts(part), seconds,
          solve_with(part, rest.a, rest.b, options), jacobi);
    seconds = best_seconds(options.repetitions, [&] { part.factor(rest.a, {}, variant.settings); });
    print(csv, rest, share, variant.name + "-anew", facts(part), seconds,
          solve_with(part, rest.a, rest.b, options), jacobi);
  }
}

// Random matrices that break IC(0): how often, and what the imaginary variant makes of them.
void count_breakdowns(const PreconditionerStudyOptions& options, std::FILE* csv) {
  const std::vector<Variant> all = variants(options);
  const auto settings_of = [&](std::string_view name) {
    return std::find_if(all.begin(), all.end(), [&](const Variant& v) { return v.name == name; })->settings;
  };
  PreconditionerStudyOptions once = options;
  once.repetitions = 1;
  std::int64_t tried = 0, broken = 0, zero_pivots = 0, imaginary_columns = 0, unconverged = 0;
  std::int64_t jacobi = 0, shifted = 0, imaginary = 0;
  IncompleteCholesky factor;
  for (; broken < options.random_problems && tried < 100 * options.random_problems; ++tried) {
    const Problem problem = random_box({.rows = 100,
                                        .condition = 1e4,
                                        .rotations_per_row = 6,
                                        .seed = options.seed + static_cast<std::uint64_t>(tried)})
                                .problem;
    const CsrMatrix a = *problem.A.assemble();
    factor.factor(a, {}, settings_of("ic0-shifted"));
    if (factor.breakdowns() == 0) continue;
    ++broken;
    shifted += solve_with(factor, a, problem.b, once).outcome.iterations;
    jacobi += solve_jacobi(a, problem.b, once).outcome.iterations;
    factor.factor(a, {}, settings_of("ic0-imaginary"));
    zero_pivots += factor.floored();
    imaginary_columns += factor.breakdowns();
    const KrylovOutcome outcome = solve_with(factor, a, problem.b, once).outcome;
    imaginary += outcome.iterations;
    if (outcome.status != KrylovStatus::converged) ++unconverged;
  }
  fmt::print(
      csv,
      "# random: {} of {} matrices of 100 rows break IC(0); imaginary: {} zero pivots, {} imaginary columns, "
      "{} without convergence; iterations in all: jacobi {}, ic0-shifted {}, ic0-imaginary {}\n",
      broken, tried, zero_pivots, imaginary_columns, unconverged, jacobi, shifted, imaginary);
}

}  // namespace

void run_preconditioner_study(const PreconditionerStudyOptions& options, std::FILE* csv) {
  fmt::print(csv, "# best of {}, seconds of the processor; to {:g}, at most {} iterations; order {}\n",
             options.repetitions, options.tolerance, options.max_iterations, name(options.ordering));
  if (options.random_problems > 0) count_breakdowns(options, csv);
  fmt::print(csv, "{}\n", report::preconditioner_header);
  for (System& s : contact_systems(options)) {
    s.condition = scaled_condition(s.a);
    compare_variants(s, options, csv);
    for (const double share : options.removed) compare_reuse(s, share, options, csv);
  }
}

}  // namespace slipstick::internal::bench
