// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The settings of the methods for problems with bounds, cones and linear rows. SolveRequest::method takes
/// one of them.

#include <string_view>

#include "slipstick/matrix.hpp"

namespace slipstick {

/// Describes one member of a method's settings struct. A method lists its fields as
///     static constexpr auto fields = Fields{Field{"relaxation", &PgsSettings::relaxation, 0.0, 2.0,
///     "what it is"}, ...};
/// Integers and reals are limited to [low, high]. An enumeration lists its names in `choices`, separated by
/// '|'.
template <class Owner, class Value>
struct Field {
  std::string_view key;
  Value Owner::*member;
  double low;
  double high;
  std::string_view summary;
  std::string_view choices = {};
};

// For compilers that do not deduce aggregates yet (clang 14).
template <class Owner, class Value>
Field(std::string_view, Value Owner::*, double, double, std::string_view) -> Field<Owner, Value>;
template <class Owner, class Value>
Field(std::string_view, Value Owner::*, double, double, std::string_view, std::string_view)
    -> Field<Owner, Value>;

/// A list of fields and of other such lists. It compiles several times faster than a std::tuple.
template <class... All>
struct Fields {};
template <class First, class... Rest>
struct Fields<First, Rest...> {
  constexpr Fields(First field, Rest... others) : first(field), rest(others...) {}
  First first;
  Fields<Rest...> rest;
};
template <class... All>
Fields(All...) -> Fields<All...>;

/// The step of a sweep on the rows of one cone. w are their rows of A x + b, B is their block of A, and d its
/// mean diagonal.
enum class LocalStep {
  projected,  ///< x <- P(x - omega w / d) (Heyn 2012, eq. 12)
  exact,      ///< x <- the y of the cone with the least 1/2 (y - x)'B(y - x) / omega + w'(y - x)
};

struct JacobiSettings {
  /// omega: converges below 2 / rho(D^-1 A); Heyn 2012: 0.3. 0 means 1.9 / rho, estimated, for projected
  /// steps only.
  double relaxation = 0.3;
  double damping = 1.0;  ///< lambda: x moves by this share of the step; (0, 1], Heyn 2012: 1
  LocalStep local = LocalStep::projected;

  static constexpr auto fields = Fields{
      Field{"relaxation", &JacobiSettings::relaxation, 0.0, 2.0, "omega; 0: 1.9 / rho(D^-1 A), estimated"},
      Field{"damping", &JacobiSettings::damping, 1e-6, 1.0, "lambda, the share of the step that is made"},
      Field{"local", &JacobiSettings::local, 0, 0, "step of the rows of a cone", "projected|exact"},
  };
};

struct GaussSeidelSettings {
  double relaxation = 1.0;  ///< omega in (0, 2)
  double damping = 1.0;     ///< lambda: x moves by this share of the step; (0, 1]
  LocalStep local = LocalStep::exact;
  bool symmetric = false;  ///< every second sweep runs backward

  static constexpr auto fields = Fields{
      Field{"relaxation", &GaussSeidelSettings::relaxation, 0.0, 2.0, "omega, between 0 and 2 (exclusive)"},
      Field{"damping", &GaussSeidelSettings::damping, 1e-6, 1.0,
            "lambda, the share of the step that is made"},
      Field{"local", &GaussSeidelSettings::local, 0, 0, "step of the rows of a cone", "projected|exact"},
      Field{"symmetric", &GaussSeidelSettings::symmetric, 0, 0, "every second sweep runs backward"},
  };
};

struct PgsSettings {
  double relaxation = 1.0;  ///< omega in (0, 2): above 1 over-relaxed; UIC survey: 1
  bool symmetric = false;   ///< every second sweep runs backward

  static constexpr auto fields = Fields{
      Field{"relaxation", &PgsSettings::relaxation, 0.0, 2.0, "omega, between 0 and 2 (exclusive)"},
      Field{"symmetric", &PgsSettings::symmetric, 0.0, 1.0, "every second sweep runs backward"},
  };
};

struct PjacobiSettings {
  /// omega: converges below 2 / rho(D^-1 A), which is at least 2 / (most entries per row). Heyn 2012: 0.3.
  /// UIC survey: 1, which diverges in general. 0: 1.9 / rho, with rho from a few power iterations.
  double relaxation = 0.3;

