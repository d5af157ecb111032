// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/run_page.hpp"

#if defined(SLIPSTICK_HAS_JSON) && defined(SLIPSTICK_HAS_ZLIB)

#include <gtest/gtest.h>
#include <zlib.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "slipstick/error.hpp"
#include "slipstick/io/page_codec.hpp"
#include "slipstick/io/run_writer.hpp"
#include "slipstick/model/mass_properties.hpp"
#include "slipstick/scene_files.hpp"
#include "tests/io/io_testing.hpp"
#include "tests/io/run_testing.hpp"

// Reads the blocks as a page does, from what apps/viewer/README.md says.
namespace slipstick::internal::run_page_test {

using Json = nlohmann::json;
using Numbers = std::vector<std::uint64_t>;

std::string inflated(const std::string& block) {
  std::string bytes(1 << 16, '\0');
  for (;;) {
    uLongf size = static_cast<uLongf>(bytes.size());
    const int status = uncompress(reinterpret_cast<Bytef*>(bytes.data()), &size,
                                  reinterpret_cast<const Bytef*>(block.data()), block.size());
    if (status == Z_OK) {
      bytes.resize(size);
      return bytes;
    }
    EXPECT_EQ(status, Z_BUF_ERROR);
    if (status != Z_BUF_ERROR) return {};
    bytes.resize(4 * bytes.size());
  }
}

// Takes columns from an inflated block.
class Columns {
 public:
  explicit Columns(std::string bytes) : bytes_(std::move(bytes)) {}
  bool at_end() const { return place_ == bytes_.size(); }

  // Differences of `count` numbers.
  Numbers differences(std::size_t count) {
    order_ = bytes_.at(place_++);
    Numbers numbers(count, 0);
    for (int plane = 0; plane < 8; ++plane)
      for (std::uint64_t& number : numbers)
        number |= std::uint64_t{static_cast<unsigned char>(bytes_.at(place_++))} << 8 * plane;
    for (std::uint64_t& number : numbers) number = (number >> 1) ^ (~(number & 1) + 1);
    return numbers;
  }
  Numbers codes(std::size_t count, std::size_t per_time) {
    Numbers numbers = differences(count);
    for (int order = 0; order < order_; ++order)
      for (std::size_t k = per_time; k < count; ++k) numbers[k] += numbers[k - per_time];
    return numbers;
  }
  Numbers linked_codes(std::size_t width, const std::vector<std::int64_t>& links) {
    Numbers numbers = differences(width * links.size());
    if (order_ != 1) return numbers;
    for (std::size_t k = 0; k < numbers.size(); ++k)
      if (const std::int64_t link = links[k / width]; link >= 0)
        numbers[k] += numbers[static_cast<std::size_t>(link) * width + k % width];
    return numbers;
  }
  int order() const { return order_; }

 private:
  std::string bytes_;
  std::size_t place_ = 0;
  int order_ = 0;
};

std::uint64_t bits_of_code(std::uint64_t code) {
  return (code >> 63) != 0 ? code ^ 0x7fffffffffffffffULL : code;
}
double number_of(std::uint64_t code) {
  return std::bit_cast<double>(bits_of_code(code));
}
bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

TEST(PageCodec, CodesRiseWithNumbersAndReadBack) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double rising[] = {-infinity, -1e300, -1.0, -5e-324, -0.0, 0.0, 5e-324, 1e-9, 1.0, 2.0, infinity};
  for (std::size_t k = 0; k < std::size(rising); ++k) {
    EXPECT_TRUE(same_bits(number_of(code_of(rising[k])), rising[k])) << rising[k];
    if (k > 0) {
      EXPECT_LT(static_cast<std::int64_t>(code_of(rising[k - 1])),
                static_cast<std::int64_t>(code_of(rising[k])));
    }
  }
}

TEST(PageCodec, ColumnsReadBackForEveryOrder) {
  std::mt19937_64 random(1);
  // Noise, a constant, a line, a parabola: orders 0 to 3. Codes are used, so that differences are exact.
  for (int kind = 0; kind <= 3; ++kind) {
    Numbers codes;
    for (std::uint64_t time = 0; time < 40; ++time)
      for (std::uint64_t body = 0; body < 5; ++body) {
        const std::uint64_t base = code_of(1.0 + static_cast<double>(body)), speed = 12345678901 + body;
        codes.push_back(kind == 0   ? random()
                        : kind == 1 ? base
                        : kind == 2 ? base - speed * time
                                    : base + speed * time + 987654321 * time * time);
      }
    std::string block;
    append_column(block, codes, 5);
    EXPECT_EQ(block.size(), 1 + 8 * codes.size());
    Columns columns(inflated(deflated(block)));
    EXPECT_EQ(columns.codes(codes.size(), 5), codes);
    EXPECT_EQ(columns.order(), kind);
    EXPECT_TRUE(columns.at_end());
  }
}

