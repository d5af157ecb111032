// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/catalog/catalog.hpp"

#include "slipstick/base/error.hpp"
#include "slipstick/catalog/renamed.hpp"
#include "slipstick/cuda/apgd_cuda.hpp"
#include "slipstick/cuda/jacobi_cuda.hpp"
#include "slipstick/cuda/kucera_cuda.hpp"
#include "slipstick/cuda/mprgp_cuda.hpp"
#include "slipstick/cuda/p_spg_fb_cuda.hpp"
#include "slipstick/cuda/pdasm_cuda.hpp"
#include "slipstick/cuda/pdip_cuda.hpp"
#include "slipstick/cuda/schurpa_cuda.hpp"
#include "slipstick/solve/options.hpp"
#include "slipstick/solvers/active_set/dual_asm.hpp"
#include "slipstick/solvers/active_set/pdasm.hpp"
#include "slipstick/solvers/active_set/primal_asm.hpp"
#include "slipstick/solvers/active_set/schurpa.hpp"
#include "slipstick/solvers/interior_point/ipm.hpp"
#include "slipstick/solvers/interior_point/pdip.hpp"
#include "slipstick/solvers/interior_point/qp_ipm.hpp"
#include "slipstick/solvers/newton/newton_fb.hpp"
#include "slipstick/solvers/pivoting/dantzig.hpp"
#include "slipstick/solvers/pivoting/dense_pivoting.hpp"
#include "slipstick/solvers/pivoting/enumerate.hpp"
#include "slipstick/solvers/pivoting/lemke.hpp"
#include "slipstick/solvers/pivoting/pgcg.hpp"
#include "slipstick/solvers/pivoting/principal_pivoting.hpp"
#include "slipstick/solvers/projected/apgd.hpp"
#include "slipstick/solvers/projected/gp_sm.hpp"
#include "slipstick/solvers/projected/gpminres.hpp"
#include "slipstick/solvers/projected/kucera.hpp"
#include "slipstick/solvers/projected/mprgp.hpp"
#include "slipstick/solvers/projected/p_spg_fb.hpp"
#include "slipstick/solvers/sweeps/block_sweep.hpp"
#include "slipstick/solvers/sweeps/pgs.hpp"
#include "slipstick/solvers/sweeps/pjacobi.hpp"
#include "slipstick/solvers/sweeps/subspace.hpp"

