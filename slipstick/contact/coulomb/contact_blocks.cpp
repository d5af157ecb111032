// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/contact_blocks.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>
#include <numeric>

#include "slipstick/contact/coulomb/sweeps/contact_lanes.hpp"
#include "slipstick/linalg/multiply_add.hpp"
#include "slipstick/linalg/norm.hpp"
#include "slipstick/linalg/row_entries.hpp"
#include "slipstick/measures/contact_error.hpp"

namespace slipstick {
namespace {

// u = W r + q of the piece. A row of a block is read as one pack, together with the entry behind it, which
// meets a zero or is not summed.
template <int d>
void multiply_blocks(const ContactBlocks& blocks, const ContactBlocks::Piece& piece, const double* r,
                     double* u) {
  using Lanes = ContactLanes<d>;
  using Pack = typename Lanes::Pack;
  const int* start = blocks.start().data();
  const int* columns = blocks.columns().data();
  for (int i = piece.begin; i < piece.end; ++i) {
    Pack sum[d] = {};
    for (int k = start[i]; k < start[i + 1]; ++k) {
      const double* block = blocks.block(k);
      const Pack x = Lanes::load_rows(r + static_cast<Index>(d) * columns[k]);
      for (Index a = 0; a < d; ++a) sum[a] += Lanes::load(block + d * a) * x;
    }
    for (int a = 0; a < d; ++a) {
      double total = blocks.q(i)[a];
      for (int c = 0; c < d; ++c) total += sum[a][c];
      u[static_cast<Index>(d) * i + a] = total;
    }
  }
}

// Whether constraint i is all of contact i, with d rows, and bodies have so many degrees of freedom.
bool is_contact_graph(const DelassusOperator& graph, int d, int dofs) {
  if (graph.dofs_per_body() != dofs) return false;
  int row = 0;
  for (const Constraint& constraint : graph.constraints()) {
    if (constraint.row != row || constraint.rows != d) return false;
    row += d;
  }
  return true;
}

}  // namespace

void ContactBlocks::prepare(const LocalContactProblem& problem) {
  assert(problem.dimension == 2 || problem.dimension == 3);
  const auto contacts = static_cast<int>(problem.contacts());
  const bool same = problem.W.same_storage(seen_) && dimension_ == problem.dimension && !problem.bilateral &&
                    row_order_.empty() && contacts == this->contacts();
  if (!same) {
    static std::atomic<std::uint64_t> versions = 0;
    version_ = ++versions;
    seen_ = problem.W;
    dimension_ = problem.dimension;
    condensed_ = storage_of<CondensedOperator>(seen_);
    if (condensed_ != nullptr) {
      read_diagonal(*condensed_, contacts);
    } else {
      read_blocks(contacts);
    }
    find_pieces(problem);
    reorder_blocks();
    condensed_rows_ = condensed_ != nullptr ? reordered(condensed_->transposed_h()) : CsrMatrix();
    if (problem.bilateral) reorder_bilateral(*problem.bilateral);
    set_scale();
    graph_ = cheaper_graph();
  }

  q_.resize(problem.q.size());
  mu_.resize(contacts);
  for (Index i = 0; i < contacts; ++i) {
    const Index from = order_[static_cast<std::size_t>(i)];
    mu_[i] = problem.mu[from];
    for (Index a = 0; a < dimension_; ++a) q_[dimension_ * i + a] = problem.q[dimension_ * from + a];
  }
  s_.resize(bilateral_rows());
  for (Index i = 0; i < s_.size(); ++i) s_[i] = problem.bilateral->s[row_order_[static_cast<std::size_t>(i)]];
  norm_ = safe_norm(q_);
  if (s_.size() > 0) norm_ = std::hypot(norm_, safe_norm(s_));
}

// The blocks in the problem's order, the diagonal one first, the others as they come.
void ContactBlocks::read_blocks(int contacts) {
  read_start_.assign(1, 0);
  read_columns_.clear();
  read_values_.clear();
  place_.assign(static_cast<std::size_t>(contacts), -1);
  const auto* graph = storage_of<DelassusOperator>(seen_);
  const int dofs = dimension_ == 3 ? 6 : 3;
  if (graph != nullptr && is_contact_graph(*graph, dimension_, dofs)) {
    dimension_ == 3 ? read_bodies<3, 6>(*graph) : read_bodies<2, 3>(*graph);
  } else {
    visit_rows(seen_, [&](const auto& rows) { read_rows(rows, contacts); });
  }
}

// The block of a contact in the row that begins there; a new one is zero.
double* ContactBlocks::block_at(int column, std::size_t row_begin) {
  int& place = place_[static_cast<std::size_t>(column)];
  if (place < static_cast<int>(row_begin)) {
    place = static_cast<int>(read_columns_.size());
    read_columns_.push_back(column);
    read_values_.resize(read_values_.size() + block_entries(), 0.0);
  }
  return read_values_.data() + static_cast<std::size_t>(place) * block_entries();
}

template <class Rows>
void ContactBlocks::read_rows(const Rows& rows, int contacts) {
  for (int i = 0; i < contacts; ++i) {
    const std::size_t row_begin = read_columns_.size();
    block_at(i, row_begin);
    for (int a = 0; a < dimension_; ++a) {
      for_row(rows, static_cast<Index>(dimension_) * i + a, [&](int column, double value) {
        if (value != 0.0)
          block_at(column / dimension_, row_begin)[dimension_ * a + column % dimension_] = value;
      });
    }
    read_start_.push_back(static_cast<int>(read_columns_.size()));
  }
}

// J M^-1 J' + C, body by body, without assembling it.
template <int d, int dofs>
void ContactBlocks::read_bodies(const DelassusOperator& graph) {
  constexpr auto entries = static_cast<std::size_t>(d) * dofs;
  const auto contacts = graph.constraints().size();
  moved_.resize(2 * contacts * entries);
  const auto moved = [&](int side_of_contact) {
    return moved_.data() + static_cast<std::size_t>(side_of_contact) * entries;
  };
  // Of a body that nothing moves no block is left.
  const auto moves = [&](int side_of_contact) {
    const double* const velocities = moved(side_of_contact);
    return std::any_of(velocities, velocities + entries, [](double v) { return v != 0.0; });
  };
  std::size_t most_blocks = contacts;
  for (Index body = 0; body < graph.bodies(); ++body) {
    for (const int side : graph.sides(body)) {
      const double* const rows = graph.block(static_cast<std::size_t>(side / 2), side % 2);
      for (Index a = 0; a < d; ++a)
        graph.multiply_inverse_mass(body, rows + a * dofs, moved(side) + a * dofs);
      if (moves(side)) most_blocks += graph.sides(body).size();
    }
  }
  read_columns_.reserve(most_blocks);
  read_values_.reserve(most_blocks * block_entries());
  for (std::size_t i = 0; i < contacts; ++i) {
    const std::size_t row_begin = read_columns_.size();
    double* const own = block_at(static_cast<int>(i), row_begin);
    for (Index a = 0; a < d; ++a) own[(d + 1) * a] = graph.compliance()[d * static_cast<Index>(i) + a];
    for (int side = 0; side < 2; ++side) {
      const int body = graph.constraints()[i].body[static_cast<std::size_t>(side)];
      if (body < 0 || !moves(static_cast<int>(2 * i) + side)) continue;
      const double* const rows = graph.block(i, side);
      for (const int other : graph.sides(body)) {
        const double* const columns = moved(other);
        double product[d * d], size = 0.0;
        for (int a = 0; a < d; ++a) {
          for (int c = 0; c < d; ++c) {
            double sum = 0.0;
            for (int k = 0; k < dofs; ++k) sum = multiply_add(rows[a * dofs + k], columns[c * dofs + k], sum);
            product[d * a + c] = sum;
            size += std::abs(sum);
          }
        }
        if (size == 0.0) continue;
        double* const block = block_at(other / 2, row_begin);
        for (int e = 0; e < d * d; ++e) block[e] += product[e];
      }
    }
    read_start_.push_back(static_cast<int>(read_columns_.size()));
  }
}

void ContactBlocks::read_diagonal(const CondensedOperator& W, int contacts) {
  const Vector& diagonal = W.diagonal();
  read_start_.resize(static_cast<std::size_t>(contacts) + 1);
  std::iota(read_start_.begin(), read_start_.end(), 0);
  read_columns_.assign(read_start_.begin(), read_start_.end() - 1);
  read_values_.assign(static_cast<std::size_t>(contacts) * block_entries(), 0.0);
  place_.assign(static_cast<std::size_t>(contacts), -1);
  for (Index i = 0; i < diagonal.size(); ++i) {
    const auto first = static_cast<std::size_t>(i / dimension_) * block_entries();
    read_values_[first + static_cast<std::size_t>(i % dimension_) * (dimension_ + 1)] = diagonal[i];
  }
}

// The rows of H' of the problem's contacts in this order.
CsrMatrix ContactBlocks::reordered(const CsrMatrix& rows) const {
  CsrMatrix result(rows.rows(), rows.cols());
  result.reserve(rows.nonZeros());
  for (std::size_t i = 0; i < order_.size(); ++i) {
    for (Index a = 0; a < dimension_; ++a) {
      const Index to = dimension_ * static_cast<Index>(i) + a;
      result.startVec(to);
      for (CsrMatrix::InnerIterator it(rows, dimension_ * static_cast<Index>(order_[i]) + a); it; ++it)
        result.insertBack(to, it.col()) = it.value();
    }
  }
  result.finalize();
  return result;
}

// Where one piece has all contacts in the order of the problem, and reading J twice is less than half of
// reading the blocks.
const DelassusOperator* ContactBlocks::cheaper_graph() const {
  const auto* graph = storage_of<DelassusOperator>(seen_);
  if (graph == nullptr || pieces_.size() != 1 || !std::is_sorted(order_.begin(), order_.end()))
    return nullptr;
  return static_cast<std::size_t>(4 * graph->nonzeros()) < values_.size() ? graph : nullptr;
}

std::optional<ContactBlocks::Bodies> ContactBlocks::bodies() const {
  if (bilateral_rows() > 0) return std::nullopt;
  if (condensed_ != nullptr) return Bodies{condensed_->mass(), condensed_rows_};
  const auto* graph = storage_of<DelassusOperator>(seen_);
  if (graph == nullptr || !graph->compliance().isZero(0.0)) return std::nullopt;
  Bodies bodies{graph->mass_csr(), reordered(graph->jacobian_csr())};
  if (!bodies.mass.coeffs().allFinite()) return std::nullopt;  // a body that nothing moves
  return bodies;
}

// Connected components of contacts and bilateral rows, in the order of their first members.
void ContactBlocks::find_pieces(const LocalContactProblem& problem) {
  const auto contacts = static_cast<int>(read_start_.size()) - 1;
  const int rows = problem.bilateral ? static_cast<int>(problem.bilateral->s.size()) : 0;
  const int nodes = contacts + rows;
  sets_.reset(static_cast<std::size_t>(nodes));
  for (int i = 0; i < contacts; ++i) {
    for (int k = read_start_[static_cast<std::size_t>(i)]; k < read_start_[static_cast<std::size_t>(i) + 1];
         ++k)
      sets_.join(i, read_columns_[static_cast<std::size_t>(k)]);
  }
  if (condensed_ != nullptr) {
    // Contacts on one component of M are coupled.
    const ComponentInverse& inverse = condensed_->inverse();
    std::vector<int> first(static_cast<std::size_t>(inverse.components()), -1);
    for (Index i = 0; i < condensed_->rows(); ++i) {
      for_row(condensed_->transposed_h(), i, [&](int column, double value) {
        if (value == 0.0) return;
        int& other = first[static_cast<std::size_t>(inverse.component(column))];
        if (other < 0) other = static_cast<int>(i) / dimension_;
        sets_.join(static_cast<int>(i) / dimension_, other);
      });
    }
  }
  if (problem.bilateral) {
    const auto& [V, R, s] = *problem.bilateral;
    for (Index i = 0; i < V.rows(); ++i)
      for_row(V, i,
              [&](int column, double) { sets_.join(static_cast<int>(i) / dimension_, contacts + column); });
    for (Index i = 0; i < R.rows(); ++i)
      for_row(R, i,
              [&](int column, double) { sets_.join(contacts + static_cast<int>(i), contacts + column); });
  }

  // Pieces are numbered when their first member comes by.
  pieces_.clear();
  place_.resize(sets_.size());
  for (int node = 0; node < nodes; ++node) {
    const int first = sets_.lowest(node);
    if (first == node) {
      place_[static_cast<std::size_t>(node)] = static_cast<int>(pieces_.size());
      pieces_.push_back({0, 0, 0, 0});
    }
    const int piece = place_[static_cast<std::size_t>(node)] = place_[static_cast<std::size_t>(first)];
    ++(node < contacts ? pieces_[static_cast<std::size_t>(piece)].end
                       : pieces_[static_cast<std::size_t>(piece)].last_row);
  }
  int begin = 0, first_row = 0;
  for (Piece& piece : pieces_) {
    piece.begin = std::exchange(begin, begin + piece.end);
    piece.first_row = std::exchange(first_row, first_row + piece.last_row);
    piece.end = piece.begin;  // grown again below
    piece.last_row = piece.first_row;
  }
  order_.resize(static_cast<std::size_t>(contacts));
  number_.resize(order_.size());
  row_order_.resize(static_cast<std::size_t>(rows));
  row_number_.resize(row_order_.size());
  for (int node = 0; node < nodes; ++node) {
    Piece& piece = pieces_[static_cast<std::size_t>(place_[static_cast<std::size_t>(node)])];
    if (node < contacts) {
      number_[static_cast<std::size_t>(node)] = piece.end;
      order_[static_cast<std::size_t>(piece.end++)] = node;
    } else {
      row_number_[static_cast<std::size_t>(node - contacts)] = piece.last_row;
      row_order_[static_cast<std::size_t>(piece.last_row++)] = node - contacts;
    }
  }
}

void ContactBlocks::reorder_blocks() {
  const std::size_t entries = block_entries();
  start_.assign(1, 0);
  columns_.resize(read_columns_.size());
  values_.resize(read_values_.size() + 1);  // see multiply_blocks
  values_.back() = 0.0;
  diagonal_.resize(order_.size());
  place_.resize(std::max(place_.size(), read_columns_.size()));  // entries of a row, to be sorted
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const auto from = static_cast<std::size_t>(order_[i]);
    const auto first = static_cast<std::size_t>(read_start_[from]);
    const auto count = static_cast<std::size_t>(read_start_[from + 1]) - first;
    std::iota(place_.begin(), place_.begin() + static_cast<std::ptrdiff_t>(count), static_cast<int>(first));
    const auto own_column = [&](int k) {
      return number_[static_cast<std::size_t>(read_columns_[static_cast<std::size_t>(k)])];
    };
    std::sort(place_.begin(), place_.begin() + static_cast<std::ptrdiff_t>(count),
              [&](int a, int b) { return own_column(a) < own_column(b); });
    const auto begin = static_cast<std::size_t>(start_.back());
    for (std::size_t k = 0; k < count; ++k) {
      const int source = place_[k];
      columns_[begin + k] = own_column(source);
      if (columns_[begin + k] == static_cast<int>(i)) diagonal_[i] = static_cast<int>(begin + k);
      std::copy_n(
          read_values_.begin() + static_cast<std::ptrdiff_t>(entries * static_cast<std::size_t>(source)),
          entries, values_.begin() + static_cast<std::ptrdiff_t>(entries * (begin + k)));
    }
    start_.push_back(static_cast<int>(begin + count));
  }
}

