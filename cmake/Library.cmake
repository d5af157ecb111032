# SPDX-FileCopyrightText: 2026 The Slipstick authors
# SPDX-License-Identifier: Apache-2.0
# The library: every source below slipstick/. The include root is the root of the tree, so the path in an #include is the
# path of the file; CheckArrows.cmake enforces the layers.
#
# The sources are compiled once, into slipstick_core_internal and slipstick_io_internal, which programs and tests of this
# project link to: they see everything. The same objects make the installed libraries slipstick_core and slipstick_io, shared
# and static, of which others see the public headers only (Install.cmake).
include(CheckArrows)
file(GLOB_RECURSE SLIPSTICK_SOURCES CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/slipstick/*.cpp")
if(SLIPSTICK_CUDA)
  list(FILTER SLIPSTICK_SOURCES EXCLUDE REGEX "/without_cuda.cpp$")
endif()

# The headers that most files wait for, with those of this library. -DSLIPSTICK_PCH=OFF (make check-includes) shows that each
# file includes what it uses.
set(SLIPSTICK_PRECOMPILED <Eigen/Dense> <Eigen/Sparse> <fmt/format.h> <algorithm> <cmath> <filesystem> <functional>
                          <limits> <map> <memory> <optional> <span> <string> <utility> <variant> <vector>
                          <slipstick/base/error.hpp> <slipstick/base/timer.hpp> <slipstick/contact_methods.hpp>
                          <slipstick/linalg/operator.hpp> <slipstick/linalg/sparsity_pattern.hpp>
                          <slipstick/measures/measures.hpp> <slipstick/measures/ruler.hpp>
                          <slipstick/solve/monitor.hpp> <slipstick/solve/solver.hpp>)
function(slipstick_precompile target)
  if(SLIPSTICK_PCH)
    target_precompile_headers(${target} PRIVATE ${SLIPSTICK_PRECOMPILED} ${ARGN})
  endif()
endfunction()

# One compilation for up to eight files of a folder (-DSLIPSTICK_UNITY=OFF: one each): most of the time goes into templates
# that the files of a folder share.
if(SLIPSTICK_UNITY)
  foreach(source IN LISTS SLIPSTICK_SOURCES)
    get_filename_component(folder "${source}" DIRECTORY)
    file(RELATIVE_PATH group "${CMAKE_CURRENT_SOURCE_DIR}/slipstick" "${folder}")
    string(REPLACE "/" "_" group "${group}")
    if(NOT DEFINED count_of_${group})
      set(count_of_${group} 0)
    endif()
    math(EXPR batch "${count_of_${group}} / 8")
    math(EXPR count_of_${group} "${count_of_${group}} + 1")
    set_property(SOURCE "${source}" PROPERTY UNITY_GROUP "${group}_${batch}")
  endforeach()
endif()

# slipstick_add_library(NAME SOURCE...): a static library whose users see all of its headers.
function(slipstick_add_library name)
  add_library(${name} STATIC ${ARGN})
  target_include_directories(${name} PUBLIC "${CMAKE_CURRENT_SOURCE_DIR}")
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_link_libraries(${name} PUBLIC Eigen3::Eigen fmt::fmt OpenMP::OpenMP_CXX slipstick_flags)
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${SLIPSTICK_UNITY} UNITY_BUILD_MODE GROUP
                        CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endfunction()

if(METIS_FOUND)
  set_source_files_properties("${CMAKE_CURRENT_SOURCE_DIR}/slipstick/linsolve/sparse/metis_ordering.cpp" PROPERTIES
                              COMPILE_DEFINITIONS SLIPSTICK_HAVE_METIS SKIP_UNITY_BUILD_INCLUSION ON)
endif()
if(GMP_FOUND)
  set_source_files_properties("${CMAKE_CURRENT_SOURCE_DIR}/slipstick/solvers/pivoting/exact_lemke.cpp" PROPERTIES
                              COMPILE_DEFINITIONS SLIPSTICK_HAVE_GMP SKIP_UNITY_BUILD_INCLUSION ON)
endif()
if(nlohmann_json_FOUND)
  set_source_files_properties("${CMAKE_CURRENT_SOURCE_DIR}/slipstick/io/scene_document.cpp"
                              "${CMAKE_CURRENT_SOURCE_DIR}/slipstick/io/settings_document.cpp" PROPERTIES
                              COMPILE_DEFINITIONS SLIPSTICK_HAVE_JSON SKIP_UNITY_BUILD_INCLUSION ON)
  set(SLIPSTICK_JSON_TARGET nlohmann_json::nlohmann_json)
endif()

if(ZLIB_FOUND)
  set_source_files_properties("${CMAKE_CURRENT_SOURCE_DIR}/slipstick/io/page_codec.cpp" PROPERTIES
                              COMPILE_DEFINITIONS SLIPSTICK_HAVE_ZLIB SKIP_UNITY_BUILD_INCLUSION ON)
  set(SLIPSTICK_ZLIB_TARGET ZLIB::ZLIB)
endif()
# Pages compute some of its numbers again, bit by bit.
set_source_files_properties("${CMAKE_CURRENT_SOURCE_DIR}/slipstick/io/run_page.cpp" PROPERTIES
                            COMPILE_OPTIONS -ffp-contract=off SKIP_UNITY_BUILD_INCLUSION ON)
if(BulletFloat64_FOUND)
  set_source_files_properties("${CMAKE_CURRENT_SOURCE_DIR}/slipstick/sim/collision/nearest.cpp" PROPERTIES
                              COMPILE_DEFINITIONS "SLIPSTICK_HAVE_BULLET;BT_USE_DOUBLE_PRECISION"
                              SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
endif()

# io is the component that reads and writes files, and needs HDF5.
set(SLIPSTICK_IO_SOURCES ${SLIPSTICK_SOURCES})
list(FILTER SLIPSTICK_IO_SOURCES INCLUDE REGEX "/slipstick/io/")
set(SLIPSTICK_CORE_SOURCES ${SLIPSTICK_SOURCES})
list(FILTER SLIPSTICK_CORE_SOURCES EXCLUDE REGEX "/slipstick/io/")

# slipstick_add_libraries(NAME): the components as NAME_core and NAME_io, and NAME for what links to both.
function(slipstick_add_libraries name)
  slipstick_add_library(${name}_core ${SLIPSTICK_CORE_SOURCES} ${SLIPSTICK_CUDA_OBJECTS})
  slipstick_precompile(${name}_core)
  target_link_libraries(${name}_core PRIVATE ${SLIPSTICK_METIS_TARGET} ${SLIPSTICK_GMP_TARGET} ${SLIPSTICK_BULLET_TARGET}
                                               ${SLIPSTICK_CUDA_TARGET})
  slipstick_add_library(${name}_io ${SLIPSTICK_IO_SOURCES})
  target_link_libraries(${name}_io PUBLIC ${name}_core PRIVATE SerialHDF5::hdf5 ${SLIPSTICK_JSON_TARGET}
                                       ${SLIPSTICK_ZLIB_TARGET})
  if(SLIPSTICK_PCH)  # made once: core's flags and definitions are also those of io
    target_precompile_headers(${name}_io REUSE_FROM ${name}_core)
  endif()
  add_library(${name} INTERFACE)
  target_link_libraries(${name} INTERFACE ${name}_io ${name}_core)
endfunction()

slipstick_add_libraries(slipstick_internal)
if(SLIPSTICK_TESTS)
  # The same sources for tests under the sanitizers; tools see each source as it is shipped.
  slipstick_add_libraries(slipstick_sanitized)
  foreach(component IN ITEMS core io)
    target_link_libraries(slipstick_sanitized_${component} PUBLIC slipstick_sanitizers)
    set_target_properties(slipstick_sanitized_${component} PROPERTIES EXCLUDE_FROM_ALL ON EXPORT_COMPILE_COMMANDS OFF)
  endforeach()
endif()