namespace slipstick::internal {
namespace {

using enum ProblemClass;
constexpr ProblemClass convex_bounds[] = {lcp, mlcp, boxed, contact2d, contact3d, global2d, global3d};
constexpr ProblemClass any_bounds[] = {lcp, mlcp, boxed, qp, contact2d, contact3d, global2d, global3d};

template <class Method, class MethodSettings>
constexpr MethodMaker made_by = {
    [](std::string_view name, const Options& options, const AnySettings& typed) -> std::unique_ptr<Solver> {
      return std::make_unique<Method>(read_options<MethodSettings>(options, name, typed));
    },
    describe_options<MethodSettings>};

constexpr CatalogRow methods_table[] = {
    {.name = "lemke",
     .summary = "complementary pivoting with perturbed constants, exact if rounding misleads it",
     .paper = "UIC survey 3.2, Alg. 1",
     .advice = "small problems (dense, up to about 1,000 rows), nonsymmetric ones, an exact answer",
     .classes = any_bounds,
     .nonsymmetric = true,
     .warm_start = false,
     .method = made_by<Lemke, LemkeSettings>},
    {.name = "dense-bpp",
     .summary = "block principal pivoting with single pivots against cycles, in dense arrays",
     .paper = "Judice and Pires 1994; Ho 2022, Alg. 1",
     .advice = "up to some hundreds of rows, dense and positive definite",
     .classes = any_bounds,
     .method = made_by<DensePivoting, DensePivotingSettings>},
    {.name = "pgs",
     .summary = "projected Gauss-Seidel with relaxation",
     .paper = "UIC survey 3.3.3, Alg. 4 and 5",
     .advice = "a rough answer in a few sweeps; diagonally dominant problems",
     .classes = convex_bounds,
     .nonsymmetric = true,
     .matrix_free = true,
     .method = made_by<Pgs, PgsSettings>},
    {.name = "pjacobi",
     .summary = "projected Jacobi with relaxation",
     .paper = "UIC survey 3.3.4, Alg. 6",
     .advice = "a baseline; every row in parallel",
     .classes = convex_bounds,
     .nonsymmetric = true,
     .matrix_free = true,
     .method = made_by<Pjacobi, PjacobiSettings>},
    {.name = "pgs-sm",
     .summary = "projected Gauss-Seidel alternating with sweeps of the free rows alone",
     .paper = "UIC survey 3.3.1, Alg. 2",
     .advice = "medium problems with many rows at a bound",
     .classes = convex_bounds,
     .matrix_free = true,
     .method = made_by<PgsSm, PgsSmSettings>},
    {.name = "pjacobi-sm",
     .summary = "projected Jacobi alternating with sweeps of the free rows alone",
     .paper = "UIC survey 3.3.1, Alg. 2",
     .advice = "a baseline",
     .classes = convex_bounds,
     .matrix_free = true,
     .method = made_by<PjacobiSm, PjacobiSmSettings>},
    {.name = "gp-sm",
     .summary = "gradient projection with an exact Cauchy search, then conjugate gradients on the face",
     .paper = "UIC survey 3.3.2, Alg. 3",
     .advice = "symmetric problems whose active set is far from the start",
     .classes = convex_bounds,
     .matrix_free = true,
     .method = made_by<GpSm, GpSmSettings>},
    {.name = "mprgp",
     .summary = "modified proportioning with reduced gradient projections",
     .paper = "UIC survey 3.3.5, Alg. 7",
     .advice = "large symmetric problems, matrix-free ones included",
     .classes = convex_bounds,
     .matrix_free = true,
     .method = made_by<Mprgp, MprgpSettings>},
    {.name = "mprgp-cuda",
     .summary = "mprgp on a CUDA device, through the bodies or with the matrix in slices",
     .paper = "UIC survey 3.3.5, Alg. 7",
     .advice = "bounds alone from about 100,000 rows on, where there is a device",
     .classes = convex_bounds,
     .needs_device = true,
     .method = made_by<MprgpCuda, MprgpSettings>},
    {.name = "pmprgp",
     .summary = "mprgp preconditioned by a modified incomplete Cholesky factor of the free rows",
     .paper = "UIC survey 3.3.6",
     .advice = "large sparse symmetric problems; the first choice of auto",
     .classes = convex_bounds,
     .method = made_by<Mprgp, PmprgpSettings>},
    {.name = "ppm",
     .summary = "single principal pivoting by least index, sparse Cholesky factor that follows the set",
     .paper = "Ho 2022, 2.5.2; Murty 1974",
     .advice = "an exact answer where few rows change from a warm start; a baseline for bpp",
     .classes = convex_bounds,
     .method = made_by<PrincipalPivoting, PpmSettings>},
    {.name = "bpp",
     .summary =
         "block principal pivoting with single pivots against cycles, sparse Cholesky factor that follows "
         "the set",
     .paper = "Ho 2022, Alg. 1; Judice and Pires 1994",
     .advice = "an exact answer to sparse symmetric problems; sequences of similar problems with warm starts",
     .classes = convex_bounds,
     .method = made_by<PrincipalPivoting, BppSettings>},
    {.name = "bpp-pcg",
     .summary = "bpp with preconditioned conjugate gradients for the free rows",
     .paper = "Ho 2022, Alg. 10",
     .advice = "large sparse symmetric problems whose Cholesky factor does not fit",
     .classes = convex_bounds,
     .method = made_by<PrincipalPivoting, BppPcgSettings>},
    {.name = "pgcg",
     .summary = "preconditioned generalized conjugate gradients: rows that meet a bound stop there",
     .paper = "Ho 2022, Alg. 11; O'Leary 1980",
     .advice = "large sparse symmetric problems with a good warm start; to compare with the paper",
     .classes = convex_bounds,
     .method = made_by<Pgcg, PgcgSettings>},
    {.name = "dantzig",
     .summary = "incremental pivoting, row by row, with a dense factor that grows and shrinks",
     .paper = "beyond the papers (Cottle and Dantzig 1968; Baraff 1994)",
     .advice = "small dense problems; the baseline that physics engines have",
     .classes = convex_bounds,
     .method = made_by<Dantzig, DantzigSettings>},
    {.name = "apgd",
     .summary = "accelerated projected gradient descent with adaptive step, restart and ray rescaling",
     .paper = "Melanz 2015 (APGD)",
     .advice = "friction cones of any number, matrix-free ones included",
     .classes = convex_bounds,
     .matrix_free = true,
     .method = made_by<Apgd, ApgdSettings>},
    {.name = "apgd-cuda",
     .summary = "apgd on a CUDA device, through the bodies",
     .paper = "Melanz 2015 (APGD)",
     .advice = "contacts of rigid bodies from about 100,000 on, where there is a device",
     .classes = convex_bounds,
     .needs_device = true,
     .method = made_by<ApgdCuda, ApgdCudaSettings>},
    {.name = "ipm",
     .summary = "conic interior point with Nesterov-Todd scaling, predictor and corrector",
     .paper = "beyond the papers (Nesterov and Todd 1997; Mehrotra 1992)",
     .advice = "friction cones to high accuracy; singular and ill-conditioned problems whose factor fits",
     .classes = convex_bounds,
     .method = made_by<Ipm, IpmSettings>},
    {.name = "pdip",
     .summary = "primal-dual interior point with two barrier functions per contact, Cholesky or BiCGStab(2)",
     .paper = "Melanz 2015 (PDIP)",
     .advice = "friction cones, to compare with the paper; ipm takes fewer iterations",
     .classes = convex_bounds,
     .method = made_by<Pdip, PdipSettings>},
    {.name = "p-pdip",
     .summary = "pdip with BiCGStab(2) preconditioned by SPIKE",
     .paper = "Melanz 2015 (P-PDIP)",
     .advice = "friction cones whose contact graph is long and narrow, so that its band is",
     .classes = convex_bounds,
     .method = made_by<Pdip, PPdipSettings>},
    {.name = "p-pdip-cuda",
     .summary = "p-pdip with factorizations and BiCGStab(2) on a CUDA device",
     .paper = "Melanz 2015 (P-PDIP)",
     .advice =
         "friction cones by an interior point, where there is a device; the band must fit into its memory",
     .classes = convex_bounds,
     .needs_device = true,
     .method = made_by<PdipCuda, PPdipCudaSettings>},
    {.name = "p-spg-fb",
     .summary = "preconditioned spectral projected gradients, nonmonotone, with fallback to the best iterate",
     .paper = "Heyn 2012 (P-SPG-FB)",
     .advice = "a rough answer on friction cones in few products, matrix-free ones included",
     .classes = convex_bounds,
     .matrix_free = true,
     .method = made_by<PSpgFb, PSpgFbSettings>},
    {.name = "p-spg-fb-cuda",
     .summary = "p-spg-fb on a CUDA device, through the bodies",
     .paper = "Heyn 2012 (P-SPG-FB)",
     .advice = "contacts of rigid bodies from about 100,000 on, where there is a device",
     .classes = convex_bounds,
     .needs_device = true,
     .method = made_by<PSpgFbCuda, PSpgFbSettings>},
    {.name = "kucera",
     .summary = "proportioning with conjugate gradients on the faces of bounds and cones; on bounds mprgp",
     .paper = "Heyn 2012 (KUCERA); Kucera 2008",
     .advice = "bounds and friction cones whose faces settle early",
     .classes = convex_bounds,
     .matrix_free = true,
     .method = made_by<Kucera, KuceraSettings>},
    {.name = "kucera-cuda",
     .summary = "kucera on a CUDA device, through the bodies; on bounds mprgp-cuda",
     .paper = "Heyn 2012 (KUCERA); Kucera 2008",
     .advice =
         "friction cones whose faces settle early, where there is a device; in packings apgd-cuda is faster",
     .classes = convex_bounds,
     .needs_device = true,
     .method = made_by<KuceraCuda, KuceraSettings>},
    {.name = "gpminres",
     .summary = "gradient projection, then MINRES on the face found, tangent planes with curvature on cones",
     .paper = "Heyn 2012 (GPMINRES)",
     .advice = "bounds and friction cones, singular matrices included",
     .classes = convex_bounds,
     .matrix_free = true,
     .method = made_by<Gpminres, GpminresSettings>},
    {.name = "gpminres-p",
     .summary = "gpminres preconditioned by an incomplete Cholesky factor of the free rows",
     .paper = "Heyn 2012 (GPMINRES-P)",
     .advice = "sparse assembled problems with bounds",
     .classes = convex_bounds,
     .method = made_by<Gpminres, GpminresPSettings>},
    {.name = "jacobi",
     .summary = "block Jacobi: all contacts at once, projected or exact local steps",
     .paper = "Heyn 2012, eq. 12; Melanz 2015",
     .advice = "a baseline on friction cones; every contact in parallel",
     .classes = convex_bounds,
     .nonsymmetric = true,
     .matrix_free = true,
     .method = made_by<Jacobi, JacobiSettings>},
    {.name = "jacobi-cuda",
     .summary = "jacobi on a CUDA device, through the bodies, with projected steps",
     .paper = "Heyn 2012, eq. 12; Melanz 2015",
     .advice = "a baseline",
     .classes = convex_bounds,
     .needs_device = true,
     .method = made_by<JacobiCuda, JacobiSettings>},
    {.name = "gauss-seidel",
     .summary = "block Gauss-Seidel: contact by contact, exact or projected local steps",
     .paper = "Heyn 2012 (the sequential form of eq. 12)",
     .advice = "a rough answer on friction cones in few sweeps",
     .classes = convex_bounds,
     .nonsymmetric = true,
     .matrix_free = true,
     .method = made_by<GaussSeidel, GaussSeidelSettings>},
    {.name = "qp-ipm",
     .summary = "primal-dual interior point with presolve, one sparse factorization an iteration, and polish",
     .paper = "beyond the papers (Mehrotra 1992; Gondzio 1996)",
     .advice = "convex QPs with linear rows, sparse or dense, singular and badly scaled ones; proofs",
     .classes = any_bounds,
     .method = made_by<QpIpm, QpIpmSettings>},
    {.name = "pdasm",
     .summary = "primal-dual active set, a new factorization for every set",
     .paper = "Litven 2013, Alg. 2.2 (DIRECT)",
     .advice = "convex problems with bounds and linear rows, sparse or banded; exact active sets",
     .classes = any_bounds,
     .method = made_by<Pdasm, PdasmSettings>},
    {.name = "schurpa",
     .summary = "pdasm with one factorization and a Schur complement of the changes of the set",
     .paper = "Litven 2013, Alg. 3.1 and 3.2 (SCHURPA)",
     .advice = "the same with a good guess of the active set and a factorization that costs",
     .classes = any_bounds,
     .method = made_by<Schurpa, SchurpaSettings>},
    {.name = "pdasm-cuda",
     .summary = "pdasm on a CUDA device, with a banded factorization",
     .paper = "Litven 2013, Alg. 2.2 (DIRECT), chapters 5 and 6",
     .advice = "banded problems with bounds and a wide band, where there is a device",
     .classes = convex_bounds,
     .needs_device = true,
     .method = made_by<PdasmCuda, PdasmSettings>},
    {.name = "schurpa-cuda",
     .summary = "schurpa on a CUDA device, with a banded factorization",
     .paper = "Litven 2013, Alg. 3.1, 3.2 and 5.3 (SCHURPA), chapters 5 and 6",
     .advice = "the same with a good guess of the active set",
     .classes = convex_bounds,
     .needs_device = true,
     .method = made_by<SchurpaCuda, SchurpaSettings>},
    {.name = "dual-asm",
     .summary = "dual active set with updated dense factors",
     .paper = "Litven 2013, section 2.3; Goldfarb and Idnani 1983",
     .advice = "small strictly convex problems with bounds and linear rows, many of which are not active",
     .classes = any_bounds,
     .method = made_by<DualAsm, DualAsmSettings>},
    {.name = "primal-asm",
     .summary = "primal active set with updated dense factors, feasible from the first step on",
     .paper = "Litven 2013, Alg. 2.1 and section 2.3",
     .advice = "small convex problems with bounds and linear rows, singular matrices included",
     .classes = any_bounds,
     .method = made_by<PrimalAsm, PrimalAsmSettings>},
    {.name = "newton-fb",
     .summary = "semismooth Newton on the Fischer-Burmeister function with line search",
     .paper = "beyond the papers (De Luca, Facchinei, Kanzow 1996; Billups 1995)",
     .advice = "nonsymmetric problems and singular equality blocks; linear rows",
     .classes = any_bounds,
     .nonsymmetric = true,
     .method = made_by<NewtonFb, NewtonFbSettings>},
    {.name = "enumerate",
     .summary = "every active set in turn, singular systems included",
     .paper = "beyond the papers",
     .advice = "a handful of complementarity rows, where nothing else works",
     .classes = any_bounds,
     .nonsymmetric = true,
     .warm_start = false,
     .method = made_by<Enumerate, EnumerateSettings>},
};

}  // namespace

std::span<const CatalogRow> catalog() {
  return methods_table;
}

const CatalogRow* find_solver(std::string_view name) {
  for (const CatalogRow& row : methods_table) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

std::unique_ptr<Solver> make_solver(std::string_view name, const Options& options, const AnySettings& typed) {
  if (const CatalogRow* row = find_solver(name)) return row->method.make(name, options, typed);
  check_renamed(WordKind::solver, name);
  std::string names;
  for (const CatalogRow& row : methods_table) names += (names.empty() ? "" : ", ") + std::string(row.name);
  fail("there is no solver '{}'; there are: auto, {}", name, names);
}

}  // namespace slipstick::internal
