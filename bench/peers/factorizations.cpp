// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// slipstick-factorizations: our factorizations against CHOLMOD, KLU, UMFPACK and Eigen, in turns, as CSV. The
// matrices are those that methods of this library factorize. All use one thread, and so does the BLAS. Times
// are those of the processor.
//
// A method that needs several factorizations of one pattern analyzes it once. So the analysis has a column
// of its own. `slower` is our time for a factorization, of the fastest of ours, relative to this one's.
#include <cholmod.h>
#include <fmt/format.h>
#include <klu.h>
#include <umfpack.h>

#include <CLI/CLI.hpp>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "bench/peers/factor_matrices.hpp"
#include "slipstick/base/random.hpp"
#include "slipstick/io/report/table_headers.hpp"
#include "slipstick/linalg/banded_matrix.hpp"
#include "slipstick/linsolve/banded/banded_cholesky.hpp"
#include "slipstick/linsolve/sparse/block_lu.hpp"
#include "slipstick/linsolve/sparse/free_set_cholesky.hpp"
#include "slipstick/linsolve/sparse/metis_ordering.hpp"
#include "slipstick/linsolve/sparse/sparse_cholesky.hpp"
#include "slipstick/linsolve/sparse/sparse_lu.hpp"

// If the BLAS is OpenBLAS, it gets one thread, as we do.
extern "C" void openblas_set_num_threads(int threads) __attribute__((weak));

namespace slipstick::internal::bench {
namespace {

// A factorization of ours or of a library.
class Contestant {
 public:
  Contestant(std::string name, bool ours) : name_(std::move(name)), ours_(ours) {}
  virtual ~Contestant() = default;
  const std::string& name() const { return name_; }
  bool ours() const { return ours_; }

  virtual void analyze(const FactorMatrix& matrix) = 0;
  /// Returns false if it failed.
  virtual bool factorize(const FactorMatrix& matrix) = 0;
  virtual void solve(Vector& x) = 0;
  virtual double entries() const = 0;  // of the factors

 private:
  std::string name_;
  bool ours_;
};

class OurCholesky : public Contestant {
 public:
  OurCholesky(std::string name, Ordering ordering) : Contestant(std::move(name), true), factor_(ordering) {}
  void analyze(const FactorMatrix& matrix) override {
    lower_ = matrix.a.triangularView<Eigen::Lower>();
    lower_.makeCompressed();
    factor_.analyze(lower_);
  }
  bool factorize(const FactorMatrix& matrix) override { return factor_.factorize(lower_, matrix.signs); }
  void solve(Vector& x) override { factor_.solve(x); }
  double entries() const override { return static_cast<double>(factor_.nonzeros()); }

 private:
  CsrMatrix lower_;
  SparseCholesky factor_;
};

class OurBlockLu : public Contestant {
 public:
  OurBlockLu(std::string name, bool definite, Ordering ordering)
      : Contestant(std::move(name), true), definite_(definite), lu_(ordering) {}
  void analyze(const FactorMatrix& matrix) override {
    const int size = matrix.block;
    const auto blocks = static_cast<int>(matrix.a.rows()) / size;
    std::vector<int> start = {0}, columns, seen(static_cast<std::size_t>(blocks), -1);
    for (int row = 0; row < blocks; ++row) {
      const std::size_t first = columns.size();
      for (int i = size * row; i < size * (row + 1); ++i)
        for (CsrMatrix::InnerIterator entry(matrix.a, i); entry; ++entry) {
          const auto column = static_cast<int>(entry.col()) / size;
          if (seen[static_cast<std::size_t>(column)] == row) continue;
          seen[static_cast<std::size_t>(column)] = row;
          columns.push_back(column);
        }
      std::sort(columns.begin() + static_cast<std::ptrdiff_t>(first), columns.end());
      start.push_back(static_cast<int>(columns.size()));
    }
    sizes_.assign(static_cast<std::size_t>(blocks), size);
    lu_.analyze(start, columns, sizes_);
    values_.assign(columns.size() * static_cast<std::size_t>(size * size), 0.0);
    for (int row = 0; row < blocks; ++row)
      for (int i = 0; i < size; ++i)
        for (CsrMatrix::InnerIterator entry(matrix.a, size * row + i); entry; ++entry) {
          const auto begin = columns.begin() + start[static_cast<std::size_t>(row)];
          const auto end = columns.begin() + start[static_cast<std::size_t>(row) + 1];
          const auto place =
              std::lower_bound(begin, end, static_cast<int>(entry.col()) / size) - columns.begin();
          const Index in_block = size * i + entry.col() % size;
          values_[static_cast<std::size_t>(place * size * size + in_block)] = entry.value();
        }
  }
  bool factorize(const FactorMatrix& matrix) override {
    lu_.begin(sizes_, definite_);
    const auto size = static_cast<std::size_t>(matrix.block * matrix.block);
    for (std::size_t k = 0; k * size < values_.size(); ++k) lu_.put(k, values_.data() + k * size);
    return lu_.factorize();
  }
  void solve(Vector& x) override { lu_.solve(x); }
  double entries() const override { return lu_.entries() / (definite_ ? 2.0 : 1.0); }

