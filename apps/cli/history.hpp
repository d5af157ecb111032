// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "slipstick/base/append_format.hpp"
#include "slipstick/io/report/table_headers.hpp"
#include "slipstick/settings.hpp"

namespace slipstick::internal::cli {

/// The course of a solve in bounded memory. It has every iteration until there are `most` of them. From then
/// on it has every second one, every fourth, and so on. The last iteration is always kept.
class BoundedHistory : public Observer {
 public:
  /// `most` is even.
  explicit BoundedHistory(std::size_t most = std::size_t{1} << 20) : most_(most) {}

  bool observe(const Iteration& i) override {
    last_ = {i.number, i.seconds, i.error, i.active};
    last_kept_ = seen_++ % stride_ == 0;
    if (last_kept_) keep();
    return true;
  }
  bool reads_iterate() const override { return false; }
  void clear() { *this = BoundedHistory(most_); }

  /// iteration,seconds,error,active; active is -1 if the method does not know it.
  std::string csv() const {
    std::string text = std::string(report::history_header) + "\n";
    const auto append = [&](const History::Entry& e) {
      append_format(text, "{},{},{},{}\n", e.iteration, e.seconds, e.error, e.active);
    };
    for (const History::Entry& entry : entries_) append(entry);
    if (!last_kept_) append(last_);
    return text;
  }

 private:
  void keep() {
    entries_.push_back(last_);
    if (entries_.size() < most_) return;
    for (std::size_t i = 0; 2 * i < entries_.size(); ++i) entries_[i] = entries_[2 * i];
    entries_.resize((entries_.size() + 1) / 2);
    stride_ *= 2;
    last_kept_ = false;  // `most` is even, so the newest is one of those that went
  }

  std::size_t most_;
  std::vector<History::Entry> entries_;
  History::Entry last_{};
  bool last_kept_ = true;
  std::uint64_t seen_ = 0;
  std::uint64_t stride_ = 1;
};

}  // namespace slipstick::internal::cli
