// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/contact_system.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace slipstick {
namespace {

// to = left' W right, W d x d, left d x rows, right d x columns; plain ones are the identity.
template <int d, int rows, int columns>
void project_block(const double* W, const ContactUnknowns& left, const ContactUnknowns& right, double* to) {
  double half[d * columns];  // W right
  const double* product = W;
  if (columns < d || !right.plain) {
    for (int a = 0; a < d; ++a) {
      for (int c = 0; c < columns; ++c) {
        double sum = 0.0;
        for (int k = 0; k < d; ++k) sum += W[d * a + k] * right.right[columns * k + c];
        half[columns * a + c] = sum;
      }
    }
    product = half;
  }
  if (rows == d && left.plain) {
    std::copy_n(product, rows * columns, to);
    return;
  }
  for (int a = 0; a < rows; ++a) {
    for (int c = 0; c < columns; ++c) {
      double sum = 0.0;
      for (int k = 0; k < d; ++k) sum += left.left[rows * k + a] * product[columns * k + c];
      to[columns * a + c] = sum;
    }
  }
}

using ProjectBlock = void (*)(const double*, const ContactUnknowns&, const ContactUnknowns&, double*);
// By rows and columns, from 1 on.
template <int d>
constexpr ProjectBlock project_blocks[3][3] = {
    {project_block<d, 1, 1>, project_block<d, 1, 2>, project_block<d, 1, d>},
    {project_block<d, 2, 1>, project_block<d, 2, 2>, project_block<d, 2, d>},
    {project_block<d, d, 1>, project_block<d, d, 2>, project_block<d, d, d>}};

// to = matrix' v, v of d numbers.
template <int d>
void project_vector(const double* v, const double* matrix, const ContactUnknowns& contact, double* to) {
  for (int a = 0; a < contact.size; ++a) {
    to[a] = contact.plain ? v[a] : 0.0;
    if (!contact.plain)
      for (int k = 0; k < d; ++k) to[a] += matrix[contact.size * k + a] * v[k];
  }
}

}  // namespace

void ContactSystem::prepare(const ContactBlocks& blocks, const ContactBlocks::Piece& piece) {
  blocks_ = &blocks;
  piece_ = piece;
  const auto pieces = blocks.pieces();
  const auto place = std::partition_point(pieces.begin(), pieces.end(), [&](const auto& other) {
    return other.begin < piece.begin || (other.begin == piece.begin && other.first_row < piece.first_row);
  });
  const auto number = static_cast<std::size_t>(place - pieces.begin());
  assert(number < pieces.size());
  if (kept_.size() <= number) kept_.resize(number + 1);
  if (!kept_[number]) kept_[number] = std::make_unique<Kept>();
  now_ = kept_[number].get();

  const auto nodes = static_cast<std::size_t>(piece.contacts() + piece.rows());
  if (unknowns_.size() < nodes) unknowns_.resize(nodes);
  row_shift_.assign(static_cast<std::size_t>(piece.rows()), 0.0);
  sizes_.assign(nodes, 1);
  offset_.assign(nodes + 1, 0);
  largest_.assign(nodes, 1);
  std::fill_n(largest_.begin(), piece.contacts(), blocks.dimension());
  const Index n = static_cast<Index>(blocks.dimension()) * blocks.contacts();
  for (Vector* vector : {&r_, &u_}) vector->resize(n);
  for (Vector* vector : {&l_, &residual_}) vector->resize(blocks.bilateral_rows());
  for (Vector* vector : {&right_side_, &correction_}) vector->resize(n + blocks.bilateral_rows());
  if (now_->version != blocks.version()) {
    now_->version = blocks.version();
    now_->analyzed = false;
    now_->has_groups = now_->groups.prepare(blocks, piece);
  }
  in_groups_ = now_->has_groups;
}