 private:
  bool definite_;
  BlockLu lu_;
  std::vector<int> sizes_;
  std::vector<double> values_;  // by entry of the pattern
};

class OurSparseLu : public Contestant {
 public:
  OurSparseLu() : Contestant("sparse LU", true) {}
  void analyze(const FactorMatrix&) override {}
  bool factorize(const FactorMatrix& matrix) override { return lu_.factorize(matrix.a); }
  void solve(Vector& x) override { lu_.solve(x); }
  double entries() const override { return static_cast<double>(lu_.nonzeros()); }

 private:
  SparseLu lu_;
};

class OurBandedCholesky : public Contestant {
 public:
  OurBandedCholesky() : Contestant("banded Cholesky", true) {}
  void analyze(const FactorMatrix& matrix) override {
    Index width = 0;
    for (Index i = 0; i < matrix.a.rows(); ++i)
      for (CsrMatrix::InnerIterator entry(matrix.a, i); entry; ++entry)
        width = std::max(width, i - entry.col());
    a_ = BandedMatrix(matrix.a.rows(), width);
    for (Index i = 0; i < matrix.a.rows(); ++i)
      for (CsrMatrix::InnerIterator entry(matrix.a, i); entry; ++entry)
        if (entry.col() <= i) a_.at(i, entry.col()) = entry.value();
  }
  bool factorize(const FactorMatrix&) override { return factor_.factorize(a_); }
  void solve(Vector& x) override { factor_.solve(x); }
  double entries() const override { return static_cast<double>(a_.rows() * (a_.bandwidth() + 1)); }

 private:
  BandedMatrix a_{0, 0};
  BandedCholesky factor_;
};

// CHOLMOD reads the lower triangle. A symmetric matrix by rows is one by columns.
class Cholmod : public Contestant {
 public:
  Cholmod(std::string name, int kind) : Contestant(std::move(name), false) {
    cholmod_start(&common_);
    common_.supernodal = kind;
    common_.print = 0;
  }
  ~Cholmod() override {
    cholmod_free_factor(&factor_, &common_);
    cholmod_finish(&common_);
  }
  void analyze(const FactorMatrix& matrix) override {
    cholmod_sparse a = view(matrix.a);
    cholmod_free_factor(&factor_, &common_);
    factor_ = cholmod_analyze(&a, &common_);
  }
  bool factorize(const FactorMatrix& matrix) override {
    cholmod_sparse a = view(matrix.a);
    return factor_ != nullptr && cholmod_factorize(&a, factor_, &common_) != 0 &&
           common_.status == CHOLMOD_OK;
  }
  void solve(Vector& x) override {
    cholmod_dense b = {};
    b.nrow = b.d = b.nzmax = static_cast<std::size_t>(x.size());
    b.ncol = 1;
    b.x = x.data();
    b.xtype = CHOLMOD_REAL;
    b.dtype = CHOLMOD_DOUBLE;
    cholmod_dense* solution = cholmod_solve(CHOLMOD_A, factor_, &b, &common_);
    std::copy_n(static_cast<const double*>(solution->x), x.size(), x.data());
    cholmod_free_dense(&solution, &common_);
  }
  double entries() const override { return common_.lnz; }

  static cholmod_sparse view(const CsrMatrix& a) {
    cholmod_sparse matrix = {};
    matrix.nrow = matrix.ncol = static_cast<std::size_t>(a.rows());
    matrix.nzmax = static_cast<std::size_t>(a.nonZeros());
    matrix.p = const_cast<int*>(a.outerIndexPtr());
    matrix.i = const_cast<int*>(a.innerIndexPtr());
    matrix.x = const_cast<double*>(a.valuePtr());
    matrix.stype = -1;
    matrix.itype = CHOLMOD_INT;
    matrix.xtype = CHOLMOD_REAL;
    matrix.dtype = CHOLMOD_DOUBLE;
    matrix.sorted = matrix.packed = 1;
    return matrix;
  }

