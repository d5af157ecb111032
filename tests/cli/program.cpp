// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/program.hpp"

#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "tests/cli/program_path.hpp"

extern char** environ;

namespace slipstick::internal::cli {
namespace {

std::string slurp(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Everything the other side of a pseudo terminal writes until it closes.
std::string drain(int terminal) {
  std::string text;
  char buffer[4096];
  for (;;) {
    const ssize_t count = ::read(terminal, buffer, sizeof buffer);
    if (count <= 0) break;
    text.append(buffer, static_cast<std::size_t>(count));
  }
  close(terminal);
  return text;
}

}  // namespace

CliTest::CliTest() {
  std::string pattern = (std::filesystem::temp_directory_path() / "slipstick_cli_XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder");
  folder_ = pattern;
}

CliTest::~CliTest() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

CliTest::Running CliTest::start(const std::vector<std::string>& arguments, bool terminal) const {
  Running running;
  std::vector<std::string> words = {program_path};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder_.c_str());
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, ".stdout", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  int other_side = -1;
  if (terminal) {
    if (openpty(&running.terminal, &other_side, nullptr, nullptr, nullptr) != 0) {
      throw std::runtime_error("no pseudo terminal");
    }
    posix_spawn_file_actions_adddup2(&actions, other_side, 2);
    posix_spawn_file_actions_addclose(&actions, running.terminal);
  } else {
    posix_spawn_file_actions_addopen(&actions, 2, ".stderr", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  }

  // As from a shell: the signals of the tests are not ignored.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGINT);
  sigaddset(&defaults, SIGTERM);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);

  const int error = posix_spawn(&running.pid, program_path, &actions, &attributes, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (other_side >= 0) close(other_side);
  if (error != 0) throw std::runtime_error(std::string("cannot start ") + program_path);
  return running;
}

Outcome CliTest::wait(const Running& running) const {
  Outcome outcome;
  if (running.terminal >= 0) outcome.err = drain(running.terminal);
  int status = 0;
  while (waitpid(running.pid, &status, 0) < 0 && errno == EINTR) {
  }
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  outcome.out = slurp(folder_ / ".stdout");
  if (running.terminal < 0) outcome.err = slurp(folder_ / ".stderr");
  std::filesystem::remove(folder_ / ".stdout");
  std::filesystem::remove(folder_ / ".stderr");
  return outcome;
}

void CliTest::wait_for_progress(const Running& running) {
  std::string text;
  char buffer[256];
  while (text.find("iteration") == std::string::npos) {
    const ssize_t count = ::read(running.terminal, buffer, sizeof buffer);
    if (count <= 0) throw std::runtime_error("the program ended without showing progress");
    text.append(buffer, static_cast<std::size_t>(count));
  }
}

Outcome CliTest::run(int exit_code, const std::vector<std::string>& arguments) const {
  const Outcome outcome = run(arguments);
  std::string command;
  for (const std::string& argument : arguments) command += " " + argument;
  EXPECT_EQ(outcome.exit_code, exit_code) << "slipstick" << command << "\n" << outcome.out << outcome.err;
  return outcome;
}

void CliTest::write(const std::string& name, const std::string& text) const {
  std::ofstream(folder_ / name, std::ios::binary) << text;
}

std::string CliTest::read(const std::string& name) const {
  return slurp(folder_ / name);
}

std::vector<std::string> CliTest::list() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

void CliTest::write_lcp(const std::string& name) const {
  write(name, "2\n0\n2\n2\n2 2\n2 1\n1 2\n-5 -6\n");
}

void CliTest::write_contact(const std::string& name) const {
  write(name, "2\n1\n0\n2\n2\n2 2\n0.5 0\n0 0.5\n-1 0.25\n0.5\n");
}

void CliTest::generate_slow(const std::string& name) const {
  run(0, {"generate", "uic", "--resolution", "320", "-o", name});
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> list;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) list.push_back(line);
  return list;
}

std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> list;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, ',');) list.push_back(field);
  return list;
}

}  // namespace slipstick::internal::cli
