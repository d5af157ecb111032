// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/auto/coulomb_chain.hpp"

#include "slipstick/contact/coulomb/auto/joints_first.hpp"
#include "slipstick/contact/coulomb/auto/solver_stage.hpp"
#include "slipstick/contact/coulomb/newton/ncp_ipm.hpp"
#include "slipstick/contact/coulomb/newton/newton_cost.hpp"
#include "slipstick/contact/coulomb/newton/nsn.hpp"
#include "slipstick/contact/coulomb/newton/shift_ipm.hpp"
#include "slipstick/contact/coulomb/sweeps/few_contacts.hpp"
#include "slipstick/contact/coulomb/sweeps/nsgs_fast.hpp"

namespace slipstick::internal {
namespace {

// What the stages of a thread share: the rule, and kept objects, since the methods run in turn.
struct Shared {
  explicit Shared(const CoulombRule& given) : rule(given) {}
  bool has_many(const CoulombSolver::IslandView& island) const {
    return island.dimension == 3 && island.contacts >= rule.many_contacts;
  }
  bool is_large(const CoulombSolver::IslandView& island) const {
    return has_many(island) && island.contacts >= rule.large_contacts;
  }
  // Sweeps are cheaper than the factorizations of any other method.
  bool is_for_sweeps(const CoulombSolver::IslandView& island) const {
    return is_large(island) && island.warm &&
           rule.factorizations * rule.newton_sweeps * island.contacts > rule.most_sweeps;
  }
  std::unique_ptr<CoulombMethod> nsgs(const NsgsSettings& settings, const SwitchToNewton& switch_to_newton) {
    return std::make_unique<Nsgs>(settings, sweeps, switch_to_newton, newton_cost);
  }
  std::unique_ptr<CoulombMethod> nsgs_fast(const SwitchToNewton& switch_to_newton) {
    return std::make_unique<NsgsFast>(
        NsgsFastSettings{}, sweeps, switch_to_newton,
        [exact = newton_cost, limits = rule](const ContactBlocks& blocks, const Island& island) {
          return island.contacts() < limits.large_contacts ? exact(blocks, island)
                                                           : limits.newton_sweeps * island.contacts();
        });
  }
  std::unique_ptr<CoulombMethod> nsn(const NsnSettings& settings) {
    return std::make_unique<Nsn>(settings, system, sweeps);
  }
  std::unique_ptr<CoulombMethod> prox() { return std::make_unique<Prox>(ProxSettings{}, system, sweeps); }
  std::unique_ptr<CoulombMethod> admm(const SwitchToNewton& switch_to_newton) {
    return std::make_unique<Admm>(AdmmSettings{}, switch_to_newton, system);
  }
  std::unique_ptr<CoulombMethod> shift_ipm(int turns = ShiftIpmSettings::most_turns) {
    return std::make_unique<ShiftIpm>(ShiftIpmSettings{.starts = rule.heap_starts, .turns = turns},
                                      heap_system);
  }
  std::unique_ptr<CoulombMethod> ncp_ipm(const NcpIpmSettings& settings) {
    return std::make_unique<NcpIpm>(settings, system, newton_system);
  }

