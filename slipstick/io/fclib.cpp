// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/fclib.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "slipstick/base/error.hpp"
#include "slipstick/io/atomic_file.hpp"
#include "slipstick/io/hdf5_file.hpp"
#include "slipstick/io/solution_file.hpp"
#include "slipstick/problems/joints.hpp"

namespace slipstick::internal {
namespace {

constexpr int compressed_columns = -1;
constexpr int compressed_rows = -2;
// Marks a matrix that we wrote: it is complete, and no triangle is mirrored.
constexpr const char* complete_attribute = "complete";

constexpr std::string_view local_root = "/fclib_local";
constexpr std::string_view global_root = "/fclib_global";
// A problem that FCLib cannot hold has a root of its own, so that other readers refuse it.
constexpr std::string_view own_root = "/slipstick_problem";
constexpr const char* version_attribute = "format_version";
// Beside a problem of either kind.
constexpr const char* keys_name = "/slipstick_keys";
constexpr const char* states_name = "/slipstick_states";
constexpr int format_version = 1;

std::string member(std::string_view group, std::string_view name) {
  return fmt::format("{}/{}", group, name);
}

// The pointers of a compressed matrix must start at 0, never fall, and not pass the last entry.
void check_pointers(const Hdf5File& file, const std::string& name, const std::vector<int>& pointers,
                    Index entries) {
  if (pointers.front() != 0) fail("{}: {} starts with {}, expected 0", file.path(), name, pointers.front());
  for (std::size_t k = 1; k < pointers.size(); ++k) {
    if (pointers[k] < pointers[k - 1] || pointers[k] > entries)
      fail("{}: entry {} of {} is {}, expected {} to {}", file.path(), k, name, pointers[k], pointers[k - 1],
           entries);
  }
}

CsrMatrix read_matrix(const Hdf5File& file, const std::string& group, Index rows, Index columns) {
  const auto dataset = [&](const char* name) { return member(group, name); };
  const int m = file.integer(dataset("m"));
  const int n = file.integer(dataset("n"));
  if (m != rows || n != columns)
    fail("{}: {} is {} x {}, but the vectors beside it ask for {} x {}", file.path(), group, m, n, rows,
         columns);
  const int nz = file.integer(dataset("nz"));
  const int nzmax = file.integer(dataset("nzmax"));
  if (nz < compressed_rows || nz > nzmax)
    fail("{}: {}/nz is {}, expected -1 (columns), -2 (rows) or 0 to nzmax = {} triplets", file.path(), group,
         nz, nzmax);

  const std::vector<int> i = file.integers(dataset("i"));
  const Vector x = file.numbers(dataset("x"), static_cast<Index>(i.size()));
  std::vector<int> p;
  std::size_t entries = 0;
  if (nz >= 0) {
    // Arrays may have nz or nzmax entries.
    p = file.integers(dataset("p"), static_cast<Index>(i.size()));
    entries = static_cast<std::size_t>(nz);
    if (entries > i.size()) fail("{}: {}/i has {} entries, expected {}", file.path(), group, i.size(), nz);
  } else {
    p = file.integers(dataset("p"), (nz == compressed_columns ? columns : rows) + 1);
    check_pointers(file, dataset("p"), p, static_cast<Index>(i.size()));
    entries = static_cast<std::size_t>(p.back());
  }

  std::vector<Triplet> triplets;
  triplets.reserve(entries);
  std::size_t outer = 0;
  for (std::size_t k = 0; k < entries; ++k) {
    const double value = x[static_cast<Index>(k)];
    if (nz >= 0) {
      triplets.push_back({i[k], p[k], value});
    } else {
      while (p[outer + 1] <= static_cast<int>(k)) ++outer;
      const int line = static_cast<int>(outer);
      triplets.push_back(nz == compressed_rows ? Triplet{line, i[k], value} : Triplet{i[k], line, value});
    }
    const Triplet& entry = triplets.back();
    if (entry.row < 0 || entry.row >= rows || entry.column < 0 || entry.column >= columns)
      fail("{}: entry {} of {} is at ({}, {}), outside of {} x {}", file.path(), k, group, entry.row,
           entry.column, rows, columns);
  }
  return csr_from_triplets(rows, columns, triplets);
}

// Some finite-element files store one triangle of a symmetric matrix. Then every entry lies in it and the
// diagonal is full.
bool is_one_triangle(const CsrMatrix& a) {
  Index below = 0;
  Index above = 0;
  Index diagonal = 0;
  for (Index i = 0; i < a.rows(); ++i) {
    for (CsrMatrix::InnerIterator it(a, i); it; ++it) {
      below += it.col() < i;
      above += it.col() > i;
      diagonal += it.col() == i;
    }
  }
  return diagonal == a.rows() && (below == 0) != (above == 0);
}

CsrMatrix mirrored(const CsrMatrix& a) {
  std::vector<Triplet> entries;
  for (int i = 0; i < a.rows(); ++i) {
    for (CsrMatrix::InnerIterator it(a, i); it; ++it) {
      const int j = static_cast<int>(it.col());
      entries.push_back({i, j, it.value()});
      if (i != j) entries.push_back({j, i, it.value()});
    }
  }
  return csr_from_triplets(a.rows(), a.cols(), entries);
}

CsrMatrix read_symmetric_matrix(const Hdf5File& file, const std::string& group, Index rows,
                                std::vector<std::string>& warnings) {
  CsrMatrix a = read_matrix(file, group, rows, rows);
  if (file.has_attribute(group, complete_attribute) || !is_one_triangle(a)) return a;
  if (a.nonZeros() > std::numeric_limits<int>::max() / 2)
    fail("{}: {} holds one triangle only, and its mirror image has too many entries", file.path(), group);
  warnings.push_back(fmt::format("{} holds one triangle only and has been mirrored", group));
  return mirrored(a);
}

// True if the file has joints. The file has all parts of them, or none.
bool has_joints(const Hdf5File& file, std::initializer_list<std::string> parts) {
  const auto present =
      std::count_if(parts.begin(), parts.end(), [&](const auto& part) { return file.has(part); });
  if (present == 0) return false;
  for (const std::string& part : parts) {
    if (!file.has(part)) fail("{}: has equality constraints, but no {}", file.path(), part);
  }
  return true;
}

int read_dimension(const Hdf5File& file, const std::string& root) {
  const int dimension = file.integer(root + "/spacedim");
  if (dimension != 2 && dimension != 3)
    fail("{}: {}/spacedim is {}, expected 2 or 3", file.path(), root, dimension);
  return dimension;
}

void check_contacts(const Hdf5File& file, const std::string& name, Index rows, int dimension,
                    Index contacts) {
  if (rows != dimension * contacts)
    fail("{}: {} has {} entries, expected {} for each of {} contacts", file.path(), name, rows, dimension,
         contacts);
}

void read_joint_bounds(const Hdf5File& file, const std::string& root, auto& problem) {
  problem.lower = file.numbers(root + "/vectors/lower", -1, true);
  problem.upper = file.numbers(root + "/vectors/upper", problem.lower.size(), true);
}

// What a problem under a root of its own has in addition is read under `own`.
LocalContactProblem read_local(const Hdf5File& file, const std::string& root, bool own,
                               std::vector<std::string>& warnings) {
  LocalContactProblem local;
  local.dimension = read_dimension(file, root);
  local.mu = file.numbers(root + "/vectors/mu");
  local.q = file.numbers(root + "/vectors/q");
  if (own) read_joint_bounds(file, root, local);
  const Index rows = local.q.size();
  check_contacts(file, root + "/vectors/q", rows - local.joint_rows(), local.dimension, local.contacts());
  local.W = read_symmetric_matrix(file, root + "/W", rows, warnings);
  if (!own && has_joints(file, {root + "/V", root + "/R", root + "/vectors/s"})) {
    const Vector s = file.numbers(root + "/vectors/s");
    add_joints(read_matrix(file, root + "/V", rows, s.size()),
               read_matrix(file, root + "/R", s.size(), s.size()), s, local);
  }
  return local;
}

GlobalContactProblem read_global(const Hdf5File& file, const std::string& root, bool own,
                                 std::vector<std::string>& warnings) {
  GlobalContactProblem global;
  global.dimension = read_dimension(file, root);
  global.mu = file.numbers(root + "/vectors/mu");
  global.w = file.numbers(root + "/vectors/w");
  if (own) {
    read_joint_bounds(file, root, global);
    global.compliance = file.numbers(root + "/vectors/compliance");
  }
  check_contacts(file, root + "/vectors/w", global.w.size() - global.joint_rows(), global.dimension,
                 global.contacts());
  global.f = file.numbers(root + "/vectors/f");
  global.M = read_symmetric_matrix(file, root + "/M", global.f.size(), warnings);
  global.H = read_matrix(file, root + "/H", global.f.size(), global.w.size());
  if (!own && has_joints(file, {root + "/G", root + "/vectors/b"})) {
    const Vector b = file.numbers(root + "/vectors/b");
    add_joints(read_matrix(file, root + "/G", global.f.size(), b.size()), b, global);
  }
  return global;
}

Solution read_solution_group(const Hdf5File& file, const std::string& group) {
  FileSolution solution;
  for (const auto& [name, values] : solution_vectors) {
    if (file.has(member(group, name))) solution.*values = file.numbers(member(group, name));
  }
  return from_file(std::move(solution));
}

Index count_contacts(const AnyProblem& problem) {
  const auto* local = std::get_if<LocalContactProblem>(&problem);
  return local != nullptr ? local->contacts() : std::get<GlobalContactProblem>(problem).contacts();
}

// A key for each contact, then for each row of a joint.
Index count_keys(const AnyProblem& problem) {
  const auto* local = std::get_if<LocalContactProblem>(&problem);
  return count_contacts(problem) +
         (local != nullptr ? local->joint_rows() : std::get<GlobalContactProblem>(problem).joint_rows());
}

std::vector<ContactState> read_states(const Hdf5File& file, Index contacts) {
  std::vector<ContactState> states;
  for (const int state : file.integers(states_name, contacts)) {
    if (state < 0 || state > static_cast<int>(ContactState::slip))
      fail("{}: entry {} of {} is {}, expected 0 (open), 1 (stick) or 2 (slip)", file.path(), states.size(),
           states_name, state);
    states.push_back(static_cast<ContactState>(state));
  }
  return states;
}

void check_count(const std::filesystem::path& path, std::size_t count, const char* noun, Index expected) {
  if (count > 0 && static_cast<Index>(count) != expected)
    fail("cannot write {}: there are {} {}, expected {}", path.string(), count, noun, expected);
}

// If a stored answer cannot be used, the problem is read nevertheless.
std::optional<Solution> try_solution(const Hdf5File& file, const std::string& group, ProblemFile& result) {
  if (!file.has(group)) return std::nullopt;
  try {
    Solution solution = read_solution_group(file, group);
    check_solution_shape(result.problem, solution, file.path());
    return solution;
  } catch (const Error& error) {
    result.warnings.push_back(fmt::format("{} was left unread: {}", group, error.what()));
    return std::nullopt;
  }
}

void read_guesses(const Hdf5File& file, ProblemFile& result) {
  const std::string group = "/guesses";
  const std::string counter = group + "/number_of_guesses";
  if (!file.has(counter)) return;
  int count = 0;
  try {
    count = file.integer(counter);
  } catch (const Error& error) {
    result.warnings.push_back(fmt::format("{} were left unread: {}", group, error.what()));
  }
  for (int k = 1; k <= count; ++k) {
    const std::string guess = fmt::format("{}/{}", group, k);
    if (!file.has(guess)) {
      result.warnings.push_back(fmt::format("{} says {}, but there is no {}", counter, count, guess));
      return;
    }
    if (auto solution = try_solution(file, guess, result)) result.guesses.push_back(std::move(*solution));
  }
}

bool is_global(ProblemClass kind) {
  return kind == ProblemClass::global2d || kind == ProblemClass::global3d;
}

// The group that holds the problem.
std::string_view find_root(const Hdf5File& file, std::optional<ProblemClass> kind) {
  for (const std::string& link : file.links("/")) {
    if (link.starts_with("fclib") && link.find("rolling") != link.npos)
      fail("{}: holds /{}: rolling friction is not supported yet", file.path(), link);
  }
  if (file.has(std::string(own_root))) return own_root;
  const bool local = file.has(std::string(local_root));
  const bool global = file.has(std::string(global_root));
  if (!local && !global) fail("{}: has neither {} nor {}", file.path(), local_root, global_root);
  if (local && global && !kind)
    fail("{}: has {} and {}; say which kind of problem is meant", file.path(), local_root, global_root);
  const std::string_view root = global && (!local || is_global(*kind)) ? global_root : local_root;
  if (file.has(member(root, "vectors/mu_r")))
    fail("{}: holds {}/vectors/mu_r: rolling friction is not supported yet", file.path(), root);
  return root;
}

std::span<const double> view(const Vector& values) {
  return {values.data(), static_cast<std::size_t>(values.size())};
}

void write_integer(Hdf5File& file, const std::string& name, int value) {
  file.write_integers(name, {&value, 1});
}

void write_matrix(Hdf5File& file, const std::string& group, const CsrMatrix& a, bool as_triplets) {
  const auto entries = static_cast<std::size_t>(a.nonZeros());
  write_integer(file, group + "/nzmax", static_cast<int>(entries));
  write_integer(file, group + "/m", static_cast<int>(a.rows()));
  write_integer(file, group + "/n", static_cast<int>(a.cols()));
  write_integer(file, group + "/nz", as_triplets ? static_cast<int>(entries) : compressed_rows);
  const std::span<const int> columns(a.innerIndexPtr(), entries);
  if (as_triplets) {
    std::vector<int> rows;
    rows.reserve(entries);
    for (int i = 0; i < a.rows(); ++i)
      rows.insert(rows.end(), static_cast<std::size_t>(a.outerIndexPtr()[i + 1] - a.outerIndexPtr()[i]), i);
    file.write_integers(group + "/i", rows);
    file.write_integers(group + "/p", columns);
  } else {
    file.write_integers(group + "/i", columns);
    file.write_integers(group + "/p", {a.outerIndexPtr(), static_cast<std::size_t>(a.rows()) + 1});
  }
  file.write_numbers(group + "/x", {a.valuePtr(), entries});
  file.write_attribute(group, complete_attribute, 1);
}

void write_solution_group(Hdf5File& file, const std::string& group, const FileSolution& solution) {
  file.write_group(group);
  for (const auto& [name, values] : solution_vectors) {
    if ((solution.*values).size() > 0) file.write_numbers(member(group, name), view(solution.*values));
  }
}

// Writes the parts of a problem under the root of FCLib, or under our own. Returns the root.
std::string write_parts(Hdf5File& file, const LocalContactProblem& local) {
  const std::optional<LocalParts> parts = parts_of(local);
  std::string root(parts ? local_root : own_root);
  write_integer(file, root + "/spacedim", local.dimension);
  file.write_numbers(root + "/vectors/mu", view(local.mu));
  if (!parts) {
    write_matrix(file, root + "/W", *local.W.assemble(), false);
    file.write_numbers(root + "/vectors/q", view(local.q));
    return root;
  }
  write_matrix(file, root + "/W", parts->W, false);
  file.write_numbers(root + "/vectors/q", view(parts->q));
  if (parts->s.size() == 0) return root;
  write_matrix(file, root + "/V", parts->V, false);
  write_matrix(file, root + "/R", parts->R, false);
  file.write_numbers(root + "/vectors/s", view(parts->s));
  return root;
}

std::string write_parts(Hdf5File& file, const GlobalContactProblem& global) {
  const std::optional<GlobalParts> parts = parts_of(global);
  std::string root(parts ? global_root : own_root);
  write_integer(file, root + "/spacedim", global.dimension);
  write_matrix(file, root + "/M", global.M, true);
  file.write_numbers(root + "/vectors/f", view(global.f));
  file.write_numbers(root + "/vectors/mu", view(global.mu));
  write_matrix(file, root + "/H", parts ? parts->H : global.H, true);
  file.write_numbers(root + "/vectors/w", view(parts ? parts->w : global.w));
  if (!parts) {
    file.write_numbers(root + "/vectors/compliance", view(global.compliance));
  } else if (parts->b.size() > 0) {
    write_matrix(file, root + "/G", parts->G, true);
    file.write_numbers(root + "/vectors/b", view(parts->b));
  }
  return root;
}

std::string write_contacts(Hdf5File& file, const auto& problem) {
  std::string root = write_parts(file, problem);
  if (root == own_root) {
    file.write_attribute(root, version_attribute, format_version);
    file.write_numbers(root + "/vectors/lower", view(problem.lower));
    file.write_numbers(root + "/vectors/upper", view(problem.upper));
  }
  return root;
}

void check_version(const Hdf5File& file) {
  const std::string root(own_root);
  const int version = file.attribute(root, version_attribute);
  if (version < 1 || version > format_version)
    fail("{}: {} has the {} {}, this program reads up to {}", file.path(), root, version_attribute, version,
         format_version);
}

}  // namespace

ProblemFile read_fclib(const std::filesystem::path& path, std::optional<ProblemClass> kind) {
  const Hdf5File file(path, Hdf5File::Mode::read);
  const std::string_view root = find_root(file, kind);
  ProblemFile result;
  result.format = FileFormat::fclib;
  const bool own = root == own_root;
  if (own) check_version(file);
  if (root == global_root || (own && file.has(member(root, "M")))) {
    result.problem = read_global(file, std::string(root), own, result.warnings);
  } else {
    result.problem = read_local(file, std::string(root), own, result.warnings);
  }
  result.title = file.text(member(root, "info/title"));
  result.description = file.text(member(root, "info/description"));
  result.solution = try_solution(file, "/solution", result);
  read_guesses(file, result);
  if (file.has(keys_name)) result.keys = file.keys(keys_name, count_keys(result.problem));
  if (file.has(states_name)) result.states = read_states(file, count_contacts(result.problem));
  return result;
}

void write_fclib(const std::filesystem::path& path, const ProblemFile& problem_file) {
  const auto* local = std::get_if<LocalContactProblem>(&problem_file.problem);
  const auto* global = std::get_if<GlobalContactProblem>(&problem_file.problem);
  if (local == nullptr && global == nullptr)
    fail(
        "cannot write {}: FCLib files hold contact problems only, and this one is of class {}; write a .mtx "
        "file",
        path.string(), name(classify(problem_file.problem)));
  check_count(path, problem_file.keys.size(), "keys of contacts and rows of joints",
              count_keys(problem_file.problem));
  check_count(path, problem_file.states.size(), "states of contacts", count_contacts(problem_file.problem));
  write_atomically(path, [&](const std::filesystem::path& temporary) {
    Hdf5File file(temporary, Hdf5File::Mode::create);
    const std::string root = local != nullptr ? write_contacts(file, *local) : write_contacts(file, *global);
    const auto write_answer = [&](const std::string& group, const Solution& solution) {
      write_solution_group(file, group, to_file(problem_file.problem, solution));
    };
    file.write_text(member(root, "info/title"), problem_file.title);
    file.write_text(member(root, "info/description"), problem_file.description);
    file.write_text(member(root, "info/math_info"), "");
    if (problem_file.solution) write_answer("/solution", *problem_file.solution);
    if (!problem_file.guesses.empty())
      write_integer(file, "/guesses/number_of_guesses", static_cast<int>(problem_file.guesses.size()));
    for (std::size_t k = 0; k < problem_file.guesses.size(); ++k)
      write_answer(fmt::format("/guesses/{}", k + 1), problem_file.guesses[k]);
    if (!problem_file.keys.empty()) file.write_keys(keys_name, problem_file.keys);
    if (!problem_file.states.empty()) {
      std::vector<int> states;
      for (const ContactState state : problem_file.states) states.push_back(static_cast<int>(state));
      file.write_integers(states_name, states);
    }
    file.close();
  });
}

Solution read_fclib_solution(const std::filesystem::path& path) {
  const Hdf5File file(path, Hdf5File::Mode::read);
  for (const char* group : {"/solution", "/guesses/1"}) {
    if (file.has(group)) return read_solution_group(file, group);
  }
  fail("{}: has neither /solution nor /guesses/1", path.string());
}

void write_fclib_solution(const std::filesystem::path& path, const FileSolution& solution) {
  write_atomically(path, [&](const std::filesystem::path& temporary) {
    Hdf5File file(temporary, Hdf5File::Mode::create);
    write_solution_group(file, "/solution", solution);
    file.close();
  });
}

}  // namespace slipstick::internal
