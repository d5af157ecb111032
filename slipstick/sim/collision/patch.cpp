// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/collision/patch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick::internal {
namespace {

using Eigen::Vector3d;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double parallel_edges = 0.02;  // rad, edges that touch along a line
constexpr double same_plane = 0.05;      // rad, normals of one plane
constexpr std::size_t most_in_plane = 4, most_in_all = 8;

// A polygon or segment that is cut by planes. Each cut adds one corner at most.
class Outline {
 public:
  explicit Outline(const Feature& feature) : count_(feature.count) {
    std::copy_n(feature.corners.begin(), feature.count, corners_.begin());
  }

  // Keeps what is not outside the plane through `on_plane` by more than the slack.
  void cut(const Vector3d& on_plane, const Vector3d& outward, double slack) {
    if (count_ == 0) return;
    int kept = 0;
    const double most = slack * outward.norm();
    const int sides = count_ == 2 ? 1 : count_;  // a segment has one side, a polygon is closed
    for (int k = 0; k < sides; ++k) {
      const Vector3d &a = corners_[at(k)], &b = corners_[at((k + 1) % count_)];
      const double height_a = outward.dot(a - on_plane) - most, height_b = outward.dot(b - on_plane) - most;
      if (height_a <= 0.0) cut_[at(kept++)] = a;
      if ((height_a < 0.0 && height_b > 0.0) || (height_a > 0.0 && height_b < 0.0))
        cut_[at(kept++)] = a + (height_a / (height_a - height_b)) * (b - a);
      if (count_ == 2 && height_b <= 0.0) cut_[at(kept++)] = b;
    }

    std::copy_n(cut_.begin(), kept, corners_.begin());
    count_ = kept;
  }

  int size() const { return count_; }
  const Vector3d& operator[](int k) const { return corners_[at(k)]; }

 private:
  static std::size_t at(int k) { return static_cast<std::size_t>(k); }

  std::array<Vector3d, std::size_t{2} * Feature::most + 2> corners_, cut_;
  int count_;
};

}  // namespace

double add_patch(const Feature& first, double first_radius, const Feature& second, double second_radius,
                 const Separation& separation, double range, double tolerance,
                 std::vector<PatchPoint>& points) {
  const Vector3d& normal = separation.normal;
  const std::size_t begin = points.size();
  double nearest = infinity;
  // A point of the core of the first and one of the second, one above the other.
  const auto add = [&](const Vector3d& on_first, const Vector3d& on_second) {
    const double gap = normal.dot(on_first - on_second) - first_radius - second_radius;
    nearest = std::min(nearest, gap);
    if (gap > range) return;
    const Vector3d place = 0.5 * ((on_first - first_radius * normal) + (on_second + second_radius * normal));
    points.push_back({place, normal, gap, Vector3d::Zero()});
  };

  const double first_looks = first.is_face() ? -first.normal.dot(normal) : -1.0;
  const double second_looks = second.is_face() ? second.normal.dot(normal) : -1.0;
  if (std::max(first_looks, second_looks) > 0.0) {
    // The outline of one over the face of the other.
    const bool second_is_base = second_looks >= first_looks;
    const Feature& base = second_is_base ? second : first;
    Outline outline(second_is_base ? first : second);
    const Vector3d upward = second_is_base ? normal : Vector3d(-normal);
    for (int k = 0; k < base.count; ++k) {
      const Vector3d &a = base.corners[static_cast<std::size_t>(k)],
                     &b = base.corners[static_cast<std::size_t>((k + 1) % base.count)];
      outline.cut(a, (b - a).cross(upward), tolerance);
    }
    const double looks = normal.dot(base.normal);
    for (int k = 0; k < outline.size(); ++k) {
      const Vector3d& corner = outline[k];
      const Vector3d across = corner - (base.normal.dot(corner - base.corners[0]) / looks) * normal;
      second_is_base ? add(corner, across) : add(across, corner);
    }
  } else if (first.count == 2 && second.count == 2) {
    const Vector3d &a0 = first.corners[0], &a1 = first.corners[1], &b0 = second.corners[0],
                   &b1 = second.corners[1];
    const Vector3d along = a1 - a0, other = b1 - b0;
    const double length = along.norm();
    if (along.cross(other).norm() <= parallel_edges * length * other.norm()) {
      // The part of the first that is over the second.
      const auto share_of = [&](const Vector3d& point) { return along.dot(point - a0) / (length * length); };
      const double at_b0 = share_of(b0), at_b1 = share_of(b1);
      const double low = std::max(0.0, std::min(at_b0, at_b1)), high = std::min(1.0, std::max(at_b0, at_b1));
      const auto add_at = [&](double share) {
        const double on_other = (share - at_b0) / (at_b1 - at_b0);
        add(a0 + share * along, b0 + on_other * other);
      };
      if (high - low > 1e-6) {
        add_at(low);
        add_at(high);
      }
    }
  }
  if (separation.gap < nearest - tolerance && separation.gap <= range) {
    // Outline points of about the same place give way to it.
    const Vector3d place = 0.5 * (separation.on_first + separation.on_second);
    points.erase(std::remove_if(points.begin() + static_cast<std::ptrdiff_t>(begin), points.end(),
                                [&](const PatchPoint& point) {
                                  return (point.place - place).norm() <= 10.0 * tolerance;
                                }),
                 points.end());
    points.push_back({place, normal, separation.gap, Vector3d::Zero()});
  }
  return nearest;
}

