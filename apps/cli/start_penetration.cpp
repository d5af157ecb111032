// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/start_penetration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "apps/cli/arguments.hpp"
#include "slipstick/base/append_format.hpp"
#include "slipstick/base/overloaded.hpp"
#include "slipstick/base/utf8.hpp"

namespace slipstick::internal::cli {
namespace {

constexpr double deep_share = 0.05;  // of the smaller extent of both bodies
constexpr std::size_t most_pairs = 5;

double smallest_extent(const ShapeGeometry& geometry) {
  return std::visit(
      Overloaded{[](const SphereShape& shape) { return 2.0 * shape.radius; },
                 [](const BoxShape& shape) { return shape.size.minCoeff(); },
                 [](const CapsuleShape& shape) { return 2.0 * shape.radius; },
                 [](const CylinderShape& shape) { return std::min(2.0 * shape.radius, shape.height); },
                 [](const ConeShape& shape) { return std::min(2.0 * shape.radius, shape.height); },
                 [](const HullShape& shape) {
                   Eigen::AlignedBox3d box;
                   for (const Eigen::Vector3d& point : shape.points) box.extend(point);
                   return box.sizes().minCoeff();
                 },
                 [](const auto&) { return infinity; }},
      geometry);
}

double smallest_extent_of(const Scene& scene, int body) {
  double extent = infinity;
  if (body < 0) return extent;
  for (const ShapePlace& place : scene.bodies[static_cast<std::size_t>(body)].shapes)
    extent = std::min(extent, smallest_extent(scene.shapes[static_cast<std::size_t>(place.shape)].geometry));
  return extent;
}

}  // namespace

std::string describe_start_penetration(const Scene& scene, const Frame& first) {
  std::map<std::array<int, 2>, double> depths;
  for (const ContactRecord& contact : first.contacts) {
    const double extent =
        std::min(smallest_extent_of(scene, contact.bodies[0]), smallest_extent_of(scene, contact.bodies[1]));
    if (-contact.gap <= deep_share * extent) continue;
    double& depth = depths[contact.bodies];
    depth = std::max(depth, -contact.gap);
  }
  if (depths.empty()) return {};
  std::string text = fmt::format(
      "{} of bodies penetrate each other at the start by more than {:g} % of their "
      "extent:",
      format_count(static_cast<long>(depths.size()), "pair"), 100.0 * deep_share);
  std::size_t shown = 0;
  for (const auto& [pair, depth] : depths) {
    if (++shown > most_pairs) {
      text += ", ...";
      break;
    }
    const auto label = [&](int body) {
      return body < 0 ? std::string("the world")
                      : one_line(scene.bodies[static_cast<std::size_t>(body)].name);
    };
    append_format(text, "{} {} and {} by {:.3g} m", shown > 1 ? "," : "", label(pair[0]), label(pair[1]),
                  depth);
  }
  return text;
}

}  // namespace slipstick::internal::cli
