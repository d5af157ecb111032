// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// The scenes of Ho 2022, Table 6.1, step by step under laws of friction and by several methods.
#include <fmt/format.h>
#include <unistd.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "bench/suites/study.hpp"
#include "slipstick/linalg/delassus_operator.hpp"
#include "slipstick/linalg/operator.hpp"
#include "slipstick/scenes/scene_table.hpp"
#include "slipstick/solve.hpp"
#include "slipstick/world.hpp"

namespace slipstick::internal::bench {
namespace {

constexpr Index most_rows_for_condition = 6000;

// The largest eigenvalue of W of an island over its smallest one that is not rounding.
double condition(const Operator& W, const std::vector<int>& rows) {
  const auto* graph = storage_of<DelassusOperator>(W);
  if (graph == nullptr || rows.empty() || static_cast<Index>(rows.size()) > most_rows_for_condition)
    return std::nan("");
  const DenseMatrix dense = DenseMatrix(graph->principal_submatrix(rows).to_csr());
  const Vector values =
      Eigen::SelfAdjointEigenSolver<DenseMatrix>(dense, Eigen::EigenvaluesOnly).eigenvalues();
  const double largest = values[values.size() - 1];
  double smallest = largest;
  for (const double value : values)
    if (value > 1e-12 * largest) smallest = std::min(smallest, value);
  return largest / smallest;
}

std::vector<int> rows_of_largest_island(const DriverResult& result) {
  std::vector<int> rows;
  const auto found =
      std::max_element(result.islands.begin(), result.islands.end(),
                       [](const IslandReport& a, const IslandReport& b) { return a.rows < b.rows; });
  const auto island = static_cast<int>(found - result.islands.begin());
  for (std::size_t row = 0; row < result.island_of.size(); ++row)
    if (result.island_of[row] == island) rows.push_back(static_cast<int>(row));
  return rows;
}

// Rows of joints and of contacts that touch.
Index closed_rows(const World& world) {
  const DriverResult& result = world.result();
  const Index joints = world.problem().rows() - 3 * static_cast<Index>(result.states.size());
  return joints + 3 * std::count_if(result.states.begin(), result.states.end(),
                                    [](ContactState state) { return state != ContactState::open; });
}

class SceneRun {
 public:
  SceneRun(const SceneStudyOptions& options, const std::string& name, FrictionLaw law, std::string solver)
      : options_(options),
        name_(name),
        law_(law),
        solver_(std::move(solver)),
        tolerance_(scene_tolerance(options, law)),
        scene_(make_scene(name, {})),
        world_(scene_),
        driver_({.settings = {.tolerance = tolerance_, .time_limit = options.step_limit},
                 .solver = solver_,
                 .friction = law}) {}

  void run(std::FILE* csv) {
    const int wanted = static_cast<int>(std::lround(options_.duration / scene_.step));
    double at_rest = 0.0;
    for (int step = 0; step < wanted && at_rest < 1.0 && total_ < options_.limit; ++step) {
      take(world_.step(driver_));
      at_rest = world_.record().energy.kinetic == 0.0 ? at_rest + scene_.step : 0.0;
      if (isatty(STDERR_FILENO) != 0)
        fmt::print(stderr, "\r\033[K{} {} {}: step {} of {}", name_, name(law_), solver_, step + 1, wanted);
    }
    const double worst_condition = options_.condition ? condition(largest_, largest_rows_) : std::nan("");
    std::sort(milliseconds_.begin(), milliseconds_.end());
    fmt::print(csv, "{},{},{},{:g},{},{},{},{:.2e},{},{},{},{:.1e},", name_, name(law_), solver_, tolerance_,
               world_.bodies(), wanted, milliseconds_.size(), worst_error_, flags_, most_rows_,
               most_closed_rows_, worst_condition);
    fmt::print(csv, "{:.2e},{:.2e},{:.2e},{:.2e},{:.3f},{:.3f},{:.3f},{:.1f},{:.3f}\n", penetration_,
               joint_error_, joint_angle_error_, energy_gain_, milliseconds_[milliseconds_.size() / 2],
               milliseconds_[milliseconds_.size() * 9 / 10],
               solver_seconds_ / double(milliseconds_.size()) * 1e3, milliseconds_.back(), total_);
    std::fflush(csv);
  }

 private:
  void take(const StepRecord& record) {
    milliseconds_.push_back(1e3 * record.seconds);
    total_ += record.seconds;
    solver_seconds_ += record.solver_seconds;
    flags_ += record.flagged;
    worst_error_ = std::max(worst_error_, record.error);
    most_rows_ = std::max(most_rows_, record.rows);
    if (const Index closed = closed_rows(world_); closed > most_closed_rows_) {
      most_closed_rows_ = closed;
      largest_ = world_.problem().W();
      largest_rows_ = rows_of_largest_island(world_.result());
    }
    penetration_ = std::max(penetration_, record.penetration_share);
    joint_error_ = std::max(joint_error_, record.joint_error);
    joint_angle_error_ = std::max(joint_angle_error_, record.joint_angle_error);
    const EnergyRecord& energy = record.energy;
    const double total = energy.kinetic + energy.potential;
    const double work = energy.motors + energy.motions + energy.stabilization;
    if (milliseconds_.size() == 1)
      start_ = total - (energy.contact + energy.friction + energy.joints + energy.stiffness +
                        energy.unexplained + work);
    work_ += work;
    largest_energy_ = std::max({largest_energy_, std::abs(total), energy.kinetic});
    if (largest_energy_ > 0.0)
      energy_gain_ = std::max(energy_gain_, (total - start_ - work_) / largest_energy_);
  }

  const SceneStudyOptions& options_;
  std::string name_;
  FrictionLaw law_;
  std::string solver_;
  double tolerance_;
  Scene scene_;
  World world_;
  Driver driver_;
  std::vector<double> milliseconds_;
  double total_ = 0.0, solver_seconds_ = 0.0, worst_error_ = 0.0;
  int flags_ = 0;
  Index most_rows_ = 0, most_closed_rows_ = -1;
  Operator largest_;
  std::vector<int> largest_rows_;
  double penetration_ = 0.0, joint_error_ = 0.0, joint_angle_error_ = 0.0;
  double start_ = 0.0, work_ = 0.0, largest_energy_ = 0.0, energy_gain_ = 0.0;
};

}  // namespace

FrictionLaw scene_law(const std::string& name) {
  using enum FrictionLaw;
  for (const FrictionLaw law : {box, box_once})
    if (slipstick::name(law) == name) return law;
  return coulomb;
}

double scene_tolerance(const SceneStudyOptions& options, FrictionLaw law) {
  return law == FrictionLaw::coulomb ? options.tolerance : options.box_tolerance;
}

void run_scene_study(const SceneStudyOptions& options, std::FILE* csv) {
  fmt::print(csv, "# {:g} s or 1 s at rest; {:g} s for a run, {:g} s for a solve\n", options.duration,
             options.limit, options.step_limit);
  fmt::print(csv, "{}\n", report::scene_header);
  for (const std::string& scene : options.scenes)
    for (const std::string& law : options.laws)
      for (const std::string& solver : options.solvers)
        SceneRun(options, scene, scene_law(law), solver).run(csv);
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K");
}

}  // namespace slipstick::internal::bench
