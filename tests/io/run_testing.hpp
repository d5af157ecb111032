// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <string>

#include "slipstick/io/run_header.hpp"
#include "slipstick/io/run_writer.hpp"
#include "slipstick/run.hpp"

namespace slipstick::internal {

/// A run of three bodies and two joints.
RunHeader sample_header(std::int64_t record_every = 1);
/// Step `number` of it. Every field has a value of its own, the number of contacts changes from step to step.
Frame sample_frame(std::int64_t number);
/// The state after a step, as a checkpoint has it.
std::string sample_state(std::int64_t number);
/// Appends steps up to `last`, with a checkpoint after every `checkpoint_every` steps (0: none).
void append_samples(RunWriter& writer, std::int64_t last, std::int64_t checkpoint_every = 0);

/// Whether all fields are the same, bit by bit.
testing::AssertionResult same_frame(const Frame& a, const Frame& b);
testing::AssertionResult same_step(const StepRecord& a, const StepRecord& b);

}  // namespace slipstick::internal
