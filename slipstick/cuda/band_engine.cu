// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/band_engine.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "slipstick/cuda/band_assembly.cuh"
#include "slipstick/cuda/band_factor.cuh"
#include "slipstick/cuda/band_kernels.cuh"
#include "slipstick/cuda/band_multiply.cuh"
#include "slipstick/cuda/band_substitution.cuh"
#include "slipstick/cuda/runtime.cuh"

namespace slipstick::internal {
namespace {

constexpr int widest_block = 8 * product_groups;  // columns of a block of threads
constexpr int most_at_once = 64;                  // columns of one launch of substitute()
constexpr int inverse_delay = 6;                  // about the columns under way at the same time
constexpr int no_failure = 0x7f7f7f7f;            // what memset can write

int blocks_for(std::size_t threads, int per_block) {
  constexpr std::size_t most = 132 * 16;
  const auto per = static_cast<std::size_t>(per_block);
  return static_cast<int>(std::clamp<std::size_t>((threads + per - 1) / per, 1, most));
}

std::string explain_age(const DeviceInfo& device) {
  if (device.major >= 9) return {};
  return "it needs products of compute capability 9.0, and " + device.name + " has " +
         std::to_string(device.major) + "." + std::to_string(device.minor);
}

std::size_t columns_of_parts(int columns) {
  const auto count = static_cast<std::size_t>(columns);
  return std::max<std::size_t>(512, (count / strip_rows + 1) * (count / widest_block + 1)) *
         (strip_rows * widest_block);
}

}  // namespace

class BandEngine::Implementation {
 public:
  Implementation() {
    if (const std::string reason = explain_age(present_device()); !reason.empty()) throw DeviceError(reason);
    check(cudaFuncSetAttribute(factor_band, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(factor_shared_bytes)),
          "provide shared memory");
    check(cudaFuncSetAttribute(multiply_by_tiles, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(multiply_shared_bytes)),
          "provide shared memory");
  }

  void place(const BandShape& shape, int columns) {
    if (shape == shape_ && columns == columns_) return;
    shape_ = {};
    const auto padded = static_cast<std::size_t>(shape.padded()), count = static_cast<std::size_t>(columns);
    arena_.set([&](DeviceArena& arena) {
      arena.take(matrix_, shape.band_size());
      arena.take(factor_, shape.band_size());
      arena.take(inverse_, shape.inverse_size());
      arena.take(inside_, padded);
      arena.take(shift_, padded);
      arena.take(flags_, flag_count(shape));
      arena.take(arrived_, most_at_once);
      arena.take(x_, padded * most_at_once);
      arena.take(t_, padded * most_at_once);
      arena.take(parts_, 2 * static_cast<std::size_t>(shape.width) * padded);
      arena.take(columns_of_y_, padded * (count + 1));
      arena.take(changes_, count);
      arena.take(pi_, count);
      arena.take(products_, count * (count + 1));
      arena.take(product_parts_, columns_of_parts(columns));
    });
    shape_ = shape;
    columns_ = columns;
    staging_.reserve(padded * most_at_once);
    small_.reserve(count * (count + 1) + 1);
  }

  void fill(const double* band) {
    // The storage of the factor is large enough for the band, and free.
    const std::size_t size =
        static_cast<std::size_t>(shape_.rows) * static_cast<std::size_t>(shape_.bandwidth + 1);
    to_device(factor_, band, size);
    if (shape_.rows > 0)
      launch(stream(), blocks_for(shape_.band_size(), 256), 256, 0, false, fill_tiles, shape_,
             static_cast<const double*>(factor_), matrix_);
    await();
  }

