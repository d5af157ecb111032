// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <omp.h>

#include <algorithm>
#include <numeric>

#include "slipstick/linsolve/sparse/block_lu.hpp"

namespace slipstick::internal {
namespace {

// Threads share a factorization with more operations than the first. A panel with more than the second is
// divided into parts of rows.
constexpr double least_shared_work = 2e7, least_divided_work = 5e5;

}  // namespace

void BlockLu::set_threads(int threads) {
  if (static_cast<int>(workspaces_.size()) == threads) return;
  workspaces_.resize(static_cast<std::size_t>(threads));
  prepare_threads();
}

int BlockLu::threads() const {
  return schedule_.top().empty() || omp_in_parallel() != 0 ? 1 : static_cast<int>(workspaces_.size());
}

void BlockLu::prepare_threads() {
  const auto square = static_cast<std::size_t>(widest_) * static_cast<std::size_t>(widest_);
  const auto tile = static_cast<std::size_t>(std::min(panel_tile_rows, tallest_) * widest_);
  for (Workspace& own : workspaces_) {
    own.local_row.resize(static_cast<std::size_t>(n_));
    own.runs.reserve(static_cast<std::size_t>(tallest_));
    own.columns.reserve(static_cast<std::size_t>(widest_));
    own.tile.resize(tile);
    own.left.resize(tile);
    own.right.resize(square);
    own.diagonal.resize(square);
    own.below.resize(tallest_);
  }
  list_tasks();
  list_solve_tasks();
}

// Divides the panels for the largest sizes.
void BlockLu::divide() {
  std::vector<double> work;
  for (int s = 0; s < static_cast<int>(symbolic_.panels.size()); ++s) work.push_back(panel_flops(s));
  schedule_.prepare(symbolic_, work, least_shared_work);
  work_.resize(rows());
  top_work_.resize(rows());
  outside_start_.assign(1, 0);
  for (const PanelSchedule::Subtree& subtree : schedule_.subtrees())
    outside_start_.push_back(outside_start_.back() + layout_[subtree.last - 1].below());
  outside_.resize(outside_start_.back());
  top_work_rows_.clear();
  Workspace& own = workspaces_.front();
  own.local_row.resize(static_cast<std::size_t>(n_));
  for (const int s : schedule_.top()) {
    const auto begin = static_cast<std::ptrdiff_t>(top_work_rows_.size());
    top_work_rows_.resize(top_work_rows_.size() + static_cast<std::size_t>(symbolic_.panels[s].rows), 0.0);
    place_rows(s, own);
    for (const LeftLooking::Update& update : left_looking_.updates(s)) {
      const Panel& d = symbolic_.panels[update.descendant];
      const int* offset = offsets(update.descendant);
      const double per_row =
          2.0 * (offset[update.end] - offset[update.begin]) * layout_[update.descendant].width;
      for (int k = update.begin; k < d.rows; ++k)
        top_work_rows_[begin + own.local_row[symbolic_.rows[d.row_start + k]]] +=
            (k < update.end ? 1.0 : 2.0) * per_row * (offset[k + 1] - offset[k]);
    }
    std::partial_sum(top_work_rows_.begin() + begin, top_work_rows_.end(), top_work_rows_.begin() + begin);
  }
}

// The tasks of a factorization on threads. Panels above the subtrees are divided into parts of their rows.
void BlockLu::list_tasks() {
  const int threads = static_cast<int>(workspaces_.size());
  tasks_.clear();
  task_after_.clear();
  const auto add = [&](const Task& task, std::size_t after) {
    tasks_.push_back(task);
    task_after_.push_back(static_cast<int>(after));
  };
  std::vector<int> subtrees(schedule_.subtrees().size());
  std::iota(subtrees.begin(), subtrees.end(), 0);
  std::stable_sort(subtrees.begin(), subtrees.end(),
                   [&](int a, int b) { return schedule_.subtrees()[a].work > schedule_.subtrees()[b].work; });
  for (const int subtree : subtrees) add({Task::Kind::subtree, subtree, 0, 0}, 0);
  auto work = top_work_rows_.begin();
  for (const int s : schedule_.top()) {
    const int width = symbolic_.panels[s].width(), rows = symbolic_.panels[s].rows;
    const auto work_end = work + rows;
    const double total = *(work_end - 1);
    if (total < least_divided_work) {
      add({Task::Kind::panel, s, 0, rows}, tasks_.size());
      work = work_end;
      continue;
    }
    const int parts = total < threads * least_divided_work ? threads : 2 * threads;
    std::size_t after = tasks_.size();
    for (int part = 0, first = 0; part < parts; ++part) {
      const auto end = std::lower_bound(work + first, work_end, total * (part + 1) / parts);
      const int last = part + 1 == parts ? rows : static_cast<int>(std::min(end + 1, work_end) - work);
      if (last > first) add({Task::Kind::update, s, first, last}, after);
      first = last;
    }
    add({Task::Kind::diagonal, s, 0, width}, tasks_.size());
    after = tasks_.size();
    for (int part = 0; part < threads; ++part)
      add({Task::Kind::below, s, width + (rows - width) * part / threads,
           width + (rows - width) * (part + 1) / threads},
          after);
    work = work_end;
  }
}

bool BlockLu::run(const Task& task, Workspace& own) {
  const int s = task.index;
  switch (task.kind) {
    case Task::Kind::subtree: {
      const PanelSchedule::Subtree& subtree = schedule_.subtrees()[static_cast<std::size_t>(s)];
      for (int panel = subtree.first; panel < subtree.last; ++panel)
        if (!factorize_panel(panel, own)) return false;
      return true;
    }
    case Task::Kind::panel:
      return factorize_panel(s, own);
    case Task::Kind::update:
      place_rows(s, own);
      subtract_updates(s, task.first, task.last, own);
      return true;
    case Task::Kind::diagonal:
      return definite_ ? factorize_definite_diagonal(s) : factorize_diagonal(s, own);
    case Task::Kind::below:
      factorize_below(s, task.first, task.last, own);
      return true;
  }
  return false;
}

}  // namespace slipstick::internal
