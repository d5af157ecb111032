// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/report/study_section.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "slipstick/catalog/solver_table.hpp"
#include "slipstick/io/report/table_headers.hpp"

namespace slipstick::internal::study_section_test {

namespace fs = std::filesystem;

constexpr const char* no_table = "No table is recorded at present.\n";

class Results : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "machine");
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_ = fs::path(testing::TempDir()) / "study_section_test";
};

TEST_F(Results, AreSummarized) {
  EXPECT_EQ(study_section(folder_, "qps"), no_table);
  EXPECT_EQ(study_section(folder_ / "nowhere", "qps"), no_table);
  std::ofstream(folder_ / "machine/qps.csv") << "# source: abc, 2026-01-01\n"
                                             << report::contest_header << "\n"
                                             << "qp,qp/A.QPS,0,3,slipstick:auto,1e-06,solved,1.0,1e-9,1e-9\n"
                                             << "qp,qp/A.QPS,0,3,ipopt,1e-06,solved,4.0,1e-9,1e-9\n";
  const std::string page =
      with_generated_sections("<!-- study-qps:begin -->\nold\n<!-- study-qps:end -->\n",
                              [&](std::string_view study) { return study_section(folder_, study); });
  EXPECT_NE(page.find("`machine/qps.csv` (source abc, 2026-01-01)."), std::string::npos) << page;
  EXPECT_NE(page.find("| qp | 1e-06 | slipstick:auto | ipopt | 1 | 1 | 4.00 |"), std::string::npos) << page;
  EXPECT_NE(page.find("| 1e-06 | slipstick:auto | 1 | 1 |"), std::string::npos) << page;
  EXPECT_EQ(page.find("old"), std::string::npos);
}

TEST_F(Results, OfLimitsNameWhatWasOver) {
  std::ofstream(folder_ / "machine/limits.csv") << "# source: abc\n"
                                                << report::limit_header << "\n"
                                                << "lcp,-,pgs,1,0.1,0.2,0.3,time_limit,1,0\n"
                                                << "lcp,-,slow,1,0.1,0.9,1.0,time_limit,1,1\n"
                                                << "lcp,-,pgs,1,5,5.1,5.2,time_limit,1,0\n";
  const std::string text = study_section(folder_, "limits");
  EXPECT_NE(text.find("| 0.1 | 2 | 1 | 0.80 | slow |"), std::string::npos) << text;
  EXPECT_NE(text.find("| 5 | 1 | 0 | 0.10 |  |"), std::string::npos) << text;
}

TEST_F(Results, OfGamesAreBySizeAndMethod) {
  std::ofstream(folder_ / "machine/games.csv") << report::games_header << "\n"
                                               << "50,1,2,5,1,lemke,solved,0.001,7,0\n"
                                               << "50,1,2,5,2,lemke,stalled,0.003,9,1\n"
                                               << "51,1,2,5,1,lemke,solved,0.002,8,0\n";
  const std::string text = study_section(folder_, "games");
  EXPECT_NE(text.find("| up to 50 | lemke | 2 | 1 | 3.00 | 3.0 | 9 |"), std::string::npos) << text;
  EXPECT_NE(text.find("| up to 100 | lemke | 1 | 1 | 2.00 | 2.0 | 8 |"), std::string::npos) << text;
}

}  // namespace slipstick::internal::study_section_test