  void fill(std::span<const int> row, std::span<const int> column, std::span<const double> value) {
    check(cudaMemsetAsync(matrix_, 0, shape_.band_size() * sizeof(double), stream()), "clear memory");
    if (value.empty()) return;
    const DeviceVector<int> rows(row.size(), stream()), columns(column.size(), stream());
    const DeviceVector<double> values(value.size(), stream());
    to_device(rows.data(), row.data(), row.size());
    to_device(columns.data(), column.data(), column.size());
    to_device(values.data(), value.data(), value.size());
    launch(stream(), blocks_for(value.size(), 256), 256, 0, false, scatter_entries, shape_,
           static_cast<const int*>(rows.data()), static_cast<const int*>(columns.data()),
           static_cast<const double*>(values.data()), value.size(), matrix_);
    await();
  }

  void fill(const BodyBand& bodies) {
    with_bodies(bodies, [&](const AssemblyView& view) { launch_assembly(view); });
    await();
  }
  // Calls use(view) while the numbers of the bodies are on the device.
  template <class Use>
  void with_bodies(const BodyBand& bodies, const Use& use) {
    const auto on_device = [&]<class T>(std::span<const T> from) {
      DeviceVector<T> to(from.size(), stream());
      to_device(to.data(), from.data(), from.size());
      return to;
    };
    const auto constraints = on_device(bodies.constraints);
    const auto pairs = on_device(bodies.pairs);
    const auto jacobian = on_device(bodies.jacobian), inverse_mass = on_device(bodies.inverse_mass);
    const auto compliance = on_device(bodies.compliance);
    use(AssemblyView{.shape = shape_,
                     .dofs = bodies.dofs,
                     .diagonal_mass = bodies.diagonal_mass,
                     .most_rows = bodies.most_rows,
                     .constraints = constraints.data(),
                     .pairs = pairs.data(),
                     .pair_count = bodies.pairs.size(),
                     .jacobian = jacobian.data(),
                     .inverse_mass = inverse_mass.data(),
                     .compliance = compliance.data(),
                     .tiles = matrix_});
  }
  void launch_assembly(const AssemblyView& view) {
    check(cudaMemsetAsync(matrix_, 0, shape_.band_size() * sizeof(double), stream()), "clear memory");
    const std::size_t wanted = view.pair_count * static_cast<std::size_t>(view.most_rows);
    if (wanted > 0) launch(stream(), blocks_for(wanted, 128), 128, 0, false, assemble_pairs, view);
  }

  void multiply(const double* x, double* y) {
    if (shape_.rows == 0) return;
    upload(x, x_);
    launch_product();
    download(t_, y);
  }
  void multiply(const double* x, double* y, int columns, BandProduct how) {
    if (shape_.rows == 0) return;
    for (int first = 0; first < columns; first += most_at_once) {
      const int count = std::min(columns - first, most_at_once);
      const std::size_t start = static_cast<std::size_t>(first) * static_cast<std::size_t>(shape_.rows);
      upload(x + start, x_, count);
      launch_product(count, how);
      download(t_, y + start, count);
    }
  }
  void launch_product(int columns, BandProduct how) {
    const auto padded = static_cast<std::size_t>(shape_.padded());
    const DenseColumns x{x_, padded, columns}, y{t_, padded, columns};
    const auto matrix = static_cast<const double*>(matrix_);
    const auto blocks = [](int count, int size) { return static_cast<unsigned>((count + size - 1) / size); };
    if (how == BandProduct::tiles) {
      launch_grid(dim3(static_cast<unsigned>(shape_.tiles), blocks(columns, BandShape::tile)), tile_threads,
                  multiply_shared_bytes, false, multiply_by_tiles, shape_, matrix, x, y);
      return;
    }
    const dim3 grid(blocks(columns, listing_block), blocks(shape_.rows, listing_block));
    launch_grid(grid, dim3(listing_block, listing_block), 0, false,
                how == BandProduct::naive ? multiply_naive : multiply_shared, shape_, matrix, x, y);
  }
  void launch_product() {
    const dim3 grid(static_cast<unsigned>(shape_.tiles), static_cast<unsigned>(shape_.width));
    launch_grid(grid, 256, 0, false, multiply_tiles, shape_, static_cast<const double*>(matrix_),
                static_cast<const double*>(x_), parts_);
    launch(stream(), (shape_.padded() + 127) / 128, 128, 0, false, add_parts, shape_,
           static_cast<const double*>(parts_), t_);
  }

