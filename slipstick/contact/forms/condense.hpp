// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "slipstick/linalg/condensed_operator.hpp"
#include "slipstick/linalg/delassus_operator.hpp"
#include "slipstick/linalg/storage_pool.hpp"
#include "slipstick/problem.hpp"
#include "slipstick/problems/convert_delassus.hpp"
#include "slipstick/solve.hpp"

namespace slipstick::internal {

/// Products B' M^-1 B of sparse matrices. Keeps its storage.
class Congruence {
 public:
  /// Takes B, and computes M^-1 B.
  void set(const ComponentInverse& inverse, const CsrMatrix& B);
  /// to <- B' M^-1 B + C, symmetric to the bit. An empty C is zero.
  void multiply(const Vector& compliance, CsrMatrix& to);

 private:
  CsrMatrix transposed_;
  CsrMatrix columns_, response_;  // M^-1 B by columns, and by rows
  CsrMatrix product_, transposed_product_;
  CsrBuilder builder_;
  Vector part_;
  std::vector<int> touched_;
};

/// The local form of a global contact problem, with M eliminated:
///     W = H' M^-1 H + C,  q = H' M^-1 f + w.
/// If M is block diagonal over a body graph, W stays matrix-free (DelassusOperator). Otherwise M is factored,
/// and W is assembled or not (CondensedOperator). An elastic body couples all its contacts. W then costs a
/// solve for each of its rows, and its factors cost the cube of their number. M + H D H' is hardly denser
/// than M. Throws Error with the row if M is not positive definite.
class CondensedProblem {
 public:
  CondensedProblem() = default;
  explicit CondensedProblem(const GlobalContactProblem& problem,
                            Condensation condensation = Condensation::assembled) {
    set(problem, condensation);
  }
  /// Data that depend only on M, H and C are kept if these are the same as before. `problem` must outlive the
  /// use. Allocates nothing if the components of M are small, W is matrix-free over a body graph, and the
  /// last matrices had the same pattern.
  void set(const GlobalContactProblem& problem, Condensation condensation);

  const LocalContactProblem& local() const { return local_; }
  const ComponentInverse& inverse() const { return *inverse_; }
  /// The diagonal of W.
  const Vector& diagonal() const { return diagonal_; }
  /// v <- M^-1 (H r + f)
  void velocity(const Vector& r, Vector& v) const;

 private:
  void set_mass(const CsrMatrix& M);
  void set_matrices(const GlobalContactProblem& problem, Condensation condensation);
  Operator assembled();
  bool implicit_is_cheaper(const GlobalContactProblem& problem, const CondensedOperator& W) const;

  const GlobalContactProblem* problem_ = nullptr;
  Condensation condensation_ = Condensation::assembled;
  std::shared_ptr<const CsrMatrix> mass_;
  std::shared_ptr<const ComponentInverse> inverse_;
  CsrMatrix H_;          // copies, to compare with the next problem
  bool is_set_ = false;  // W is that of the matrices above
  Vector compliance_;
  Vector diagonal_;
  LocalContactProblem local_;
  Vector free_velocity_;  // M^-1 f

  Congruence congruence_;

  // Storages of W and M, also of earlier ones.
  BodyGraphReader graph_reader_;
  StoragePool<DelassusOperator> graphs_;
  StoragePool<CsrMatrix> masses_, matrices_;
  StoragePool<ComponentInverse> inverses_;
};

}  // namespace slipstick::internal
