// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/body_problem.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "slipstick/base/error.hpp"
#include "slipstick/linalg/operator.hpp"
#include "slipstick/problems/body_checks.hpp"
#include "slipstick/problems/key_table.hpp"

namespace slipstick {
using namespace internal;
namespace {

// A row between immovable bodies is violated if its velocity exceeds this, relative to what it is summed
// from.
constexpr double velocity_rounding = 1e-12;

using Row = Eigen::Map<const Vector>;

void append(std::vector<double>& to, const SmallVector& values, Index size, double if_empty) {
  if (values.size() > 0) {
    to.insert(to.end(), values.begin(), values.end());
  } else {
    to.insert(to.end(), static_cast<std::size_t>(size), if_empty);
  }
}

}  // namespace

RigidBody RigidBody::plane(double inverse_mass, double inverse_inertia, const SmallVector& velocity,
                           const SmallVector& impulse) {
  const Eigen::Vector3d diagonal(inverse_mass, inverse_mass, inverse_inertia);
  return {.inverse_mass = diagonal.asDiagonal().toDenseMatrix(), .velocity = velocity, .impulse = impulse};
}

RigidBody RigidBody::space(double inverse_mass, const Eigen::Matrix3d& inverse_inertia,
                           const SmallVector& velocity, const SmallVector& impulse) {
  RigidBody body{.inverse_mass = SmallMatrix::Zero(6, 6), .velocity = velocity, .impulse = impulse};
  body.inverse_mass.diagonal().head(3).setConstant(inverse_mass);
  body.inverse_mass.bottomRightCorner(3, 3) = inverse_inertia;
  return body;
}

class BodyProblem::Work {
 public:
  explicit Work(int dimension) : dimension_(dimension), dofs_(dimension == 2 ? 3 : 6) {
    if (dimension != 2 && dimension != 3)
      fail("bodies are in the plane (2) or in space (3), not in dimension {}", dimension);
    form_ = LocalContactProblem{};
  }

  int dimension() const { return dimension_; }
  Index bodies() const { return static_cast<Index>(mobility_.size()); }

  void reset(Index bodies) {
    if (bodies < 0) fail("a problem has at least 0 bodies, not {}", bodies);
    const auto count = static_cast<std::size_t>(bodies);
    const auto d = static_cast<std::size_t>(dofs_);
    built_ = false;
    mobility_.assign(count, Mobility::immovable);
    inverse_mass_.assign(count * d * d, 0.0);
    velocity_.assign(count * d, 0.0);
    impulse_.assign(count * d, 0.0);
    blocks_.clear();
    table_.clear();
    jacobian_.clear();
    bias_.clear();
    lower_.clear();
    upper_.clear();
    compliance_.clear();
  }

  void set_body(Index body, const RigidBody& data) {
    if (body < 0 || body >= bodies()) fail("body {}: expected a number from 0 to {}", body, bodies() - 1);
    const Subject subject{"body", static_cast<std::uint64_t>(body)};
    check_inverse_mass(subject, data.inverse_mass, dofs_);
    check_vector(subject, "velocity", data.velocity, dofs_);
    check_vector(subject, "impulse", data.impulse, dofs_);
    built_ = false;
    Eigen::Map<DenseMatrix> inverse(inverse_mass_.data() + body * dofs_ * dofs_, dofs_, dofs_);
    Mobility& mobility = mobility_[static_cast<std::size_t>(body)];
    mobility = Mobility::immovable;
    inverse.setZero();
    for (Index i = 0; i < data.inverse_mass.rows(); ++i) {
      for (Index j = 0; j < dofs_; ++j) {
        inverse(i, j) = 0.5 * (data.inverse_mass(i, j) + data.inverse_mass(j, i));
        if (inverse(i, j) != 0.0)
          mobility = std::max(mobility, i == j ? Mobility::by_axis : Mobility::coupled);
      }
    }
    const auto set = [&](std::vector<double>& to, const SmallVector& from) {
      for (Index i = 0; i < dofs_; ++i) to[body * dofs_ + i] = from.size() > 0 ? from[i] : 0.0;
    };
    set(velocity_, data.velocity);
    set(impulse_, data.impulse);
  }

