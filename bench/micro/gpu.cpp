// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// Iterations on a CUDA device against a plain copy in the same run. Writes CSV.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <vector>

#include "bench/micro/grid_packing.hpp"
#include "slipstick/base/timer.hpp"
#include "slipstick/cuda/apgd_engine.hpp"
#include "slipstick/cuda/device.hpp"

using namespace slipstick;
using namespace slipstick::internal;

namespace {

const char* name_of(ContactShape shape) {
  constexpr const char* names[] = {"spheres", "arms", "general"};
  return names[static_cast<int>(shape)];
}

void print_apgd(const GridPacking& packing, double prepare_seconds) {
  Timer timer;
  ApgdEngine engine;
  const ContactArrays arrays = packing.arrays();
  engine.set_contacts(arrays);
  engine.set_problem(arrays);
  const double upload_seconds = timer.seconds();
  std::vector<double> x(arrays.size(), 0.0);
  ApgdState state;
  state.conic = 1;
  state.weight = 1.0;
  engine.start(x.data(), state);
  const double microseconds = engine.time_iterations(15);
  const double bytes = engine.bytes_per_iteration();
  const double copy =
      copy_bandwidth(std::max<std::size_t>(std::size_t{144} << 20, static_cast<std::size_t>(bytes) / 2));
  const double rate = 1e6 * bytes / microseconds;
  fmt::print("{},apgd-cuda,{},{},{},{},{:.2f},{:.0f},{:.3f},{:.3f},{:.3f},{:.2f},{:.2f}\n",
             device_info().name, name_of(arrays.shape), packing.layout().contacts(),
             packing.layout().bodies(), packing.layout().rows(), microseconds,
             bytes / packing.layout().contacts(), 1e-12 * rate, 1e-12 * copy, rate / copy, prepare_seconds,
             upload_seconds);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Microseconds per iteration on a CUDA device, as CSV");
  std::vector<double> sizes = {1e4, 1e5, 1e6, 1e7};
  double most_general = 1.5e6;
  app.add_option("--contacts", sizes, "Numbers of contacts")->delimiter(',');
  app.add_option("--most-general", most_general, "Largest number of contacts with tensors and joints");
  CLI11_PARSE(app, argc, argv);
  if (!device_info().usable()) {
    fmt::print(stderr, "{}\n", explain_missing_device("slipstick-gpu"));
    return 1;
  }
  fmt::print(
      "device,method,shape,contacts,bodies,rows,us_per_iteration,bytes_per_contact,tb_per_s,copy_tb_per_s,"
      "share_of_copy,"
      "prepare_s,upload_s\n");
  for (const double size : sizes) {
    for (const ContactShape shape : {ContactShape::spheres, ContactShape::arms, ContactShape::general}) {
      if (shape == ContactShape::general && size > most_general) continue;
      Timer timer;
      const GridPacking packing(static_cast<int>(size), shape);
      print_apgd(packing, timer.seconds());
    }
  }
  return 0;
}
