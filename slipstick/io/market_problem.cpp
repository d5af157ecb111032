// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/market_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>

#include "slipstick/base/append_format.hpp"
#include "slipstick/base/error.hpp"
#include "slipstick/io/atomic_file.hpp"
#include "slipstick/io/matrix_market.hpp"
#include "slipstick/io/sets_text.hpp"
#include "slipstick/io/solution_file.hpp"
#include "slipstick/io/text_scanner.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/operator.hpp"
#include "slipstick/matrix.hpp"
#include "slipstick/problems/convert.hpp"

namespace slipstick::internal {
namespace {

namespace fs = std::filesystem;

// The types of problem, in the order of AnyProblem.
constexpr const char* type_names[] = {"lcp", "mixed_lcp", "problem", "local_contact", "global_contact"};
constexpr std::size_t lcp_type = 0, mixed_lcp_type = 1, problem_type = 2, local_type = 3, global_type = 4;

// NAME.mtx and "q.mtx" give NAME.q.mtx.
fs::path companion_path(const fs::path& path, const std::string& part) {
  return fs::path(path).replace_extension(part);
}

// A remark takes one line, so line breaks and other control characters are escaped.
std::string escape(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\\\";
    } else if (static_cast<unsigned char>(c) < ' ') {
      append_format(result, "\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      result += c;
    }
  }
  return result;
}

std::string unescape(std::string_view text) {
  const auto digit = [](char c) { return c >= 'a' ? c - 'a' + 10 : c - '0'; };
  std::string result;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '\\' && k + 3 < text.size() && text[k + 1] == 'x') {
      result += static_cast<char>(16 * digit(text[k + 2]) + digit(text[k + 3]));
      k += 3;
    } else {
      if (text[k] == '\\' && k + 1 < text.size()) ++k;
      result += text[k];
    }
  }
  return result;
}

// NAME.mtx and the files beside it.
class Companions {
 public:
  Companions(fs::path path, const MarketMatrix& main) : path_(std::move(path)), main_(main) {
    if (!main.remarks.contains("parts")) return;
    std::istringstream words(main.remarks.at("parts"));
    listed_.emplace(std::istream_iterator<std::string>(words), std::istream_iterator<std::string>());
  }

  const fs::path& path() const { return path_; }
  std::string name(const std::string& part) const { return companion_path(path_, part).filename().string(); }

  // If NAME.mtx does not list a file, that file may belong to another problem of the same name.
  bool has(const std::string& part) const {
    if (listed_) return std::find(listed_->begin(), listed_->end(), part) != listed_->end();
    std::error_code ignored;
    return fs::exists(companion_path(path_, part), ignored);
  }

  std::string text(const std::string& part) const {
    const fs::path path = companion_path(path_, part);
    std::error_code ignored;
    if (!fs::exists(path, ignored))
      fail("{}: the companion file {} is missing", path_.string(), path.filename().string());
    return read_file(path);
  }

  // rows < 0: any number of them.
  Vector vector(const std::string& part, Index rows, bool infinite_values = false) const {
    const std::string path = companion_path(path_, part).string();
    const MarketMatrix matrix = parse_matrix_market(text(part), path, infinite_values);
    if (matrix.columns != 1 || (rows >= 0 && matrix.rows != rows))
      fail("{}: is {} x {}, expected {} x 1", path, matrix.rows, matrix.columns,
           rows >= 0 ? std::to_string(rows) : "any number of rows");
    const auto* values = std::get_if<DenseMatrix>(&matrix.values);
    if (values == nullptr) fail("{}: is in coordinate form, expected a vector in array form", path);
    return values->col(0);
  }

  Vector bounds(const std::string& part, Index rows, double where_absent) const {
    return has(part) ? vector(part, rows, true) : Vector::Constant(rows, where_absent);
  }

  // The numbers of rows and columns must be those of vectors that have been read.
  CsrMatrix matrix(const std::string& part, Index rows, Index columns) const {
    const std::string path = companion_path(path_, part).string();
    return to_csr(parse_matrix_market(text(part), path), path, rows, columns);
  }
  CsrMatrix main_matrix(Index rows) const { return to_csr(main_, path_.string(), rows, rows); }
  Operator main_operator(Index rows) const {
    if (const auto* dense = std::get_if<DenseMatrix>(&main_.values)) {
      check_size(main_, path_.string(), rows, rows);
      return *dense;
    }
    return main_matrix(rows);
  }

  std::optional<std::string> remark(const std::string& key) const {
    const auto found = main_.remarks.find(key);
    return found != main_.remarks.end() ? std::optional(found->second) : std::nullopt;
  }

