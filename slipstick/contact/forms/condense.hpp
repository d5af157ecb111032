// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "slipstick/linalg/condensed_operator.hpp"
#include "slipstick/linalg/delassus_operator.hpp"
#include "slipstick/linalg/storage_pool.hpp"
#include "slipstick/problem.hpp"
#include "slipstick/problems/convert_delassus.hpp"
#include "slipstick/solve.hpp"

namespace slipstick::internal {

/// The local form of a global contact problem, M eliminated:
///     W = H' M^-1 H, q = H' M^-1 f + w, and with bilateral rows V = H' M^-1 G, R = G' M^-1 G, s = G' M^-1 f
///     + b.
/// Where M is block diagonal over a body graph, W stays matrix-free (DelassusOperator). Otherwise M is
/// factored, and W assembled or not (CondensedOperator): an elastic body couples all its contacts, so that W
/// costs a solve for each of its rows and its factors the cube of their number, where M + H D H' is hardly
/// denser than M. With bilateral rows W is always assembled. Fails with the row where M is not positive
/// definite.
class CondensedProblem {
 public:
  CondensedProblem() = default;
  explicit CondensedProblem(const GlobalContactProblem& problem,
                            Condensation condensation = Condensation::assembled) {
    set(problem, condensation);
  }
  /// What M, H and G alone determine is kept where they are the same as before. `problem` must stay.
  /// Allocates nothing if W is matrix-free over a body graph, and the last ones had the same pattern.
  void set(const GlobalContactProblem& problem, Condensation condensation);

  const LocalContactProblem& local() const { return local_; }
  const ComponentInverse& inverse() const { return *inverse_; }
  /// The diagonal of H' M^-1 H.
  const Vector& diagonal() const { return diagonal_; }
  /// v <- M^-1 (H r + G l + f)
  void velocity(const Vector& r, const Vector& l, Vector& v) const;

 private:
  void set_mass(const CsrMatrix& M);
  void set_matrices(const GlobalContactProblem& problem, Condensation condensation);
  Operator assembled(const CsrMatrix& transposed_h) const;
  bool implicit_is_cheaper(const CondensedOperator& W, int dimension) const;

  const GlobalContactProblem* problem_ = nullptr;
  Condensation condensation_ = Condensation::assembled;
  std::shared_ptr<const CsrMatrix> mass_;
  std::shared_ptr<const ComponentInverse> inverse_;
  CsrMatrix H_, G_;  // as they were
  bool has_bilateral_ = false;
  Vector diagonal_;
  LocalContactProblem local_;
  Vector free_velocity_;  // M^-1 f

  // Of W and M, and of those before them.
  BodyGraphReader graph_reader_;
  StoragePool<DelassusOperator> graphs_;
  StoragePool<CsrMatrix> masses_;
  StoragePool<ComponentInverse> inverses_;
};

}  // namespace slipstick::internal