  static constexpr auto fields = Fields{
      Field{"relaxation", &PjacobiSettings::relaxation, 0.0, 2.0, "omega; 0: 1.9 / rho(D^-1 A), estimated"},
  };
};

/// The alternation of Alg. 2, common to both methods.
struct SubspaceSettings {
  int full_sweeps = 5;     ///< sweeps over all rows per round, >= 1; UIC survey: 5
  int reduced_sweeps = 3;  ///< sweeps over the free rows per round, >= 0; UIC survey: 3
  bool adaptive = true;    ///< more reduced sweeps while the free rows stay the same; UIC survey: no

  static constexpr auto alternation_fields = Fields{
      Field{"full_sweeps", &SubspaceSettings::full_sweeps, 1.0, 1e6, "sweeps over all rows per round"},
      Field{"reduced_sweeps", &SubspaceSettings::reduced_sweeps, 0.0, 1e6,
            "sweeps over the free rows per round"},
      Field{"adaptive", &SubspaceSettings::adaptive, 0.0, 1.0,
            "more reduced sweeps while the free rows stay the same"},
  };
};

struct PgsSmSettings : SubspaceSettings {
  double relaxation = 1.0;  ///< as for Pgs

  static constexpr auto fields =
      Fields{alternation_fields,
             Field{"relaxation", &PgsSmSettings::relaxation, 0.0, 2.0, "omega, between 0 and 2 (exclusive)"}};
};

struct PjacobiSmSettings : SubspaceSettings {
  double relaxation = 0.3;  ///< as for Pjacobi

  static constexpr auto fields =
      Fields{alternation_fields, Field{"relaxation", &PjacobiSmSettings::relaxation, 0.0, 2.0,
                                       "omega; 0: 1.9 / rho(D^-1 A), estimated"}};
};

/// What happens when a conjugate gradient step leaves the box.
enum class Expansion {
  fixed,      ///< step to the boundary, then a projected gradient step of fixed length (UIC survey, Alg. 7)
  projected,  ///< the whole conjugate gradient step, projected; the fixed step if that does not descend
};

struct MprgpSettings {
  double proportion = 1.0;  ///< Gamma in ||beta||^2 <= Gamma^2 phibar'phi; (0, inf). The survey has 1
  double step = 1.9;        ///< length of the fixed step times the norm of the scaled matrix; (0, 2)
  Expansion expansion = Expansion::projected;

  static constexpr auto fields = Fields{
      Field{"proportion", &MprgpSettings::proportion, 1e-6, 1e6, "Gamma of the proportioning test"},
      Field{"step", &MprgpSettings::step, 1e-3, 2.0, "fixed step length times the norm of the scaled matrix"},
      Field{"expansion", &MprgpSettings::expansion, 0, 0, "step when the box is left", "fixed|projected"},
  };
};

enum class Preconditioning { none, ic0, mic0 };

enum class FactorUpdate {
  masked,      ///< one factor of the whole matrix, rows at a bound masked out
  refactored,  ///< a new factor of the free rows when they have changed by more than `refactor`
};

struct PmprgpSettings : MprgpSettings {
  Preconditioning preconditioner = Preconditioning::mic0;
  FactorUpdate update = FactorUpdate::masked;
  double refactor = 0.0;  ///< changed share of the free rows above which the factor is recomputed; [0, 1]
  double compensation = 0.97;  ///< share of the dropped fill moved to the diagonal by mic0; [0, 1]

  static constexpr auto fields = Fields{
      MprgpSettings::fields,
      Field{"preconditioner", &PmprgpSettings::preconditioner, 0, 0, "incomplete factor", "none|ic0|mic0"},
      Field{"update", &PmprgpSettings::update, 0, 0, "how the factor follows the free set",
            "masked|refactored"},
      Field{"refactor", &PmprgpSettings::refactor, 0.0, 1.0,
            "changed share of free rows that asks for a new factor"},
      Field{"compensation", &PmprgpSettings::compensation, 0.0, 1.0,
            "share of dropped fill moved to the diagonal"}};
};

struct GpSmSettings {
  /// A subspace phase ends when its conjugate gradients have reduced the residual on the free rows to this
  /// share, 0 < reduction < 1. If the free rows did not change since the last phase, it continues to the
  /// tolerance.
  double reduction = 0.25;

