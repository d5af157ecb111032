// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "slipstick/base/processor_time.hpp"
#include "slipstick/io/report/table_headers.hpp"
#include "slipstick/linsolve/sparse/ordering.hpp"
#include "slipstick/matrix.hpp"
#include "slipstick/solve/solver.hpp"

namespace slipstick::internal::bench {

/// What is asked of a study of the UIC survey's pressure problem.
struct StudyOptions {
  int dimension = 2;
  std::vector<int> resolutions;      ///< cells along an edge
  std::vector<std::string> solvers;  ///< catalog names, and "auto"; empty: the survey's six and ours
  int problems = 0;                  ///< per resolution; 0: as many as default_problems says
  double tolerance = 1e-8;           ///< of the scaled natural map
  double time_limit = 5.0;           ///< seconds a solve may take
  double budget = 400.0;             ///< seconds a method may spend on a resolution in all
  std::uint64_t seed = 1;            ///< problem k of a resolution has the seed seed + k
};

/// What one method did with the problems of one resolution.
struct StudyRow {
  std::string solver;
  int dimension = 2;
  int resolution = 0;
  Index unknowns = 0;
  std::int64_t problems = 0;  ///< that were asked for
  std::int64_t finished = 0;  ///< that the budget sufficed for; sums below are over these
  std::int64_t solved = 0;    ///< of those, to the tolerance
  double seconds = 0.0;
  std::int64_t iterations = 0;
  std::int64_t products = 0;
  double worst_error = 0.0;  ///< largest scaled natural map
  std::string outcome;       ///< complete, over budget, none solved or unsupported
};

int default_problems(int dimension, int resolution);

/// Runs the study: every problem is solved by all methods before the next one is made. Writes one line of CSV
/// per method and resolution, and the growth of the iterations as comments.
void run_study(const StudyOptions& options, std::FILE* csv);

/// What is asked of a study of the generated problems with bounds.
struct RandomStudyOptions {
  std::vector<std::string> families = {"lcp", "boxed"};
  std::vector<int> rows = {1, 10, 100, 1000, 10000};
  std::vector<double> conditions = {1.0, 1e2, 1e4, 1e6, 1e8};
  std::vector<std::string> solvers = {"mprgp", "pmprgp", "auto"};
  double tolerance = 1e-8;     ///< of the scaled natural map
  double time_limit = 1800.0;  ///< seconds a solve may take
  int jobs = 1;                ///< solves side by side, one thread each
  std::uint64_t seed = 1;
};

/// Solves every family, size, condition and shape (regular, degenerate, rank-deficient, both) by every
/// method. Each solve gives one line of CSV when it ends, with the distance to the known solution.
void run_random_study(const RandomStudyOptions& options, std::FILE* csv);

/// What is asked of a study of degenerate LCPs.
struct GamesStudyOptions {
  int games = 1000;
  int least_rows = 10, most_rows = 150;  ///< of an LCP
  std::vector<std::string> solvers = {"lemke", "auto"};
  double tolerance = 1e-8;   ///< of the scaled natural map
  double time_limit = 20.0;  ///< seconds a solve may take
  std::uint64_t seed = 1;
};

/// Random games with integer payoffs: one line of CSV per game and method.
void run_games_study(const GamesStudyOptions& options, std::FILE* csv);

/// What is asked of Heyn 2012's study.
struct ConeStudyOptions {
  std::vector<int> tests = {1, 2, 3};  ///< the paper's Test Problems
  std::vector<std::string> solvers = {"jacobi", "gpminres", "gpminres-p", "p-spg-fb",
                                      "kucera", "apgd",     "ipm"};
  double tolerance = 1e-8;   ///< of the scaled natural map
  double time_limit = 20.0;  ///< seconds a solve may take
  std::uint64_t seed = 1;
};

/// The course of every method on packings like the paper's, over iterations and seconds. It has the
/// objective, the residual of eq. 24, the feasibility sum |x_i'w_i| and the contacts on the boundary of their
/// cones.
void run_cone_study(const ConeStudyOptions& options, std::FILE* csv);

/// What is asked of Melanz 2015's study.
struct MelanzStudyOptions {
  std::vector<int> spheres = {40, 110, 350, 700, 1700, 3400};
  std::vector<double> tolerances = {1e-4, 1e-6};  ///< of the scaled natural map
  /// Catalog names, with options after colons.
  std::vector<std::string> methods = {"apgd", "pdip:direction=direct", "pdip:direction=krylov", "p-pdip"};
  double friction = 0.3;
  int repetitions = 3;
  double time_limit = 60.0;  ///< seconds a solve may take
  std::uint64_t seed = 1;
};

/// Every method on spheres in a bucket, as high as wide: one line of CSV per size, tolerance and method.
void run_melanz_study(const MelanzStudyOptions& options, std::FILE* csv);

/// What is asked of a study of warm starts.
struct SequenceStudyOptions {
  std::vector<std::string> families = {"uic2d", "uic3d", "packing"};
  std::vector<int> sizes;  ///< cells along an edge, or spheres; empty: each family's own
  /// Catalog names, with options after colons; "cold " before one: without warm starts.
  std::vector<std::string> methods = {
      "bpp", "bpp:factor=refactor", "cold bpp", "ppm", "bpp-pcg", "pgcg", "mprgp", "pmprgp"};
  int problems = 100;
  double drift = 0.01;  ///< of the load from one problem to the next, relative (radians in a packing)
  int repetitions = 3;
  double tolerance = 1e-8;   ///< of the scaled natural map
  double time_limit = 10.0;  ///< seconds a solve may take
};

/// Sequences of problems whose load drifts, each solved from the solution of the one before: one line of CSV
/// per family, size and method.
void run_sequence_study(const SequenceStudyOptions& options, std::FILE* csv);

/// What is asked of a study of rules for `auto` under Coulomb's law.
struct RuleStudyOptions {
  std::filesystem::path folder;  ///< of problem files, searched with all below it; empty: none
  std::vector<double> tolerances = {1e-4, 1e-8};
  // See CoulombRule.
  std::vector<double> newton_steps = {10.0};
  std::vector<int> many_contacts = {25, 50, 100, 1000000};
  std::vector<int> alternating_trials = {100, 200};
  std::vector<double> alternating_steps = {20.0};
  std::vector<int> interior_contacts = {200, 1000000};
  std::vector<double> interior_frictions = {0.5};
  int repetitions = 3;
  double time_limit = 2.0;  ///< seconds a solve may take
  int jobs = 1;             ///< problems side by side, one thread each
};

/// Solves contact problems by the chain of every rule, and writes one line of CSV for each. The problems are
/// those of files and of generated families that have more than 16 contacts.
void run_rule_study(const RuleStudyOptions& options, std::FILE* csv);

/// What is asked of a study of the stages of `auto` under Coulomb's law.
struct StageStudyOptions {
  std::filesystem::path folder;  ///< of problem files, searched with all below it; empty: none
  std::vector<double> tolerances = {1e-4, 1e-8};
  Index most_contacts = 1000;
  /// From the solution of a problem whose load differs by this, relative; 0: from no start.
  std::vector<double> drifts = {0.0, 1e-4, 1e-2};
  std::vector<int> without;  ///< stages that are left out from the beginning
  int seed = 1;              ///< of the first generated problem
  int repetitions = 2;
  double time_limit = 5.0;  ///< seconds a solve may take
  int jobs = 1;             ///< problems side by side, one thread each
};

/// Solves every contact problem of files and of generated families by the whole chain. Then solves it without
/// each stage that has taken an island of it: one line of CSV for every such stage.
void run_stage_study(const StageStudyOptions& options, std::FILE* csv);

/// What is asked of the comparison of warm and cold starts.
struct WarmStudyOptions {
  std::vector<std::string> families;  ///< empty: all
  std::vector<std::string> methods;   ///< catalog names and auto; empty: all
  int problems = 6;                   ///< behind the first
  double drift = 1e-4;                ///< radians by which the load turns from one problem to the next
  double tolerance = 1e-6;            ///< of the scaled natural map
  double time_limit = 1.0;            ///< seconds a solve may take
};

/// Every method on problems whose load turns, from nothing and from the solution of the one before: one line
/// of CSV per family and method.
void run_warm_study(const WarmStudyOptions& options, std::FILE* csv);

/// What is asked of the comparison of steps.
struct StepStudyOptions {
  double tolerance = 1e-8;  ///< of the scaled natural map, for every island
  int repetitions = 7;
  int spheres = 35000;  ///< of the heap that is one island
};

/// Steps of bodies: many islands, joints, threads, and steps in which nothing has changed. One line of CSV
/// per comparison.
void run_step_study(const StepStudyOptions& options, std::FILE* csv);

/// What is asked of the study of settling spheres.
struct SettlingStudyOptions {
  std::vector<int> spheres = {350, 1000, 3500, 10000, 35000};
  /// Steps of each phase that are solved under Coulomb's law, 0: all. One entry per size, or one for all.
  std::vector<int> window = {0, 0, 10, 0, 4};
  int lead = 3;  ///< steps before a window that are solved under both laws and not reported
  std::string moved_by = "convex";  ///< or "coulomb": the law whose answers move the bodies
  /// "spheres": they fall into the box. "heap": they are laid there, and it takes few steps to come to rest.
  std::string start = "spheres";
  /// Of a sequence of 1,000 spheres that fall; more for larger ones, with the root of the height.
  int steps = 180;
  /// Up to this size the convex law is solved to `tolerance` in all phases, beyond it near rest only.
  int convex_spheres = 1000;
  std::string solver = "auto";   ///< under Coulomb's law
  double tolerance = 1e-4;       ///< of the scaled natural map, for every island
  double fall_tolerance = 1e-2;  ///< of the law that moves the bodies in all other steps
  double time_limit = 5.0;       ///< seconds that 1,000 spheres may take in a step, and in proportion
  std::uint64_t seed = 1;
};

/// Spheres that settle in a box. One law moves them. Every step, or a window of every phase, is solved under
/// both: the other law starts from its own answer of the step before. One line of CSV per step. The phases
/// are shares of the steps: falling, compaction, near rest. A heap has the last two.
void run_settling_study(const SettlingStudyOptions& options, std::FILE* csv);

/// What is asked of the study of the scenes of Ho 2022.
struct SceneStudyOptions {
  std::vector<std::string> scenes = {"boxes", "tower", "spinner", "chain", "trucks", "rocks", "wall"};
  std::vector<std::string> laws = {"box", "coulomb"};
  std::vector<std::string> solvers = {"auto"};
  double duration = 10.0;       ///< s
  double tolerance = 1e-4;      ///< under Coulomb's law
  double box_tolerance = 1e-6;  ///< under the laws of boxes
  double limit = 600.0;         ///< for a run, s
  double step_limit = 20.0;     ///< for a solve, s
  bool condition = false;       ///< compute it: up to some minutes for a scene
  int every = 10;               ///< steps from one comparison of methods to the next
};
FrictionLaw scene_law(const std::string& name);
double scene_tolerance(const SceneStudyOptions& options, FrictionLaw law);
/// A row per scene, law and solver.
void run_scene_study(const SceneStudyOptions& options, std::FILE* csv);

/// The methods on the same steps, from the same starts, one after the other. A row per scene, law and solver.
void run_scene_methods(const SceneStudyOptions& options, std::FILE* csv);

/// What is asked of the study of scenes that stand.
struct StandStudyOptions {
  std::vector<std::string> cases;  ///< their names; empty: all
  double tolerance = 1e-4;         ///< of the scaled natural map, for every island
};

/// Stacks, a wall, cards, arches and a chain over many steps: one line of CSV per case. Lengths are in m.
/// `moved`, `sideways` and `turned` are the largest way of a body since the start, its level part and the
/// angle. `crept` is the way since second 1. The energy gain is relative to the largest energy. What a step
/// costs at rest is the sum over the last tenth of the steps.
void run_stand_study(const StandStudyOptions& options, std::FILE* csv);

/// A method with its options, as NAME or NAME:KEY=VALUE:...
std::unique_ptr<Solver> make_method(const std::string& text);

/// What is asked of Litven 2013's study of banded QPs.
struct LitvenStudyOptions {
  Index rows = 8000;
  Index bandwidth = 1000;
  std::vector<int> wrong_indices = {0, 10, 20, 30, 40, 50};  ///< of the initial active set
  bool normal_load = false;  ///< c normal, half of the rows active; else uniform in [0, 1], most of them free
  double tolerance = 1e-10;  ///< of the scaled natural map
  int repetitions = 3;
  std::uint64_t seed = 1;
};

/// Factorizations, solves and iterations of pdasm and schurpa, and their times (Table 7.1): one line of CSV
/// per number of wrong indices and method.
void run_litven_study(const LitvenStudyOptions& options, std::FILE* csv);

/// What is asked of the comparison of preconditioners.
struct PreconditionerStudyOptions {
  std::vector<int> spheres = {100, 300};         ///< of the heaps
  std::vector<int> normals = {100, 300, 1000};   ///< spheres of heaps without friction
  std::vector<int> columns = {100, 300};         ///< spheres of columns, three radii wide, without friction
  std::vector<int> links = {1000};               ///< of the chains
  std::vector<double> mass_ratios = {1.0, 1e5};  ///< of the plate to the heap, of the weight to a link
  std::vector<double> compliances = {1e-6, 1e-4, 1e-2};  ///< relative to the mean diagonal
  std::vector<double> removed = {0.1};                   ///< shares of the rows that leave the free set
  std::vector<double> floors = {0.1};         ///< of the imaginary variant's pivots, beside its own
  std::vector<double> compensations = {0.1};  ///< of the imaginary variant, beside its 0
  Ordering ordering = Ordering::natural;
  double tolerance = 1e-6;       ///< of the residual, relative (Ho: 1e-6)
  Index max_iterations = 20000;  ///< Ho: 20,000
  int random_problems = 10000;   ///< that break IC(0)
  int repetitions = 3;
  std::uint64_t seed = 1;
};

/// Jacobi and the incomplete Cholesky family with conjugate gradients: one line of CSV per system and
/// preconditioner.
void run_preconditioner_study(const PreconditionerStudyOptions& options, std::FILE* csv);

/// What is asked of Heyn 2012's Table I.
struct HeynTableOptions {
  Index spheres = 1000;
  int sweeps = 43000;  ///< of Jacobi's method, which set the objective to reach
  std::vector<std::string> solvers = {"gpminres", "gpminres-p", "p-spg-fb", "kucera", "apgd", "ipm"};
  int repetitions = 3;
  double time_limit = 60.0;  ///< seconds a solve may take
  std::uint64_t seed = 1;
};

/// A packing without friction. Jacobi's method sets the objective by its sweeps. The table has the time that
/// every method needs to reach it, and how many times less that is.
void run_heyn_table(const HeynTableOptions& options, std::FILE* csv);

void print_header(std::FILE* csv);
void print_row(std::FILE* csv, const StudyRow& row);

/// The rows of one method that stand for solved problems alone, smallest problem first.
std::vector<StudyRow> rows_of(const std::vector<StudyRow>& rows, const std::string& solver);
/// The methods in the order of their first rows.
std::vector<std::string> solvers_in(const std::vector<StudyRow>& rows);
/// The slope of log(iterations per problem) over log(unknowns), by least squares; NaN with fewer than two
/// rows.
double iteration_growth(const std::vector<StudyRow>& rows_of_one_solver);

}  // namespace slipstick::internal::bench
