// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "slipstick/cuda/bound_engine.hpp"
#include "slipstick/cuda/device_problem.hpp"
#include "slipstick/cuda/held_engine.hpp"
#include "slipstick/cuda/sparse_rows.hpp"
#include "slipstick/methods.hpp"
#include "slipstick/solve/solver.hpp"

namespace slipstick::internal {

/// Mprgp on a CUDA device, for rows of rigid bodies, such as contacts without friction, and for any other
/// matrix that can be assembled. Vectors stay on the device, and the host decides from their sums, twice per
/// iteration. The iterates are those of Mprgp but for rounding.
class MprgpCuda : public Solver {
 public:
  explicit MprgpCuda(const MprgpSettings& settings = {}, const char* name = "mprgp-cuda")
      : settings_(settings), name_(name) {}
  std::string explain_unsupported(const Problem& problem) const override;

 protected:
  void run(const Run& run) override;

 private:
  enum class Direction { fresh, conjugate, expanded };

  void iterate(const Run& run, Monitor& monitor);
  void start(const Run& run);
  void copy_matrix();
  void settle_empty_rows(const Run& run, Monitor& monitor);
  void compute_gradient(const Run& run);
  void release_rows();
  void conjugate_gradient_or_expansion(const Run& run, Monitor& monitor);
  double conjugation(double previous);
  void expand(const Run& run, double whole_step, double feasible_step);
  double estimate_norm(const Run& run);
  double reduced_step() const { return norm_ > 0.0 ? settings_.step / norm_ : 1.0; }
  void to_device_order(const Vector& from, std::vector<double>& to);
  void copy_current(Vector& x);

  MprgpSettings settings_;
  const char* name_;
  // The matrix, as explain_unsupported() reads it and run() uses it: of bodies, or assembled.
  mutable DeviceProblem bodies_;
  mutable bool has_bodies_ = false;
  mutable Operator seen_;
  mutable SparseRows sparse_;
  mutable int sparse_version_ = 0;
  HeldEngine<BoundEngine> engine_;
  Operator norm_of_;
  double norm_ = 0.0;  // of D^-1/2 A D^-1/2
  Vector inverse_, work_;
  std::vector<double> load_, scale_, inverse_diagonal_, bounds_, ordered_;
  BoundSums sums_;
  double phi_z_ = 0.0;  // phi'z of the present iterate
  Direction direction_ = Direction::fresh;
  Vector x_;
};

}  // namespace slipstick::internal