  void add_contact(std::uint64_t key, const ContactSpec& contact) {
    const Subject subject{"contact", key};
    const Index rows = contact.frame.rows();
    check_new(subject, contact.bodies);
    check_frame(subject, contact.frame, dimension_);
    for (int side = 0; side < 2; ++side) {
      if (contact.bodies[side] >= 0)
        check_vector(subject, side == 0 ? "first arm" : "second arm", contact.arms[side], dimension_);
    }
    if (!(contact.mu >= 0.0 && contact.mu < infinity))
      subject.fail("mu is {}, expected a finite number >= 0", contact.mu);
    check_vector(subject, "bias", contact.bias, rows);
    check_compliance(subject, contact.compliance, rows);

    append_block({.key = key, .is_contact = true, .mu = contact.mu, .rows = static_cast<int>(rows)},
                 contact.bodies, contact.bias, contact.compliance);
    for (int side = 0; side < 2; ++side)
      append_point(contact.frame, side == 0 ? 1.0 : -1.0, contact.bodies[side], contact.arms[side]);
    // For violated(): a closing contact cannot be met, any sliding can.
    lower_.insert(lower_.end(), static_cast<std::size_t>(rows), 0.0);
    upper_.push_back(infinity);
    upper_.insert(upper_.end(), static_cast<std::size_t>(rows - 1), 0.0);
  }

  void add_rows(std::uint64_t key, const RowSpec& spec) {
    const Subject subject{"rows", key};
    check_new(subject, spec.bodies);
    const Index rows = check_jacobians(subject, spec, dofs_);
    check_vector(subject, "bias", spec.bias, rows);
    check_bounds(subject, spec, rows);
    check_compliance(subject, spec.compliance, rows);

    append_block({.key = key, .rows = static_cast<int>(rows)}, spec.bodies, spec.bias, spec.compliance);
    for (int side = 0; side < 2; ++side) {
      const SmallMatrix& jacobian = spec.jacobians[side];
      if (spec.bodies[side] >= 0) {
        jacobian_.insert(jacobian_.end(), jacobian.data(), jacobian.data() + rows * dofs_);
      } else {
        jacobian_.insert(jacobian_.end(), static_cast<std::size_t>(rows * dofs_), 0.0);
      }
    }
    append(lower_, spec.lower, rows, -infinity);
    append(upper_, spec.upper, rows, infinity);
  }

  const AnyProblem& contact_form() {
    build();
    return form_;
  }
  const LocalContactProblem& problem() { return std::get<LocalContactProblem>(contact_form()); }
  const Vector& q_terms() {
    build();
    if (std::exchange(has_terms_, true)) return terms_;
    terms_.setZero(first_rows_.back());
    for (const std::size_t k : kept_)
      for (int i = 0; i < blocks_[k].rows; ++i) terms_[blocks_[k].row + i] = velocity_terms(blocks_[k], i);
    return terms_;
  }
  std::span<const std::uint64_t> keys() {
    build();
    return keys_;
  }
  std::span<const std::array<int, 2>> pairs() {
    build();
    return pairs_;
  }
  std::span<const int> first_rows() {
    build();
    return first_rows_;
  }
  std::span<const std::uint64_t> infeasible_keys() {
    build();
    return infeasible_keys_;
  }
  Index first_row(std::uint64_t key) {
    build();
    const int block = table_.find(key);
    return block == KeyTable::none ? -1 : blocks_[static_cast<std::size_t>(block)].row;
  }
  void velocities(ConstVectorView r, VectorView v, int threads);

 private:
  enum class Mobility : char { immovable, by_axis, coupled };  // M^-1 is zero, diagonal, or neither

  struct Block {
    std::uint64_t key = 0;
    bool is_contact = false;
    double mu = 0.0;
    int rows = 0;
    std::array<int, 2> bodies = {-1, -1};
    std::size_t first = 0;  // its first row among all that were added
    int row = -1;           // its first row in W; -1: left out
    int width = 0;          // its rows in W: more than `rows` for a contact with a tangent too few
  };

