# SPDX-FileCopyrightText: 2026 The Slipstick authors
# SPDX-License-Identifier: Apache-2.0
# The library: every source below slipstick/. The include root is the root of the tree, so the path in an #include is the
# path of the file; CheckArrows.cmake enforces the layers.
include(CheckArrows)
file(GLOB_RECURSE SLIPSTICK_SOURCES CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/slipstick/*.cpp")

# The headers that most files wait for. -DSLIPSTICK_PCH=OFF (make check-includes) shows that each file includes what it uses.
set(SLIPSTICK_PRECOMPILED <Eigen/Dense> <Eigen/Sparse> <fmt/format.h> <algorithm> <cmath> <filesystem> <functional>
                          <limits> <map> <memory> <optional> <span> <string> <utility> <variant> <vector>)
function(slipstick_precompile target)
  if(SLIPSTICK_PCH)
    target_precompile_headers(${target} PRIVATE ${SLIPSTICK_PRECOMPILED} ${ARGN})
  endif()
endfunction()

# One compilation for up to eight files of a folder (-DSLIPSTICK_UNITY=OFF: one each): most of the time goes into templates
# that the files of a folder share.
if(SLIPSTICK_UNITY)
  set(count 0)
  set(last "")
  foreach(source IN LISTS SLIPSTICK_SOURCES)
    get_filename_component(folder "${source}" DIRECTORY)
    if(NOT folder STREQUAL last)
      set(count 0)
      set(last "${folder}")
    endif()
    math(EXPR batch "${count} / 8")
    math(EXPR count "${count} + 1")
    file(RELATIVE_PATH group "${CMAKE_CURRENT_SOURCE_DIR}/slipstick" "${folder}")
    string(REPLACE "/" "_" group "${group}")
    set_property(SOURCE "${source}" PROPERTY UNITY_GROUP "${group}_${batch}")
  endforeach()
endif()

# slipstick_add_library(NAME FLAGS): a static library of all sources, compiled with the flags of the targets given.
function(slipstick_add_library name)
  add_library(${name} STATIC ${SLIPSTICK_SOURCES})
  target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}>
                                            $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_link_libraries(${name} PUBLIC Eigen3::Eigen fmt::fmt OpenMP::OpenMP_CXX
                                PRIVATE $<BUILD_INTERFACE:slipstick_flags> SerialHDF5::hdf5 ${SLIPSTICK_METIS_TARGET})
  slipstick_precompile(${name})
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${SLIPSTICK_UNITY} UNITY_BUILD_MODE GROUP)
endfunction()

if(METIS_FOUND)
  set_source_files_properties("${CMAKE_CURRENT_SOURCE_DIR}/slipstick/linsolve/sparse/metis_ordering.cpp" PROPERTIES
                              COMPILE_DEFINITIONS SLIPSTICK_HAVE_METIS SKIP_UNITY_BUILD_INCLUSION ON)
endif()

slipstick_add_library(slipstick)
add_library(slipstick::slipstick ALIAS slipstick)
if(SLIPSTICK_AVX2)
  # Eigen allocates differently with and without AVX, so those who link to us must compile with it too.
  target_compile_options(slipstick PUBLIC -march=x86-64-v3)
endif()

if(SLIPSTICK_TESTS)
  # The same sources for tests under the sanitizers; tools see each source as it is shipped.
  slipstick_add_library(slipstick_sanitized)
  target_link_libraries(slipstick_sanitized PUBLIC slipstick_sanitizers)
  set_target_properties(slipstick_sanitized PROPERTIES EXCLUDE_FROM_ALL ON EXPORT_COMPILE_COMMANDS OFF)
endif()