  static constexpr auto fields = Fields{
      Field{"reduction", &GpSmSettings::reduction, 1e-16, 1.0, "of the residual on the free rows per phase"},
  };
};

struct GpminresSettings {
  double gradient_decrease = 0.1;  ///< eta_1 of eq. 18: share of the best decrease below which gradients end
  /// Eta_2 of eq. 20, for the residual; divided by 10 while the face stays the same.
  double krylov_decrease = 0.01;
  int gradient_steps = 10;  ///< limit of consecutive projected gradient steps; [1, 1000]
  int krylov_steps = 10;    ///< M_max on a new face; doubled each time it stays the same. Heyn 2012: 10
  bool rescale = true;      ///< on cones, move along the ray of x if its minimum is far

  static constexpr auto fields = Fields{
      Field{"gradient_decrease", &GpminresSettings::gradient_decrease, 0.0, 1.0,
            "eta_1: share of the best decrease below which gradient steps end"},
      Field{"krylov_decrease", &GpminresSettings::krylov_decrease, 0.0, 1.0,
            "eta_2: share of the best decrease below which MINRES ends"},
      Field{"gradient_steps", &GpminresSettings::gradient_steps, 1, 1000, "most gradient steps in a row"},
      Field{"krylov_steps", &GpminresSettings::krylov_steps, 1, 100000, "most MINRES steps on a new face"},
      Field{"rescale", &GpminresSettings::rescale, 0, 0,
            "on cones, move along the ray of x where its minimum is far"},
  };
};

struct GpminresPSettings : GpminresSettings {
  double compensation = 0.0;  ///< share of the dropped fill moved to the diagonal; [0, 1]

  static constexpr auto fields =
      Fields{GpminresSettings::fields, Field{"compensation", &GpminresPSettings::compensation, 0.0, 1.0,
                                             "share of dropped fill moved to the diagonal"}};
};

struct ApgdSettings {
  double growth = 3.0;      ///< factor on the Lipschitz estimate if a step does not descend; (1, 10]
  double shrinkage = 0.95;  ///< factor on the Lipschitz estimate after every step; (0, 1]
  bool restart = true;      ///< drop the momentum if it leads uphill
  /// On cones, move along the ray of x to its minimum, if that is far or at a restart.
  bool rescale = true;

  static constexpr auto fields = Fields{
      Field{"growth", &ApgdSettings::growth, 1.01, 10.0,
            "factor on the Lipschitz estimate when it is too small"},
      Field{"shrinkage", &ApgdSettings::shrinkage, 0.1, 1.0, "factor on the Lipschitz estimate after a step"},
      Field{"restart", &ApgdSettings::restart, 0, 0, "drop the momentum where it leads uphill"},
      Field{"rescale", &ApgdSettings::rescale, 0, 0,
            "on cones, move along the ray of x where its minimum is far"},
  };
};

/// The numbers that a device stores. It computes with double.
enum class DeviceStorage { float64, float32 };

struct ApgdCudaSettings : ApgdSettings {
  /// float32 halves the bytes of an iteration. It is for errors of 1e-3. Rounding keeps many problems from
  /// much smaller ones, and the method then stalls.
  DeviceStorage storage = DeviceStorage::float64;

  static constexpr auto fields =
      Fields{ApgdSettings::fields, Field{"storage", &ApgdCudaSettings::storage, 0, 0,
                                         "numbers that the device stores", "float64|float32"}};
};

/// The choice of the next Barzilai-Borwein step.
enum class SpectralStep {
  alternating,  ///< the long and the short step in turn (Heyn 2012, lines 19-22)
  adaptive,  ///< the least of the last short steps if the short one is much shorter, otherwise the long one
};

struct PSpgFbSettings {
  SpectralStep spectral = SpectralStep::adaptive;
  int memory = 10;  ///< N_GLL: number of objectives that a step is compared with; [1, 100], Heyn 2012: 10
  double decrease = 1e-4;      ///< xi, share of the slope that a step must gain; [0, 1]
  double shortest = 1e-9;      ///< alpha_min, in the metric of the block diagonals; Heyn 2012: 1e-9
  double longest = 1e9;        ///< alpha_max; Heyn 2012: 1e9
  bool preconditioned = true;  ///< by the mean diagonals of the blocks; otherwise by one number
  bool rescale = true;         ///< on cones, move along the ray of x if its minimum is far

