# SPDX-FileCopyrightText: 2026 The Slipstick authors
# SPDX-License-Identifier: Apache-2.0
# The installed libraries, `cmake --install`, find_package(slipstick) and pkg-config for those who link to them.
include(CMakePackageConfigHelpers)

# Each component as a shared library, slipstick::core and slipstick::io, and as a static one, slipstick::core_static and
# slipstick::io_static, from the objects that are compiled anyway. Their users need Eigen and C++20, nothing else: no flags of
# ours, no OpenMP, no fmt. SLIPSTICK_SHARED and SLIPSTICK_STATIC leave one kind out.
function(slipstick_add_installed target component kind)
  set(kernels "")
  if(component STREQUAL core)
    set(kernels ${SLIPSTICK_CUDA_OBJECTS})
  endif()
  add_library(${target} ${kind} $<TARGET_OBJECTS:slipstick_internal_${component}> ${kernels})
  add_library(slipstick::${target} ALIAS ${target})
  string(REGEX REPLACE "^slipstick_" "" export_name "${target}")
  set_target_properties(${target} PROPERTIES OUTPUT_NAME slipstick_${component} EXPORT_NAME ${export_name}
                        LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION}
                        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  target_include_directories(${target} INTERFACE "$<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}>"
                                                 "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  target_compile_features(${target} INTERFACE cxx_std_20)
  if(SLIPSTICK_AVX2)
    # Vectors cross the boundary: what one side allocates the other frees. So do structs with quaternions. Eigen aligns
    # them by these numbers, not by the flags.
    target_compile_definitions(${target} INTERFACE EIGEN_MAX_ALIGN_BYTES=32 EIGEN_MAX_STATIC_ALIGN_BYTES=32)
  endif()
  target_link_libraries(${target} PUBLIC Eigen3::Eigen PRIVATE fmt::fmt OpenMP::OpenMP_CXX)
  if(kind STREQUAL SHARED)
    target_link_options(${target} PRIVATE LINKER:--no-undefined)
  endif()
  if(component STREQUAL core)
    target_link_libraries(${target} PRIVATE ${SLIPSTICK_METIS_TARGET} ${SLIPSTICK_GMP_TARGET} ${SLIPSTICK_BULLET_TARGET}
                                             ${SLIPSTICK_CUDA_TARGET})
  else()
    string(REPLACE slipstick_io slipstick_core core "${target}")
    target_link_libraries(${target} PUBLIC ${core} PRIVATE SerialHDF5::hdf5 ${SLIPSTICK_ZLIB_TARGET})
  endif()
  install(TARGETS ${target} EXPORT slipstick_${kind} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()

set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/slipstick)
foreach(component IN ITEMS core io)
  if(SLIPSTICK_SHARED)
    slipstick_add_installed(slipstick_${component} ${component} SHARED)
  endif()
  if(SLIPSTICK_STATIC)
    slipstick_add_installed(slipstick_${component}_static ${component} STATIC)
  endif()
endforeach()
foreach(kind IN ITEMS SHARED STATIC)
  if(SLIPSTICK_${kind})
    install(EXPORT slipstick_${kind} NAMESPACE slipstick:: DESTINATION ${config_dir})
  endif()
endforeach()

if(TARGET slipstick_cli)
  install(TARGETS slipstick_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
# The public headers are those that stand directly in slipstick/.
file(GLOB public_headers "${CMAKE_CURRENT_SOURCE_DIR}/slipstick/*.hpp")
install(FILES ${public_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/slipstick)

configure_package_config_file(cmake/slipstickConfig.cmake.in ${CMAKE_BINARY_DIR}/slipstickConfig.cmake
                              INSTALL_DESTINATION ${config_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/slipstickConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/slipstickConfig.cmake ${CMAKE_BINARY_DIR}/slipstickConfigVersion.cmake
              cmake/FindSerialHDF5.cmake cmake/FindMETIS.cmake cmake/FindGMP.cmake cmake/FindBulletFloat64.cmake DESTINATION ${config_dir})

# pkg-config: `pkg-config --cflags --libs slipstick-io`; with --static also what the static libraries need.
if(SLIPSTICK_AVX2)
  set(pc_flags "-DEIGEN_MAX_ALIGN_BYTES=32 -DEIGEN_MAX_STATIC_ALIGN_BYTES=32")
endif()
list(JOIN OpenMP_CXX_LIBRARIES " " pc_openmp)  # the run-time library, not the flag of the compiler
set(pc_metis "")
if(METIS_FOUND)
  set(pc_metis "-lmetis")
endif()
set(pc_gmp "")
if(GMP_FOUND)
  set(pc_gmp "-lgmp")
endif()
set(pc_bullet "")
if(BulletFloat64_FOUND)
  set(pc_bullet "-lBulletCollision-float64 -lLinearMath-float64")
endif()
set(pc_zlib "")
if(ZLIB_FOUND)
  set(pc_zlib "-lz")
endif()
set(pc_cuda "")
if(SLIPSTICK_CUDA)
  set(pc_cuda "-L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -ldl -lrt -lpthread")
endif()
get_target_property(pc_hdf5 SerialHDF5::hdf5 IMPORTED_LOCATION)
foreach(component IN ITEMS core io)
  set(pc_component ${component})
  if(component STREQUAL core)
    set(pc_requires "eigen3 >= 3.4")
    set(pc_private "-lfmt ${pc_openmp} ${pc_metis} ${pc_gmp} ${pc_bullet} ${pc_cuda}")
    set(pc_summary "frictional contact and complementarity solvers, rigid bodies")
  else()
    set(pc_requires "slipstick-core = ${PROJECT_VERSION}")
    set(pc_private "-lfmt ${pc_openmp} ${pc_hdf5} ${pc_zlib}")
    set(pc_summary "files of frictional contact and complementarity problems")
  endif()
  configure_file(cmake/slipstick.pc.in ${CMAKE_BINARY_DIR}/slipstick-${component}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/slipstick-${component}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
