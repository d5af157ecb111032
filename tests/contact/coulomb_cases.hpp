// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "slipstick/contact/coulomb/coulomb_method.hpp"

// Problems and a small driver that the tests of methods for Coulomb's law share.
namespace slipstick::internal {

/// Runs the method on every island of a problem until both rulers are below settings.tolerance. The status is
/// `solved` if scaled_natural_map and desaxce of measure() are below it. Otherwise it is the worst belief of
/// the islands. `start` is r in the order of the problem. Iterations are summed over the islands. `blocks`
/// may be kept between calls.
void solve_coulomb(CoulombMethod& method, ContactBlocks& blocks, const LocalContactProblem& problem,
                   const Settings& settings, Result& result, const Vector* start = nullptr);
Result solve_coulomb(CoulombMethod& method, const LocalContactProblem& problem, double tolerance = 1e-8,
                     int max_iterations = 0);

/// Checks Coulomb's law contact by contact: r_N >= 0, u_N >= 0, r_N u_N = 0, ||r_T|| <= mu r_N, r_T'u_T = -mu
/// r_N ||u_T||. Checks the rows of joints too. `tolerance` is relative to the largest velocity (of u or q)
/// and impulse.
void expect_coulomb(const LocalContactProblem& problem, const Solution& solution, double tolerance);

/// A block on a slope is held up to the angle of friction and slides beyond it; impulses to `accuracy`.
void expect_slope(CoulombMethod& method, double accuracy);
/// Solves a few problems with joints and without, nonsymmetric, and with one contact without
/// friction.
void expect_random_contacts(CoulombMethod& method);
/// A second solve of the problem, to a tolerance that is out of reach, allocates nothing.
void expect_no_allocation(CoulombMethod& method, const LocalContactProblem& problem);

/// One contact with a full block W.
LocalContactProblem one_contact(const DenseMatrix& W, const Vector& q, double mu);
/// A block of mass 1 on a slope of the given angle, after one second of gravity g = 10 from rest. `normal` is
/// added to its velocity along the normal.
LocalContactProblem block_on_slope(int dimension, double angle, double mu, double normal = 0.0);
/// Contacts on bodies with random Jacobians. W = J J' + asymmetry * (random, relative to the largest entry).
/// q = J times a random velocity, so that a solution exists. Redundant if contacts * dimension exceeds the
/// dofs.
struct RandomContacts {
  int dimension = 3;
  Index contacts = 10;
  Index dofs = 40;
  double friction = 0.5;
  double asymmetry = 0.0;
  Index bilateral = 0;  ///< rows of joints, every third zero (a row that nothing can move, q = 0)
  Index bounded = 0;    ///< rows of limits and motors after them: bounds below, above, or both
  std::uint64_t seed = 1;
};
LocalContactProblem random_contacts(const RandomContacts& options);
/// Eight contacts with joints, limits and motors.
LocalContactProblem limits_and_motors(int dimension, std::uint64_t seed);
/// Blocks of mass 1 above each other, one contact each, after a second of gravity.
LocalContactProblem stack_of_blocks(int dimension, Index blocks);
/// Spheres in a bucket, condensed; matrix-free.
LocalContactProblem sphere_contacts(Index spheres, double friction, std::uint64_t seed = 1);
/// Two problems of one dimension without joints as one: the islands of both.
LocalContactProblem side_by_side(const LocalContactProblem& a, const LocalContactProblem& b);
/// r, q and W of one problem in other units of length or mass: W times `mass`, q times `velocity`.
LocalContactProblem rescaled(const LocalContactProblem& problem, double mass, double velocity);

/// The contact problems under SLIPSTICK_DATA/<folder>, sorted by name; empty if the variable is not set.
struct NamedContacts {
  std::string name;
  LocalContactProblem problem;
};
std::vector<NamedContacts> real_contacts(const std::string& folder, Index most_contacts);

}  // namespace slipstick::internal
