// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace slipstick {

/// How pivots on a small problem ended.
enum class PivotEnd { found, nowhere, interrupted };

/// Asked before every set of rows. Who has none is not asked.
class PivotWatch {
 public:
  virtual bool interrupts() = 0;

 protected:
  ~PivotWatch() = default;
};

}  // namespace slipstick
