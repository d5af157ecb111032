# SPDX-FileCopyrightText: 2026 The Slipstick authors
# SPDX-License-Identifier: Apache-2.0
# The layers of the library, lowest first: "LAYER FOLDER [FOLDER...]", folders below slipstick/.
# A file may include files of its own folder and of folders on lower layers. Folders on one layer never include each other.
# A folder that is not named here belongs to the folder above it. CheckArrows.cmake enforces this.
set(SLIPSTICK_LAYERS
  # The public headers. They are below everything else, so that they can include only each other.
  "0   export.hpp"
  "1   error.hpp version.hpp matrix.hpp"
  "2   problem.hpp result.hpp settings.hpp methods.hpp"
  "3   body_problem.hpp contact_memory.hpp contact_methods.hpp files.hpp measures.hpp pair_finder.hpp run.hpp scene.hpp step_solver.hpp"
  "4   scene_files.hpp solve.hpp world.hpp"
  "5   slipstick.hpp"
  "6   base"
  "7   linalg"
  "8   problems model"
  "8.1 linsolve/krylov linsolve/incomplete"
  "8.2 linsolve/dense"
  "8.3 linsolve/banded"
  "8.4 linsolve/sparse"
  "9   measures io scenes"
  "10   solve"
  "11.1 solvers/common"
  "11.2 solvers/sweeps solvers/pivoting solvers/active_set solvers/interior_point solvers/newton"
  "11.3 solvers/projected"
  "12.1 contact/coulomb"
  "12.2 contact/coulomb/sweeps"
  "12.3 contact/coulomb/newton"
  "12.4 contact/coulomb/auto contact/forms"
  "12.5 contact/sequence"
  "13.1 sim/collision"
  "13.2 sim/rigid"
  "13   cuda"
  "14   catalog")
