// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/simulate_job.hpp"

#include <charconv>
#include <cmath>
#include <system_error>

#include "apps/cli/arguments.hpp"
#include "slipstick/base/error.hpp"
#include "slipstick/base/json_writer.hpp"
#include "slipstick/io/run_writer.hpp"
#include "slipstick/io/settings_document.hpp"
#include "slipstick/scene_files.hpp"
#include "slipstick/scenes/scene_table.hpp"
#include "slipstick/version.hpp"

namespace slipstick::internal::cli {
namespace {

constexpr std::string_view run_extensions[] = {".h5", ".hdf5"};
constexpr double most_steps = 1e9;

bool is_scene_parameter(const std::string& assignment) {
  return assignment.starts_with(scene_parameter_prefix);
}

// The N of WORD:N.
std::int64_t parse_count(std::string_view option, std::string_view text, std::string_view word) {
  const std::size_t colon = text.find(':');
  const std::string_view number = colon == text.npos ? "" : text.substr(colon + 1);
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), count);
  if (text.substr(0, colon) != word || error != std::errc() || end != number.data() + number.size())
    fail("{}: '{}' is not {}:N with a whole number N", option, text, word);
  if (count < 1 || count > static_cast<std::int64_t>(most_steps))
    fail("{}: {} is not from 1 to {:.0f}", option, text, most_steps);
  return count;
}

DumpRule parse_dump(std::string_view text) {
  using enum DumpRule::Kind;
  if (text.empty()) return {};
  if (text == "failed") return {failed, 0};
  if (text.starts_with("worst")) return {worst, parse_count("--dump", text, "worst")};
  if (text.starts_with("every")) return {every, parse_count("--dump", text, "every")};
  if (text.starts_with("step")) return {step, parse_count("--dump", text, "step")};
  fail("--dump: '{}' is none of worst:K, failed, every:N, step:N", text);
}

std::shared_ptr<PairFinder> parse_collision(std::string_view text, int device) {
  if (text == "host") return nullptr;
  if (text == "device") return make_device_pair_finder(device);
  fail("--collision: '{}' is none of host, device", text);
}

bool names_file(const std::string& word) {
  return word.ends_with(".json") || word.find('/') != word.npos;
}

}  // namespace

Scene named_scene(const SimulateArguments& given) {
  if (names_file(given.scene)) {
    for (const std::string& assignment : given.set)
      if (is_scene_parameter(assignment))
        fail("--set {}: a scene file has no parameters; those of built-in scenes can be set", assignment);
    return about(given.scene, [&] { return read_scene(given.scene); });
  }
  SceneParameters parameters;
  for (const std::string& assignment : given.set)
    if (is_scene_parameter(assignment)) add_scene_parameter(assignment, parameters);
  return make_scene(given.scene, parameters);
}

SimulateJob::SimulateJob(const SimulateArguments& given, Scene scene_given)
    : arguments(given), scene(std::move(scene_given)) {
  if (given.tolerance) check_positive("--tolerance", *given.tolerance);
  if (given.duration) check_positive("--duration", *given.duration);
  if (given.step) check_positive("--step", *given.step);
  if (given.threads) check_range("--threads", *given.threads, 1, 1024);
  if (given.device) check_range("--device", *given.device, 0, most_devices);
  tolerance = given.tolerance.value_or(scene.tolerance);
  duration = given.duration.value_or(scene.duration);
  step = given.step.value_or(scene.step);
  threads = given.threads.value_or(1);
  device = given.device.value_or(-1);
  pairs = parse_collision(given.collision, device);
  if (duration / step > most_steps)
    fail("--duration: {} s in steps of {} s are {:.3g} steps, expected at most {:.0g}", duration, step,
         duration / step, most_steps);
  law = given.friction.empty() ? scene.law : parse_friction(given.friction);
  policy = parse_policy(given.policy);
  record_every = parse_count("--record", given.record, "every");
  checkpoint_every = parse_count("--checkpoint", given.checkpoint, "every");
  dump = parse_dump(given.dump);
  if (dump.kind != DumpRule::Kind::none && given.output.empty())
    fail("--dump: the dumps lie beside the run, expected -o RUN.h5");
  std::vector<std::string> of_methods;
  for (const std::string& assignment : given.set)
    if (!is_scene_parameter(assignment)) of_methods.push_back(assignment);
  options = parse_options(of_methods);
  const Driver complains_about(request(policy.usual));
}

