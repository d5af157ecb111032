// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// slipstick-bandwidth: how near the products of every storage come to the speed of a plain copy, as CSV.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "bench/micro/copy.hpp"
#include "bench/micro/operators.hpp"
#include "slipstick/base/random.hpp"
#include "slipstick/io/report/table_headers.hpp"

namespace slipstick::internal::bench {
namespace {

struct BandwidthOptions {
  Index rows = 1000000;
  int repetitions = 30;
  std::vector<int> threads = {1, 2};
  std::vector<std::string> operators;
};

void measure_family(const OperatorFamily& family, const BandwidthOptions& options) {
  const Operator a = family.make(options.rows);
  Copy copy(a.bytes_per_product());
  Random random(1);
  Vector x(a.rows());
  for (double& value : x) value = random.uniform(-1.0, 1.0);
  Vector y(a.rows());
  for (const int threads : options.threads) {
    Versus best;
    for (int repetition = 0; repetition < options.repetitions; ++repetition) {
      const double copied = seconds_of([&] { copy(threads); });
      const double multiplied = seconds_of([&] { a.multiply(x, y, threads); });
      best.add(multiplied, copied);
    }
    const double speed = a.bytes_per_product() / best.seconds;
    const double copy_speed = copy.bytes() / best.copy_seconds;
    fmt::print("{},{},{},{:.0f},{},{:.6e},{:.6e},{:.2f},{:.2f},{:.3f}\n", family.name, a.rows(), a.nonzeros(),
               a.bytes_per_product(), threads, best.seconds, best.copy_seconds, 1e-9 * speed,
               1e-9 * copy_speed, speed / copy_speed);
    std::fflush(stdout);
  }
}

int run(int argc, char** argv) {
  BandwidthOptions options;
  CLI::App app(
      "Bandwidth of the operator products against a copy of as many bytes, best of several, in turns");
  app.add_option("--rows", options.rows, "rows of the operators")->check(CLI::Range(1000, 100000000));
  app.add_option("--repetitions", options.repetitions, "turns, the best counts")->check(CLI::PositiveNumber);
  app.add_option("--threads", options.threads, "numbers of threads")->delimiter(',');
  app.add_option("--operators", options.operators, "these alone")->delimiter(',');
  CLI11_PARSE(app, argc, argv);

  fmt::print("{}\n", report::bandwidth_header);
  for (const OperatorFamily& family : operator_families()) {
    const auto& wanted = options.operators;
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), family.name) != wanted.end()) {
      measure_family(family, options);
    }
  }
  return 0;
}

}  // namespace
}  // namespace slipstick::internal::bench

int main(int argc, char** argv) {
  return slipstick::internal::bench::run(argc, argv);
}
