// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/peers/in_parallel.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <map>

#include "bench/peers/report.hpp"
#include "slipstick/base/error.hpp"
#include "slipstick/io/report/table_headers.hpp"

namespace slipstick::internal::bench {
namespace {

namespace fs = std::filesystem;

// A folder for the tables of the tasks that goes with the object.
class Tables {
 public:
  Tables() {
    std::string name = (fs::temp_directory_path() / "slipstick-bench-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      fail("no folder can be made in {}", fs::temp_directory_path().string());
    folder_ = name;
  }
  ~Tables() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Tables(const Tables&) = delete;
  Tables& operator=(const Tables&) = delete;
  fs::path operator()(std::size_t task) const { return folder_ / std::to_string(task); }

 private:
  fs::path folder_;
};

[[noreturn]] void write_table(const fs::path& path, const auto& run) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  try {
    std::FILE* file = std::fopen(path.c_str(), "w");
    if (file == nullptr) _exit(1);
    fmt::print(file, "{}\n", report::contest_header);
    run([&](const ContestRow& row) { print_row(file, row); });
    _exit(std::fclose(file) == 0 ? 0 : 1);
  } catch (...) {
    _exit(1);
  }
}

}  // namespace

void run_in_parallel(
    std::size_t count, int jobs,
    const std::function<void(std::size_t, const std::function<void(const ContestRow&)>&)>& run,
    const std::function<void(std::size_t, const std::vector<ContestRow>&)>& report) {
  const Tables tables;
  std::map<pid_t, std::size_t> running;
  std::vector<char> done(count, 0);
  for (std::size_t next = 0, reported = 0; reported < count;) {
    while (next < count && running.size() < static_cast<std::size_t>(jobs)) {
      std::fflush(nullptr);  // the child must not write it again
      const pid_t child = fork();
      if (child < 0) fail("no child process could be started");
      if (child == 0) write_table(tables(next), [&](const auto& add) { run(next, add); });
      running[child] = next++;
    }
    int status = 0;
    const pid_t ended = waitpid(-1, &status, 0);
    const auto found = running.find(ended);
    if (found == running.end()) continue;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
      fail("the process of problem {} failed", found->second + 1);
    done[found->second] = 1;
    running.erase(found);
    for (; reported < count && done[reported] != 0; ++reported)
      report(reported, read_contest(tables(reported)));
  }
}

}  // namespace slipstick::internal::bench
