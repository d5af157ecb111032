// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/io/io_testing.hpp"
#include "tests/support/message_of.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <fstream>
#include <iterator>

#include "slipstick/base/error.hpp"
#include "slipstick/io/solution_file.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/operator.hpp"

namespace slipstick::internal {
namespace {

namespace fs = std::filesystem;

testing::AssertionResult differ(const std::string& what) {
  return testing::AssertionFailure() << what;
}

bool same_bytes(const void* a, const void* b, Index count, std::size_t size) {
  return count == 0 || std::memcmp(a, b, static_cast<std::size_t>(count) * size) == 0;
}

bool same_vector(const auto& a, const auto& b) {
  return a.size() == b.size() && same_bytes(a.data(), b.data(), a.size(), sizeof(double));
}

bool same_csr(const CsrMatrix& a, const CsrMatrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && a.nonZeros() == b.nonZeros() &&
         same_bytes(a.outerIndexPtr(), b.outerIndexPtr(), a.rows() + 1, sizeof(int)) &&
         same_bytes(a.innerIndexPtr(), b.innerIndexPtr(), a.nonZeros(), sizeof(int)) &&
         same_bytes(a.valuePtr(), b.valuePtr(), a.nonZeros(), sizeof(double));
}

bool same_sets(const ProductSet& a, const ProductSet& b) {
  return same_vector(a.lower(), b.lower()) && same_vector(a.upper(), b.upper()) &&
         std::equal(a.blocks().begin(), a.blocks().end(), b.blocks().begin(), b.blocks().end(),
                    [](const SetBlock& left, const SetBlock& right) {
                      return left.kind == right.kind && left.role == right.role &&
                             left.start == right.start && left.size == right.size &&
                             left.parameter == right.parameter;
                    });
}

struct Compare {
  const AnyProblem& other;

  std::string operator()(const LcpProblem& a) const {
    const auto& b = std::get<LcpProblem>(other);
    if (!same_csr(*a.M.assemble(), *b.M.assemble())) return "M";
    return same_vector(a.q, b.q) ? "" : "q";
  }
  std::string operator()(const MixedLcp& a) const {
    const auto& b = std::get<MixedLcp>(other);
    if (!same_csr(*a.M.assemble(), *b.M.assemble())) return "M";
    if (!same_vector(a.lower, b.lower) || !same_vector(a.upper, b.upper)) return "bounds";
    return same_vector(a.q, b.q) ? "" : "q";
  }
  std::string operator()(const Problem& a) const {
    const auto& b = std::get<Problem>(other);
    if (!same_csr(*a.A.assemble(), *b.A.assemble())) return "A";
    if (!same_vector(a.b, b.b)) return "b";
    if (!same_sets(a.K, b.K)) return "K";
    if (a.constant != b.constant) return "constant";
    if (a.symmetric != b.symmetric) return "symmetric";
    if (a.rows.has_value() != b.rows.has_value()) return "linear rows";
    if (!a.rows) return "";
    if (!same_csr(*a.rows->G, *b.rows->G)) return "G";
    return same_vector(a.rows->lower, b.rows->lower) && same_vector(a.rows->upper, b.rows->upper)
               ? ""
               : "row bounds";
  }
  std::string operator()(const LocalContactProblem& a) const {
    const auto& b = std::get<LocalContactProblem>(other);
    if (a.dimension != b.dimension) return "dimension";
    if (!same_csr(*a.W.assemble(), *b.W.assemble())) return "W";
    if (!same_vector(a.q, b.q) || !same_vector(a.mu, b.mu)) return "q or mu";
    return same_vector(a.lower, b.lower) && same_vector(a.upper, b.upper) ? "" : "bounds";
  }
  std::string operator()(const GlobalContactProblem& a) const {
    const auto& b = std::get<GlobalContactProblem>(other);
    if (a.dimension != b.dimension) return "dimension";
    if (!same_csr(a.M, b.M) || !same_csr(a.H, b.H)) return "M or H";
    if (!same_vector(a.f, b.f) || !same_vector(a.w, b.w) || !same_vector(a.mu, b.mu)) return "f, w or mu";
    if (!same_vector(a.compliance, b.compliance)) return "compliance";
    return same_vector(a.lower, b.lower) && same_vector(a.upper, b.upper) ? "" : "bounds";
  }
};

// Values that need all their digits, and a zero and a negative zero that are stored.
DenseMatrix symmetric_matrix(Index rows) {
  DenseMatrix a(rows, rows);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < rows; ++j)
      a(i, j) = 1.0 / (3.0 + static_cast<double>(i + j)) + (i == j ? 1.0 : 0.0);
  }
  return a;
}

}  // namespace

