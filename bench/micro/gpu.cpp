// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// Iterations on a CUDA device against a plain copy in the same run, and the bits of sixty iterations in ten
// runs. Writes CSV.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

#include "bench/micro/grid_packing.hpp"
#include "slipstick/base/timer.hpp"
#include "slipstick/cuda/apgd_engine.hpp"
#include "slipstick/cuda/device.hpp"
#include "slipstick/cuda/sweep_engine.hpp"
#include "slipstick/io/report/table_headers.hpp"

using namespace slipstick;
using namespace slipstick::internal;

namespace {

const char* name_of(ContactShape shape) {
  constexpr const char* names[] = {"spheres", "arms", "general"};
  return names[static_cast<int>(shape)];
}

constexpr int runs = 10;

// Of ten runs, each with an engine of its own, how many end with the bits of the first one.
template <class Run>
int runs_alike(const ContactArrays& arrays, Run run) {
  std::vector<double> first(arrays.size(), 0.0), again(arrays.size());
  run(first);
  int alike = 1;
  for (int k = 1; k < runs; ++k) {
    std::fill(again.begin(), again.end(), 0.0);
    run(again);
    alike += std::memcmp(again.data(), first.data(), first.size() * sizeof(double)) == 0;
  }
  return alike;
}

void print_line(const char* method, const GridPacking& packing, double microseconds, double bytes,
                double prepare_seconds, double upload_seconds, int alike) {
  const double copy =
      copy_bandwidth(std::max<std::size_t>(std::size_t{144} << 20, static_cast<std::size_t>(bytes) / 2));
  const double rate = 1e6 * bytes / microseconds;
  fmt::print("{},{},{},{},{},{},{:.2f},{:.0f},{:.3f},{:.3f},{:.3f},{:.2f},{:.2f},{}\n", device_info().name,
             method, name_of(packing.layout().shape()), packing.layout().contacts(),
             packing.layout().bodies(), packing.layout().rows(), microseconds,
             bytes / packing.layout().contacts(), 1e-12 * rate, 1e-12 * copy, rate / copy, prepare_seconds,
             upload_seconds, alike);
  std::fflush(stdout);
}

void print_apgd(int contacts, ContactShape shape, StoredNumber storage) {
  Timer timer;
  const GridPacking packing(contacts, shape, ContactOrder::bodies);
  const double prepare_seconds = timer.seconds();
  timer = Timer();
  ApgdEngine engine(storage);
  const ContactArrays arrays = packing.arrays();
  engine.set_contacts(arrays);
  engine.set_problem(arrays);
  const double upload_seconds = timer.seconds();
  std::vector<double> x(arrays.size(), 0.0);
  ApgdState state;
  state.conic = shape == ContactShape::general ? 0 : 1;
  engine.start(x.data(), state);
  const double microseconds = engine.time_iterations(15);
  const int alike = runs_alike(arrays, [&](std::vector<double>& iterate) {
    ApgdEngine fresh(storage);
    fresh.set_contacts(arrays);
    fresh.set_problem(arrays);
    fresh.start(iterate.data(), state);
    for (int k = 0; k < 3; ++k) fresh.iterate(ApgdEngine::steps_per_replay);
    fresh.copy_current(iterate.data());
  });
  print_line(storage == StoredNumber::float64 ? "apgd-cuda" : "apgd-cuda float32", packing, microseconds,
             engine.bytes_per_iteration(), prepare_seconds, upload_seconds, alike);
}

void print_sweeps(int contacts, ContactShape shape, SweepKind kind) {
  Timer timer;
  const GridPacking packing(contacts, shape, ContactOrder::colours);
  const double prepare_seconds = timer.seconds();
  timer = Timer();
  SweepEngine engine(kind);
  const ContactArrays arrays = packing.arrays();
  engine.set_contacts(arrays);
  engine.set_problem(arrays);
  const double upload_seconds = timer.seconds();
  std::vector<double> r(arrays.size(), 0.0);
  engine.start(r.data(), SweepState{});
  const double microseconds = engine.time_sweeps(15);
  const int alike = runs_alike(arrays, [&](std::vector<double>& iterate) {
    SweepEngine fresh(kind);
    fresh.set_contacts(arrays);
    fresh.set_problem(arrays);
    SweepState state = fresh.start(iterate.data(), SweepState{});
    for (int k = 0; k < 6; ++k)
      state = kind == SweepKind::plain ? fresh.sweep(SweepEngine::sweeps_per_replay, false, false)
                                       : fresh.iterate(SweepEngine::sweeps_per_replay, state);
    fresh.copy_current(iterate.data());
  });
  print_line(kind == SweepKind::plain ? "nsgs-cuda" : "nsgs-fast-cuda", packing, microseconds,
             engine.bytes_per_sweep(), prepare_seconds, upload_seconds, alike);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Microseconds per iteration on a CUDA device, as CSV");
  std::vector<double> sizes = {1e4, 1e5, 1e6, 1e7};
  double most_general = 1.5e6;
  app.add_option("--contacts", sizes, "Numbers of contacts")->delimiter(',');
  app.add_option("--most-general", most_general,
                 "Largest number of contacts with tensors and joints, and of sweeps");
  CLI11_PARSE(app, argc, argv);
  if (!device_info().usable()) {
    fmt::print(stderr, "{}\n", explain_missing_device("slipstick-gpu"));
    return 1;
  }
  fmt::print("{}\n", report::gpu_header);
  for (const double size : sizes) {
    for (const ContactShape shape : {ContactShape::spheres, ContactShape::arms, ContactShape::general}) {
      if (shape == ContactShape::general && size > most_general) continue;
      for (const StoredNumber storage : {StoredNumber::float64, StoredNumber::float32})
        print_apgd(static_cast<int>(size), shape, storage);
      if (size > most_general) continue;
      for (const SweepKind kind : {SweepKind::plain, SweepKind::momentum})
        print_sweeps(static_cast<int>(size), shape, kind);
    }
  }
  return 0;
}
