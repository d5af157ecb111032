// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/cli/policy_list.hpp"
#include "slipstick/io/run_header.hpp"
#include "slipstick/pair_finder.hpp"
#include "slipstick/scene.hpp"
#include "slipstick/solve.hpp"
#include "slipstick/world.hpp"

namespace slipstick::internal::cli {

/// What the user typed after `simulate`.
struct SimulateArguments {
  std::string scene;
  std::vector<std::string> set;
  std::string solver = "auto";
  std::string friction;  ///< empty: that of the scene; so are the numbers
  std::optional<double> tolerance;
  std::optional<double> duration;
  std::optional<double> step;
  std::optional<int> threads;
  std::optional<int> device;
  std::string collision = "host";
  std::string record = "every:1";
  std::string dump;
  std::string checkpoint = "every:1000";
  std::string policy{default_policy};
  bool force = false;
  std::string output;
  bool json = false;
  std::string resume;
  std::string like;
};

/// "run.dumps" for "run.h5".
std::filesystem::path dump_folder(std::filesystem::path run);

/// Which islands are dumped.
struct DumpRule {
  enum class Kind { none, worst, failed, every, step };
  Kind kind = Kind::none;
  std::int64_t count = 0;  ///< of worst; steps of every; the number of the step
};

/// What it means. The constructor complains about everything that can be wrong with the arguments.
struct SimulateJob {
  /// `scene` is that which the arguments name, or that of the run.
  SimulateJob(const SimulateArguments& given, Scene scene);

  /// The settings of a run, as its header has them: a JSON object. read_settings() reads them.
  std::string settings() const;
  RunHeader header(const World& world) const;
  SolveRequest request(const StepPolicy& step_policy) const;
  /// Whether a time counts as the end. The rounding of the sum of many steps does not. There is one step at
  /// least.
  bool reached(double time) const { return time > 0.0 && time >= duration - 1e-3 * step; }
  std::filesystem::path dump_folder() const;

  SimulateArguments arguments;  ///< as given
  Scene scene;                  ///< as given
  Options options;              ///< of methods
  FrictionLaw law = FrictionLaw::coulomb;
  double tolerance = 0.0, step = 0.0, duration = 0.0;
  int threads = 1;
  int device = -1;
  std::shared_ptr<PairFinder> pairs;  ///< null: the world's own
  PolicyList policy;
  std::int64_t record_every = 1, checkpoint_every = 1;
  DumpRule dump;
};

/// The scene of the arguments: built in, or from a file.
Scene named_scene(const SimulateArguments& given);
/// The arguments that SimulateJob::settings() was made from. Throws Error if the text is something else.
SimulateArguments read_settings(const std::string& settings);
/// Complains about an output that is there already, or that cannot be written.
void check_output(const SimulateJob& job);

}  // namespace slipstick::internal::cli
