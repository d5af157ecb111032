// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/contact_layout.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "slipstick/base/parallel.hpp"

namespace slipstick::internal {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double arm_rounding = 16.0 * machine_epsilon;

bool is_isotropic(const std::array<double, 6>& tensor) {
  return tensor[1] == 0.0 && tensor[2] == 0.0 && tensor[4] == 0.0 && tensor[0] == tensor[3] &&
         tensor[3] == tensor[5];
}

Matrix3d full(const std::array<double, 6>& t) {
  return Matrix3d{{t[0], t[1], t[2]}, {t[1], t[3], t[4]}, {t[2], t[4], t[5]}};
}

// The inverse on the range of the tensor. Locked directions have no inertia.
Matrix3d inverse_on_range(const Matrix3d& tensor) {
  const Eigen::SelfAdjointEigenSolver<Matrix3d> eigen(tensor);
  const double least = 1e-14 * std::abs(eigen.eigenvalues()[2]);
  Vector3d inverse;
  for (int i = 0; i < 3; ++i)
    inverse[i] = eigen.eigenvalues()[i] > least ? 1.0 / eigen.eigenvalues()[i] : 0.0;
  return eigen.eigenvectors() * inverse.asDiagonal() * eigen.eigenvectors().transpose();
}

int rounded_up(int count, int multiple) {
  return (count + multiple - 1) / multiple * multiple;
}

// The least colour that neither body has; -1 if there is none. Takes it.
int take_colour(int first, int second, int bodies, std::vector<std::uint64_t>& taken) {
  std::uint64_t used = 0;
  for (const int body : {first, second})
    if (body < bodies) used |= taken[static_cast<std::size_t>(body)];
  const int colour = std::countr_one(used);
  if (colour >= ContactLayout::most_colours) return -1;
  for (const int body : {first, second})
    if (body < bodies) taken[static_cast<std::size_t>(body)] |= std::uint64_t{1} << colour;
  return colour;
}

// Sorts items by colour, those without one last, and keeps the order within a colour.
template <class Item>
void sort_by(std::vector<int>& colour, std::vector<Item>& items, std::vector<int>& start) {
  int colours = 0;
  for (const int own : colour) colours = std::max(colours, own + 1);
  start.assign(static_cast<std::size_t>(colours) + 1, 0);
  for (int& own : colour) {
    if (own >= 0) {
      ++start[static_cast<std::size_t>(own) + 1];
    } else {
      own = colours;
    }
  }
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<int> next(start.begin(), start.end());
  std::vector<Item> sorted(items.size());
  for (std::size_t k = 0; k < items.size(); ++k)
    sorted[static_cast<std::size_t>(next[static_cast<std::size_t>(colour[k])]++)] = items[k];
  items.swap(sorted);
}

}  // namespace

void ContactLayout::set(const WorldContacts& world, bool compliant, ContactOrder order, int threads) {
  order_ = order;
  threads_ = threads;
  compliant_ = compliant;
  has_colours_ = order == ContactOrder::colours;
  rows_ = world.rows;
  body_order_.set(world, threads);
  bodies_ = body_order_.bodies();
  sort_contacts(world);
  colour_start_.clear();
  row_colour_start_.clear();
  if (order == ContactOrder::colours) {
    sort_by_colour();
    sort_rows_by_colour();
  }
  place_contacts(world);
  list_sides();
  const bool simple_rows = rows_.empty() && !compliant;
  const std::span<const int> bodies = body_order_.list();
  const bool isotropic = std::all_of(bodies.begin(), bodies.end(), [&](int body) {
    return is_isotropic(world.bodies[static_cast<std::size_t>(body)].inverse_inertia);
  });
  shape_ = !simple_rows || !isotropic ? ContactShape::general
           : find_radii()             ? ContactShape::spheres
                                      : ContactShape::arms;
  set_masses(world);
}

void ContactLayout::sort_contacts(const WorldContacts& world) {
  contacts_ = static_cast<int>(world.contacts.size());
  padded_ = rounded_up(contacts_, contact_tile);
  placed_.resize(world.contacts.size());
  for (int k = 0; k < contacts_; ++k) {
    const auto [a, b] = body_order_.moving()[static_cast<std::size_t>(k)];
    const int first = body_order_.number(a), second = body_order_.number(b);
    placed_[static_cast<std::size_t>(k)] = {std::min(first, second), std::max(first, second), k,
                                            first > second};
  }
  // Two passes that keep the order of equals.
  const auto pass = [&](int Placed::*key) {
    next_.assign(static_cast<std::size_t>(bodies_) + 2, 0);
    for (const Placed& placed : placed_) ++next_[static_cast<std::size_t>(placed.*key) + 1];
    std::partial_sum(next_.begin(), next_.end(), next_.begin());
    sorted_.resize(placed_.size());
    for (const Placed& placed : placed_)
      sorted_[static_cast<std::size_t>(next_[static_cast<std::size_t>(placed.*key)]++)] = placed;
    placed_.swap(sorted_);
  };
  pass(&Placed::second);
  pass(&Placed::first);
}

