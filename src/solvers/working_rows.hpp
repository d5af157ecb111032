// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>
#include <vector>

#include "slipstick/base/parallel.hpp"
#include "slipstick/linalg/operator.hpp"

namespace slipstick {

/// The rows that a face method has to look at: a set that holds the free rows and every row coupled to one of
/// them. While only free rows move, A x changes nowhere else, so products and vector operations over the
/// working rows alone give what those over all rows would. Kept as runs of consecutive rows; for matrices
/// without explicit rows it is everything.
class WorkingRows {
 public:
  struct Run {
    Index begin;
    Index end;
  };

  /// Empty for a sparse matrix, all rows for any other.
  void reset(const Operator& a) {
    a_ = &a;
    everything_ = true;
    a.visit([&](const auto& storage) {
      if constexpr (std::is_same_v<std::decay_t<decltype(storage)>, CsrMatrix>) everything_ = false;
    });
    member_.assign(static_cast<std::size_t>(a.rows()), static_cast<char>(everything_));
    freed_ = member_;
    find_runs();
  }

  /// Adds the rows with is_free and their neighbours; true where the set has grown.
  bool add(const std::vector<char>& is_free) {
    if (everything_) return false;
    bool grown = false;
    a_->visit([&](const auto& storage) {
      if constexpr (std::is_same_v<std::decay_t<decltype(storage)>, CsrMatrix>) {
        const int* start = storage.outerIndexPtr();
        const int* column = storage.innerIndexPtr();
        for (std::size_t i = 0; i < is_free.size(); ++i) {
          if (is_free[i] == 0 || freed_[i] != 0) continue;
          freed_[i] = 1;
          member_[i] = 1;
          grown = true;
          for (int k = start[i]; k < start[i + 1]; ++k) member_[column[k]] = 1;
        }
      }
    });
    if (grown) find_runs();
    return grown;
  }

  bool everything() const { return everything_; }
  const std::vector<Run>& runs() const { return runs_; }
  bool holds(Index i) const { return member_[static_cast<std::size_t>(i)] != 0; }

  /// y = A x on the working rows; the other rows of y are left alone.
  void multiply(ConstVectorView x, VectorView y, int threads) const {
    if (everything_) return a_->multiply(x, y, threads);
    a_->visit([&](const auto& storage) {
      if constexpr (std::is_same_v<std::decay_t<decltype(storage)>, CsrMatrix>) {
        const double* input = x.data();
        double* output = y.data();
        parallel_for(static_cast<Index>(runs_.size()), threads, [&](Index first, Index last) {
          for (Index r = first; r < last; ++r) {
            for (Index i = runs_[r].begin; i < runs_[r].end; ++i) output[i] = row_dot(storage, i, input);
          }
        });
      }
    });
  }

 private:
  void find_runs() {
    runs_.clear();
    const Index n = static_cast<Index>(member_.size());
    for (Index i = 0; i < n;) {
      if (member_[i] == 0) {
        ++i;
        continue;
      }
      const Index begin = i;
      while (i < n && member_[i] != 0) ++i;
      runs_.push_back({begin, i});
    }
  }

  const Operator* a_ = nullptr;
  bool everything_ = true;
  std::vector<char> member_;
  std::vector<char> freed_;  // rows whose neighbours are members already
  std::vector<Run> runs_;
};

}  // namespace slipstick
