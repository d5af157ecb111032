# SPDX-FileCopyrightText: 2026 The Slipstick authors
# SPDX-License-Identifier: Apache-2.0
# cmake --install, and find_package(slipstick) for those who link to it.
include(CMakePackageConfigHelpers)

install(TARGETS slipstick EXPORT slipstickTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET slipstick_cli)
  install(TARGETS slipstick_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY slipstick/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/slipstick FILES_MATCHING PATTERN "*.hpp")

set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/slipstick)
install(EXPORT slipstickTargets NAMESPACE slipstick:: DESTINATION ${config_dir})
configure_package_config_file(cmake/slipstickConfig.cmake.in ${CMAKE_BINARY_DIR}/slipstickConfig.cmake
                              INSTALL_DESTINATION ${config_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/slipstickConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/slipstickConfig.cmake ${CMAKE_BINARY_DIR}/slipstickConfigVersion.cmake
              cmake/FindSerialHDF5.cmake cmake/FindMETIS.cmake DESTINATION ${config_dir})
