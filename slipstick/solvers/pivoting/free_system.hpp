// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "slipstick/linalg/operator.hpp"
#include "slipstick/linsolve/krylov/conjugate_gradient.hpp"
#include "slipstick/linsolve/sparse/free_set_cholesky.hpp"
#include "slipstick/methods.hpp"
#include "slipstick/result.hpp"
#include "slipstick/solvers/pivoting/free_preconditioner.hpp"

namespace slipstick::internal {

/// Linear systems (A + S)_FF p_F = r_F of a pivoting method, with a diagonal shift S >= 0.
class FreeSystem {
 public:
  virtual ~FreeSystem() = default;
  /// Takes the matrix, without shift and with an empty set.
  virtual void prepare(const Operator& A, int threads) = 0;
  virtual void set_shift(const Vector& shift) = 0;
  virtual void add_shift(Index row, double amount) = 0;
  /// Returns false if the block is singular.
  virtual bool set_free(std::span<const char> free) = 0;
  /// p solves (A + S)_FF p_F = r_F and is zero on the other rows. An iterative system stops at a residual
  /// norm of `target`. Returns false on failure. r must be zero on the other rows.
  virtual bool correct(const Vector& r, double target, Vector& p) = 0;
  /// Called if a correction left too much residual. Returns true if another correction may do better.
  virtual bool renew() = 0;
  /// True if `target` matters.
  virtual bool iterative() const = 0;
  /// Adds the work since prepare().
  virtual void count(Counts& counts) const = 0;
};

/// Solves by a Cholesky factor that follows the set.
class CholeskyFreeSystem : public FreeSystem {
 public:
  explicit CholeskyFreeSystem(FactorChange change, std::optional<Ordering> ordering = {})
      : change_(change), factor_(ordering) {}
  void prepare(const Operator& A, int threads) override;
  void set_shift(const Vector& shift) override { factor_.set_shift(shift); }
  void add_shift(Index row, double amount) override { factor_.add_shift(row, amount); }
  bool set_free(std::span<const char> free) override { return factor_.set_free(free, change_); }
  bool correct(const Vector& r, double target, Vector& p) override;
  bool iterative() const override { return false; }
  bool renew() override { return factor_.was_changed() && factor_.refactorize(); }
  void count(Counts& counts) const override {
    counts.factorizations += factor_.refactorizations() - factorizations_before_;
  }

 private:
  FactorChange change_;
  Operator seen_;
  Assembler assembler_;
  FreeSetCholesky factor_;
  std::int64_t factorizations_before_ = 0;
};

/// Solves by conjugate gradients, preconditioned by an incomplete factor of the free rows (Ho 2022, Alg. 8).
class PcgFreeSystem : public FreeSystem {
 public:
  explicit PcgFreeSystem(const FreePreconditionerSettings& settings) : settings_(settings) {}
  void prepare(const Operator& A, int threads) override;
  void set_shift(const Vector& shift) override { shift_ = shift; }
  void add_shift(Index row, double amount) override { shift_[row] += amount; }
  bool set_free(std::span<const char> free) override;
  bool correct(const Vector& r, double target, Vector& p) override;
  bool iterative() const override { return true; }
  bool renew() override { return false; }
  void count(Counts& counts) const override {
    counts.factorizations += preconditioner_.factorizations();
    counts.products += products_;
  }

 private:
  FreePreconditionerSettings settings_;
  const Operator* A_ = nullptr;
  int threads_ = 1;
  Vector shift_;
  std::vector<char> free_;
  Index free_rows_ = 0;
  FreePreconditioner preconditioner_;
  ConjugateGradient cg_;
  std::int64_t products_ = 0;
};

}  // namespace slipstick::internal