namespace {

// Moves the points of [begin, end) to keep to the front: the deepest, the farthest from it, the farthest from
// their line, and the one that adds most to this triangle. Returns how many.
std::size_t keep_extremes(std::vector<PatchPoint>& points, std::size_t begin, std::size_t end,
                          double tolerance) {
  if (end - begin <= 2) return end - begin;
  double deepest = infinity;
  Vector3d middle = Vector3d::Zero();
  for (std::size_t k = begin; k < end; ++k) {
    deepest = std::min(deepest, points[k].gap);
    middle += points[k].on_first() / static_cast<double>(end - begin);
  }
  // Moves the point with the largest value to `to`, of about equal ones the first. Returns the value.
  const auto take = [&](std::size_t to, const auto& value) {
    std::size_t best = to;
    double largest = value(points[to]);
    for (std::size_t k = to + 1; k < end; ++k) {
      const double v = value(points[k]);
      if (v > largest + 1e-6 * std::abs(largest)) largest = v, best = k;
    }
    const auto at = [&](std::size_t k) { return points.begin() + static_cast<std::ptrdiff_t>(k); };
    std::rotate(at(to), at(best), at(best + 1));
    return largest;
  };
  const auto place = [&](std::size_t k) { return points[begin + k].on_first(); };
  take(begin, [&](const PatchPoint& p) {
    return p.gap <= deepest + tolerance ? (p.on_first() - middle).squaredNorm() : -1.0;
  });
  const Vector3d from = place(0);
  const double squared_length =
      take(begin + 1, [&](const PatchPoint& p) { return (p.on_first() - from).squaredNorm(); });
  const Vector3d normal = points[begin].normal, to = place(1);
  const double least = 1e-6 * squared_length;  // of areas
  const auto beside = [&](const Vector3d& a, const Vector3d& b, const PatchPoint& p) {
    return normal.dot((b - a).cross(p.on_first() - a));
  };
  const double area = take(begin + 2, [&](const PatchPoint& p) { return std::abs(beside(from, to, p)); });
  if (area <= least) {
    // On a line: its ends, and the deepest.
    const double other =
        take(begin + 2, [&](const PatchPoint& p) { return (p.on_first() - to).squaredNorm(); });
    return other > (1.0 + 1e-6) * squared_length ? 3 : 2;
  }
  if (end - begin <= most_in_plane) return end - begin;
  const double side = beside(from, to, points[begin + 2]) < 0.0 ? -1.0 : 1.0;
  const Vector3d tip = place(2);
  const double added = take(begin + 3, [&](const PatchPoint& p) {
    return -std::min({side * beside(from, to, p), side * beside(to, tip, p), side * beside(tip, from, p)});
  });
  return added > least ? 4 : 3;
}

}  // namespace