  static constexpr auto fields = Fields{
      Field{"spectral", &PSpgFbSettings::spectral, 0, 0, "choice of the Barzilai-Borwein step",
            "alternating|adaptive"},
      Field{"memory", &PSpgFbSettings::memory, 1, 100, "objectives a step may be compared with"},
      Field{"decrease", &PSpgFbSettings::decrease, 0.0, 1.0, "share of the slope that a step must gain"},
      Field{"shortest", &PSpgFbSettings::shortest, 1e-30, 1.0, "least step length"},
      Field{"longest", &PSpgFbSettings::longest, 1.0, 1e30, "greatest step length"},
      Field{"preconditioned", &PSpgFbSettings::preconditioned, 0, 0, "scale by the mean block diagonals"},
      Field{"rescale", &PSpgFbSettings::rescale, 0, 0,
            "on cones, move along the ray of x where its minimum is far"},
  };
};

struct KuceraSettings {
  double proportion = 1.0;                     ///< Gamma in beta'g <= Gamma^2 phi'g; (0, inf), Heyn 2012: 1
  Expansion expansion = Expansion::projected;  ///< Heyn 2012 has the fixed step
  bool rescale = true;                         ///< on cones, move along the ray of x if its minimum is far

  static constexpr auto fields = Fields{
      Field{"proportion", &KuceraSettings::proportion, 1e-6, 1e6, "Gamma of the proportioning test"},
      Field{"expansion", &KuceraSettings::expansion, 0, 0, "step when the set is left", "fixed|projected"},
      Field{"rescale", &KuceraSettings::rescale, 0, 0,
            "on cones, move along the ray of x where its minimum is far"},
  };
};

/// The scales S of the matrix before it is factored: S A S (Ho 4.1.6). A factor on the pattern of A is the
/// same with any S, except for the unit of the shifts. The unit is a_ii, or ||a_i|| with column norms. A
/// threshold compares the scaled entries.
enum class IncompleteScaling {
  none,
  diagonal,     ///< s_i = a_ii^-1/2: a unit diagonal
  column_norm,  ///< s_i = ||a_i||^-1/2, the 2-norm of column i
};

struct DensePivotingSettings {
  /// Largest accepted problem: the matrix is copied into a dense array.
  int max_rows = 1000;
  /// Limit of consecutive block pivots that do not reach a new least number of violations. Single pivots
  /// follow until they do. [0, 1000]; Judice and Pires take 10
  int stall_limit = 3;

  static constexpr auto fields = Fields{
      Field{"max_rows", &DensePivotingSettings::max_rows, 1.0, 20000.0, "largest problem taken, in unknowns"},
      Field{"stall_limit", &DensePivotingSettings::stall_limit, 0.0, 1000.0,
            "block pivots without progress before single pivots"}};
};

/// The diagonal, or a variant of IncompleteCholesky. ic0 and mic0 are IC(0) and MIC(0) with shifts of the
/// whole diagonal. The others are IC(0) with imaginary columns, IC(0) with partial shifts, and a threshold.
enum class FreePreconditioning { jacobi, ic0, mic0, imaginary, partial_shift, ict };

/// What happens to the factor when a row leaves.
enum class LeavingRows {
  mask,      ///< the substitutions skip the row; if it comes back, its column is unchanged
  downdate,  ///< also updates the columns below it (IncompleteCholesky::downdate)
};

struct FreePreconditionerSettings {
  FreePreconditioning preconditioner = FreePreconditioning::ict;
  /// Unit of the shifts and of the threshold; see IncompleteScaling
  IncompleteScaling scaling = IncompleteScaling::diagonal;
  /// For ict: entries below this share of the norm of their column are dropped. [0, 1]; Ho 2022: 1e-5
  double drop_tolerance = 1e-2;
  /// For ict: number of entries below the diagonal that a column keeps; 0: all
  Index most_entries = 0;
  LeavingRows leaving = LeavingRows::downdate;
  /// If more rows have changed than this share of the free rows, the incomplete factor is computed again.
  /// Below it, rows that leave are treated as `leaving` says. Rows that have entered are divided by their
  /// diagonal entry. [0, 1]; Ho 2022 takes 0
  double refactor = 0.1;

