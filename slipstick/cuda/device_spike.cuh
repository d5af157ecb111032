// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/cuda/runtime.cuh"
#include "slipstick/cuda/spike_jobs.hpp"
#include "slipstick/cuda/spike_plan.hpp"

namespace slipstick::internal {

struct SpikeMatrix;

/// SPIKE in device memory: what Spike does, with all partitions side by side. Kernels are in
/// spike_factor.cuh, spike_substitute.cuh and spike_dense.cuh. The owner has the memory and the stream.
class DeviceSpike {
 public:
  /// Takes memory for a plan, which must live on, and for vectors of `columns` columns.
  void place(DeviceArena& arena, const SpikePlan& plan, int columns);
  /// Copies the lists of what to do. Call it when place() has its memory.
  void prepare(cudaStream_t stream);

  /// Fills the tiles from band columns (2 k + 1 numbers each) on the device, and measures the rows.
  void load(cudaStream_t stream, const double* columns);
  /// The same from entries on the device. Those outside the band are left out.
  void load(cudaStream_t stream, const int* rows, const int* columns, const double* values,
            std::size_t count);
  /// Factorizes what was loaded, in place.
  void factorize(cudaStream_t stream);
  void read_state(cudaStream_t stream, SpikeState* state) const;

  /// Rows of vectors. Those behind the matrix are 0.
  std::size_t vector_rows() const { return static_cast<std::size_t>(plan_->tiles) * tile_rows; }
  /// Where right-hand sides are expected and solutions are left, column by column.
  double* right_sides() const { return vector(0); }
  double* solutions() const { return vector(1); }
  void solve(cudaStream_t stream, int columns);

 private:
  struct Tips {
    double *W_top = nullptr, *W_bottom = nullptr, *V_top = nullptr, *V_bottom = nullptr;
  };
  /// The spikes of two merged segments at their cut (Y_W and Y_V of SpikeReducedSystem).
  struct Merged {
    double *b_W = nullptr, *t_W = nullptr, *b_V = nullptr, *t_V = nullptr;
  };
  struct Range {
    int begin = 0, count = 0;
  };
  /// What the merges of a level do, in lists on the device.
  struct Level {
    Range merges;
    Range systems, sides, b, tips;                               // products of the factorization
    Range tasks;                                                 // between sides and b
    Range side, find_b, up, down_from_previous, down_from_next;  // products of the solution
  };
  /// Blocks of one band that are treated together.
  struct Batch {
    const SpikeJob* jobs = nullptr;
    TileBand band;
    int count = 0;
    int longest = 0;  // tile rows
  };
  struct Lists;

  double* vector(int k) const;
  double* segment_top(int segment) const;
  double* segment_bottom(int segment) const;
  enum CutVector { side, t, b, scratch };
  double* at_cut(CutVector kind, int merge) const;

  void list_spikes(Lists& lists);
  void list_merges(Lists& lists, Level& level);
  void list_vectors(Lists& lists, Level& level);
  Batch partitions() const;
  Batch systems(const Range& merges) const;
  SpikeMatrix matrix() const;

  void measure(cudaStream_t stream, const Batch& batch, int measured, const int* owners, double* sizes,
               std::size_t rows, double* of_job);
  void factorize(cudaStream_t stream, const Batch& batch);
  void factorize_level(cudaStream_t stream, const Level& level);
  void merge_vectors(cudaStream_t stream, const Level& level, int columns);
  void substitute(cudaStream_t stream, const Batch& batch, const double* in, double* y, double* out,
                  std::size_t stride, int columns);
  void substitute_tiles(cudaStream_t stream, const Range& tasks, const TileBand& band);
  void multiply(cudaStream_t stream, const Range& products) const;
  void multiply_vectors(cudaStream_t stream, const Range& products, int columns, std::size_t y_stride) const;

  const SpikePlan* plan_ = nullptr;
  int columns_ = 1;
  TileBand band_;
  std::vector<SpikeJob> blocks_, systems_;
  std::vector<Tips> tips_;
  std::vector<Merged> merged_;
  std::vector<Level> levels_;
  Range spikes_, couple_;
  SpikeJob *jobs_ = nullptr, *system_jobs_ = nullptr;
  int *owners_ = nullptr, *start_ = nullptr;
  SpikeTask* tasks_ = nullptr;
  const double** task_couplings_ = nullptr;
  SpikeProduct* products_ = nullptr;
  SpikeVectorProduct* vector_products_ = nullptr;
  SpikeState* state_ = nullptr;
  double *couplings_ = nullptr, *rings_ = nullptr;
  double *sizes_ = nullptr, *system_sizes_ = nullptr;
  double *vectors_ = nullptr, *tip_vectors_ = nullptr;
  std::size_t square_ = 0;      // numbers of a dense matrix of width x width tiles
  std::size_t tip_ = 0;         // rows of a tip
  std::size_t tip_stride_ = 0;  // from one column of the vectors at the tips to the next
};

}  // namespace slipstick::internal