 private:
  static void check_size(const MarketMatrix& matrix, const std::string& path, Index rows, Index columns) {
    if (matrix.rows != rows || matrix.columns != columns)
      fail("{}: is {} x {}, but the vectors of the problem ask for {} x {}", path, matrix.rows,
           matrix.columns, rows, columns);
  }
  static CsrMatrix to_csr(const MarketMatrix& matrix, const std::string& path, Index rows, Index columns) {
    check_size(matrix, path, rows, columns);
    if (const auto* dense = std::get_if<DenseMatrix>(&matrix.values)) return csr_from_dense(*dense);
    return csr_from_triplets(rows, columns, std::get<std::vector<Triplet>>(matrix.values));
  }

  fs::path path_;
  const MarketMatrix& main_;
  std::optional<std::vector<std::string>> listed_;
};

// The type that the file names. A file of another program has no type, so its companions decide.
std::size_t find_type(const Companions& files) {
  if (const auto type = files.remark("type")) {
    const auto found = std::find(std::begin(type_names), std::end(type_names), *type);
    if (found == std::end(type_names))
      fail("{}: the type '{}' is none of {}", files.path().string(), printable(*type),
           fmt::join(type_names, ", "));
    return static_cast<std::size_t>(found - std::begin(type_names));
  }
  if (files.has("H.mtx")) return global_type;
  if (files.has("mu.mtx")) return local_type;
  if (files.has("b.mtx")) return problem_type;
  if (files.has("q.mtx")) return files.has("lower.mtx") || files.has("upper.mtx") ? mixed_lcp_type : lcp_type;
  fail(
      "{}: is a matrix alone; expected a companion beside it: {} (linear complementarity; with {}: contact) "
      "or {} "
      "(quadratic program)",
      files.path().string(), files.name("q.mtx"), files.name("mu.mtx"), files.name("b.mtx"));
}

LcpProblem read_lcp(const Companions& files) {
  Vector q = files.vector("q.mtx", -1);
  return {files.main_operator(q.size()), std::move(q)};
}

MixedLcp read_mixed_lcp(const Companions& files) {
  MixedLcp mixed;
  mixed.q = files.vector("q.mtx", -1);
  mixed.lower = files.bounds("lower.mtx", mixed.q.size(), -infinity);
  mixed.upper = files.bounds("upper.mtx", mixed.q.size(), infinity);
  mixed.M = files.main_operator(mixed.q.size());
  return mixed;
}

Problem read_quadratic(const Companions& files) {
  const std::string path = files.path().string();
  Problem problem;
  problem.b = files.vector("b.mtx", -1);
  const Index rows = problem.b.size();
  if (files.has("sets")) {
    problem.K = parse_sets(files.text("sets"), companion_path(files.path(), "sets").string(), rows);
  } else {
    const Vector lower = files.bounds("lower.mtx", rows, -infinity);
    const Vector upper = files.bounds("upper.mtx", rows, infinity);
    for (Index i = 0; i < rows; ++i) {
      if (lower[i] > upper[i] || lower[i] == infinity || upper[i] == -infinity)
        fail("{}: row {} has the bounds {} and {}", path, i + 1, lower[i], upper[i]);
    }
    problem.K = ProductSet::box(lower, upper);
  }
  problem.A = files.main_operator(rows);
  if (files.has("G.mtx")) {
    LinearRows& linear = problem.rows.emplace();
    const bool has_lower = files.has("G.lower.mtx");
    const Index count = files.vector(has_lower ? "G.lower.mtx" : "G.upper.mtx", -1, true).size();
    linear.lower = files.bounds("G.lower.mtx", count, -infinity);
    linear.upper = files.bounds("G.upper.mtx", count, infinity);
    linear.G = std::make_shared<const CsrMatrix>(files.matrix("G.mtx", count, rows));
  }
  if (const auto constant = files.remark("constant"))
    problem.constant = TextScanner(*constant, path + ": the remark 'constant'").number("a constant");
  const auto symmetric = files.remark("symmetric");
  if (symmetric && *symmetric != "yes" && *symmetric != "no")
    fail("{}: the remark 'symmetric' is '{}', expected yes or no", path, printable(*symmetric));
  problem.symmetric = symmetric ? *symmetric == "yes" : problem.A.asymmetry() <= symmetry_tolerance;
  return problem;
}