  static constexpr auto fields =
      Fields{Field{"preconditioner", &FreePreconditionerSettings::preconditioner, 0, 0,
                   "incomplete factor of the free rows", "jacobi|ic0|mic0|imaginary|partial_shift|ict"},
             Field{"scaling", &FreePreconditionerSettings::scaling, 0, 0,
                   "what the matrix is scaled by before it is factored", "none|diagonal|column_norm"},
             Field{"drop_tolerance", &FreePreconditionerSettings::drop_tolerance, 0.0, 1.0,
                   "of ict: share of a column's norm below which its entries are dropped"},
             Field{"most_entries", &FreePreconditionerSettings::most_entries, 0.0, 1e6,
                   "of ict: entries that a column keeps, 0 for all"},
             Field{"leaving", &FreePreconditionerSettings::leaving, 0, 0,
                   "what becomes of the factor when a row leaves", "mask|downdate"},
             Field{"refactor", &FreePreconditionerSettings::refactor, 0.0, 1.0,
                   "changed share of free rows that asks for a new factor"}};
};

struct FrictionShiftSettings {
  /// Amount added to the diagonal entry of a friction row each time the row has pivoted too often. It is
  /// relative to the entry; [0, 1], 0: never. Ho 2022 adds 1e-3 kg^-1
  double regularization = 0.0;
  /// Pivots after which a friction row is shifted. The limit doubles each time. [1, 1000]; Ho 2022 has 5 and
  /// 10
  int pivot_limit = 10;

  static constexpr auto fields =
      Fields{Field{"regularization", &FrictionShiftSettings::regularization, 0.0, 1.0,
                   "relative shift of friction rows that pivot too often; 0: none"},
             Field{"pivot_limit", &FrictionShiftSettings::pivot_limit, 1.0, 1000.0,
                   "pivots of a friction row before it is shifted"}};
};

struct EnumerateSettings {
  /// Refuses more than 2 to this power active sets. The power is the number of bounded rows. A row with two
  /// bounds counts log2(3) = 1.6.
  int max_bounded_rows = 20;
  /// Refuses more unknowns, with the free ones. An active set costs the square of their number.
  int max_rows = 500;

  static constexpr auto fields =
      Fields{Field{"max_bounded_rows", &EnumerateSettings::max_bounded_rows, 0.0, 40.0,
                   "largest number of bounded rows (two bounds count 1.6)"},
             Field{"max_rows", &EnumerateSettings::max_rows, 1.0, 10000.0, "largest number of unknowns"}};
};

struct LemkeSettings {
  /// Largest accepted LCP, in bounded rows. The tableau has their square entries, and a pivot rewrites all of
  /// them.
  int max_rows = 3000;
  /// Number of runs before a ray is the result, >= 1. The first starts from z = 0 with the covering vector of
  /// ones. The second starts from the unknowns with a negative constant. Later runs have other covering
  /// vectors.
  int attempts = 8;

  static constexpr auto fields =
      Fields{Field{"max_rows", &LemkeSettings::max_rows, 1.0, 30000.0, "largest LCP taken, in rows"},
             Field{"attempts", &LemkeSettings::attempts, 1.0, 1000.0,
                   "starting bases and covering vectors tried before a ray counts as the end"}};
};

/// How a factor follows a free set.
enum class FactorChange {
  cheapest,  ///< The way with the lower cost in the cost model.
  rows,      ///< Row by row, if there is a factor.
  refactor,  ///< From scratch.
};

/// Orders in which the rows of a symmetric matrix can be eliminated.
enum class Ordering {
  natural,  ///< the given order
  cm,       ///< Cuthill and McKee's: near the diagonal (Ho 2022, 2.5.4); see cuthill_mckee.hpp
  rcm,      ///< the reverse of cm: the same band, less fill inside
  amd,      ///< approximate minimum degree (Amestoy, Davis and Duff 1996): little fill
  /// Nested dissection (Karypis and Kumar 1998): least fill on large grids; only if METIS is linked.
  metis,
};

struct PpmSettings : FrictionShiftSettings {
  FactorChange factor = FactorChange::cheapest;  ///< how the factor follows the free set
  Ordering ordering = Ordering::amd;             ///< order of the rows in the factor

  static constexpr auto fields =
      Fields{FrictionShiftSettings::fields,
             Field{"factor", &PpmSettings::factor, 0, 0, "how the factor follows the free set",
                   "cheapest|rows|refactor"},
             Field{"ordering", &PpmSettings::ordering, 0, 0,
                   "of the rows in the factor (metis where it is linked)", "natural|cm|rcm|amd|metis"}};
};

struct BppSettings : PpmSettings {
  /// Limit of consecutive block pivots that do not reach a new least number of violations. Single pivots
  /// follow until they do. [0, 1000]; Judice and Pires take 10
  int stall_limit = 10;

