// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/catalog/few_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "slipstick/problems/convert.hpp"
#include "slipstick/solvers/pivoting/dense_pivoting.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

namespace slipstick {
namespace {

constexpr std::string_view method = "dense-bpp";
constexpr std::string_view few = "a handful of rows", some = "some dozens of rows";
// Of ||b||: what is wrong by less than this is rounding.
constexpr double rounding = 1e-13;
// Of the tolerance.
constexpr double loose = 1e-2;

void drop(auto&... vectors) {
  if ((vectors.size() | ...) != 0) (vectors.resize(0), ...);
}

// A kept result mostly has the name already.
void set_name(std::string& name) {
  if (name.size() != method.size() || std::memcmp(name.data(), method.data(), method.size()) != 0)
    name = method;
}

[[gnu::always_inline]] inline void copy_rows(const double* from, Index n, Vector& vector) {
  vector.resize(n);
  double* to = vector.data();
  for (; n >= pack_size; n -= pack_size, to += pack_size, from += pack_size) store_pack(to, load_pack(from));
  if (n > 0) store_some(to, n, load_pack(from));
}

}  // namespace

void FewRows::prepare(const LcpProblem& problem) {
  prepare(problem.M, nullptr, nullptr);
}

void FewRows::prepare(const MixedLcp& problem) {
  prepare(problem.M, problem.lower.data(), problem.upper.data());
}

void FewRows::prepare(const Operator& M, const double* lower, const double* upper) {
  const Index n = M.rows();
  const bool other_matrix = !problem_.matrix().holds(M);
  ready_ = false;
  if (n == 0 || n > SweepPivoting::most_rows || M.matrix_free()) return;
  problem_.load(M, lower, upper);
  ready_ = true;
  ruler_.prepare(problem_, problem_.matrix().asymmetry() <= symmetry_tolerance);
  if (n <= TinyPivoting::most_rows) {
    tiny_.load(problem_, ruler_.scale(), other_matrix);
  } else {
    sweeps_.load(problem_, ruler_.scale());
  }
}

const Vector* FewRows::load(const AnyProblem& problem) const {
  if (!ready_) return nullptr;
  if (const auto* lcp = std::get_if<LcpProblem>(&problem)) return holds(*lcp) ? &lcp->q : nullptr;
  const auto* mixed = std::get_if<MixedLcp>(&problem);
  return mixed != nullptr && holds(*mixed) ? &mixed->q : nullptr;
}

bool FewRows::holds(const MixedLcp& problem) const {
  return ready_ && problem.lower.size() == problem_.rows() && problem.upper.size() == problem_.rows() &&
         problem_.holds(problem.M, problem.lower.data(), problem.upper.data());
}

bool FewRows::solve(const Vector& q, double tolerance, bool all_measures, DriverResult& result) {
  const Index n = problem_.rows();
  if (q.size() != n) return false;
  Padded b, w;
  Pack squares = {};
  const auto put = [&](Index i, Pack rows) __attribute__((always_inline)) {
    squares += rows * rows;
    store_pack(b.data() + i, rows);
  };
  Index put_rows = 0;
  for (; put_rows + pack_size <= n; put_rows += pack_size) put(put_rows, load_pack(q.data() + put_rows));
  if (put_rows < n) put(put_rows, load_some(q.data() + put_rows, n - put_rows));
  const double squared = sum_of(squares);
  if (!(squared > 1e-200 && squared < 1e200)) return false;  // nothing, too much, or not a number
  const double norm = std::sqrt(squared);

  const double* const x = pivot(b.data(), norm, tolerance, result);
  if (x == nullptr) return false;
  if (all_measures) {
    ruler_.measure(problem_, x, b.data(), norm, w.data(), result.measures);
  } else {
    result.measures = {};
    result.measures.scaled_natural_map = ruler_.judge(problem_, x, b.data(), norm, w.data());
  }
  const double error = result.measures.scaled_natural_map;
  if (!(error <= tolerance)) return false;

  copy_rows(x, n, result.x);
  copy_rows(w.data(), n, result.w);
  drop(result.multipliers, result.r, result.u, result.l, result.v);
  result.status = Status::solved;
  result.message.clear();
  result.seconds = 0.0;
  result.law.reset();
  result.implicit = false;
  result.warnings.clear();
  set_name(result.solver);
  result.attempts.resize(1);
  Attempt& attempt = result.attempts.front();  // as a whole it would go through memory twice
  attempt.solver = method;
  attempt.reason = n <= TinyPivoting::most_rows ? few : some;
  attempt.status = Status::solved;
  attempt.iterations = result.counts.iterations;
  attempt.error = error;
  attempt.pieces = attempt.solved_pieces = attempt.contacts = 0;
  return true;
}

// The x that it ends with, or null.
[[gnu::always_inline]] inline const double* FewRows::pivot(const double* b, double norm, double tolerance,
                                                           DriverResult& result) {
  constexpr int patience = DensePivotingSettings().patience;
  if (problem_.rows() <= TinyPivoting::most_rows) {
    tiny_.start();
    if (tiny_.solve(problem_, b, norm, patience) != PivotEnd::found) return nullptr;
    result.counts = {.iterations = tiny_.sets(), .products = 1};
    return tiny_.x().data();
  }
  sweeps_.start();
  const double slack = std::max(rounding, loose * tolerance) * norm;
  if (sweeps_.solve(problem_, b, slack, patience) != PivotEnd::found) return nullptr;
  result.counts = {.iterations = sweeps_.sets(), .products = 1};
  return sweeps_.x().data();
}

}  // namespace slipstick

#pragma GCC diagnostic pop
