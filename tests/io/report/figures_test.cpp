// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/report/figures.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "slipstick/io/report/table_headers.hpp"

namespace slipstick::internal::report::figures_test {

CsvTable table(const char* header, const std::string& rows) {
  return {std::string(header) + "\n" + rows, "t.csv"};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

TEST(Figures, GrowthIsTheSlopeOfTheLogarithms) {
  EXPECT_NEAR(growth_exponent({1.0, 10.0, 100.0}, {2.0, 63.2455532, 2000.0}), 1.5, 1e-6);
  EXPECT_NEAR(growth_exponent({1.0, NAN, 4.0, 5.0}, {1.0, 1.0, 16.0, 0.0}), 2.0, 1e-12);
  EXPECT_TRUE(std::isnan(growth_exponent({1.0}, {1.0})));
}

TEST(Figures, ConvergenceHasTheToleranceAsALine) {
  const CsvTable history = table(history_header, "0,0,1,-1\n1,0.1,1e-4,-1\n2,0.2,1e-8,-1\n");
  const SvgPlot plot = convergence_plot(history, 1e-6);
  ASSERT_EQ(plot.series.size(), 2u);
  EXPECT_TRUE(plot.log_y);
  EXPECT_EQ(plot.series[0].x, (std::vector{0.0, 1.0, 2.0}));
  EXPECT_EQ(plot.series[0].y, (std::vector{1.0, 1e-4, 1e-8}));
  EXPECT_EQ(plot.series[1].label, "tolerance 1e-06");
  EXPECT_EQ(plot.series[1].y, (std::vector{1e-6, 1e-6}));
  EXPECT_EQ(plot.series[1].x, (std::vector{0.0, 2.0}));
}

TEST(Figures, AttemptsFollowEachOther) {
  const CsvTable history =
      table(history_header, "0,0,1,-1\n1,0.1,0.5,-1\n2,0.2,0.4,-1\n0,0.3,1,-1\n1,0.4,1e-9,-1\n");
  const SvgPlot plot = convergence_plot(history, std::nullopt);
  ASSERT_EQ(plot.series.size(), 2u);
  EXPECT_EQ(plot.series[1].label, "attempt 2");
  EXPECT_EQ(plot.series[1].x, (std::vector{2.0, 3.0}));
}

TEST(Figures, ManyAttemptsShareACurve) {
  std::string rows;
  for (int k = 0; k < 20; ++k) rows += "0,0,1,-1\n1,0,0.1,-1\n";
  const SvgPlot plot = convergence_plot(table(history_header, rows), std::nullopt);
  ASSERT_EQ(plot.series.size(), 1u);
  EXPECT_EQ(plot.series[0].label, "error of 20 attempts");
  EXPECT_TRUE(std::isnan(plot.series[0].y[2]));
}

TEST(Figures, EmptyHistoryHasTheToleranceAlone) {
  EXPECT_EQ(convergence_plot(table(history_header, ""), 1e-8).series.size(), 1u);
}

TEST(Figures, ComparisonHasAProfilePerTolerance) {
  const std::string rows =
      "a,lcp,2,4,quick,1e-08,solved,true,3,1,1e-9,\n"
      "a,lcp,2,4,slow,1e-08,solved,true,9,4,1e-9,\n"
      "b,lcp,2,4,quick,1e-08,time_limit,false,9,10,1,\"no, not solved\"\n"
      "b,lcp,2,4,slow,1e-08,solved,true,9,2,1e-9,\n";
  Figures figures = comparison_figures(table(comparison_header, rows));
  ASSERT_EQ(figures.size(), 2u);
  EXPECT_EQ(figures[0].name, "seconds");
  EXPECT_EQ(figures[1].name, "profile");
  EXPECT_TRUE(contains(figures[1].svg, "Performance profile of 2 problems, tolerance 1e-08"));
  // quick: half of the problems at once, and never more. slow: half at once, all from 4 times the best time.
  EXPECT_TRUE(contains(figures[1].svg, "d=\"M76.00 404.00H76.00V404.00H636.00V404.00\""));
  EXPECT_TRUE(contains(figures[1].svg, "d=\"M76.00 404.00H76.00V404.00H413.15V44.00H636.00V44.00\""))
      << figures[1].svg;
  figures =
      comparison_figures(table(comparison_header, rows + "a,lcp,2,4,quick,1e-04,solved,true,3,1,1e-9,\n"));
  ASSERT_EQ(figures.size(), 4u);
  EXPECT_EQ(figures[3].name, "profile-0.0001");
}

TEST(Figures, PressureProblemsThatAreNotAllSolvedAreLeftOut) {
  const std::string rows =
      "pgs,2,8,64,10,10,10,1.0,640,1,1e-9,complete\n"
      "pgs,2,16,256,10,10,10,8.0,2560,1,1e-9,complete\n"
      "pgs,2,32,1024,10,10,3,99,100,1,1,complete\n";
  const Figures figures = pressure_figures(table(pressure_header, rows));
  ASSERT_EQ(figures.size(), 2u);
  EXPECT_EQ(figures[0].name, "seconds");
  EXPECT_TRUE(contains(figures[1].svg, "pgs (n^1.00)"));
}

TEST(Figures, IterationsOnADeviceHaveACurvePerMethodAndShape) {
  const Figures figures = gpu_figures(table(gpu_header,
                                            "H,apgd-cuda,spheres,1e4,4e3,0,15,300,1,4,0.25,1,1,10\n"
                                            "H,apgd-cuda,spheres,1e6,4e5,0,90,300,3,4,0.75,1,1,10\n"
                                            "H,nsgs-cuda,arms,1e4,4e3,0,25,300,1,4,0.25,1,1,10\n"));
  ASSERT_EQ(figures.size(), 2u);
  EXPECT_EQ(figures[0].name, "growth");
  EXPECT_TRUE(contains(figures[0].svg, ">apgd-cuda, spheres<"));
  EXPECT_TRUE(contains(figures[1].svg, ">nsgs-cuda, arms<"));
}

TEST(Figures, BandsOnADeviceStandBesideTheHostAndTheThesis) {
  const Figures figures =
      gpu_banded_figures(table(gpu_banded_header,
                               "H,factorize,alone,8000,1000,1,2000,4,0,0,1,0,0,193.1\n"
                               "host,factorize,host,8000,1000,1,180000,1,0,0,1,0,0,\n"
                               "H,solve,blocks,8000,1000,1,130,1,1,0,0,1,0,44.6\n"
                               "H,solve,blocks,8000,1000,10,140,1,1,0,0,10,0,\n"
                               "H,solve,blocks,8000,1000,64,300,1,1,0,0,10,0,\n"
                               "H,symbgmm,naive,8000,1000,10,999,1,1,0,0,0,0,\n"
                               "H,qp,pdasm-cuda,8000,1000,10,9000,0,0,3,3,3,0,1004.6\n"
                               "host,qp,schurpa,8000,1000,10,90000,0,0,3,1,9,0,\n"
                               "H,qp,schurpa-cuda,8000,1000,10,4000,0,0,3,1,9,0,484.1\n"
                               "H,qp-factorize,schurpa-cuda,8000,1000,10,2,0,0,0,1,0,0,282.7\n"
                               "H,qp-solve,schurpa-cuda,8000,1000,10,2,0,0,0,0,9,0,169.6\n"));
  ASSERT_EQ(figures.size(), 5u);
  EXPECT_TRUE(contains(figures[0].svg, ">device, alone<"));
  EXPECT_TRUE(contains(figures[0].svg, ">thesis, alone<"));
  EXPECT_TRUE(contains(figures[0].svg, ">host, one thread<"));
  EXPECT_TRUE(contains(figures[1].svg, ">thesis, 1 right-hand side<"));
  EXPECT_TRUE(contains(figures[2].svg, ">naive<"));
  EXPECT_TRUE(contains(figures[3].svg, ">schurpa, one thread<"));
  EXPECT_TRUE(contains(figures[3].svg, ">thesis, DIRECT<"));
  for (const char* part : {">factorization<", ">solves<", ">total<", ">thesis, solves<"})
    EXPECT_TRUE(contains(figures[4].svg, part)) << part;
}

TEST(Figures, TheLastStepOfASceneCounts) {
  const std::string first = "d,apgd-cuda,host,8,", times = ",9,solved,1,1,1,1,1,1,1,";
  const Figures figures =
      gpu_step_figures(table(gpu_step_header, first + "100,30,1" + times + "8\n" + first + "100,30,2" +
                                                  times + "4\n" + first + "10000,3000,2" + times + "400\n" +
                                                  "d,apgd-cuda,device,8,100,30,2" + times + "4\n"));
  ASSERT_EQ(figures.size(), 2u);
  EXPECT_EQ(figures[0].name, "apgd-cuda-device");
  EXPECT_EQ(figures[1].name, "apgd-cuda-host");
  EXPECT_TRUE(contains(figures[1].svg, "whole step: contacts^1.00")) << figures[1].svg;
}

TEST(Figures, EqualNamesOfRowsAreNumbered) {
  const std::string row = "threads,2,one,two,yes,4,2,0.5\n";
  const Figures figures = step_figures(table(step_header, row + row));
  ASSERT_EQ(figures.size(), 1u);
  EXPECT_TRUE(contains(figures[0].svg, ">threads<"));
  EXPECT_TRUE(contains(figures[0].svg, ">threads (2)<"));
}

TEST(Figures, MethodsThatMissAProblemHaveNoMedian) {
  const std::string rows =
      "wall,box,auto,1e-06,10,4,4,1,1,2\n"
      "wall,box,bpp,1e-06,10,4,3,1,1,2\n";
  const Figures figures = scene_methods_figures(table(scene_methods_header, rows));
  ASSERT_EQ(figures.size(), 2u);
  const auto marks = [](const std::string& svg) {
    int found = 0;
    for (std::size_t at = svg.find("mark\""); at != svg.npos; at = svg.find("mark\"", at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(marks(figures[0].svg), 3);  // two of the legend
  EXPECT_EQ(marks(figures[1].svg), 4);
}

}  // namespace slipstick::internal::report::figures_test