// Greedy, in the order of bodies.
void ContactLayout::sort_by_colour() {
  std::vector<std::uint64_t> taken(static_cast<std::size_t>(bodies_), 0);
  std::vector<int> colour(placed_.size(), -1);
  for (std::size_t p = 0; p < placed_.size(); ++p) {
    if (placed_[p].first >= bodies_) continue;
    colour[p] = take_colour(placed_[p].first, placed_[p].second, bodies_, taken);
    has_colours_ = has_colours_ && colour[p] >= 0;
  }
  sort_by(colour, placed_, colour_start_);
}

void ContactLayout::sort_rows_by_colour() {
  std::vector<std::uint64_t> taken(static_cast<std::size_t>(bodies_), 0);
  std::vector<int> colour(rows_.size(), -1);
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const int first = body_order_.number(rows_[k].body[0]), second = body_order_.number(rows_[k].body[1]);
    if (std::min(first, second) >= bodies_) continue;
    colour[k] = take_colour(first, second, bodies_, taken);
    has_colours_ = has_colours_ && colour[k] >= 0;
  }
  sort_by(colour, rows_, row_colour_start_);
}

void ContactLayout::place_contacts(const WorldContacts& world) {
  const auto padded = static_cast<std::size_t>(padded_);
  pairs_.resize(2 * padded);
  first_arms_.resize(3 * padded);
  second_arms_.resize(3 * padded);
  axes_.resize(placed_.size());
  parallel_for(contacts_, threads_, [&](Index first, Index last) {
    for (auto p = static_cast<std::size_t>(first); p < static_cast<std::size_t>(last); ++p) {
      const Placed& placed = placed_[p];
      const WorldContact& contact = world.contacts[static_cast<std::size_t>(placed.contact)];
      const double sign = placed.swapped ? -1.0 : 1.0;
      for (int i = 0; i < 9; ++i) axes_[p].axes[i] = sign * contact.axes[i];
      axes_[p].row = contact.row;
      axes_[p].rows = contact.rows;
      pairs_[2 * p] = placed.first;
      pairs_[2 * p + 1] = placed.second;
      std::copy_n(contact.arm[placed.swapped ? 1 : 0], 3, first_arms_.data() + 3 * p);
      std::copy_n(contact.arm[placed.swapped ? 0 : 1], 3, second_arms_.data() + 3 * p);
    }
  });
  const std::size_t used = placed_.size();
  std::fill(pairs_.begin() + static_cast<Index>(2 * used), pairs_.end(), bodies_);
  std::fill(first_arms_.begin() + static_cast<Index>(3 * used), first_arms_.end(), 0.0);
  std::fill(second_arms_.begin() + static_cast<Index>(3 * used), second_arms_.end(), 0.0);
}

