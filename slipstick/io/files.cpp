// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/files.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>

#include "slipstick/base/error.hpp"
#include "slipstick/io/fclib.hpp"
#include "slipstick/io/market_problem.hpp"
#include "slipstick/io/qps.hpp"
#include "slipstick/io/qps_writer.hpp"
#include "slipstick/io/siconos.hpp"
#include "slipstick/io/text_scanner.hpp"
#include "slipstick/problem.hpp"

namespace slipstick {
using namespace internal;
namespace {

std::string lower_case_extension(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

}  // namespace

std::string_view name(FileFormat format) {
  constexpr std::string_view names[] = {"FCLib", "Siconos", "Matrix Market", "QPS"};
  return names[static_cast<int>(format)];
}

ProblemFile read_problem(const std::filesystem::path& path, std::optional<ProblemClass> kind) {
  const std::string start = read_file(path, 16);
  if (start.empty()) fail("{}: is empty", path.string());

  // The content tells the format, not the name. A QPS file may start with a remark.
  ProblemFile file;
  if (start.starts_with("\x89HDF\r\n\x1a\n")) {
    file = read_fclib(path, kind);
  } else if (start.starts_with("%%MatrixMarket")) {
    file = read_matrix_market(read_file(path), path);
  } else if (lower_case_extension(path) == ".qps" || start.starts_with("NAME")) {
    file = read_qps(read_file(path), path.string());
  } else {
    file = read_siconos(read_file(path), path.string(), kind);
  }
  if (kind && file.format != FileFormat::siconos && classify(file.problem) != *kind)
    fail("{}: holds a problem of class {}, not {}", path.string(), name(classify(file.problem)), name(*kind));
  Validation validation = validate(file.problem);
  if (!validation.ok()) fail("{}: {}", path.string(), validation.defect);
  std::move(validation.warnings.begin(), validation.warnings.end(), std::back_inserter(file.warnings));
  return file;
}

void write_problem(const std::filesystem::path& path, const ProblemFile& file) {
  const Validation validation = validate(file.problem);
  if (!validation.ok()) fail("cannot write {}: {}", path.string(), validation.defect);
  const std::string extension = path.extension().string();
  if (extension == ".hdf5" || extension == ".h5") return write_fclib(path, file);
  if (extension == ".mtx") return write_matrix_market(path, file);
  if (extension == ".qps") return write_qps(path, file);
  fail("cannot write {}: expected one of the extensions .hdf5, .h5 (contact problems), .mtx, .qps (QPs)",
       path.string());
}

}  // namespace slipstick
