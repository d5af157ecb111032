// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// The memory of DeviceSpike, and the lists of what its kernels do.
#include <algorithm>

#include "slipstick/cuda/device_spike.cuh"

namespace slipstick::internal {

/// The lists while they are made.
struct DeviceSpike::Lists {
  std::vector<SpikeTask> tasks;
  std::vector<const double*> couplings;  // of the first tasks
  std::vector<SpikeProduct> products;
  std::vector<SpikeVectorProduct> vector_products;

  template <class T>
  static int size(const std::vector<T>& list) {
    return static_cast<int>(list.size());
  }
  template <class T>
  static Range since(int begin, const std::vector<T>& list) {
    return {begin, size(list) - begin};
  }
};

void DeviceSpike::place(DeviceArena& arena, const SpikePlan& plan, int columns) {
  plan_ = &plan;
  columns_ = columns;
  band_ = {plan.width, plan.request.symmetric};
  tip_ = static_cast<std::size_t>(plan.width) * tile_rows;
  square_ = tip_ * tip_;
  const auto take_job = [&](SpikeJob& job, const TileBand& band) {
    const auto tiles = static_cast<std::size_t>(job.count);
    arena.take(job.tiles, tiles * static_cast<std::size_t>(band.tiles_per_row()) * tile_size);
    arena.take(job.factors, tiles * tile_size);
    arena.take(job.least, tiles * tile_rows);
  };
  blocks_.assign(plan.jobs.size(), {});
  for (std::size_t j = 0; j < blocks_.size(); ++j) {
    const int partition = plan.jobs[j].partition;
    blocks_[j].first_row = static_cast<long long>(plan.start[partition]) * tile_rows;
    blocks_[j].count = plan.count(partition);
    blocks_[j].reversed = plan.jobs[j].reversed ? 1 : 0;
    take_job(blocks_[j], band_);
  }
  const std::size_t merges = plan.merges.size(), cuts = static_cast<std::size_t>(plan.cuts());
  systems_.assign(merges, {});
  merged_.assign(merges, {});
  for (std::size_t m = 0; m < merges; ++m) {
    systems_[m].first_row = static_cast<long long>(m * tip_);
    systems_[m].count = plan.width;
    take_job(systems_[m], {plan.width, false});
    if (plan.merges[m].has_previous()) {
      arena.take(merged_[m].b_W, square_);
      arena.take(merged_[m].t_W, square_);
    }
    if (plan.merges[m].has_next()) {
      arena.take(merged_[m].b_V, square_);
      arena.take(merged_[m].t_V, square_);
    }
  }
  tips_.assign(plan.segments.size(), {});
  for (std::size_t s = 0; s < tips_.size(); ++s) {
    const bool previous = plan.has_previous(static_cast<int>(s)), next = plan.has_next(static_cast<int>(s));
    if (previous) arena.take(tips_[s].W_top, square_);
    if (next) arena.take(tips_[s].V_bottom, square_);
    if (previous && next && !plan.request.truncated) {
      arena.take(tips_[s].W_bottom, square_);
      arena.take(tips_[s].V_top, square_);
    }
  }
  arena.take(couplings_, 2 * cuts * square_);
  arena.take(rings_, 2 * cuts * square_);
  arena.take(sizes_, 2 * vector_rows() + blocks_.size());
  arena.take(system_sizes_, 2 * tip_ * merges + merges);
  arena.take(vectors_, 4 * vector_rows() * static_cast<std::size_t>(columns));
  tip_stride_ = tip_ * (2 * tips_.size() + 4 * merges);
  arena.take(tip_vectors_, tip_stride_ * static_cast<std::size_t>(columns));
  arena.take(jobs_, blocks_.size());
  arena.take(system_jobs_, merges);
  arena.take(owners_, blocks_.size() + merges);
  arena.take(start_, plan.start.size());
  arena.take(tasks_, 2 * cuts + 2 * merges);
  arena.take(task_couplings_, 2 * cuts);
  arena.take(products_, 9 * merges);
  arena.take(vector_products_, 8 * merges + 2 * cuts);
  arena.take(state_, 1);
}

void DeviceSpike::prepare(cudaStream_t stream) {
  Lists lists;
  list_spikes(lists);
  levels_.assign(static_cast<std::size_t>(plan_->levels()), {});
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    levels_[l].merges = {plan_->level_start[l], plan_->level_start[l + 1] - plan_->level_start[l]};
    list_merges(lists, levels_[l]);
    list_vectors(lists, levels_[l]);
  }
  const int begin = Lists::size(lists.vector_products);
  for (const SpikePlan::Merge& merge : plan_->merges) {
    const int m = static_cast<int>(&merge - plan_->merges.data());
    const auto border = static_cast<std::size_t>(plan_->start[merge.cut + 1]) * tile_rows;
    const double* const B = couplings_ + 2 * static_cast<std::size_t>(merge.cut) * square_;
    lists.vector_products.push_back({B, at_cut(t, m), vector(0) + border - tip_, vector(2) + border - tip_});
    lists.vector_products.push_back({B + square_, at_cut(b, m), vector(0) + border, vector(2) + border});
  }
  couple_ = Lists::since(begin, lists.vector_products);

