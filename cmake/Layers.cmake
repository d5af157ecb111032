# SPDX-FileCopyrightText: 2026 The Slipstick authors
# SPDX-License-Identifier: Apache-2.0
# The layers of the library, lowest first: "LAYER FOLDER [FOLDER...]", folders below slipstick/.
# A file may include files of its own folder and of folders on lower layers. Folders on one layer never include each other.
# A folder that is not named here belongs to the folder above it. CheckArrows.cmake enforces this.
set(SLIPSTICK_LAYERS
  "0   base"
  "1   linalg"
  "2   problems"
  "2.1 linsolve/krylov linsolve/incomplete"
  "2.2 linsolve/dense"
  "2.3 linsolve/banded"
  "2.4 linsolve/sparse"
  "3   measures io scenes"
  "4   solve"
  "5.1 solvers/common"
  "5.2 solvers/sweeps solvers/pivoting solvers/active_set solvers/interior_point solvers/newton"
  "5.3 solvers/projected"
  "6.1 contact/coulomb"
  "6.2 contact/coulomb/sweeps"
  "6.3 contact/coulomb/newton"
  "6.4 contact/coulomb/auto contact/forms"
  "6.5 contact/sequence"
  "8   catalog"
  "9   slipstick.hpp")
