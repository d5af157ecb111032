// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/tiny_pivoting.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace slipstick {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"
typedef double Pack __attribute__((vector_size(PackedMatrix::pack * sizeof(double))));
typedef long long Lanes __attribute__((vector_size(PackedMatrix::pack * sizeof(double))));
// Those of the bits that are set.
constexpr Lanes lanes[] = {{0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {1, 1, 0, 0}, {0, 0, 1, 0}, {1, 0, 1, 0},
                           {0, 1, 1, 0}, {1, 1, 1, 0}, {0, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 1}, {1, 1, 0, 1},
                           {0, 0, 1, 1}, {1, 0, 1, 1}, {0, 1, 1, 1}, {1, 1, 1, 1}};

[[gnu::always_inline]] inline Pack pack_at(const double* from) {
  Pack value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

// One bit for each lane that holds -1 and not 0.
[[gnu::always_inline]] inline TinyPivoting::Mask bits_of(Lanes value) {
#if defined(__AVX__)
  Pack signs;
  std::memcpy(&signs, &value, sizeof signs);
  return static_cast<TinyPivoting::Mask>(__builtin_ia32_movmskpd256(signs));
#else
  return static_cast<TinyPivoting::Mask>((value[0] & 1) | (value[1] & 2) | (value[2] & 4) | (value[3] & 8));
#endif
}
#pragma GCC diagnostic pop

}  // namespace

bool TinyPivoting::holds(const Operator& A, const double* lower, const double* upper) const {
  if (!matrix_.holds(A)) return false;
  for (std::size_t i = 0; i < static_cast<std::size_t>(matrix_.rows()); ++i) {
    if (lower[i] != lower_[i] || upper[i] != upper_[i]) return false;
  }
  return true;
}

void TinyPivoting::load(const Problem& problem, std::span<const double> scale) {
  const Index n = problem.b.size();
  assert(n <= most_rows && problem.K.is_box());
  if (!matrix_.holds(problem.A)) {
    matrix_.load(problem.A);
    table_.reset(matrix_);
  }
  always_free_ = movable_ = two_sided_ = 0;
  has_origin_ = false;
  for (Padded* padded : {&origin_, &base_, &q_, &y_, &x_}) padded->fill(0.0);
  for (Index i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Mask bit = Mask{1} << i;
    const double lower = lower_[k] = problem.K.lower()[i];
    const double upper = upper_[k] = problem.K.upper()[i];
    const bool has_lower = lower > -infinity, has_upper = upper < infinity;
    if (!has_lower && !has_upper) {
      always_free_ |= bit;
    } else if (lower < upper) {
      movable_ |= bit;
    }
    if (has_lower && has_upper && lower < upper) two_sided_ |= bit;
    sign_[k] = has_lower ? 1.0 : -1.0;
    origin_[k] = has_lower ? lower : has_upper ? upper : 0.0;
    has_origin_ = has_origin_ || origin_[k] != 0.0;
    grace_[k] = 1.0 / scale[k];
  }
  if (has_origin_) matrix_.multiply_add(origin_.data(), q_.data(), base_.data());
}

void TinyPivoting::start() {
  free_ = always_free_;
  upper_set_ = 0;
  y_.fill(0.0);
}

void TinyPivoting::start_at(const Vector& x) {
  start();
  for (Index i = 0; i < matrix_.rows(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Mask bit = Mask{1} << i;
    if ((movable_ & bit) == 0) continue;
    if (x[i] > lower_[k] && x[i] < upper_[k]) free_ |= bit;
    if ((two_sided_ & bit) != 0 && x[i] >= upper_[k]) upper_set_ |= bit;
  }
}

// y of the set; false where it is singular.
bool TinyPivoting::solve_set(const Padded& q) {
  const double* const transform = table_.transform(matrix_, free_);
  if (transform == nullptr) return false;
  const Index stride = matrix_.stride();
  if (upper_set_ == 0) {
    static constexpr Padded zero = {};
    multiply_packs(transform, stride, matrix_.rows(), q.data(), zero.data(), y_.data());
    return true;
  }
  Padded shifted = q, zero = {};
  for (Mask left = upper_set_; left != 0; left &= left - 1) {
    const auto k = static_cast<std::size_t>(std::countr_zero(left));
    const double* const column = matrix_.column(static_cast<Index>(k));
    for (Index i = 0; i < stride; ++i)
      shifted[static_cast<std::size_t>(i)] += (upper_[k] - origin_[k]) * column[i];
  }
  multiply_packs(transform, stride, matrix_.rows(), shifted.data(), zero.data(), y_.data());
  return true;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"
TinyPivoting::Wrong TinyPivoting::find_wrong_rows(double slack) const {
  Wrong wrong;
  const Pack least = slack + Pack{};
  for (Index i = 0; i < matrix_.stride(); i += PackedMatrix::pack) {
    const Pack allowed = lanes[free_ >> i & 15u] != 0 ? slack * pack_at(grace_.data() + i) : least;
    const Pack inward = pack_at(sign_.data() + i) * pack_at(y_.data() + i);
    wrong.rows |= bits_of(~(inward >= -allowed)) << i;
  }
  // With two bounds: those at the upper one want w <= 0, those between may be beyond it.
  for (Mask left = two_sided_; left != 0; left &= left - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(left));
    const Mask bit = Mask{1} << i;
    if ((upper_set_ & bit) != 0) {
      wrong.rows = (wrong.rows & ~bit) | (y_[i] <= slack ? 0 : bit);
    } else if ((free_ & bit) != 0 && y_[i] > upper_[i] - origin_[i] + slack * grace_[i]) {
      wrong.rows |= bit;
      wrong.above |= bit;
    }
  }
  wrong.rows &= movable_;
  return wrong;
}
#pragma GCC diagnostic pop

void TinyPivoting::recover() {
  const auto n = static_cast<std::size_t>(matrix_.rows());
  for (std::size_t i = 0; i < n; ++i) {
    const double inside = std::min(std::max(origin_[i] + y_[i], lower_[i]), upper_[i]);
    x_[i] = (free_ >> i & 1u) != 0 ? inside : (upper_set_ >> i & 1u) != 0 ? upper_[i] : origin_[i];
  }
}

}  // namespace slipstick
