// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/catalog/catalog.hpp"

#include "slipstick/solvers/mprgp.hpp"

namespace slipstick {
namespace {

using enum ProblemClass;
constexpr ProblemClass convex_bounds[] = {lcp, mlcp, boxed, contact2d, contact3d, global2d, global3d};
constexpr ProblemClass any_bounds[] = {lcp, mlcp, boxed, qp, contact2d, contact3d, global2d, global3d};

template <class Method, class MethodSettings>
std::unique_ptr<Solver> make(std::string_view name, const Options& options) {
  return std::make_unique<Method>(read_options<MethodSettings>(options, name));
}

constexpr CatalogRow table[] = {
    {.name = "mprgp",
     .summary = "modified proportioning with reduced gradient projections",
     .paper = "UIC survey 3.3.5, Alg. 7",
     .advice = "large symmetric problems, matrix-free ones included",
     .classes = convex_bounds,
     .nonsymmetric = false,
     .matrix_free = true,
     .make = make<Mprgp, MprgpSettings>,
     .options = describe_options<MprgpSettings>},
    {.name = "pmprgp",
     .summary = "mprgp preconditioned by a modified incomplete Cholesky factor of the free rows",
     .paper = "UIC survey 3.3.6",
     .advice = "large sparse symmetric problems; the first choice of auto",
     .classes = convex_bounds,
     .nonsymmetric = false,
     .matrix_free = false,
     .make = make<Mprgp, PmprgpSettings>,
     .options = describe_options<PmprgpSettings>},
};

}  // namespace

std::span<const CatalogRow> catalog() {
  return table;
}

const CatalogRow* find_solver(std::string_view name) {
  for (const CatalogRow& row : table) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

std::unique_ptr<Solver> make_solver(std::string_view name, const Options& options) {
  if (const CatalogRow* row = find_solver(name)) return row->make(name, options);
  std::string names;
  for (const CatalogRow& row : table) names += (names.empty() ? "" : ", ") + std::string(row.name);
  fail("there is no solver '{}'; there are: auto, {}", name, names);
}

}  // namespace slipstick
