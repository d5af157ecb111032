// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scenes/uic.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <vector>

#include "slipstick/base/error.hpp"
#include "slipstick/base/random.hpp"
#include "slipstick/linalg/operator.hpp"

namespace slipstick::internal {
namespace {

constexpr double domain_radius = 0.45;
constexpr double least_open_share = 0.01;
constexpr double largest_use_of_room = 0.8;  // largest share of the deficit that the excess may fill

// The grid of cells and the open shares of its faces.
struct Grid {
  int dimension;
  int resolution;
  std::array<Index, 3> stride;  // from a cell to its next neighbour along an axis
  Index cells;
  std::array<std::vector<double>, 3> weight;  // weight of the face between a cell and its next neighbour

  int position(Index cell, int axis) const { return static_cast<int>(cell / stride[axis] % resolution); }
  bool has_next(Index cell, int axis) const { return position(cell, axis) + 1 < resolution; }
  double centre(int index) const { return (index + 0.5) / resolution; }

  // Calls visit(neighbour, weight) for the open faces of a cell, neighbours ascending on either side.
  template <class Visit>
  void neighbours(Index cell, const Visit& visit) const {
    for (int axis = dimension - 1; axis >= 0; --axis) {
      if (position(cell, axis) == 0) continue;
      const Index previous = cell - stride[axis];
      if (weight[axis][previous] > 0.0) visit(previous, weight[axis][previous]);
    }
    for (int axis = 0; axis < dimension; ++axis) {
      if (weight[axis][cell] > 0.0) visit(cell + stride[axis], weight[axis][cell]);
    }
  }
};

// Positive in the disk (ball) of the grains, negative in the solid around it.
double signed_distance(const std::array<int, 3>& vertex, const Grid& grid) {
  double square = 0.0;
  for (int axis = 0; axis < grid.dimension; ++axis) {
    const double x = static_cast<double>(vertex[axis]) / grid.resolution - 0.5;
    square += x * x;
  }
  return domain_radius - std::sqrt(square);
}

// The share of an edge on which the linear interpolant of its end values is positive.
double open_share(double a, double b) {
  const double inside = std::max(a, b);
  if (inside <= 0.0) return 0.0;
  const double outside = std::min(a, b);
  return outside >= 0.0 ? 1.0 : inside / (inside - outside);
}

// The share of a unit square with a positive distance, by marching squares. It is the polygon of its open
// corners and the zeros along its edges. Corners are in cyclic order.
double open_share(const std::array<double, 4>& corner) {
  constexpr double corner_x[] = {0.0, 1.0, 1.0, 0.0};
  constexpr double corner_y[] = {0.0, 0.0, 1.0, 1.0};
  std::array<std::array<double, 2>, 8> polygon;
  std::size_t points = 0;
  for (int k = 0; k < 4; ++k) {
    const int next = (k + 1) % 4;
    if (corner[k] > 0.0) polygon[points++] = {corner_x[k], corner_y[k]};
    if ((corner[k] > 0.0) == (corner[next] > 0.0)) continue;
    const double t = corner[k] / (corner[k] - corner[next]);
    polygon[points++] = {corner_x[k] + t * (corner_x[next] - corner_x[k]),
                         corner_y[k] + t * (corner_y[next] - corner_y[k])};
  }
  double twice_area = 0.0;
  for (std::size_t k = 0; k < points; ++k) {
    const auto& p = polygon[k];
    const auto& q = polygon[(k + 1) % points];
    twice_area += p[0] * q[1] - p[1] * q[0];
  }
  return std::clamp(0.5 * twice_area, 0.0, 1.0);
}

// The open share of the face between `cell` and its next neighbour along `axis`.
double face_weight(const Grid& grid, Index cell, int axis) {
  std::array<int, 3> vertex{};
  for (int d = 0; d < grid.dimension; ++d) vertex[d] = grid.position(cell, d);
  ++vertex[axis];
  const auto moved = [&](int along) {
    std::array<int, 3> result = vertex;
    ++result[along];
    return result;
  };
  double share = 0.0;
  if (grid.dimension == 2) {
    share = open_share(signed_distance(vertex, grid), signed_distance(moved(1 - axis), grid));
  } else {
    const int u = (axis + 1) % 3;
    const int v = (axis + 2) % 3;
    std::array<int, 3> opposite = moved(u);
    ++opposite[v];
    share = open_share({signed_distance(vertex, grid), signed_distance(moved(u), grid),
                        signed_distance(opposite, grid), signed_distance(moved(v), grid)});
  }
  return share < least_open_share ? 0.0 : share;
}

Grid make_grid(int dimension, int resolution) {
  Grid grid{dimension, resolution, {}, 1, {}};
  for (int axis = 0; axis < dimension; ++axis) {
    grid.stride[axis] = grid.cells;
    grid.cells *= resolution;
  }
  if (grid.cells > std::numeric_limits<int>::max() / (2 * dimension + 1))
    fail("UIC problem: {} cells along an edge in {} dimensions are too many", resolution, dimension);
  for (int axis = 0; axis < dimension; ++axis) {
    grid.weight[axis].assign(static_cast<std::size_t>(grid.cells), 0.0);
    for (Index cell = 0; cell < grid.cells; ++cell) {
      if (grid.has_next(cell, axis)) grid.weight[axis][cell] = face_weight(grid, cell, axis);
    }
  }
  return grid;
}

// A_1 = scale D'WD. Off the diagonal it has minus the scaled weights, on the diagonal their sum.
CsrMatrix pressure_matrix(const Grid& grid, double scale) {
  CsrMatrix a(grid.cells, grid.cells);
  std::vector<int> columns;
  std::vector<double> values;
  const std::size_t most = static_cast<std::size_t>(grid.cells) * (2 * grid.dimension + 1);
  columns.reserve(most);
  values.reserve(most);
  for (Index cell = 0; cell < grid.cells; ++cell) {
    a.outerIndexPtr()[cell] = static_cast<int>(columns.size());
    std::size_t diagonal = columns.size();
    double sum = 0.0;
    grid.neighbours(cell, [&](Index other, double weight) {
      diagonal += other < cell;
      columns.push_back(static_cast<int>(other));
      values.push_back(-scale * weight);
      sum += scale * weight;
    });
    if (sum == 0.0) continue;
    columns.insert(columns.begin() + static_cast<std::ptrdiff_t>(diagonal), static_cast<int>(cell));
    values.insert(values.begin() + static_cast<std::ptrdiff_t>(diagonal), sum);
  }
  a.outerIndexPtr()[grid.cells] = static_cast<int>(columns.size());
  a.resizeNonZeros(static_cast<Index>(columns.size()));
  std::copy(columns.begin(), columns.end(), a.innerIndexPtr());
  std::copy(values.begin(), values.end(), a.valuePtr());
  return a;
}

// A smooth random field: a sum of standing waves with up to three periods along each axis, tabulated.
class SmoothField {
 public:
  SmoothField(const Grid& grid, int dimensions, Random& random) : grid_(grid), dimensions_(dimensions) {
    for (int mode = 0; mode < modes; ++mode) {
      for (int axis = 0; axis < dimensions; ++axis) {
        const double wave = random.uniform(0.5, 3.0) * 2.0 * std::numbers::pi;
        const double phase = random.uniform(0.0, 2.0 * std::numbers::pi);
        for (int i = 0; i < grid.resolution; ++i) {
          table_[axis].push_back(std::cos(wave * grid.centre(i) + phase));
        }
      }
    }
  }
  // The value is of the order of 1 and at most sqrt(modes).
  double operator()(Index cell) const {
    double sum = 0.0;
    for (int mode = 0; mode < modes; ++mode) {
      double product = 1.0;
      for (int axis = 0; axis < dimensions_; ++axis)
        product *= table_[axis][mode * grid_.resolution + grid_.position(cell, axis)];
      sum += product;
    }
    return sum / std::sqrt(static_cast<double>(modes));
  }