void ContactBlocks::reorder_bilateral(const LocalBilateral& bilateral) {
  std::vector<Triplet> coupling, own;
  for (Index i = 0; i < bilateral.V.rows(); ++i) {
    const int row =
        dimension_ * number_[static_cast<std::size_t>(i / dimension_)] + static_cast<int>(i % dimension_);
    for_row(bilateral.V, i, [&](int column, double value) {
      coupling.push_back({row, row_number_[static_cast<std::size_t>(column)], value});
    });
  }
  for (Index i = 0; i < bilateral.R.rows(); ++i) {
    for_row(bilateral.R, i, [&](int column, double value) {
      own.push_back(
          {row_number_[static_cast<std::size_t>(i)], row_number_[static_cast<std::size_t>(column)], value});
    });
  }
  V_ = csr_from_triplets(bilateral.V.rows(), bilateral.V.cols(), coupling);
  Vt_ = V_.transpose();
  R_ = csr_from_triplets(bilateral.R.rows(), bilateral.R.cols(), own);
}

void ContactBlocks::set_scale() {
  scale_.resize(contacts());
  for (int i = 0; i < contacts(); ++i) {
    double trace = 0.0;
    for (Index a = 0; a < dimension_; ++a) trace += block(diagonal(i))[(dimension_ + 1) * a];
    scale_[i] = ruler_scale(trace / dimension_);
  }
}