TEST(PageCodec, EmptyColumns) {
  std::string block;
  append_column(block, {}, 0);
  append_linked_column(block, {}, 3, {});
  append_differences(block, {});
  EXPECT_EQ(inflated(deflated(block)).size(), 3U);
}

// What a page predicts for the velocity of a contact, operation by operation.
Eigen::Vector3d velocity_of(const Scene& scene, const Frame& frame, const ContactRecord& contact) {
  Eigen::Vector3d result = Eigen::Vector3d::Zero();
  for (std::size_t side = 0; side < 2; ++side) {
    if (contact.bodies[side] < 0) continue;
    const BodyState& body = frame.bodies[static_cast<std::size_t>(contact.bodies[side])];
    const Eigen::Vector3d c = mass_properties(scene, contact.bodies[side]).centre;
    Eigen::Vector3d arm = contact.point - body.position;
    if (c != Eigen::Vector3d::Zero()) {
      const Eigen::Vector3d t = 2 * body.orientation.vec().cross(c);
      const Eigen::Vector3d turn = body.orientation.w() * t + body.orientation.vec().cross(t);
      arm -= c + turn;
    }
    const Eigen::Vector3d velocity = body.velocity + body.spin.cross(arm);
    result = side == 0 ? velocity : Eigen::Vector3d(result - velocity);
  }
  return result;
}

