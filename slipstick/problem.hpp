// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "slipstick/matrix.hpp"

namespace slipstick {

/// The simple sets that K is a product of.
enum class SetKind {
  free,         ///< all of R^size
  nonnegative,  ///< x >= 0, row by row
  interval,     ///< lower <= x <= upper, row by row; either may be infinite, equal bounds fix the row
  cone,         ///< friction cone ||x_T|| <= mu x_N, rows (N, T...), 2 or 3 of them
  diamond,      ///< |x_1| + |x_2| + ... <= radius
  disk,         ///< ||x|| <= radius
};

/// The role of a block in a contact problem. Bilateral: joints, limits and motors.
enum class Role { plain, normal, friction, bilateral };

SLIPSTICK_EXPORT std::string_view name(SetKind kind);
SLIPSTICK_EXPORT std::string_view name(Role role);

/// Consecutive rows. Rows of free, nonnegative and interval blocks are independent of each other, so one
/// block may have many.
struct SetBlock {
  SetKind kind = SetKind::free;
  Role role = Role::plain;
  Index start = 0;
  Index size = 0;
  double parameter = 0.0;  ///< mu of a cone, radius of a diamond or disk
};

/// The rows of consecutive blocks, at least one.
struct RowRange {
  Index start = 0;
  Index size = 0;
};
inline RowRange rows_of(std::span<const SetBlock> blocks) {
  return {blocks.front().start, blocks.back().start + blocks.back().size - blocks.front().start};
}

/// K = K_1 x K_2 x ... in the order of the rows.
class SLIPSTICK_EXPORT ProductSet {
 public:
  ProductSet() = default;
  static ProductSet free(Index rows);
  static ProductSet nonnegative(Index rows);
  /// lower <= x <= upper. Equal and infinite bounds are allowed, lower > upper and NaN are not.
  static ProductSet box(const Vector& lower, const Vector& upper);
  /// One friction cone of the given dimension (2 or 3) for each entry of mu.
  static ProductSet cones(const Vector& mu, int dimension);

  /// Removes all rows. Keeps the storage.
  void clear();
  void append_free(Index rows, Role role = Role::plain);
  void append_nonnegative(Index rows, Role role = Role::plain);
  void append_interval(double lower, double upper, Role role = Role::plain);
  void append_box(const Vector& lower, const Vector& upper);
  void append_cone(double mu, int dimension);
  void append_diamond(double radius, int dimension, Role role = Role::friction);
  void append_disk(double radius, int dimension, Role role = Role::friction);
  /// Appends a free, nonnegative or interval block of another set.
  void append_rows(const ProductSet& from, const SetBlock& block);

  /// Sets another radius >= 0 for a diamond or disk.
  void set_radius(std::size_t block, double radius);
  /// Sets other bounds for a row of an interval block.
  void set_bounds(Index row, double lower, double upper);

  Index rows() const { return static_cast<Index>(lower_.size()); }
  std::span<const SetBlock> blocks() const { return blocks_; }
  /// True if every block is free, nonnegative or an interval, so that K = [lower, upper].
  bool is_box() const { return is_box_; }
  bool is_nonnegative_orthant() const;
  /// Row bounds. They are infinite for rows of cones, diamonds and disks.
  Eigen::Map<const Vector> lower() const { return {lower_.data(), rows()}; }
  Eigen::Map<const Vector> upper() const { return {upper_.data(), rows()}; }

  /// x <- P_K(x), Euclidean.
  void project(VectorView x) const;
  /// result <- K restricted to the given rows (sorted, unique). A block with dependent rows must be complete.
  void restrict_to(std::span<const int> rows, ProductSet& result) const;

 private:
  void append(SetKind kind, Role role, Index rows, double parameter, double lower, double upper);

