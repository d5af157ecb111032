// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>

#include "slipstick/error.hpp"
#include "slipstick/problem.hpp"

namespace slipstick {

/// Up to 6 rows of `columns` columns, or of up to 6 (Eigen::Dynamic), stored in place. All vectors and
/// matrices of Eigen convert to it. A larger one throws Error. It is not aligned, so that its layout does not
/// depend on the compiler's options.
template <int columns>
class Small : public Eigen::Matrix<double, Eigen::Dynamic, columns,
                                   Eigen::DontAlign | (columns == 1 ? Eigen::ColMajor : Eigen::RowMajor), 6,
                                   columns == 1 ? 1 : 6> {
 public:
  Small() = default;
  Small(std::initializer_list<double> values) requires(columns == 1) {
    set_size(static_cast<Index>(values.size()), 1);
    for (Index i = 0; i < this->size(); ++i) (*this)[i] = values.begin()[i];
  }
  template <class Other>
  Small(const Eigen::MatrixBase<Other>& other) {
    set_size(other.rows(), other.cols());
    Copy copy{*this};
    other.visit(copy);
  }
  template <class Other>
  Small& operator=(const Eigen::MatrixBase<Other>& other) {
    return *this = Small(other);  // which may be part of the expression
  }

 private:
  // Entry by entry: compilers take Eigen's copy of three numbers for one of four.
  struct Copy {
    Small& to;
    void init(double value, Index i, Index j) { to(i, j) = value; }
    void operator()(double value, Index i, Index j) { to(i, j) = value; }
  };
  void set_size(Index rows, Index cols) {
    if (rows > 6 || cols > this->MaxColsAtCompileTime)
      throw Error("a small matrix has up to 6 x " + std::to_string(this->MaxColsAtCompileTime) +
                  " entries, not " + std::to_string(rows) + " x " + std::to_string(cols));
    this->resize(rows, cols);
  }
};
using SmallVector = Small<1>;
using SmallMatrix = Small<Eigen::Dynamic>;

/// A body of a BodyProblem, with d degrees of freedom. In the plane d = 3: velocity along x and y, spin. In
/// space d = 6: velocity of the centre, then angular velocity, in world axes. An empty member is zero.
struct SLIPSTICK_EXPORT RigidBody {
  /// M^-1, d x d, symmetric, positive semidefinite. Zero: the body is immovable, and keeps its velocity. A
  /// direction that M^-1 maps to zero is locked: the velocity along it stays as given.
  SmallMatrix inverse_mass = {};
  SmallVector velocity = {};  ///< before the step
  SmallVector impulse = {};   ///< of all known forces over the step, with their moments about the centre

