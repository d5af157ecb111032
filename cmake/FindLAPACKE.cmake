# SPDX-FileCopyrightText: 2026 The Slipstick authors
# SPDX-License-Identifier: Apache-2.0
# The C interface of LAPACK, over the BLAS that the system prefers: target LAPACKE::LAPACKE.
find_path(LAPACKE_INCLUDE_DIR lapacke.h PATH_SUFFIXES lapacke openblas)
find_library(LAPACKE_LIBRARY NAMES lapacke)
find_library(LAPACKE_LAPACK_LIBRARY NAMES lapack)
find_library(LAPACKE_BLAS_LIBRARY NAMES openblas blas)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LAPACKE REQUIRED_VARS LAPACKE_LIBRARY LAPACKE_LAPACK_LIBRARY LAPACKE_BLAS_LIBRARY
                                                        LAPACKE_INCLUDE_DIR)
if(LAPACKE_FOUND AND NOT TARGET LAPACKE::LAPACKE)
  add_library(LAPACKE::LAPACKE UNKNOWN IMPORTED)
  set_target_properties(
    LAPACKE::LAPACKE
    PROPERTIES IMPORTED_LOCATION "${LAPACKE_LIBRARY}"
               INTERFACE_INCLUDE_DIRECTORIES "${LAPACKE_INCLUDE_DIR}"
               INTERFACE_LINK_LIBRARIES "${LAPACKE_LAPACK_LIBRARY};${LAPACKE_BLAS_LIBRARY}")
endif()
mark_as_advanced(LAPACKE_INCLUDE_DIR LAPACKE_LIBRARY LAPACKE_LAPACK_LIBRARY LAPACKE_BLAS_LIBRARY)
