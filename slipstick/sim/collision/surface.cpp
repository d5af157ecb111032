// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/collision/surface.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "slipstick/sim/collision/convex_pair.hpp"
#include "slipstick/sim/collision/nearest.hpp"

namespace slipstick::internal {
namespace {

using Eigen::Vector3d;

constexpr int leaf_triangles = 4;
constexpr double straight = 1e-6;  // rad, of directions and the planes that bound a region

}  // namespace

// Points at the same place are one, so that triangles meet that were written apart.
Surface::Surface(const MeshShape& mesh) : points_(mesh.points), triangles_(mesh.triangles) {
  std::vector<int> by_place(points_.size());
  std::iota(by_place.begin(), by_place.end(), 0);
  const auto place = [&](int k) { return std::tuple(points_[k].x(), points_[k].y(), points_[k].z()); };
  std::sort(by_place.begin(), by_place.end(),
            [&](int a, int b) { return place(a) != place(b) ? place(a) < place(b) : a < b; });
  std::vector<int> same(points_.size());
  for (std::size_t k = 0; k < by_place.size(); ++k) {
    const bool new_place = k == 0 || place(by_place[k]) != place(by_place[k - 1]);
    same[by_place[k]] = new_place ? by_place[k] : same[by_place[k - 1]];
  }
  for (auto& triangle : triangles_)
    for (int& corner : triangle) corner = same[corner];
  std::erase_if(triangles_, [&](const std::array<int, 3>& t) {
    const Vector3d a = points_[t[1]] - points_[t[0]], b = points_[t[2]] - points_[t[0]];
    return a.cross(b).norm() <= 1e-12 * a.norm() * b.norm() || a.norm() == 0.0 || b.norm() == 0.0;
  });
  find_neighbours();
  order_.resize(triangles_.size());
  std::iota(order_.begin(), order_.end(), 0);
  if (!order_.empty()) {
    build(0, static_cast<int>(order_.size()));
    low_ = nodes_[0].low;
    high_ = nodes_[0].high;
  }
}

Surface::Surface(const HeightFieldShape& field) : heights_(field.heights), spacing_(field.spacing) {
  const double half_x = 0.5 * spacing_ * static_cast<double>(heights_.cols() - 1);
  const double half_y = 0.5 * spacing_ * static_cast<double>(heights_.rows() - 1);
  low_ = {-half_x, -half_y, heights_.minCoeff()};
  high_ = {half_x, half_y, heights_.maxCoeff()};
}

// Two triangles are neighbours if they run along an edge in opposite directions. If there are more at an
// edge, each has one neighbour at most.
void Surface::find_neighbours() {
  struct Side {
    int low, high;
    bool ascends;
    int triangle, side;
  };
  std::vector<Side> sides;
  for (int t = 0; t < static_cast<int>(triangles_.size()); ++t) {
    for (int k = 0; k < 3; ++k) {
      const int a = triangles_[t][k], b = triangles_[t][(k + 1) % 3];
      sides.push_back({std::min(a, b), std::max(a, b), a < b, t, k});
    }
  }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return std::tie(a.low, a.high, a.triangle, a.side) < std::tie(b.low, b.high, b.triangle, b.side);
  });
  neighbours_.assign(triangles_.size(), {-1, -1, -1});
  for (std::size_t k = 0; k < sides.size(); ++k) {
    const Side& a = sides[k];
    if (neighbours_[a.triangle][a.side] >= 0) continue;
    for (std::size_t j = k + 1; j < sides.size() && sides[j].low == a.low && sides[j].high == a.high; ++j) {
      const Side& b = sides[j];
      if (b.ascends == a.ascends || neighbours_[b.triangle][b.side] >= 0) continue;
      neighbours_[a.triangle][a.side] = b.triangle;
      neighbours_[b.triangle][b.side] = a.triangle;
      break;
    }
  }
}

int Surface::build(int begin, int end) {
  const int node = static_cast<int>(nodes_.size());
  const auto centre = [&](int t) {
    const auto& [a, b, c] = triangles_[t];
    return Vector3d(points_[a] + points_[b] + points_[c]);
  };
  Vector3d low = points_of(order_[begin])[0], high = low, first = centre(order_[begin]), last = first;
  for (int k = begin; k < end; ++k) {
    for (const Vector3d& corner : points_of(order_[k])) {
      low = low.cwiseMin(corner);
      high = high.cwiseMax(corner);
    }
    first = first.cwiseMin(centre(order_[k]));
    last = last.cwiseMax(centre(order_[k]));
  }
  nodes_.push_back({low, high, begin, end, -1});
  if (end - begin <= leaf_triangles) return node;
  int axis = 0;
  (last - first).maxCoeff(&axis);
  const int middle = begin + (end - begin) / 2;
  std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end, [&](int a, int b) {
    return std::tuple(centre(a)[axis], a) < std::tuple(centre(b)[axis], b);
  });
  build(begin, middle);
  const int right = build(middle, end);
  nodes_[node].right = right;
  return node;
}

