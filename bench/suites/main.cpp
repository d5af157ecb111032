// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// slipstick-study: studies over families of problems, as CSV on the standard output, and their figures.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <map>

#include "bench/suites/study.hpp"
#include "slipstick/contact/coulomb/auto/coulomb_chain.hpp"

namespace slipstick::internal::bench {
namespace {

CLI::App* add_study(CLI::App& app, const std::string& name, const std::string& summary,
                    StudyOptions& options) {
  CLI::App* command = app.add_subcommand(name, summary);
  command->add_option("--resolutions", options.resolutions, "cells along an edge")
      ->delimiter(',')
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  command->add_option("--solvers", options.solvers, "catalog names, and auto")->delimiter(',');
  command->add_option("--problems", options.problems, "per resolution; 0: the study's own number")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_option("--tolerance", options.tolerance, "of the scaled natural map")->capture_default_str();
  command->add_option("--time-limit", options.time_limit, "seconds a solve may take")->capture_default_str();
  command->add_option("--budget", options.budget, "seconds per method and resolution")->capture_default_str();
  command->add_option("--seed", options.first_seed, "of the first problem")->capture_default_str();
  return command;
}

int run(int argc, char** argv) {
  CLI::App app("Studies over families of problems");
  app.require_subcommand(1);

  StudyOptions plane;
  plane.resolutions = {8, 16, 32, 64, 128, 256};
  add_study(app, "uic", "the UIC survey's study: pressure problems on a disk", plane)->callback([&] {
    run_study(plane, stdout);
  });

  StudyOptions space;
  space.dimension = 3;
  space.resolutions = {16, 32, 64, 128};
  space.solvers = {"pgs", "pgs-sm", "mprgp", "pmprgp"};
  space.time_limit = 120.0;
  space.budget = 300.0;
  add_study(app, "uic3d", "the same in a ball, and how the iterations grow", space)->callback([&] {
    run_study(space, stdout);
  });

  RandomStudyOptions random;
  CLI::App* generated = app.add_subcommand("random", "generated problems with bounds, sizes over decades");
  generated->add_option("--families", random.families, "lcp, boxed")->delimiter(',')->capture_default_str();
  generated->add_option("--rows", random.rows, "unknowns")->delimiter(',')->capture_default_str();
  generated->add_option("--conditions", random.conditions, "largest over smallest nonzero eigenvalue")
      ->delimiter(',')
      ->capture_default_str();
  generated->add_option("--solvers", random.solvers, "catalog names, and auto")
      ->delimiter(',')
      ->capture_default_str();
  generated->add_option("--tolerance", random.tolerance, "of the scaled natural map")->capture_default_str();
  generated->add_option("--time-limit", random.time_limit, "seconds a solve may take")->capture_default_str();
  generated->add_option("--jobs", random.jobs, "solves side by side, one thread each")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  generated->add_option("--seed", random.seed, "of the problems")->capture_default_str();
  generated->callback([&] { run_random_study(random, stdout); });

  ConeStudyOptions cones;
  CLI::App* heyn = app.add_subcommand("heyn", "Heyn 2012's Test Problems: packings with friction cones");
  heyn->add_option("--tests", cones.tests, "1: no friction, 2: sizes, 3: heavy on light")
      ->delimiter(',')
      ->check(CLI::Range(1, 3))
      ->capture_default_str();
  heyn->add_option("--solvers", cones.solvers, "catalog names")->delimiter(',')->capture_default_str();
  heyn->add_option("--tolerance", cones.tolerance, "of the scaled natural map")->capture_default_str();
  heyn->add_option("--time-limit", cones.time_limit, "seconds a solve may take")->capture_default_str();
  heyn->add_option("--seed", cones.seed, "of the packings")->capture_default_str();
  heyn->callback([&] { run_cone_study(cones, stdout); });

  HeynTableOptions race;
  CLI::App* heyn_table =
      app.add_subcommand("heyn-table", "Heyn 2012's Table I: the time to Jacobi's objective");
  heyn_table->add_option("--spheres", race.spheres, "bodies")->capture_default_str();
  heyn_table->add_option("--sweeps", race.sweeps, "of Jacobi's method")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  heyn_table->add_option("--solvers", race.solvers, "catalog names")->delimiter(',')->capture_default_str();
  heyn_table->add_option("--repetitions", race.repetitions, "in turns; the best counts")
      ->capture_default_str();
  heyn_table->add_option("--time-limit", race.time_limit, "seconds a solve may take")->capture_default_str();
  heyn_table->add_option("--seed", race.seed, "of the packing")->capture_default_str();
  heyn_table->callback([&] { run_heyn_table(race, stdout); });

  MelanzStudyOptions filling;
  CLI::App* melanz = app.add_subcommand("melanz", "Melanz 2015's comparison: spheres in a bucket");
  melanz->add_option("--spheres", filling.spheres, "per problem")
      ->delimiter(',')
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  melanz->add_option("--tolerances", filling.tolerances, "of the scaled natural map")
      ->delimiter(',')
      ->capture_default_str();
  melanz->add_option("--methods", filling.methods, "catalog names, with options as NAME:KEY=VALUE:...")
      ->delimiter(',')
      ->capture_default_str();
  melanz->add_option("--friction", filling.friction, "coefficient")->capture_default_str();
  melanz->add_option("--repetitions", filling.repetitions, "turns of every method; the best counts")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  melanz->add_option("--time-limit", filling.time_limit, "seconds a solve may take")->capture_default_str();
  melanz->add_option("--seed", filling.seed, "of the packings")->capture_default_str();
  melanz->callback([&] { run_melanz_study(filling, stdout); });

  SequenceStudyOptions drifting;
  CLI::App* sequence = app.add_subcommand("sequence", "slowly changing problems with warm starts");
  sequence->add_option("--families", drifting.families, "uic2d, uic3d, packing")
      ->delimiter(',')
      ->check(CLI::IsMember({"uic2d", "uic3d", "packing"}))
      ->capture_default_str();
  sequence->add_option("--sizes", drifting.sizes, "cells along an edge, or spheres")
      ->delimiter(',')
      ->check(CLI::PositiveNumber);
  sequence
      ->add_option(
          "--methods", drifting.methods,
          "catalog names, with options as NAME:KEY=VALUE:..., 'cold ' before one without warm starts")
      ->delimiter(',')
      ->capture_default_str();
  sequence->add_option("--problems", drifting.problems, "in a sequence")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  sequence->add_option("--drift", drifting.drift, "of the load between two problems")->capture_default_str();
  sequence
      ->add_option("--repetitions", drifting.repetitions,
                   "of the sequence; the best time of a problem counts")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  sequence->add_option("--tolerance", drifting.tolerance, "of the scaled natural map")->capture_default_str();
  sequence->add_option("--time-limit", drifting.time_limit, "seconds a solve may take")
      ->capture_default_str();
  sequence->callback([&] { run_sequence_study(drifting, stdout); });

  RuleStudyOptions rules;
  CLI::App* rule = app.add_subcommand("rule", "rules for `auto` under Coulomb's law, for bench/fit-rule");
  rule->add_option("folder", rules.folder, "of problem files, searched with all below it")
      ->envname("SLIPSTICK_DATA")
      ->check(CLI::ExistingDirectory);
  rule->add_option("--tolerances", rules.tolerances, "of both rulers")->delimiter(',')->capture_default_str();
  const auto add_values = [rule](const char* name, auto& values, const char* meaning) {
    rule->add_option(name, values, meaning)
        ->delimiter(',')
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
  };
  add_values("--newton-steps", rules.newton_steps, "whose cost the sweeps ahead may have");
  add_values("--many-contacts", rules.many_contacts,
             "from which on alternating directions follow few sweeps");
  add_values("--alternating-trials", rules.alternating_trials, "iterations that these have in any case");
  add_values("--alternating-steps", rules.alternating_steps,
             "Newton steps, whose cost those ahead may have then");
  add_values("--interior-contacts", rules.interior_contacts, "from which on interior points precede prox");
  add_values("--interior-frictions", rules.interior_frictions, "mean coefficients up to which they do");
  rule->add_option("--repetitions", rules.repetitions, "the best time counts")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  rule->add_option("--time-limit", rules.time_limit, "seconds a solve may take")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  rule->add_option("--jobs", rules.jobs, "problems side by side, one thread each")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  rule->callback([&] { run_rule_study(rules, stdout); });

  StageStudyOptions stages;
  CLI::App* stage = app.add_subcommand("stages", "what every stage of `auto` under Coulomb's law is worth");
  stage->add_option("folder", stages.folder, "of problem files, searched with all below it")
      ->envname("SLIPSTICK_DATA")
      ->check(CLI::ExistingDirectory);
  stage->add_option("--tolerances", stages.tolerances, "of both rulers")
      ->delimiter(',')
      ->capture_default_str();
  stage->add_option("--most-contacts", stages.most_contacts, "larger problems are left out")
      ->capture_default_str();
  stage
      ->add_option(
          "--drifts", stages.drifts,
          "of the load, relative, between the problem and the one whose solution is the start; 0: none")
      ->delimiter(',')
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  stage->add_option("--without", stages.without, "stages that are left out from the beginning")
      ->delimiter(',')
      ->check(CLI::Range(0, static_cast<int>(automatic_coulomb_chain().size()) - 1));
  stage->add_option("--seed", stages.seed, "of the first generated problem")->capture_default_str();
  stage->add_option("--repetitions", stages.repetitions, "the best time counts")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  stage->add_option("--time-limit", stages.time_limit, "seconds a solve may take")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  stage->add_option("--jobs", stages.jobs, "problems side by side, one thread each")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  stage->callback([&] { run_stage_study(stages, stdout); });

  WarmStudyOptions turning;
  CLI::App* warm = app.add_subcommand("warm", "every method from nothing and from the solution before");
  warm->add_option("--families", turning.families, "of problems; all where none is named")->delimiter(',');
  warm->add_option("--methods", turning.methods, "catalog names, and auto; all where none is named")
      ->delimiter(',');
  warm->add_option("--problems", turning.problems, "behind the first")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  warm->add_option("--drift", turning.drift, "radians that the load turns between two problems")
      ->capture_default_str();
  warm->add_option("--tolerance", turning.tolerance, "of the scaled natural map")->capture_default_str();
  warm->add_option("--time-limit", turning.time_limit, "seconds a solve may take")->capture_default_str();
  warm->callback([&] { run_warm_study(turning, stdout); });

  LitvenStudyOptions banded;
  CLI::App* litven = app.add_subcommand("litven", "Litven 2013's banded QPs: one factorization against many");
  litven->add_option("--rows", banded.rows, "unknowns")->check(CLI::PositiveNumber)->capture_default_str();
  litven->add_option("--bandwidth", banded.bandwidth, "of the matrix")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  litven->add_option("--wrong", banded.wrong_indices, "wrong indices in the initial active set")
      ->delimiter(',')
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  litven->add_flag("--normal", banded.normal_load,
                   "a normal linear term, so that half of the rows are active");
  litven->add_option("--tolerance", banded.tolerance, "of the scaled natural map")->capture_default_str();
  litven->add_option("--repetitions", banded.repetitions, "turns of both methods; the best counts")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  litven->add_option("--seed", banded.seed, "of the problems")->capture_default_str();
  litven->callback([&] { run_litven_study(banded, stdout); });

  PreconditionerStudyOptions factors;
  CLI::App* preconditioners = app.add_subcommand(
      "preconditioners",
      "Ho 2022's Figure 6.1 in kind: incomplete Cholesky factors with conjugate gradients");
  preconditioners->add_option("--spheres", factors.spheres, "of the heaps")
      ->delimiter(',')
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  preconditioners->add_option("--normals", factors.normals, "spheres of heaps without friction")
      ->delimiter(',')
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  preconditioners->add_option("--columns", factors.columns, "spheres of narrow columns without friction")
      ->delimiter(',')
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  preconditioners->add_option("--links", factors.links, "of the chains")
      ->delimiter(',')
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  preconditioners->add_option("--mass-ratios", factors.mass_ratios, "of the heavy body to the light ones")
      ->delimiter(',')
      ->capture_default_str();
  preconditioners->add_option("--removed", factors.removed, "shares of the rows that leave the free set")
      ->delimiter(',')
      ->capture_default_str();
  preconditioners->add_option("--floors", factors.floors, "of imaginary pivots")
      ->delimiter(',')
      ->capture_default_str();
  preconditioners->add_option("--compensations", factors.compensations, "of imaginary factors")
      ->delimiter(',')
      ->capture_default_str();
  std::map<std::string, Ordering> orderings;
  for (const Ordering ordering : available_orderings()) orderings.emplace(name(ordering), ordering);
  preconditioners->add_option("--ordering", factors.ordering, "of the rows")
      ->transform(CLI::CheckedTransformer(orderings));
  preconditioners->add_option("--compliances", factors.compliances, "relative to the mean diagonal")
      ->delimiter(',')
      ->capture_default_str();
  preconditioners->add_option("--tolerance", factors.tolerance, "of the relative residual")
      ->capture_default_str();
  preconditioners->add_option("--max-iterations", factors.max_iterations, "of a solve")
      ->capture_default_str();
  preconditioners->add_option("--random", factors.random_problems, "matrices that break IC(0)")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  preconditioners->add_option("--repetitions", factors.repetitions, "the best counts")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  preconditioners->add_option("--seed", factors.seed, "of the systems")->capture_default_str();
  preconditioners->callback([&] { run_preconditioner_study(factors, stdout); });

  std::vector<std::filesystem::path> tables;
  std::filesystem::path folder = ".";
  CLI::App* plot = app.add_subcommand("plot", "draw figures from the CSV of a study");
  plot->add_option("csv", tables, "files")->required()->check(CLI::ExistingFile);
  plot->add_option("--out", folder, "folder of the figures")->capture_default_str();
  plot->callback([&] {
    for (const auto& table : tables) {
      const std::string header = header_of(table);
      if (header == cone_study_header) {
        plot_cone_study(table, folder);
      } else if (header == melanz_study_header) {
        plot_melanz_study(table, folder);
      } else if (header == litven_study_header) {
        plot_litven_study(table, folder);
      } else if (header == preconditioner_study_header) {
        plot_preconditioner_study(table, folder);
      } else {
        plot_study(table, folder);
      }
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