 private:
  cholmod_common common_;
  cholmod_factor* factor_ = nullptr;
};

// KLU and UMFPACK take columns. They get A', and solve with its transpose.
class Klu : public Contestant {
 public:
  Klu() : Contestant("KLU", false) { klu_defaults(&common_); }
  ~Klu() override {
    klu_free_numeric(&numeric_, &common_);
    klu_free_symbolic(&symbolic_, &common_);
  }
  void analyze(const FactorMatrix& matrix) override {
    klu_free_symbolic(&symbolic_, &common_);
    const CsrMatrix& a = matrix.a;
    symbolic_ = klu_analyze(static_cast<int>(a.rows()), const_cast<int*>(a.outerIndexPtr()),
                            const_cast<int*>(a.innerIndexPtr()), &common_);
  }
  bool factorize(const FactorMatrix& matrix) override {
    klu_free_numeric(&numeric_, &common_);
    const CsrMatrix& a = matrix.a;
    numeric_ = klu_factor(const_cast<int*>(a.outerIndexPtr()), const_cast<int*>(a.innerIndexPtr()),
                          const_cast<double*>(a.valuePtr()), symbolic_, &common_);
    return numeric_ != nullptr;
  }
  void solve(Vector& x) override {
    klu_tsolve(symbolic_, numeric_, static_cast<int>(x.size()), 1, x.data(), &common_);
  }
  double entries() const override { return static_cast<double>(numeric_->lnz) + numeric_->unz; }

 private:
  klu_common common_;
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;
};

class Umfpack : public Contestant {
 public:
  Umfpack() : Contestant("UMFPACK", false) { umfpack_di_defaults(control_); }
  ~Umfpack() override {
    umfpack_di_free_numeric(&numeric_);
    umfpack_di_free_symbolic(&symbolic_);
  }
  void analyze(const FactorMatrix& matrix) override {
    umfpack_di_free_symbolic(&symbolic_);
    a_ = &matrix.a;
    const auto n = static_cast<int>(a_->rows());
    umfpack_di_symbolic(n, n, a_->outerIndexPtr(), a_->innerIndexPtr(), a_->valuePtr(), &symbolic_, control_,
                        info_);
  }
  bool factorize(const FactorMatrix&) override {
    umfpack_di_free_numeric(&numeric_);
    return umfpack_di_numeric(a_->outerIndexPtr(), a_->innerIndexPtr(), a_->valuePtr(), symbolic_, &numeric_,
                              control_, info_) == UMFPACK_OK;
  }
  void solve(Vector& x) override {
    const Vector b = x;
    umfpack_di_solve(UMFPACK_At, a_->outerIndexPtr(), a_->innerIndexPtr(), a_->valuePtr(), x.data(), b.data(),
                     numeric_, control_, info_);
  }
  double entries() const override { return info_[UMFPACK_LNZ] + info_[UMFPACK_UNZ]; }

 private:
  const CsrMatrix* a_ = nullptr;
  void* symbolic_ = nullptr;
  void* numeric_ = nullptr;
  double control_[UMFPACK_CONTROL] = {}, info_[UMFPACK_INFO] = {};
};

using ByColumns = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

template <class Factor>
class OfEigen : public Contestant {
 public:
  explicit OfEigen(std::string name) : Contestant(std::move(name), false) {}
  void analyze(const FactorMatrix& matrix) override {
    a_ = matrix.a;
    factor_.analyzePattern(a_);
  }
  bool factorize(const FactorMatrix&) override {
    factor_.factorize(a_);
    return factor_.info() == Eigen::Success;
  }
  void solve(Vector& x) override { x = factor_.solve(x).eval(); }
  double entries() const override {
    if constexpr (requires { factor_.nnzU(); }) {
      return static_cast<double>(factor_.nnzL() + factor_.nnzU());
    } else {
      return static_cast<double>(factor_.matrixL().nestedExpression().nonZeros());
    }
  }

