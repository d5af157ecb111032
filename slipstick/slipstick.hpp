// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Everything that most users need: the problem types, solve(), the catalog of methods, files, simulation.
///
///     using namespace slipstick;
///     const ProblemFile file = read_problem("heap.hdf5");
///     const DriverResult result = solve(file.problem, {.settings = {.tolerance = 1e-6}});
///     if (result.solved()) write_solution("heap_solution.csv", file.problem, result);
///
/// A time loop keeps a Driver and gives it the last answer as a warm start. solve() makes a new Driver each
/// time:
///
///     Driver driver({.settings = {.tolerance = 1e-6}});
///     DriverResult result;
///     WarmStart start;
///     for (...) {
///       driver.solve(problem, result, &start);
///       start.x = result.r;  // x without contacts; ContactMemory if contacts appear and vanish
///     }
///
/// SolveRequest::solver names one method instead of `auto`. Bad input and bad settings throw Error. A solve
/// that did not converge reports it in result.status.

#include "slipstick/body_problem.hpp"
#include "slipstick/contact_memory.hpp"
#include "slipstick/contact_methods.hpp"
#include "slipstick/error.hpp"
#include "slipstick/files.hpp"
#include "slipstick/matrix.hpp"
#include "slipstick/measures.hpp"
#include "slipstick/methods.hpp"
#include "slipstick/pair_finder.hpp"
#include "slipstick/problem.hpp"
#include "slipstick/result.hpp"
#include "slipstick/run.hpp"
#include "slipstick/scene.hpp"
#include "slipstick/scene_files.hpp"
#include "slipstick/settings.hpp"
#include "slipstick/solve.hpp"
#include "slipstick/step_solver.hpp"
#include "slipstick/version.hpp"
#include "slipstick/world.hpp"
