// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "apps/cli/arguments.hpp"
#include "apps/cli/commands.hpp"
#include "slipstick/base/error.hpp"
#include "slipstick/base/json_writer.hpp"
#include "slipstick/files.hpp"
#include "slipstick/scenes/box_piles.hpp"
#include "slipstick/scenes/games.hpp"
#include "slipstick/scenes/packing.hpp"
#include "slipstick/scenes/qp_families.hpp"
#include "slipstick/scenes/random_problems.hpp"
#include "slipstick/scenes/sheet.hpp"
#include "slipstick/scenes/uic.hpp"

namespace slipstick::internal::cli {
namespace {

// The files of the problem and, if the family knows them, of its solution and a starting point.
struct Targets {
  std::string output;
  std::string solution;
  std::string guess;
  bool json = false;
};

struct Generated {
  AnyProblem problem;
  std::string title;
  std::optional<Solution> solution = std::nullopt;
  std::optional<Solution> guess = std::nullopt;
};

std::string to_json(const Targets& targets, const ProblemFile& file) {
  JsonWriter json;
  json.begin_object()
      .member("output", targets.output)
      .member("title", file.title)
      .member("class", name(classify(file.problem)))
      .member("n", unknowns(file.problem))
      .member("nnz", nonzeros(file.problem))
      .member_or_null("solution", targets.solution)
      .member_or_null("guess", targets.guess)
      .end_object();
  return json.text();
}

int write(const Targets& targets, Generated generated) {
  ProblemFile file;
  file.problem = std::move(generated.problem);
  file.title = std::move(generated.title);
  file.solution = generated.solution;
  if (generated.guess) file.guesses.push_back(*generated.guess);
  about(targets.output, [&] { write_problem(targets.output, file); });
  if (!targets.solution.empty()) write_solution(targets.solution, file.problem, *generated.solution);
  if (!targets.guess.empty()) write_solution(targets.guess, file.problem, *generated.guess);
  if (targets.json) {
    fmt::print("{}\n", to_json(targets, file));
  } else {
    fmt::print("{}: {}, {}, {}\n", targets.output, name(classify(file.problem)),
               format_count(unknowns(file.problem), "unknown"),
               format_count(nonzeros(file.problem), "nonzero"));
  }
  return exit_solved;
}

// A kind of `generate`. `make` turns the options that the caller adds into a problem.
CLI::App* add_kind(CLI::App& generate, const std::string& kind, const std::string& summary, Action& action,
                   bool knows_solution, bool knows_guess, const std::function<Generated()>& make) {
  CLI::App* command = generate.add_subcommand(kind, summary);
  const auto targets = std::make_shared<Targets>();
  command
      ->add_option("-o,--output", targets->output,
                   "Problem to write: .mtx, or .hdf5 or .h5 for contacts, or .qps for QPs")
      ->type_name("FILE")
      ->required();
  if (knows_solution) {
    command->add_option("--solution", targets->solution, "Write the known solution: .hdf5, .h5 or .csv")
        ->type_name("FILE");
  }
  if (knows_guess) {
    command->add_option("--guess", targets->guess, "Write the starting point: .hdf5, .h5 or .csv")
        ->type_name("FILE");
  }
  command->add_flag("--json", targets->json, "Print one JSON object instead of text");
  command->callback([targets, make, &action] {
    action = [targets, make] {
      check_target("--output", targets->output, problem_extensions);
      for (const auto& [option, path] :
           {std::pair{"--solution", &targets->solution}, std::pair{"--guess", &targets->guess}}) {
        if (path->empty()) continue;
        check_target(option, *path, solution_extensions);
        check_distinct(option, *path, targets->output);
      }
      return write(*targets, make());
    };
  });
  return command;
}

template <class Value>
void add(CLI::App* command, const std::string& name, Value& value, const std::string& summary) {
  command->add_option(name, value, summary)->capture_default_str();
}

Generated with_solution(KnownProblem known, std::string title) {
  Solution solution;
  solution.x = std::move(known.x);
  solution.w = std::move(known.w);
  return {std::move(known.problem), std::move(title), std::move(solution)};
}

// A kind with a known solution, of the given family.
CLI::App* add_random_kind(CLI::App& generate, const std::string& kind, const std::string& summary,
                          const std::string& title, Action& action,
                          const std::shared_ptr<RandomBoxOptions>& options,
                          KnownProblem (*family)(const RandomBoxOptions&)) {
  CLI::App* command = add_kind(generate, kind, summary, action, true, false, [title, family, options] {
    return with_solution(family(*options), fmt::format("{}, seed {}", title, options->seed));
  });
  add(command, "--rows", options->rows, "Unknowns");
  add(command, "--condition", options->condition, "Largest over smallest nonzero eigenvalue");
  add(command, "--rank-deficiency", options->rank_deficiency, "Zero eigenvalues");
  add(command, "--active", options->active, "Share of bounded rows at a bound in the solution");
  add(command, "--degenerate", options->degenerate, "Share of the rows at a bound that have w = 0");
  add(command, "--rotations-per-row", options->rotations_per_row, "Density of the matrix");
  add(command, "--skew", options->skew, "Skew-symmetric part, relative to the largest eigenvalue");
  add(command, "--seed", options->seed, "Of the random numbers");
  return command;
}

void add_lcp(CLI::App& generate, Action& action) {
  const auto options = std::make_shared<RandomBoxOptions>();
  CLI::App* command =
      add_random_kind(generate, "lcp", "A random linear complementarity problem with a known solution",
                      "random lcp", action, options, random_lcp);
  command->footer(
      "Examples:\n"
      "  slipstick generate lcp --rows 1000 --condition 1e4 -o problem.mtx\n"
      "  slipstick generate lcp --rows 50 --skew 0.5 --seed 7 -o nonsymmetric.mtx --solution x.csv");
}

void add_boxed(CLI::App& generate, Action& action) {
  const auto options = std::make_shared<RandomBoxOptions>();
  CLI::App* command = add_random_kind(generate, "boxed", "A random problem with bounds and a known solution",
                                      "random boxed problem", action, options, random_box);
  add(command, "--free", options->free, "Share of free rows");
  add(command, "--two-sided", options->two_sided, "Share of rows with two finite bounds");
  add(command, "--fixed", options->fixed, "Share of rows with equal bounds");
  command->footer(
      "Examples:\n"
      "  slipstick generate boxed --rows 1000 --two-sided 0.5 -o problem.mtx\n"
      "  slipstick generate boxed --rows 200 --free 0.3 --rank-deficiency 5 -o mixed.mtx --solution x.csv");
}

// A point whose active set is the given one: zero on it, positive elsewhere.
Solution point_with_active_set(const BandedQp& qp) {
  Solution guess;
  guess.x = (qp.x.array() > 0.0).select(qp.x, Vector::Constant(qp.x.size(), qp.x.mean()));
  for (const int row : qp.initial_active_set) guess.x[row] = 0.0;
  return guess;
}

void add_banded(CLI::App& generate, Action& action) {
  const auto options = std::make_shared<BandedQpOptions>();
  CLI::App* command = add_kind(
      generate, "banded", "A random banded quadratic program with bounds (Litven 2013)", action, true, true,
      [options] {
        BandedQp qp = random_banded_qp(*options);
        Solution solution;
        solution.x = qp.x;
        Solution guess = point_with_active_set(qp);
        return Generated{std::move(qp.problem), fmt::format("random banded QP, seed {}", options->seed),
                         std::move(solution), std::move(guess)};
      });
  add(command, "--rows", options->rows, "Unknowns");
  add(command, "--bandwidth", options->bandwidth, "Diagonals below the main one");
  add(command, "--wrong-indices", options->wrong_indices, "Rows by which the guess's active set is wrong");
  add(command, "--active", options->active, "Share of rows at the bound in the solution");
  add(command, "--seed", options->seed, "Of the random numbers");
  command->footer(
      "Examples:\n"
      "  slipstick generate banded --rows 5000 --bandwidth 50 -o banded.mtx\n"
      "  slipstick generate banded --wrong-indices 20 -o banded.mtx --guess start.csv\n"
      "  slipstick solve banded.mtx --warm-start start.csv");
}

void add_game(CLI::App& generate, Action& action) {
  const auto options = std::make_shared<GameOptions>();
  CLI::App* command = add_kind(
      generate, "game", "The equilibrium of a random game of two players: a nonsymmetric degenerate LCP",
      action, false, false, [options] {
        return Generated{
            random_game(*options),
            fmt::format("random game, {}, {} each, seed {}", format_count(options->types, "type"),
                        format_count(options->actions, "action"), options->seed)};
      });
  add(command, "--types", options->types, "Types of each player");
  add(command, "--actions", options->actions, "Actions of each type");
  add(command, "--payoffs", options->payoffs, "Payoffs are integers of 1 to this");
  add(command, "--seed", options->seed, "Of the random numbers");
  command->footer(
      "Examples:\n"
      "  slipstick generate game --types 4 --actions 6 -o game.mtx\n"
      "  slipstick generate game --types 5 --actions 8 --payoffs 10 --seed 3 -o ties.mtx\n"
      "  slipstick solve game.mtx --solver lemke");
}

void add_uic(CLI::App& generate, Action& action) {
  const auto options = std::make_shared<UicOptions>();
  CLI::App* command =
      add_kind(generate, "uic", "The pressure of a heap of grains: unilateral incompressibility (UIC)",
               action, false, false, [options] {
                 return Generated{uic_pressure(*options),
                                  fmt::format("UIC pressure problem, {}D, {} cells along an edge, seed {}",
                                              options->dimension, options->resolution, options->seed)};
               });
  add(command, "--dimension", options->dimension, "2 or 3");
  add(command, "--resolution", options->resolution, "Cells along an edge");
  add(command, "--fill", options->fill, "Height of the heap relative to the domain");
  add(command, "--overfull", options->overfull,
      "Mean excess of the unconstrained density, in cells with one");
  add(command, "--time-step", options->time_step, "s");
  add(command, "--max-density", options->max_density, "kg/m^d");
  add(command, "--seed", options->seed, "Of the random velocity and density");
  command->footer(
      "Examples:\n"
      "  slipstick generate uic --resolution 64 -o heap.mtx\n"
      "  slipstick generate uic --dimension 3 --resolution 24 --fill 0.7 -o heap3d.mtx");
}

std::string list_of_qp_families() {
  std::string list = "Families, the number that the size is, and the standard size:\n";
  for (const QpFamily& family : qp_families())
    list += fmt::format("  {:<11}{:<24}{:>6}\n", family.name, family.size_counts, family.standard);
  return list;
}

void add_qp(CLI::App& generate, Action& action) {
  const auto options = std::make_shared<QpOptions>();
  CLI::App* command = add_kind(generate, "qp", "A convex QP of a family that a formula gives at any size",
                               action, false, false, [options] {
                                 Problem problem = make_qp(*options);
                                 std::string title = fmt::format("{}, {} unknowns, seed {}", options->family,
                                                                 problem.b.size(), options->seed);
                                 return Generated{std::move(problem), std::move(title)};
                               });
  add(command, "--family", options->family, "See the list below");
  add(command, "--size", options->size, "What it counts depends on the family; 0: the standard size");
  add(command, "--seed", options->seed, "Of the random numbers, in the last five families");
  command->footer(list_of_qp_families() +
                  "Examples:\n"
                  "  slipstick generate qp --family cvxqp3 --size 10000 -o cvxqp3.qps\n"
                  "  slipstick generate qp --family portfolio --size 2000 --seed 7 -o portfolio.mtx");
}

// The packing whose number of contacts is nearest to the one asked for. It is within 1 % if a few tries find
// such a packing.
GlobalContactProblem packing_with_contacts(PackingOptions options, Index contacts) {
  check_range("--contacts", contacts, 10, 1000000);
  double contacts_per_sphere = 3.0;  // each sphere comes to rest on three supports
  std::optional<GlobalContactProblem> nearest;
  const auto distance = [&](const GlobalContactProblem& p) { return std::abs(p.contacts() - contacts); };
  for (int attempt = 0; attempt < 5; ++attempt) {
    const Index spheres =
        std::max<Index>(1, std::llround(static_cast<double>(contacts) / contacts_per_sphere));
    if (attempt > 0 && spheres == options.spheres) break;
    options.spheres = spheres;
    GlobalContactProblem problem = sphere_packing(options);
    if (problem.contacts() == 0) break;
    contacts_per_sphere = static_cast<double>(problem.contacts()) / static_cast<double>(spheres);
    if (!nearest || distance(problem) < distance(*nearest)) nearest = std::move(problem);
    if (distance(*nearest) * 100 <= contacts) break;
  }
  if (!nearest) fail("--contacts {}: no packing with these options has any contact", contacts);
  return std::move(*nearest);
}

struct PackingArguments : PackingOptions {
  std::optional<Index> contacts;
};

// A contact problem in global form, made from its options alone.
template <class ContactOptions, class Make>
CLI::App* add_contacts(CLI::App& generate, const char* kind, const char* summary, Action& action,
                       const std::shared_ptr<ContactOptions>& options, const char* title, Make make) {
  return add_kind(generate, kind, summary, action, false, false, [title, make, options] {
    GlobalContactProblem problem = make(*options);
    std::string text = fmt::format("{}, {} contacts, seed {}", title, problem.contacts(), options->seed);
    return Generated{std::move(problem), std::move(text)};
  });
}

void add_packing(CLI::App& generate, Action& action) {
  const auto options = std::make_shared<PackingArguments>();
  CLI::App* command =
      add_contacts(generate, "packing", "Spheres at rest in a container: a frictional contact problem",
                   action, options, "packing of spheres", [](const PackingArguments& o) {
                     return o.contacts ? packing_with_contacts(o, *o.contacts) : sphere_packing(o);
                   });
  CLI::Option* spheres = command->add_option("--spheres", options->spheres, "Number of spheres");
  spheres->capture_default_str();
  command->add_option("--contacts", options->contacts, "About so many contacts, 10 to 1000000")
      ->excludes(spheres);
  command->add_flag("--bucket", options->bucket, "A square bucket instead of a cylinder");
  add(command, "--container-radius", options->container_radius,
      "In mean sphere radii; 0: the heap is about as high as wide");
  add(command, "--radius-spread", options->radius_spread, "Radii are uniform in mean (1 +- spread)");
  add(command, "--density-ratio", options->density_ratio, "Heaviest over lightest density, log-uniform");
  add(command, "--friction", options->friction, "Coefficient mu");
  add(command, "--plate-mass-ratio", options->plate_mass_ratio,
      "Mass of a plate on top over that of all spheres; 0: none");
  add(command, "--time-step", options->time_step, "s");
  add(command, "--gap", options->gap, "Contacts are pairs closer than this times the mean radius");
  add(command, "--seed", options->seed, "Of the random numbers");
  command->footer(
      "Examples:\n"
      "  slipstick generate packing --spheres 200 -o packing.hdf5\n"
      "  slipstick generate packing --contacts 100000 --bucket --friction 0.5 -o large.hdf5");
}

// What towers, rocks and sheets have in common.
void add_load(CLI::App* command, auto& options) {
  add(command, "--friction", options.friction, "Coefficient mu");
  add(command, "--speed", options.speed, "Spread of random velocities, in units of gravity times the step");
  add(command, "--time-step", options.time_step, "s");
  add(command, "--seed", options.seed, "Of the random numbers");
}

struct TowerArguments : TowerOptions {
  std::string pattern_word = "crossed";
};

BrickPattern brick_pattern(const std::string& word) {
  if (word == "crossed") return BrickPattern::crossed;
  if (word == "wall") return BrickPattern::wall;
  if (word == "ring") return BrickPattern::ring;
  fail("--pattern: '{}' is none of crossed, wall, ring", word);
}

void add_tower(CLI::App& generate, Action& action) {
  const auto options = std::make_shared<TowerArguments>();
  CLI::App* command =
      add_contacts(generate, "tower", "Bricks stacked in courses: a redundant contact problem", action,
                   options, "tower of bricks", [](TowerArguments o) {
                     o.pattern = brick_pattern(o.pattern_word);
                     return brick_tower(o);
                   });
  add(command, "--pattern", options->pattern_word,
      "crossed: planks, every second course across; wall: running bond; ring: a round tower");
  add(command, "--courses", options->courses, "Courses, one upon another");
  add(command, "--bricks", options->bricks, "Bricks of a course, at least 4 in a ring");
  add(command, "--jitter", options->jitter, "Bricks are off their places by up to this share of their width");
  add_load(command, *options);
  add(command, "--push", options->push, "Horizontal acceleration of all bricks, in units of gravity");
  command->footer(
      "Examples:\n"
      "  slipstick generate tower --courses 30 -o tower.hdf5\n"
      "  slipstick generate tower --pattern ring --bricks 7 --courses 12 --jitter 0.05 --push 0.1 -o "
      "ring.hdf5");
}

void add_rocks(CLI::App& generate, Action& action) {
  const auto options = std::make_shared<RocksOptions>();
  CLI::App* command =
      add_contacts(generate, "rocks", "A pile of rocks that touch in facets: a redundant contact problem",
                   action, options, "pile of rocks", rock_pile);
  add(command, "--rocks", options->rocks, "Number of rocks");
  add(command, "--size-spread", options->size_spread, "Edges are uniform in mean (1 +- spread)");
  add(command, "--slope", options->slope, "Largest tilt of the facets between rocks, rad");
  add_load(command, *options);
  command->footer(
      "Examples:\n"
      "  slipstick generate rocks --rocks 60 -o rocks.hdf5\n"
      "  slipstick generate rocks --rocks 30 --slope 0 --friction 0.4 --seed 7 -o level.hdf5");
}

void add_sheet(CLI::App& generate, Action& action) {
  const auto options = std::make_shared<SheetOptions>();
  CLI::App* command = add_contacts(
      generate, "sheet", "Cloth on wavy ground: a contact problem whose M is sparse and whose W is dense",
      action, options, "elastic sheet", elastic_sheet);
  add(command, "--side", options->side, "Points along a side");
  add(command, "--stiffness", options->stiffness, "Of the springs, times the squared step over the mass");
  add(command, "--slope", options->slope, "Steepest slope of the ground, about");
  add_load(command, *options);
  add(command, "--push", options->push, "Horizontal acceleration of all points, in units of gravity");
  command->footer(
      "Examples:\n"
      "  slipstick generate sheet --side 50 -o sheet.hdf5\n"
      "  slipstick generate sheet --side 20 --stiffness 1000 --push 0.6 -o pulled.hdf5");
}

}  // namespace

void add_generate_command(CLI::App& app, Action& action) {
  CLI::App* generate = app.add_subcommand("generate", "Write a problem of a generated family");
  generate->require_subcommand(1);
  generate->footer(
      "The same options give the same problem. Each kind has its own --help.\n"
      "Examples:\n"
      "  slipstick generate lcp --rows 1000 -o problem.mtx\n"
      "  slipstick generate packing --help");
  add_lcp(*generate, action);
  add_boxed(*generate, action);
  add_banded(*generate, action);
  add_qp(*generate, action);
  add_game(*generate, action);
  add_uic(*generate, action);
  add_packing(*generate, action);
  add_tower(*generate, action);
  add_rocks(*generate, action);
  add_sheet(*generate, action);
}

}  // namespace slipstick::internal::cli
