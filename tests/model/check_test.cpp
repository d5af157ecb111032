// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/model/check.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "tests/support/message_of.hpp"
#include "tests/support/sample_scene.hpp"

namespace slipstick::internal::check_test {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

struct Flaw {
  std::function<void(Scene&)> make;
  std::string message;  // a part of it
};

void expect_refused(const std::vector<Flaw>& flaws) {
  for (const Flaw& flaw : flaws) {
    Scene scene = sample_scene();
    flaw.make(scene);
    const std::string message = message_of([&] { check(scene); });
    EXPECT_NE(message.find(flaw.message), message.npos)
        << "'" << message << "' lacks '" << flaw.message << "'";
    // The path comes first, so that a reader finds the line.
    EXPECT_TRUE(message.starts_with('/')) << message;
  }
}

TEST(Check, AcceptsAValidScene) {
  EXPECT_NO_THROW(check(sample_scene()));
  EXPECT_NO_THROW(check(Scene{}));
}

TEST(Check, RefusesBadRuns) {
  expect_refused({
      {[](Scene& s) { s.step = 0.0; }, "/step: 0, expected a positive finite number"},
      {[](Scene& s) { s.step = nan; }, "/step: nan"},
      {[](Scene& s) { s.duration = -1.0; }, "/duration: -1"},
      {[](Scene& s) { s.step = 1e-12; }, "/duration: 10000000000000 steps, expected at most"},
      {[](Scene& s) { s.tolerance = 0.0; }, "/tolerance: 0"},
      {[](Scene& s) { s.gravity.z() = nan; }, "/gravity: [0, 0, nan]"},
      {[](Scene& s) { s.gravity.z() = 1e80; }, "/gravity: [0, 0, 1e+80], expected numbers of at most 1e+60"},
      {[](Scene& s) { s.parameters["a/b"] = infinite; }, "/parameters/a~1b: inf"},
      {[](Scene& s) { s.name = "a\xff"; }, "/name: the text is not UTF-8"},
      {[](Scene& s) { s.summary = "a\nb"; }, "/summary: the text has control characters"},
      {[](Scene& s) { s.stepping.baumgarte = 1.5; },
       "/stepping/baumgarte: 1.5, expected a number from 0 to 1"},
      {[](Scene& s) {
         s.stepping.contact_softness = Stiffness{1.0, 0.0};
       },
       "/stepping/contact_softness: the scheme is gaps"},
      {[](Scene& s) { s.stepping.restitution_threshold = -1.0; }, "/stepping/restitution_threshold: -1"},
  });
}

TEST(Check, RefusesBadMaterials) {
  expect_refused({
      {[](Scene& s) { s.materials[1].friction = -0.1; }, "/materials/1/friction (\"steel\"): -0.1"},
      {[](Scene& s) { s.materials[1].restitution = 1.1; }, "/materials/1/restitution (\"steel\"): 1.1"},
      {[](Scene& s) { s.materials[0].density = 0.0; }, "/materials/0/density (\"wood\"): 0"},
      {[](Scene& s) { s.materials[0].tangential_restitution = 0.5; },
       "/materials/0/tangential_restitution (\"wood\"): 0.5 with the restitution law newton"},
      {[](Scene& s) { s.pairs[0].tangential_restitution = 0.5; },
       "/pairs/0/tangential_restitution: 0.5 with"},
      {[](Scene& s) {
         s.pairs[0].materials = {0, 2};
       },
       "/pairs/0/materials: 2 does not exist, expected 0 to 1"},
      {[](Scene& s) {
         s.pairs.push_back({.materials = {1, 0}});
       },
       "/pairs/1/materials: an earlier pair"},
      {[](Scene& s) { s.pairs[0].friction = nan; }, "/pairs/0/friction: nan"},
  });
  Scene moreau = sample_scene();
  moreau.stepping.restitution = RestitutionLaw::moreau;
  moreau.materials[0].tangential_restitution = 0.5;
  EXPECT_NO_THROW(check(moreau));
}

TEST(Check, RefusesBadNames) {
  expect_refused({
      {[](Scene& s) { s.bodies[1].name = "heap"; }, "/bodies/2/name: \"heap\" is the name of /bodies/1 too"},
      {[](Scene& s) { s.shapes[1].name = "ball"; }, "/shapes/1/name: \"ball\" is"},
      {[](Scene& s) { s.materials[1].name = "wood"; }, "/materials/1/name: \"wood\" is"},
      {[](Scene& s) { s.joints[0].name = "rope"; }, "/joints/2/name: \"rope\" is"},
      {[](Scene& s) { s.bodies[1].name = ""; }, "/bodies/1/name: empty"},
      {[](Scene& s) { s.bodies[1].name = std::string(201, 'a'); }, "/bodies/1/name: 201 bytes"},
      {[](Scene& s) { s.bodies[1].name = "a\tb"; }, "/bodies/1/name: the text has control characters"},
      {[](Scene& s) { s.bodies[1].name = "cable/link 3"; },
       "/bodies/1/name: \"cable/link 3\" is the name of a part of a cable"},
  });
}

TEST(Check, RefusesBadShapes) {
  expect_refused({
      {[](Scene& s) { s.shapes[0].geometry = SphereShape{0.0}; }, "/shapes/0/radius (\"ball\"): 0"},
      {[](Scene& s) {
         s.shapes[1].geometry = BoxShape{{1.0, -1.0, 1.0}};
       },
       "/shapes/1/size (\"crate\"): [1, -1, 1]"},
      {[](Scene& s) {
         s.shapes[2].geometry = CapsuleShape{1.0, nan};
       },
       "/shapes/2/height (\"pill\"): nan"},
      {[](Scene& s) {
         s.shapes[3].geometry = CylinderShape{infinite, 1.0};
       },
       "/shapes/3/radius (\"can\"): inf"},
      {[](Scene& s) {
         s.shapes[4].geometry = ConeShape{1.0, 0.0};
       },
       "/shapes/4/height (\"hat\"): 0"},
      {[](Scene& s) { std::get<HullShape>(s.shapes[5].geometry).points.pop_back(); },
       "/shapes/5/points (\"stone\"): 3 points, expected at least 4"},
      {[](Scene& s) {
         std::get<HullShape>(s.shapes[5].geometry).points[3] = {1, 1, 0};
       },
       "/shapes/5/points (\"stone\"): the points lie in a plane"},
      {[](Scene& s) {
         std::get<HullShape>(s.shapes[5].geometry).points[3] = {nan, 1, 0};
       },
       "/shapes/5/points/3 (\"stone\"): the point is not finite"},
      {[](Scene& s) { std::get<HullShape>(s.shapes[5].geometry).points.resize(5000, Vector3d::Zero()); },
       "/shapes/5/points (\"stone\"): 5000 items, expected at most 4096"},
      {[](Scene& s) {
         std::get<MeshShape>(s.shapes[7].geometry).triangles[0] = {0, 1, 3};
       },
       "/shapes/7/triangles/0 (\"hill\"): point 3 does not exist, expected 0 to 2"},
      {[](Scene& s) {
         std::get<MeshShape>(s.shapes[7].geometry).triangles[0] = {0, 1, -1};
       },
       "point -1 does not"},
      {[](Scene& s) {
         std::get<MeshShape>(s.shapes[7].geometry).points[2] = {2, 0, 0};
       },
       "/shapes/7/triangles/0 (\"hill\"): the triangle has no area"},
      {[](Scene& s) { std::get<MeshShape>(s.shapes[7].geometry).triangles.clear(); },
       "/shapes/7/triangles (\"hill\"): the mesh is empty"},
      {[](Scene& s) {
         s.shapes[8].geometry = HeightFieldShape{Eigen::MatrixXd::Zero(1, 3), 1.0};
       },
       "/shapes/8/heights (\"field\"): 1 x 3 heights"},
      {[](Scene& s) { std::get<HeightFieldShape>(s.shapes[8].geometry).heights(1, 1) = nan; },
       "/shapes/8/heights (\"field\"): some are not finite"},
      {[](Scene& s) { std::get<HeightFieldShape>(s.shapes[8].geometry).spacing = 0.0; }, "/shapes/8/spacing"},
  });
}

TEST(Check, RefusesBadBodies) {
  const auto inertia = [](double a, double b, double c) { return Matrix3d(Vector3d(a, b, c).asDiagonal()); };
  expect_refused({
      {[](Scene& s) { s.bodies[1].mass = 0.0; },
       "/bodies/1/mass (\"lid\"): 0, expected a positive finite number"},
      {[](Scene& s) { s.bodies[1].mass = infinite; }, "/bodies/1/mass (\"lid\"): inf"},
      {[](Scene& s) { s.bodies[3].mass.reset(); }, "/bodies/3/mass (\"weight\"): missing"},
      {[](Scene& s) { s.bodies[3].inertia.reset(); }, "/bodies/3/inertia (\"weight\"): missing"},
      {[=](Scene& s) { s.bodies[1].inertia = inertia(1.0, 1.0, 2.1); },
       "/bodies/1/inertia (\"lid\"): the principal moments are 1, 1 and 2.1"},
      {[=](Scene& s) { s.bodies[1].inertia = inertia(1.0, 1.0, 0.0); },
       "/bodies/1/inertia (\"lid\"): a principal moment is 0"},
      {[](Scene& s) {
         s.bodies[1].inertia = Matrix3d::Identity();
         (*s.bodies[1].inertia)(0, 1) = 0.1;
       },
       "/bodies/1/inertia (\"lid\"): the tensor is not symmetric"},
      {[=](Scene& s) { s.bodies[1].inertia = inertia(1.0, nan, 1.0); },
       "/bodies/1/inertia (\"lid\"): some entries"},
      {[](Scene& s) { s.bodies[1].centre_of_mass = Vector3d(0, nan, 0); },
       "/bodies/1/centre_of_mass (\"lid\")"},
      {[](Scene& s) { s.bodies[1].orientation.coeffs().setZero(); },
       "/bodies/1/orientation (\"lid\"): the norm of the quaternion is 0, expected 1"},
      {[](Scene& s) { s.bodies[1].orientation.w() = nan; }, "/bodies/1/orientation (\"lid\"): the norm"},
      {[](Scene& s) { s.bodies[1].position.x() = nan; }, "/bodies/1/position (\"lid\"): [nan, 0, 0]"},
      {[](Scene& s) { s.bodies[1].velocity.x() = infinite; }, "/bodies/1/velocity (\"lid\"): [inf, 0, 0]"},
      {[](Scene& s) { s.bodies[0].velocity.x() = 1.0; },
       "/bodies/0/velocity (\"ground\"): the body is fixed"},
      {[](Scene& s) { s.bodies[0].spin.x() = 1.0; }, "/bodies/0/spin (\"ground\"): the body is fixed"},
      {[](Scene& s) { s.bodies[1].motion = BeltMotion{}; },
       "/bodies/1/motion (\"lid\"): the body is movable"},
      {[](Scene& s) { s.bodies[1].shapes[0].shape = 9; },
       "/bodies/1/shapes/0/shape (\"lid\"): 9 does not exist, expected 0 to 8"},
      {[](Scene& s) { s.bodies[1].shapes[0].shape = -1; }, "/bodies/1/shapes/0/shape (\"lid\"): -1 does not"},
      {[](Scene& s) { s.bodies[1].shapes[0].material = 2; },
       "/bodies/1/shapes/0/material (\"lid\"): 2 does not"},
      {[](Scene& s) { s.bodies[1].shapes[0].orientation.coeffs() *= 1.001; },
       "/bodies/1/shapes/0/orientation"},
  });
  for (const int surface : {6, 7, 8}) {
    Scene scene = sample_scene();
    scene.bodies[1].shapes[0].shape = surface;
    EXPECT_NE(message_of([&] { check(scene); }).find("/bodies/1/shapes/0/shape (\"lid\"): \""),
              std::string::npos);
  }
}

TEST(Check, RefusesBadMotions) {
  const auto frames = [](Scene& s) -> KeyFrames& { return std::get<KeyFrames>(s.bodies[5].motion); };
  expect_refused({
      {[=](Scene& s) { frames(s).times[1] = 0.0; },
       "/bodies/5/motion/times/1 (\"gate\"): 0, expected more than the 0 before it"},
      {[=](Scene& s) { frames(s).times[0] = nan; }, "/bodies/5/motion/times/0 (\"gate\"): nan"},
      {[=](Scene& s) { frames(s) = {}; }, "/bodies/5/motion/times (\"gate\"): there are no key frames"},
      {[=](Scene& s) { frames(s).positions.pop_back(); },
       "/bodies/5/motion/positions (\"gate\"): 1 positions"},
      {[=](Scene& s) { frames(s).orientations.pop_back(); }, "/bodies/5/motion/orientations (\"gate\"): 1"},
      {[=](Scene& s) { frames(s).orientations[1].w() = 0.0; },
       "/bodies/5/motion/orientations/1 (\"gate\"): the norm"},
      {[](Scene& s) { s.bodies[6].motion = Oscillation{.frequency = -1.0}; }, "/bodies/6/motion/frequency"},
      {[](Scene& s) {
         s.bodies[7].motion = SteadyMotion{.velocity = {nan, 0, 0}};
       },
       "/bodies/7/motion/velocity"},
  });
}

TEST(Check, RefusesBadJointsAndCables) {
  expect_refused({
      {[](Scene& s) {
         s.joints[0].bodies = {1, 1};
       },
       "/joints/0/bodies (\"hinge\"): both are 1, expected two different ones"},
      {[](Scene& s) {
         s.joints[0].bodies = {0, -1};
       },
       "/joints/0/bodies (\"hinge\"): neither is movable"},
      {[](Scene& s) {
         s.joints[0].bodies = {0, 4};
       },
       "/joints/0/bodies (\"hinge\"): neither is movable"},
      {[](Scene& s) {
         s.joints[0].bodies = {1, 8};
       },
       "/joints/0/bodies (\"hinge\"): 8 does not exist"},
      {[](Scene& s) {
         s.joints[0].bodies = {1, -2};
       },
       "/joints/0/bodies (\"hinge\"): -2 does not exist"},
      {[](Scene& s) { s.joints[0].lower = 2.0; }, "/joints/0/lower (\"hinge\"): 2 is above the upper stop 1"},
      {[](Scene& s) { s.joints[0].lower = nan; }, "/joints/0/lower (\"hinge\"): nan"},
      {[](Scene& s) { s.joints[0].axis.setZero(); }, "/joints/0/axis (\"hinge\"): the length is 0"},
      {[](Scene& s) { s.joints[0].motor_force = -1.0; }, "/joints/0/motor_force (\"hinge\"): -1"},
      {[](Scene& s) { s.joints[0].breaking_force = 0.0; }, "/joints/0/breaking_force (\"hinge\"): 0"},
      {[](Scene& s) {
         s.joints[1].second_axis = {0, 1, 1};
       },
       "/joints/1/second_axis (\"cross\"): the cosine"},
      {[](Scene& s) { s.joints[1].upper = 1.0; },
       "/joints/1/upper (\"cross\"): the joint is a universal joint"},
      {[](Scene& s) { s.joints[2].second_point.setZero(); }, "/joints/2/second_point (\"rope\")"},
      {[](Scene& s) { s.joints[4].soft = Stiffness{}; }, "/joints/4/soft: stiffness and damping are 0"},
      {[](Scene& s) { s.joints[1].turn_soft = Stiffness{}; },
       "/joints/1/turn_soft (\"cross\"): stiffness and damping are 0"},
      {[](Scene& s) {
         s.joints[4].turn_soft = Stiffness{1.0, 0.0};
       },
       "/joints/4/turn_soft: a ball joint holds no turns"},
      {[](Scene& s) { s.joints[4].soft->damping = nan; }, "/joints/4/soft/damping: nan"},
      {[](Scene& s) { s.cables[0].points[1].setZero(); }, "/cables/0/points (\"cable\"): the distance is 0"},
      {[](Scene& s) { s.cables[0].points[1].x() = nan; }, "/cables/0/points/1 (\"cable\")"},
      {[](Scene& s) { s.cables[0].links = 0; }, "/cables/0/links (\"cable\"): 0, expected 1 to"},
      {[](Scene& s) { s.cables[0].links = 4000000; }, "/cables: 4000008 bodies with the links"},
      {[](Scene& s) { s.cables[0].joint = JointKind::hinge; },
       "/cables/0/joint (\"cable\"): hinge, expected"},
      {[](Scene& s) { s.cables[0].mass = 0.0; }, "/cables/0/mass"},
      {[](Scene& s) { s.cables[0].material = 5; }, "/cables/0/material"},
      {[](Scene& s) {
         s.cables[0].bodies = {1, 9};
       },
       "/cables/0/bodies"},
  });
}

}  // namespace slipstick::internal::check_test
