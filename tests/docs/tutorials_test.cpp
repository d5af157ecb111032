// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// The commands of docs/tutorials/, run as a reader would run them.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "slipstick/io/text_scanner.hpp"
#include "tests/cli/program_path.hpp"
#include "tests/docs/blocks.hpp"

namespace slipstick::internal::tutorials_test {

namespace fs = std::filesystem;

// A folder that is removed in the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "slipstick_docs_XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder");
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// As one word of the shell.
std::string quoted(const fs::path& path) {
  std::string text = "'";
  for (const char c : path.string()) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

// What the commands of a page did.
struct Session {
  int exit_code = -1;                ///< of the shell: 0, or that of the command that failed
  std::vector<std::string> outputs;  ///< of the blocks that began, stdout and stderr together
};

// One shell runs all blocks in a folder of their own. It ends at the first command that fails.
Session run(const std::vector<Block>& commands) {
  const TemporaryFolder work, outputs;
  const auto output = [&](std::size_t k) { return outputs.path() / std::to_string(k); };
  std::string script = "export LC_ALL=C\nPATH=" + quoted(fs::path(cli::program_path).parent_path()) +
                       ":$PATH\ncd " + quoted(work.path()) + "\n";
  for (std::size_t k = 0; k < commands.size(); ++k)
    script += "exec > " + quoted(output(k)) + " 2>&1\n" + commands[k].text;
  const fs::path file = outputs.path() / "script";
  std::ofstream(file) << script;

  Session session;
  const int status = std::system(("/bin/sh -e " + quoted(file) + " < /dev/null").c_str());
  if (WIFEXITED(status)) session.exit_code = WEXITSTATUS(status);
  for (std::size_t k = 0; k < commands.size() && fs::exists(output(k)); ++k)
    session.outputs.push_back(read_file(output(k)));
  return session;
}

std::vector<Block> commands_of(std::string_view page) {
  std::vector<Block> commands;
  for (Block& block : blocks(page))
    if (block.language == "sh") commands.push_back(std::move(block));
  return commands;
}

// The tutorials that have commands.
std::vector<fs::path> tutorials() {
  std::vector<fs::path> list;
  for (const auto& entry : fs::directory_iterator(fs::path(SLIPSTICK_SOURCE_DIR) / "docs/tutorials"))
    if (entry.path().extension() == ".md" && !commands_of(read_file(entry.path())).empty())
      list.push_back(entry.path());
  std::sort(list.begin(), list.end());
  return list;
}

class Tutorials : public testing::TestWithParam<fs::path> {};

TEST_P(Tutorials, PrintWhatTheySay) {
  const std::vector<Block> commands = commands_of(read_file(GetParam()));
  const Session session = run(commands);
  if (!session.outputs.empty() && names_missing_library(session.outputs.back())) {
    EXPECT_EQ(session.exit_code, 2) << session.outputs.back();  // refused, as it must be
    return;
  }
  for (std::size_t k = 0; k < session.outputs.size(); ++k) {
    if (commands[k].output) {
      EXPECT_EQ(session.outputs[k], *commands[k].output) << GetParam() << ", line " << commands[k].line;
    }
  }
  EXPECT_EQ(session.exit_code, 0) << GetParam() << ", line "
                                  << (session.outputs.empty() ? 0 : commands[session.outputs.size() - 1].line)
                                  << ":\n"
                                  << (session.outputs.empty() ? "" : session.outputs.back());
  EXPECT_EQ(session.outputs.size(), commands.size());
}

std::string page_name(const testing::TestParamInfo<fs::path>& info) {
  std::string name = info.param.stem().string();
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Pages, Tutorials, testing::ValuesIn(tutorials()), page_name);

TEST(Session, FindsTutorials) {
  EXPECT_GE(tutorials().size(), 2U);
}

// The shell carries variables and files from block to block, and stops at a failure.
TEST(Session, StopsAtTheFirstFailure) {
  const std::string page =
      "```sh\nname=one\necho $name > file\n```\n\n```sh\ncat file; echo "
      "$name\n```\n\n```text\none\none\n```\n"
      "```sh\necho before; false; echo after\n```\n```sh\necho never\n```\n";
  const std::vector<Block> commands = commands_of(page);
  ASSERT_EQ(commands.size(), 4U);
  EXPECT_FALSE(commands[0].output);
  EXPECT_EQ(commands[1].output, "one\none\n");
  EXPECT_FALSE(commands[2].output);
  const Session session = run(commands);
  EXPECT_EQ(session.exit_code, 1);
  EXPECT_EQ(session.outputs, (std::vector<std::string>{"", "one\none\n", "before\n"}));
}

TEST(Session, RunsTheBuiltProgram) {
  const Session session = run({{.language = "sh", .text = "command -v slipstick\nslipstick no-such-word\n"}});
  EXPECT_EQ(session.exit_code, 2);
  ASSERT_EQ(session.outputs.size(), 1U);
  EXPECT_TRUE(session.outputs[0].starts_with(std::string(cli::program_path) + "\n")) << session.outputs[0];
}

}  // namespace slipstick::internal::tutorials_test
