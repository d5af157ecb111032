// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

namespace slipstick::internal {

/// Storages of matrices that change from solve to solve. Operators share them, and a shared storage never
/// changes. take() returns a storage that nobody else holds, to be filled again. A loop that drops each
/// matrix some steps later allocates nothing once there are enough storages.
template <class Storage>
class StoragePool {
 public:
  std::shared_ptr<Storage> take() {
    for (const auto& storage : storages_)
      if (storage.use_count() == 1) return storage;
    return storages_.emplace_back(std::make_shared<Storage>());
  }

 private:
  std::vector<std::shared_ptr<Storage>> storages_;
};

}  // namespace slipstick::internal