  int factorize(const char* inside, const double* shift) {
    if (shape_.rows == 0) return -1;
    const auto rows = static_cast<std::size_t>(shape_.rows);
    if (staged_) await();
    auto* staged = reinterpret_cast<unsigned char*>(staging_.data());
    std::memcpy(staged, inside, rows);
    std::fill(staged + rows, staged + shape_.padded(), static_cast<unsigned char>(0));
    to_device(inside_, staged, static_cast<std::size_t>(shape_.padded()));
    shifted_ = shift != nullptr;
    if (shifted_) to_device(shift_, shift, rows);
    launch_factorization();
    auto* number = reinterpret_cast<int*>(small_.data());
    to_host(number, failed_flag(), 1);
    await();
    const int failed = *number;
    return failed == no_failure ? -1 : failed;
  }
  // The flags: the ticket, the failed row, those of the factor, those of the inverse.
  void launch_factorization(bool with_inverses = true) {
    check(cudaMemsetAsync(flags_, 0, flag_count(shape_) * sizeof(int), stream()), "clear memory");
    check(cudaMemsetAsync(failed_flag(), 0x7f, sizeof(int), stream()), "clear memory");
    const FactorView view{.shape = shape_,
                          .matrix = matrix_,
                          .factor = factor_,
                          .inverse = inverse_,
                          .inside = inside_,
                          .shift = shifted_ ? shift_ : nullptr,
                          .ready = flags_ + 2,
                          .inverse_ready = flags_ + 2 + shape_.band_tiles(),
                          .ticket = reinterpret_cast<unsigned*>(flags_),
                          .failed = failed_flag(),
                          .with_inverses = with_inverses,
                          .delay = inverse_delay};
    launch(stream(), multiprocessors(), tile_threads, factor_shared_bytes, false, factor_band, view);
  }

  void solve(double* x, int columns) {
    if (shape_.rows == 0) return;
    for (int first = 0; first < columns; first += most_at_once) {
      const int count = std::min(columns - first, most_at_once);
      double* part = x + static_cast<std::size_t>(first) * static_cast<std::size_t>(shape_.rows);
      upload(part, x_, count);
      launch_substitution<true>(x_, count);
      launch_substitution<false>(x_, count);
      download(x_, part, count);
    }
  }
  template <bool forward>
  void launch_substitution(double* x, int columns) {
    const int strips = shape_.block * strips_per_tile;
    const int most_groups = std::max(1, multiprocessors() / strips);
    for (int first = 0; first < columns; first += most_at_once) {
      const int count = std::min(columns - first, most_at_once);
      double* part = x + static_cast<std::size_t>(first) * static_cast<std::size_t>(shape_.padded());
      if (count <= 8 * most_groups) {
        launch_group<1, forward>(part, count, strips, most_groups);
      } else if (count <= 16 * most_groups) {
        launch_group<2, forward>(part, count, strips, most_groups);
      } else {
        launch_group<4, forward>(part, count, strips, most_groups);
      }
    }
  }

