# SPDX-FileCopyrightText: 2026 The Slipstick authors
# SPDX-License-Identifier: Apache-2.0
# Language level, warnings, sanitizers, compiler cache.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}")
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

find_program(SLIPSTICK_CCACHE ccache)
if(SLIPSTICK_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # What it asks for to cache files that use precompiled headers; and other checkouts find what this one has compiled.
  # It must read dependency files. If it preprocesses a precompiled header, it reads the last one instead of the headers.
  set(launcher "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_DEPEND=1
               "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}" CCACHE_NOHASHDIR=1 "${SLIPSTICK_CCACHE}")
  set(CMAKE_C_COMPILER_LAUNCHER "${launcher}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${launcher}")
endif()

# Usage requirements of every target of ours; nothing here reaches an installed package.
add_library(slipstick_flags INTERFACE)
target_compile_options(slipstick_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual)
if(SLIPSTICK_WERROR)
  target_compile_options(slipstick_flags INTERFACE -Werror)
endif()
if(SLIPSTICK_AVX2)
  # Not -march=native: the bits should be the same on every machine that can run them. Eigen aligns by 32 bytes for it;
  # that number also holds for those who link to the installed libraries without the flag.
  target_compile_options(slipstick_flags INTERFACE -march=x86-64-v3)
  target_compile_definitions(slipstick_flags INTERFACE EIGEN_MAX_ALIGN_BYTES=32)
endif()
# Reassociation stays off, so results do not depend on the optimization level; contraction is fixed for the same reason.
target_compile_options(slipstick_flags INTERFACE -ffp-contract=on -fno-math-errno)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # gcc collects its garbage from 1 GB on instead of 256 MB. That saves a tenth of its time, and no file takes over 1.2 GB.
  target_compile_options(slipstick_flags INTERFACE --param=ggc-min-heapsize=524288)
endif()

# On top of them for what runs under the address and undefined-behaviour sanitizers: with asserts, and without the checks
# of every pointer, which take more than a third of the time to compile: Eigen refers to entries of empty matrices (null,
# and arguments that are never null), the address sanitizer sees accesses that object-size and pointer-overflow warn of,
# and x86-64 does not mind alignment. Wrong dynamic types (vptr) are not looked for.
add_library(slipstick_sanitizers INTERFACE)
target_compile_definitions(slipstick_sanitizers INTERFACE SLIPSTICK_SANITIZED)
target_compile_options(slipstick_sanitizers INTERFACE
  -O1 -g1 -UNDEBUG -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
  -fno-sanitize=null,alignment,object-size,pointer-overflow,nonnull-attribute,returns-nonnull-attribute,vptr
  $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)  # in instrumented code gcc 12 warns of what is no error
# Eigen allocates differently where it sees that, and what it allocates in the library is freed in tests that do not.
target_compile_options(slipstick_sanitizers INTERFACE -U__SANITIZE_ADDRESS__)
target_link_options(slipstick_sanitizers INTERFACE -fsanitize=address,undefined)
