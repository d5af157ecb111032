// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "slipstick/contact/coulomb/coulomb_method.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/storage_pool.hpp"
#include "slipstick/solve/contact_solver.hpp"

namespace slipstick::internal {

/// A solver of whole contact problems as a stage of a chain. It gets the island as a problem of its own.
class SolverStage : public CoulombMethod {
 public:
  /// `make` gives the solver when it is first needed.
  SolverStage(std::string_view name, std::function<std::unique_ptr<ContactSolver>()> make)
      : name_(name), make_(std::move(make)) {}
  std::string_view name() const override { return name_; }
  void run(const Context& context) override;

 private:
  void copy_problem(const Context& context);
  void copy_rows(const Context& context);
  void copy_matrix(const Context& context);

  std::string_view name_;
  std::function<std::unique_ptr<ContactSolver>()> make_;
  std::unique_ptr<ContactSolver> solver_;
  std::vector<int> places_;  // of the rows of the island among those of the problem, -1: it has none
  CsrBuilder builder_;
  StoragePool<CsrMatrix> matrices_;
  LocalContactProblem problem_;
  Result result_;
  WarmStart start_;
  Vector r_, u_;
};

}  // namespace slipstick::internal
