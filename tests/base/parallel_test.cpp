// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/base/parallel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

namespace slipstick::internal::parallel_test {

using Pieces = std::vector<std::pair<std::ptrdiff_t, std::ptrdiff_t>>;

Pieces pieces_of(std::ptrdiff_t count, int threads) {
  Pieces pieces;
  std::mutex mutex;
  parallel_for(count, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    const std::lock_guard lock(mutex);
    pieces.emplace_back(begin, end);
  });
  std::sort(pieces.begin(), pieces.end());
  return pieces;
}

TEST(ParallelFor, EveryIndexOnce) {
  for (const std::ptrdiff_t count : {0, 1, 2, 3, 5, 7, 16, 100, 1001}) {
    for (const int threads : {-1, 0, 1, 2, 3, 4, 7, 16, 33}) {
      std::vector<int> visits(static_cast<std::size_t>(count), 0);
      parallel_for(count, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
        for (std::ptrdiff_t i = begin; i < end; ++i) ++visits[static_cast<std::size_t>(i)];
      });
      EXPECT_EQ(visits, std::vector<int>(static_cast<std::size_t>(count), 1)) << count << " " << threads;
    }
  }
}

TEST(ParallelFor, PiecesAreContiguousAndEven) {
  for (const std::ptrdiff_t count : {2, 10, 97}) {
    for (const int threads : {2, 3, 8}) {
      const Pieces pieces = pieces_of(count, threads);
      ASSERT_EQ(pieces.size(), static_cast<std::size_t>(threads));
      std::ptrdiff_t end = 0;
      for (const auto& piece : pieces) {
        EXPECT_EQ(piece.first, end);
        EXPECT_GE(piece.second - piece.first, count / threads);
        EXPECT_LE(piece.second - piece.first, count / threads + 1);
        end = piece.second;
      }
      EXPECT_EQ(end, count);
      EXPECT_EQ(pieces, pieces_of(count, threads));
    }
  }
}

TEST(ParallelFor, OnePieceWithoutThreads) {
  EXPECT_EQ(pieces_of(10, 1), (Pieces{{0, 10}}));
  EXPECT_EQ(pieces_of(1, 8), (Pieces{{0, 1}}));
}

TEST(ParallelFor, Nested) {
  // An inner loop gets one thread from OpenMP, and must do all of its pieces with it.
  std::vector<int> visits(60, 0);
  parallel_for(6, 2, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    for (std::ptrdiff_t i = begin; i < end; ++i) {
      parallel_for(10, 3, [&](std::ptrdiff_t first, std::ptrdiff_t last) {
        for (std::ptrdiff_t j = first; j < last; ++j) ++visits[static_cast<std::size_t>(10 * i + j)];
      });
    }
  });
  EXPECT_EQ(visits, std::vector<int>(60, 1));
}

TEST(ParallelFor, AnExceptionReachesTheCaller) {
  for (const int threads : {1, 2, 4}) {
    const auto fail_late = [](std::ptrdiff_t, std::ptrdiff_t end) {
      if (end == 100) throw std::runtime_error("range");
    };
    EXPECT_THROW(parallel_for(100, threads, fail_late), std::runtime_error);
  }
}

TEST(ParallelTasks, EveryTaskOnceByAThreadThatExists) {
  for (const int threads : {1, 2, 4}) {
    std::vector<int> visits(100, 0);
    parallel_tasks(100, threads, 3, [&](std::ptrdiff_t task, int thread) {
      EXPECT_GE(thread, 0);
      EXPECT_LT(thread, threads);
      ++visits[static_cast<std::size_t>(task)];
    });
    EXPECT_EQ(visits, std::vector<int>(100, 1));
  }
}

TEST(ParallelTasks, AnExceptionReachesTheCallerAndEndsTheRest) {
  for (const int threads : {1, 2, 4}) {
    EXPECT_THROW(parallel_tasks(1000, threads, 1,
                                [](std::ptrdiff_t task, int) {
                                  if (task % 7 == 3) throw std::runtime_error("task");
                                }),
                 std::runtime_error);
  }
}

TEST(OrderedTasks, ATaskBeginsWhenThoseBeforeItHaveEnded) {
  // Groups of 1, 2, ..., 10 tasks, each after all groups before it.
  std::vector<int> after;
  for (int size = 1; size <= 10; ++size) after.insert(after.end(), static_cast<std::size_t>(size), 0);
  for (int size = 1, first = 0; size <= 10; first += size, ++size)
    std::fill_n(after.begin() + first, size, first);
  for (const int threads : {1, 2, 5}) {
    std::vector<std::atomic<int>> visits(after.size());
    ordered_tasks(after, threads, [&](int task, int thread) {
      EXPECT_LT(thread, threads);
      for (int before = 0; before < after[static_cast<std::size_t>(task)]; ++before)
        EXPECT_EQ(visits[static_cast<std::size_t>(before)], 1);
      ++visits[static_cast<std::size_t>(task)];
    });
    for (const std::atomic<int>& count : visits) EXPECT_EQ(count, 1);
  }
}

TEST(OrderedTasks, AnExceptionReachesTheCaller) {
  const std::vector<int> after{0, 0, 2, 3};
  for (const int threads : {1, 3}) {
    EXPECT_THROW(ordered_tasks(after, threads,
                               [](int task, int) {
                                 if (task == 1) throw std::runtime_error("task");
                               }),
                 std::runtime_error);
  }
}

}  // namespace slipstick::internal::parallel_test