  // The block that measures the rows of each, then the numbers of the systems.
  std::vector<int> owners;
  for (const SpikePlan::Job& job : plan_->jobs) owners.push_back(job.partition);
  for (std::size_t m = 0; m < systems_.size(); ++m) owners.push_back(static_cast<int>(m));
  const auto copy = [&](auto* to, const auto& list) {
    if (list.empty()) return;
    check(cudaMemcpyAsync(to, list.data(), list.size() * sizeof list[0], cudaMemcpyHostToDevice, stream),
          "take data");
  };
  copy(jobs_, blocks_);
  copy(system_jobs_, systems_);
  copy(owners_, owners);
  copy(start_, plan_->start);
  copy(tasks_, lists.tasks);
  copy(task_couplings_, lists.couplings);
  copy(products_, lists.products);
  copy(vector_products_, lists.vector_products);
  if (columns_ > 0 && vector_rows() > 0) {
    check(cudaMemsetAsync(vectors_, 0,
                          4 * vector_rows() * static_cast<std::size_t>(columns_) * sizeof(double), stream),
          "clear memory");
  }
  check(cudaStreamSynchronize(stream), "finish its work");  // the lists end here
}

// The right spikes V of all partitions but the last, then the left spikes W of all but the first.
void DeviceSpike::list_spikes(Lists& lists) {
  const auto add = [&](int partition, bool right) {
    const SpikeJob& job = blocks_[right ? partition : plan_->job_of_reversed(partition)];
    const Tips& tips = tips_[partition];
    const int cut = right ? partition : partition - 1;
    SpikeTask task{.job = job,
                   .ring = rings_ + lists.tasks.size() * square_,
                   .from = job.count - plan_->width,
                   .to = job.count - plan_->width,
                   .bottom = right ? tips.V_bottom : tips.W_top,
                   .top = right ? tips.V_top : tips.W_bottom};
    if (task.top != nullptr) task.to = 0;
    lists.tasks.push_back(task);
    lists.couplings.push_back(couplings_ + (2 * static_cast<std::size_t>(cut) + (right ? 0 : 1)) * square_);
  };
  for (int i = 0; i + 1 < plan_->partitions; ++i) add(i, true);
  for (int i = 1; i < plan_->partitions; ++i) add(i, false);
  spikes_ = {0, Lists::size(lists.tasks)};
}

