// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/sparse/panel_analysis.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "slipstick/base/random.hpp"

namespace slipstick::internal::panel_analysis_test {

bool only_equal_patterns(int /*width*/, double zeros, double /*entries*/) {
  return zeros == 0.0;
}
bool always(int /*width*/, double /*zeros*/, double /*entries*/) {
  return true;
}

CsrMatrix random_pattern(int n, int entries, std::uint64_t seed) {
  Random random(seed);
  std::vector<Triplet> triplets;
  for (int i = 0; i < n; ++i) triplets.push_back({i, i, 1.0});
  const auto any = [&] { return std::min(n - 1, static_cast<int>(random.uniform(0.0, n))); };
  for (int k = 0; k < entries; ++k) triplets.push_back({any(), any(), 1.0});
  return csr_from_triplets(n, n, triplets);
}

// Elimination of A + A' by the definition, in the order of the steps: filled[i][j] for i > j.
std::vector<std::vector<char>> eliminated(const CsrMatrix& a, const std::vector<int>& order) {
  const auto n = order.size();
  std::vector<int> position(n);
  for (std::size_t k = 0; k < n; ++k) position[static_cast<std::size_t>(order[k])] = static_cast<int>(k);
  std::vector<std::vector<char>> filled(n, std::vector<char>(n, 0));
  for (int i = 0; i < a.rows(); ++i) {
    for (CsrMatrix::InnerIterator it(a, i); it; ++it) {
      const auto r = static_cast<std::size_t>(position[static_cast<std::size_t>(i)]);
      const auto c = static_cast<std::size_t>(position[static_cast<std::size_t>(it.col())]);
      filled[std::max(r, c)][std::min(r, c)] = 1;
    }
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = k + 1; i < n; ++i) {
      for (std::size_t j = k + 1; j <= i; ++j)
        if (filled[i][k] && filled[j][k]) filled[i][j] = 1;
    }
  }
  return filled;
}

TEST(PanelAnalysis, TreeAndRowsAreThoseOfTheElimination) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const CsrMatrix a = random_pattern(40, 60, seed);
    PanelAnalysis analysis;
    analysis.analyze(a, Ordering::amd, {.pays = only_equal_patterns});
    const auto filled = eliminated(a, analysis.order);
    int steps = 0;
    for (const PanelAnalysis::Panel& panel : analysis.panels) {
      EXPECT_EQ(panel.first, steps) << "panels follow each other";
      steps = panel.last;
      const std::vector<int> rows(analysis.rows.begin() + panel.row_start,
                                  analysis.rows.begin() + panel.row_start + panel.rows);
      EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
      for (int j = panel.first; j < panel.last; ++j) {
        std::vector<int> expected;
        int parent = -1;
        for (int i = 0; i < 40; ++i) {
          if (i >= panel.first &&
              (i <= j || filled[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]))
            expected.push_back(i);
          if (parent < 0 && i > j && filled[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)])
            parent = i;
        }
        EXPECT_EQ(rows, expected) << "column " << j;
        EXPECT_EQ(analysis.parent[static_cast<std::size_t>(j)], parent);
      }
    }
    EXPECT_EQ(steps, 40);
  }
}

TEST(PanelAnalysis, AnyTriangleSuffices) {
  const CsrMatrix a = random_pattern(30, 50, 3);
  const CsrMatrix whole = a + CsrMatrix(a.transpose());
  const CsrMatrix lower = whole.triangularView<Eigen::Lower>();
  PanelAnalysis of_whole, of_lower;
  of_whole.analyze(whole, Ordering::natural, {.pays = only_equal_patterns});
  of_lower.analyze(lower, Ordering::natural, {.pays = only_equal_patterns});
  EXPECT_EQ(of_whole.order, of_lower.order);
  EXPECT_EQ(of_whole.rows, of_lower.rows);
}

TEST(PanelAnalysis, PanelsAreNoWiderThanAsked) {
  const CsrMatrix a = random_pattern(60, 200, 5);
  const std::vector<int> widths(60, 3);
  PanelAnalysis analysis;
  analysis.analyze(a, Ordering::amd, {.pays = always, .widths = widths, .widest = 12});
  for (const PanelAnalysis::Panel& panel : analysis.panels) EXPECT_LE(panel.width(), 4);
  analysis.analyze(a, Ordering::amd, {.pays = always});
  EXPECT_LT(analysis.panels.size(), 15u) << "merged where nothing forbids it";
}

TEST(PanelAnalysis, NothingToAnalyze) {
  PanelAnalysis analysis;
  analysis.analyze(CsrMatrix(0, 0), Ordering::amd, {.pays = always});
  EXPECT_TRUE(analysis.panels.empty());
  EXPECT_TRUE(analysis.rows.empty());
}

}  // namespace slipstick::internal::panel_analysis_test
