// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/report/table_kinds.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "slipstick/base/error.hpp"
#include "slipstick/io/report/table_headers.hpp"
#include "slipstick/io/run_export.hpp"
#include "slipstick/io/text_scanner.hpp"

namespace slipstick::internal::report {
namespace {

bool has(const std::vector<std::string>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool fits(const TableKind& kind, const std::vector<std::string>& columns) {
  const std::vector<std::string> known = split_header(kind.header);
  if (!kind.subset) return columns == known;
  return columns.front() == known.front() &&
         std::all_of(columns.begin(), columns.end(), [&](const std::string& c) { return has(known, c); });
}

// The kind with the largest share of columns in common.
const TableKind& nearest_kind(const std::vector<std::string>& columns) {
  const auto likeness = [&](const TableKind& kind) {
    const std::vector<std::string> known = split_header(kind.header);
    const auto common = static_cast<double>(
        std::count_if(known.begin(), known.end(), [&](const std::string& c) { return has(columns, c); }));
    return common / (static_cast<double>(known.size() + columns.size()) - common);
  };
  return *std::max_element(table_kinds().begin(), table_kinds().end(),
                           [&](const TableKind& a, const TableKind& b) { return likeness(a) < likeness(b); });
}

}  // namespace

const std::vector<TableKind>& table_kinds() {
  static const std::vector<TableKind> kinds = {
      {"comparison", "Comparison of methods", "One row per method and file, as slipstick compare writes it.",
       comparison_header, "file,class,solver,status,solved,message", comparison_figures,
       comparison_summaries},
      {"history", "Convergence of a solve", "One row per iteration, as slipstick solve --history writes it.",
       history_header, "", history_figures},
      {"solution", "Solution", "One row per unknown or contact row, as slipstick solve --output writes it.",
       "row,u,r,v,l,u_l,x,w,multipliers", "", nullptr, nullptr, true},
      {"run-steps", "Steps of a run", "One row per step, as slipstick export --csv writes it.",
       run_csv_header(RunTable::steps), "", run_figures},
      {"run-bodies", "Bodies of a run", "One row per frame and body, as slipstick export --csv writes it.",
       run_csv_header(RunTable::bodies), "name"},
      {"run-contacts", "Contacts of a run",
       "One row per frame and contact, as slipstick export --csv writes it.",
       run_csv_header(RunTable::contacts), "state"},
      {"run-joints", "Joints of a run", "One row per frame and joint, as slipstick export --csv writes it.",
       run_csv_header(RunTable::joints), "name"},
      {"peers", "Slipstick beside its peers", "One row per problem, tolerance and solver.", contest_header,
       "class,problem,solver,status", contest_figures, contest_summaries},
      {"scenes", "Scenes step by step", "One row per scene, law and solver.", scene_header,
       "scene,law,solver", scene_figures},
      {"scene-methods", "Methods on the steps of scenes",
       "One row per scene, law and solver; all solvers take the same problems from the same starts.",
       scene_methods_header, "scene,law,solver", scene_methods_figures},
      {"stands", "Scenes that stand", "One row per case. Lengths are in m, angles in rad.", stand_header,
       "case", stand_figures},
      {"step", "Steps of bodies", "One row per comparison of two ways to solve a step.", step_header,
       "comparison,first,second,solved", step_figures},
      {"settling", "Settling spheres", "One row per step, under Coulomb's law and under the convex law.",
       settling_header, "phase,coulomb_status,methods,convex_status", settling_figures},
      {"sequence", "Slowly changing problems", "One row per family, size and method.", sequence_header,
       "family,method,start", sequence_figures},
      {"warm", "Warm and cold starts", "One row per family and method.", warm_header, "family,method,claims"},
      {"pressure", "Pressure problems of the UIC survey", "One row per method and resolution.",
       pressure_header, "solver,outcome", pressure_figures},
      {"random", "Generated problems with bounds", "One row per problem and method.", random_header,
       "family,shape,solver,status"},
      {"games", "Random games as LCPs", "One row per game and method.", games_header, "solver,status",
       nullptr, games_summaries},
      {"heyn", "Packings with friction cones: the course of the methods (Heyn 2012)",
       "One row per system, method and recorded iteration.", cone_header, "solver", cone_figures},
      {"heyn-table", "Packings without friction: the time to Jacobi's objective (Heyn 2012)",
       "One row per method.", heyn_header, "solver,reached", heyn_figures},
      {"melanz", "Spheres in a bucket (Melanz 2015)", "One row per size, tolerance and method.",
       melanz_header, "method,status", melanz_figures},
      {"litven", "Banded quadratic programs (Litven 2013)", "One row per number of wrong indices and method.",
       litven_header, "method,status", litven_figures},
      {"preconditioners", "Incomplete factors with conjugate gradients (Ho 2022)",
       "One row per system and preconditioner.", preconditioner_header, "system,preconditioner,converged",
       preconditioner_figures},
      {"rule", "Rules for auto under Coulomb's law", "One row per problem, tolerance and rule.", rule_header,
       "family,problem"},
      {"stages", "Stages of auto under Coulomb's law", "One row per problem and stage that took part.",
       stage_header, "family,problem,solver,reason"},
      {"tao", "Pressure problems beside PETSc's TAO", "One row per method and variant.", tao_header,
       "problem,method,variant,outcome"},
      {"limits", "Time limits",
       "One row per problem, method and limit. `over` is 1 if the limit was not kept.", limit_header,
       "problem,law,method,status", nullptr, limit_summaries},
      {"page-sizes", "Sizes of pages of runs", "One row per page.", page_size_header, "page"},
      {"viewer", "Frame rates and opening times of pages of runs",
       "One row per round: the page, and a bare scene of three.js where there is one.", viewer_header,
       "study,shape,unit"},
      {"bandwidth", "Products against a copy", "One row per operator and number of threads.",
       bandwidth_header, "operator"},
      {"iteration", "Sweeps against a copy", "One row per size and number of threads.", iteration_header, ""},
      {"gpu", "Iterations on a device against a copy", "One row per method, kind of contacts and size.",
       gpu_header, "device,method,shape", gpu_figures},
      {"gpu-step", "A simulated step, its contacts solved on a device",
       "One row per step. Its seconds are those of the pairs of shapes, of contacts and their matrix, of all "
       "before, in and after the iterations, of projection and of motion.",
       gpu_step_header, "device,method,collision,status", gpu_step_figures},
      {"gpu-banded", "Banded systems and active sets on a device (Litven 2013)",
       "One row per operation, variant and count: of right-hand sides, or of wrong indices of a start.",
       gpu_banded_header, "device,operation,variant", gpu_banded_figures},
      {"gpu-spike", "SPIKE on a device, LAPACK on the host",
       "One row per method, matrix and number of right sides.", gpu_spike_header, "device,method,matrix"},
      {"factorizations", "Factorizations against those of libraries",
       "One row per matrix and factorization. `slower` is the fastest of ours relative to this one.",
       factorization_header, "matrix,job,method,status"},
      {"banded", "Banded kernels against LAPACK", "One row per operation and size.", banded_header,
       "operation,peer"},
      {"dense", "Dense factorizations against LAPACK", "One row per operation and size.", dense_header,
       "operation,peer"},
      {"spike", "SPIKE against LAPACK", "One row per method, size and number of threads.", spike_header,
       "method"},
      {"micro", "Kernels, one by one", "One row per kernel.", micro_header,
       "name,time_unit,label,error_occurred,error_message"},
  };
  return kinds;
}

const TableKind& kind_of(const CsvTable& table) {
  const auto found = std::find_if(table_kinds().begin(), table_kinds().end(),
                                  [&](const TableKind& kind) { return fits(kind, table.columns()); });
  if (found == table_kinds().end()) {
    const TableKind& nearest = nearest_kind(table.columns());
    fail("{}: unknown columns '{}'; the nearest known table is '{}', expected its columns {}", table.path(),
         printable(fmt::format("{}", fmt::join(table.columns(), ",")), 200), nearest.name, nearest.header);
  }
  const std::vector<std::string> texts = split_header(found->texts);
  for (std::size_t column = 0; column < table.columns().size(); ++column)
    if (!has(texts, table.columns()[column])) table.check_numbers(column);
  return *found;
}

void check_rows(const CsvTable& table) {
  if (table.rows() == 0) fail("{}: has no rows below the header", table.path());
}

Figures figures_of(const TableKind& kind, const CsvTable& table) {
  return kind.draw == nullptr || table.rows() == 0 ? Figures{} : kind.draw(table);
}

Summaries summaries_of(const TableKind& kind, const CsvTable& table) {
  return kind.summarize == nullptr || table.rows() == 0 ? Summaries{} : kind.summarize(table);
}

}  // namespace slipstick::internal::report