  static constexpr auto fields =
      Fields{PpmSettings::fields,
             Field{"stall_limit", &BppSettings::stall_limit, 0.0, 1000.0, "block pivots without progress"}};
};

struct BppPcgSettings : FrictionShiftSettings, FreePreconditionerSettings {
  int stall_limit = 10;  ///< as in bpp
  /// Residual that conjugate gradients may leave, relative to the tolerance of the solve; (0, 1]
  double inner = 0.05;

  static constexpr auto fields =
      Fields{FrictionShiftSettings::fields, FreePreconditionerSettings::fields,
             Field{"stall_limit", &BppPcgSettings::stall_limit, 0.0, 1000.0, "block pivots without progress"},
             Field{"inner", &BppPcgSettings::inner, 1e-6, 1.0,
                   "residual of the conjugate gradients, relative to the tolerance"}};
};

struct PgcgSettings : FrictionShiftSettings, FreePreconditionerSettings {
  /// The inner loop ends if the residual of the free rows has fallen to this share, or is small against the
  /// tolerance; (0, 1). Ho 2022 goes to an absolute 1e-6
  double inner = 1e-2;

  static constexpr auto fields =
      Fields{FrictionShiftSettings::fields, FreePreconditionerSettings::fields,
             Field{"inner", &PgcgSettings::inner, 1e-12, 0.9, "residual that ends an inner loop, relative"}};
};

struct DantzigSettings : FrictionShiftSettings {
  int max_rows = 3000;  ///< refuses more rows: the factor is dense, with 8 bytes times their square

  static constexpr auto fields =
      Fields{FrictionShiftSettings::fields,
             Field{"max_rows", &DantzigSettings::max_rows, 1.0, 30000.0, "largest number of rows"}};
};

struct SchurpaSettings {
  /// After this many changes since the last factorization, the set is factorized again (Litven 2013:
  /// max_solve = 500).
  int max_changes = 500;
  /// The factorization serves all later problems with the same matrix (Litven 2013, Alg. 4.2). The rounding
  /// of answers then depends on earlier problems.
  bool keep = false;

  static constexpr auto fields =
      Fields{Field{"max_changes", &SchurpaSettings::max_changes, 1.0, 10000.0,
                   "changes of the set since the last factorization that bring about the next one"},
             Field{"keep", &SchurpaSettings::keep, 0, 0,
                   "keep the factorization for the next problem with the same matrix"}};
};

struct PrimalAsmSettings {
  /// Largest accepted problem, in unknowns. The factors are dense, with 32 bytes times their square and more.
  int max_unknowns = 2500;

  static constexpr auto fields = Fields{Field{"max_unknowns", &PrimalAsmSettings::max_unknowns, 1.0, 30000.0,
                                              "largest problem taken; the factors are dense"}};
};

struct DualAsmSettings {
  /// Largest accepted problem, in unknowns. The factors are dense, with 16 bytes times their square and more.
  int max_unknowns = 2500;

  static constexpr auto fields = Fields{Field{"max_unknowns", &DualAsmSettings::max_unknowns, 1.0, 30000.0,
                                              "largest problem taken; the factors are dense"}};
};

/// How the primal-dual interior point method finds its search directions.
enum class PdipDirection {
  direct,  ///< sparse Cholesky factorization
  krylov,  ///< BiCGStab(2) with products of A
  spike,   ///< BiCGStab(2), preconditioned by SPIKE
};

/// The common settings of pdip and p-pdip.
struct PdipCommonSettings {
  double growth = 10.0;            ///< mu, the largest growth of t = mu m / gap; (1, inf)
  double step_fraction = 0.99;     ///< share of the way to the boundary; (0, 1)
  double krylov_tolerance = 1e-8;  ///< tolerance of BiCGStab, relative to the right side; (0, 1)
  int krylov_iterations = 2000;    ///< limit per direction; >= 1

