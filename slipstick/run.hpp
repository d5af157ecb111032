// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "slipstick/result.hpp"

// What a simulation records, as plain data.
namespace slipstick {

/// The state of a body: its origin (see BodySpec) and the velocity of its centre of mass, in world axes.
struct BodyState {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
  Eigen::Vector3d spin = Eigen::Vector3d::Zero();
};

/// A contact of a step. Vectors are in world axes.
struct ContactRecord {
  std::uint64_t key = 0;  ///< the same from step to step
  std::array<int, 2> bodies = {-1, -1};
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();   ///< from the second body to the first
  double gap = 0.0;                                    ///< at the start of the step, m; negative: penetration
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();   ///< on the first body, N s
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< of the first body against the second, after it
  ContactState state = ContactState::open;
  int island = -1;
};

/// A joint after a step.
struct JointRecord {
  double coordinate = 0.0;                           ///< of a hinge (rad) or slider (m)
  Eigen::Vector3d force = Eigen::Vector3d::Zero();   ///< on the first body, N, the mean of the step
  Eigen::Vector3d torque = Eigen::Vector3d::Zero();  ///< on the first body about the point, N m
  double error = 0.0;                                ///< distance of the anchors, m; 0 if it is soft
  double angle_error = 0.0;                          ///< of the axes, rad; 0 if its turns are soft
  bool broken = false;
};

/// Energies after a step, and what caused their change during it. J.
struct EnergyRecord {
  double kinetic = 0.0;
  double potential = 0.0;  ///< of gravity, 0 at the origin
  // Work on the bodies during the step.
  double gravity = 0.0;
  double contact = 0.0;           ///< of normal impulses
  double friction = 0.0;          ///< of tangential impulses
  double joints = 0.0;            ///< of joints and their stops
  double motors = 0.0;            ///< with the friction of joints
  double motions = 0.0;           ///< of bodies that are moved, and of belts
  double stabilization = 0.0;     ///< of what removes errors of positions
  double stiffness = 0.0;         ///< of the geometric stiffness
  double restitution_gain = 0.0;  ///< that Newton's law with friction added, part of the above
  double unexplained = 0.0;       ///< what is left of the change
};

/// One step of a simulation.
struct StepRecord {
  std::int64_t number = 0;  ///< from 1; 0: the state before the first step
  double time = 0.0;        ///< after it, s
  double step = 0.0;        ///< s
  Index contacts = 0;
  Index rows = 0;  ///< of contacts, joints, stops and motors
  int islands = 0;
  int asleep = 0;  ///< islands that sleep, not counted in `islands`
  std::int64_t iterations = 0;
  std::int64_t factorizations = 0;
  double error = 0.0;  ///< the largest certified error of an island
  bool flagged = false;
  std::array<int, 6> remedies = {};  ///< islands by Remedy, with those of impacts that needed one
  int unsolved_impacts = 0;          ///< contacts that do not bounce, because their impact was not solved
  int unsolved_projections = 0;      ///< of positions: they moved nothing
  double penetration = 0.0;          ///< the largest after the step, m
  double penetration_share = 0.0;    ///< the same, of the smallest extent of the smaller of both bodies
  double joint_error = 0.0;          ///< the largest after it, m
  double joint_angle_error = 0.0;    ///< rad
  Eigen::Vector3d momentum = Eigen::Vector3d::Zero();          ///< N s
  Eigen::Vector3d angular_momentum = Eigen::Vector3d::Zero();  ///< about the origin, N m s
  double angular_defect = 0.0;  ///< change of the angular momentum by the projection, N m s
  double momentum_error = 0.0;  ///< what impulses from outside do not explain, relative
  EnergyRecord energy = {};
  double seconds = 0.0;         ///< of the whole step
  double solver_seconds = 0.0;  ///< of the StepSolver
};

/// All bodies, contacts and joints after a step, with its report.
struct Frame {
  StepRecord step;
  std::vector<BodyState> bodies;
  std::vector<ContactRecord> contacts;
  std::vector<JointRecord> joints;
};

}  // namespace slipstick
