# SPDX-FileCopyrightText: 2026 The Slipstick authors
# SPDX-License-Identifier: Apache-2.0
# The collision part of Bullet in double precision: target BulletFloat64::collision. Those who include its headers define
# BT_USE_DOUBLE_PRECISION.
find_path(BulletFloat64_INCLUDE_DIR BulletCollision/NarrowPhaseCollision/btGjkEpa2.h PATH_SUFFIXES bullet)
find_library(BulletFloat64_COLLISION_LIBRARY NAMES BulletCollision-float64)
find_library(BulletFloat64_MATH_LIBRARY NAMES LinearMath-float64)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(BulletFloat64 REQUIRED_VARS BulletFloat64_COLLISION_LIBRARY BulletFloat64_MATH_LIBRARY
                                                              BulletFloat64_INCLUDE_DIR)
if(BulletFloat64_FOUND AND NOT TARGET BulletFloat64::collision)
  add_library(BulletFloat64::math UNKNOWN IMPORTED)
  set_target_properties(BulletFloat64::math PROPERTIES IMPORTED_LOCATION "${BulletFloat64_MATH_LIBRARY}")
  add_library(BulletFloat64::collision UNKNOWN IMPORTED)
  set_target_properties(BulletFloat64::collision PROPERTIES IMPORTED_LOCATION "${BulletFloat64_COLLISION_LIBRARY}"
                        INTERFACE_INCLUDE_DIRECTORIES "${BulletFloat64_INCLUDE_DIR}"
                        INTERFACE_LINK_LIBRARIES BulletFloat64::math)
endif()
mark_as_advanced(BulletFloat64_INCLUDE_DIR BulletFloat64_COLLISION_LIBRARY BulletFloat64_MATH_LIBRARY)
