// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// The solvers of Siconos' numerics that need no commercial licence.
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <GlobalFrictionContactProblem.h>
#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <MLCP_Solvers.h>
#include <MixedLinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsSparseMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <lcp_cst.h>
#include <mlcp_cst.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>

#include "bench/peers/contest.hpp"
#include "slipstick/base/error.hpp"
#include "slipstick/linalg/csr_matrix.hpp"

namespace slipstick::internal::bench {
namespace {

// Storages of a matrix; each solver gets the one that it likes best. What Siconos derives from one it keeps
// with the matrix.
enum class Storage { dense, blocks, sparse };

// One way to run a solver.
struct Variant {
  const char* name;
  int id;
  Storage storage;
  void (*tune)(SolverOptions& options, double norm) = nullptr;  // norm: the largest sum of a row of W
  Index most_rows = 100000;
  /// Its tolerance tells zeros from other numbers. It is no stop rule.
  bool direct = false;
};

constexpr Index most_dense_rows = 3000;
constexpr Index most_enumerated_rows = 64;

// Local solvers of Gauss-Seidel sweeps.
template <int Local>
void local_solver(SolverOptions& options, double /*norm*/) {
  solver_options_update_internal(&options, 0, Local);
}
void hybrid_newton(SolverOptions& options, double /*norm*/) {
  options.iparam[SICONOS_FRICTION_3D_NSN_HYBRID_STRATEGY] = SICONOS_FRICTION_3D_NSN_HYBRID_STRATEGY_VI_EG_NSN;
}
// The step of fixed points that have no rule for it.
void step_by_norm(SolverOptions& options, double norm) {
  options.dparam[SICONOS_FRICTION_3D_NSN_RHO] = 1.0 / norm;
}
void balance_residuals(SolverOptions& options, double /*norm*/) {
  options.iparam[SICONOS_FRICTION_3D_ADMM_IPARAM_RHO_STRATEGY] =
      SICONOS_FRICTION_3D_ADMM_RHO_STRATEGY_RESIDUAL_BALANCING;
}

void penalty_by_norm(SolverOptions& options, double norm) {
  options.iparam[SICONOS_FRICTION_3D_ADMM_IPARAM_INITIAL_RHO] = SICONOS_FRICTION_3D_ADMM_INITIAL_RHO_NORM_INF;
  balance_residuals(options, norm);
}

constexpr Variant contact_3d[] = {
    {"NSGS", SICONOS_FRICTION_3D_NSGS, Storage::blocks},
    {"NSGS-dense", SICONOS_FRICTION_3D_NSGS, Storage::dense, nullptr, 300},
    {"NSGS-quartic", SICONOS_FRICTION_3D_NSGS, Storage::blocks,
     local_solver<SICONOS_FRICTION_3D_ONECONTACT_QUARTIC>},
    {"NSGS-projection", SICONOS_FRICTION_3D_NSGS, Storage::blocks,
     local_solver<SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration>},
    {"PROX", SICONOS_FRICTION_3D_PROX, Storage::blocks},
    {"PROX-NSGS", SICONOS_FRICTION_3D_PROX, Storage::blocks, local_solver<SICONOS_FRICTION_3D_NSGS>},
    {"PROX-NSN_FB", SICONOS_FRICTION_3D_PROX, Storage::blocks, local_solver<SICONOS_FRICTION_3D_NSN_FB>},
    {"TFP", SICONOS_FRICTION_3D_TFP, Storage::blocks},
    {"NSN_AC", SICONOS_FRICTION_3D_NSN_AC, Storage::sparse},
    {"NSN_AC-dense", SICONOS_FRICTION_3D_NSN_AC, Storage::dense, nullptr, 300},
    {"NSN_AC-hybrid", SICONOS_FRICTION_3D_NSN_AC, Storage::sparse, hybrid_newton},
    {"NSN_AC_TEST", SICONOS_FRICTION_3D_NSN_AC_TEST, Storage::sparse},
    {"NSN_FB", SICONOS_FRICTION_3D_NSN_FB, Storage::sparse},
    {"NSN_FB-dense", SICONOS_FRICTION_3D_NSN_FB, Storage::dense, nullptr, 300},
    {"NSN_NM", SICONOS_FRICTION_3D_NSN_NM, Storage::sparse},
    {"DSFP", SICONOS_FRICTION_3D_DSFP, Storage::blocks},
    {"DSFP-norm", SICONOS_FRICTION_3D_DSFP, Storage::blocks, step_by_norm},
    {"FPP", SICONOS_FRICTION_3D_FPP, Storage::blocks},
    {"EG", SICONOS_FRICTION_3D_EG, Storage::blocks},
    {"VI_FPP", SICONOS_FRICTION_3D_VI_FPP, Storage::blocks},
    {"VI_EG", SICONOS_FRICTION_3D_VI_EG, Storage::blocks},
    {"HP", SICONOS_FRICTION_3D_HP, Storage::blocks},
    {"PFP", SICONOS_FRICTION_3D_PFP, Storage::blocks},
    {"ACLMFP", SICONOS_FRICTION_3D_ACLMFP, Storage::blocks},
    {"ADMM", SICONOS_FRICTION_3D_ADMM, Storage::sparse},
    {"ADMM-RB", SICONOS_FRICTION_3D_ADMM, Storage::sparse, balance_residuals},
    {"ADMM-RB-norm", SICONOS_FRICTION_3D_ADMM, Storage::sparse, penalty_by_norm},
};

constexpr Variant contact_2d[] = {
    {"NSGS", SICONOS_FRICTION_2D_NSGS, Storage::blocks},
    {"NSGS-dense", SICONOS_FRICTION_2D_NSGS, Storage::dense},
    {"CPG", SICONOS_FRICTION_2D_CPG, Storage::dense},
    {"LEMKE", SICONOS_FRICTION_2D_LEMKE, Storage::dense, nullptr, most_dense_rows, true},
    {"ENUM", SICONOS_FRICTION_2D_ENUM, Storage::dense, nullptr, most_enumerated_rows, true},
};

constexpr Variant global_3d[] = {
    {"GFC3D_NSGS", SICONOS_GLOBAL_FRICTION_3D_NSGS, Storage::sparse},
    {"GFC3D_NSGS_WR", SICONOS_GLOBAL_FRICTION_3D_NSGS_WR, Storage::sparse},
    {"GFC3D_PROX_WR", SICONOS_GLOBAL_FRICTION_3D_PROX_WR, Storage::sparse},
    {"GFC3D_DSFP_WR", SICONOS_GLOBAL_FRICTION_3D_DSFP_WR, Storage::sparse},
    {"GFC3D_TFP_WR", SICONOS_GLOBAL_FRICTION_3D_TFP_WR, Storage::sparse},
    {"GFC3D_NSN_AC_WR", SICONOS_GLOBAL_FRICTION_3D_NSN_AC_WR, Storage::sparse},
    {"GFC3D_NSN_AC", SICONOS_GLOBAL_FRICTION_3D_NSN_AC, Storage::sparse},
    {"GFC3D_VI_FPP", SICONOS_GLOBAL_FRICTION_3D_VI_FPP, Storage::sparse},
    {"GFC3D_VI_EG", SICONOS_GLOBAL_FRICTION_3D_VI_EG, Storage::sparse},
    {"GFC3D_ACLMFP", SICONOS_GLOBAL_FRICTION_3D_ACLMFP, Storage::sparse},
    {"GFC3D_ADMM", SICONOS_GLOBAL_FRICTION_3D_ADMM, Storage::sparse},
    {"GFC3D_ADMM-RB", SICONOS_GLOBAL_FRICTION_3D_ADMM, Storage::sparse, balance_residuals},
    {"GFC3D_ADMM-RB-norm", SICONOS_GLOBAL_FRICTION_3D_ADMM, Storage::sparse, penalty_by_norm},
    {"GFC3D_ADMM_WR", SICONOS_GLOBAL_FRICTION_3D_ADMM_WR, Storage::sparse},
    {"GFC3D_IPM", SICONOS_GLOBAL_FRICTION_3D_IPM, Storage::sparse},
};

constexpr Variant lcp[] = {
    {"LEMKE", SICONOS_LCP_LEMKE, Storage::dense, nullptr, most_dense_rows, true},
    {"PIVOT", SICONOS_LCP_PIVOT, Storage::dense, nullptr, most_dense_rows, true},
    {"BARD", SICONOS_LCP_BARD, Storage::dense, nullptr, most_dense_rows, true},
    {"MURTY", SICONOS_LCP_MURTY, Storage::dense, nullptr, most_dense_rows, true},
    {"PIVOT_LUMOD", SICONOS_LCP_PIVOT_LUMOD, Storage::dense, nullptr, most_dense_rows, true},
    {"PATHSEARCH", SICONOS_LCP_PATHSEARCH, Storage::dense, nullptr, most_dense_rows, true},
    {"AVI_CAOFERRIS", SICONOS_LCP_AVI_CAOFERRIS, Storage::dense, nullptr, most_dense_rows, true},
    {"ENUM", SICONOS_LCP_ENUM, Storage::dense, nullptr, most_enumerated_rows, true},
    {"NEWTONMIN", SICONOS_LCP_NEWTONMIN, Storage::dense},
    {"NEWTON_FB_FBLSA", SICONOS_LCP_NEWTON_FB_FBLSA, Storage::dense},
    {"NEWTON_MIN_FBLSA", SICONOS_LCP_NEWTON_MIN_FBLSA, Storage::dense},
    {"PGS", SICONOS_LCP_PGS, Storage::dense},
    {"RPGS", SICONOS_LCP_RPGS, Storage::dense},
    {"PSOR", SICONOS_LCP_PSOR, Storage::dense},
    {"CPG", SICONOS_LCP_CPG, Storage::dense},
    {"LATIN", SICONOS_LCP_LATIN, Storage::dense},
    {"LATIN_W", SICONOS_LCP_LATIN_W, Storage::dense},
    {"CONVEXQP_PG", SICONOS_LCP_CONVEXQP_PG, Storage::dense},
    {"NSGS_SBM", SICONOS_LCP_NSGS_SBM, Storage::blocks},
};

constexpr Variant mlcp[] = {
    {"LCP_LEMKE", SICONOS_MLCP_LCP_LEMKE, Storage::dense, nullptr, most_dense_rows, true},
    {"ENUM", SICONOS_MLCP_ENUM, Storage::dense, nullptr, most_enumerated_rows, true},
    {"DIRECT_ENUM", SICONOS_MLCP_DIRECT_ENUM, Storage::dense, nullptr, most_enumerated_rows, true},
    {"FB", SICONOS_MLCP_FB, Storage::dense},
    {"DIRECT_FB", SICONOS_MLCP_DIRECT_FB, Storage::dense},
    {"PGS", SICONOS_MLCP_PGS, Storage::dense},
    {"RPGS", SICONOS_MLCP_RPGS, Storage::dense},
    {"PSOR", SICONOS_MLCP_PSOR, Storage::dense},
    {"RPSOR", SICONOS_MLCP_RPSOR, Storage::dense},
};

// Solver options are written back into by some solvers: every solve starts from the same.
class KeptOptions {
 public:
  explicit KeptOptions(const Variant& variant, double norm = 1.0)
      : options_(solver_options_create(variant.id)) {
    if (options_ == nullptr) fail("Siconos has no solver {}", variant.name);
    options_->iparam[SICONOS_IPARAM_MAX_ITER] = 100000000;
    if (variant.tune != nullptr) variant.tune(*options_, norm);
    save(*options_);
  }
  SolverOptions* with_tolerance(double tolerance) {
    std::size_t next = 0;
    restore(*options_, next);
    if (tolerance > 0.0) options_->dparam[SICONOS_DPARAM_TOL] = tolerance;
    return options_;
  }