void ContactSystem::list_pattern() {
  const int d = blocks_->dimension();
  const int contacts = piece_.contacts();
  std::vector<int>& start = now_->start;
  std::vector<int>& columns = now_->columns;
  start.assign(1, 0);
  columns.clear();
  mark_.assign(static_cast<std::size_t>(contacts + piece_.rows()), -1);
  for (int i = piece_.begin; i < piece_.end; ++i) {
    for (int k = blocks_->start()[i]; k < blocks_->start()[i + 1]; ++k)
      columns.push_back(blocks_->columns()[k] - piece_.begin);
    if (piece_.rows() > 0) {
      const CsrMatrix& V = blocks_->V();
      for (int k = V.outerIndexPtr()[d * i]; k < V.outerIndexPtr()[d * (i + 1)]; ++k) {
        const int node = contacts + V.innerIndexPtr()[k] - piece_.first_row;
        if (mark_[node] == i) continue;
        mark_[node] = i;
        columns.push_back(node);
      }
    }
    start.push_back(static_cast<int>(columns.size()));
  }
  std::fill(mark_.begin(), mark_.end(), -1);
  for (int row = piece_.first_row; row < piece_.last_row; ++row) {
    const CsrMatrix& Vt = blocks_->transposed_V();
    for (int k = Vt.outerIndexPtr()[row]; k < Vt.outerIndexPtr()[row + 1]; ++k) {
      const int node = Vt.innerIndexPtr()[k] / d - piece_.begin;
      if (mark_[node] == row) continue;
      mark_[node] = row;
      columns.push_back(node);
    }
    const CsrMatrix& R = blocks_->R();
    columns.push_back(contacts + row - piece_.first_row);
    for (int k = R.outerIndexPtr()[row]; k < R.outerIndexPtr()[row + 1]; ++k)
      if (R.innerIndexPtr()[k] != row) columns.push_back(contacts + R.innerIndexPtr()[k] - piece_.first_row);
    start.push_back(static_cast<int>(columns.size()));
  }
}

bool ContactSystem::factorize() {
  for (int i = 0; i < piece_.contacts(); ++i) sizes_[i] = unknowns_[i].size;
  std::partial_sum(sizes_.begin(), sizes_.end(), offset_.begin() + 1);
  if (rows() == 0) return false;
  return in_groups_ ? now_->groups.factorize(unknowns_, offset_) : factorize_contacts();
}

bool ContactSystem::factorize_contacts() {
  if (!now_->analyzed) {
    list_pattern();
    now_->lu.analyze(now_->start, now_->columns, largest_);
    now_->analyzed = true;
  }
  now_->lu.begin(sizes_);
  if (blocks_->dimension() == 3) {
    put_contacts<3>();
    put_rows<3>();
  } else {
    put_contacts<2>();
    put_rows<2>();
  }
  return now_->lu.factorize();
}

template <int d>
void ContactSystem::put_contacts() {
  double block[9];
  for (int i = 0; i < piece_.contacts(); ++i) {
    const ContactUnknowns& own = unknowns_[i];
    if (own.size == 0) continue;
    const int source = blocks_->start()[piece_.begin + i];
    const int count = blocks_->start()[piece_.begin + i + 1] - source;
    for (int k = 0; k < count; ++k) {
      const int entry = now_->start[i] + k;
      const int j = now_->columns[entry];
      if (unknowns_[j].size == 0) continue;
      const ContactUnknowns& other = unknowns_[j];
      project_blocks<d>[own.size - 1][other.size - 1](blocks_->block(source + k), own, other, block);
      if (i == j)
        for (int a = 0; a < own.size; ++a) block[(own.size + 1) * a] += own.added[a];
      now_->lu.put(static_cast<std::size_t>(entry), block);
    }
  }
}

