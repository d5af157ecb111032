# SPDX-FileCopyrightText: 2026 The Slipstick authors
# SPDX-License-Identifier: Apache-2.0
# cmake -D build=... -D consumer=... -D generator=... -D config=... -D compiler=... -D libdir=... -D work=... -P run.cmake
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    string(REPLACE ";" " " command "${ARGN}")
    message(FATAL_ERROR "${command}: exit status ${code}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${work}")
run(${CMAKE_COMMAND} --install "${build}" --config "${config}" --prefix "${work}/prefix")
file(GLOB_RECURSE internal "${work}/prefix/include/slipstick/*/*.hpp")
if(internal)
  message(FATAL_ERROR "internal headers are installed: ${internal}")
endif()

# find_package, shared and static, with and without files.
run(${CMAKE_COMMAND} -S "${consumer}" -B "${work}/build" -G "${generator}" "-DCMAKE_BUILD_TYPE=${config}"
    "-DCMAKE_CXX_COMPILER=${compiler}" "-DCMAKE_PREFIX_PATH=${work}/prefix")
run(${CMAKE_COMMAND} --build "${work}/build" --config "${config}")
foreach(target IN ITEMS io io_static)
  run("${work}/build/consumer_${target}" "${work}/contact.hdf5")
endforeach()
foreach(target IN ITEMS core core_static)
  run("${work}/build/consumer_${target}")
endforeach()
run("${work}/prefix/bin/slipstick" solve "${work}/contact.hdf5")

# pkg-config against both kinds; a copy without the shared libraries stands for a static install.
find_program(PKG_CONFIG pkg-config REQUIRED)
file(COPY "${work}/prefix/" DESTINATION "${work}/static")
file(GLOB shared "${work}/static/${libdir}/libslipstick*.so*")
file(REMOVE ${shared})
foreach(kind IN ITEMS prefix static)
  set(ENV{PKG_CONFIG_PATH} "${work}/${kind}/${libdir}/pkgconfig")
  set(option "")
  if(kind STREQUAL "static")
    set(option --static)
  endif()
  run(${PKG_CONFIG} --cflags slipstick-io)
  separate_arguments(flags UNIX_COMMAND "${output}")
  run(${PKG_CONFIG} ${option} --libs slipstick-io)
  separate_arguments(libraries UNIX_COMMAND "${output}")
  run("${compiler}" -std=c++20 -O1 ${flags} "${consumer}/main.cpp" -o "${work}/consumer_${kind}" ${libraries}
      "-Wl,-rpath,${work}/${kind}/${libdir}")
  run("${work}/consumer_${kind}" "${work}/contact.hdf5")
endforeach()

# A shared library shows the public names, and the few internal functions that io calls.
find_program(NM nm REQUIRED)
run(${NM} -DC --defined-only "${work}/prefix/${libdir}/libslipstick_core.so")
string(REGEX MATCHALL " T slipstick::internal::[^\n]*" shown "${output}")
list(LENGTH shown count)
if(count GREATER 12)
  message(FATAL_ERROR "${count} internal names are visible: ${shown}")
endif()