// Cells of a height field run along x, then y. Each has a triangle below and one above its diagonal.
std::array<int, 3> Surface::corners(int triangle) const {
  if (spacing_ == 0.0) return triangles_[triangle];
  const int columns = static_cast<int>(heights_.cols());
  const int cell = triangle / 2, row = cell / (columns - 1), column = cell % (columns - 1);
  const int corner = row * columns + column;
  if (triangle % 2 == 0) return {corner, corner + 1, corner + columns + 1};
  return {corner, corner + columns + 1, corner + columns};
}

Vector3d Surface::point(int number) const {
  if (spacing_ == 0.0) return points_[number];
  const Eigen::Index row = number / heights_.cols(), column = number % heights_.cols();
  return {spacing_ * (static_cast<double>(column) - 0.5 * static_cast<double>(heights_.cols() - 1)),
          spacing_ * (static_cast<double>(row) - 0.5 * static_cast<double>(heights_.rows() - 1)),
          heights_(row, column)};
}

int Surface::neighbour(int triangle, int side) const {
  if (spacing_ == 0.0) return neighbours_[triangle][side];
  const int columns = static_cast<int>(heights_.cols()) - 1, rows = static_cast<int>(heights_.rows()) - 1;
  const int cell = triangle / 2, row = cell / columns, column = cell % columns;
  if (triangle % 2 == 0) {  // sides: at low y, at high x, the diagonal
    if (side == 0) return row > 0 ? 2 * (cell - columns) + 1 : -1;
    if (side == 1) return column + 1 < columns ? 2 * (cell + 1) + 1 : -1;
    return triangle + 1;
  }
  if (side == 0) return triangle - 1;  // sides: the diagonal, at high y, at low x
  if (side == 1) return row + 1 < rows ? 2 * (cell + columns) : -1;
  return column > 0 ? 2 * (cell - 1) : -1;
}

std::array<Vector3d, 3> Surface::points_of(int triangle) const {
  const auto [a, b, c] = corners(triangle);
  return {point(a), point(b), point(c)};
}

Vector3d Surface::normal_of(int triangle) const {
  const auto [a, b, c] = points_of(triangle);
  return (b - a).cross(c - a).stableNormalized();
}

void Surface::list_triangles(const Vector3d& low, const Vector3d& high) {
  listed_.clear();
  if (spacing_ > 0.0) {
    const int columns = static_cast<int>(heights_.cols()) - 1, rows = static_cast<int>(heights_.rows()) - 1;
    const auto cell = [&](double coordinate, double first, int count) {
      return static_cast<int>(
          std::clamp(std::floor((coordinate - first) / spacing_), -1.0, static_cast<double>(count)));
    };
    const int column_end = std::min(cell(high.x(), low_.x(), columns) + 1, columns);
    const int row_end = std::min(cell(high.y(), low_.y(), rows) + 1, rows);
    for (int row = std::max(cell(low.y(), low_.y(), rows), 0); row < row_end; ++row) {
      for (int column = std::max(cell(low.x(), low_.x(), columns), 0); column < column_end; ++column) {
        const auto heights = heights_.block<2, 2>(row, column);
        if (heights.minCoeff() > high.z() || heights.maxCoeff() < low.z()) continue;
        listed_.push_back(2 * (row * columns + column));
        listed_.push_back(listed_.back() + 1);
      }
    }
    return;
  }
  if (nodes_.empty()) return;
  stack_.assign(1, 0);
  while (!stack_.empty()) {
    const int number = stack_.back();
    const Node& node = nodes_[number];
    stack_.pop_back();
    if ((node.low.array() > high.array()).any() || (node.high.array() < low.array()).any()) continue;
    if (node.right < 0) {
      listed_.insert(listed_.end(), order_.begin() + node.begin, order_.begin() + node.end);
    } else {
      stack_.push_back(node.right);
      stack_.push_back(number + 1);
    }
  }
  std::sort(listed_.begin(), listed_.end());
}

// The region of an edge is between the planes through it that are square to its faces.
bool Surface::edge_looks(int triangle, int side, const Vector3d& direction) const {
  const auto points = points_of(triangle);
  const Vector3d edge = (points[(side + 1) % 3] - points[side]).normalized();
  const Vector3d normal = normal_of(triangle);
  if (direction.dot(normal.cross(edge)) > straight) return false;
  const int other = neighbour(triangle, side);
  if (other < 0) return direction.dot(normal) > 0.0;
  const Vector3d other_normal = normal_of(other);
  return direction.dot(other_normal.cross(-edge)) <= straight && direction.dot(normal + other_normal) > 0.0;
}