// V, V' and R.
template <int d>
void ContactSystem::put_rows() {
  if (piece_.rows() == 0) return;
  const int contacts = piece_.contacts();
  const CsrMatrix& R = blocks_->R();
  const auto coupling = [&](int i, int row, double* v) {
    const CsrMatrix& Vt = blocks_->transposed_V();
    std::fill_n(v, d, 0.0);
    for (int k = Vt.outerIndexPtr()[row]; k < Vt.outerIndexPtr()[row + 1]; ++k)
      if (Vt.innerIndexPtr()[k] / d == i) v[Vt.innerIndexPtr()[k] % d] += Vt.valuePtr()[k];
  };
  double v[d], block[d];
  for (int node = 0; node < contacts + piece_.rows(); ++node) {
    for (int entry = now_->start[node]; entry < now_->start[node + 1]; ++entry) {
      const int other = now_->columns[entry];
      if (node < contacts && other < contacts) continue;
      if (node >= contacts && other >= contacts) continue;
      const int contact = std::min(node, other);
      coupling(piece_.begin + contact, piece_.first_row + std::max(node, other) - contacts, v);
      const ContactUnknowns& own = unknowns_[contact];
      if (own.size == 0) continue;
      project_vector<d>(v, node < contacts ? own.left : own.right, own, block);
      now_->lu.put(static_cast<std::size_t>(entry), block);
    }
  }
  for (int row = 0; row < piece_.rows(); ++row) {
    int entry = now_->start[contacts + row];
    while (now_->columns[entry] < contacts) ++entry;
    double diagonal = row_shift_[row];
    const int own = entry++;
    for (int k = R.outerIndexPtr()[piece_.first_row + row]; k < R.outerIndexPtr()[piece_.first_row + row + 1];
         ++k) {
      if (R.innerIndexPtr()[k] == piece_.first_row + row) {
        diagonal += R.valuePtr()[k];
      } else {
        now_->lu.put(static_cast<std::size_t>(entry++), R.valuePtr() + k);
      }
    }
    now_->lu.put(static_cast<std::size_t>(own), &diagonal);
  }
}

void ContactSystem::solve(VectorView x, int refinements) {
  assert(x.size() == rows());
  auto right_side = right_side_.head(rows()), correction = correction_.head(rows());
  if (in_groups_ || refinements > 0) right_side = x;
  if (in_groups_) {
    if (now_->groups.solve(unknowns_, offset_, x)) return;
    x = right_side;
    in_groups_ = false;
    factorize_contacts();
  }
  now_->lu.solve(x);
  for (int k = 0; k < refinements; ++k) {
    correction = right_side;
    if (blocks_->dimension() == 3) {
      subtract_product<3>(x, correction);
    } else {
      subtract_product<2>(x, correction);
    }
    now_->lu.solve(correction);
    x += correction;
  }
}

// residual -= A x
template <int d>
void ContactSystem::subtract_product(ConstVectorView x, VectorView residual) {
  for (int i = piece_.begin; i < piece_.end; ++i) {
    const ContactUnknowns& own = unknowns(i);
    const double* y = x.data() + offset(i);
    double* r = r_.data() + static_cast<Index>(d) * i;
    for (int a = 0; a < d; ++a) {
      r[a] = own.plain ? y[a] : 0.0;
      if (!own.plain)
        for (int c = 0; c < own.size; ++c) r[a] += own.right[own.size * a + c] * y[c];
    }
  }
  for (int row = piece_.first_row; row < piece_.last_row; ++row) l_[row] = x[row_offset(row)];
  blocks_->velocities(piece_, r_, l_, u_, residual_);
  for (int i = piece_.begin; i < piece_.end; ++i) {
    const ContactUnknowns& own = unknowns(i);
    const double* y = x.data() + offset(i);
    double* to = residual.data() + offset(i);
    double change[d], projected[d];
    for (int a = 0; a < d; ++a) change[a] = u_[static_cast<Index>(d) * i + a] - blocks_->q(i)[a];
    project_vector<d>(change, own.left, own, projected);
    for (int a = 0; a < own.size; ++a) to[a] -= projected[a] + own.added[a] * y[a];
  }
  for (int row = piece_.first_row; row < piece_.last_row; ++row) {
    residual[row_offset(row)] -=
        residual_[row] - blocks_->s()[row] + row_shift_[row - piece_.first_row] * l_[row];
  }
}

}  // namespace slipstick
