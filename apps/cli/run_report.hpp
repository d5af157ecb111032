// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "slipstick/io/run_reader.hpp"

namespace slipstick::internal::cli {

/// "run.h5" for "run.h5.parts".
std::string run_name(std::filesystem::path path);

/// Opens a run. If it is not finished, stderr says so.
RunReader open_run(const std::string& file);

/// What `info` says about a run.
std::string describe_run(const std::string& file, bool json);

}  // namespace slipstick::internal::cli
