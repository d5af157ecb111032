// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scenes/qp_families.hpp"

#include <algorithm>

#include "slipstick/base/error.hpp"
#include "slipstick/scenes/qp_collection.hpp"
#include "slipstick/scenes/qp_models.hpp"

namespace slipstick::internal {
namespace {

using Seed = std::uint64_t;
constexpr Index most = 1'000'000;  // of unknowns in most families

template <int kind>
Problem make_liswet(Index n, Seed) {
  return liswet(kind, n);
}

template <int dimension, bool costs_border, bool bounds_fluxes>
Problem make_aug(Index edge, Seed) {
  return aug(edge, {dimension, costs_border, bounds_fluxes});
}

constexpr const char* unknowns_word = "unknowns";
constexpr const char* rows_word = "rows";
constexpr const char* edge_word = "nodes along an edge";
constexpr const char* features_word = "features";

constexpr QpFamily families[] = {
    {"cvxqp1", unknowns_word, 4, 1000, most, false, [](Index n, Seed) { return cvxqp(n, 0.5); }},
    {"cvxqp2", unknowns_word, 4, 1000, most, false, [](Index n, Seed) { return cvxqp(n, 0.25); }},
    {"cvxqp3", unknowns_word, 4, 1000, most, false, [](Index n, Seed) { return cvxqp(n, 0.75); }},
    {"liswet1", rows_word, 1, 10'000, most, false, make_liswet<1>},
    {"liswet2", rows_word, 1, 10'000, most, false, make_liswet<2>},
    {"liswet3", rows_word, 1, 10'000, most, false, make_liswet<3>},
    {"liswet4", rows_word, 1, 10'000, most, false, make_liswet<4>},
    {"liswet5", rows_word, 1, 10'000, most, false, make_liswet<5>},
    {"liswet6", rows_word, 1, 10'000, most, false, make_liswet<6>},
    {"liswet7", rows_word, 1, 10'000, most, false, make_liswet<7>},
    {"liswet8", rows_word, 1, 10'000, most, false, make_liswet<8>},
    {"liswet9", rows_word, 1, 10'000, most, false, make_liswet<9>},
    {"liswet10", rows_word, 1, 10'000, most, false, make_liswet<10>},
    {"liswet11", rows_word, 1, 10'000, most, false, make_liswet<11>},
    {"liswet12", rows_word, 1, 10'000, most, false, make_liswet<12>},
    {"aug2d", edge_word, 2, 100, 1000, false, make_aug<2, false, false>},
    {"aug2dc", edge_word, 2, 100, 1000, false, make_aug<2, true, false>},
    {"aug2dqp", edge_word, 2, 100, 1000, false, make_aug<2, false, true>},
    {"aug2dcqp", edge_word, 2, 100, 1000, false, make_aug<2, true, true>},
    {"aug3d", edge_word, 2, 10, 100, false, make_aug<3, false, false>},
    {"aug3dc", edge_word, 2, 10, 100, false, make_aug<3, true, false>},
    {"aug3dqp", edge_word, 2, 10, 100, false, make_aug<3, false, true>},
    {"aug3dcqp", edge_word, 2, 10, 100, false, make_aug<3, true, true>},
    {"cont", "intervals along an edge", 2, 100, 1000, false,
     [](Index n, Seed) { return boundary_control(n); }},
    {"powell20", unknowns_word, 2, 10'000, most, false, [](Index n, Seed) { return powell20(n); }},
    {"dtoc3", "periods", 2, 5000, most, false, [](Index n, Seed) { return dtoc3(n); }},
    {"ubh1", "steps", 10, 2000, most, false, [](Index n, Seed) { return ubh1(n); }},
    {"yao", rows_word, 1, 2000, most, false, [](Index n, Seed) { return yao(n); }},
    {"huestis", unknowns_word, 2, 10'000, most, false, [](Index n, Seed) { return huestis(n, false); }},
    {"hues-mod", unknowns_word, 2, 10'000, most, false, [](Index n, Seed) { return huestis(n, true); }},
    {"stcqp1", "p of 2^p + 1 unknowns", 2, 12, 16, false, [](Index p, Seed) { return stcqp(p, false); }},
    {"stcqp2", "p of 2^p + 1 unknowns", 2, 12, 16, false, [](Index p, Seed) { return stcqp(p, true); }},
    {"ksip", "intervals", 1, 1000, most, false, [](Index n, Seed) { return ksip(n); }},
    {"mass-chain", "steps", 1, 100, 50'000, true, mass_chain},
    {"portfolio", "assets", 1, 1000, 50'000, true, portfolio},
    {"lasso", features_word, 1, 100, 50'000, true, lasso},
    {"svm", features_word, 1, 100, 50'000, true, support_vectors},
    {"huber", features_word, 1, 100, 50'000, true, huber_fit},
};

}  // namespace

std::span<const QpFamily> qp_families() {
  return families;
}

Problem make_qp(const QpOptions& options) {
  const auto family = std::find_if(std::begin(families), std::end(families),
                                   [&](const QpFamily& f) { return f.name == options.family; });
  if (family == std::end(families)) {
    std::string names;
    for (const QpFamily& f : families) names += (names.empty() ? "" : ", ") + std::string(f.name);
    fail("family of QPs: '{}' is none of {}", options.family, names);
  }
  const Index size = options.size == 0 ? family->standard : options.size;
  if (size < family->smallest || size > family->largest)
    fail("{}: the size is the number of {}, {} to {}, not {}", family->name, family->size_counts,
         family->smallest, family->largest, size);
  return family->make(size, options.seed);
}

}  // namespace slipstick::internal