  /// A body with M^-1 = diag(inverse_mass, inverse_mass, inverse_inertia).
  static RigidBody plane(double inverse_mass, double inverse_inertia, const SmallVector& velocity = {},
                         const SmallVector& impulse = {});
  /// A body with M^-1 = diag(inverse_mass I, inverse_inertia), the latter in world axes.
  static RigidBody space(double inverse_mass, const Eigen::Matrix3d& inverse_inertia,
                         const SmallVector& velocity = {}, const SmallVector& impulse = {});
};

/// A contact of two bodies; -1 is the world, which is at rest. Its velocity is
///     u = frame (velocity of the point of the first body - that of the second) + bias.
struct ContactSpec {
  std::array<int, 2> bodies = {-1, -1};
  /// Orthonormal rows: the normal, from the second body to the first, then the tangents. In the plane 2 x 2.
  /// In space 3 x 3, or 2 x 3 for a contact with one tangent, whose cone has dimension 2.
  SmallMatrix frame = {};
  std::array<SmallVector, 2> arms = {};  ///< from the centre of each body to the contact; empty: zero
  double mu = 0.0;                       ///< friction coefficient >= 0
  SmallVector bias = {};                 ///< velocity that is added to each row; empty: zero
  SmallVector compliance = {};           ///< diagonal of C >= 0, for each row; empty: zero
};

/// 1 to 6 rows between two bodies: a joint, a limit, a motor. The velocity of the rows is
///     u = jacobians[0] v_first + jacobians[1] v_second + bias + compliance r,  lower <= r <= upper.
/// u >= 0 for a row at its lower bound, u <= 0 at its upper bound, u = 0 between them.
struct RowSpec {
  std::array<int, 2> bodies = {-1, -1};
  std::array<SmallMatrix, 2> jacobians = {};  ///< rows x d each; that of the world is not read
  SmallVector bias = {};                      ///< velocity that is added to each row; empty: zero
  SmallVector lower = {};                     ///< bounds of the impulse; empty: -infinity
  SmallVector upper = {};                     ///< empty: infinity
  SmallVector compliance = {};                ///< diagonal of C >= 0, for each row; empty: zero
};

/// One step of bodies with contacts, joints, limits and motors, as the problem that the methods solve. A
/// simulator keeps one object and refills it in every step:
///
///     problem.reset(bodies);
///     problem.set_body(...);     // every body
///     problem.add_contact(...);  // every contact
///     problem.add_rows(...);     // every joint, limit and motor
///     memory.recall(problem.keys(), problem.first_rows(), start);
///     driver.solve(problem.contact_form(), result, &start);
///     memory.keep(problem.keys(), problem.first_rows(), result.r);
///     problem.velocities(result.r, v);
///
/// The rows of contacts come first, then those of joints, limits and motors, each in the order in which they
/// were added:
///     u = W r + q,  W = J M^-1 J' + C,  q = J (v + M^-1 impulse) + bias.
/// W is applied through the bodies and never assembled. Immovable bodies are no part of it: their velocity
/// enters q, and they connect nothing.
///
/// Rows between two immovable bodies are left out, since no impulse changes their velocity. So are rows along
/// locked directions. If they are violated, their key is in infeasible_keys(), and the other rows are solved
/// nevertheless. A row with compliance is never violated.
///
/// If some contacts in space have two tangents, those with one tangent get a second one that nothing moves,
/// with an impulse of zero.
///
/// Bad input throws Error, which names the body or key. The call then has changed nothing. Everything is
/// computed at the first question after a change. If the steps before had the same sizes, a step allocates
/// nothing. Use one object per thread.
class SLIPSTICK_EXPORT BodyProblem {
 public:
  /// 2: bodies in the plane. 3: bodies in space.
  explicit BodyProblem(int dimension = 3);
  ~BodyProblem();
  BodyProblem(BodyProblem&&) noexcept;
  BodyProblem& operator=(BodyProblem&&) noexcept;

  int dimension() const;
  int dofs_per_body() const { return dimension() == 2 ? 3 : 6; }
  Index bodies() const;

  /// Removes all rows. All bodies are immovable and at rest until they are set. Keeps the storage.
  void reset(Index bodies);
  void set_body(Index body, const RigidBody& data);
  /// Contacts and rows have different keys. A key names the same contact in the next step.
  void add_contact(std::uint64_t key, const ContactSpec& contact);
  void add_rows(std::uint64_t key, const RowSpec& rows);

  /// W and q. What shares W keeps it: the next step fills another storage.
  const Operator& W() const;
  const Vector& q() const;
  Index rows() const { return q().size(); }
  /// For each row, the sum of the sizes of the terms that q was summed from. Rounding of q is a share of it.
  const Vector& q_terms() const;
  /// The keys that have rows in W, in order.
  std::span<const std::uint64_t> keys() const;
  /// The two bodies of each of these keys.
  std::span<const std::array<int, 2>> pairs() const;
  /// The first row of each of these keys, then the number of rows.
  std::span<const int> first_rows() const;
  /// The first row of a key, -1 if it has none.
  Index first_row(std::uint64_t key) const;
  /// The keys of violated rows that no impulse can move, in the order of adding.
  std::span<const std::uint64_t> infeasible_keys() const;

  /// The LocalContactProblem {dimension, W, q, mu, lower, upper}, for every law. Valid until the next change.
  /// Without contacts the dimension is that of the bodies.
  const AnyProblem& contact_form() const;

  /// v <- v + M^-1 (impulse + J' r) of all bodies, d numbers each. Immovable bodies keep their velocity.
  void velocities(ConstVectorView r, VectorView v, int threads = 1) const;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace slipstick
