// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "slipstick/cuda/device_problem.hpp"
#include "slipstick/cuda/face_engine.hpp"
#include "slipstick/cuda/held_engine.hpp"
#include "slipstick/cuda/mprgp_cuda.hpp"

namespace slipstick::internal {

/// Kucera on a CUDA device, for contacts of rigid bodies (see ContactLayout). On bounds MprgpCuda runs.
/// Vectors stay on the device, and the host decides from their sums, twice per iteration. The iterates are
/// those of Kucera but for rounding.
class KuceraCuda : public MprgpCuda {
 public:
  explicit KuceraCuda(const KuceraSettings& settings = {});
  std::string explain_unsupported(const Problem& problem) const override;

 protected:
  void run(const Run& run) override;

 private:
  // The move that the next split makes.
  struct Move {
    double step = 0.0;
    FaceEngine::Direction direction = FaceEngine::Direction::conjugate;
  };
  void iterate(const Run& run);
  void start(const Run& run);
  void split();
  void compute_gradient(const Run& run);
  double far_ray_minimum() const;
  bool conjugate_gradient_or_expansion(const Run& run);
  bool project_whole_step(const Run& run, double step);
  bool projected_gradient_step(const Run& run);
  void copy_current(Vector& x);

  KuceraSettings settings_;
  mutable DeviceProblem problem_;  // explain_unsupported() reads it, run() uses it
  HeldEngine<FaceEngine> engine_;
  std::vector<double> world_;
  double weight_ = 1.0;  // 1 / norm of the ruler
  FaceSums sums_;        // of the last split
  Move move_;
  double alpha_ = 1.0;  // length of the next projected gradient step
  int gradient_steps_ = 0, rounded_steps_ = 0;
  double previous_ = 0.0;  // phi'D^-1 phi of the direction before; 0: restart
  Vector x_;
};

}  // namespace slipstick::internal
