// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scenes/qp_collection.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "slipstick/base/error.hpp"
#include "slipstick/scenes/qp_builder.hpp"

namespace slipstick::internal {
namespace {

using std::numbers::pi;

// The function that a LISWET problem approximates.
double liswet_target(int kind, double t) {
  switch (kind) {
    case 1:
      return std::sqrt(t);
    case 2:
      return t;
    case 3:
      return t * t;
    case 4:
      return t * t * t;
    case 5:
      return std::exp(t);
    case 6:
      return std::exp(-t);
    case 7:
      return std::sin(pi * t);
    case 8:
      return std::sin(2.0 * pi * t);
    case 9:
      return std::sin(4.0 * pi * t);
    case 10:
      return std::cos(pi * t);
    case 11:
      return std::cos(2.0 * pi * t);
    default:
      return std::cos(4.0 * pi * t);
  }
}

using Cell = std::array<Index, 3>;
constexpr int no_side = -1;

// Visits the cells with coordinates 0 to end - 1, the first one fastest. Across `side` they are at `at`.
template <class Visit>
void visit_cells(int dimension, int side, Index at, Index end, const Visit& visit) {
  Cell first{}, last{};
  for (int axis = 0; axis < 3; ++axis) {
    first[axis] = axis == side ? at : 0;
    last[axis] = axis == side ? at + 1 : axis < dimension ? end : 1;
  }
  Cell cell;
  for (cell[2] = first[2]; cell[2] < last[2]; ++cell[2]) {
    for (cell[1] = first[1]; cell[1] < last[1]; ++cell[1]) {
      for (cell[0] = first[0]; cell[0] < last[0]; ++cell[0]) visit(cell);
    }
  }
}

// A flux of the AUG problems leaves one node and enters another, or comes over the border.
struct Flux {
  Index from;
  Index to = -1;
  int far_side = no_side;  // the axis across the far border that the flux runs along
};

std::vector<Flux> fluxes_of_grid(int dimension, Index edge) {
  const auto node = [edge](const Cell& cell) { return cell[0] + edge * (cell[1] + edge * cell[2]); };
  std::vector<Flux> fluxes;
  const auto leave = [&](const Cell& cell, int side) {
    for (int axis = 0; axis < dimension; ++axis) {
      if (axis == side) continue;
      Cell next = cell;
      ++next[axis];
      fluxes.push_back({.from = node(cell), .to = node(next), .far_side = side});
    }
  };
  for (int side = no_side; side < dimension; ++side)
    visit_cells(dimension, side, edge - 1, edge - 1, [&](const Cell& cell) { leave(cell, side); });
  for (int side = 0; side < dimension; ++side) {
    visit_cells(dimension, side, 0, edge, [&](Cell cell) {
      for (const Index end : {Index{0}, edge - 1}) {
        cell[side] = end;
        for (int axis = 0; axis + 1 < dimension; ++axis) fluxes.push_back({.from = node(cell)});
      }
    });
  }
  return fluxes;
}

}  // namespace

Problem cvxqp(Index n, double share_of_rows) {
  QpBuilder qp(n, 0.1, 10.0);
  const auto wrapped = [n](Index k) { return (k - 1) % n; };
  for (Index i = 1; i <= n; ++i)
    qp.add_square(static_cast<double>(i), {{i - 1, 1.0}, {wrapped(2 * i), 1.0}, {wrapped(3 * i), 1.0}});
  const auto rows = static_cast<Index>(share_of_rows * static_cast<double>(n));
  for (Index i = 1; i <= rows; ++i)
    qp.add_equality({{i - 1, 1.0}, {wrapped(4 * i), 2.0}, {wrapped(5 * i), 3.0}}, 6.0);
  return qp.finish();
}

Problem liswet(int kind, Index n) {
  QpBuilder qp(n + 2);
  for (Index i = 0; i < n + 2; ++i) {
    const double t = static_cast<double>(i) / static_cast<double>(n + 1);
    const double perturbation = 0.1 * std::sin(static_cast<double>(i + 1));
    qp.add_square(1.0, {{i, 1.0}}, liswet_target(kind, t) + perturbation);
  }
  for (Index j = 0; j < n; ++j) qp.add_row({{j + 2, 1.0}, {j + 1, -2.0}, {j, 1.0}}, 0.0, infinity);
  return qp.finish();
}

Problem aug(Index edge, const AugOptions& options) {
  const std::vector<Flux> fluxes = fluxes_of_grid(options.dimension, edge);
  // The file of AUG2DCQP puts half of these bounds into a second set, which readers leave out.
  const int unbounded_side = options.dimension == 2 && options.costs_border ? 0 : no_side;
  QpBuilder qp(static_cast<Index>(fluxes.size()), options.bounds_fluxes ? 0.0 : -infinity);
  std::vector<QpTerms> sums(
      static_cast<std::size_t>(options.dimension == 2 ? edge * edge : edge * edge * edge));
  for (std::size_t k = 0; k < fluxes.size(); ++k) {
    const auto& [from, to, far_side] = fluxes[k];
    const auto flux = static_cast<Index>(k);
    sums[static_cast<std::size_t>(from)].push_back({flux, 1.0});
    if (to >= 0) sums[static_cast<std::size_t>(to)].push_back({flux, -1.0});
    if (to >= 0 || options.costs_border) qp.add_square(1.0, {{flux, 1.0}}, 1.0);
    if (options.bounds_fluxes && far_side != no_side && far_side != unbounded_side)
      qp.set_bounds(flux, 1.0, infinity);
  }
  for (const QpTerms& sum : sums) qp.add_equality(sum, 1.0);
  return qp.finish();
}

Problem boundary_control(Index intervals) {
  const Index inner = intervals - 1;  // points along an edge without the corners
  const double h = 1.0 / static_cast<double>(intervals);
  QpBuilder qp(inner * inner + 4 * inner, 0.0, 10.0);
  const Index border = inner * inner;
  // Unknown at the point (i, j), both from 0 to `intervals`.
  const auto at = [&](Index i, Index j) {
    if (j == 0) return border + i - 1;
    if (i == 0) return border + inner + j - 1;
    if (j == intervals) return border + 2 * inner + i - 1;
    if (i == intervals) return border + 3 * inner + j - 1;
    return inner * (i - 1) + j - 1;
  };
  for (Index i = 1; i < intervals; ++i) {
    for (Index j = 1; j < intervals; ++j) {
      const double s = static_cast<double>(i) * h, t = static_cast<double>(j) * h;
      qp.add_square(h * h, {{at(i, j), 1.0}});
      qp.add_linear(at(i, j), -h * h * (3.0 + 5.0 * s * (1.0 - s) * t * (1.0 - t)));
      qp.set_bounds(at(i, j), 0.0, 3.5);
      qp.add_equality({{at(i, j), 4.0},
                       {at(i - 1, j), -1.0},
                       {at(i + 1, j), -1.0},
                       {at(i, j - 1), -1.0},
                       {at(i, j + 1), -1.0}},
                      20.0 * h * h);
    }
  }
  for (Index k = border; k < border + 4 * inner; ++k) qp.add_square(0.01 * h, {{k, 1.0}});
  return qp.finish();
}

Problem powell20(Index n) {
  if (n % 2 != 0) fail("powell20: {} unknowns leave no point within the rows, expected an even number", n);
  QpBuilder qp(n);
  for (Index i = 0; i < n; ++i) qp.add_square(1.0, {{i, 1.0}});
  for (Index k = 1; k < n; ++k) {
    const auto size = static_cast<double>(k);
    qp.add_row({{k, 1.0}, {k - 1, -1.0}}, (k % 2 == 0 ? size : -size) - 0.5, infinity);
  }
  qp.add_row({{0, 1.0}, {n - 1, -1.0}}, static_cast<double>(n) - 0.5, infinity);
  return qp.finish();
}

Problem dtoc3(Index periods) {
  const Index steps = periods - 1;
  const double h = 1.0 / static_cast<double>(periods);
  QpBuilder qp(steps + 2 * periods);
  const auto place = [&](Index t) { return steps + 2 * t; };
  const auto speed = [&](Index t) { return place(t) + 1; };
  qp.set_bounds(place(0), 15.0, 15.0);
  qp.set_bounds(speed(0), 5.0, 5.0);
  for (Index t = 0; t < steps; ++t) {
    qp.add_square(6.0 * h, {{t, 1.0}});
    qp.add_square(2.0 * h, {{place(t + 1), 1.0}});
    qp.add_square(h, {{speed(t + 1), 1.0}});
    qp.add_equality({{place(t + 1), -1.0}, {place(t), 1.0}, {speed(t), h}}, 0.0);
    qp.add_equality({{speed(t + 1), -1.0}, {speed(t), 1.0}, {place(t), -h}, {t, h}}, 0.0);
  }
  return qp.finish();
}

Problem ubh1(Index steps) {
  constexpr std::array start = {1000.0, 1000.0, 1000.0, -10.0, 10.0, -10.0};
  const double h = 1000.0 / static_cast<double>(steps);
  QpBuilder qp(9 * (steps + 1));
  // Components 0 to 2 are places, 3 to 5 speeds and 6 to 8 controls.
  const auto at = [&](int component, Index t) { return component * (steps + 1) + t; };
  for (int component = 0; component < 6; ++component) {
    qp.set_bounds(at(component, 0), start[component], start[component]);
    qp.set_bounds(at(component, steps), 0.0, 0.0);
    for (Index t = 1; t <= steps; ++t) {
      qp.add_equality({{at(component, t), 1.0},
                       {at(component, t - 1), -1.0},
                       {at(component + 3, t - 1), -0.5 * h},
                       {at(component + 3, t), -0.5 * h}},
                      0.0);
    }
  }
  for (int control = 6; control < 9; ++control) {
    for (Index t = 0; t <= steps; ++t) {
      qp.set_bounds(at(control, t), -1.0, 1.0);
      qp.add_square(t == 0 || t == steps ? h : 2.0 * h, {{at(control, t), 1.0}});
    }
  }
  return qp.finish();
}

Problem yao(Index n) {
  QpBuilder qp(n + 2);
  for (Index i = 0; i < n + 2; ++i)
    qp.add_square(1.0, {{i, 1.0}}, std::sin(static_cast<double>(i + 1) / static_cast<double>(n + 2)));
  for (Index i = 0; i < n; ++i) qp.add_row({{i, 1.0}, {i + 1, -2.0}, {i + 2, 1.0}}, 0.0, infinity);
  qp.set_bounds(0, 0.08, infinity);
  qp.set_bounds(n, 0.0, 0.0);
  qp.set_bounds(n + 1, 0.0, 0.0);
  return qp.finish();
}

Problem huestis(Index n, bool mean) {
  QpBuilder qp(n, 0.0);
  QpTerms second, fourth;
  for (Index i = 0; i < n; ++i) {
    const double from = static_cast<double>(i) / static_cast<double>(n);
    const double to = static_cast<double>(i + 1) / static_cast<double>(n);
    second.push_back({i, (std::pow(to, 3) - std::pow(from, 3)) / 3.0});
    fourth.push_back({i, (std::pow(to, 5) - std::pow(from, 5)) / 5.0});
    qp.add_square(mean ? 2.0 / static_cast<double>(n) : 2.0, {{i, 1.0}});
  }
  qp.add_equality(second, 1835.2);
  qp.add_equality(fourth, 909.8);
  return qp.finish();
}

Problem stcqp(Index p, bool neighbours) {
  const Index n = Index{1} << p;
  QpBuilder qp(n + 1, -2.0, 2.0);
  for (Index i = 0; i <= n; ++i) qp.add_square(2.0, {{i, 1.0}});
  for (Index group = 1; group <= n / p; ++group) {
    QpTerms square, row;
    for (Index i = 0; i < p; ++i) {
      square.push_back({(Index{1} << i) + group, 1.0});
      row.push_back({neighbours ? (group - 1) * p + i + 1 : (Index{1} << i) + group - 1, 1.0});
      qp.add_square(2.0, square);
      if (group % 2 == 1) qp.add_equality(row, static_cast<double>(i + 1));
    }
  }
  return qp.finish();
}

Problem ksip(Index intervals) {
  constexpr int unknowns = 20;
  QpBuilder qp(unknowns);
  for (int j = 0; j < unknowns; ++j) {
    qp.add_square(1.0 / (j + 1), {{j, 1.0}});
    qp.add_linear(j, 1.0 / (j + 1));
  }
  for (Index i = 0; i <= intervals; ++i) {
    const double t = static_cast<double>(i) / static_cast<double>(intervals);
    QpTerms powers = {{0, 1.0}};
    for (int j = 1; i > 0 && j < unknowns; ++j) powers.push_back({j, std::pow(t, j)});
    qp.add_row(powers, std::sin(t), infinity);
  }
  return qp.finish();
}

}  // namespace slipstick::internal
