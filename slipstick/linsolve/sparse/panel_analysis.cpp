// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/sparse/panel_analysis.hpp"

#include <algorithm>
#include <cmath>

#include "slipstick/base/interruption.hpp"
#include "slipstick/linalg/operator.hpp"

namespace slipstick::internal {

void PanelAnalysis::analyze(const CsrMatrix& a, Ordering ordering, const Merging& merging) {
  order = order_rows(a, ordering);
  renumber();
  list_neighbours(a);
  find_tree();
  postorder();
  list_neighbours(a);
  find_tree();
  find_panels(merging);
  find_rows();
}

void PanelAnalysis::renumber() {
  position.resize(order.size());
  for (int k = 0; k < steps(); ++k) position[order[k]] = k;
}

// The neighbours of each step, in A + A' without the diagonal.
void PanelAnalysis::list_neighbours(const CsrMatrix& a) {
  near_start_.assign(order.size() + 1, 0);
  const auto for_each = [&](const auto& visit) {
    for (int i = 0; i < steps(); ++i) {
      for (int k = a.outerIndexPtr()[i]; k < a.outerIndexPtr()[i + 1]; ++k) {
        const int j = a.innerIndexPtr()[k];
        if (j == i) continue;
        visit(position[i], position[j]);
        visit(position[j], position[i]);
      }
      count_work(4.0 * (a.outerIndexPtr()[i + 1] - a.outerIndexPtr()[i]));
    }
  };
  for_each([&](int row, int) { ++near_start_[row + 1]; });
  for (std::size_t k = 0; k < order.size(); ++k) near_start_[k + 1] += near_start_[k];
  resize_with_looks(near_, static_cast<std::size_t>(near_start_.back()));
  mark_.assign(near_start_.begin(), near_start_.end());
  for_each([&](int row, int column) { near_[mark_[row]++] = column; });
}

// The elimination tree (Liu 1986): the parent of a step is the first entry below the diagonal of L.
void PanelAnalysis::find_tree() {
  parent.assign(order.size(), -1);
  mark_.assign(order.size(), -1);  // ancestors, paths compressed
  for (int row = 0; row < steps(); ++row) {
    for (int k = near_start_[row]; k < near_start_[row + 1]; ++k) {
      int node = near_[k];
      if (node > row) continue;
      while (mark_[node] >= 0 && mark_[node] != row) {
        const int up = mark_[node];
        mark_[node] = row;
        node = up;
      }
      if (mark_[node] < 0) {
        mark_[node] = row;
        parent[node] = row;
      }
    }
    count_work(4.0 * (near_start_[row + 1] - near_start_[row]));
  }
}

// Renumbers the steps so that the descendants of a step stand right before it.
void PanelAnalysis::postorder() {
  std::vector<int> first_child(order.size(), -1), sibling(order.size(), -1), stack, sequence;
  for (int k = steps() - 1; k >= 0; --k) {
    if (parent[k] < 0) continue;
    sibling[k] = first_child[parent[k]];
    first_child[parent[k]] = k;
  }
  for (int root = 0; root < steps(); ++root) {
    if (parent[root] >= 0) continue;
    stack.push_back(root);
    while (!stack.empty()) {
      const int node = stack.back();
      if (first_child[node] >= 0) {
        stack.push_back(first_child[node]);
        first_child[node] = sibling[first_child[node]];
      } else {
        sequence.push_back(node);
        stack.pop_back();
      }
    }
  }
  for (int& step : sequence) step = order[step];
  order = sequence;
  renumber();
}

// Finds runs of steps with one pattern, then merges them with their parents if `merging` says so.
void PanelAnalysis::find_panels(const Merging& merging) {
  std::vector<int> count(order.size(), 1);  // number of rows of each step
  mark_.assign(order.size(), -1);
  for (int row = 0; row < steps(); ++row) {
    count_work(row > 0 ? 4.0 * count[row - 1] : 1.0);  // a row of L has about as many entries
    mark_[row] = row;
    for (int k = near_start_[row]; k < near_start_[row + 1]; ++k) {
      if (near_[k] > row) continue;
      for (int node = near_[k]; mark_[node] != row; node = parent[node]) {
        ++count[node];
        mark_[node] = row;
      }
    }
  }
  std::vector<int> width_before(order.size() + 1, 0);
  for (int k = 0; k < steps(); ++k)
    width_before[k + 1] = width_before[k] + (merging.widths.empty() ? 1 : merging.widths[order[k]]);
  const auto width_of = [&](int first, int last) { return width_before[last] - width_before[first]; };
  const auto fits = [&](int width) { return merging.widest == 0 || width <= merging.widest; };

  panels.clear();
  std::vector<double> zeros;
  for (int first = 0; first < steps();) {
    int last = first + 1;
    while (last < steps() && parent[last - 1] == last && count[last] == count[last - 1] - 1 &&
           fits(width_of(first, last + 1)))
      ++last;
    Panel panel{.first = first, .last = last, .rows = count[first]};
    double panel_zeros = 0.0;
    while (!panels.empty()) {
      const Panel& child = panels.back();
      if (parent[child.last - 1] < 0 || parent[child.last - 1] >= panel.last) break;
      const int own = child.width() + panel.width();
      const double height = child.width() + panel.rows;
      const double merged_zeros = zeros.back() + panel_zeros + child.width() * (height - child.rows);
      const int width = width_of(child.first, panel.last);
      if (!fits(width) || !merging.pays(width, merged_zeros, own * (height - 0.5 * own))) break;
      panel.first = child.first;
      panel.rows = static_cast<int>(height);
      panel_zeros = merged_zeros;
      panels.pop_back();
      zeros.pop_back();
    }
    panels.push_back(panel);
    zeros.push_back(panel_zeros);
    first = last;
  }
}

// The rows of a panel are the rows of A and the rows of its child panels.
void PanelAnalysis::find_rows() {
  const int count = static_cast<int>(panels.size());
  panel_of.resize(order.size());
  for (int s = 0; s < count; ++s) {
    for (int j = panels[s].first; j < panels[s].last; ++j) panel_of[j] = s;
  }
  std::vector<int> first_child(panels.size(), -1), sibling(panels.size(), -1);
  mark_.assign(order.size(), -1);
  rows.clear();
  for (int s = 0; s < count; ++s) {
    Panel& panel = panels[s];
    panel.row_start = static_cast<std::ptrdiff_t>(rows.size());
    for (int j = panel.first; j < panel.last; ++j) rows.push_back(j);
    const auto add = [&](int row) {
      if (row < panel.last || mark_[row] == s) return;
      mark_[row] = s;
      rows.push_back(row);
    };
    for (int k = near_start_[panel.first]; k < near_start_[panel.last]; ++k) add(near_[k]);
    for (int child = first_child[s]; child >= 0; child = sibling[child]) {
      const Panel& c = panels[child];
      for (int k = c.width(); k < c.rows; ++k) add(rows[c.row_start + k]);
    }
    std::sort(rows.begin() + panel.row_start + panel.width(), rows.end());
    panel.rows = static_cast<int>(static_cast<std::ptrdiff_t>(rows.size()) - panel.row_start);
    count_work(20.0 * panel.rows);
    if (panel.rows > panel.width()) {
      const int up = panel_of[rows[panel.row_start + panel.width()]];
      sibling[s] = first_child[up];
      first_child[up] = s;
    }
  }
}

double PanelAnalysis::entries() const {
  double sum = 0.0;
  for (const Panel& panel : panels) sum += static_cast<double>(panel.rows) * panel.width();
  return sum;
}

double PanelAnalysis::operations() const {
  double sum = 0.0;
  for (const Panel& panel : panels) {
    for (int j = 0; j < panel.width(); ++j) sum += std::pow(static_cast<double>(panel.rows - j), 2);
  }
  return sum;
}

double PanelAnalysis::operations(std::span<const int> sizes) const {
  double sum = 0.0;
  for (const Panel& panel : panels) {
    double height = 0.0;
    for (int k = 0; k < panel.rows; ++k) height += sizes[order[rows[panel.row_start + k]]];
    for (int step = panel.first; step < panel.last; ++step) {
      const double width = sizes[order[step]];
      sum += 2.0 * width * height * height;
      height -= width;
    }
  }
  return sum;
}

}  // namespace slipstick::internal