ScratchFolder::ScratchFolder() {
  static std::atomic<int> count = 0;
  path_ = fs::temp_directory_path() /
          ("slipstick_io_" + std::to_string(::getpid()) + "_" + std::to_string(count++));
  fs::create_directories(path_);
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path ScratchFolder::file(std::string_view name, std::string_view bytes) const {
  const fs::path path = path_ / name;
  fs::remove(path);  // truncating it instead would wait for the disk
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return path;
}

int ScratchFolder::entries() const {
  return static_cast<int>(std::distance(fs::directory_iterator(path_), fs::directory_iterator()));
}

std::string bytes_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

testing::AssertionResult same_problem(const AnyProblem& a, const AnyProblem& b) {
  if (a.index() != b.index()) return differ("types of problem differ");
  const std::string difference = std::visit(Compare{b}, a);
  return difference.empty() ? testing::AssertionSuccess() : differ(difference + " differs");
}

testing::AssertionResult same_solution(const Solution& a, const Solution& b) {
  const FileSolution left{a}, right{b};
  for (const auto& [name, values] : solution_vectors) {
    if (!same_vector(left.*values, right.*values))
      return differ(std::string(name) + " of the solution differs");
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult same_matrix(const CsrMatrix& a, const CsrMatrix& b) {
  return same_csr(a, b) ? testing::AssertionSuccess() : differ("matrices differ");
}

testing::AssertionResult same_contents(const ProblemFile& a, const ProblemFile& b) {
  if (a.title != b.title || a.description != b.description) return differ("title or description differs");
  if (a.solution.has_value() != b.solution.has_value() || a.guesses.size() != b.guesses.size())
    return differ("number of solutions or guesses differs");
  if (a.solution) {
    if (const auto same = same_solution(*a.solution, *b.solution); !same) return same;
  }
  for (std::size_t k = 0; k < a.guesses.size(); ++k) {
    if (const auto same = same_solution(a.guesses[k], b.guesses[k]); !same) return same;
  }
  if (a.keys != b.keys) return differ("keys differ");
  if (a.states != b.states) return differ("states differ");
  return same_problem(a.problem, b.problem);
}

testing::AssertionResult has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "'" << part << "' is not in '" << text << "'";
}

std::string read_error(const fs::path& path, std::optional<ProblemClass> kind) {
  return message_of([&] { read_problem(path, kind); });
}

CsrMatrix csr(const DenseMatrix& a) {
  return csr_from_dense(a);
}

ProblemFile local_example() {
  LocalContactProblem local;
  local.dimension = 3;
  DenseMatrix W = symmetric_matrix(6);
  W(0, 5) = W(5, 0) = -0.1;
  local.W = csr(W);
  local.q = vec({-1.0 / 3.0, 0.1, -0.0, -1e-300, 5e-324, 1e308});
  local.mu = vec({0.3, 0.7});
  add_joints(csr_from_triplets(6, 2, std::vector<Triplet>{{0, 1, 0.1}, {4, 0, -2.0 / 3.0}, {5, 1, 0.0}}),
             csr_from_triplets(2, 2, std::vector<Triplet>{{0, 0, 1.0}, {1, 1, 0.7}}), vec({0.2, -0.3}),
             local);
  ProblemFile file;
  file.problem = local;
  file.title = "A local problem";
  file.description = "two lines\nand a \\ backslash";
  Solution& solution = file.solution.emplace();
  solution.r = vec({1, 2, 3, 4, 5, 1.0 / 7.0, -1, 1});
  solution.u = vec({0, 0, 0, 0.1, 0.2, 0.3});
  file.guesses.resize(2);
  file.guesses[0].r = Vector::Constant(6, 0.1);
  file.guesses[1].u = Vector::Constant(6, 0.2);
  return file;
}

ProblemFile global_example() {
  GlobalContactProblem global;
  global.dimension = 2;
  global.M = csr(symmetric_matrix(4));
  global.H =
      csr_from_triplets(4, 2, std::vector<Triplet>{{0, 0, 1.0 / 3.0}, {3, 0, -1}, {2, 1, 0.0}, {1, 1, 2}});
  global.f = vec({0.1, 0.2, 0.3, 0.4});
  global.w = vec({-0.5, 1.0 / 9.0});
  global.mu = vec({0.9});
  add_joints(csr_from_triplets(4, 3, std::vector<Triplet>{{0, 2, 1.5}, {3, 1, -1.0 / 11.0}}), vec({1, 0, -1}),
             global);
  ProblemFile file;
  file.problem = global;
  file.title = "A global problem";
  Solution& guess = file.guesses.emplace_back();
  guess.v = vec({1, 2, 3, 4});
  guess.r = vec({0.4, 0.5, 0.1, 0.2, 0.3});
  return file;
}

ProblemFile quadratic_example() {
  Problem problem;
  problem.A = csr(symmetric_matrix(14));
  problem.b = Vector::LinSpaced(14, -1.0, 1.0);
  problem.K.append_free(2, Role::bilateral);
  problem.K.append_nonnegative(1, Role::normal);
  problem.K.append_interval(-1.0 / 3.0, 0.1, Role::friction);
  problem.K.append_interval(0.5, 0.5, Role::friction);
  problem.K.append_interval(-infinity, 2.0);
  problem.K.append_cone(0.3, 3);
  problem.K.append_cone(0.3, 2);
  problem.K.append_diamond(0.7, 2);
  problem.K.append_disk(1.0 / 3.0, 1, Role::plain);
  LinearRows& rows = problem.rows.emplace();
  rows.G = std::make_shared<const CsrMatrix>(
      csr_from_triplets(2, 14, std::vector<Triplet>{{0, 0, 0.1}, {0, 7, -1}, {1, 13, 1.0 / 3.0}}));
  rows.lower = vec({-infinity, 0.25});
  rows.upper = vec({1e-3, 0.25});
  problem.constant = -1.0 / 3.0;
  ProblemFile file;
  file.problem = problem;
  Solution& solution = file.solution.emplace();
  solution.x = Vector::LinSpaced(14, 0.0, 1.0);
  solution.w = Vector::LinSpaced(14, 1.0, 0.0);
  solution.multipliers = vec({0.1, 0.2});
  return file;
}

ProblemFile box_example() {
  Problem problem;
  DenseMatrix A = symmetric_matrix(3);
  A(0, 1) = 7.0;
  problem.A = A;
  problem.b = vec({1, -2, 1.0 / 3.0});
  problem.K = ProductSet::box(vec({-infinity, 0, -0.1}), vec({infinity, infinity, 0.2}));
  problem.symmetric = false;
  ProblemFile file;
  file.problem = problem;
  return file;
}

ProblemFile mixed_lcp_example() {
  MixedLcp mixed;
  mixed.M = csr_from_triplets(
      3, 3, std::vector<Triplet>{{0, 1, 0.1}, {1, 0, -0.1}, {2, 2, 1.0 / 3.0}, {2, 0, 0.0}});
  mixed.q = vec({1, 2, 3});
  mixed.lower = vec({-infinity, 0, -1});
  mixed.upper = vec({infinity, infinity, 1});
  ProblemFile file;
  file.problem = mixed;
  return file;
}

ProblemFile lcp_example() {
  const DenseMatrix M = mat({{2, 1}, {0.1, 2}});
  ProblemFile file;
  file.problem = LcpProblem{csr(M), vec({-5, -6})};
  return file;
}

}  // namespace slipstick::internal