  void check_new(const Subject& subject, const std::array<int, 2>& bodies) const {
    if (table_.find(subject.number) != KeyTable::none)
      subject.fail("the key was added before, expected a new one");
    for (const int body : bodies) {
      if (body < -1 || body >= this->bodies())
        subject.fail("body {} does not exist, expected -1 to {}", body, this->bodies() - 1);
    }
    if (bodies[0] == bodies[1]) subject.fail("both bodies are {}, expected two different ones", bodies[0]);
  }

  void append_block(Block block, const std::array<int, 2>& bodies, const SmallVector& bias,
                    const SmallVector& compliance) {
    built_ = false;
    block.bodies = bodies;
    block.first = bias_.size();
    table_.insert(block.key, static_cast<int>(blocks_.size()));
    blocks_.push_back(block);
    append(bias_, bias, block.rows, 0.0);
    append(compliance_, compliance, block.rows, 0.0);
  }

  // The velocity of a point of the body along the axes of the frame: the rows are (g, arm x g) for an axis g.
  void append_point(const SmallMatrix& frame, double sign, int body, const SmallVector& arm) {
    const auto start = static_cast<std::ptrdiff_t>(jacobian_.size());
    jacobian_.resize(jacobian_.size() + static_cast<std::size_t>(frame.rows() * dofs_));
    if (body < 0) return;
    double* row = jacobian_.data() + start;
    for (Index i = 0; i < frame.rows(); ++i, row += dofs_) {
      for (Index k = 0; k < dimension_; ++k) row[k] = sign * frame(i, k);
      if (arm.size() == 0) continue;
      const auto moment = [&](Index k, Index l) {
        return sign * (arm[k] * frame(i, l) - arm[l] * frame(i, k));
      };
      if (dimension_ == 2) {
        row[2] = moment(0, 1);
      } else {
        row[3] = moment(1, 2);
        row[4] = moment(2, 0);
        row[5] = moment(0, 1);
      }
    }
  }

  /// Row i of the block's J for one of its bodies.
  Row jacobian_row(const Block& block, int side, int i) const {
    const std::size_t start = (2 * block.first + static_cast<std::size_t>(side * block.rows + i)) * dofs_;
    return {jacobian_.data() + start, dofs_};
  }
  /// Of the numbers of one body.
  double dot(const double* a, const double* b) const {
    using Eigen::Map, Eigen::Vector3d;
    using Six = const Eigen::Matrix<double, 6, 1>;
    return dofs_ == 6 ? Map<Six>(a).dot(Map<Six>(b)) : Map<const Vector3d>(a).dot(Map<const Vector3d>(b));
  }
  /// The diagonal entry of W of a row.
  double diagonal(const Block& block, int i) const {
    double sum = compliance_[block.first + static_cast<std::size_t>(i)];
    for (int side = 0; side < 2; ++side) {
      if (immovable(block.bodies[side])) continue;
      const Row j = jacobian_row(block, side, i);
      const double* inverse = inverse_mass_.data() + Index{block.bodies[side]} * dofs_ * dofs_;
      for (Index k = 0; k < dofs_; ++k) sum += j[k] * dot(inverse + k * dofs_, j.data());
    }
    return sum;
  }
  /// True if no impulse changes the velocity of the row, nor that of another row by it.
  bool is_dead(const Block& block, int i) const { return has_locked_ && diagonal(block, i) == 0.0; }
  bool immovable(int body) const {
    return body < 0 || mobility_[static_cast<std::size_t>(body)] == Mobility::immovable;
  }
  /// The velocity of a row without impulses of rows.
  double free_velocity(const Block& block, int i) const {
    double u = bias_[block.first + static_cast<std::size_t>(i)];
    for (int side = 0; side < 2; ++side) {
      const int body = block.bodies[side];
      if (body >= 0) u += dot(jacobian_row(block, side, i).data(), free_.data() + Index{body} * dofs_);
    }
    return u;
  }