void ContactBlocks::velocities(const Piece& piece, const Vector& r, const Vector& l, Vector& u,
                               Vector& residual) const {
  if (condensed_ != nullptr) {
    condensed_velocities(piece, r, u);
  } else if (graph_ != nullptr) {
    graph_->multiply(r, u, 1);
    u += q_;
  } else if (dimension_ == 3) {
    multiply_blocks<3>(*this, piece, r.data(), u.data());
  } else {
    multiply_blocks<2>(*this, piece, r.data(), u.data());
  }
  if (piece.rows() == 0) return;
  const Index first = static_cast<Index>(dimension_) * piece.begin;
  const Index last = static_cast<Index>(dimension_) * piece.end;
  for (Index i = first; i < last; ++i) u[i] += row_dot(V_, i, l.data());
  for (int i = piece.first_row; i < piece.last_row; ++i)
    residual[i] = s_[i] + row_dot(Vt_, i, r.data()) + row_dot(R_, i, l.data());
}

// u = H' M^-1 H r + q by the components of M that the piece acts on.
void ContactBlocks::condensed_velocities(const Piece& piece, const Vector& r, Vector& u) const {
  const ComponentInverse& inverse = condensed_->inverse();
  static thread_local Vector velocity, part;     // grow once
  static thread_local std::vector<int> touched;  // components
  static thread_local std::vector<char> is_touched;
  velocity.resize(condensed_->dofs());
  is_touched.assign(static_cast<std::size_t>(inverse.components()), 0);
  touched.clear();
  const Index first = static_cast<Index>(dimension_) * piece.begin;
  const Index last = static_cast<Index>(dimension_) * piece.end;
  for (Index i = first; i < last; ++i) {
    for_row(condensed_rows_, i, [&](int column, double) {
      const Index c = inverse.component(column);
      if (std::exchange(is_touched[static_cast<std::size_t>(c)], 1) != 0) return;
      touched.push_back(static_cast<int>(c));
      for (const int row : inverse.rows_of(c)) velocity[row] = 0.0;
    });
  }
  for (Index i = first; i < last; ++i)
    for_row(condensed_rows_, i, [&](int column, double value) { velocity[column] += value * r[i]; });
  for (const int c : touched) {
    const std::span<const int> rows = inverse.rows_of(c);
    part.resize(static_cast<Index>(rows.size()));
    for (Index k = 0; k < part.size(); ++k) part[k] = velocity[rows[static_cast<std::size_t>(k)]];
    inverse.solve_component(c, part);
    for (Index k = 0; k < part.size(); ++k) velocity[rows[static_cast<std::size_t>(k)]] = part[k];
  }
  for (Index i = first; i < last; ++i) u[i] = q_[i] + row_dot(condensed_rows_, i, velocity.data());
}