// With [b; t] the unknowns at a cut, t = S^-1 (q - W_r^t p) and b = p - V_l^b t for right sides [p; q].
void DeviceSpike::list_merges(Lists& lists, Level& level) {
  std::vector<SpikeProduct>& list = lists.products;
  const auto for_merges = [&](Range& range, const auto& visit) {
    const int begin = Lists::size(list);
    for (int m = level.merges.begin; m < level.merges.begin + level.merges.count; ++m) {
      const SpikePlan::Merge& merge = plan_->merges[m];
      visit(merge, merged_[m], tips_[merge.left], tips_[merge.right], systems_[m]);
    }
    range = Lists::since(begin, list);
  };
  for_merges(level.systems,
             [&](const auto&, const Merged&, const Tips& l, const Tips& r, const SpikeJob& system) {
               list.push_back({.c = system.tiles, .a = r.W_top, .b = l.V_bottom, .identity = 1, .banded = 1});
             });
  const int first_task = Lists::size(lists.tasks);
  for_merges(level.sides,
             [&](const auto& merge, const Merged& y, const Tips& l, const Tips& r, const SpikeJob& system) {
               if (merge.has_previous()) {
                 list.push_back({.c = y.t_W, .a = r.W_top, .b = l.W_bottom});
                 lists.tasks.push_back({.job = system, .ring = y.t_W});
               }
               if (merge.has_next()) {
                 list.push_back({.c = y.t_V, .c0 = r.V_top});
                 lists.tasks.push_back({.job = system, .ring = y.t_V});
               }
             });
  level.tasks = Lists::since(first_task, lists.tasks);
  for_merges(level.b, [&](const auto& merge, const Merged& y, const Tips& l, const Tips&, const SpikeJob&) {
    if (merge.has_previous()) list.push_back({.c = y.b_W, .a = l.V_bottom, .b = y.t_W, .c0 = l.W_bottom});
    if (merge.has_next()) list.push_back({.c = y.b_V, .a = l.V_bottom, .b = y.t_V});
  });
  for_merges(level.tips,
             [&](const auto& merge, const Merged& y, const Tips& l, const Tips& r, const SpikeJob&) {
               if (merge.result < 0) return;
               const Tips& result = tips_[merge.result];
               if (merge.has_previous())
                 list.push_back({.c = result.W_top, .a = l.V_top, .b = y.t_W, .c0 = l.W_top});
               if (merge.has_next())
                 list.push_back({.c = result.V_bottom, .a = r.W_bottom, .b = y.b_V, .c0 = r.V_bottom});
               if (merge.has_previous() && merge.has_next()) {
                 list.push_back({.c = result.V_top, .a = l.V_top, .b = y.t_V});
                 list.push_back({.c = result.W_bottom, .a = r.W_bottom, .b = y.b_W});
               }
             });
}

void DeviceSpike::list_vectors(Lists& lists, Level& level) {
  std::vector<SpikeVectorProduct>& list = lists.vector_products;
  const auto for_merges = [&](Range& range, const auto& visit) {
    const int begin = Lists::size(list);
    for (int m = level.merges.begin; m < level.merges.begin + level.merges.count; ++m)
      visit(plan_->merges[m], m, merged_[m]);
    range = Lists::since(begin, list);
  };
  // The merge of a cut.
  std::vector<int> merge_of(plan_->merges.size());
  for (std::size_t m = 0; m < plan_->merges.size(); ++m) merge_of[plan_->merges[m].cut] = static_cast<int>(m);

  for_merges(level.side, [&](const SpikePlan::Merge& merge, int m, const Merged&) {
    list.push_back(
        {tips_[merge.right].W_top, segment_bottom(merge.left), segment_top(merge.right), at_cut(side, m)});
  });
  for_merges(level.find_b, [&](const SpikePlan::Merge& merge, int m, const Merged&) {
    list.push_back({tips_[merge.left].V_bottom, at_cut(t, m), segment_bottom(merge.left), at_cut(b, m)});
  });
  for_merges(level.up, [&](const SpikePlan::Merge& merge, int m, const Merged&) {
    if (merge.has_previous())
      list.push_back(
          {tips_[merge.left].V_top, at_cut(t, m), segment_top(merge.left), segment_top(merge.result)});
    if (merge.has_next())
      list.push_back({tips_[merge.right].W_bottom, at_cut(b, m), segment_bottom(merge.right),
                      segment_bottom(merge.result)});
  });
  for_merges(level.down_from_previous, [&](const SpikePlan::Merge& merge, int m, const Merged& y) {
    if (!merge.has_previous()) return;
    const double* const known = at_cut(b, merge_of[merge.previous_cut]);
    list.push_back({y.b_W, known, at_cut(b, m), at_cut(b, m)});
    list.push_back({y.t_W, known, at_cut(t, m), at_cut(t, m)});
  });
  for_merges(level.down_from_next, [&](const SpikePlan::Merge& merge, int m, const Merged& y) {
    if (!merge.has_next()) return;
    const double* const known = at_cut(t, merge_of[merge.next_cut]);
    list.push_back({y.b_V, known, at_cut(b, m), at_cut(b, m)});
    list.push_back({y.t_V, known, at_cut(t, m), at_cut(t, m)});
  });
}

}  // namespace slipstick::internal
