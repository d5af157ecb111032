// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "slipstick/base/nearest_name.hpp"
#include "slipstick/model/check.hpp"
#include "slipstick/model/place.hpp"
#include "slipstick/scene.hpp"

// Typed values of a JSON document. Included by files that see nlohmann-json.
namespace slipstick::internal {

using Json = nlohmann::json;

/// What a value is, in words.
inline std::string_view kind_of(const Json& value) {
  switch (value.type()) {
    case Json::value_t::object:
      return "an object";
    case Json::value_t::array:
      return "a list";
    case Json::value_t::string:
      return "a text";
    case Json::value_t::boolean:
      return "true or false";
    case Json::value_t::null:
      return "null";
    default:
      return "a number";
  }
}

inline double to_number(const Json& value, const Place& place) {
  if (!value.is_number()) place.fail("{}, expected a number", kind_of(value));
  return value.get<double>();
}
inline std::string to_text(const Json& value, const Place& place) {
  if (!value.is_string()) place.fail("{}, expected a text", kind_of(value));
  return value.get<std::string>();
}
/// A list of `least` to `most` items.
inline const Json& to_list(const Json& value, const Place& place, std::size_t least, std::size_t most) {
  if (!value.is_array()) place.fail("{}, expected a list", kind_of(value));
  if (value.size() < least || value.size() > most) {
    if (least == most) place.fail("{} items, expected {}", value.size(), least);
    place.fail("{} items, expected {} to {}", value.size(), least, most);
  }
  return value;
}

/// Reads `count` numbers. Places are made only for messages.
template <std::size_t count>
std::array<double, count> to_numbers(const Json& value, const Place& place) {
  to_list(value, place, count, count);
  std::array<double, count> numbers;
  for (std::size_t i = 0; i < count; ++i)
    numbers[i] = value[i].is_number() ? value[i].get<double>() : to_number(value[i], place / i);
  return numbers;
}
inline Eigen::Vector3d to_vector(const Json& value, const Place& place) {
  const auto [x, y, z] = to_numbers<3>(value, place);
  return {x, y, z};
}
/// w, x, y, z. If the norm is not 1, it is divided by it.
inline Eigen::Quaterniond to_quaternion(const Json& value, const Place& place) {
  const auto [w, x, y, z] = to_numbers<4>(value, place);
  const Eigen::Quaterniond q(w, x, y, z);
  const double norm = q.norm();
  if (!(norm > 0.0) || !std::isfinite(norm))
    place.fail("the norm of the quaternion is {}, expected a positive finite number", norm);
  return std::abs(norm - 1.0) <= unit_tolerance ? q : q.normalized();
}

/// An object whose keys are all known.
class JsonObject {
 public:
  JsonObject(const Json& value, const Place& place, std::span<const std::string_view> known)
      : value_(value), place_(place) {
    if (!value.is_object()) place.fail("{}, expected an object", kind_of(value));
    for (const auto& item : value.items()) {
      const std::string& key = item.key();
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      if (key == "rolling_friction") (place / key).fail("rolling friction is not available");
      (place / key).fail("'{}' is not known{}", key, suggestion(key, known));
    }
  }

  const Place& place() const { return place_; }
  Place place(std::string_view key) const { return place_ / key; }

  /// Nothing if the key is not there. If null is given, it counts as not there.
  const Json* find(std::string_view key) const {
    const auto found = value_.find(key);
    return found == value_.end() || found->is_null() ? nullptr : &*found;
  }
  const Json& require(std::string_view key) const {
    const auto found = value_.find(key);
    if (found == value_.end()) place(key).fail("missing");
    return *found;
  }

  // Each reads a value if it is there.
  void read(std::string_view key, double& value) const {
    if (const Json* found = find(key)) value = to_number(*found, place(key));
  }
  void read(std::string_view key, bool& value) const {
    const Json* found = find(key);
    if (found == nullptr) return;
    if (!found->is_boolean()) place(key).fail("{}, expected true or false", kind_of(*found));
    value = found->get<bool>();
  }
  void read(std::string_view key, std::string& value) const {
    if (const Json* found = find(key)) value = to_text(*found, place(key));
  }
  void read(std::string_view key, Eigen::Vector3d& value) const {
    if (const Json* found = find(key)) value = to_vector(*found, place(key));
  }
  void read(std::string_view key, Eigen::Quaterniond& value) const {
    if (const Json* found = find(key)) value = to_quaternion(*found, place(key));
  }
  void read(std::string_view key, Eigen::Matrix3d& value) const {
    const Json* found = find(key);
    if (found == nullptr) return;
    to_list(*found, place(key), 3, 3);
    for (int row = 0; row < 3; ++row)
      value.row(row) = to_vector((*found)[row], place(key) / static_cast<std::size_t>(row)).transpose();
  }
  template <std::integral Integer>
  requires(!std::same_as<Integer, bool>) void read(std::string_view key, Integer& value) const {
    const Json* found = find(key);
    if (found == nullptr) return;
    constexpr auto highest = static_cast<std::uint64_t>(std::numeric_limits<Integer>::max());
    if (!found->is_number_unsigned() || found->get<std::uint64_t>() > highest)
      place(key).fail("{}, expected an integer from 0 to {}",
                      found->dump(-1, ' ', true, Json::error_handler_t::replace), highest);
    value = found->get<Integer>();
  }
  template <class Value>
  void read(std::string_view key, std::optional<Value>& value) const {
    if (find(key) == nullptr) return;
    Value inner{};
    read(key, inner);
    value = inner;
  }
  void read(std::string_view key, std::optional<Stiffness>& value) const {
    const Json* found = find(key);
    if (found == nullptr) return;
    constexpr std::string_view known[] = {"stiffness", "damping"};
    const JsonObject object(*found, place(key), known);
    Stiffness soft;
    object.read("stiffness", soft.stiffness);
    object.read("damping", soft.damping);
    value = soft;
  }
  /// One of the words of an enumeration whose last value is `last`.
  template <class Enum>
  requires std::is_enum_v<Enum>
  void read(std::string_view key, Enum& value, Enum last) const {
    const Json* found = find(key);
    if (found == nullptr) return;
    std::vector<std::string_view> words;
    for (int i = 0; i <= static_cast<int>(last); ++i) words.push_back(name(static_cast<Enum>(i)));
    value = static_cast<Enum>(word_number(key, *found, words));
  }
  /// The place of a word among those that are allowed.
  std::size_t word_number(std::string_view key, const Json& value,
                          std::span<const std::string_view> words) const {
    const std::string word = to_text(value, place(key));
    const auto found = std::find(words.begin(), words.end(), word);
    if (found == words.end()) place(key).fail("'{}' is not known{}", word, suggestion(word, words));
    return static_cast<std::size_t>(found - words.begin());
  }

 private:
  const Json& value_;
  Place place_;
};

}  // namespace slipstick::internal
