// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linalg/delassus_operator.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "slipstick/base/error.hpp"
#include "slipstick/base/parallel.hpp"
#include "slipstick/linalg/dense_factor.hpp"
#include "slipstick/linalg/prefetch.hpp"

namespace slipstick::internal {
namespace {

double dot(const double* a, const double* b, int size) {
  double sum = 0.0;
  for (int i = 0; i < size; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

DelassusOperator::DelassusOperator(int dofs_per_body, Index bodies, const std::vector<double>& inverse_mass,
                                   const std::vector<Constraint>& constraints,
                                   const std::vector<double>& jacobian, const Vector& compliance) {
  set(dofs_per_body, bodies, inverse_mass, constraints, jacobian, compliance);
}

void DelassusOperator::set(int dofs_per_body, Index bodies, std::span<const double> inverse_mass,
                           std::span<const Constraint> constraints, std::span<const double> jacobian,
                           ConstVectorView compliance) {
  dofs_ = dofs_per_body;
  bodies_ = bodies;
  inverse_mass_.assign(inverse_mass.begin(), inverse_mass.end());
  constraints_.assign(constraints.begin(), constraints.end());
  compliance_ = compliance;
  constexpr Index most = std::numeric_limits<int>::max();
  if (dofs_ < 1) fail("a body graph needs at least one degree of freedom per body, not {}", dofs_);
  if (bodies_ < 0 || bodies_ > most / dofs_)
    fail("{} bodies with {} degrees of freedom are not from 0 to {} in all", bodies_, dofs_, most);
  if (rows() > most / 2) fail("a body graph takes up to {} rows, not {}", most / 2, rows());
  const std::size_t full = static_cast<std::size_t>(dofs()) * static_cast<std::size_t>(dofs_);
  if (inverse_mass_.size() != full && !diagonal_mass()) {
    fail("the inverse mass of {} bodies with {} degrees of freedom has {} entries, not {} or {}", bodies_,
         dofs_, inverse_mass_.size(), full, dofs());
  }
  std::size_t position = 0;
  int row = 0;
  offset_.clear();
  offset_.reserve(constraints_.size());
  row_constraint_.clear();
  row_constraint_.reserve(static_cast<std::size_t>(rows()));
  uniform_rows_ = 0;
  body_start_.assign(static_cast<std::size_t>(bodies_) + 1, 0);
  for (std::size_t k = 0; k < constraints_.size(); ++k) {
    const Constraint& c = constraints_[k];
    if (c.row != row) fail("constraint {} starts at row {}, not {}", k, c.row, row);
    if (c.rows < 1 || c.rows > rows() - row)
      fail("constraint {} has {} rows, not 1 to {}, of the {} of the compliance", k, c.rows, rows() - row,
           rows());
    for (int body : c.body) {
      if (body < -1 || body >= bodies_) fail("constraint {} names body {} of {}", k, body, bodies_);
      if (body >= 0) ++body_start_[body];
    }
    offset_.push_back(position);
    position += static_cast<std::size_t>(c.rows) * dofs_;
    row_constraint_.insert(row_constraint_.end(), c.rows, static_cast<int>(k));
    row += c.rows;
    uniform_rows_ = k == 0 || uniform_rows_ == c.rows ? c.rows : 0;
  }
  if (row != rows()) fail("the constraints have {} rows, the compliance {}", row, rows());
  if (2 * position != jacobian.size())
    fail("the Jacobian has {} entries, not {}", jacobian.size(), 2 * position);
  jacobian_.assign(jacobian.size(), 0.0);
  for (std::size_t k = 0; k < constraints_.size(); ++k) {
    const std::size_t entries = static_cast<std::size_t>(constraints_[k].rows) * dofs_;
    const double* from = jacobian.data() + 2 * offset_[k];
    for (int side = 0; side < 2; ++side) {
      // The caller may store anything for the ground. Here it is zero, so that its velocity adds nothing.
      if (constraints_[k].body[side] < 0) continue;
      std::copy_n(from + side * entries, entries, jacobian_.data() + side * position + offset_[k]);
    }
  }
  arms_.clear();
  if (uniform_rows_ == 3 && dofs_ == 6)
    arms_.set(constraints_, jacobian_.data(), jacobian_.data() + position);
  compliant_ = !compliance_.isZero(0.0);
  scratch_.prepare(diagonal_mass() ? 1 : 2, dofs());

  // The loop counts down from the ends of the bodies to their starts.
  std::partial_sum(body_start_.begin(), body_start_.end(), body_start_.begin());
  body_sides_.resize(body_start_[bodies_]);
  for (int pair = 2 * static_cast<int>(constraints_.size()) - 1; pair >= 0; --pair) {
    const int body = constraints_[pair / 2].body[pair % 2];
    if (body >= 0) body_sides_[--body_start_[body]] = pair;
  }
  find_islands();
  dofs_ == 6 ? find_diagonal<6>() : find_diagonal<0>();
}

std::vector<double> DelassusOperator::jacobian_by_constraint() const {
  std::vector<double> numbers;
  numbers.reserve(jacobian_.size());
  for (std::size_t k = 0; k < constraints_.size(); ++k) {
    const std::size_t size = static_cast<std::size_t>(constraints_[k].rows) * static_cast<std::size_t>(dofs_);
    for (const int side : {0, 1}) numbers.insert(numbers.end(), block(k, side), block(k, side) + size);
  }
  return numbers;
}

DelassusOperator DelassusOperator::with_compliance(ConstVectorView compliance) const {
  DelassusOperator other;
  other.set(dofs_, bodies_, inverse_mass_, constraints_, jacobian_by_constraint(), compliance);
  return other;
}

void DelassusOperator::find_islands() {
  const Index entries = diagonal_mass() ? dofs_ : Index{dofs_} * dofs_;
  movable_.clear();
  for (auto first = inverse_mass_.begin(); first != inverse_mass_.end(); first += entries)
    movable_.push_back(std::any_of(first, first + entries, [](double value) { return value != 0.0; }));
  const auto is_movable = [&](int body) {
    return body >= 0 && movable_[static_cast<std::size_t>(body)] != 0;
  };
  joined_.reset(static_cast<std::size_t>(bodies_));
  for (const Constraint& c : constraints_)
    if (is_movable(c.body[0]) && is_movable(c.body[1])) joined_.join(c.body[0], c.body[1]);
  number_.assign(joined_.size(), -1);
  island_of_.clear();
  islands_ = 0;
  for (const Constraint& c : constraints_) {
    const int body = is_movable(c.body[0]) ? c.body[0] : c.body[1];
    int alone = -1;
    int& number = is_movable(body) ? number_[static_cast<std::size_t>(joined_.lowest(body))] : alone;
    if (number < 0) number = islands_++;
    island_of_.push_back(number);
  }
}

double DelassusOperator::bytes_per_product() const {
  const double description = sizeof(Constraint) + (uniform_rows_ > 0 ? 0.0 : sizeof(std::size_t));
  const double constraints = static_cast<double>(constraints_.size());
  const double jacobian = arms_.empty() ? 8.0 * static_cast<double>(jacobian_.size())
                                        : CompactContactJacobian::bytes_per_contact * constraints;
  return 2.0 * (jacobian + description * constraints) + 8.0 * inverse_mass_.size() + 8.0 * 4.0 * dofs() +
         8.0 * (arms_.empty() || compliant_ ? 4.0 : 2.0) * static_cast<double>(rows());
}

// The passes of a product. The block sizes are template arguments if they matter for speed (0: not known).
// They work on copies of the operator's members. Otherwise the compiler must assume that a store of a
// velocity changes the members.
template <int Rows, int Dofs>
class DelassusOperator::Passes {
 public:
  explicit Passes(const DelassusOperator& a)
      : constraints_(a.constraints_.data()),
        count_(static_cast<Index>(a.constraints_.size())),
        offset_(a.offset_.data()),
        block_{a.jacobian_.data(), a.jacobian_.data() + a.jacobian_.size() / 2},
        compliance_(a.compliance_.data()),
        body_start_(a.body_start_.data()),
        body_sides_(a.body_sides_.data()),
        dofs_(a.dofs_) {}

  // v += J' x, constraint by constraint.
  void scatter(const double* x, double* v) const {
    for (Index k = 0; k < count_; ++k) {
      prefetch_velocities(k, v);
      for (int side = 0; side < 2; ++side) {
        prefetch_block(block(k, side));
        const int body = constraints_[k].body[side];
        if (body >= 0) add_transposed(k, side, x, velocity(v, body));
      }
    }
  }

  // The same for a range of bodies, with the same sums.
  void gather_bodies(const double* x, double* v, Index first_body, Index last_body) const {
    for (Index body = first_body; body < last_body; ++body) {
      for (int s = body_start_[body]; s < body_start_[body + 1]; ++s)
        add_transposed(body_sides_[s] / 2, body_sides_[s] % 2, x, velocity(v, body));
    }
  }

  // y = J v + C x for the constraints [first, last).
  void gather_rows(const double* v, const double* x, double* y, Index first, Index last) const {
    in_two_streams(first, last, [&](Index k) {
      prefetch_velocities(k, v);
      prefetch_block(block(k, 0));
      prefetch_block(block(k, 1));
      set_product(k, v, x, y);
    });
  }

 private:
  using Velocity = Eigen::Array<double, Dofs, 1>;
  using VelocityMap = Eigen::Map<const Velocity>;

  const double* block(Index k, int side) const {
    return block_[side] + (Rows > 0 ? k * Rows * Dofs : static_cast<Index>(offset_[k]));
  }
  Index row(Index k) const { return Rows > 0 ? k * Rows : constraints_[k].row; }
  template <class Number>
  Number* velocity(Number* v, Index body) const {
    return v + body * (Dofs > 0 ? Dofs : dofs_);
  }
  void prefetch_velocities(Index k, const double* v) const {
    for (const int body : constraints_[std::min(k + constraints_ahead, count_ - 1)].body)
      prefetch(velocity(v, std::max(body, 0)));
  }
  static void prefetch_block(const double* b) {
    constexpr int entries_per_line = 8;
    for (int k = 0; k < Rows * Dofs; k += entries_per_line) prefetch_next_page(b + k);
  }

  // v += B' x for a block B. The product is computed first. The contacts of one body then depend on each
  // other only through one addition.
  void add_transposed(Index k, int side, const double* x, double* v) const {
    const double* b = block(k, side);
    x += row(k);
    if constexpr (Rows > 0) {
      Velocity sum = VelocityMap(b) * x[0];
      for (Index i = 1; i < Rows; ++i) sum += VelocityMap(b + i * Dofs) * x[i];
      Eigen::Map<Velocity>{v} += sum;
    } else {
      for (int j = 0; j < dofs_; ++j) {
        double sum = b[j] * x[0];
        for (int i = 1; i < constraints_[k].rows; ++i) sum += b[i * dofs_ + j] * x[i];
        v[j] += sum;
      }
    }
  }

  void set_product(Index k, const double* v, const double* x, double* y) const {
    const auto [first_body, second_body] = constraints_[k].body;
    const double* b0 = block(k, 0);
    const double* b1 = block(k, 1);
    const Index start = row(k);
    if constexpr (Rows > 0) {
      const Velocity v0 = velocity_of(v, first_body);
      const Velocity v1 = velocity_of(v, second_body);
      for (Index i = 0; i < Rows; ++i) {
        const double product = (VelocityMap(b0 + i * Dofs) * v0 + VelocityMap(b1 + i * Dofs) * v1).sum();
        y[start + i] = compliance_[start + i] * x[start + i] + product;
      }
    } else {
      for (Index i = 0; i < constraints_[k].rows; ++i) {
        double sum = compliance_[start + i] * x[start + i];
        if (first_body >= 0) sum += dot(b0 + i * dofs_, velocity(v, first_body), dofs_);
        if (second_body >= 0) sum += dot(b1 + i * dofs_, velocity(v, second_body), dofs_);
        y[start + i] = sum;
      }
    }
  }

  // The ground is at rest.
  VelocityMap velocity_of(const double* v, int body) const {
    static const Velocity rest = Velocity::Zero();
    return VelocityMap(body < 0 ? rest.data() : velocity(v, body));
  }

  const Constraint* constraints_;
  Index count_;
  const std::size_t* offset_;
  std::array<const double*, 2> block_;
  const double* compliance_;
  const int* body_start_;
  const int* body_sides_;
  int dofs_;
};

// The same for contacts of rigid bodies in space, without reading the full blocks.
class DelassusOperator::ContactPasses {
 public:
  explicit ContactPasses(const DelassusOperator& a) : a_(a) {}
  void scatter(const double* x, double* v) const { a_.arms_.scatter(a_.constraints_, x, v); }
  void gather_bodies(const double* x, double* v, Index first_body, Index last_body) const {
    for (Index body = first_body; body < last_body; ++body) {
      for (int s = a_.body_start_[body]; s < a_.body_start_[body + 1]; ++s)
        a_.arms_.add_impulse(a_.body_sides_[s] / 2, a_.body_sides_[s] % 2, x, v + body * a_.dofs_);
    }
  }
  void gather_rows(const double* v, const double* x, double* y, Index first, Index last) const {
    const double* compliance = a_.compliant_ ? a_.compliance_.data() : nullptr;
    a_.arms_.gather(a_.constraints_, v, compliance, x, y, first, last);
  }

 private:
  const DelassusOperator& a_;
};

template <class Body>
void DelassusOperator::with_passes(const Body& body) const {
  if (!arms_.empty()) return body(ContactPasses(*this));
  if (uniform_rows_ == 3 && dofs_ == 6) return body(Passes<3, 6>(*this));
  if (uniform_rows_ == 1 && dofs_ == 6) return body(Passes<1, 6>(*this));
  if (uniform_rows_ == 2 && dofs_ == 3) return body(Passes<2, 3>(*this));
  if (uniform_rows_ == 1 && dofs_ == 3) return body(Passes<1, 3>(*this));
  return body(Passes<0, 0>(*this));
}

// v = M^-1 f
void DelassusOperator::multiply_inverse_mass(Index first_body, Index last_body, const double* f,
                                             double* v) const {
  if (diagonal_mass()) {
    for (Index i = first_body * dofs_; i < last_body * dofs_; ++i) v[i] = f[i] * inverse_mass_[i];
    return;
  }
  for (Index body = first_body; body < last_body; ++body)
    multiply_inverse_mass(body, f + body * dofs_, v + body * dofs_);
}

void DelassusOperator::multiply_inverse_mass(Index body, const double* f, double* v) const {
  if (diagonal_mass()) {
    for (Index d = 0; d < dofs_; ++d) v[d] = inverse_mass_[body * dofs_ + d] * f[d];
  } else {
    const double* inverse = inverse_mass_.data() + body * dofs_ * dofs_;
    for (Index d = 0; d < dofs_; ++d) v[d] = dot(inverse + d * dofs_, f, dofs_);
  }
}

void DelassusOperator::body_velocities(ConstVectorView x, VectorView v, int threads) const {
  assert(x.size() == rows() && v.size() == dofs());
  const double* impulses = x.data();
  std::optional<ScratchPool::Taken> scratch;
  double* forces = diagonal_mass() ? v.data() : scratch.emplace(scratch_, dofs()).data();
  if (threads <= 1) {
    std::fill_n(forces, dofs(), 0.0);
    with_passes([&](const auto& passes) { passes.scatter(impulses, forces); });
    multiply_inverse_mass(0, bodies_, forces, v.data());
    return;
  }
  parallel_for(bodies_, threads, [&](Index first, Index last) {
    std::fill(forces + first * dofs_, forces + last * dofs_, 0.0);
    with_passes([&](const auto& passes) { passes.gather_bodies(impulses, forces, first, last); });
    multiply_inverse_mass(first, last, forces, v.data());
  });
}

void DelassusOperator::row_velocities(ConstVectorView v, ConstVectorView x, VectorView y, int threads) const {
  assert(x.size() == rows() && y.size() == rows() && v.size() == dofs());
  const double* velocities = v.data();
  const double* impulses = x.data();
  double* result = y.data();
  parallel_for(static_cast<Index>(constraints_.size()), threads, [&](Index first, Index last) {
    with_passes([&](const auto& passes) { passes.gather_rows(velocities, impulses, result, first, last); });
  });
}

void DelassusOperator::multiply(ConstVectorView x, VectorView y, int threads) const {
  ScratchPool::Taken velocities(scratch_, dofs());
  body_velocities(x, *velocities, threads);
  row_velocities(*velocities, x, y, threads);
}

const double* DelassusOperator::row_block(Index i, int side) const {
  const std::size_t k = static_cast<std::size_t>(row_constraint_[i]);
  return block(k, side) + (i - constraints_[k].row) * dofs_;
}

double DelassusOperator::row_velocity(Index i, const double* v) const {
  const Constraint& c = constraints_[row_constraint_[i]];
  double sum = 0.0;
  for (int side = 0; side < 2; ++side) {
    if (c.body[side] < 0) continue;
    sum += dot(row_block(i, side), v + static_cast<std::size_t>(c.body[side]) * dofs_, dofs_);
  }
  return sum;
}

void DelassusOperator::apply_impulse(Index i, double change, double* v) const {
  const Constraint& c = constraints_[row_constraint_[i]];
  for (int side = 0; side < 2; ++side) {
    if (c.body[side] < 0) continue;
    const double* j = row_block(i, side);
    double* velocity = v + static_cast<std::size_t>(c.body[side]) * dofs_;
    if (diagonal_mass()) {
      const double* inverse = inverse_mass_.data() + static_cast<std::size_t>(c.body[side]) * dofs_;
      for (int d = 0; d < dofs_; ++d) velocity[d] += inverse[d] * j[d] * change;
    } else {
      const double* inverse = inverse_mass_.data() + static_cast<std::size_t>(c.body[side]) * dofs_ * dofs_;
      for (int d = 0; d < dofs_; ++d) {
        double sum = 0.0;
        for (int e = 0; e < dofs_; ++e) sum += inverse[d * dofs_ + e] * j[e];
        velocity[d] += sum * change;
      }
    }
  }
}

template <int Dofs>
void DelassusOperator::find_diagonal() {
  const int dofs = Dofs > 0 ? Dofs : dofs_;
  diagonal_ = compliance_;
  for (std::size_t k = 0; k < constraints_.size(); ++k) {
    const Constraint& c = constraints_[k];
    if (c.body[0] == c.body[1]) {
      for (Index i = c.row; i < c.row + c.rows; ++i) diagonal_[i] = entry(i, i);
      continue;
    }
    for (const int side : {0, 1}) {
      if (c.body[side] < 0) continue;
      const double* j = block(k, side);
      const double* inverse =
          inverse_mass_.data() + Index{c.body[side]} * dofs * (diagonal_mass() ? 1 : dofs);
      for (Index i = c.row; i < c.row + c.rows; ++i, j += dofs)
        for (int l = 0; l < dofs; ++l)
          diagonal_[i] += j[l] * (diagonal_mass() ? inverse[l] * j[l] : dot(inverse + l * dofs, j, dofs));
    }
  }
}

double DelassusOperator::entry(Index i, Index j) const {
  const Constraint& ci = constraints_[row_constraint_[i]];
  const Constraint& cj = constraints_[row_constraint_[j]];
  double sum = i == j ? compliance_[i] : 0.0;
  for (int si = 0; si < 2; ++si) {
    for (int sj = 0; sj < 2; ++sj) {
      const int body = ci.body[si];
      if (body < 0 || body != cj.body[sj]) continue;
      const double* bi = row_block(i, si);
      const double* bj = row_block(j, sj);
      for (int d = 0; d < dofs_; ++d) {
        if (diagonal_mass()) {
          sum += bi[d] * inverse_mass_[static_cast<std::size_t>(body) * dofs_ + d] * bj[d];
        } else {
          const double* inverse = inverse_mass_.data() + (static_cast<std::size_t>(body) * dofs_ + d) * dofs_;
          for (int e = 0; e < dofs_; ++e) sum += bi[d] * inverse[e] * bj[e];
        }
      }
    }
  }
  return sum;
}

void DelassusOperator::copy_jacobian(CsrMatrix& to) const {
  to.resize(rows(), dofs());
  to.reserve(nonzeros());
  for (std::size_t k = 0; k < constraints_.size(); ++k) {
    const auto [row, count, body] = constraints_[k];
    const int low = body[1] < body[0] ? 1 : 0;  // so that columns ascend
    for (int i = 0; i < count; ++i) {
      to.startVec(row + i);
      for (const int side : {low, 1 - low}) {
        if (body[side] < 0 || (side != low && body[0] == body[1])) continue;
        for (int d = 0; d < dofs_; ++d) {
          double value = block(k, side)[i * dofs_ + d];
          if (body[0] == body[1]) value += block(k, 1 - side)[i * dofs_ + d];
          if (value != 0.0) to.insertBack(row + i, body[side] * dofs_ + d) = value;
        }
      }
    }
  }
  to.finalize();
}

CsrMatrix DelassusOperator::jacobian_csr() const {
  CsrMatrix jacobian;
  copy_jacobian(jacobian);
  return jacobian;
}

CsrMatrix DelassusOperator::inverse_mass_csr() const {
  std::vector<Triplet> triplets;
  triplets.reserve(inverse_mass_.size());
  for (int body = 0; body < bodies_; ++body) {
    for (int d = 0; d < dofs_; ++d) {
      const int row = body * dofs_ + d;
      if (diagonal_mass()) {
        triplets.push_back({row, row, inverse_mass_[row]});
        continue;
      }
      for (int e = 0; e < dofs_; ++e) {
        const double value = inverse_mass_[static_cast<std::size_t>(row) * dofs_ + e];
        if (value != 0.0) triplets.push_back({row, body * dofs_ + e, value});
      }
    }
  }
  return csr_from_triplets(dofs(), dofs(), triplets);
}

void DelassusOperator::copy_mass(CsrMatrix& to, DenseMatrix& block) const {
  using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  to.resize(dofs(), dofs());
  to.reserve(static_cast<Index>(inverse_mass_.size()));
  for (Index body = 0; body < bodies_; ++body) {
    const Index first = body * dofs_;
    if (!diagonal_mass()) {
      block = Eigen::Map<const Block>(inverse_mass_.data() + first * dofs_, dofs_, dofs_);
      invert(block);
    }
    for (Index d = 0; d < dofs_; ++d) {
      to.startVec(first + d);
      if (diagonal_mass()) {
        to.insertBack(first + d, first + d) = 1.0 / inverse_mass_[first + d];
        continue;
      }
      for (Index e = 0; e < dofs_; ++e)
        if (block(d, e) != 0.0) to.insertBack(first + d, first + e) = block(d, e);
    }
  }
  to.finalize();
}

CsrMatrix DelassusOperator::to_csr() const {
  CsrMatrix result;
  AssemblyScratch scratch;
  copy_csr(result, scratch);
  return result;
}

// J (M^-1 J') + C
void DelassusOperator::copy_csr(CsrMatrix& to, AssemblyScratch& scratch) const {
  auto& [jacobian, transposed, velocities, builder] = scratch;
  copy_jacobian(jacobian);
  transpose(jacobian, transposed);
  builder.start(velocities, dofs(), rows());
  for (Index i = 0; i < dofs(); ++i) {
    if (diagonal_mass()) {
      builder.add(transposed, i, inverse_mass_[i]);
    } else {
      const Index first = i / dofs_ * dofs_;  // of the body
      for (Index e = 0; e < dofs_; ++e) {
        const double value = inverse_mass_[i * dofs_ + e];
        if (value != 0.0) builder.add(transposed, first + e, value);
      }
    }
    builder.end_row();
  }
  builder.start(to, rows(), rows());
  for (Index i = 0; i < rows(); ++i) {
    builder.add_product(jacobian, i, velocities);
    builder.add(i, compliance_[i]);
    builder.end_row();
  }
}

DelassusOperator DelassusOperator::principal_submatrix(std::span<const int> rows_wanted) const {
  DelassusOperator result;
  SubmatrixScratch scratch;
  copy_principal_submatrix(rows_wanted, result, scratch);
  return result;
}

void DelassusOperator::copy_principal_submatrix(std::span<const int> rows_wanted, DelassusOperator& to,
                                                SubmatrixScratch& scratch) const {
  auto& [constraints, jacobian, inverse_mass, compliance, bodies, number] = scratch;
  constraints.clear();
  jacobian.clear();
  inverse_mass.clear();
  bodies.clear();
  if (number.size() < static_cast<std::size_t>(bodies_)) number.resize(static_cast<std::size_t>(bodies_), -1);
  compliance.resize(static_cast<Index>(rows_wanted.size()));
  for (std::size_t first = 0; first < rows_wanted.size();) {
    const int k = row_constraint_[rows_wanted[first]];
    std::size_t last = first;
    while (last < rows_wanted.size() && row_constraint_[rows_wanted[last]] == k) ++last;
    constraints.push_back({static_cast<int>(first), static_cast<int>(last - first), constraints_[k].body});
    for (int side = 0; side < 2; ++side) {
      for (std::size_t i = first; i < last; ++i) {
        const double* row = row_block(rows_wanted[i], side);
        jacobian.insert(jacobian.end(), row, row + dofs_);
      }
    }
    for (std::size_t i = first; i < last; ++i)
      compliance[static_cast<Index>(i)] = compliance_[rows_wanted[i]];
    for (const int body : constraints_[k].body) {
      if (body >= 0 && std::exchange(number[body], 0) < 0) bodies.push_back(body);
    }
    first = last;
  }
  std::sort(bodies.begin(), bodies.end());
  const std::ptrdiff_t entries = diagonal_mass() ? dofs_ : std::ptrdiff_t{dofs_} * dofs_;
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    number[bodies[k]] = static_cast<int>(k);
    const auto inverse = inverse_mass_.begin() + bodies[k] * entries;
    inverse_mass.insert(inverse_mass.end(), inverse, inverse + entries);
  }
  for (Constraint& constraint : constraints) {
    for (int& body : constraint.body)
      if (body >= 0) body = number[body];
  }
  for (const int body : bodies) number[body] = -1;
  to.set(dofs_, static_cast<Index>(bodies.size()), inverse_mass, constraints, jacobian, compliance);
}

}  // namespace slipstick::internal