class RunPageTest : public testing::Test {
 protected:
  // The sample run, with a scene of its three bodies and two joints.
  RunReader write_run(std::int64_t steps, const std::string& body_name = "a") {
    Scene scene;
    scene.name = "sample";
    scene.shapes = {{.name = "ball", .geometry = SphereShape{.radius = 0.25}},
                    {.name = "wedge",
                     .geometry = HullShape{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.1, 0.1, 0.1}}}},
                    {.name = "floor", .geometry = PlaneShape{}},
                    {.name = "hills", .geometry = HeightFieldShape{Eigen::MatrixXd::Random(3, 4), 0.5}}};
    const Eigen::Quaterniond turned(Eigen::AngleAxisd(0.3, Eigen::Vector3d::UnitX()));
    scene.bodies = {{.name = body_name, .shapes = {{.shape = 0}, {.shape = 1, .position = {0, 0, 1}}}},
                    {.name = "b", .shapes = {{.shape = 0}}, .position = {1, 2, 3}, .orientation = turned},
                    {.name = "ground", .kind = BodyKind::fixed, .shapes = {{.shape = 2}, {.shape = 3}}}};
    scene.joints = {{.name = "first", .bodies = {0, 1}, .point = {0.5, 1, 1.5}},
                    {.name = "second", .kind = JointKind::hinge, .bodies = {1, -1}, .point = {1, 2, 4}}};
    header_ = sample_header();
    header_.scene = scene_text(scene);
    header_.bodies = {body_name, "b", "ground"};
    header_.joints = {"first", "second"};
    RunWriter writer(folder_ / "run.h5", header_);
    append_samples(writer, steps);
    writer.finish();
    return RunReader(folder_ / "run.h5");
  }

  // Every number of the page is the run's, bit by bit.
  static void expect_same(const RunReader& run, const RunPage& page) {
    const Json manifest = Json::parse(inflated(page.block(0)));
    expect_same_steps(run, manifest, Columns(inflated(page.block(1))));
    std::size_t frame = 0;
    for (const Json& chunk : manifest["chunks"]) {
      EXPECT_EQ(chunk["first"], frame);
      expect_same_chunk(run, manifest, chunk, page, frame);
      frame += chunk["contacts"].size();
    }
    EXPECT_EQ(frame, manifest["frames"].size());
  }

  static void expect_same_steps(const RunReader& run, const Json& manifest, Columns columns) {
    const auto rows = static_cast<std::size_t>(run.steps());
    ASSERT_EQ(manifest["steps"]["rows"], rows);
    std::vector<StepRecord> steps;
    run.read_steps(0, run.steps(), steps);
    for (const Json& column : manifest["steps"]["columns"]) {
      const auto width = column[2].get<std::size_t>();
      const Numbers codes = columns.codes(rows * width, width);
      for (std::size_t k = 0; k < rows; ++k) {
        const StepRecord& step = steps[k];
        const auto number = [&](std::size_t i = 0) { return number_of(codes[k * width + i]); };
        if (column[0] == "number") {
          EXPECT_EQ(codes[k], static_cast<std::uint64_t>(step.number));
        }
        if (column[0] == "time") {
          EXPECT_TRUE(same_bits(number(), step.time));
        }
        if (column[0] == "error") {
          EXPECT_TRUE(same_bits(number(), step.error));
        }
        if (column[0] == "momentum") {
          EXPECT_TRUE(same_bits(number(2), step.momentum.z()));
        }
        if (column[0] == "remedies") {
          EXPECT_EQ(codes[k * width + 5], static_cast<std::uint64_t>(step.remedies[5]));
        }
        if (column[0] == "solver_seconds") {
          EXPECT_TRUE(same_bits(number(), step.solver_seconds));
        }
      }
    }
    EXPECT_TRUE(columns.at_end());
  }

  static void expect_same_chunk(const RunReader& run, const Json& manifest, const Json& chunk,
                                const RunPage& page, std::size_t first) {
    const std::size_t frames = chunk["contacts"].size(), bodies = manifest["bodies"].size();
    std::vector<Frame> expected;
    std::size_t contacts = 0;
    for (std::size_t k = 0; k < frames; ++k) {
      const std::int64_t number = manifest["frames"][first + k];
      Index index = 0;
      while (run.frame_number(index) != number) ++index;
      expected.push_back(run.frame(index));
      EXPECT_EQ(chunk["contacts"][k], expected.back().contacts.size());
      contacts += expected.back().contacts.size();
    }
    Columns pose(inflated(page.block(chunk["pose"])));
    const Numbers positions = pose.codes(3 * frames * bodies, 3 * bodies);
    const Numbers orientations = pose.codes(4 * frames * bodies, 4 * bodies);
    EXPECT_TRUE(pose.at_end());
    Columns motion(inflated(page.block(chunk["motion"])));
    motion.codes(3 * frames * bodies, 3 * bodies);
    const Numbers spins = motion.codes(3 * frames * bodies, 3 * bodies);
    EXPECT_TRUE(motion.at_end());
    for (std::size_t k = 0; k < frames; ++k)
      for (std::size_t body = 0; body < bodies; ++body) {
        const BodyState& state = expected[k].bodies[body];
        const std::size_t row = k * bodies + body;
        EXPECT_TRUE(same_bits(number_of(positions[3 * row + 1]), state.position.y()));
        EXPECT_TRUE(same_bits(number_of(orientations[4 * row]), state.orientation.w()));
        EXPECT_TRUE(same_bits(number_of(orientations[4 * row + 3]), state.orientation.z()));
        EXPECT_TRUE(same_bits(number_of(spins[3 * row + 2]), state.spin.z()));
      }

    Columns of_contacts(inflated(page.block(chunk["contacts_block"])));
    std::vector<std::int64_t> links;
    const Numbers link_differences = of_contacts.differences(contacts);
    std::size_t past = 0, row = 0;
    for (std::size_t k = 0; k < frames; past = row - expected[k].contacts.size(), ++k) {
      std::int64_t next = 0;
      for (std::size_t c = 0; c < expected[k].contacts.size(); ++c, ++row) {
        const auto link = static_cast<std::int64_t>(link_differences[row]) + next;
        ASSERT_LT(link, k == 0 ? 0 : static_cast<std::int64_t>(expected[k - 1].contacts.size()));
        links.push_back(link < 0 ? -1 : static_cast<std::int64_t>(past) + link);
        if (link >= 0) {
          next = link + 1;
          EXPECT_EQ(expected[k - 1].contacts[static_cast<std::size_t>(link)].key,
                    expected[k].contacts[c].key);
        }
      }
    }
    const Scene scene = parse_scene(run.header().scene);
    for (const Json& column : manifest["columns"]["contacts"]) {
      const auto width = column[2].get<std::size_t>();
      const Numbers codes = of_contacts.linked_codes(width, links);
      std::size_t at = 0;
      for (const Frame& frame : expected)
        for (const ContactRecord& contact : frame.contacts) {
          if (column[0] == "key") {
            EXPECT_EQ(codes[at], contact.key);
          }
          if (column[0] == "bodies") {
            EXPECT_EQ(codes[at + 1], static_cast<std::uint64_t>(std::int64_t{contact.bodies[1]}));
          }
          if (column[0] == "gap") {
            EXPECT_TRUE(same_bits(number_of(codes[at]), contact.gap));
          }
          if (column[0] == "impulse") {
            EXPECT_TRUE(same_bits(number_of(codes[at + 2]), contact.impulse.z()));
          }
          if (column[0] == "velocity") {
            EXPECT_TRUE(same_bits(number_of(codes[at + 1] + code_of(velocity_of(scene, frame, contact).y())),
                                  contact.velocity.y()));
          }
          if (column[0] == "state") {
            EXPECT_EQ(codes[at], static_cast<std::uint64_t>(contact.state));
          }
          at += width;
        }
    }
    EXPECT_TRUE(of_contacts.at_end());

    Columns of_joints(inflated(page.block(chunk["joints"])));
    const std::size_t joints = manifest["joints"].size();
    const Numbers coordinates = of_joints.codes(frames * joints, joints);
    for (std::size_t k = 0; k < frames; ++k)
      for (std::size_t joint = 0; joint < joints; ++joint)
        EXPECT_TRUE(
            same_bits(number_of(coordinates[k * joints + joint]), expected[k].joints[joint].coordinate));
  }

  ScratchFolder folder_;
  RunHeader header_;
};

