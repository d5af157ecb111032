# SPDX-FileCopyrightText: 2026 The Slipstick authors
# SPDX-License-Identifier: Apache-2.0
# cmake -D build=... -D consumer=... -D generator=... -D config=... -D compiler=... -D work=... -P run.cmake
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    string(REPLACE ";" " " command "${ARGN}")
    message(FATAL_ERROR "${command}: exit status ${code}\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE "${work}")
run(${CMAKE_COMMAND} --install "${build}" --config "${config}" --prefix "${work}/prefix")
run(${CMAKE_COMMAND} -S "${consumer}" -B "${work}/build" -G "${generator}" "-DCMAKE_BUILD_TYPE=${config}"
    "-DCMAKE_CXX_COMPILER=${compiler}" "-DCMAKE_PREFIX_PATH=${work}/prefix")
run(${CMAKE_COMMAND} --build "${work}/build" --config "${config}")
run("${work}/build/consumer" "${work}/contact.hdf5")
run("${work}/prefix/bin/slipstick" solve "${work}/contact.hdf5")