  void move_column(int from, int to) {
    const auto stride = static_cast<std::size_t>(shape_.padded());
    check(cudaMemcpyAsync(column(to), column(from), stride * sizeof(double), cudaMemcpyDeviceToDevice,
                          stream()),
          "copy a column");
  }
  void extend(std::span<const int> changes, int first, const double* r, double* products) {
    const int total = static_cast<int>(changes.size()), added = total - first;
    std::memcpy(small_.data(), changes.data(), changes.size_bytes());
    to_device(changes_, reinterpret_cast<const int*>(small_.data()), changes.size());
    if (added > 0) {
      const dim3 grid(static_cast<unsigned>(std::min(64, (shape_.padded() + 255) / 256)),
                      static_cast<unsigned>(added));
      launch_grid(grid, 256, 0, false, make_columns, shape_, static_cast<const double*>(matrix_),
                  static_cast<const unsigned char*>(inside_), static_cast<const int*>(changes_ + first),
                  column(first));
    }
    upload(r, column(total));
    launch_substitution<true>(column(first), added + 1);
    if (total == 0) return;
    const ComplementView view{.shape = shape_,
                              .tiles = matrix_,
                              .shift = shifted_ ? shift_ : nullptr,
                              .columns = columns_of_y_,
                              .changes = changes_,
                              .total = total,
                              .first = first,
                              .parts = product_parts_,
                              .products = products_};
    const int strips = (total + strip_rows - 1) / strip_rows, blocks = added / widest_block + 1;
    const int splits = std::clamp(2 * multiprocessors() / (strips * blocks), 1, 16);
    launch_grid(
        dim3(static_cast<unsigned>(strips), static_cast<unsigned>(blocks), static_cast<unsigned>(splits)),
        tile_threads, 0, false, multiply_columns, view);
    const std::size_t wanted = static_cast<std::size_t>(total) * static_cast<std::size_t>(added + 1);
    launch(stream(), blocks_for(wanted, 128), 128, 0, false, finish_columns, view, splits);
    to_host(small_.data(), products_, wanted);
    await();
    std::memcpy(products, small_.data(), wanted * sizeof(double));
  }
  void correct(std::span<const double> pi, double* x) {
    const int total = static_cast<int>(pi.size());
    std::memcpy(small_.data(), pi.data(), pi.size_bytes());
    to_device(pi_, small_.data(), pi.size());
    if (total > 0)
      launch(stream(), (shape_.padded() + 127) / 128, 128, 0, false, subtract_columns, shape_, columns_of_y_,
             static_cast<const double*>(pi_), total);
    launch_substitution<false>(column(total), 1);
    download(column(total), x);
  }

  double factor_entry(int row, int column) {
    double value = 0.0;
    to_host(&value, factor_ + entry_place(shape_, row, column), 1);
    await();
    return value;
  }

  void poison() {
    const auto padded = static_cast<std::size_t>(shape_.padded());
    const auto fill_with_nan = [&](double* memory, std::size_t count) {
      check(cudaMemsetAsync(memory, 0xff, count * sizeof(double), stream()), "fill memory");
    };
    fill_with_nan(factor_, shape_.band_size());
    fill_with_nan(inverse_, shape_.inverse_size());
    fill_with_nan(shift_, padded);
    fill_with_nan(x_, padded * most_at_once);
    fill_with_nan(t_, padded * most_at_once);
    fill_with_nan(parts_, 2 * static_cast<std::size_t>(shape_.width) * padded);
    fill_with_nan(columns_of_y_, padded * static_cast<std::size_t>(columns_ + 1));
    fill_with_nan(product_parts_, columns_of_parts(columns_));
  }

  double time_assembly(const BodyBand& bodies, int repeats) {
    double time = 0.0;
    with_bodies(bodies, [&](const AssemblyView& view) {
      time = median_microseconds(stream(), repeats, [&] { launch_assembly(view); });
    });
    return time;
  }
  double time_factorization(bool with_inverses, int repeats) {
    return median_microseconds(stream(), repeats, [&] { launch_factorization(with_inverses); });
  }
  double time_solve(int columns, int repeats) {
    clear_vectors();
    return median_microseconds(stream(), repeats, [&] {
      launch_substitution<true>(x_, columns);
      launch_substitution<false>(x_, columns);
    });
  }
  double time_product(int repeats) {
    clear_vectors();
    return median_microseconds(stream(), repeats, [&] { launch_product(); });
  }
  double time_product(int columns, BandProduct how, int repeats) {
    clear_vectors();
    return median_microseconds(stream(), repeats, [&] { launch_product(columns, how); });
  }

