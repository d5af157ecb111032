// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "slipstick/io/run_reader.hpp"

namespace slipstick::internal {

struct ExportSettings {
  bool force = false;  ///< replaces the files of an earlier export
  /// Asked once per frame. If it gives true, the export ends with an Error and writes nothing.
  std::function<bool()> cancelled = {};
};

/// Writes a folder: run.pvd, and for each frame bodies-NNNNNN.vtp and contacts-NNNNNN.vtp, XML PolyData of
/// VTK. The folder gets its name when it is complete. Returns the number of files. Throws Error if the folder
/// has files in it, unless settings.force is set and an export wrote all of them.
int export_vtk(const RunReader& run, const std::filesystem::path& folder,
               const ExportSettings& settings = {});
/// The tables of export_csv, and their columns.
enum class RunTable { steps, bodies, contacts, joints };
std::string run_csv_header(RunTable table);
/// The same with steps.csv, bodies.csv, contacts.csv and joints.csv. All digits are written.
int export_csv(const RunReader& run, const std::filesystem::path& folder,
               const ExportSettings& settings = {});

}  // namespace slipstick::internal
