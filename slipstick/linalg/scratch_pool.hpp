// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <utility>
#include <vector>

#include "slipstick/matrix.hpp"

namespace slipstick::internal {

/// Scratch of an object whose const functions several threads may call at once. Each call takes a vector and
/// returns it at its end. Allocates nothing while there are enough vectors.
class ScratchPool {
 public:
  class Taken {
   public:
    Taken(ScratchPool& pool, Index size) : pool_(pool), size_(size), vector_(pool.take(size)) {}
    ~Taken() { pool_.give_back(std::move(vector_)); }
    Taken(const Taken&) = delete;
    Taken& operator=(const Taken&) = delete;
    VectorView operator*() { return vector_.head(size_); }
    double* data() { return vector_.data(); }

   private:
    ScratchPool& pool_;
    Index size_;
    Vector vector_;
  };

  ScratchPool() = default;
  ScratchPool(const ScratchPool& other) : free_(other.free_) {}
  ScratchPool(ScratchPool&& other) noexcept : free_(std::move(other.free_)) {}
  ScratchPool& operator=(ScratchPool other) noexcept {
    free_ = std::move(other.free_);
    return *this;
  }
  /// Allocates vectors of one size for `count` calls at once.
  void prepare(std::size_t count, Index size) {
    if (free_.size() < count) free_.resize(count);
    for (Vector& vector : free_) vector.resize(size);
  }

 private:
  // A vector of at least that size. Its values are arbitrary.
  Vector take(Index size) {
    Vector vector;
    {
      const std::lock_guard lock(one_at_a_time_);
      if (!free_.empty()) {
        vector = std::move(free_.back());
        free_.pop_back();
      }
    }
    if (vector.size() < size) vector.resize(size);
    return vector;
  }
  void give_back(Vector vector) {
    const std::lock_guard lock(one_at_a_time_);
    free_.push_back(std::move(vector));
  }

  std::mutex one_at_a_time_;
  std::vector<Vector> free_;
};

}  // namespace slipstick::internal