 private:
  struct Parameters {
    int iparam[OPTIONS_PARAM_SIZE];
    double dparam[OPTIONS_PARAM_SIZE];
  };
  void save(const SolverOptions& options) {
    Parameters& saved = saved_.emplace_back();
    std::memcpy(saved.iparam, options.iparam, sizeof saved.iparam);
    std::memcpy(saved.dparam, options.dparam, sizeof saved.dparam);
    for (std::size_t k = 0; k < options.numberOfInternalSolvers; ++k) save(*options.internalSolvers[k]);
  }
  void restore(SolverOptions& options, std::size_t& next) const {
    const Parameters& saved = saved_[next++];
    std::memcpy(options.iparam, saved.iparam, sizeof saved.iparam);
    std::memcpy(options.dparam, saved.dparam, sizeof saved.dparam);
    for (std::size_t k = 0; k < options.numberOfInternalSolvers && next < saved_.size(); ++k) {
      restore(*options.internalSolvers[k], next);
    }
  }

  SolverOptions* options_;
  std::vector<Parameters> saved_;
};

// Matrices live until their process ends: Siconos frees with C's allocator what it was given.
NumericsMatrix* dense_matrix(const CsrMatrix& a) {
  NumericsMatrix* matrix = NM_create(NM_DENSE, static_cast<int>(a.rows()), static_cast<int>(a.cols()));
  Eigen::Map<DenseMatrix>(matrix->matrix0, a.rows(), a.cols()) = DenseMatrix(a);
  return matrix;
}

NumericsMatrix* sparse_matrix(const CsrMatrix& a) {
  NumericsMatrix* matrix = NM_create(NM_SPARSE, static_cast<int>(a.rows()), static_cast<int>(a.cols()));
  NM_triplet_alloc(matrix, a.nonZeros());
  matrix->matrix2->origin = NSM_TRIPLET;
  for (Index i = 0; i < a.rows(); ++i) {
    for (CsrMatrix::InnerIterator entry(a, i); entry; ++entry) {
      CSparseMatrix_entry(matrix->matrix2->triplet, entry.row(), entry.col(), entry.value());
    }
  }
  return matrix;
}

template <class T>
T* allocated(std::size_t count) {
  return static_cast<T*>(std::calloc(std::max<std::size_t>(count, 1), sizeof(T)));
}

// Square blocks of one size; the diagonal ones are stored even if they are zero.
NumericsMatrix* block_matrix(const CsrMatrix& a, int size) {
  const auto count = static_cast<unsigned>(a.rows() / size);
  SparseBlockStructuredMatrix* blocks = SBM_new();
  blocks->blocknumber0 = blocks->blocknumber1 = count;
  blocks->blocksize0 = allocated<unsigned>(count);
  blocks->blocksize1 = allocated<unsigned>(count);
  for (unsigned k = 0; k < count; ++k) blocks->blocksize0[k] = blocks->blocksize1[k] = (k + 1) * size;
  std::vector<std::map<int, double*>> rows(count);
  for (unsigned i = 0; i < count; ++i) rows[i][static_cast<int>(i)] = allocated<double>(size * size);
  for (Index i = 0; i < a.rows(); ++i) {
    for (CsrMatrix::InnerIterator entry(a, i); entry; ++entry) {
      double*& block = rows[i / size][static_cast<int>(entry.col()) / size];
      if (block == nullptr) block = allocated<double>(size * size);
      block[i % size + entry.col() % size * size] = entry.value();
    }
  }
  std::size_t total = 0;
  for (const auto& row : rows) total += row.size();
  blocks->nbblocks = static_cast<unsigned>(total);
  blocks->filled1 = count + 1;
  blocks->filled2 = total;
  blocks->index1_data = allocated<std::size_t>(count + 1);
  blocks->index2_data = allocated<std::size_t>(total);
  blocks->block = allocated<double*>(total);
  std::size_t next = 0;
  for (unsigned i = 0; i < count; ++i) {
    for (const auto& [column, block] : rows[i]) {
      blocks->index2_data[next] = static_cast<std::size_t>(column);
      blocks->block[next++] = block;
    }
    blocks->index1_data[i + 1] = next;
  }
  return NM_new_SBM(static_cast<int>(a.rows()), static_cast<int>(a.cols()), blocks);
}

NumericsMatrix* stored(const CsrMatrix& a, Storage storage, int block) {
  switch (storage) {
    case Storage::dense:
      return dense_matrix(a);
    case Storage::blocks:
      return block_matrix(a, block);
    case Storage::sparse:
      break;
  }
  return sparse_matrix(a);
}

double* copied(const Vector& vector) {
  auto* values = allocated<double>(static_cast<std::size_t>(vector.size()));
  std::copy(vector.begin(), vector.end(), values);
  return values;
}

double largest_row_sum(const CsrMatrix& a) {
  return (a.cwiseAbs() * Vector::Ones(a.cols())).maxCoeff();
}

// Errors relative to a q shorter than this are absolute there. Impulses scale with q, so such a q is made one
// of length 1.
constexpr double short_q = 1e-8;

class LocalAttempt : public Attempt {
 public:
  LocalAttempt(const LocalContactProblem& problem, const Variant& variant)
      : options_(variant, largest_row_sum(*problem.W.assemble())) {
    const double length = problem.q.norm();
    scale_ = length > 0.0 && length < short_q ? length : 1.0;
    problem_ = frictionContactProblem_new_with_data(
        problem.dimension, static_cast<int>(problem.contacts()),
        stored(*problem.W.assemble(), variant.storage, problem.dimension), copied(problem.q / scale_),
        copied(problem.mu));
    reaction_.resize(problem.q.size());
    velocity_.resize(problem.q.size());
  }
  void solve(double tolerance) override {
    reaction_.setZero();
    velocity_.setZero();
    SolverOptions* options = options_.with_tolerance(tolerance);
    const auto driver = problem_->dimension == 3 ? fc3d_driver : fc2d_driver;
    driver(problem_, reaction_.data(), velocity_.data(), options);
    if (scale_ != 1.0) reaction_ *= scale_;
  }
  const Vector& answer() const override { return reaction_; }

