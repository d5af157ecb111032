// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "slipstick/cuda/newton_engine.hpp"
#include "slipstick/linsolve/krylov/bicgstab_in.hpp"
#include "slipstick/solvers/interior_point/pdip_system.hpp"

namespace slipstick::internal {

/// Vectors of a NewtonEngine, for BicgstabIn.
class DeviceSpace {
 public:
  struct Vector {
    int number = -1;
  };
  explicit DeviceSpace(NewtonEngine* engine = nullptr) : engine_(engine) {}

  void resize(Vector& v, Index n);
  void copy(const Vector& from, Vector& to) { engine_->copy(from.number, to.number); }
  void clear(Vector& v) { engine_->clear(v.number); }
  void add(double a, const Vector& x, Vector& y) { engine_->add(a, x.number, y.number); }
  void turn(const Vector& x, double a, Vector& y) { engine_->turn(x.number, a, y.number); }
  double dot(const Vector& x, const Vector& y) { return engine_->dot(x.number, y.number); }
  double norm(const Vector& x) { return std::sqrt(dot(x, x)); }
  bool is_zero(const Vector& x) { return dot(x, x) == 0.0; }
  void randomize(Vector& v, int seed);

 private:
  NewtonEngine* engine_;
  int taken_ = 0;
  std::vector<double> random_;
};

/// The systems of Pdip with products, preconditioner and Krylov vectors on a CUDA device (see NewtonEngine).
/// The host finds the order of the band and the values of the matrices, as for p-pdip. The band has whole
/// tiles, if max_half_bandwidth allows it.
class PdipCudaSystem : public PdipSystem {
 public:
  PdipCudaSystem(const KrylovSettings& krylov, const BandedPreconditionerSettings& preconditioner)
      : PdipSystem(PdipDirection::spike, krylov, preconditioner), settings_(preconditioner) {}
  /// Forgets what is on the device.
  void reset();
  /// True if something was factorized since.
  bool has_factors() const { return has_factors_; }

 protected:
  bool factorize_preconditioner(const CsrMatrix& matrix, const BarrierTerms& terms) override;
  KrylovOutcome iterate(const Equation& equation, const BicgstabSettings& settings, Vector& v,
                        Index& products) override;

 private:
  void send_pattern(const CsrMatrix& matrix);
  void send_bodies(const NewtonOrder& order);
  void list_blocks(const BarrierTerms& terms);
  SpikeRequest request() const;

  BandedPreconditionerSettings settings_;
  std::unique_ptr<NewtonEngine> engine_;
  BicgstabIn<DeviceSpace> bicgstab_;
  int sent_version_ = 0, sent_analyses_ = 0;  // of the pattern on the device
  bool sent_bodies_ = false;
  bool has_factors_ = false;

  std::vector<int> row_of_entry_, place_;
  std::vector<int> block_start_, touch_start_, body_start_, touch_of_body_, block_of_touch_;
  std::vector<double> frames_, inverses_;
};

}  // namespace slipstick::internal
