// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/exact_lemke.hpp"

#ifdef SLIPSTICK_HAVE_GMP
#include <gmpxx.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>
#endif

namespace slipstick::internal {

#ifdef SLIPSTICK_HAVE_GMP
namespace {

// Numbers farther apart than this many powers of two would be huge integers.
constexpr int exponent_range = 900;
// Products of words in a pivot, at most: about 0.1 seconds.
constexpr double costly_pivot = 1e8;

// The exponent of the last one bit of a finite number that is not zero.
int last_bit(double value) {
  int exponent = 0;
  const auto digits = static_cast<std::uint64_t>(std::ldexp(std::abs(std::frexp(value, &exponent)), 53));
  return exponent - 53 + std::countr_zero(digits);
}

constexpr int no_bit = std::numeric_limits<int>::max();

// The least exponent of a last bit in a vector, or no_bit if it is zero.
template <typename Numbers>
int least_last_bit(const Numbers& numbers) {
  int least = no_bit;
  for (Index i = 0; i < numbers.size(); ++i) {
    if (numbers[i] != 0.0) least = std::min(least, last_bit(numbers[i]));
  }
  return least;
}

}  // namespace

// The dictionary of LemkeTableau, y_B = N y_N / D with integers N and D > 0. Its functions have the names of
// those of LemkeTableau and do the same.
struct ExactLemke::Tableau {
  Index m = 0;
  std::vector<mpz_class> entries;  // rows of m + 2: constants, m + 1 nonbasic variables
  std::vector<mpz_class> width;    // per pair, 0 if infinite
  mpz_class D, old_D, term, factor, left, right;
  std::vector<Index> position;
  std::vector<std::size_t> row_variable, column_variable;
  std::vector<char> reflected;
  std::vector<Index> ties;
  std::size_t driving = 0;

  static constexpr Index none = -1;

  mpz_class& at(Index i, Index j) { return entries[static_cast<std::size_t>(i * (m + 2) + j)]; }
  const mpz_class& at(Index i, Index j) const { return entries[static_cast<std::size_t>(i * (m + 2) + j)]; }
  std::size_t pairs() const { return static_cast<std::size_t>(m); }
  std::size_t complement(std::size_t v) const { return v < pairs() ? v + pairs() : v - pairs(); }
  bool has_two_bounds(std::size_t v) const { return v < pairs() && width[v] != 0; }