  std::vector<SetBlock> blocks_;
  std::vector<double> lower_;
  std::vector<double> upper_;
  bool is_box_ = true;
};

/// The law between the impulse r and the velocity u of each contact.
enum class FrictionLaw {
  none,     ///< r_T = 0, 0 <= r_N perpendicular to u_N >= 0
  convex,   ///< r in the cone K_mu, u in its dual, r'u = 0 (cone complementarity, Heyn 2012)
  coulomb,  ///< as convex with u shifted by mu ||u_T|| along the normal (De Saxce)
  diamond,  ///< Coulomb's law with ||r_T||_1 <= mu r_N (Litven 2013, eq. 4.25)
  box,      ///< Coulomb's law for each tangent, |r_T,i| <= mu r_N (Ho 2022)
  box_once  ///< the same with given bounds, or with those of the impulses without friction (Ho 2022, 2.4.2)
};

constexpr std::string_view name(FrictionLaw law) {
  constexpr std::string_view names[] = {"none", "convex", "coulomb", "diamond", "box", "box-once"};
  return names[static_cast<int>(law)];
}

/// Linear rows lower <= G x <= upper. Equal bounds are an equality. An infinite bound is no bound.
struct LinearRows {
  std::shared_ptr<const CsrMatrix> G;
  Vector lower;
  Vector upper;
};

/// Find x in K with w = A x + b and (y - x)' w >= 0 for all y in K.
///
/// If A is symmetric positive semidefinite, these are the optimality conditions of a convex problem:
///     minimize 1/2 x' A x + b' x + constant  over x in K,  and lower <= G x <= upper if `rows` are given.
/// Litven 2013, eq. P, has c = -b. Methods that minimize refuse a nonsymmetric A.
struct Problem {
  Operator A;
  Vector b;
  ProductSet K;
  std::optional<LinearRows> rows = std::nullopt;
  double constant = 0.0;
  /// True if A is symmetric up to rounding. The code that makes the problem knows or measures it.
  bool symmetric = true;
};

/// Linear complementarity: w = M z + q, 0 <= z, 0 <= w, z'w = 0. M may be nonsymmetric (UIC survey, eq. 1-4).
struct LcpProblem {
  Operator M;
  Vector q;
};

/// Mixed and boxed linear complementarity: w = M z + q, lower <= z <= upper. In each row w >= 0 if z is at
/// its lower bound, and w <= 0 if z is at its upper bound. Between the bounds w = 0. A free row is an
/// equality (UIC survey, eq. 6-9; Ho 2022, eq. 2.36). M may be nonsymmetric.
struct MixedLcp {
  Operator M;
  Vector q;
  Vector lower;
  Vector upper;
};

/// Contact in local form: u = W r + q.
///
/// First come the rows of the contacts. Each has `dimension` rows (N, T...) and a friction coefficient mu.
/// Then come the rows of joints, limits and motors, one for each entry of lower and upper:
///     lower <= r <= upper,  u >= 0 if r is at its lower bound, u <= 0 at its upper bound, u = 0 between
///     them.
/// Infinite bounds are no bounds. The row of a joint has none: u = 0.
struct LocalContactProblem {
  int dimension = 3;
  Operator W;
  Vector q;
  Vector mu;
  Vector lower = {}, upper = {};
  /// Of the law box_once: |r_T,i| <= this, for each contact. Empty: mu r_N of the solution without friction.
  Vector friction_bounds = {};
  Index contacts() const { return mu.size(); }
  Index contact_rows() const { return dimension * mu.size(); }
  Index joint_rows() const { return lower.size(); }
};

/// Contact in global form: M v = H r + f, u = H' v + w + C r. C >= 0 is diagonal, and zero if it is empty.
/// The rows are those of the local form.
struct GlobalContactProblem {
  int dimension = 3;
  CsrMatrix M;
  CsrMatrix H;
  Vector f;
  Vector w;
  Vector mu;
  Vector lower = {}, upper = {};
  Vector compliance = {};
  Vector friction_bounds = {};
  Index contacts() const { return mu.size(); }
  Index contact_rows() const { return dimension * mu.size(); }
  Index joint_rows() const { return lower.size(); }
};

/// Appends the rows of joints that are given in matrices of their own: u = W r + V l + q, 0 = V' r + R l + s.
SLIPSTICK_EXPORT void add_joints(const CsrMatrix& V, const CsrMatrix& R, const Vector& s,
                                 LocalContactProblem& problem);
/// The same in global form: M v = H r + G l + f, 0 = G' v + b.
SLIPSTICK_EXPORT void add_joints(const CsrMatrix& G, const Vector& b, GlobalContactProblem& problem);

using AnyProblem = std::variant<LcpProblem, MixedLcp, Problem, LocalContactProblem, GlobalContactProblem>;

/// The name of a problem's kind on the command line and in files.
enum class ProblemClass { lcp, mlcp, boxed, qp, contact2d, contact3d, global2d, global3d };
SLIPSTICK_EXPORT std::string_view name(ProblemClass problem_class);
constexpr bool is_contact(ProblemClass problem_class) {
  return problem_class >= ProblemClass::contact2d;
}
/// lcp: every row is z >= 0. mlcp: every row is free or z >= 0. boxed: other bounds. qp: linear rows or
/// cones.
SLIPSTICK_EXPORT ProblemClass classify(const AnyProblem& problem);

/// The number of unknowns of the problem as given: rows of A, M or W, or degrees of freedom.
SLIPSTICK_EXPORT Index unknowns(const AnyProblem& problem);
/// The number of stored entries of the matrices.
SLIPSTICK_EXPORT Index nonzeros(const AnyProblem& problem);

/// The defects of a problem. `defect` names the first thing that makes it meaningless, with its position:
/// sizes, indices, NaN or infinity, lower above upper, negative friction. It is empty if there is none.
/// `warnings` are numbers about properties that some methods need.
struct Validation {
  std::string defect;
  std::vector<std::string> warnings;
  bool ok() const { return defect.empty(); }
};

/// Checks only sizes, indices and values: O(entries). Matrices may come from unknown sources. Their row
/// pointers and columns are checked before use. If A, M or W has the storage of `known`, it has been checked
/// before.
SLIPSTICK_EXPORT Validation validate(const AnyProblem& problem, const Operator* known = nullptr);
/// validate(), then warnings about A, M or W (M of the global contact form):
/// - asymmetry above symmetry_tolerance,
/// - zero rows,
/// - an indefinite symmetric part: smallest eigenvalue < -1e-13 largest.
/// Up to 800 rows the eigenvalues are computed. For more rows, 60 Lanczos steps estimate the ends of the
/// spectrum roughly, but never give a false warning.
SLIPSTICK_EXPORT Validation inspect(const AnyProblem& problem);

}  // namespace slipstick
