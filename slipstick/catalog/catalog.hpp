// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "slipstick/problem.hpp"
#include "slipstick/settings.hpp"
#include "slipstick/solve/options.hpp"
#include "slipstick/solve/solver.hpp"

namespace slipstick::internal {

/// Makes a method from its options or its settings struct, and describes the options.
struct MethodMaker {
  std::unique_ptr<Solver> (*make)(std::string_view name, const Options& options, const AnySettings& typed);
  std::vector<OptionInfo> (*options)();
};

/// One method: everything that listings, documentation, contract tests and benchmarks need to know about it.
struct CatalogRow {
  std::string_view name;
  std::string_view summary;
  std::string_view paper;
  std::string_view advice;                ///< when to choose it
  std::span<const ProblemClass> classes;  ///< classes it may be asked for; a problem may still be unsupported
  bool nonsymmetric = false;              ///< takes nonsymmetric matrices
  bool matrix_free = false;               ///< needs products and diagonal only
  /// Profits from a start near the solution; the others use one only if it is a solution.
  bool warm_start = true;
  bool needs_device = false;  ///< refuses every problem where there is no CUDA device
  MethodMaker method;
  std::vector<OptionInfo> options() const { return method.options(); }
};

/// The table of solvers, in the order of the documentation.
std::span<const CatalogRow> catalog();
/// nullptr if there is no such method.
const CatalogRow* find_solver(std::string_view name);
/// `typed` is the method's settings struct, or empty for the defaults; options are applied on top of it.
/// Fails if there is no such method or an option is wrong. The error lists the names.
std::unique_ptr<Solver> make_solver(std::string_view name, const Options& options = {},
                                    const AnySettings& typed = {});

}  // namespace slipstick::internal
