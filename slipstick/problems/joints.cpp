// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/problems/joints.hpp"

#include <numeric>
#include <vector>

#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/operator.hpp"

namespace slipstick::internal {
namespace {

void append(const Vector& values, Vector& to) {
  const Index before = to.size();
  to.conservativeResize(before + values.size());
  to.tail(values.size()) = values;
}

void append_free_rows(Index rows, Vector& lower, Vector& upper) {
  append(Vector::Constant(rows, -infinity), lower);
  append(Vector::Constant(rows, infinity), upper);
}

bool has_bounds(const auto& problem) {
  return (problem.lower.array() > -infinity).any() || (problem.upper.array() < infinity).any();
}

// The rows or columns of contacts, and those of joints.
struct Split {
  std::vector<int> contacts, joints;
  explicit Split(const auto& problem)
      : contacts(static_cast<std::size_t>(problem.contact_rows())),
        joints(static_cast<std::size_t>(problem.joint_rows())) {
    std::iota(contacts.begin(), contacts.end(), 0);
    std::iota(joints.begin(), joints.end(), static_cast<int>(contacts.size()));
  }
};

std::vector<int> all_rows(const CsrMatrix& a) {
  std::vector<int> rows(static_cast<std::size_t>(a.rows()));
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

}  // namespace

std::optional<LocalParts> parts_of(const LocalContactProblem& problem) {
  if (has_bounds(problem)) return std::nullopt;
  const auto W = problem.W.assemble();
  if (problem.joint_rows() == 0) return LocalParts{*W, {}, {}, problem.q, {}};
  const Split rows(problem);
  LocalParts parts{submatrix(*W, rows.contacts, rows.contacts), submatrix(*W, rows.contacts, rows.joints),
                   submatrix(*W, rows.joints, rows.joints), problem.q.head(problem.contact_rows()),
                   problem.q.tail(problem.joint_rows())};
  CsrMatrix transposed;
  transpose(parts.V, transposed);
  if (!same_entries(transposed, submatrix(*W, rows.joints, rows.contacts))) return std::nullopt;
  return parts;
}

std::optional<GlobalParts> parts_of(const GlobalContactProblem& problem) {
  if (has_bounds(problem) || (problem.compliance.array() != 0.0).any()) return std::nullopt;
  const Split columns(problem);
  const std::vector<int> dofs = all_rows(problem.H);
  return GlobalParts{submatrix(problem.H, dofs, columns.contacts), submatrix(problem.H, dofs, columns.joints),
                     problem.w.head(problem.contact_rows()), problem.w.tail(problem.joint_rows())};
}

}  // namespace slipstick::internal

namespace slipstick {
using namespace internal;

void add_joints(const CsrMatrix& V, const CsrMatrix& R, const Vector& s, LocalContactProblem& problem) {
  const auto W = problem.W.assemble();
  CsrMatrix transposed, whole;
  transpose(V, transposed);
  const Index rows = W->rows(), joints = s.size();
  CsrBuilder builder;
  builder.start(whole, rows + joints, rows + joints);
  for (Index i = 0; i < rows; ++i) {
    builder.add(*W, i);
    builder.add(V, i, 1.0, rows);
    builder.end_row();
  }
  for (Index i = 0; i < joints; ++i) {
    builder.add(transposed, i);
    builder.add(R, i, 1.0, rows);
    builder.end_row();
  }
  problem.W = Operator(std::move(whole));
  append(s, problem.q);
  append_free_rows(joints, problem.lower, problem.upper);
}

void add_joints(const CsrMatrix& G, const Vector& b, GlobalContactProblem& problem) {
  CsrMatrix both;
  CsrBuilder builder;
  builder.start(both, problem.H.rows(), problem.H.cols() + G.cols());
  for (Index i = 0; i < both.rows(); ++i) {
    builder.add(problem.H, i);
    builder.add(G, i, 1.0, problem.H.cols());
    builder.end_row();
  }
  problem.H = std::move(both);
  append(b, problem.w);
  append_free_rows(b.size(), problem.lower, problem.upper);
  if (problem.compliance.size() > 0) append(Vector::Zero(b.size()), problem.compliance);
}

}  // namespace slipstick
