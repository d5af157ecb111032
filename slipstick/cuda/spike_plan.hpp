// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace slipstick::internal {

struct SpikeRequest {
  int rows = 0;
  int half_bandwidth = 0;
  /// Number of partitions. 0: as many as suit a device. There are fewer if a partition would be shorter than
  /// two half-bandwidths in whole tiles.
  int partitions = 0;
  bool truncated = false;
  bool symmetric = false;
  double pivot_threshold = 0.0;  ///< as in SpikeSettings
  int columns = 1;               ///< right-hand sides that are solved at once
  bool operator==(const SpikeRequest&) const = default;
};

/// How SPIKE cuts a banded matrix into tiles, partitions and the merges of its reduced system (see Spike and
/// SpikeReducedSystem, whose tree this is). Pure arithmetic: it needs no device.
struct SpikePlan {
  struct Segment {
    int first = 0, last = 0;  // range of partitions
  };
  struct Merge {
    int left = 0, right = 0, result = -1;  // segments; result is -1 if truncated
    int cut = 0;                           // between partitions cut and cut + 1
    int previous_cut = -1, next_cut = -1;
    bool has_previous() const { return previous_cut >= 0; }
    bool has_next() const { return next_cut >= 0; }
  };
  struct Job {
    int partition = 0;
    bool reversed = false;
  };

  SpikeRequest request;
  int tiles = 0;  ///< tile rows; the last one is filled up with the identity
  int width = 1;  ///< half-bandwidth in tiles
  int partitions = 1;
  std::vector<int> start;  ///< first tile row of every partition, then `tiles`
  /// The blocks to factorize: first one per partition, which also solves. The last of several partitions is
  /// reversed. Then the reversed inner partitions.
  std::vector<Job> jobs;
  std::vector<Segment> segments;  ///< the partitions, then the merged ones
  std::vector<Merge> merges;      ///< level by level
  std::vector<int> level_start;   ///< in merges

  int cuts() const { return partitions - 1; }
  int levels() const { return static_cast<int>(level_start.size()) - 1; }
  int job_of_reversed(int partition) const {
    return partition + 1 == partitions ? partition : partitions + partition - 1;
  }
  int count(int partition) const { return start[partition + 1] - start[partition]; }
  bool has_previous(int segment) const { return segments[segment].first > 0; }
  bool has_next(int segment) const { return segments[segment].last + 1 < partitions; }
};

SpikePlan plan_spike(const SpikeRequest& request);

}  // namespace slipstick::internal