void ContactLayout::list_sides() {
  const auto bodies = static_cast<std::size_t>(bodies_);
  first_start_.assign(bodies + 1, 0);
  second_start_.assign(bodies + 1, 0);
  row_start_.assign(bodies + 1, 0);
  for (const Placed& placed : placed_) {
    if (placed.first < bodies_) ++first_start_[static_cast<std::size_t>(placed.first) + 1];
    if (placed.second < bodies_) ++second_start_[static_cast<std::size_t>(placed.second) + 1];
  }
  row_pairs_.clear();
  row_jacobians_.clear();
  for (const WorldRow& row : rows_) {
    for (int side = 0; side < 2; ++side) {
      const int body = row.body[static_cast<std::size_t>(side)];
      const int number = body_order_.number(body);
      row_pairs_.push_back(number);
      row_jacobians_.insert(row_jacobians_.end(), row.jacobian[side], row.jacobian[side] + 6);
      if (number < bodies_) ++row_start_[static_cast<std::size_t>(number) + 1];
    }
  }
  for (std::vector<int>* start : {&first_start_, &second_start_, &row_start_})
    std::partial_sum(start->begin(), start->end(), start->begin());
  second_list_.resize(static_cast<std::size_t>(second_start_.back()));
  row_list_.resize(static_cast<std::size_t>(row_start_.back()));
  next_.assign(second_start_.begin(), second_start_.end() - 1);
  for (std::size_t p = 0; p < placed_.size(); ++p)
    if (const int second = placed_[p].second; second < bodies_)
      second_list_[static_cast<std::size_t>(next_[static_cast<std::size_t>(second)]++)] = static_cast<int>(p);
  first_list_.clear();
  if (order_ == ContactOrder::colours) {
    first_list_.resize(static_cast<std::size_t>(first_start_.back()));
    next_.assign(first_start_.begin(), first_start_.end() - 1);
    for (std::size_t p = 0; p < placed_.size(); ++p)
      if (const int first = placed_[p].first; first < bodies_)
        first_list_[static_cast<std::size_t>(next_[static_cast<std::size_t>(first)]++)] = static_cast<int>(p);
  }
  next_.assign(row_start_.begin(), row_start_.end() - 1);
  for (std::size_t side = 0; side < row_pairs_.size(); ++side)
    if (const int body = row_pairs_[side]; body < bodies_)
      row_list_[static_cast<std::size_t>(next_[static_cast<std::size_t>(body)]++)] = static_cast<int>(side);
  heavy_.clear();
  for (int body = 0; body < bodies_; ++body) {
    const auto degree = [&](const std::vector<int>& start) {
      return start[static_cast<std::size_t>(body) + 1] - start[static_cast<std::size_t>(body)];
    };
    if (degree(first_start_) + degree(second_start_) + degree(row_start_) > heavy_body_contacts)
      heavy_.push_back(body);
  }
}

// The arm of a first body is r n, that of a second one -r n. Returns false if the contacts are not of
// spheres.
bool ContactLayout::find_radii() {
  const auto along = [](const double* arm, const double* n) {
    return arm[0] * n[0] + arm[1] * n[1] + arm[2] * n[2];
  };
  radius_.assign(static_cast<std::size_t>(bodies_) + 1, 0.0);
  for (std::size_t p = placed_.size(); p-- > 0;) {  // the first contact of a body is the last to say it
    const double* n = axes_[p].axes;
    radius_[static_cast<std::size_t>(placed_[p].first)] = along(first_arms_.data() + 3 * p, n);
    radius_[static_cast<std::size_t>(placed_[p].second)] = -along(second_arms_.data() + 3 * p, n);
  }
  const auto fits = [&](const double* arm, double sign, int body, const double* n) {
    if (body >= bodies_) return true;
    const double radius = radius_[static_cast<std::size_t>(body)];
    double difference = 0.0;
    for (int i = 0; i < 3; ++i) difference = std::max(difference, std::abs(sign * arm[i] - radius * n[i]));
    return difference <= arm_rounding * std::abs(radius);
  };
  std::atomic<bool> spheres = true;
  parallel_for(contacts_, threads_, [&](Index first, Index last) {
    for (auto p = static_cast<std::size_t>(first); p < static_cast<std::size_t>(last); ++p) {
      const double* n = axes_[p].axes;
      if (!fits(first_arms_.data() + 3 * p, 1.0, placed_[p].first, n) ||
          !fits(second_arms_.data() + 3 * p, -1.0, placed_[p].second, n)) {
        spheres = false;
        return;
      }
    }
  });
  return spheres;
}

void ContactLayout::set_masses(const WorldContacts& world) {
  masses_.clear();
  masses_.reserve(static_cast<std::size_t>(bodies_) * static_cast<std::size_t>(numbers_per_mass()));
  for (int k = 0; k < bodies_; ++k) {
    const WorldBody& body =
        world.bodies[static_cast<std::size_t>(body_order_.list()[static_cast<std::size_t>(k)])];
    masses_.push_back(body.inverse_mass);
    if (shape_ == ContactShape::general) {
      masses_.insert(masses_.end(), body.inverse_inertia.begin(), body.inverse_inertia.end());
      masses_.push_back(body.inverse_mass > 0.0 ? 1.0 / body.inverse_mass : 0.0);
      const Matrix3d inertia = inverse_on_range(full(body.inverse_inertia));
      for (int i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j) masses_.push_back(inertia(i, j));
    } else {
      const double radius = shape_ == ContactShape::spheres ? radius_[static_cast<std::size_t>(k)] : 1.0;
      masses_.push_back(radius * radius * body.inverse_inertia[0]);
    }
  }
}