 private:
  void clear_vectors() {
    const std::size_t bytes = static_cast<std::size_t>(shape_.padded()) * most_at_once * sizeof(double);
    check(cudaMemsetAsync(x_, 0, bytes, stream()), "clear memory");
  }
  static std::size_t flag_count(const BandShape& shape) {
    return 2 + shape.band_tiles() + shape.inverse_tiles();
  }
  static int multiprocessors() { return present_device().multiprocessors; }
  cudaStream_t stream() const { return arena_.stream(); }
  void await() {
    check(cudaStreamSynchronize(stream()), "wait");
    staged_ = false;
  }
  int* failed_flag() const { return flags_ + 1; }
  double* column(int k) const {
    return columns_of_y_ + static_cast<std::size_t>(k) * static_cast<std::size_t>(shape_.padded());
  }

  template <class T>
  void to_device(T* to, const T* from, std::size_t count) {
    if (count > 0)
      check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyHostToDevice, stream()), "copy to it");
  }
  template <class T>
  void to_host(T* to, const T* from, std::size_t count) {
    if (count > 0)
      check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToHost, stream()), "copy from it");
  }
  // Columns to the device, by pinned memory, with zeros past the last row.
  void upload(const double* from, double* to, int columns = 1) {
    if (staged_) await();  // a copy from the same memory may be under way
    const auto rows = static_cast<std::size_t>(shape_.rows),
               padded = static_cast<std::size_t>(shape_.padded());
    double* staged = staging_.data();
    for (int k = 0; k < columns; ++k, from += rows, staged += padded) {
      std::memcpy(staged, from, rows * sizeof(double));
      std::fill(staged + rows, staged + padded, 0.0);
    }
    to_device(to, staging_.data(), padded * static_cast<std::size_t>(columns));
    staged_ = true;
  }
  void download(const double* from, double* to, int columns = 1) {
    const auto rows = static_cast<std::size_t>(shape_.rows),
               padded = static_cast<std::size_t>(shape_.padded());
    to_host(staging_.data(), from, padded * static_cast<std::size_t>(columns));
    await();
    const double* staged = staging_.data();
    for (int k = 0; k < columns; ++k, to += rows, staged += padded)
      std::memcpy(to, staged, rows * sizeof(double));
  }

  template <int groups, bool forward>
  void launch_group(double* x, int columns, int strips, int most_groups) {
    constexpr int width = StripSums<groups>::columns;
    const auto padded = static_cast<std::size_t>(shape_.padded());
    for (int first = 0; first < columns; first += width * most_groups) {
      const int count = std::min(columns - first, width * most_groups);
      check(cudaMemsetAsync(arrived_, 0, most_at_once * sizeof(unsigned), stream()), "clear memory");
      const std::size_t start = static_cast<std::size_t>(first) * padded;
      const SubstitutionView view{shape_, factor_, inverse_, x + start, t_ + start, arrived_, count};
      launch_grid(dim3(static_cast<unsigned>(strips), static_cast<unsigned>((count + width - 1) / width)),
                  tile_threads, 0, true, substitute<groups, forward>, view);
    }
  }

  // `together`: all blocks run at the same time, or the launch fails.
  template <class... Parameters, class... Arguments>
  void launch_grid(dim3 grid, dim3 threads, std::size_t shared_bytes, bool together,
                   void (*kernel)(Parameters...), Arguments&&... arguments) {
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = threads;
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream();
    config.attrs = &attribute;
    config.numAttrs = together ? 1 : 0;
    check(cudaLaunchKernelEx(&config, kernel, std::forward<Arguments>(arguments)...), "start a kernel");
  }

  BandShape shape_;
  int columns_ = 0;
  bool shifted_ = false;
  PinnedArray staging_;  // vectors
  PinnedArray small_;    // changes, pi, products
  bool staged_ = false;
  DeviceArena arena_;
  double *matrix_ = nullptr, *factor_ = nullptr, *inverse_ = nullptr;
  unsigned char* inside_ = nullptr;
  double* shift_ = nullptr;
  int* flags_ = nullptr;
  unsigned* arrived_ = nullptr;
  double *x_ = nullptr, *t_ = nullptr, *parts_ = nullptr;
  double* columns_of_y_ = nullptr;
  int* changes_ = nullptr;
  double *pi_ = nullptr, *products_ = nullptr, *product_parts_ = nullptr;
};