  /// The sizes of the terms of the velocity before the step: those of the bodies, and the bias.
  double velocity_terms(const Block& block, int i) const {
    double size = std::abs(bias_[block.first + static_cast<std::size_t>(i)]);
    for (int side = 0; side < 2; ++side) {
      if (block.bodies[side] < 0) continue;
      const Row j = jacobian_row(block, side, i);
      const auto v = sizes_.segment(Index{2} * block.bodies[side], 2);
      size += j.head(dimension_).norm() * v[0] + j.tail(dofs_ - dimension_).norm() * v[1];
    }
    return size;
  }

  void build();
  void number_bodies();
  void set_free_velocities();
  void keep_rows();
  bool leaves_out(Block& block);
  void set_problem();
  void copy_kept_rows();
  bool violated(const Block& block, int i) const;

  int dimension_, dofs_;
  // As given, by body.
  std::vector<Mobility> mobility_;
  std::vector<double> inverse_mass_, velocity_, impulse_;
  // As given, by row. J of a block has the rows of its first body, then those of its second.
  std::vector<Block> blocks_;
  KeyTable table_;  // the block of a key
  std::vector<double> jacobian_, bias_, lower_, upper_, compliance_;

  // What is made of it.
  bool built_ = false;
  std::vector<int> numbers_;          // the number of a body in W; -1: immovable
  std::vector<double> movable_mass_;  // M^-1 of the others
  bool has_locked_ = false;           // a movable body has a locked axis
  Vector free_;                       // v + M^-1 impulse
  Vector sizes_;                      // by body: the sizes of both terms, of the velocity and of the spin
  Vector terms_;                      // see q_terms
  bool has_terms_ = false;
  std::vector<std::size_t> kept_;                        // blocks with rows in W: contacts, then joints
  bool as_added_ = true;                                 // they are all blocks, in the order of adding
  int contact_size_ = 3;                                 // rows of a contact
  std::vector<Constraint> constraints_;                  // of these
  std::vector<double> kept_jacobian_, kept_compliance_;  // if not as_added_
  std::vector<std::uint64_t> keys_, infeasible_keys_;
  std::vector<std::array<int, 2>> pairs_;
  std::vector<int> first_rows_;
  StoragePool<DelassusOperator> pool_;
  std::shared_ptr<const DelassusOperator> graph_;
  AnyProblem form_;  // a LocalContactProblem
  Vector change_;    // scratch: M^-1 J' r
};

void BodyProblem::Work::build() {
  if (built_) return;
  number_bodies();
  set_free_velocities();
  keep_rows();
  set_problem();
  built_ = true;
  has_terms_ = false;
}

// The bodies of W, and their masses by axis if they allow it.
void BodyProblem::Work::number_bodies() {
  const bool coupled = std::find(mobility_.begin(), mobility_.end(), Mobility::coupled) != mobility_.end();
  const Index d = dofs_;
  int count = 0;
  numbers_.clear();
  movable_mass_.clear();
  has_locked_ = false;
  for (std::size_t body = 0; body < mobility_.size(); ++body) {
    const bool movable = mobility_[body] != Mobility::immovable;
    numbers_.push_back(movable ? count++ : -1);
    if (!movable) continue;
    const double* inverse = inverse_mass_.data() + static_cast<Index>(body) * d * d;
    for (Index i = 0; i < d * d; i += coupled ? 1 : d + 1) movable_mass_.push_back(inverse[i]);
    for (Index i = 0; i < d * d; i += d + 1) has_locked_ = has_locked_ || inverse[i] == 0.0;
  }
}

void BodyProblem::Work::set_free_velocities() {
  free_ = Row(velocity_.data(), static_cast<Index>(velocity_.size()));
  for (Index body = 0; body < bodies(); ++body) {
    if (immovable(static_cast<int>(body))) continue;
    const Row impulse(impulse_.data() + body * dofs_, dofs_);
    for (Index i = 0; i < dofs_; ++i)
      free_[body * dofs_ + i] += dot(inverse_mass_.data() + (body * dofs_ + i) * dofs_, impulse.data());
  }
  sizes_.resize(2 * bodies());
  for (Index body = 0; body < bodies(); ++body) {
    const Row before(velocity_.data() + body * dofs_, dofs_);
    const auto after = free_.segment(body * dofs_, dofs_);
    const Index turns = dofs_ - dimension_;
    sizes_[2 * body] = before.head(dimension_).norm() + (after - before).head(dimension_).norm();
    sizes_[2 * body + 1] = before.tail(turns).norm() + (after - before).tail(turns).norm();
  }
}

void BodyProblem::Work::keep_rows() {
  kept_.clear();
  constraints_.clear();
  keys_.clear();
  pairs_.clear();
  first_rows_.clear();
  infeasible_keys_.clear();
  contact_size_ = 0;
  for (Block& block : blocks_) {
    block.row = leaves_out(block) ? -1 : 0;
    if (block.is_contact && block.row == 0) contact_size_ = std::max(contact_size_, block.rows);
  }
  if (contact_size_ == 0) contact_size_ = dimension_;
  const auto number = [&](int body) { return body < 0 ? -1 : numbers_[static_cast<std::size_t>(body)]; };
  int row = 0;
  as_added_ = true;
  for (const bool contacts : {true, false}) {
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
      Block& block = blocks_[k];
      if (block.row < 0 || block.is_contact != contacts) continue;
      block.row = row;
      block.width = contacts ? contact_size_ : block.rows;
      as_added_ = as_added_ && kept_.size() == k && block.width == block.rows;
      kept_.push_back(k);
      constraints_.push_back({row, block.width, {number(block.bodies[0]), number(block.bodies[1])}});
      keys_.push_back(block.key);
      pairs_.push_back(block.bodies);
      first_rows_.push_back(row);
      row += block.width;
    }
  }
  as_added_ = as_added_ && kept_.size() == blocks_.size();
  first_rows_.push_back(row);
}