ContactArrays ContactLayout::arrays() const {
  return {.shape = shape_,
          .compliant = compliant_,
          .bodies = bodies_,
          .contacts = padded_,
          .rows = rows(),
          .pairs = pairs_,
          .row_pairs = row_pairs_,
          .first_start = first_start_,
          .second_start = second_start_,
          .second_list = second_list_,
          .row_start = row_start_,
          .row_list = row_list_,
          .heavy = heavy_,
          .first_list = first_list_,
          .colour_start = colour_start_,
          .row_colour_start = row_colour_start_,
          .first_arms = first_arms_,
          .second_arms = second_arms_,
          .row_jacobians = row_jacobians_,
          .masses = masses_};
}

void ContactLayout::copy_axes(const ProductSet& K, std::vector<double>& friction,
                              std::vector<double>& to) const {
  friction.assign(static_cast<std::size_t>(K.rows()), 0.0);
  for (const SetBlock& block : K.blocks())
    if (block.kind == SetKind::cone) friction[static_cast<std::size_t>(block.start)] = block.parameter;
  to.resize(4 * static_cast<std::size_t>(padded_));
  parallel_for(contacts_, threads_, [&](Index first, Index last) {
    for (auto p = static_cast<std::size_t>(first); p < static_cast<std::size_t>(last); ++p) {
      std::copy_n(axes_[p].axes, 3, to.data() + 4 * p);
      to[4 * p + 3] = friction[static_cast<std::size_t>(axes_[p].row)];
    }
  });
  std::fill(to.begin() + 4 * Index{contacts_}, to.end(), 0.0);
}

void ContactLayout::to_world(const Vector& from, double* to) const {
  parallel_for(contacts_, threads_, [&](Index first, Index last) {
    for (auto p = static_cast<std::size_t>(first); p < static_cast<std::size_t>(last); ++p) {
      const PlacedAxes& contact = axes_[p];
      const double* x = from.data() + contact.row;
      for (std::size_t i = 0; i < 3; ++i) {
        double sum = 0.0;
        for (int a = 0; a < contact.rows; ++a)
          sum += contact.axes[3 * static_cast<std::size_t>(a) + i] * x[a];
        to[3 * p + i] = sum;
      }
    }
  });
  std::fill(to + 3 * Index{contacts_}, to + size(), 0.0);
  for (std::size_t k = 0; k < rows_.size(); ++k)
    to[3 * static_cast<std::size_t>(padded_) + k] = from[rows_[k].row];
}

void ContactLayout::from_world(const double* from, Vector& to) const {
  parallel_for(contacts_, threads_, [&](Index first, Index last) {
    for (auto p = static_cast<std::size_t>(first); p < static_cast<std::size_t>(last); ++p) {
      const PlacedAxes& contact = axes_[p];
      for (int a = 0; a < contact.rows; ++a) {
        const double* axis = contact.axes + 3 * a;
        to[contact.row + a] = axis[0] * from[3 * p] + axis[1] * from[3 * p + 1] + axis[2] * from[3 * p + 2];
      }
    }
  });
  for (std::size_t k = 0; k < rows_.size(); ++k)
    to[rows_[k].row] = from[3 * static_cast<std::size_t>(padded_) + k];
}

void ContactLayout::copy_first(const Vector& from, double padding, double* to) const {
  for (std::size_t p = 0; p < axes_.size(); ++p) to[p] = from[axes_[p].row];
  std::fill(to + contacts_, to + padded_, padding);
  for (std::size_t k = 0; k < rows_.size(); ++k)
    to[static_cast<std::size_t>(padded_) + k] = from[rows_[k].row];
}

void ContactLayout::copy_compliance(const Vector& compliance, std::vector<double>& to) const {
  to.assign(2 * static_cast<std::size_t>(padded_) + rows_.size(), 0.0);
  for (std::size_t p = 0; p < axes_.size(); ++p) {
    to[2 * p] = compliance[axes_[p].row];
    to[2 * p + 1] = compliance[axes_[p].row + 1];
  }
  for (std::size_t k = 0; k < rows_.size(); ++k)
    to[2 * static_cast<std::size_t>(padded_) + k] = compliance[rows_[k].row];
}

void ContactLayout::copy_bounds(const ProductSet& K, std::vector<double>& to) const {
  to.clear();
  for (const WorldRow& row : rows_) {
    to.push_back(K.lower()[row.row]);
    to.push_back(K.upper()[row.row]);
  }
}

}  // namespace slipstick::internal
