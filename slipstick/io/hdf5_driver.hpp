// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/io/hdf5_handle.hpp"

namespace slipstick::internal {

/// The first error of writing a file, as errno. 0: none.
struct Hdf5WriteStatus {
  int error = 0;
};

/// Access properties of a file that is written. HDF5 cannot close a file whose disk is full: it keeps what it
/// could not write, and may crash later. This driver notes the first error, and drops all writes after it. So
/// HDF5 closes the file as usual, and the caller asks the status. The status must outlive the file.
Hdf5Handle remembering_driver(Hdf5WriteStatus& status);

}  // namespace slipstick::internal