  CoulombRule rule;
  SharedSystem system = std::make_shared<ContactSystem>(), newton_system = std::make_shared<ContactSystem>();
  SharedSystem heap_system = std::make_shared<ContactSystem>(least_fill_ordering());
  std::shared_ptr<SweepWorkspace> sweeps = std::make_shared<SweepWorkspace>();
  SweepsPerNewtonStep newton_cost = [cost = std::make_shared<NewtonCost>(system)](const ContactBlocks& blocks,
                                                                                  const Island& island) {
    return cost->in_sweeps(blocks, island);
  };
};

// Adds a stage at the end of a chain.
struct AddStage {
  CoulombSolver::Chain& chain;
  CoulombSolver::Stage& operator()(std::function<std::unique_ptr<CoulombMethod>()> make,
                                   std::string_view reason) const {
    chain.push_back({std::move(make), reason});
    return chain.back();
  }
};

bool has_many_joints(const CoulombSolver::IslandView& island) {
  return island.joints > 0 && island.contacts <= 2 * island.joints;
}

bool is_for_elimination(const CoulombSolver::IslandView& island) {
  return has_many_joints(island) && island.dimension * island.contacts <= JointsFirst::most_other_rows;
}

// Machines with cables and chains that touch something. The factor of all rows is sparse, that of the
// contacts alone is dense.
bool has_contacts_and_many_joints(const CoulombSolver::IslandView& island) {
  return island.contacts > 0 && has_many_joints(island);
}

}  // namespace

CoulombSolver::Chain coulomb_chain(const CoulombRule& rule) {
  using IslandView = CoulombSolver::IslandView;
  CoulombSolver::Chain chain;
  chain.reserve(28);
  const AddStage add{chain};
  const auto shared = std::make_shared<Shared>(rule);

  add([] { return std::make_unique<FewContacts>(); }, "few contacts").takes = [](const IslandView& island) {
    return island.contacts + island.joints <= FewContacts::most_nodes;
  };
  const auto prox = [shared] { return shared->prox(); };
  const auto cold_ipm = [shared] { return shared->ncp_ipm({.arc_factorizations = 0}); };
  add(prox, "contacts, and many joints").takes = has_contacts_and_many_joints;
  add([shared] { return shared->ncp_ipm({}); }, "contacts, and many joints").takes =
      has_contacts_and_many_joints;
  add(
      [shared] {
        return std::make_unique<JointsFirst>([rule = shared->rule] { return coulomb_chain(rule); });
      },
      "many joints")
      .takes = is_for_elimination;
  add([shared] { return shared->nsgs({}, shared->rule.sweeps); }, "to begin with").takes =
      [shared](const IslandView& island) { return !shared->has_many(island); };
  add([shared] { return shared->nsgs({.test = shared->rule.few_sweeps.trial}, shared->rule.few_sweeps); },
      "many contacts, to begin with")
      .takes = [shared](const IslandView& island) {
    return shared->has_many(island) && !shared->is_large(island) && !island.warm;
  };
  add([shared] { return shared->nsgs_fast(shared->rule.warm_sweeps); }, "many contacts, warm").takes =
      [shared](const IslandView& island) { return shared->has_many(island) && island.warm; };
  const std::uint64_t fast = std::uint64_t{1} << chain.size();
  add([shared] { return shared->nsgs_fast(shared->rule.fast_sweeps); }, "very many contacts, to begin with")
      .takes = [shared](const IslandView& island) { return shared->is_large(island) && !island.warm; };
  const auto patient_sweeps = [shared] { return shared->nsgs_fast(shared->rule.patient_sweeps); };
  add(patient_sweeps, "very many contacts, once more").takes = [shared](const IslandView& island) {
    return shared->is_for_sweeps(island);
  };
  CoulombSolver::Stage& alternating =
      add([shared] { return shared->admm(shared->rule.alternating); }, "many contacts");
  alternating.cold = true;
  alternating.takes = [shared, fast](const IslandView& island) {
    return shared->has_many(island) && (island.stages & fast) == 0 && !shared->is_for_sweeps(island);
  };
  const auto short_shift_ipm = [shared] { return shared->shift_ipm(shared->rule.first_turns); };
  const std::uint64_t heap = std::uint64_t{1} << chain.size();
  add([shared] { return shared->shift_ipm(); }, "many contacts, far from the solution").takes =
      [shared](const IslandView& island) {
        return shared->has_many(island) && !shared->is_large(island) &&
               island.error >= shared->rule.heap_error;
      };
  const std::uint64_t large_heap = std::uint64_t{1} << chain.size();
  add(short_shift_ipm, "very many contacts, far from the solution").takes =
      [shared](const IslandView& island) {
        return shared->is_large(island) && island.error >= shared->rule.heap_error;
      };
  add([shared] { return shared->nsn({}); }, "from there");
  add(prox, "very many contacts, near the solution").takes = [shared, fast](const IslandView& island) {
    return (island.stages & fast) != 0 && island.error <= shared->rule.fast_sweeps.near;
  };
  add(short_shift_ipm, "very many contacts, and Newton's method led nowhere").takes =
      [shared, large_heap](const IslandView& island) {
        return shared->is_large(island) && (island.stages & large_heap) == 0;
      };
  add(patient_sweeps, "very many contacts, not far from the target").takes =
      [shared](const IslandView& island) {
        return shared->is_large(island) && !shared->is_for_sweeps(island) &&
               island.excess <= shared->rule.patient_excess;
      };
  add([shared] { return shared->shift_ipm(); }, "many contacts, and Newton's method led nowhere").takes =
      [shared, heap](const IslandView& island) {
        return shared->has_many(island) && (island.stages & heap) == 0;
      };
  const std::uint64_t early = std::uint64_t{1} << chain.size();
  add(cold_ipm, "many contacts, little friction, far from the solution").takes =
      [shared](const IslandView& island) {
        const CoulombRule& limits = shared->rule;
        return island.contacts >= limits.interior_contacts && island.friction <= limits.interior_friction &&
               island.error >= limits.interior_error;
      };
  add(prox, "from there").takes = [shared, early](const IslandView& island) {
    return (island.stages & early) == 0 || island.error <= shared->rule.fold_error;
  };
  add(cold_ipm, "from the cold").takes = [early](const IslandView& island) {
    return (island.stages & early) == 0;
  };
  add([shared] { return shared->ncp_ipm({.max_factorizations = 0}); }, "through folds");
  add(
      [shared] {
        return shared->nsn(
            {.max_factorizations = 100, .stall_limit = 6, .sweeps = 100, .escape_sweeps = 500});
      },
      "last resort");
  add([shared] { return shared->admm({}); }, "last resort").products_only = true;
  return chain;
}

CoulombSolver::Chain automatic_coulomb_chain() {
  return coulomb_chain({});
}

CoulombSolver::Chain box_chain(const MakeSequence& last) {
  using IslandView = CoulombSolver::IslandView;
  CoulombSolver::Chain chain;
  chain.reserve(12);
  const AddStage add{chain};
  const auto shared = std::make_shared<Shared>(CoulombRule{});
  add([shared] { return shared->prox(); }, "contacts, and many joints").takes = has_contacts_and_many_joints;
  add([shared] { return shared->shift_ipm(); }, "contacts, and many joints").takes =
      has_contacts_and_many_joints;
  add([last] { return std::make_unique<JointsFirst>([last] { return box_chain(last); }, FrictionLaw::box); },
      "many joints")
      .takes = is_for_elimination;
  add([shared] { return shared->nsgs({}, shared->rule.sweeps); }, "to begin with").takes =
      [shared](const IslandView& island) { return !shared->has_many(island); };
  add([shared] { return shared->nsgs_fast(shared->rule.warm_sweeps); }, "many contacts").takes =
      [shared](const IslandView& island) { return shared->has_many(island); };
  add([shared] { return shared->shift_ipm(); }, "many contacts").takes = [shared](const IslandView& island) {
    return shared->has_many(island);
  };
  add([shared] { return shared->nsn({}); }, "from there");
  // The other methods take longer, and what is as near as this has been solved to a common tolerance. Joints
  // alone are linear but for their bounds.
  const auto is_far = [](const IslandView& island) { return island.contacts > 0 && island.error > 1e-8; };
  add([shared] { return shared->shift_ipm(); }, "Newton's method led nowhere").takes =
      [shared, is_far](const IslandView& island) { return !shared->has_many(island) && is_far(island); };
  add([shared] { return shared->prox(); }, "from there").takes = [](const IslandView& island) {
    return island.error > 1e-8;
  };
  add([last] { return std::make_unique<SolverStage>("box-sequence", last); }, "last resort").takes = is_far;
  return chain;
}

}  // namespace slipstick::internal
