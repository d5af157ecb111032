# SPDX-FileCopyrightText: 2026 The Slipstick authors
# SPDX-License-Identifier: Apache-2.0
# The serial HDF5 C library, also where an MPI one is installed beside it (CMake's own module may pick that one).
find_path(SerialHDF5_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
find_library(SerialHDF5_LIBRARY NAMES hdf5 hdf5_serial PATH_SUFFIXES hdf5/serial)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SerialHDF5 REQUIRED_VARS SerialHDF5_LIBRARY SerialHDF5_INCLUDE_DIR)
if(SerialHDF5_FOUND AND NOT TARGET SerialHDF5::hdf5)
  add_library(SerialHDF5::hdf5 UNKNOWN IMPORTED)
  set_target_properties(SerialHDF5::hdf5 PROPERTIES IMPORTED_LOCATION "${SerialHDF5_LIBRARY}"
                                                    INTERFACE_INCLUDE_DIRECTORIES "${SerialHDF5_INCLUDE_DIR}")
endif()
mark_as_advanced(SerialHDF5_INCLUDE_DIR SerialHDF5_LIBRARY)