void reduce_patch(std::vector<PatchPoint>& points, std::size_t begin, double tolerance) {
  const auto at = [&](std::size_t k) { return points.begin() + static_cast<std::ptrdiff_t>(k); };
  // One of each place.
  std::size_t end = begin;
  for (std::size_t k = begin; k < points.size(); ++k) {
    const auto twin = std::find_if(at(begin), at(end), [&](const PatchPoint& p) {
      return (p.on_first() - points[k].on_first()).squaredNorm() <= tolerance * tolerance &&
             p.normal.dot(points[k].normal) > 1.0 - 0.5 * same_plane * same_plane;
    });
    if (twin == at(end)) {
      points[end++] = points[k];
    } else if (points[k].gap < twin->gap) {
      *twin = points[k];
    }
  }
  points.resize(end);
  // One group per plane, the plane with the deepest point first.
  std::size_t kept = begin;
  for (std::size_t group = begin; group < points.size();) {
    const auto deepest = std::min_element(
        at(group), points.end(), [](const PatchPoint& a, const PatchPoint& b) { return a.gap < b.gap; });
    const Vector3d normal = deepest->normal;
    const auto first = static_cast<std::size_t>(deepest - points.begin());
    // Keeps the order, without memory of its own. The deepest point is in the group whatever its normal is.
    std::size_t group_end = group;
    for (std::size_t k = group; k < points.size(); ++k) {
      if (k != first && points[k].normal.dot(normal) <= 1.0 - 0.5 * same_plane * same_plane) continue;
      std::rotate(at(group_end), at(k), at(k + 1));
      ++group_end;
    }
    std::size_t count = keep_extremes(points, group, group_end, tolerance);
    count = std::min(count, most_in_all - (kept - begin));
    for (std::size_t k = 0; k < count; ++k) points[kept + k] = points[group + k];
    kept += count;
    group = group_end;
  }
  points.resize(kept);
}

std::array<double, 2> nearest_on_segments(const Vector3d& a0, const Vector3d& a1, const Vector3d& b0,
                                          const Vector3d& b1) {
  const Vector3d a = a1 - a0, b = b1 - b0, between = a0 - b0;
  const double aa = a.squaredNorm(), bb = b.squaredNorm(), ab = a.dot(b);
  const double a_between = a.dot(between), b_between = b.dot(between);
  if (aa == 0.0 && bb == 0.0) return {0.0, 0.0};
  if (aa == 0.0) return {0.0, std::clamp(b_between / bb, 0.0, 1.0)};
  if (bb == 0.0) return {std::clamp(-a_between / aa, 0.0, 1.0), 0.0};
  const double determinant = aa * bb - ab * ab;
  // Parallel segments: the middle of their common part.
  double share_a = 0.0;
  if (determinant > 1e-12 * aa * bb) {
    share_a = std::clamp((ab * b_between - a_between * bb) / determinant, 0.0, 1.0);
  } else {
    const double at_b0 = -a_between / aa, at_b1 = at_b0 + ab / aa;
    const double low = std::clamp(std::min(at_b0, at_b1), 0.0, 1.0);
    share_a = 0.5 * (low + std::clamp(std::max(at_b0, at_b1), 0.0, 1.0));
  }
  double share_b = (ab * share_a + b_between) / bb;
  if (share_b < 0.0 || share_b > 1.0) {
    share_b = std::clamp(share_b, 0.0, 1.0);
    share_a = std::clamp((ab * share_b - a_between) / aa, 0.0, 1.0);
  }
  return {share_a, share_b};
}

}  // namespace slipstick::internal