void ContactBlocks::gather(const Vector& r, const Vector& l, Vector& own_r, Vector& own_l) const {
  own_r.resize(static_cast<Index>(dimension_) * contacts());
  for (Index i = 0; i < contacts(); ++i) {
    const Index from = static_cast<Index>(dimension_) * order_[static_cast<std::size_t>(i)];
    for (Index a = 0; a < dimension_; ++a) own_r[dimension_ * i + a] = r[from + a];
  }
  own_l.resize(bilateral_rows());
  for (Index i = 0; i < own_l.size(); ++i) own_l[i] = l[row_order_[static_cast<std::size_t>(i)]];
}

void ContactBlocks::scatter(const Vector& own_r, const Vector& own_l, Vector& r, Vector& l) const {
  r.resize(static_cast<Index>(dimension_) * contacts());
  for (Index i = 0; i < contacts(); ++i) {
    const Index to = static_cast<Index>(dimension_) * order_[static_cast<std::size_t>(i)];
    for (Index a = 0; a < dimension_; ++a) r[to + a] = own_r[dimension_ * i + a];
  }
  l.resize(bilateral_rows());
  for (Index i = 0; i < l.size(); ++i) l[row_order_[static_cast<std::size_t>(i)]] = own_l[i];
}

}  // namespace slipstick
