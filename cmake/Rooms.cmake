# SPDX-FileCopyrightText: 2026 The Slipstick authors
# SPDX-License-Identifier: Apache-2.0
# A room is a folder of src/ and one target. Its headers are reached as <slipstick/ROOM/x.hpp> through an include
# directory of its own, so that including a room one does not depend on fails to compile.

set_property(GLOBAL PROPERTY SLIPSTICK_ROOMS "")

# The headers that most files wait for, compiled once where that saves time. Not for the rooms: they show that every file
# includes what it uses.
set(SLIPSTICK_PRECOMPILED <Eigen/Dense> <Eigen/Sparse> <fmt/format.h> <algorithm> <cmath> <filesystem> <functional>
                          <limits> <map> <memory> <optional> <span> <string> <utility> <variant> <vector>)

# slipstick_room(NAME LAYER N [ROOMS lower rooms...] [LIBRARIES public...] [PRIVATE_LIBRARIES private...])
function(slipstick_room name)
  cmake_parse_arguments(ROOM "" "LAYER" "ROOMS;LIBRARIES;PRIVATE_LIBRARIES" ${ARGN})
  set(folder "${CMAKE_CURRENT_SOURCE_DIR}/src/${name}")
  set(target "slipstick_${name}")
  file(GLOB sources CONFIGURE_DEPENDS "${folder}/*.cpp")

  set(include_root "${CMAKE_BINARY_DIR}/rooms/${name}")
  file(MAKE_DIRECTORY "${include_root}/slipstick")
  file(CREATE_LINK "${folder}" "${include_root}/slipstick/${name}" SYMBOLIC)

  if(sources)
    add_library(${target} OBJECT ${sources})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE slipstick_flags ${ROOM_PRIVATE_LIBRARIES})
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(${target} ${scope} "${include_root}")
  target_compile_features(${target} ${scope} cxx_std_20)
  target_link_libraries(${target} ${scope} ${ROOM_LIBRARIES})
  foreach(lower IN LISTS ROOM_ROOMS)
    get_property(lower_layer GLOBAL PROPERTY SLIPSTICK_LAYER_${lower})
    if(NOT lower_layer LESS ROOM_LAYER)
      message(FATAL_ERROR "room ${name} (layer ${ROOM_LAYER}) may not depend on ${lower} (layer ${lower_layer})")
    endif()
    target_link_libraries(${target} ${scope} slipstick_${lower})
  endforeach()
  set_property(GLOBAL PROPERTY SLIPSTICK_LAYER_${name} ${ROOM_LAYER})
  set_property(GLOBAL APPEND PROPERTY SLIPSTICK_ROOMS ${name})
endfunction()

# slipstick_library(NAME): one static library of all the rooms, with the public face of include/.
function(slipstick_library name)
  get_property(rooms GLOBAL PROPERTY SLIPSTICK_ROOMS)
  add_library(${name} STATIC)
  add_library(slipstick::slipstick ALIAS ${name})
  foreach(room IN LISTS rooms)
    get_target_property(type slipstick_${room} TYPE)
    if(type STREQUAL "OBJECT_LIBRARY")
      target_sources(${name} PRIVATE $<TARGET_OBJECTS:slipstick_${room}>)
    endif()
    target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${CMAKE_BINARY_DIR}/rooms/${room}>)
  endforeach()
  target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>
                                            $<INSTALL_INTERFACE:include>)
  target_compile_features(${name} PUBLIC cxx_std_20)
  if(SLIPSTICK_AVX2)
    # Eigen allocates differently with and without AVX, so those who link to us must compile with it too.
    target_compile_options(${name} PUBLIC -march=x86-64-v3)
  endif()
  target_link_libraries(${name} PUBLIC Eigen3::Eigen fmt::fmt OpenMP::OpenMP_CXX
                                PRIVATE $<BUILD_INTERFACE:slipstick_flags> SerialHDF5::hdf5)
  if(TARGET METIS::metis)
    target_link_libraries(${name} PRIVATE METIS::metis)
  endif()
endfunction()

# slipstick_sanitized_library(NAME): the sources of all the rooms once more, in one target, for tests under the sanitizers.
function(slipstick_sanitized_library name)
  get_property(rooms GLOBAL PROPERTY SLIPSTICK_ROOMS)
  add_library(${name} STATIC EXCLUDE_FROM_ALL)
  set_target_properties(${name} PROPERTIES EXPORT_COMPILE_COMMANDS OFF)  # tools see each source as it is shipped
  foreach(room IN LISTS rooms)
    get_target_property(type slipstick_${room} TYPE)
    if(type STREQUAL "OBJECT_LIBRARY")
      target_sources(${name} PRIVATE $<TARGET_PROPERTY:slipstick_${room},SOURCES>)
      target_compile_definitions(${name} PRIVATE $<TARGET_PROPERTY:slipstick_${room},COMPILE_DEFINITIONS>)
    endif()
  endforeach()
  target_include_directories(${name} PUBLIC $<TARGET_PROPERTY:slipstick,INTERFACE_INCLUDE_DIRECTORIES>)
  target_precompile_headers(${name} PRIVATE ${SLIPSTICK_PRECOMPILED})
  target_link_libraries(${name} PUBLIC slipstick_sanitizers Eigen3::Eigen fmt::fmt OpenMP::OpenMP_CXX
                                PRIVATE slipstick_flags SerialHDF5::hdf5 ${SLIPSTICK_METIS_TARGET})
endfunction()