SolveRequest SimulateJob::request(const StepPolicy& step_policy) const {
  SolveRequest request;
  request.settings.tolerance = tolerance;
  request.settings.threads = threads;
  request.settings.device = device;
  request.solver = arguments.solver;
  request.options = options;
  request.friction = law;
  request.policy = step_policy;
  return request;
}

std::string SimulateJob::settings() const {
  JsonWriter json;
  std::vector<std::string> set;
  for (const auto& [key, value] : options) set.push_back(key + "=" + value);
  json.begin_object()
      .member("solver", arguments.solver)
      .member_list("set", set)
      .member("friction", name(law))
      .member("tolerance", tolerance)
      .member("step", step)
      .member("duration", duration)
      .member("threads", threads)
      .member("policy", arguments.policy)
      .member("record", arguments.record)
      .member("dump", arguments.dump)
      .member("checkpoint", arguments.checkpoint);
  if (device >= 0) json.member("device", device);
  if (pairs != nullptr) json.member("collision", arguments.collision);
  json.end_object();
  return json.text();
}

SimulateArguments read_settings(const std::string& settings) {
  const SettingsMembers members = read_settings_document(settings);
  const auto list = [&](std::string_view key) -> const std::vector<std::string>& {
    const auto found = members.find(key);
    if (found == members.end()) fail("settings: {} is missing", key);
    return found->second;
  };
  const auto text = [&](std::string_view key) -> const std::string& {
    if (list(key).size() != 1) fail("settings: {} is a list, expected one value", key);
    return list(key).front();
  };
  SimulateArguments arguments;
  arguments.solver = text("solver");
  arguments.set = list("set");
  arguments.friction = text("friction");
  arguments.tolerance = parse_real("settings: tolerance", text("tolerance"));
  arguments.step = parse_real("settings: step", text("step"));
  arguments.duration = parse_real("settings: duration", text("duration"));
  const double threads = parse_real("settings: threads", text("threads"));
  if (!(threads >= 1.0 && threads <= 1024.0)) fail("settings: threads is {}, expected 1 to 1024", threads);
  arguments.threads = static_cast<int>(threads);
  if (members.find("device") != members.end()) {
    const double device = parse_real("settings: device", text("device"));
    if (!(device >= 0.0 && device <= most_devices))
      fail("settings: device is {}, expected 0 to {}", device, most_devices);
    arguments.device = static_cast<int>(device);
  }
  if (members.find("collision") != members.end()) arguments.collision = text("collision");
  arguments.policy = text("policy");
  arguments.record = text("record");
  arguments.dump = text("dump");
  arguments.checkpoint = text("checkpoint");
  return arguments;
}

RunHeader SimulateJob::header(const World& world) const {
  RunHeader header;
  header.scene = scene_text(scene);
  header.seed = scene.seed;
  header.law = name(law);
  header.solver = arguments.solver;
  header.tolerance = tolerance;
  header.step = step;
  header.settings = settings();
  for (const BodySpec& body : world.scene().bodies) header.bodies.push_back(body.name);
  for (const JointSpec& joint : world.scene().joints) header.joints.push_back(joint.name);
  header.record_every = record_every;
  header.program_version = version();
  return header;
}

std::filesystem::path dump_folder(std::filesystem::path run) {
  return run.replace_extension(".dumps");
}

std::filesystem::path SimulateJob::dump_folder() const {
  return cli::dump_folder(arguments.output);
}

void check_output(const SimulateJob& job) {
  const std::string& output = job.arguments.output;
  if (output.empty()) return;
  check_target("--output", output, run_extensions);
  check_distinct("--output", output, job.arguments.scene);
  if (job.arguments.force) return check_replaceable(output);
  // A link that leads nowhere is there, too.
  const auto is_there = [](const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::exists(std::filesystem::symlink_status(path, ignored));
  };
  for (const std::filesystem::path& path :
       {std::filesystem::path(output), std::filesystem::path(output + ".parts")})
    if (is_there(path))
      fail("--output {}: {} is there already; --force replaces it, --resume goes on with it", output,
           path.string());
  if (job.dump.kind != DumpRule::Kind::none && is_there(job.dump_folder()))
    fail("--output {}: the folder {} is there already; --force replaces the dumps in it", output,
         job.dump_folder().string());
}

}  // namespace slipstick::internal::cli
