// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// export, and info of a run.
#include <algorithm>
#include <charconv>
#include <cstring>
#include <fstream>

#include "slipstick/io/run_writer.hpp"
#include "tests/cli/program.hpp"
#include "tests/io/run_testing.hpp"

namespace slipstick::internal::cli::export_test {

class Export : public CliTest {
 protected:
  // Frames of the steps 1, 3, 6 and 7.
  void write_run(const std::string& name, bool finished = true) const {
    RunWriter writer(folder_ / name, sample_header(3));
    append_samples(writer, 7, 5);
    if (finished) {
      writer.finish();
    } else {
      writer.flush();
    }
  }
  bool says(const Outcome& outcome, const std::string& part) const {
    return outcome.err.find(part) != std::string::npos;
  }
};

double number(const std::string& cell) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  EXPECT_TRUE(error == std::errc() && end == cell.data() + cell.size()) << cell;
  return value;
}

TEST_F(Export, TablesHoldEveryDigit) {
  write_run("run.h5");
  run(0, {"export", "run.h5", "--csv", "tables"});
  EXPECT_EQ(list(), (std::vector<std::string>{"run.h5", "tables"}));
  const std::vector<std::string> steps = lines(read("tables/steps.csv"));
  ASSERT_EQ(steps.size(), 8U);
  const std::vector<std::string> names = fields(steps[0]);
  EXPECT_EQ(names.front(), "number");
  EXPECT_EQ(names.back(), "solver_seconds");
  const auto column = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  for (std::int64_t k = 1; k <= 7; ++k) {
    const std::vector<std::string> cells = fields(steps[static_cast<std::size_t>(k)]);
    ASSERT_EQ(cells.size(), names.size());
    const StepRecord expected = sample_frame(k).step;
    EXPECT_EQ(number(cells[column("time")]), expected.time);
    EXPECT_EQ(number(cells[column("momentum_z")]), expected.momentum.z());
    EXPECT_EQ(number(cells[column("remedies_convex_law")]), expected.remedies[3]);
    EXPECT_EQ(number(cells[column("unsolved_impacts")]), expected.unsolved_impacts);
    EXPECT_EQ(number(cells[column("unsolved_projections")]), expected.unsolved_projections);
    EXPECT_EQ(number(cells[column("work_unexplained")]), expected.energy.unexplained);
    EXPECT_EQ(number(cells[column("seconds")]), expected.seconds);
  }
  const std::vector<std::string> bodies = lines(read("tables/bodies.csv"));
  ASSERT_EQ(bodies.size(), 1U + 4 * 3);
  EXPECT_EQ(bodies[0],
            "step,time,body,name,position_x,position_y,position_z,orientation_w,orientation_x,orientation_y,"
            "orientation_z,velocity_x,velocity_y,velocity_z,spin_x,spin_y,spin_z");
  EXPECT_EQ(bodies[3].rfind("1,0.01,2,\"a name, with \"\"marks\"\"\",", 0), 0U) << bodies[3];
  EXPECT_EQ(number(fields(bodies[4]).back()), sample_frame(3).bodies[0].spin.z());
  EXPECT_EQ(number(fields(bodies[4])[7]), sample_frame(3).bodies[0].orientation.w());
  const std::vector<std::string> contacts = lines(read("tables/contacts.csv"));
  EXPECT_EQ(contacts[0].rfind("step,time,contact,key,first_body,second_body,point_x,", 0), 0U);
  ASSERT_EQ(contacts.size(), 1U + 1 + 2 + 1 + 0);  // squares of the steps modulo 7
  const ContactRecord contact = sample_frame(3).contacts[1];
  const std::vector<std::string> cells = fields(contacts[3]);
  EXPECT_EQ(cells[0], "3");
  EXPECT_EQ(cells[2], "1");
  EXPECT_EQ(cells[3], std::to_string(contact.key));
  EXPECT_EQ(cells[cells.size() - 2], name(contact.state));
  EXPECT_EQ(number(cells.back()), contact.island);
  EXPECT_EQ(lines(read("tables/joints.csv")).size(), 1U + 4 * 2);
}

