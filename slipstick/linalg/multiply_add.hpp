// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace slipstick::internal {

/// a b + c, rounded once if the processor does that as fast as two roundings. (Contraction by the compiler is
/// off, see cmake/Toolchain.cmake.)
template <class Scalar>
[[gnu::always_inline]] inline Scalar multiply_add(Scalar a, Scalar b, Scalar c) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  if constexpr (sizeof(Scalar) == sizeof(float)) {
    return __builtin_fmaf(a, b, c);
  } else {
    return __builtin_fma(a, b, c);
  }
#else
  return a * b + c;
#endif
}

}  // namespace slipstick::internal
