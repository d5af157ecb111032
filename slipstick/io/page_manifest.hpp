// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "slipstick/io/run_page.hpp"

namespace slipstick::internal {

/// How many columns of a body are its pose. The others are its velocities.
inline constexpr std::size_t pose_columns = 2;

/// The frames of a page.
struct PageFrames {
  std::vector<std::int64_t> numbers;  ///< of their steps
  std::vector<Index> contacts;        ///< how many each has
  Index every = 1;                    ///< frames of the run, from one to the next
  Index per_chunk = 1;
};

/// What a page is about and where its numbers lie, as JSON. The scene has no cables.
std::string page_manifest(const RunReader& run, const PageNotes& notes, const Scene& scene,
                          const PageFrames& frames);

}  // namespace slipstick::internal
