// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "slipstick/scene.hpp"

// The scenes of the sequences. The same size and seed give the same bits. Lengths are in metres.
namespace slipstick::internal {

/// Spheres with a mean radius of 5 cm fall into a box of five planes, open at the top. The seed draws radii
/// and places.
Scene settling_spheres(int spheres, std::uint64_t seed);

/// The same spheres in the same box, laid one by one where they rest (see Deposition). They begin as a heap.
Scene laid_spheres(int spheres, std::uint64_t seed);

/// A stack of boxes that slides down an incline with a slope of 0.5 and mu = 0.3. The boxes stick to each
/// other with mu = 0.6. The seed draws their offsets.
Scene sliding_stack(int boxes, std::uint64_t seed);

/// A chain of spheres with ball joints. It hangs from the world, starts level, and swings down onto a plane.
/// The seed draws small sideways velocities.
Scene swinging_chain(int links, std::uint64_t seed);

/// Motors drive arms on hinges into their stops, each arm by itself. The seed draws torques and stops.
Scene driven_hinges(int arms, std::uint64_t seed);

/// Boxes fall on a conveyor belt, one beside the other. The seed draws their heights and directions.
Scene boxes_on_belt(int boxes, std::uint64_t seed);

}  // namespace slipstick::internal
