// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Everything that most users need: the problem types, solve(), the catalog of methods, files in and out.
///
///     const slipstick::ProblemFile file = slipstick::read_problem("heap.mtx");
///     const slipstick::DriverResult result = slipstick::solve(file.problem, {.settings = {.tolerance =
///     1e-6}}); if (result.solved()) slipstick::write_solution("heap_solution.csv", file.problem, result);
///
/// A time loop that must not allocate keeps one method of the catalog and calls it directly:
///
///     const std::unique_ptr<slipstick::Solver> solver = slipstick::make_solver("pmprgp");
///     slipstick::Result result;
///     for (...) solver->solve(problem, settings, result);
///
/// Bad input and bad settings throw slipstick::Error; not converged is result.status.

#include "slipstick/base/error.hpp"
#include "slipstick/catalog/catalog.hpp"
#include "slipstick/catalog/driver.hpp"
#include "slipstick/io/files.hpp"
#include "slipstick/problems/convert.hpp"
#include "slipstick/problems/generators.hpp"
#include "slipstick/problems/problem.hpp"
#include "slipstick/problems/validate.hpp"