 private:
  KeptOptions options_;
  double scale_;
  FrictionContactProblem* problem_;
  Vector reaction_;
  Vector velocity_;
};

// These leave their problem and options in a state that the next solve does not survive.
class GlobalAttempt : public Attempt {
 public:
  GlobalAttempt(const GlobalContactProblem& problem, const Variant& variant)
      : given_(problem), variant_(variant) {
    reaction_.resize(problem.w.size());
    velocity_.resize(problem.w.size());
    body_velocity_.resize(problem.f.size());
  }
  bool wears_out() const override { return true; }
  void renew() override {
    options_.emplace(variant_);
    problem_ = globalFrictionContactProblem_new();
    problem_->dimension = given_.dimension;
    problem_->numberOfContacts = static_cast<int>(given_.contacts());
    problem_->M = sparse_matrix(given_.M);
    problem_->H = sparse_matrix(given_.H);
    problem_->q = copied(given_.f);
    problem_->b = copied(given_.w);
    problem_->mu = copied(given_.mu);
    // The storages that most of them ask for.
    NM_csc(problem_->M);
    NM_csc(problem_->H);
    NM_csc_trans(problem_->H);
  }
  void solve(double tolerance) override {
    reaction_.setZero();
    velocity_.setZero();
    body_velocity_.setZero();
    gfc3d_driver(problem_, reaction_.data(), velocity_.data(), body_velocity_.data(),
                 options_->with_tolerance(tolerance));
  }
  const Vector& answer() const override { return reaction_; }