// A block that no impulse can move is left out. So is a contact that closes along a locked axis. A violated
// row that no impulse can move makes its key infeasible.
bool BodyProblem::Work::leaves_out(Block& block) {
  const bool between_immovable = immovable(block.bodies[0]) && immovable(block.bodies[1]);
  bool all_dead = true, infeasible = false;
  for (int i = 0; i < block.rows; ++i) {
    const bool dead = between_immovable || is_dead(block, i);
    all_dead = all_dead && dead;
    infeasible = infeasible || (dead && violated(block, i));
  }
  if (infeasible) infeasible_keys_.push_back(block.key);
  return all_dead || (block.is_contact && infeasible);
}

// No impulse within the bounds lets the row have its velocity u: u > 0 needs a lower bound, u < 0 an upper
// one.
bool BodyProblem::Work::violated(const Block& block, int i) const {
  const std::size_t row = block.first + static_cast<std::size_t>(i);
  if (compliance_[row] > 0.0) return false;
  const double u = free_velocity(block, i), size = velocity_terms(block, i);
  return (u > velocity_rounding * size && lower_[row] == -infinity) ||
         (u < -velocity_rounding * size && upper_[row] == infinity);
}

void BodyProblem::Work::set_problem() {
  auto& [dimension, W, q, mu, lower, upper, friction_bounds] = std::get<LocalContactProblem>(form_);
  dimension = contact_size_;
  const Index contacts =
      std::count_if(kept_.begin(), kept_.end(), [&](std::size_t k) { return blocks_[k].is_contact; });
  const Index contact_rows = contacts * dimension;
  q.setZero(first_rows_.back());
  mu.resize(contacts);
  lower.resize(q.size() - contact_rows);
  upper.resize(lower.size());
  for (const std::size_t k : kept_) {
    const Block& block = blocks_[k];
    if (block.is_contact) mu[block.row / dimension] = block.mu;
    for (int i = 0; i < block.rows; ++i) {
      const Index row = block.row + i;
      if (!block.is_contact) {
        lower[row - contact_rows] = lower_[block.first + static_cast<std::size_t>(i)];
        upper[row - contact_rows] = upper_[block.first + static_cast<std::size_t>(i)];
        // A violated row that no impulse can move is reported, and disturbs no other row.
        if (is_dead(block, i) && violated(block, i)) continue;
      }
      q[row] = free_velocity(block, i);
    }
  }
  if (!as_added_) copy_kept_rows();
  const std::vector<double>& jacobian = as_added_ ? jacobian_ : kept_jacobian_;
  const std::vector<double>& compliance = as_added_ ? compliance_ : kept_compliance_;
  const auto movable = static_cast<Index>(numbers_.size()) - std::count(numbers_.begin(), numbers_.end(), -1);
  const std::shared_ptr<DelassusOperator> graph = pool_.take();
  graph->set(dofs_, movable, movable_mass_, constraints_, jacobian, Row(compliance.data(), q.size()));
  graph_ = graph;
  W = Operator(graph_);
}

