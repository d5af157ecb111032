// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "bench/peers/run_contest.hpp"

namespace slipstick::internal::bench {

/// Runs tasks 0 to count - 1 in processes of their own, up to `jobs` at a time. Their rows come to `report`
/// in the order of the tasks. A process that ends without its rows is an Error.
void run_in_parallel(
    std::size_t count, int jobs,
    const std::function<void(std::size_t, const std::function<void(const ContestRow&)>&)>& run,
    const std::function<void(std::size_t, const std::vector<ContestRow>&)>& report);

}  // namespace slipstick::internal::bench
