# SPDX-FileCopyrightText: 2026 The Slipstick authors
# SPDX-License-Identifier: Apache-2.0
# The solvers of Siconos: target SiconosNumerics::numerics.
find_path(SiconosNumerics_INCLUDE_DIR SiconosConfig.h PATH_SUFFIXES siconos)
find_path(SiconosNumerics_SOLVER_INCLUDE_DIR SolverOptions.h PATH_SUFFIXES siconos/numerics)
find_library(SiconosNumerics_LIBRARY NAMES siconos_numerics)
find_library(SiconosNumerics_EXTERNALS_LIBRARY NAMES siconos_externals)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SiconosNumerics REQUIRED_VARS SiconosNumerics_LIBRARY SiconosNumerics_EXTERNALS_LIBRARY
                                  SiconosNumerics_INCLUDE_DIR SiconosNumerics_SOLVER_INCLUDE_DIR)
if(SiconosNumerics_FOUND AND NOT TARGET SiconosNumerics::numerics)
  add_library(SiconosNumerics::numerics UNKNOWN IMPORTED)
  set_target_properties(SiconosNumerics::numerics PROPERTIES
    IMPORTED_LOCATION "${SiconosNumerics_LIBRARY}"
    INTERFACE_LINK_LIBRARIES "${SiconosNumerics_EXTERNALS_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${SiconosNumerics_INCLUDE_DIR};${SiconosNumerics_SOLVER_INCLUDE_DIR}")
endif()
mark_as_advanced(SiconosNumerics_INCLUDE_DIR SiconosNumerics_SOLVER_INCLUDE_DIR SiconosNumerics_LIBRARY
                 SiconosNumerics_EXTERNALS_LIBRARY)
