// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// On damaged files the HDF5 library asks for the absurd sizes that it finds there. It copes if it is refused,
// but then leaks some of its own memory. We cannot fix either. Only the sanitizers call these functions.

extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
  return "allocator_may_return_null=1";
}

extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libhdf5";
}