 private:
  const GlobalContactProblem& given_;
  const Variant& variant_;
  std::optional<KeptOptions> options_;
  GlobalFrictionContactProblem* problem_ = nullptr;
  Vector reaction_;
  Vector velocity_;
  Vector body_velocity_;
};

class LcpAttempt : public Attempt {
 public:
  LcpAttempt(const LcpProblem& problem, const Variant& variant) : options_(variant), problem_(newLCP()) {
    problem_->size = static_cast<int>(problem.q.size());
    problem_->M = stored(*problem.M.assemble(), variant.storage, 1);
    problem_->q = copied(problem.q);
    z_.resize(problem.q.size());
    w_.resize(problem.q.size());
    if (variant.id == SICONOS_LCP_ENUM) lcp_enum_init(problem_, options_.with_tolerance(1e-8), 1);
  }
  void solve(double tolerance) override {
    z_.setZero();
    w_.setZero();
    linearComplementarity_driver(problem_, z_.data(), w_.data(), options_.with_tolerance(tolerance));
  }
  const Vector& answer() const override { return z_; }

 private:
  KeptOptions options_;
  LinearComplementarityProblem* problem_;
  Vector z_;
  Vector w_;
};

// Equality rows come first there. Some solvers want M, some its four parts: they get both.
class MixedAttempt : public Attempt {
 public:
  MixedAttempt(const MixedLcp& problem, const Variant& variant)
      : options_(variant), problem_(mixedLinearComplementarity_new()) {
    for (const bool equalities : {true, false}) {
      for (Index i = 0; i < problem.q.size(); ++i) {
        if (is_equality(problem, i) == equalities) order_.push_back(static_cast<int>(i));
      }
    }
    const auto n =
        std::count_if(order_.begin(), order_.end(), [&](int i) { return is_equality(problem, i); });
    const auto m = static_cast<Index>(order_.size()) - n;
    const DenseMatrix matrix = DenseMatrix(*problem.M.assemble())(order_, order_);
    const Vector q = problem.q(order_);
    problem_->n = static_cast<int>(n);
    problem_->m = static_cast<int>(m);
    problem_->isStorageType1 = 1;
    problem_->isStorageType2 = 1;
    problem_->blocksRows = allocated<int>(4);
    problem_->blocksIsComp = allocated<int>(4);
    problem_->blocksRows[1] = problem_->n;
    problem_->blocksRows[2] = problem_->n + problem_->m;
    problem_->blocksIsComp[1] = 1;
    problem_->M = NM_create(NM_DENSE, static_cast<int>(q.size()), static_cast<int>(q.size()));
    Eigen::Map<DenseMatrix>(problem_->M->matrix0, q.size(), q.size()) = matrix;
    problem_->q = copied(q);
    problem_->A = copied(matrix.topLeftCorner(n, n).reshaped());
    problem_->C = copied(matrix.topRightCorner(n, m).reshaped());
    problem_->D = copied(matrix.bottomLeftCorner(m, n).reshaped());
    problem_->B = copied(matrix.bottomRightCorner(m, m).reshaped());
    problem_->a = copied(q.head(n));
    problem_->b = copied(q.tail(m));
    z_.resize(q.size());
    w_.resize(q.size());
    answer_.resize(q.size());
    keeps_guesses_ = variant.id == SICONOS_MLCP_DIRECT_ENUM || variant.id == SICONOS_MLCP_DIRECT_FB;
    if (!keeps_guesses_) mlcp_driver_init(problem_, options_.with_tolerance(1e-8));
  }
  void solve(double tolerance) override {
    SolverOptions* options = options_.with_tolerance(tolerance);
    z_.setZero();
    w_.setZero();
    // The direct ones try the active sets of earlier solves first: they start anew each time.
    if (keeps_guesses_) mlcp_driver_init(problem_, options);
    mlcp_driver(problem_, z_.data(), w_.data(), options);
    if (keeps_guesses_) mlcp_driver_reset(problem_, options);
    for (std::size_t k = 0; k < order_.size(); ++k) answer_[order_[k]] = z_[static_cast<Index>(k)];
  }
  const Vector& answer() const override { return answer_; }

