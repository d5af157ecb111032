# SPDX-FileCopyrightText: 2026 The Slipstick authors
# SPDX-License-Identifier: Apache-2.0
# The kernels: every .cu file below slipstick/cuda, compiled once into slipstick_cuda. All variants of the library link to
# the same objects. Without SLIPSTICK_CUDA, without_cuda.cpp takes their place.
if(SLIPSTICK_CUDA)
  if(NOT CMAKE_CUDA_COMPILER AND SLIPSTICK_NVCC)
    set(CMAKE_CUDA_COMPILER "${SLIPSTICK_NVCC}")
  endif()
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 90)  # its PTX also runs on later devices
  endif()
  if(CMAKE_CXX_COMPILER_LAUNCHER AND NOT CMAKE_CUDA_COMPILER_LAUNCHER)
    set(CMAKE_CUDA_COMPILER_LAUNCHER "${CMAKE_CXX_COMPILER_LAUNCHER}")
  endif()
  set(CMAKE_CUDA_HOST_COMPILER "${CMAKE_CXX_COMPILER}")
  enable_language(CUDA)
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know that nvcc has it
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
  endif()
  find_package(CUDAToolkit 13 REQUIRED)
  file(GLOB_RECURSE SLIPSTICK_CUDA_SOURCES CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/slipstick/cuda/*.cu")
  add_library(slipstick_cuda OBJECT ${SLIPSTICK_CUDA_SOURCES})
  target_include_directories(slipstick_cuda PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
  # Contraction into fused operations is the compiler's default and is fixed here: the bits should not depend on flags.
  target_compile_options(slipstick_cuda PRIVATE --fmad=true --expt-relaxed-constexpr "-Xcompiler=-Wall,-Wextra,-Wshadow")
  if(SLIPSTICK_WERROR)
    target_compile_options(slipstick_cuda PRIVATE "-Xcompiler=-Werror")
  endif()
  set_target_properties(slipstick_cuda PROPERTIES CUDA_STANDARD 20 CUDA_STANDARD_REQUIRED ON CUDA_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON POSITION_INDEPENDENT_CODE ON)
  set(SLIPSTICK_CUDA_OBJECTS $<TARGET_OBJECTS:slipstick_cuda>)
  set(SLIPSTICK_CUDA_TARGET $<LINK_ONLY:CUDA::cudart_static>)  # no host file sees its headers
endif()