// The region of a corner is behind the planes through it that are square to its edges.
bool Surface::corner_looks(int triangle, int corner, const Vector3d& direction) const {
  const int shared = corners(triangle)[corner];
  const Vector3d place = point(shared);
  Vector3d normals = Vector3d::Zero();
  const auto turn = [&](int from, bool forward, bool& closed) {
    int current = from;
    closed = false;
    constexpr int most_triangles = 1000;
    for (int count = 0; count < most_triangles; ++count) {
      const auto numbers = corners(current);
      const int k = static_cast<int>(std::find(numbers.begin(), numbers.end(), shared) - numbers.begin());
      for (const int other : {(k + 1) % 3, (k + 2) % 3})
        if (direction.dot((point(numbers[other]) - place).normalized()) > straight) return false;
      normals += normal_of(current);
      current = neighbour(current, forward ? k : (k + 2) % 3);
      if (current < 0) return true;
      if (current == from) {
        closed = true;
        return true;
      }
    }
    return true;
  };
  bool closed = false;
  if (!turn(triangle, true, closed)) return false;
  if (!closed) {
    bool ignored = false;
    if (!turn(triangle, false, ignored)) return false;
  }
  return direction.dot(normals) > 0.0;
}

bool Surface::looks_outward(int triangle, const Vector3d& place, const Vector3d& direction) const {
  const auto points = points_of(triangle);
  Vector3d weights;
  nearest_on_triangle(points, place, weights);
  constexpr double on_side = 1e-6;
  int zeros = 0, zero = 0, full = 0;
  for (int k = 0; k < 3; ++k) {
    if (weights[k] <= on_side) ++zeros, zero = k;
    if (weights[k] > weights[full]) full = k;
  }
  if (zeros == 0)
    return direction.cross(normal_of(triangle)).norm() <= straight &&
           direction.dot(normal_of(triangle)) > 0.0;
  if (zeros == 1) return edge_looks(triangle, (zero + 1) % 3, direction);
  return corner_looks(triangle, full, direction);
}

void Surface::touch_triangle(int triangle, const Convex& first, const ShapePose& first_pose,
                             const ShapePose& surface_pose, const StepPath& path,
                             std::vector<PatchPoint>& points) const {
  const Vector3d normal = surface_pose.axes * normal_of(triangle);
  const Convex face = Convex::triangle(points_of(triangle), normal_of(triangle));
  const Vector3d on_face = surface_pose * face.triangle_points()[0];
  // What is behind the face by more than half of itself came from another side.
  if (normal.dot(first_pose * first.centre() - on_face) < -0.5 * first.extent()) return;
  const std::size_t begin = points.size();
  Separation separation;
  ShapePose moved = first_pose;
  double share = 0.0;
  const auto touch_after = [&](const Vector3d& move, double range, Separation& found,
                               std::vector<PatchPoint>& to) {
    moved.origin = first_pose.origin + move;
    return internal::touch(first, moved, face, surface_pose, range, found, to);
  };
  if (!follow_path(path, touch_after, separation, points, share)) return;
  const Vector3d inside = surface_pose.axes.transpose() * separation.normal;
  if (!looks_outward(triangle, surface_pose.inverse(separation.on_second), inside)) {
    // The face alone, where the shape meets its plane.
    points.resize(begin);
    const double gap = gap_along(first, first_pose, face, surface_pose, normal);
    const double closing = -normal.dot(path.move);
    share = gap > at_hand * path.extent && closing > 0.0 ? std::min(1.0, gap / closing) : 0.0;
    moved.origin = first_pose.origin + share * path.move;
    separation.normal = normal;
    separation.gap = std::numeric_limits<double>::infinity();
    Feature on_first, on_second;
    first.feature(moved, -normal, any_lean, on_first);
    face.feature(surface_pose, normal, any_lean, on_second);
    add_patch(on_first, first.radius(), on_second, 0.0, separation, path.range, same_place * first.extent(),
              points);
  }
  bring_back(path, share, points, begin);
}

void Surface::touch(const Convex& first, const ShapePose& first_pose, const ShapePose& surface_pose,
                    const StepPath& path, std::vector<PatchPoint>& points) {
  // The box of the path in the surface's axes.
  const Vector3d start = surface_pose.inverse(first_pose * first.centre());
  const Vector3d end = start + surface_pose.axes.transpose() * path.move;
  const Vector3d reach = Vector3d::Constant(first.reach() + path.range);
  list_triangles(start.cwiseMin(end) - reach, start.cwiseMax(end) + reach);
  for (const int triangle : listed_) touch_triangle(triangle, first, first_pose, surface_pose, path, points);
}

}  // namespace slipstick::internal