 private:
  static bool is_equality(const MixedLcp& problem, Index i) { return !std::isfinite(problem.lower[i]); }

  KeptOptions options_;
  MixedLinearComplementarityProblem* problem_;
  std::vector<int> order_;
  bool keeps_guesses_ = false;
  Vector z_;
  Vector w_;
  Vector answer_;
};

bool fits(const Variant& variant, Index rows) {
  return rows <= variant.most_rows && (variant.storage != Storage::dense || rows <= most_dense_rows);
}

// `part` gives the problem in the form that the solver takes, null if it cannot.
template <class MadeAttempt, class Part>
Contestant contestant(const Variant& variant, const Part& part) {
  return {std::string("siconos:") + variant.name, false, variant.direct,
          [variant, part](const ContestProblem& problem) {
            return part(problem) != nullptr && fits(variant, unknowns(problem.problem));
          },
          [variant, part](const ContestProblem& problem) -> std::unique_ptr<Attempt> {
            return std::make_unique<MadeAttempt>(*part(problem), variant);
          }};
}

// Joints are not for them, nor problems without contacts.
template <class ContactProblem>
const ContactProblem* contacts_part(const ContestProblem& problem) {
  const auto* part = std::get_if<ContactProblem>(&problem.problem);
  return part != nullptr && part->joint_rows() == 0 && part->contacts() > 0 ? part : nullptr;
}

const LocalContactProblem* plane_part(const ContestProblem& problem) {
  return problem.problem_class() == ProblemClass::contact2d ? contacts_part<LocalContactProblem>(problem)
                                                            : nullptr;
}
const LocalContactProblem* space_part(const ContestProblem& problem) {
  return problem.problem_class() == ProblemClass::contact3d ? contacts_part<LocalContactProblem>(problem)
                                                            : nullptr;
}
const GlobalContactProblem* global_part(const ContestProblem& problem) {
  return problem.problem_class() == ProblemClass::global3d ? contacts_part<GlobalContactProblem>(problem)
                                                           : nullptr;
}
const LcpProblem* lcp_part(const ContestProblem& problem) {
  return std::get_if<LcpProblem>(&problem.problem);
}
const MixedLcp* mixed_part(const ContestProblem& problem) {
  return problem.problem_class() == ProblemClass::mlcp ? std::get_if<MixedLcp>(&problem.problem) : nullptr;
}

}  // namespace

void add_siconos(std::vector<Contestant>& contestants) {
  for (const Variant& v : contact_2d) contestants.push_back(contestant<LocalAttempt>(v, plane_part));
  for (const Variant& v : contact_3d) contestants.push_back(contestant<LocalAttempt>(v, space_part));
  for (const Variant& v : global_3d) contestants.push_back(contestant<GlobalAttempt>(v, global_part));
  for (const Variant& v : lcp) contestants.push_back(contestant<LcpAttempt>(v, lcp_part));
  for (const Variant& v : mlcp) contestants.push_back(contestant<MixedAttempt>(v, mixed_part));
}

}  // namespace slipstick::internal::bench
