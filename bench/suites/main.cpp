// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// slipstick-study: studies over families of problems, as CSV on the standard output, and their figures.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <map>

#include "bench/suites/study.hpp"
#include "slipstick/base/error.hpp"
#include "slipstick/contact/coulomb/auto/coulomb_chain.hpp"
#include "slipstick/io/report/table_kinds.hpp"

namespace slipstick::internal::bench {
namespace {

// An option with its default shown; the entries of a list are separated by commas.
template <class Value>
CLI::Option* add(CLI::App* command, const char* name, Value& value, const char* meaning) {
  CLI::Option* option = command->add_option(name, value, meaning)->capture_default_str();
  if constexpr (requires { value.push_back({}); }) option->delimiter(',');
  return option;
}

// A study, and the options that its fields have in common with other studies.
template <class Options>
CLI::App* add_study(CLI::App& app, const std::string& name, const std::string& summary, Options& options,
                    void (*run)(const Options&, std::FILE*)) {
  CLI::App* command = app.add_subcommand(name, summary);
  command->callback([&options, run] { run(options, stdout); });
  if constexpr (requires { options.folder; }) {
    command->add_option("folder", options.folder, "of problem files, with all folders below it")
        ->envname("SLIPSTICK_DATA")
        ->check(CLI::ExistingDirectory);
  }
  if constexpr (requires { options.tolerance; })
    add(command, "--tolerance", options.tolerance, "of the error that the study looks at");
  if constexpr (requires { options.tolerances; })
    add(command, "--tolerances", options.tolerances, "of the error that the study looks at");
  if constexpr (requires { options.time_limit; })
    add(command, "--time-limit", options.time_limit, "seconds a solve may take")->check(CLI::PositiveNumber);
  if constexpr (requires { options.repetitions; })
    add(command, "--repetitions", options.repetitions, "the best time counts")->check(CLI::PositiveNumber);
  if constexpr (requires { options.jobs; })
    add(command, "--jobs", options.jobs, "solves side by side, one thread each")->check(CLI::PositiveNumber);
  if constexpr (requires { options.seed; }) add(command, "--seed", options.seed, "of the first problem");
  return command;
}

void add_pressure_study(CLI::App& app, const std::string& name, const std::string& summary,
                        StudyOptions& options) {
  CLI::App* command = add_study(app, name, summary, options, run_study);
  add(command, "--resolutions", options.resolutions, "cells along an edge")->check(CLI::Range(1, 4096));
  command->add_option("--solvers", options.solvers, "catalog names, and auto")->delimiter(',');
  add(command, "--problems", options.problems, "per resolution; 0: the study's own number")
      ->check(CLI::NonNegativeNumber);
  add(command, "--budget", options.budget, "seconds per method and resolution");
}

int run(int argc, char** argv) {
  CLI::App app("Studies over families of problems");
  app.require_subcommand(1);

  StudyOptions plane{.resolutions = {8, 16, 32, 64, 128, 256}, .solvers = {}};
  add_pressure_study(app, "uic", "the UIC survey's study: pressure problems on a disk", plane);

  StudyOptions space{.dimension = 3,
                     .resolutions = {16, 32, 64, 128},
                     .solvers = {"pgs", "pgs-sm", "mprgp", "pmprgp"},
                     .time_limit = 120.0,
                     .budget = 300.0};
  add_pressure_study(app, "uic3d", "the same in a ball, and how the iterations grow", space);

  GamesStudyOptions games;
  CLI::App* degenerate =
      add_study(app, "games", "random games as LCPs, which are degenerate", games, run_games_study);
  add(degenerate, "--games", games.games, "how many");
  add(degenerate, "--least-rows", games.least_rows, "of an LCP");
  add(degenerate, "--most-rows", games.most_rows, "of an LCP");
  add(degenerate, "--solvers", games.solvers, "catalog names, and auto");

  RandomStudyOptions random;
  CLI::App* generated = add_study(app, "random", "generated problems with bounds, sizes over decades", random,
                                  run_random_study);
  add(generated, "--families", random.families, "lcp, boxed");
  add(generated, "--rows", random.rows, "unknowns");
  add(generated, "--conditions", random.conditions, "largest over smallest nonzero eigenvalue");
  add(generated, "--solvers", random.solvers, "catalog names, and auto");

  ConeStudyOptions cones;
  CLI::App* heyn = add_study(app, "heyn", "Heyn 2012's Test Problems: packings with friction cones", cones,
                             run_cone_study);
  add(heyn, "--tests", cones.tests, "1: no friction, 2: sizes, 3: heavy on light")->check(CLI::Range(1, 3));
  add(heyn, "--solvers", cones.solvers, "catalog names");

  HeynTableOptions race;
  CLI::App* heyn_table = add_study(app, "heyn-table", "Heyn 2012's Table I: the time to Jacobi's objective",
                                   race, run_heyn_table);
  add(heyn_table, "--spheres", race.spheres, "bodies");
  add(heyn_table, "--sweeps", race.sweeps, "of Jacobi's method")->check(CLI::PositiveNumber);
  add(heyn_table, "--solvers", race.solvers, "catalog names");

  MelanzStudyOptions filling;
  CLI::App* melanz =
      add_study(app, "melanz", "Melanz 2015's comparison: spheres in a bucket", filling, run_melanz_study);
  add(melanz, "--spheres", filling.spheres, "per problem")->check(CLI::PositiveNumber);
  add(melanz, "--methods", filling.methods, "catalog names, with options as NAME:KEY=VALUE:...");
  add(melanz, "--friction", filling.friction, "coefficient");

  SequenceStudyOptions drifting;
  CLI::App* sequence =
      add_study(app, "sequence", "slowly changing problems with warm starts", drifting, run_sequence_study);
  add(sequence, "--families", drifting.families, "uic2d, uic3d, packing")
      ->check(CLI::IsMember({"uic2d", "uic3d", "packing"}));
  sequence->add_option("--sizes", drifting.sizes, "cells along an edge, or spheres")
      ->delimiter(',')
      ->check(CLI::PositiveNumber);
  add(sequence, "--methods", drifting.methods,
      "catalog names, with options as NAME:KEY=VALUE:..., 'cold ' before one without warm starts");
  add(sequence, "--problems", drifting.problems, "in a sequence")->check(CLI::PositiveNumber);
  add(sequence, "--drift", drifting.drift, "of the load between two problems");

  RuleStudyOptions rules;
  CLI::App* rule = add_study(app, "rule", "rules for `auto` under Coulomb's law, for bench/fit-rule", rules,
                             run_rule_study);
  const auto add_values = [rule](const char* name, auto& values, const char* meaning) {
    add(rule, name, values, meaning)->check(CLI::NonNegativeNumber);
  };
  add_values("--newton-steps", rules.newton_steps,
             "limit of the predicted cost of the sweeps ahead, in Newton steps");
  add_values("--many-contacts", rules.many_contacts,
             "contacts from which alternating directions follow few sweeps");
  add_values("--alternating-trials", rules.alternating_trials,
             "iterations that alternating directions always get");
  add_values("--alternating-steps", rules.alternating_steps, "the same limit for alternating directions");
  add_values("--interior-contacts", rules.interior_contacts,
             "contacts from which the interior point method precedes prox");
  add_values("--interior-frictions", rules.interior_frictions, "largest mean friction coefficients for that");

  StageStudyOptions stages;
  CLI::App* stage = add_study(app, "stages", "what every stage of `auto` under Coulomb's law is worth",
                              stages, run_stage_study);
  add(stage, "--most-contacts", stages.most_contacts, "larger problems are left out");
  add(stage, "--drifts", stages.drifts,
      "of the load, relative, between the problem and the one whose solution is the start; 0: none")
      ->check(CLI::NonNegativeNumber);
  stage->add_option("--without", stages.without, "stages that are left out from the beginning")
      ->delimiter(',')
      ->check(CLI::Range(0, static_cast<int>(automatic_coulomb_chain().size()) - 1));

  WarmStudyOptions turning;
  CLI::App* warm =
      add_study(app, "warm", "every method, cold and from the solution before", turning, run_warm_study);
  warm->add_option("--families", turning.families, "of problems [all]")->delimiter(',');
  warm->add_option("--methods", turning.methods, "catalog names, and auto [all]")->delimiter(',');
  add(warm, "--problems", turning.problems, "behind the first")->check(CLI::PositiveNumber);
  add(warm, "--drift", turning.drift, "radians that the load turns between two problems");

  StepStudyOptions steps;
  CLI::App* step = add_study(app, "step", "steps of bodies: islands, joints, threads", steps, run_step_study);
  add(step, "--spheres", steps.spheres, "of the heap that is one island")->check(CLI::PositiveNumber);

  SettlingStudyOptions settling;
  CLI::App* settle = add_study(app, "settling", "spheres that settle, step by step, under two laws", settling,
                               run_settling_study);
  add(settle, "--spheres", settling.spheres, "in the box")->check(CLI::PositiveNumber);
  add(settle, "--start", settling.start, "spheres: they fall; heap: they are laid")
      ->check(CLI::IsMember({"spheres", "heap"}));
  add(settle, "--window", settling.window, "steps of each phase under Coulomb's law; 0: all")
      ->check(CLI::NonNegativeNumber);
  add(settle, "--lead", settling.lead, "steps before a window that are solved and not reported")
      ->check(CLI::NonNegativeNumber);
  add(settle, "--convex", settling.convex_spheres, "largest size with the convex law in all phases");
  add(settle, "--solver", settling.solver, "under Coulomb's law");
  add(settle, "--fall-tolerance", settling.fall_tolerance,
      "of the law that moves the bodies, in all other steps");
  add(settle, "--moved-by", settling.moved_by, "law whose answers move the bodies")
      ->check(CLI::IsMember({"coulomb", "convex"}));
  add(settle, "--steps", settling.steps, "of 1,000 spheres that fall")->check(CLI::PositiveNumber);

  SceneStudyOptions scenes;
  CLI::App* scene_study =
      add_study(app, "scenes", "the scenes of Ho 2022 step by step", scenes, run_scene_study);
  SceneStudyOptions methods;
  CLI::App* method_study = add_study(
      app, "scene-methods", "methods on the same steps of the scenes of Ho 2022", methods, run_scene_methods);
  add(method_study, "--every", methods.every, "steps from one comparison to the next")
      ->check(CLI::PositiveNumber);
  for (const auto& [study, options] : {std::pair(scene_study, &scenes), std::pair(method_study, &methods)}) {
    add(study, "--scenes", options->scenes, "their names");
    add(study, "--laws", options->laws, "box, box-once, coulomb")
        ->check(CLI::IsMember({"box", "box-once", "coulomb"}));
    add(study, "--solvers", options->solvers, "by name");
    add(study, "--duration", options->duration, "of a run, s")->check(CLI::PositiveNumber);
    add(study, "--limit", options->limit, "time for a run, s")->check(CLI::PositiveNumber);
    add(study, "--step-limit", options->step_limit, "time for a solve, s")->check(CLI::PositiveNumber);
  }
  scene_study->add_flag("--condition", scenes.condition, "compute the condition of the largest island");

  StandStudyOptions standing;
  CLI::App* stands = add_study(app, "stands", "stacks, walls, cards, arches and a chain over many steps",
                               standing, run_stand_study);
  stands->add_option("--cases", standing.cases, "their names [all]")->delimiter(',');

  LitvenStudyOptions banded;
  CLI::App* litven = add_study(app, "litven", "Litven 2013's banded QPs: one factorization against many",
                               banded, run_litven_study);
  add(litven, "--rows", banded.rows, "unknowns")->check(CLI::PositiveNumber);
  add(litven, "--bandwidth", banded.bandwidth, "of the matrix")->check(CLI::NonNegativeNumber);
  add(litven, "--wrong", banded.wrong_indices, "wrong indices in the initial active set")
      ->check(CLI::NonNegativeNumber);
  litven->add_flag("--normal", banded.normal_load,
                   "a normal linear term, so that half of the rows are active");

  PreconditionerStudyOptions factors;
  CLI::App* preconditioners =
      add_study(app, "preconditioners",
                "Ho 2022's Figure 6.1 in kind: incomplete Cholesky factors with conjugate gradients", factors,
                run_preconditioner_study);
  add(preconditioners, "--spheres", factors.spheres, "of the heaps")->check(CLI::PositiveNumber);
  add(preconditioners, "--normals", factors.normals, "spheres of heaps without friction")
      ->check(CLI::PositiveNumber);
  add(preconditioners, "--columns", factors.columns, "spheres of narrow columns without friction")
      ->check(CLI::PositiveNumber);
  add(preconditioners, "--links", factors.links, "of the chains")->check(CLI::PositiveNumber);
  add(preconditioners, "--mass-ratios", factors.mass_ratios, "of the heavy body to the light ones");
  add(preconditioners, "--removed", factors.removed, "shares of the rows that leave the free set");
  add(preconditioners, "--floors", factors.floors, "of imaginary pivots");
  add(preconditioners, "--compensations", factors.compensations, "of imaginary factors");
  std::map<std::string, Ordering> orderings;
  for (const Ordering ordering : available_orderings()) orderings.emplace(name(ordering), ordering);
  preconditioners->add_option("--ordering", factors.ordering, "of the rows")
      ->transform(CLI::CheckedTransformer(orderings));
  add(preconditioners, "--compliances", factors.compliances, "relative to the mean diagonal");
  add(preconditioners, "--max-iterations", factors.max_iterations, "of a solve");
  add(preconditioners, "--random", factors.random_problems, "matrices that break IC(0)")
      ->check(CLI::NonNegativeNumber);

  std::vector<std::filesystem::path> tables;
  std::filesystem::path folder = ".";
  CLI::App* plot = app.add_subcommand("plot", "draw figures from the CSV of a study");
  plot->add_option("csv", tables, "files")->required()->check(CLI::ExistingFile);
  add(plot, "--out", folder, "folder of the figures");
  plot->callback([&] {
    for (const std::filesystem::path& path : tables) {
      const CsvTable table = CsvTable::read(path);
      const report::TableKind& kind = report::kind_of(table);
      report::check_rows(table);
      if (kind.draw == nullptr) fail("{}: no figure is drawn of a table '{}'", path.string(), kind.name);
      report::write_figures(kind.draw(table), path.stem().string(), folder);
    }
  });

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  } catch (const std::exception& error) {
    fmt::print(stderr, "slipstick-study: {}\n", error.what());
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace slipstick::internal::bench

int main(int argc, char** argv) {
  return slipstick::internal::bench::run(argc, argv);
}
