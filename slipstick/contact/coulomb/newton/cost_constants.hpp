// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace slipstick::internal::cost {

// Nanoseconds of the steps of sweeps, factorizations and solves. Methods are chosen by counting these steps.
// No clock is read, so the same problem always takes the same way. Only ratios matter. The values were set by
// hand to times of single factorizations, solves and sweeps on one x86-64 machine (AVX2). The problems were
// the problem files and generated towers, rocks and sheets. No table of these times was kept.

// A factorization: per operation, and per block of its pattern in the space of contacts, groups and bodies.
inline constexpr double per_operation = 0.095;
inline constexpr double per_entry = 130.0, per_group_entry = 400.0, per_body_entry = 130.0;
// Per contact that is eliminated before the factorization, in the space of groups and of bodies.
inline constexpr double per_grouped_contact = 1500.0, per_body_contact = 800.0;
// A solve: per value of the factors, and per contact that is eliminated before.
inline constexpr double per_value = 0.5, per_eliminated_contact = 100.0;
// A sweep: per block of W and per contact.
inline constexpr double per_swept_block = 4.0, per_swept_contact = 20.0;
// A solve with the mass: per entry of its factor.
inline constexpr double per_mass_factor_entry = 2.0;

}  // namespace slipstick::internal::cost