// The tangent that a contact has too few is a row that nothing moves. Its compliance is the diagonal of W of
// the other tangent, so that its impulse is zero under every law.
void BodyProblem::Work::copy_kept_rows() {
  kept_jacobian_.clear();
  kept_compliance_.clear();
  for (const std::size_t k : kept_) {
    const Block& block = blocks_[k];
    const auto missing = static_cast<std::size_t>(block.width - block.rows);
    const auto first = compliance_.begin() + static_cast<std::ptrdiff_t>(block.first);
    kept_compliance_.insert(kept_compliance_.end(), first, first + block.rows);
    for (int side = 0; side < 2; ++side) {
      const double* rows = jacobian_row(block, side, 0).data();
      kept_jacobian_.insert(kept_jacobian_.end(), rows, rows + Index{block.rows} * dofs_);
      kept_jacobian_.resize(kept_jacobian_.size() + missing * static_cast<std::size_t>(dofs_));
    }
    if (missing == 0) continue;
    const double tangent = diagonal(block, 1);
    kept_compliance_.push_back(tangent > 0.0 ? tangent : 1.0);
  }
}

void BodyProblem::Work::velocities(ConstVectorView r, VectorView v, int threads) {
  build();
  if (r.size() != graph_->rows())
    fail("velocities: there are {} impulses, expected {}", r.size(), graph_->rows());
  if (v.size() != free_.size()) fail("velocities: v has {} entries, expected {}", v.size(), free_.size());
  change_.resize(graph_->dofs());
  graph_->body_velocities(r, change_, threads);
  v = free_;
  for (std::size_t body = 0; body < numbers_.size(); ++body) {
    if (numbers_[body] < 0) continue;
    v.segment(static_cast<Index>(body) * dofs_, dofs_) +=
        change_.segment(Index{numbers_[body]} * dofs_, dofs_);
  }
}

BodyProblem::BodyProblem(int dimension) : work_(std::make_unique<Work>(dimension)) {}
BodyProblem::~BodyProblem() = default;
BodyProblem::BodyProblem(BodyProblem&&) noexcept = default;
BodyProblem& BodyProblem::operator=(BodyProblem&&) noexcept = default;

int BodyProblem::dimension() const {
  return work_->dimension();
}
Index BodyProblem::bodies() const {
  return work_->bodies();
}
void BodyProblem::reset(Index bodies) {
  work_->reset(bodies);
}
void BodyProblem::set_body(Index body, const RigidBody& data) {
  work_->set_body(body, data);
}
void BodyProblem::add_contact(std::uint64_t key, const ContactSpec& contact) {
  work_->add_contact(key, contact);
}
void BodyProblem::add_rows(std::uint64_t key, const RowSpec& rows) {
  work_->add_rows(key, rows);
}
const Operator& BodyProblem::W() const {
  return work_->problem().W;
}
const Vector& BodyProblem::q_terms() const {
  return work_->q_terms();
}
const Vector& BodyProblem::q() const {
  return work_->problem().q;
}
std::span<const std::uint64_t> BodyProblem::keys() const {
  return work_->keys();
}
std::span<const std::array<int, 2>> BodyProblem::pairs() const {
  return work_->pairs();
}
std::span<const int> BodyProblem::first_rows() const {
  return work_->first_rows();
}
Index BodyProblem::first_row(std::uint64_t key) const {
  return work_->first_row(key);
}
std::span<const std::uint64_t> BodyProblem::infeasible_keys() const {
  return work_->infeasible_keys();
}
const AnyProblem& BodyProblem::contact_form() const {
  return work_->contact_form();
}
void BodyProblem::velocities(ConstVectorView r, VectorView v, int threads) const {
  work_->velocities(r, v, threads);
}

}  // namespace slipstick