  bool load_numbers(const DenseMatrix& M, const Vector& q, const Vector& widths);
  void number_variables();
  Index choose_row(Index s);
  void measure(Index i, Index s, mpz_class& numerator, mpz_class& denominator) const;
  void perturbation(Index i, Index s, std::size_t first, mpz_class& numerator, mpz_class& denominator) const;
  template <typename Ratio>
  void keep_least(const Ratio& ratio);
  void reflect_row(Index r);
  void reflect_column(Index s);
  void swap_basis(Index r, Index s);
};

// Column j gets the factor 2^-column[j] and row i the factor 2^-row[i], which make all entries integers. z_j
// and w_i get positive units by that, which change no sign. The constants have a unit of their own.
bool ExactLemke::Tableau::load_numbers(const DenseMatrix& M, const Vector& q, const Vector& widths) {
  m = q.size();
  std::vector<int> column(pairs()), row(pairs());
  for (Index j = 0; j < m; ++j) {
    const int least = least_last_bit(M.col(j));
    column[static_cast<std::size_t>(j)] = least == no_bit ? 0 : least;
  }
  int unit = least_last_bit(q);  // of the constants and of z
  if (unit == no_bit) unit = 0;
  for (Index j = 0; j < m; ++j) {
    // A width counts in units of z_j: 2^(unit - column[j]).
    if (widths[j] < infinity && widths[j] != 0.0)
      unit = std::min(unit, last_bit(widths[j]) + column[static_cast<std::size_t>(j)]);
  }
  double words = 0.0;
  for (Index i = 0; i < m; ++i) {
    int least = 0;  // of the row's scaled entries; its entry of the covering vector is 1
    int most = 1;
    for (Index j = 0; j < m; ++j) {
      if (M(i, j) == 0.0) continue;
      least = std::min(least, last_bit(M(i, j)) - column[static_cast<std::size_t>(j)]);
      most = std::max(most, std::ilogb(M(i, j)) + 1 - column[static_cast<std::size_t>(j)]);
    }
    if (q[i] != 0.0) {
      least = std::min(least, last_bit(q[i]) - unit);
      most = std::max(most, std::ilogb(q[i]) + 1 - unit);
    }
    if (most - least > exponent_range) return false;
    row[static_cast<std::size_t>(i)] = least;
    words += (most - least) / 64.0;
  }
  const double per_entry = 1.0 + words;  // of the largest determinants, nearly
  if (static_cast<double>(m) * static_cast<double>(m) * per_entry * per_entry > costly_pivot) return false;

  entries.resize(pairs() * (pairs() + 2));
  width.resize(pairs());
  for (Index i = 0; i < m; ++i) {
    const int shift = -row[static_cast<std::size_t>(i)];
    at(i, 0) = std::ldexp(q[i], shift - unit);
    for (Index j = 0; j < m; ++j)
      at(i, j + 1) = std::ldexp(M(i, j), shift - column[static_cast<std::size_t>(j)]);
    at(i, m + 1) = std::ldexp(1.0, shift);
  }
  for (Index j = 0; j < m; ++j) {
    const int shift = column[static_cast<std::size_t>(j)] - unit;
    if (widths[j] < infinity && std::abs(std::ilogb(widths[j]) + shift) > exponent_range) return false;
    width[static_cast<std::size_t>(j)] = widths[j] < infinity ? std::ldexp(widths[j], shift) : 0.0;
  }
  return true;
}

void ExactLemke::Tableau::number_variables() {
  D = 1;
  position.resize(2 * pairs() + 1);
  row_variable.resize(pairs());
  column_variable.resize(pairs() + 2);
  reflected.assign(pairs(), 0);
  for (std::size_t p = 0; p < pairs(); ++p) {
    row_variable[p] = p + pairs();
    position[p + pairs()] = static_cast<Index>(p);
    column_variable[p + 1] = p;
    position[p] = -static_cast<Index>(p + 1);
  }
  column_variable[pairs() + 1] = 2 * pairs();
  position[2 * pairs()] = -(m + 1);
}

// The step at which row i meets a bound, as a fraction. The denominator is 0 if it meets none.
void ExactLemke::Tableau::measure(Index i, Index s, mpz_class& numerator, mpz_class& denominator) const {
  if (i == none) {
    denominator = has_two_bounds(driving) ? 1 : 0;
    numerator = denominator == 0 ? mpz_class(0) : width[driving];
    return;
  }
  const std::size_t variable = row_variable[static_cast<std::size_t>(i)];
  const int sign = sgn(at(i, s));
  denominator = 0;
  if (sign < 0) {
    numerator = at(i, 0);
    denominator = -at(i, s);
  } else if (sign > 0 && has_two_bounds(variable)) {
    numerator = width[variable] * D - at(i, 0);
    denominator = at(i, s);
  }
}

// Keeps the ties of least ratio.
template <typename Ratio>
void ExactLemke::Tableau::keep_least(const Ratio& ratio) {
  mpz_class numerator, denominator, least, over;
  std::size_t kept = 0;
  for (std::size_t k = 0; k < ties.size(); ++k) {
    const Index i = ties[k];
    ratio(i, numerator, denominator);
    if (denominator == 0) continue;
    if (kept > 0) {
      left = numerator * over;
      right = least * denominator;
      const int order = cmp(left, right);
      if (order > 0) continue;
      if (order < 0) kept = 0;
    }
    ties[kept++] = i;
    if (kept == 1) std::swap(least, numerator), std::swap(over, denominator);
  }
  ties.resize(kept);
}

Index ExactLemke::Tableau::choose_row(Index s) {
  ties.clear();
  for (Index i = 0; i < m; ++i) ties.push_back(i);
  ties.push_back(none);
  keep_least(
      [&](Index i, mpz_class& numerator, mpz_class& denominator) { measure(i, s, numerator, denominator); });
  // If z_0 can leave the basis, there is a solution.
  const Index artificial = position[2 * pairs()];
  if (artificial >= 0 && std::find(ties.begin(), ties.end(), artificial) != ties.end()) return artificial;
  for (std::size_t p = pairs(); p < 2 * pairs() && ties.size() > 1; ++p) {
    keep_least([&](Index i, mpz_class& numerator, mpz_class& denominator) {
      perturbation(i, s, p, numerator, denominator);
    });
  }
  return ties.empty() ? none : ties.front();
}

// The change of row i's step by the perturbation of w_p's constant, w_p = `first`.
void ExactLemke::Tableau::perturbation(Index i, Index s, std::size_t first, mpz_class& numerator,
                                       mpz_class& denominator) const {
  numerator = 0;
  denominator = 1;
  if (i == none) return;
  const Index place = position[first];
  if (place >= 0) {
    if (place == i) numerator = D;
  } else {
    numerator = -at(i, -place);
  }
  if (reflected[first - pairs()]) numerator = -numerator;
  denominator = at(i, s);
  if (denominator > 0) {
    numerator = -numerator;
  } else {
    denominator = -denominator;
  }
}

void ExactLemke::Tableau::reflect_row(Index r) {
  const std::size_t variable = row_variable[static_cast<std::size_t>(r)];
  for (Index j = 0; j < m + 2; ++j) at(r, j) = -at(r, j);
  at(r, 0) += width[variable] * D;
  const Index slack = -position[complement(variable)];
  for (Index i = 0; i < m; ++i) at(i, slack) = -at(i, slack);
  reflected[variable] ^= 1;
}

void ExactLemke::Tableau::reflect_column(Index s) {
  const std::size_t variable = column_variable[static_cast<std::size_t>(s)];
  const Index slack = -position[complement(variable)];
  for (Index i = 0; i < m; ++i) {
    at(i, 0) += width[variable] * at(i, s);
    at(i, s) = -at(i, s);
    at(i, slack) = -at(i, slack);
  }
  reflected[variable] ^= 1;
}

// The exchange over a common denominator. Every division is without remainder.
void ExactLemke::Tableau::swap_basis(Index r, Index s) {
  old_D = D;
  D = at(r, s);
  const bool negative = sgn(D) < 0;
  for (Index i = 0; i < m; ++i) {
    if (i == r) continue;
    factor = at(i, s);
    for (Index j = 0; j < m + 2; ++j) {
      if (j == s) continue;
      mpz_class& entry = at(i, j);
      if (sgn(entry) != 0) mpz_mul(entry.get_mpz_t(), entry.get_mpz_t(), D.get_mpz_t());
      if (sgn(factor) != 0) mpz_submul(entry.get_mpz_t(), factor.get_mpz_t(), at(r, j).get_mpz_t());
      if (sgn(entry) != 0) mpz_divexact(entry.get_mpz_t(), entry.get_mpz_t(), old_D.get_mpz_t());
      if (negative) mpz_neg(entry.get_mpz_t(), entry.get_mpz_t());
    }
    if (negative) mpz_neg(at(i, s).get_mpz_t(), at(i, s).get_mpz_t());
  }
  for (Index j = 0; j < m + 2; ++j) {
    if (j != s && !negative) mpz_neg(at(r, j).get_mpz_t(), at(r, j).get_mpz_t());
  }
  at(r, s) = negative ? mpz_class(-old_D) : old_D;
  if (negative) D = -D;
  std::size_t& basic = row_variable[static_cast<std::size_t>(r)];
  std::size_t& nonbasic = column_variable[static_cast<std::size_t>(s)];
  std::swap(basic, nonbasic);
  position[basic] = r;
  position[nonbasic] = -s;
}

ExactLemke::ExactLemke() = default;
ExactLemke::~ExactLemke() = default;
bool ExactLemke::available() {
  return true;
}

bool ExactLemke::load(const DenseMatrix& M, const Vector& q, const Vector& width) {
  assert(M.rows() == q.size() && M.cols() == q.size() && width.size() == q.size());
  if (!M.allFinite() || !q.allFinite()) return false;
  if (!tableau_) tableau_ = std::make_unique<Tableau>();
  if (!tableau_->load_numbers(M, q, width)) return false;
  tableau_->number_variables();
  return true;
}

bool ExactLemke::start() {
  Tableau& t = *tableau_;
  // The last of equal rows is the lexicographic minimum of (q_i, e_i) / d_i.
  t.ties.clear();
  for (Index i = 0; i < t.m; ++i) {
    if (sgn(t.at(i, 0)) < 0) t.ties.push_back(i);
  }
  t.keep_least([&](Index i, mpz_class& numerator, mpz_class& denominator) {
    numerator = t.at(i, 0);
    denominator = t.at(i, t.m + 1);
  });
  if (t.ties.empty()) return false;
  const Index row = t.ties.back();
  t.driving = t.complement(t.row_variable[static_cast<std::size_t>(row)]);
  t.swap_basis(row, t.m + 1);
  return true;
}

LemkeTableau::Outcome ExactLemke::pivot() {
  Tableau& t = *tableau_;
  const Index s = -t.position[t.driving];
  const Index r = t.choose_row(s);
  if (r == Tableau::none) {
    if (!t.has_two_bounds(t.driving)) return LemkeTableau::Outcome::ray;
    t.reflect_column(s);
    t.driving = t.complement(t.driving);
    return LemkeTableau::Outcome::pivoted;
  }
  if (sgn(t.at(r, s)) > 0) t.reflect_row(r);
  const std::size_t leaving = t.row_variable[static_cast<std::size_t>(r)];
  t.swap_basis(r, s);
  if (leaving == 2 * t.pairs()) return LemkeTableau::Outcome::solved;
  t.driving = t.complement(leaving);
  return LemkeTableau::Outcome::pivoted;
}

// In the unit of the scaled constants. Only its fall to zero has a meaning.
double ExactLemke::artificial() const {
  const Index row = tableau_->position[2 * tableau_->pairs()];
  if (row < 0) return 0.0;
  return mpq_class(tableau_->at(row, 0), tableau_->D).get_d();
}

void ExactLemke::copy_basis(LemkeBasis& basis) const {
  const Tableau& t = *tableau_;
  basis.is_basic.resize(t.position.size());
  for (std::size_t v = 0; v < t.position.size(); ++v) basis.is_basic[v] = t.position[v] >= 0;
  basis.reflected = t.reflected;
  basis.driving = t.driving;
}

#else

struct ExactLemke::Tableau {};

ExactLemke::ExactLemke() = default;
ExactLemke::~ExactLemke() = default;
bool ExactLemke::available() {
  return false;
}
bool ExactLemke::load(const DenseMatrix& /*M*/, const Vector& /*q*/, const Vector& /*width*/) {
  return false;
}
bool ExactLemke::start() {
  return false;
}
LemkeTableau::Outcome ExactLemke::pivot() {
  return LemkeTableau::Outcome::ray;
}
double ExactLemke::artificial() const {
  return 0.0;
}
void ExactLemke::copy_basis(LemkeBasis& /*basis*/) const {}

#endif

}  // namespace slipstick::internal