// The bytes of an array of a .vtp file, without their count.
std::string array_bytes(const std::string& text, const std::string& array) {
  const std::size_t at = text.find("Name=\"" + array + "\"");
  EXPECT_NE(at, std::string::npos) << array;
  const std::size_t start = text.find('>', at) + 1;
  const std::string code = text.substr(start, text.find('<', start) - start);
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (const char letter : code) {
    if (letter == '=') break;
    bits = bits << 6 | static_cast<unsigned>(letters.find(letter));
    count += 6;
    if (count >= 8) bytes += static_cast<char>(bits >> (count -= 8) & 0xff);
  }
  std::uint64_t size = 0;
  EXPECT_GE(bytes.size(), sizeof size);
  std::memcpy(&size, bytes.data(), sizeof size);
  EXPECT_EQ(size, bytes.size() - sizeof size) << array;
  return bytes.substr(sizeof size);
}

template <class Value>
std::vector<Value> array_of(const std::string& text, const std::string& array) {
  const std::string bytes = array_bytes(text, array);
  std::vector<Value> values(bytes.size() / sizeof(Value));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

TEST_F(Export, FramesForParaView) {
  write_run("run.h5");
  const Outcome outcome = run(0, {"export", "run.h5", "--vtk", "frames/"});
  EXPECT_EQ(outcome.out, "run.h5: 7 steps, 4 frames, 9 files\n");
  EXPECT_EQ(outcome.err, "");
  const std::string collection = read("frames/run.pvd");
  for (int k = 0; k < 4; ++k) {
    const std::string file = "bodies-00000" + std::to_string(k) + ".vtp";
    EXPECT_NE(collection.find("file=\"" + file + "\""), std::string::npos) << collection;
    EXPECT_TRUE(exists("frames/" + file));
  }
  EXPECT_NE(collection.find("<DataSet timestep=\"0.03\" part=\"1\" name=\"contacts\" "
                            "file=\"contacts-000001.vtp\"/>"),
            std::string::npos)
      << collection;
  const Frame frame = sample_frame(3);
  const std::string bodies = read("frames/bodies-000001.vtp");
  EXPECT_NE(bodies.find("NumberOfPoints=\"3\" NumberOfVerts=\"3\""), std::string::npos);
  const std::vector<double> points = array_of<double>(bodies, "Points");
  const std::vector<double> turns = array_of<double>(bodies, "orientation");
  ASSERT_EQ(points.size(), 9U);
  ASSERT_EQ(turns.size(), 12U);
  for (std::size_t k = 0; k < 9; ++k)
    EXPECT_EQ(points[k], frame.bodies[k / 3].position[static_cast<int>(k % 3)]);
  EXPECT_EQ(turns[4], frame.bodies[1].orientation.w());
  EXPECT_EQ(array_of<std::int64_t>(bodies, "connectivity"), (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_EQ(array_of<std::int64_t>(bodies, "offsets"), (std::vector<std::int64_t>{1, 2, 3}));
  const std::string contacts = read("frames/contacts-000001.vtp");
  EXPECT_EQ(array_of<double>(contacts, "impulse")[5], frame.contacts[1].impulse.z());
  EXPECT_EQ(array_of<int>(contacts, "bodies")[3], frame.contacts[1].bodies[1]);
  EXPECT_EQ(array_of<double>(read("frames/contacts-000003.vtp"), "normal").size(), 0U);
}

TEST_F(Export, FoldersWithFilesAreRefusedWithoutForce) {
  write_run("run.h5");
  std::filesystem::create_directory(folder_ / "out");
  run(0, {"export", "run.h5", "--csv", "out"});  // it was empty
  EXPECT_TRUE(says(run(2, {"export", "run.h5", "--csv", "out"}), "--force"));
  run(0, {"export", "run.h5", "--vtk", "out", "--force"});
  EXPECT_FALSE(exists("out/steps.csv"));
  EXPECT_TRUE(exists("out/run.pvd"));
  write("out/letter.txt", "dear");
  EXPECT_TRUE(says(run(2, {"export", "run.h5", "--csv", "out", "--force"}), "letter.txt"));
  EXPECT_TRUE(exists("out/run.pvd"));
  write("file", "x");
  for (const char* place : {"file", "missing/out", ".", "..", "/"})
    EXPECT_TRUE(says(run(2, {"export", "run.h5", "--csv", place, "--force"}), "cannot")) << place;
  EXPECT_EQ(list(), (std::vector<std::string>{"file", "out", "run.h5"}));
}

TEST_F(Export, AnUnfinishedRunIsReadAndSaidToBe) {
  write_run("run.h5", false);
  Outcome outcome = run(0, {"export", "run.h5", "--csv", "tables"});
  EXPECT_EQ(outcome.err, "slipstick: run.h5: the run is not finished; it has 7 steps so far\n");
  EXPECT_EQ(lines(read("tables/steps.csv")).size(), 8U);
  outcome = run(0, {"info", "run.h5.parts"});
  EXPECT_TRUE(says(outcome, "not finished"));
  EXPECT_NE(outcome.out.find("not finished"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("checkpoint   of step 5"), std::string::npos) << outcome.out;
}

TEST_F(Export, InfoOfARun) {
  write_run("run.h5");
  const Outcome outcome = run(0, {"info", "run.h5"});
  EXPECT_EQ(outcome.err, "");
  for (const char* part : {"run.h5 (run)", "7 of 0.01 s, to 0.07 s", "4, every 3 steps", "3, 2 joints",
                           "coulomb", "auto, tolerance 1e-08", "threads=1", "slipstick 0.1.0"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\n" << outcome.out;
  EXPECT_TRUE(says(run(2, {"info", "run.h5", "--type", "lcp"}), "run.h5"));
}

#ifdef SLIPSTICK_HAS_JSON
TEST_F(Export, Json) {
  write_run("run.h5");
  Json json = parse(run(0, {"export", "run.h5", "--csv", "tables", "--json"}).out);
  EXPECT_EQ(json["run"], "run.h5");
  EXPECT_EQ(json["finished"], true);
  EXPECT_EQ(json["steps"], 7);
  EXPECT_EQ(json["frames"], 4);
  EXPECT_EQ(json["files"], 4);
  EXPECT_EQ(json["csv"], "tables");
  EXPECT_TRUE(json["vtk"].is_null());
  json = parse(run(0, {"info", "run.h5", "--json"}).out);
  EXPECT_EQ(json["format"], "run");
  EXPECT_EQ(json["steps"], 7);
  EXPECT_EQ(json["seed"], 0xfedcba9876543210);
  EXPECT_EQ(json["bodies"], 3);
  EXPECT_TRUE(json["checkpoint"].is_null());
  json = parse(run(2, {"export", "missing.h5", "--csv", "other", "--json"}).out);
  EXPECT_NE(json["error"].get<std::string>().find("missing.h5"), std::string::npos);
}
#endif

TEST_F(Export, BadInputEndsWithOneLine) {
  write_run("run.h5");
  write("text.h5", "hello");
  const std::string bytes = read("run.h5");
  write("cut.h5", bytes.substr(0, bytes.size() / 2));
  run(0, {"generate", "packing", "--spheres", "10", "-o", "problem.h5"});
  const std::vector<std::vector<std::string>> commands = {{"export"},
                                                          {"export", "run.h5"},
                                                          {"export", "run.h5", "--csv", "a", "--vtk", "a"},
                                                          {"export", "run.h5", "--csv", "a", "--vtk", "./a/"},
                                                          {"export", "missing.h5", "--csv", "a"},
                                                          {"export", "text.h5", "--csv", "a"},
                                                          {"export", "cut.h5", "--csv", "a"},
                                                          {"export", "problem.h5", "--csv", "a"},
                                                          {"export", ".", "--csv", "a"},
                                                          {"solve", "run.h5"},
                                                          {"info", "cut.h5"}};
  for (const std::vector<std::string>& command : commands) {
    const Outcome outcome = run(2, command);
    EXPECT_EQ(lines(outcome.err).size(), 1U) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
  EXPECT_FALSE(exists("a"));
}

}  // namespace slipstick::internal::cli::export_test
