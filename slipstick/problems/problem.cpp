// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/problem.hpp"

#include "slipstick/base/overloaded.hpp"
#include "slipstick/linalg/operator.hpp"
#include "slipstick/matrix.hpp"

namespace slipstick {
using namespace internal;
namespace {

ProblemClass classify_bounds(const auto& lower, const auto& upper) {
  bool any_free = false;
  for (Index i = 0; i < lower.size(); ++i) {
    const bool is_free = lower[i] == -infinity && upper[i] == infinity;
    const bool one_sided = lower[i] == 0.0 && upper[i] == infinity;
    if (!is_free && !one_sided) return ProblemClass::boxed;
    any_free = any_free || is_free;
  }
  return any_free ? ProblemClass::mlcp : ProblemClass::lcp;
}

}  // namespace

std::string_view name(ProblemClass problem_class) {
  constexpr std::string_view names[] = {"lcp",       "mlcp",      "boxed",    "qp",
                                        "contact2d", "contact3d", "global2d", "global3d"};
  return names[static_cast<int>(problem_class)];
}

ProblemClass classify(const AnyProblem& problem) {
  return std::visit(Overloaded{[](const LcpProblem&) { return ProblemClass::lcp; },
                               [](const MixedLcp& p) { return classify_bounds(p.lower, p.upper); },
                               [](const Problem& p) {
                                 if (p.rows || !p.K.is_box()) return ProblemClass::qp;
                                 return classify_bounds(p.K.lower(), p.K.upper());
                               },
                               [](const LocalContactProblem& p) {
                                 return p.dimension == 2 ? ProblemClass::contact2d : ProblemClass::contact3d;
                               },
                               [](const GlobalContactProblem& p) {
                                 return p.dimension == 2 ? ProblemClass::global2d : ProblemClass::global3d;
                               }},
                    problem);
}

Index unknowns(const AnyProblem& problem) {
  return std::visit(
      Overloaded{[](const LcpProblem& p) { return p.M.rows(); }, [](const MixedLcp& p) { return p.M.rows(); },
                 [](const Problem& p) { return p.A.rows(); },
                 [](const LocalContactProblem& p) { return p.W.rows(); },
                 [](const GlobalContactProblem& p) { return Index{p.M.rows()}; }},
      problem);
}

Index nonzeros(const AnyProblem& problem) {
  return std::visit(
      Overloaded{[](const LcpProblem& p) { return p.M.nonzeros(); },
                 [](const MixedLcp& p) { return p.M.nonzeros(); },
                 [](const Problem& p) { return p.A.nonzeros() + (p.rows ? p.rows->G->nonZeros() : 0); },
                 [](const LocalContactProblem& p) { return p.W.nonzeros(); },
                 [](const GlobalContactProblem& p) { return p.M.nonZeros() + p.H.nonZeros(); }},
      problem);
}

}  // namespace slipstick
