// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "slipstick/cuda/launch_options.hpp"
#include "slipstick/cuda/spike_engine.hpp"

namespace slipstick::internal {

/// The constant part of a Newton matrix on a body graph (see BodyMatrix): consecutive unknowns form blocks of
/// up to three, and a block touches bodies.
struct NewtonBodies {
  int unknowns = 0, blocks = 0, bodies = 0, dofs = 0;
  const int* block_start = nullptr;  ///< first unknown of every block, then the number of unknowns
  const int* touch_start = nullptr;  ///< of every block in `body`, then the number of touches
  const int* body = nullptr;         ///< of every touch
  const int* body_start = nullptr;   ///< of every body in `touch_of_body`, then the number of touches
  const int* touch_of_body = nullptr;
  const int* block_of_touch = nullptr;
  const double* jacobian = nullptr;    ///< S J L: 3 x dofs numbers per touch, column by column
  const double* compliance = nullptr;  ///< S C S: three numbers per block
  int touches() const { return touch_start[blocks]; }
};

/// The sparse Newton matrix on the contacts, scaled by a diagonal U.
struct NewtonContacts {
  int unknowns = 0;
  const int* row_start = nullptr;
  const int* column = nullptr;
};

/// The entries of the preconditioner's matrix in the order of its band.
struct NewtonOrder {
  int rows = 0;
  std::size_t entries = 0;
  const int* row = nullptr;
  const int* column = nullptr;
  const int* place = nullptr;  ///< where each row of the matrix is in this order
};

/// The systems (Q'S A S Q + diag(l^2)) v = r of an interior point method on a CUDA device: products, a
/// preconditioner by SPIKE, and the vectors of a Krylov method, which are known by their numbers. Sums are in
/// a fixed order.
class NewtonEngine {
 public:
  static constexpr int vectors = 16;

  NewtonEngine();
  ~NewtonEngine();

  /// Takes the constant parts of one of the two kinds, and the order of the band.
  void set(const NewtonBodies& bodies, const NewtonOrder& order);
  void set(const NewtonContacts& contacts, const NewtonOrder& order);

  /// Takes the values of an iteration and factorizes the preconditioner. `band` are the values of the order,
  /// `unit` scales its rows. By block, column by column: frames Q, and the inverses of Q'S C S Q + diag(l^2).
  SpikeOutcome factorize(const SpikeRequest& request, const double* band, const double* unit,
                         const double* frames, const double* inverses, const double* squares);
  /// The same on the contacts: the values of U (T + diag(l^2)) U, and U.
  SpikeOutcome factorize(const SpikeRequest& request, const double* band, const double* unit,
                         const double* values);

  void multiply(int from, int to);
  void precondition(int from, int to);

  void copy_to_device(const double* from, int to);
  void copy_to_host(int from, double* to);
  void copy(int from, int to);
  void clear(int v);
  void add(double a, int x, int y);   ///< y += a x
  void turn(int x, double a, int y);  ///< y = x + a y
  double dot(int x, int y);

  void set_launches(const LaunchOptions& options);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace slipstick::internal