int read_dimension(const Companions& files, Index rows, Index contacts) {
  const std::string path = files.path().string();
  std::int64_t dimension = contacts > 0 ? rows / contacts : 3;
  if (const auto remark = files.remark("dimension"))
    dimension = TextScanner(*remark, path + ": the remark 'dimension'").integer("a dimension", 2, 3);
  if ((dimension != 2 && dimension != 3) || rows != dimension * contacts)
    fail("{}: {} contacts have {} rows, expected 2 or 3 for each", path, contacts, rows);
  return static_cast<int>(dimension);
}

// The bounds of the rows of joints, limits and motors, if there are such rows.
void read_joint_bounds(const Companions& files, auto& problem) {
  if (!files.has("joint.lower.mtx")) return;
  problem.lower = files.vector("joint.lower.mtx", -1, true);
  problem.upper = files.vector("joint.upper.mtx", problem.lower.size(), true);
}

LocalContactProblem read_local(const Companions& files) {
  LocalContactProblem local;
  local.mu = files.vector("mu.mtx", -1);
  local.q = files.vector("q.mtx", -1);
  read_joint_bounds(files, local);
  const Index rows = local.q.size();
  local.dimension = read_dimension(files, rows - local.joint_rows(), local.contacts());
  local.W = files.main_operator(rows);
  // A file with joints in matrices of their own.
  if (files.has("s.mtx")) {
    const Vector s = files.vector("s.mtx", -1);
    add_joints(files.matrix("V.mtx", rows, s.size()), files.matrix("R.mtx", s.size(), s.size()), s, local);
  }
  return local;
}

GlobalContactProblem read_global(const Companions& files) {
  GlobalContactProblem global;
  global.mu = files.vector("mu.mtx", -1);
  global.f = files.vector("f.mtx", -1);
  global.w = files.vector("w.mtx", -1);
  read_joint_bounds(files, global);
  global.dimension = read_dimension(files, global.w.size() - global.joint_rows(), global.contacts());
  global.M = files.main_matrix(global.f.size());
  global.H = files.matrix("H.mtx", global.f.size(), global.w.size());
  if (files.has("compliance.mtx")) global.compliance = files.vector("compliance.mtx", global.w.size());
  if (files.has("b.mtx")) {
    const Vector b = files.vector("b.mtx", -1);
    add_joints(files.matrix("G.mtx", global.f.size(), b.size()), b, global);
  }
  return global;
}

AnyProblem read_type(std::size_t type, const Companions& files) {
  switch (type) {
    case lcp_type:
      return read_lcp(files);
    case mixed_lcp_type:
      return read_mixed_lcp(files);
    case problem_type:
      return read_quadratic(files);
    case local_type:
      return read_local(files);
    default:
      return read_global(files);
  }
}

// A file beside NAME.mtx: the name of the part, and a function that makes its text when it is written.
struct Part {
  std::string name;
  std::function<std::string()> text;
};
using Parts = std::vector<Part>;

void add(Parts& parts, const char* name, const Vector& values) {
  parts.push_back({name, [&values] { return matrix_market_text(values); }});
}
void add(Parts& parts, const char* name, const CsrMatrix& a) {
  parts.push_back({name, [&a] { return matrix_market_text(a); }});
}

// Remarks and companions of each type; the matrix goes into NAME.mtx.
struct Composition {
  std::string remarks;
  Parts parts;

  void operator()(const LcpProblem& lcp) { add(parts, "q.mtx", lcp.q); }
  void operator()(const MixedLcp& mixed) {
    add(parts, "q.mtx", mixed.q);
    add(parts, "lower.mtx", mixed.lower);
    add(parts, "upper.mtx", mixed.upper);
  }
  void operator()(const Problem& problem) {
    add(parts, "b.mtx", problem.b);
    if (is_plain_box(problem.K)) {
      parts.push_back({"lower.mtx", [&problem] { return matrix_market_text(Vector(problem.K.lower())); }});
      parts.push_back({"upper.mtx", [&problem] { return matrix_market_text(Vector(problem.K.upper())); }});
    } else {
      parts.push_back({"sets", [&problem] { return sets_text(problem.K); }});
    }
    if (problem.rows) {
      add(parts, "G.mtx", *problem.rows->G);
      add(parts, "G.lower.mtx", problem.rows->lower);
      add(parts, "G.upper.mtx", problem.rows->upper);
    }
    remarks = fmt::format("%slipstick: symmetric {}\n%slipstick: constant {}\n",
                          problem.symmetric ? "yes" : "no", problem.constant);
  }
  void operator()(const LocalContactProblem& local) {
    add(parts, "q.mtx", local.q);
    add(parts, "mu.mtx", local.mu);
    add_joint_bounds(local);
    remarks = fmt::format("%slipstick: dimension {}\n", local.dimension);
  }
  void operator()(const GlobalContactProblem& global) {
    add(parts, "H.mtx", global.H);
    add(parts, "f.mtx", global.f);
    add(parts, "w.mtx", global.w);
    add(parts, "mu.mtx", global.mu);
    add_joint_bounds(global);
    if (global.compliance.size() > 0) add(parts, "compliance.mtx", global.compliance);
    remarks = fmt::format("%slipstick: dimension {}\n", global.dimension);
  }
  void add_joint_bounds(const auto& problem) {
    if (problem.joint_rows() == 0) return;
    add(parts, "joint.lower.mtx", problem.lower);
    add(parts, "joint.upper.mtx", problem.upper);
  }
};

