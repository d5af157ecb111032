// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "slipstick/cuda/launch_options.hpp"
#include "slipstick/cuda/spike_plan.hpp"

namespace slipstick::internal {

struct SpikeOutcome {
  int boosted_pivots = 0;  ///< of all factors, those of the reduced system included
  bool finite = true;      ///< false: a factor overflowed and must not be used
  int bad_row = -1;        ///< the first row with an entry that is not finite, or -1
  bool usable() const { return finite && bad_row < 0; }
};

/// SPIKE on a CUDA device, for matrices that are given as plain numbers (see Spike and SpikePlan). Partitions
/// are whole tiles of 32 rows, of equal length. The blocks, the tips of the spikes and the systems of the
/// merges are factorized without pivoting, with inverted triangles of the diagonal tiles. The bits depend on
/// the request alone.
class SpikeEngine {
 public:
  SpikeEngine();
  ~SpikeEngine();

  /// Provides the memory. Allocates nothing if the last matrix was as large.
  void set_size(const SpikeRequest& request);
  const SpikePlan& plan() const;

  /// Factorizes a matrix whose column j has the 2 k + 1 numbers a_(j-k)j, ..., a_(j+k)j, with k the
  /// half-bandwidth of the request (LAPACK's general band; numbers outside the matrix are not read).
  SpikeOutcome factorize(const double* columns);
  /// The same from entries, each of which comes once. Those outside the band are left out.
  SpikeOutcome factorize(const int* rows, const int* columns, const double* values, std::size_t count);

  /// Solves for `columns` right-hand sides, which follow each other, as many at once as the request says. b
  /// and x may be the same.
  void solve(const double* b, double* x, int columns = 1);

  void set_launches(const LaunchOptions& options);

  // For benchmarks: the median times in microseconds, with the last matrix of band columns.
  double time_load(int repeats);
  double time_factorization(int repeats);
  /// Of as many right-hand sides as the request says.
  double time_solution(int repeats);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace slipstick::internal