BandEngine::BandEngine() : implementation_(std::make_unique<Implementation>()) {}
BandEngine::~BandEngine() = default;

std::string BandEngine::explain_unsupported(const BandShape& shape, int columns) {
  const DeviceInfo& device = device_info();
  if (std::string reason = explain_age(device); !reason.empty()) return reason;
  const double padded = shape.padded(), count = columns;
  const double bytes =
      8.0 * (2.0 * static_cast<double>(shape.band_size()) + static_cast<double>(shape.inverse_size()) +
             padded * (2.0 * most_at_once + 2.0 * shape.width + count + 2.0) + count * (count + 3.0) +
             static_cast<double>(columns_of_parts(columns)));
  if (bytes <= 0.95 * static_cast<double>(device.memory)) return {};
  const auto mebibytes = [](double amount) {
    return std::to_string(static_cast<long long>(amount / 1048576.0));
  };
  return "its band of " + std::to_string(shape.bandwidth) + " needs " + mebibytes(bytes) +
         " MiB of device memory, and the device has " + mebibytes(static_cast<double>(device.memory));
}

void BandEngine::set_matrix(const BandShape& shape, int columns, const double* band) {
  implementation_->place(shape, columns);
  implementation_->fill(band);
}
void BandEngine::set_matrix(const BandShape& shape, int columns, std::span<const int> row,
                            std::span<const int> column, std::span<const double> value) {
  implementation_->place(shape, columns);
  implementation_->fill(row, column, value);
}
void BandEngine::set_matrix(const BandShape& shape, int columns, const BodyBand& bodies) {
  implementation_->place(shape, columns);
  implementation_->fill(bodies);
}
void BandEngine::multiply(const double* x, double* y) {
  implementation_->multiply(x, y);
}
void BandEngine::multiply(const double* x, double* y, int columns, BandProduct how) {
  implementation_->multiply(x, y, columns, how);
}
int BandEngine::factorize(const char* inside, const double* shift) {
  return implementation_->factorize(inside, shift);
}
void BandEngine::solve(double* x, int columns) {
  implementation_->solve(x, columns);
}
void BandEngine::move_column(int from, int to) {
  implementation_->move_column(from, to);
}
void BandEngine::extend(std::span<const int> changes, int first, const double* r, double* products) {
  implementation_->extend(changes, first, r, products);
}
void BandEngine::correct(std::span<const double> pi, double* x) {
  implementation_->correct(pi, x);
}
double BandEngine::factor_entry(int row, int column) {
  return implementation_->factor_entry(row, column);
}
void BandEngine::poison() {
  implementation_->poison();
}
double BandEngine::time_assembly(const BodyBand& bodies, int repeats) {
  return implementation_->time_assembly(bodies, repeats);
}
double BandEngine::time_factorization(bool with_inverses, int repeats) {
  return implementation_->time_factorization(with_inverses, repeats);
}
double BandEngine::time_solve(int columns, int repeats) {
  return implementation_->time_solve(columns, repeats);
}
double BandEngine::time_product(int repeats) {
  return implementation_->time_product(repeats);
}
double BandEngine::time_product(int columns, BandProduct how, int repeats) {
  return implementation_->time_product(columns, how, repeats);
}

}  // namespace slipstick::internal