std::string operator_text(const Operator& a, const std::string& remarks) {
  return a.visit([&](const auto& storage) {
    if constexpr (std::is_same_v<std::decay_t<decltype(storage)>, DenseMatrix>) {
      return matrix_market_text(storage, remarks);
    } else {
      return matrix_market_text(*a.assemble(), remarks);
    }
  });
}

std::string main_text(const AnyProblem& problem, const std::string& remarks) {
  struct Matrix {
    const std::string& remarks;
    std::string operator()(const LcpProblem& p) const { return operator_text(p.M, remarks); }
    std::string operator()(const MixedLcp& p) const { return operator_text(p.M, remarks); }
    std::string operator()(const Problem& p) const { return operator_text(p.A, remarks); }
    std::string operator()(const LocalContactProblem& p) const { return operator_text(p.W, remarks); }
    std::string operator()(const GlobalContactProblem& p) const { return matrix_market_text(p.M, remarks); }
  };
  return std::visit(Matrix{remarks}, problem);
}

// Every file is complete under a temporary name before any gets its final name. The main file, which makes
// the problem visible, gets it last.
void write_all(const fs::path& main, const Parts& parts, std::size_t next) {
  if (next == parts.size()) {
    std::error_code ignored;
    fs::remove(main, ignored);
    return;
  }
  const fs::path path = next == 0 ? main : companion_path(main, parts[next].name);
  write_atomically(path, [&](const fs::path& temporary) {
    {
      std::ofstream stream(temporary, std::ios::binary);
      const std::string text = parts[next].text();
      stream.write(text.data(), static_cast<std::streamsize>(text.size()));
      stream.close();
      if (!stream) fail("cannot write {}: the disk may be full", path.string());
    }
    write_all(main, parts, next + 1);
  });
}

}  // namespace

ProblemFile read_matrix_market(std::string_view text, const fs::path& path) {
  const MarketMatrix main = parse_matrix_market(text, path.string());
  const Companions files(path, main);
  ProblemFile result;
  result.format = FileFormat::matrix_market;
  result.problem = read_type(find_type(files), files);
  result.title = unescape(files.remark("title").value_or(""));
  result.description = unescape(files.remark("description").value_or(""));
  const auto solution = [&](const std::string& part) {
    const std::string where = companion_path(path, part).string();
    Solution answer = parse_solution_csv(files.text(part), where);
    check_solution_shape(result.problem, answer, where);
    return answer;
  };
  if (files.has("solution.csv")) result.solution = solution("solution.csv");
  for (int k = 1; files.has(fmt::format("guess{}.csv", k)); ++k)
    result.guesses.push_back(solution(fmt::format("guess{}.csv", k)));
  return result;
}

void write_matrix_market(const fs::path& path, const ProblemFile& file) {
  Composition composition;
  std::visit(composition, file.problem);
  Parts parts = std::move(composition.parts);
  const auto csv = [&file](const Solution& solution) {
    return solution_csv(to_file(file.problem, solution));
  };
  if (file.solution) parts.push_back({"solution.csv", [&file, csv] { return csv(*file.solution); }});
  for (std::size_t k = 0; k < file.guesses.size(); ++k)
    parts.push_back({fmt::format("guess{}.csv", k + 1), [&file, k, csv] { return csv(file.guesses[k]); }});

  std::string remarks =
      fmt::format("%slipstick: type {}\n%slipstick: parts", type_names[file.problem.index()]);
  for (const Part& part : parts) remarks += " " + part.name;
  remarks += "\n" + composition.remarks;
  if (!file.title.empty()) remarks += fmt::format("%slipstick: title {}\n", escape(file.title));
  if (!file.description.empty())
    remarks += fmt::format("%slipstick: description {}\n", escape(file.description));
  parts.insert(parts.begin(), {"mtx", [&] { return main_text(file.problem, remarks); }});
  write_all(path, parts, 0);
}

}  // namespace slipstick::internal