 private:
  ByColumns a_;
  Factor factor_;
};

std::vector<std::unique_ptr<Contestant>> contestants(const FactorMatrix& matrix) {
  std::vector<std::unique_ptr<Contestant>> list;
  const auto add = [&]<class Kind, class... Args>(std::type_identity<Kind>, Args&&... args) {
    list.push_back(std::make_unique<Kind>(std::forward<Args>(args)...));
  };
  const Ordering best = least_fill_ordering();
  if (matrix.job != FactorJob::general) {
    add(std::type_identity<OurCholesky>(), "sparse Cholesky", Ordering::amd);
    if (best != Ordering::amd) add(std::type_identity<OurCholesky>(), "sparse Cholesky, METIS", best);
    add(std::type_identity<Cholmod>(), "CHOLMOD, simplicial", CHOLMOD_SIMPLICIAL);
    add(std::type_identity<OfEigen<Eigen::SimplicialLDLT<ByColumns>>>(), "Eigen SimplicialLDLT");
  }
  if (matrix.job == FactorJob::positive) {
    if (matrix.block > 1) add(std::type_identity<OurBlockLu>(), "block LU, definite", true, best);
    if (matrix.name == "band") add(std::type_identity<OurBandedCholesky>());
    add(std::type_identity<Cholmod>(), "CHOLMOD, supernodal", CHOLMOD_SUPERNODAL);
    return list;
  }
  add(std::type_identity<OurBlockLu>(), "block LU", false, best);
  add(std::type_identity<OurSparseLu>());
  add(std::type_identity<Klu>());
  add(std::type_identity<Umfpack>());
  if (matrix.job == FactorJob::general)
    add(std::type_identity<OfEigen<Eigen::SparseLU<ByColumns, Eigen::COLAMDOrdering<int>>>>(),
        "Eigen SparseLU");
  return list;
}

struct Best {
  double analysis = infinity, factor = infinity, solve = infinity, error = infinity;
  bool works = true;
};

double thread_seconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double timed(const auto& body) {
  const double before = thread_seconds();
  body();
  return thread_seconds() - before;
}

// One matrix: the contestants take turns.
void hold(const FactorMatrix& matrix, int rounds, double patience) {
  const auto list = contestants(matrix);
  std::vector<Best> best(list.size());
  Random random(7);
  const Vector exact = Vector::NullaryExpr(matrix.a.rows(), [&] { return random.uniform(-1.0, 1.0); });
  const Vector right_side = matrix.a * exact;
  Vector x;
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t k = 0; k < list.size(); ++k) {
      Contestant& contestant = *list[k];
      Best& its = best[k];
      // What takes long is measured once.
      if (!its.works || (round > 0 && its.factor > patience)) continue;
      if (round == 0) its.analysis = timed([&] { contestant.analyze(matrix); });
      bool works = true;
      its.factor = std::min(its.factor, timed([&] { works = contestant.factorize(matrix); }));
      its.works = works;
      if (!works) continue;
      x = right_side;
      its.solve = std::min(its.solve, timed([&] { contestant.solve(x); }));
      its.error = (matrix.a * x - right_side).norm() / right_side.norm();
    }
  }
  double ours = infinity;
  for (std::size_t k = 0; k < list.size(); ++k)
    if (list[k]->ours() && best[k].works) ours = std::min(ours, best[k].factor);
  for (std::size_t k = 0; k < list.size(); ++k) {
    const Best& its = best[k];
    fmt::print("\"{}\",factorization,{},{},\"{}\",{},{:.3f},{:.3f},{:.4f},{:.0f},{:.1e},{:.3f}\n",
               matrix.name, matrix.a.rows(), matrix.a.nonZeros(), list[k]->name(),
               its.works ? "solved" : "failed", 1e3 * its.analysis, 1e3 * its.factor, 1e3 * its.solve,
               its.works ? list[k]->entries() : 0.0, its.error, ours / its.factor);
    std::fflush(stdout);
  }
}

