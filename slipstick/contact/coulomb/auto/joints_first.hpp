// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "slipstick/contact/coulomb/coulomb_solver.hpp"
#include "slipstick/linalg/storage_pool.hpp"
#include "slipstick/linsolve/sparse/sparse_cholesky.hpp"

namespace slipstick::internal {

/// Eliminates the rows without bounds of an island, for machines and chains of many joints and few contacts.
/// With F the free rows and O the others,
///     r_F = -W_FF^-1 (q_F + W_FO r_O),
///     u_O = W' r_O + q',  W' = W_OO - W_OF W_FF^-1 W_FO,  q' = q_O - W_OF W_FF^-1 q_F.
/// What is left is a small dense contact problem, which a chain of other methods solves. Mass ratios and the
/// length of a chain are in W_FF, and do not slow down those methods.
///
/// Redundant joints make W_FF singular. It is factorized with a small shift, and refined: columns of W_FO and
/// q_F of joints that do not contradict each other are in its range.
class JointsFirst : public CoulombMethod {
 public:
  static constexpr int most_other_rows = 900;

  /// `make` gives the chain for what is left, under `law`.
  explicit JointsFirst(std::function<CoulombSolver::Chain()> make, FrictionLaw law = FrictionLaw::coulomb)
      : make_(std::move(make)), law_(law) {}
  std::string_view name() const override { return "joints-first"; }
  /// Islands without free rows, or with too many other rows, are not solved, and the status is stalled.
  void run(const Context& context) override;

 private:
  bool list_rows(const Context& context);
  bool factorize(const Context& context);
  void solve_free(VectorView x);
  void reduce(const Context& context);
  void recover(const Context& context);
  // Three for each node.
  std::size_t index(int node, int row) const {
    return 3 * static_cast<std::size_t>(node - begin_) + static_cast<std::size_t>(row);
  }
  int place(int node, int row) const { return places_[index(node, row)]; }

  std::function<CoulombSolver::Chain()> make_;
  FrictionLaw law_;
  std::optional<CoulombSolver> rest_;  // made when it is first needed
  int begin_ = 0;
  static constexpr int absent = std::numeric_limits<int>::min();  // a row with an impulse of zero
  std::vector<int> places_;  // of rows, 3 per node: k >= 0 the k-th free row, -1 - k the k-th other row
  int free_ = 0, others_ = 0;
  CsrMatrix lower_, shifted_;  // W_FF
  SparseCholesky factor_;
  CsrMatrix coupling_;         // W_FO
  DenseMatrix solved_;         // W_FF^-1 W_FO
  Vector load_, solved_load_;  // q_F, and W_FF^-1 q_F
  Vector residual_, right_;    // scratch
  StoragePool<DenseMatrix> matrices_;
  LocalContactProblem problem_;
  Result result_;
  WarmStart start_;
  Vector r_, u_;
};

}  // namespace slipstick::internal
