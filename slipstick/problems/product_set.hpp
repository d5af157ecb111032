// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "slipstick/linalg/vector.hpp"

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

/// What a block stands for in a contact problem.
enum class Role { plain, normal, friction, bilateral };

std::string_view name(SetKind kind);
std::string_view name(Role role);

/// A run of rows. Rows of free, nonnegative and interval blocks are independent of each other, so one block
/// may hold many.
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
class ProductSet {
 public:
  ProductSet() = default;
  static ProductSet free(Index rows);
  static ProductSet nonnegative(Index rows);
  /// lower <= x <= upper; equal and infinite bounds are welcome, lower > upper and NaN are not.
  static ProductSet box(const Vector& lower, const Vector& upper);
  /// `contacts` friction cones of the given dimension (2 or 3), mu one each.
  static ProductSet cones(const Vector& mu, int dimension);

  /// No rows. Keeps the storage.
  void clear();
  void append_free(Index rows, Role role = Role::plain);
  void append_nonnegative(Index rows, Role role = Role::plain);
  void append_interval(double lower, double upper, Role role = Role::plain);
  void append_box(const Vector& lower, const Vector& upper);
  void append_cone(double mu, int dimension);
  void append_diamond(double radius, int dimension, Role role = Role::friction);
  void append_disk(double radius, int dimension, Role role = Role::friction);

  /// Another radius >= 0 for a diamond or disk.
  void set_radius(std::size_t block, double radius);
  /// Other bounds for a row of an interval block.
  void set_bounds(Index row, double lower, double upper);

  Index rows() const { return static_cast<Index>(lower_.size()); }
  std::span<const SetBlock> blocks() const { return blocks_; }
  /// Every block is free, nonnegative or an interval, so K = [lower, upper].
  bool is_box() const { return is_box_; }
  bool is_nonnegative_orthant() const;
  /// Row bounds; infinite for rows of cones, diamonds and disks.
  Eigen::Map<const Vector> lower() const { return {lower_.data(), rows()}; }
  Eigen::Map<const Vector> upper() const { return {upper_.data(), rows()}; }

  /// x <- P_K(x), Euclidean.
  void project(VectorView x) const;
  /// result <- K of the given rows alone; sorted, unique, and whole blocks where rows depend on each other.
  void restrict_to(std::span<const int> rows, ProductSet& result) const;

 private:
  void append(SetKind kind, Role role, Index rows, double parameter, double lower, double upper);

  std::vector<SetBlock> blocks_;
  std::vector<double> lower_;
  std::vector<double> upper_;
  bool is_box_ = true;
};

}  // namespace slipstick
