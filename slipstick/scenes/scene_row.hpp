// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "slipstick/scene.hpp"

namespace slipstick::internal {

enum class ParameterType { real, integer, flag };
constexpr std::string_view name(ParameterType type) {
  constexpr std::string_view names[] = {"real", "integer", "flag"};
  return names[static_cast<int>(type)];
}

/// A number that a scene is built with.
struct SceneParameter {
  std::string_view name;
  ParameterType type = ParameterType::real;
  double default_value = 0.0;
  std::string_view unit;  ///< empty if it has none
  double low = 0.0;
  double high = 0.0;
  std::string_view summary;
};

using SceneParameters = std::map<std::string, double, std::less<>>;

/// The values of all parameters of a scene, which were checked.
class SceneValues {
 public:
  explicit SceneValues(const SceneParameters& values) : values_(values) {}

  double operator[](std::string_view key) const { return values_.find(key)->second; }
  int count(std::string_view key) const { return static_cast<int>((*this)[key]); }

 private:
  const SceneParameters& values_;
};

/// A scene of the table. `build` fills an empty scene whose name, duration, step, law and seed are set.
struct SceneRow {
  std::string_view name;
  std::string_view summary;
  double duration = 1.0;     ///< s
  double step = 1.0 / 60.0;  ///< s
  FrictionLaw law = FrictionLaw::coulomb;
  std::vector<SceneParameter> parameters;
  void (*build)(const SceneValues& values, Scene& scene) = nullptr;
};

// Parameters that many scenes have.
constexpr SceneParameter real(std::string_view name, double value, std::string_view unit, double low,
                              double high, std::string_view summary) {
  return {name, ParameterType::real, value, unit, low, high, summary};
}
constexpr SceneParameter integer(std::string_view name, int value, int low, int high,
                                 std::string_view summary) {
  return {name,   ParameterType::integer,   static_cast<double>(value),
          "",     static_cast<double>(low), static_cast<double>(high),
          summary};
}
constexpr SceneParameter friction_parameter(double value) {
  return real("friction", value, "", 0.0, 10.0, "coefficient of friction");
}
constexpr SceneParameter seed_parameter() {
  return integer("seed", 1, 0, 1'000'000'000, "of the random numbers");
}

}  // namespace slipstick::internal