TEST_F(RunPageTest, HasEveryNumberOfTheRun) {
  const RunReader run = write_run(150);  // three chunks
  const RunPage page(run, {.run = "run.h5"});
  EXPECT_EQ(page.frames(), 150);
  EXPECT_EQ(page.blocks(), 2 + 4 * 3);
  expect_same(run, page);
}

TEST_F(RunPageTest, OneStep) {
  const RunReader run = write_run(1);
  const RunPage page(run, {.run = "run.h5"});
  EXPECT_EQ(page.blocks(), 6);
  expect_same(run, page);
}

TEST_F(RunPageTest, ThinnedPagesKeepTheFirstAndTheLastFrame) {
  const RunReader run = write_run(150);
  const RunPage page(run, {.run = "run.h5"}, 40);
  const Json manifest = Json::parse(inflated(page.block(0)));
  EXPECT_EQ(manifest["frames"], (std::vector<int>{1, 41, 81, 121, 150}));
  EXPECT_EQ(manifest["thinned"]["frames"], 150);
  EXPECT_EQ(manifest["thinned"]["every"], 40);
  EXPECT_EQ(manifest["steps"]["rows"], 150);
  expect_same(run, page);
}

TEST_F(RunPageTest, TheManifestDescribesTheScene) {
  const std::string name = "</script><b>\"a\"";
  const RunReader run = write_run(3, name);
  PageNotes notes{.run = "run.h5", .rerun = "again", .replay = "dump {step}"};
  notes.dumps.push_back({2, 7, "run.dumps/step-000002-island-007.h5", "solve it"});
  const RunPage page(run, notes);
  const Json manifest = Json::parse(inflated(page.block(0)));
  EXPECT_EQ(manifest["format"], "slipstick page");
  EXPECT_EQ(manifest["version"], 1);
  EXPECT_EQ(manifest["bodies"][0]["name"], name);
  EXPECT_EQ(manifest["bodies"][2]["mass"], 0.0);
  EXPECT_EQ(manifest["bodies"][2]["kind"], "fixed");
  EXPECT_GT(manifest["bodies"][1]["mass"], 0.0);
  EXPECT_EQ(manifest["thinned"], nullptr);
  EXPECT_EQ(manifest["dumps"][0]["island"], 7);
  EXPECT_EQ(manifest["shapes"][0]["radius"], 0.25);
  EXPECT_EQ(manifest["shapes"][1]["triangles"].size(), 12U);  // the point inside is no corner
  EXPECT_EQ(manifest["shapes"][2]["kind"], "plane");
  EXPECT_EQ(manifest["shapes"][3]["points"].size(), 36U);
  EXPECT_EQ(manifest["shapes"][3]["triangles"].size(), 36U);
  EXPECT_EQ(manifest["parts"]["body"], (std::vector<int>{0, 0, 1, 2, 2}));
  EXPECT_EQ(manifest["parts"]["position"].size(), 15U);
  EXPECT_EQ(manifest["parts"]["orientation"].size(), 20U);
  // The point of the hinge lies one above the origin of body b, in the axes of b.
  const Json& point = manifest["joints"][1]["points"][0];
  EXPECT_NEAR(point[0].get<double>(), 0.0, 1e-15);
  EXPECT_NEAR(point[1].get<double>(), std::sin(0.3), 1e-15);
  EXPECT_NEAR(point[2].get<double>(), std::cos(0.3), 1e-15);
  EXPECT_EQ(manifest["joints"][1]["points"][1], (std::vector<double>{1, 2, 4}));
}

TEST_F(RunPageTest, ASceneThatDoesNotFitIsRefused) {
  write_run(3);
  header_.scene = scene_text(Scene());
  RunWriter writer(folder_ / "other.h5", header_);
  append_samples(writer, 2);
  writer.finish();
  const RunReader run(folder_ / "other.h5");
  EXPECT_THROW(RunPage(run, {.run = "other.h5"}), Error);
}

}  // namespace slipstick::internal::run_page_test

#endif