  static constexpr auto fields = Fields{
      Field{"growth", &PdipCommonSettings::growth, 1.01, 1e6, "mu: by how much t may exceed m / gap"},
      Field{"step_fraction", &PdipCommonSettings::step_fraction, 0.5, 0.9999,
            "share of the way to the boundary that a step may go"},
      Field{"krylov_tolerance", &PdipCommonSettings::krylov_tolerance, 1e-16, 0.5,
            "relative residual at which BiCGStab ends"},
      Field{"krylov_iterations", &PdipCommonSettings::krylov_iterations, 1, 1000000,
            "most BiCGStab iterations per direction"},
  };
};

struct PdipSettings : PdipCommonSettings {
  PdipDirection direction = PdipDirection::direct;

  static constexpr auto fields = Fields{Field{"direction", &PdipSettings::direction, 0, 0,
                                              "factorize, or BiCGStab(2) as it is", "direct|krylov"},
                                        PdipCommonSettings::fields};
};

struct PPdipSettings : PdipCommonSettings {
  PPdipSettings() { krylov_iterations = 100; }

  double drop_off = 0.0;          ///< share of the matrix that may lie outside the band; [0, 1]
  int max_half_bandwidth = 3000;  ///< k, has priority over the share; 2 k n numbers are kept; >= 0
  bool truncated = false;         ///< SPIKE with only the tips of the spikes. Melanz 2015: true
  int partitions = 1;             ///< number of partitions of SPIKE; [1, 1000]
  bool single_precision = false;  ///< precision of the factors

  static constexpr auto fields =
      Fields{PdipCommonSettings::fields,
             Field{"drop_off", &PPdipSettings::drop_off, 0.0, 1.0,
                   "share of the matrix that the preconditioner may leave out"},
             Field{"max_half_bandwidth", &PPdipSettings::max_half_bandwidth, 0, 1000000000,
                   "widest band of the preconditioner"},
             Field{"truncated", &PPdipSettings::truncated, 0, 0, "keep the tips of the spikes alone"},
             Field{"partitions", &PPdipSettings::partitions, 1, 1000, "of SPIKE"},
             Field{"single_precision", &PPdipSettings::single_precision, 0, 0, "single precision factors"}};
};

/// A device has the memory for the whole band of 100,000 spheres. What the host leaves out of a wide one
/// makes its preconditioner useless there.
struct PPdipCudaSettings : PPdipSettings {
  PPdipCudaSettings() { max_half_bandwidth = 20000; }
};

struct IpmSettings {
  double step_fraction = 0.99;  ///< share of the way to the boundary of the cones; (0, 1)

  int correctors = 20;  ///< limit of centrality corrections per iteration; 0: none (Gondzio 1996)

  static constexpr auto fields = Fields{
      Field{"step_fraction", &IpmSettings::step_fraction, 0.5, 0.9999,
            "share of the way to the boundary of the cones that a step may go"},
      Field{"correctors", &IpmSettings::correctors, 0, 20, "centrality corrections of an iteration at most"},
  };
};

struct QpIpmSettings {
  int correctors = 3;    ///< limit of centrality corrections per iteration (Gondzio 1996); [0, 10]
  bool presolve = true;  ///< removes rows and unknowns that need no method
  bool polish = true;    ///< solves the system of the active set when it is known

  static constexpr auto fields = Fields{
      Field{"correctors", &QpIpmSettings::correctors, 0, 10,
            "centrality corrections of an iteration at most"},
      Field{"presolve", &QpIpmSettings::presolve, 0, 0, "remove rows and unknowns that need no method"},
      Field{"polish", &QpIpmSettings::polish, 0, 0, "solve the system of the active set when it is known"},
  };
};

struct NewtonFbSettings {
  /// Weight lambda of the Fischer-Burmeister function in the penalized function lambda phi(a, b) + (1 -
  /// lambda) a+ b+ (Chen, Chen, Kanzow 2000, who take 0.95). (0, 1], 1 is the plain function.
  double weight = 0.95;
  /// Merit values that the line search compares with; >= 1, 1 is monotone.
  int memory = 8;
  /// New starting points after a stall; >= 0.
  int restarts = 20;

  static constexpr auto fields = Fields{
      Field{"weight", &NewtonFbSettings::weight, 0.01, 1.0, "1: plain Fischer-Burmeister; below: penalized"},
      Field{"memory", &NewtonFbSettings::memory, 1.0, 100.0,
            "merit values that the line search compares with"},
      Field{"restarts", &NewtonFbSettings::restarts, 0.0, 1000.0, "new starting points after a stall"}};
};

}  // namespace slipstick
