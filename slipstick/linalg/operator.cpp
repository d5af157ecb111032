// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linalg/operator.hpp"

#include <cassert>

#include "slipstick/base/error.hpp"
#include "slipstick/base/overloaded.hpp"
#include "slipstick/base/parallel.hpp"

namespace slipstick::internal {

const Operator& no_operator() {
  static const Operator none;
  return none;
}

std::shared_ptr<const CsrMatrix> Assembler::assemble(const Operator& a) {
  const auto* graph = storage_of<DelassusOperator>(a);
  if (graph == nullptr) return a.assemble();
  const auto matrix = matrices_.take();
  graph->copy_csr(*matrix, scratch_);
  return matrix;
}

}  // namespace slipstick::internal

namespace slipstick {
using namespace internal;
namespace {

// A product that moves fewer bytes ends before other threads start.
constexpr double fewest_bytes_for_threads = 1 << 18;

}  // namespace

Operator::Operator() : storage_(std::make_shared<const CsrMatrix>()) {}
Operator::Operator(CsrMatrix a) {
  a.makeCompressed();
  storage_ = std::make_shared<const CsrMatrix>(std::move(a));
  check_storage();
}
Operator::Operator(BandedMatrix a) : storage_(std::make_shared<const BandedMatrix>(std::move(a))) {}
Operator::Operator(DenseMatrix a) : storage_(std::make_shared<const DenseMatrix>(std::move(a))) {
  check_storage();
}
Operator::Operator(DelassusOperator a) : storage_(std::make_shared<const DelassusOperator>(std::move(a))) {}
Operator::Operator(CondensedOperator a) : storage_(std::make_shared<const CondensedOperator>(std::move(a))) {}

Operator Operator::banded(DenseMatrix lower) {
  return BandedMatrix(std::move(lower));
}

Operator Operator::delassus(int dofs_per_body, Index bodies, std::vector<double> inverse_mass,
                            std::vector<Constraint> constraints, std::vector<double> jacobian,
                            Vector compliance) {
  return DelassusOperator(dofs_per_body, bodies, std::move(inverse_mass), std::move(constraints),
                          std::move(jacobian), std::move(compliance));
}

bool Operator::same_storage(const Operator& other) const {
  return storage_ == other.storage_;
}

void Operator::check_storage() const {
  if (std::visit([](const auto& storage) { return storage == nullptr; }, storage_))
    fail("the matrix of a problem is missing");
  visit([](const auto& a) {
    if constexpr (requires { a.cols(); }) {
      if (a.rows() != a.cols())
        fail("the matrix of a problem must be square, not {} x {}", a.rows(), a.cols());
    }
    if constexpr (requires { a.isCompressed(); }) {
      if (!a.isCompressed()) fail("the sparse matrix of a problem must be compressed");
    }
  });
}

Index Operator::rows() const {
  return visit([](const auto& a) -> Index { return a.rows(); });
}

Index Operator::nonzeros() const {
  return visit(Overloaded{[](const CsrMatrix& a) -> Index { return a.nonZeros(); },
                          [](const DenseMatrix& a) -> Index { return a.size(); },
                          [](const auto& a) -> Index { return a.nonzeros(); }});
}

std::string_view Operator::kind() const {
  constexpr std::string_view names[] = {"sparse", "banded", "dense", "Delassus", "condensed"};
  return names[storage_.index()];
}

bool Operator::matrix_free() const {
  return std::holds_alternative<std::shared_ptr<const DelassusOperator>>(storage_) ||
         std::holds_alternative<std::shared_ptr<const CondensedOperator>>(storage_);
}

double Operator::bytes_per_product() const {
  const double vectors = 16.0 * static_cast<double>(rows());
  return visit(Overloaded{[&](const CsrMatrix& a) { return 12.0 * a.nonZeros() + 4.0 * a.rows() + vectors; },
                          [&](const BandedMatrix& a) { return 8.0 * a.nonzeros() + vectors; },
                          [&](const DenseMatrix& a) { return 8.0 * a.size() + vectors; },
                          [&](const auto& a) { return a.bytes_per_product(); }});
}

void Operator::multiply(ConstVectorView x, VectorView y, int threads) const {
  assert(x.size() == rows() && y.size() == rows());
  if (threads > 1 && bytes_per_product() < fewest_bytes_for_threads) threads = 1;
  visit(Overloaded{[&](const CsrMatrix& a) { internal::multiply(a, x, y, threads); },
                   [&](const DenseMatrix& a) {
                     parallel_for(a.rows(), threads, [&](Index begin, Index end) {
                       y.segment(begin, end - begin).noalias() = a.middleRows(begin, end - begin) * x;
                     });
                   },
                   [&](const auto& a) { a.multiply(x, y, threads); }});
}

void Operator::diagonal(VectorView d) const {
  visit(Overloaded{[&](const BandedMatrix& a) { d = a.lower().row(0).transpose(); },
                   [&](const DelassusOperator& a) { a.diagonal(d); },
                   [&](const CondensedOperator& a) { d = a.diagonal(); },
                   [&](const CsrMatrix& a) {
                     for (Index i = 0; i < a.rows(); ++i) d[i] = internal::entry(a, i, i);
                   },
                   [&](const DenseMatrix& a) { d = a.diagonal(); }});
}

double Operator::entry(Index i, Index j) const {
  return visit(Overloaded{[&](const CsrMatrix& a) { return internal::entry(a, i, j); },
                          [&](const DenseMatrix& a) { return a(i, j); },
                          [&](const auto& a) { return a.entry(i, j); }});
}

void Operator::diagonal_block(Index start, MatrixView block) const {
  for (Index j = 0; j < block.cols(); ++j) {
    for (Index i = 0; i < block.rows(); ++i) block(i, j) = entry(start + i, start + j);
  }
}

std::shared_ptr<const CsrMatrix> Operator::assemble() const {
  if (const auto* sparse = std::get_if<std::shared_ptr<const CsrMatrix>>(&storage_)) return *sparse;
  return std::make_shared<const CsrMatrix>(visit(
      Overloaded{[](const CsrMatrix& a) { return a; }, [](const DenseMatrix& a) { return csr_from_dense(a); },
                 [](const auto& a) { return a.to_csr(); }}));
}

Operator Operator::principal_submatrix(std::span<const int> rows) const {
  return visit([&](const auto& a) -> Operator {
    if constexpr (ThroughBodies<std::decay_t<decltype(a)>>) {
      return a.principal_submatrix(rows);
    } else {
      return internal::principal_submatrix(*assemble(), rows);
    }
  });
}

double Operator::asymmetry() const {
  std::vector<int> scratch;
  return asymmetry(scratch);
}

double Operator::asymmetry(std::vector<int>& scratch) const {
  return visit(Overloaded{[&](const CsrMatrix& a) { return internal::asymmetry(a, scratch); },
                          [](const DenseMatrix& a) {
                            const double largest = a.lpNorm<Eigen::Infinity>();
                            double difference = 0.0;
                            for (Index j = 0; j < a.cols(); ++j)
                              for (Index i = 0; i < j; ++i)
                                difference = std::max(difference, std::abs(a(i, j) - a(j, i)));
                            return largest > 0.0 ? difference / largest : 0.0;
                          },
                          [](const auto&) { return 0.0; }});
}

}  // namespace slipstick