 private:
  static constexpr int modes = 6;
  const Grid& grid_;
  int dimensions_;
  std::array<std::vector<double>, 3> table_;
};

// Labels the cells with keep(cell) by their connected component through open faces. The label of other cells
// is -1. Returns the sizes of the components.
template <class Keep>
std::vector<Index> connected_parts(const Grid& grid, const Keep& keep, std::vector<int>& part) {
  part.assign(static_cast<std::size_t>(grid.cells), -1);
  std::vector<Index> sizes, stack;
  for (Index seed = 0; seed < grid.cells; ++seed) {
    if (part[seed] >= 0 || !keep(seed)) continue;
    const int label = static_cast<int>(sizes.size());
    sizes.push_back(0);
    part[seed] = label;
    stack.push_back(seed);
    while (!stack.empty()) {
      const Index cell = stack.back();
      stack.pop_back();
      ++sizes.back();
      grid.neighbours(cell, [&](Index other, double) {
        if (part[other] >= 0 || !keep(other)) return;
        part[other] = label;
        stack.push_back(other);
      });
    }
  }
  return sizes;
}

// The cells that the heap fills: those below a wavy surface around the height `fill`. Clouds of grains float
// above it.
struct Heap {
  std::vector<char> packed;      // cells of the heap
  std::vector<double> floating;  // volume fraction of the others, well below 1
};

Heap random_heap(const Grid& grid, const std::vector<char>& open, double fill, Random& random) {
  const SmoothField surface(grid, grid.dimension - 1, random);
  const SmoothField clouds(grid, grid.dimension, random);
  const int up = grid.dimension - 1;
  Heap heap;
  heap.packed.assign(static_cast<std::size_t>(grid.cells), 0);
  heap.floating.assign(static_cast<std::size_t>(grid.cells), 0.0);
  for (Index cell = 0; cell < grid.cells; ++cell) {
    if (!open[cell]) continue;
    // The waves vanish if the heap is empty or full.
    const double level = fill + 0.3 * fill * (1.0 - fill) * surface(cell);
    const double height =
        (grid.centre(grid.position(cell, up)) - 0.5 + domain_radius) / (2.0 * domain_radius);
    heap.packed[cell] = height <= level;
    heap.floating[cell] = 0.5 * std::clamp(clouds(cell) - 0.5, 0.0, 1.0);
  }
  return heap;
}

// How far the velocity compresses the heap beyond full cells. It is positive on a random share of its cells,
// and more so near the bottom, because the grains settle.
std::vector<double> random_compression(const Grid& grid, const Heap& heap, Random& random) {
  const SmoothField field(grid, grid.dimension, random);
  const double settling = random.uniform(0.0, 1.0);
  const double share = random.uniform(0.4, 0.8);
  const int up = grid.dimension - 1;
  std::vector<double> compression(static_cast<std::size_t>(grid.cells), 0.0);
  std::vector<double> sorted;
  for (Index cell = 0; cell < grid.cells; ++cell) {
    if (!heap.packed[cell]) continue;
    compression[cell] = field(cell) - settling * grid.centre(grid.position(cell, up));
    sorted.push_back(compression[cell]);
  }
  if (sorted.empty()) return compression;
  // The threshold lies between two values, so that no cell is exactly at it.
  const std::size_t count = sorted.size();
  const std::size_t over = std::clamp<std::size_t>(
      static_cast<std::size_t>(std::llround(share * static_cast<double>(count))), 1, count);
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  const double threshold = over < count ? 0.5 * (sorted[over - 1] + sorted[over]) : sorted.back() - 0.1;
  for (Index cell = 0; cell < grid.cells; ++cell) {
    if (heap.packed[cell]) compression[cell] -= threshold;
  }
  return compression;
}

// b_1 = 1 - phi. It is negative on the largest connected set of compressed cells. Its mean excess there is
// `overfull`.
Vector remaining_room(const Grid& grid, const std::vector<char>& open, double fill, double overfull,
                      Random& random) {
  const Heap heap = random_heap(grid, open, fill, random);
  const std::vector<double> compression = random_compression(grid, heap, random);

  std::vector<int> part;
  const std::vector<Index> sizes = connected_parts(
      grid, [&](Index cell) { return compression[cell] > 0.0; }, part);
  const auto largest = std::max_element(sizes.begin(), sizes.end());
  const int overfull_part = static_cast<int>(largest - sizes.begin());

  Vector room = Vector::Ones(grid.cells);
  double excess = 0.0;
  for (Index cell = 0; cell < grid.cells; ++cell) {
    if (!open[cell]) continue;
    const double noise = random.uniform(0.5, 1.5);
    if (!heap.packed[cell]) {
      room[cell] = 1.0 - noise * heap.floating[cell];
    } else if (compression[cell] > 0.0 && part[cell] == overfull_part) {
      room[cell] = -noise * compression[cell];
      excess -= room[cell];
    } else {
      // The cell is loosened. A heap has no large holes.
      room[cell] = std::min(0.5, 0.1 * noise * std::abs(compression[cell]));
    }
  }
  if (excess == 0.0) return room;
  const double scale = overfull * static_cast<double>(*largest) / excess;
  for (Index cell = 0; cell < grid.cells; ++cell) {
    if (room[cell] < 0.0) room[cell] *= scale;
  }
  return room;
}

// The grains of each connected component must fit into it. 1'(A p + b) = 1'b on it, which must be positive.
void make_room_suffice(const Grid& grid, const std::vector<char>& open, Vector& room) {
  std::vector<int> part;
  const std::vector<Index> sizes = connected_parts(
      grid, [&](Index cell) { return open[cell] != 0; }, part);
  std::vector<double> excess(sizes.size(), 0.0), deficit(sizes.size(), 0.0);
  for (Index cell = 0; cell < grid.cells; ++cell) {
    if (part[cell] < 0) continue;
    (room[cell] < 0.0 ? excess : deficit)[part[cell]] += std::abs(room[cell]);
  }
  for (Index cell = 0; cell < grid.cells; ++cell) {
    if (part[cell] < 0 || room[cell] >= 0.0) continue;
    const double most = largest_use_of_room * deficit[part[cell]];
    if (excess[part[cell]] > most) room[cell] *= most / excess[part[cell]];
  }
}

void check(const UicOptions& options) {
  if (options.dimension != 2 && options.dimension != 3)
    fail("UIC problem: the dimension is 2 or 3, not {}", options.dimension);
  if (options.resolution < 1) fail("UIC problem: {} cells along an edge", options.resolution);
  if (!(options.fill >= 0.0 && options.fill <= 1.0))
    fail("UIC problem: fill is a share of 0 to 1, not {}", options.fill);
  if (!(options.overfull >= 0.0) || !std::isfinite(options.overfull))
    fail("UIC problem: overfull must be finite and not negative, not {}", options.overfull);
  if (!(options.time_step > 0.0) || !std::isfinite(options.time_step))
    fail("UIC problem: the time step must be positive, not {}", options.time_step);
  if (!(options.max_density > 0.0) || !std::isfinite(options.max_density))
    fail("UIC problem: the maximum density must be positive, not {}", options.max_density);
}

}  // namespace

Problem uic_pressure(const UicOptions& options) {
  check(options);
  Random random(options.seed);
  const Grid grid = make_grid(options.dimension, options.resolution);
  std::vector<char> open(static_cast<std::size_t>(grid.cells), 0);
  for (Index cell = 0; cell < grid.cells; ++cell)
    grid.neighbours(cell, [&](Index, double) { open[cell] = 1; });

  Problem problem;
  problem.b = remaining_room(grid, open, options.fill, options.overfull, random);
  make_room_suffice(grid, open, problem.b);
  const double step = options.time_step * options.resolution;  // dt / h
  problem.A = Operator(pressure_matrix(grid, step * step / options.max_density));
  problem.K = ProductSet::nonnegative(grid.cells);
  return problem;
}

}  // namespace slipstick::internal