// Rows leave and enter the free set, some at once as in pivoting methods. CHOLMOD takes them one by one.
constexpr std::size_t rows_at_once = 5;
void hold_row_changes(const FactorMatrix& matrix, int changes) {
  const auto n = static_cast<int>(matrix.a.rows());
  Random random(9);
  std::vector<int> rows;
  for (int k = 0; k < changes; ++k) rows.push_back(static_cast<int>(random.uniform(0.0, 1.0) * n) % n);
  Vector right_side = Vector::Ones(n), ours_x(n), theirs_x(n);

  FreeSetCholesky ours;
  ours.prepare(std::make_shared<const CsrMatrix>(matrix.a));
  std::vector<char> free(static_cast<std::size_t>(n), 1);
  const double ours_factor = timed([&] { ours.set_free(free); });
  double ours_seconds = 0.0, theirs_seconds = 0.0;

  cholmod_common common;
  cholmod_start(&common);
  common.supernodal = CHOLMOD_SIMPLICIAL;
  cholmod_sparse a = Cholmod::view(matrix.a);
  cholmod_factor* factor = cholmod_analyze(&a, &common);
  const double theirs_factor = timed([&] { cholmod_factorize(&a, factor, &common); });
  cholmod_sparse* column =
      cholmod_allocate_sparse(static_cast<std::size_t>(n), 1, static_cast<std::size_t>(matrix.a.nonZeros()),
                              1, 1, 0, CHOLMOD_REAL, &common);
  std::vector<int> step(static_cast<std::size_t>(n));
  for (int k = 0; k < n; ++k) step[static_cast<std::size_t>(static_cast<const int*>(factor->Perm)[k])] = k;
  const int* inverse = step.data();
  // The column of a row that enters, in the order of the factor, without rows that are not free.
  const auto gather = [&](int row) {
    std::vector<std::pair<int, double>> entries;
    for (CsrMatrix::InnerIterator entry(matrix.a, row); entry; ++entry)
      if (free[static_cast<std::size_t>(entry.col())] != 0)
        entries.emplace_back(inverse[entry.col()], entry.value());
    std::sort(entries.begin(), entries.end());
    auto* starts = static_cast<int*>(column->p);
    starts[0] = 0;
    starts[1] = static_cast<int>(entries.size());
    for (std::size_t k = 0; k < entries.size(); ++k) {
      static_cast<int*>(column->i)[k] = entries[k].first;
      static_cast<double*>(column->x)[k] = entries[k].second;
    }
  };
  bool works = true;
  for (const bool enters : {false, true}) {
    for (std::size_t first = 0; first < rows.size(); first += rows_at_once) {
      const std::size_t last = std::min(rows.size(), first + rows_at_once);
      for (std::size_t k = first; k < last; ++k) {
        char& now = free[static_cast<std::size_t>(rows[k])];
        if ((now != 0) == enters) continue;  // drawn twice
        now = enters ? 1 : 0;
        if (enters) gather(rows[k]);
        const auto step_of_row = static_cast<std::size_t>(inverse[rows[k]]);
        theirs_seconds += timed([&] {
          works = works && (enters ? cholmod_rowadd(step_of_row, column, factor, &common)
                                   : cholmod_rowdel(step_of_row, nullptr, factor, &common)) != 0;
        });
      }
      ours_seconds += timed([&] { works = ours.set_free(free, FactorChange::rows) && works; });
    }
  }
  ours_x = right_side;
  ours.solve(ours_x);
  cholmod_dense* b = cholmod_ones(static_cast<std::size_t>(n), 1, CHOLMOD_REAL, &common);
  cholmod_dense* solution = cholmod_solve(CHOLMOD_A, factor, b, &common);
  std::copy_n(static_cast<const double*>(solution->x), n, theirs_x.data());
  const auto error = [&](const Vector& x) { return (matrix.a * x - right_side).norm() / right_side.norm(); };
  const auto line = [&](const char* name, double first, double seconds, const Vector& x) {
    fmt::print("\"{}\",\"{} changes of rows\",{},{},\"{}\",{},{:.3f},{:.3f},nan,nan,{:.1e},{:.3f}\n",
               matrix.name, 2 * changes, n, matrix.a.nonZeros(), name, works ? "solved" : "failed",
               1e3 * first, 1e3 * seconds, error(x), ours_seconds / seconds);
  };
  line("sparse Cholesky, rows", ours_factor, ours_seconds, ours_x);
  line("CHOLMOD, rowadd and rowdel", theirs_factor, theirs_seconds, theirs_x);
  std::fflush(stdout);
  cholmod_free_dense(&solution, &common);
  cholmod_free_dense(&b, &common);
  cholmod_free_sparse(&column, &common);
  cholmod_free_factor(&factor, &common);
  cholmod_finish(&common);
}

}  // namespace
}  // namespace slipstick::internal::bench

int main(int argc, char** argv) {
  using namespace slipstick::internal::bench;
  double scale = 1.0, patience = 2.0;
  int rounds = 5, changes = 50;
  std::vector<std::string> names;
  CLI::App app("our factorizations against those of libraries, as CSV", "slipstick-factorizations");
  app.add_option("--scale", scale, "share of the full sizes")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--rounds", rounds, "of which the best counts")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--patience", patience, "s; what takes longer is measured once")->capture_default_str();
  app.add_option("--changes", changes, "rows that leave and enter")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--matrices", names, "only these");
  CLI11_PARSE(app, argc, argv);
  if (openblas_set_num_threads != nullptr) openblas_set_num_threads(1);
  fmt::print("{}\n", slipstick::internal::report::factorization_header);
  for (const FactorMatrix& matrix : factor_matrices(scale)) {
    if (!names.empty() && std::find(names.begin(), names.end(), matrix.name) == names.end()) continue;
    hold(matrix, rounds, patience);
    if (matrix.pivoted && changes > 0) hold_row_changes(matrix, changes);
  }
}
