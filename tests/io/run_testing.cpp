// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/io/run_testing.hpp"

#include <cstring>

#include "slipstick/base/random.hpp"
#include "slipstick/io/run_tables.hpp"

namespace slipstick::internal {
namespace {

// Fills every field with numbers that occur once.
struct Fill {
  Random& random;

  void operator()(std::string_view, double& field) const { field = random.uniform(-1.0, 1.0); }
  void operator()(std::string_view, std::int64_t& field) const {
    field = static_cast<std::int64_t>(random.bits() >> 2);
  }
  void operator()(std::string_view, std::uint64_t& field) const { field = random.bits(); }
  void operator()(std::string_view, int& field) const { field = static_cast<int>(random.bits() >> 34); }
  void operator()(std::string_view, bool& field) const { field = random.bits() % 2 == 1; }
  void operator()(std::string_view, ContactState& field) const {
    field = static_cast<ContactState>(random.bits() % 3);
  }
  void operator()(std::string_view, Eigen::Vector3d& field) const {
    for (double& entry : field) entry = random.uniform(-1.0, 1.0);
  }
  void operator()(std::string_view, Eigen::Quaterniond& field) const {
    for (double& entry : field.coeffs()) entry = random.uniform(0.1, 1.0);
    field.normalize();
  }
  void operator()(std::string_view, std::array<int, 2>& field) const {
    for (int& body : field) body = static_cast<int>(random.bits() % 4) - 1;
  }
  void operator()(std::string_view, std::array<int, 6>& field) const {
    for (int& count : field) count = static_cast<int>(random.bits() >> 34);
  }
};

template <class Record>
testing::AssertionResult same_record(const Record& a, const Record& b) {
  RecordTable<Record> table;
  table.append(a);
  table.append(b);
  for (std::size_t k = 0; k < columns_of<Record>().size(); ++k) {
    const std::size_t bytes = columns_of<Record>()[k].row_bytes();
    if (std::memcmp(table.column(k), table.column(k) + bytes, bytes) != 0)
      return testing::AssertionFailure() << columns_of<Record>()[k].name << " differs";
  }
  return testing::AssertionSuccess();
}

template <class Record>
testing::AssertionResult same_records(const std::vector<Record>& a, const std::vector<Record>& b) {
  if (a.size() != b.size())
    return testing::AssertionFailure() << a.size() << " and " << b.size() << " records";
  for (std::size_t k = 0; k < a.size(); ++k)
    if (auto result = same_record(a[k], b[k]); !result) return result << " in row " << k;
  return testing::AssertionSuccess();
}

}  // namespace

RunHeader sample_header(std::int64_t record_every) {
  return {.scene = "{\"name\": \"three bodies\"}",
          .seed = 0xfedcba9876543210,
          .law = "coulomb",
          .solver = "auto",
          .tolerance = 1e-8,
          .step = 0.01,
          .settings = "threads=1",
          .bodies = {"ground", "", "a name, with \"marks\""},
          .joints = {"hinge", "slider"},
          .record_every = record_every,
          .program_version = "0.1.0"};
}

Frame sample_frame(std::int64_t number) {
  Random random(static_cast<std::uint64_t>(number) + 17);
  const Fill fill{random};
  Frame frame;
  for_each_field(frame.step, fill);
  frame.step.number = number;
  frame.step.time = 0.01 * static_cast<double>(number);
  frame.step.step = 0.01;
  frame.step.seconds = random.uniform(0.0, 1.0);
  frame.step.solver_seconds = random.uniform(0.0, 1.0);
  frame.bodies.resize(3);
  frame.contacts.resize(static_cast<std::size_t>(number * number % 7));
  frame.joints.resize(2);
  for (BodyState& body : frame.bodies) for_each_field(body, fill);
  for (ContactRecord& contact : frame.contacts) for_each_field(contact, fill);
  for (JointRecord& joint : frame.joints) for_each_field(joint, fill);
  return frame;
}

std::string sample_state(std::int64_t number) {
  Random random(static_cast<std::uint64_t>(number) + 1000);
  std::string state;
  for (std::int64_t k = 0; k < 100 + number; ++k) state += static_cast<char>(random.bits() & 0xff);
  return state;
}

void append_samples(RunWriter& writer, std::int64_t last, std::int64_t checkpoint_every) {
  for (std::int64_t number = writer.last_step().value_or(0) + 1; number <= last; ++number) {
    writer.append(sample_frame(number));
    if (checkpoint_every > 0 && number % checkpoint_every == 0)
      writer.checkpoint(number, sample_state(number));
  }
}

testing::AssertionResult same_step(const StepRecord& a, const StepRecord& b) {
  if (const auto result =
          same_record(WallClock{a.seconds, a.solver_seconds}, WallClock{b.seconds, b.solver_seconds});
      !result)
    return result;
  return same_record(a, b);
}

testing::AssertionResult same_frame(const Frame& a, const Frame& b) {
  if (auto result = same_step(a.step, b.step); !result) return result;
  if (auto result = same_records(a.bodies, b.bodies); !result) return result;
  if (auto result = same_records(a.contacts, b.contacts); !result) return result;
  return same_records(a.joints, b.joints);
}

}  // namespace slipstick::internal
