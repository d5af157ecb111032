# SPDX-FileCopyrightText: 2026 The Slipstick authors
# SPDX-License-Identifier: Apache-2.0
# expect(CODE command...): runs a command that must end with that exit status; its output is in `output`.
function(expect expected)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT code EQUAL expected)
    string(REPLACE ";" " " command "${ARGN}")
    message(FATAL_ERROR "${command}: exit status ${code}, expected ${expected}\n${text}")
  endif()
  set(output "${text}" PARENT_SCOPE)
endfunction()

# The last output must match.
function(expect_output pattern)
  if(NOT output MATCHES "${pattern}")
    message(FATAL_ERROR "'${pattern}' is not in\n${output}")
  endif()
endfunction()
