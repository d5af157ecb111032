// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/peers/worker.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <omp.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <ctime>

#include "slipstick/base/error.hpp"
#include "slipstick/base/timer.hpp"

namespace slipstick::internal::bench {
namespace {

constexpr rlim_t memory_limit = rlim_t{8} << 30;  // bytes of address space
#if defined(SLIPSTICK_SANITIZED)
constexpr bool limits_memory = false;  // the sanitizer takes terabytes
#else
constexpr bool limits_memory = true;
#endif

constexpr double slowest_machine = 20.0;  // times the time that its processes use the processor

double clock_seconds(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double process_seconds() {
  return clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

// Every solve by itself, with what it needs made anew before.
double seconds_per_renewed_solve(Attempt& attempt, double tolerance, double batch_seconds) {
  double seconds = 0.0;
  int count = 0;
  do {
    attempt.renew();
    const double start = process_seconds();
    attempt.solve(tolerance);
    seconds += process_seconds() - start;
    ++count;
  } while (seconds < batch_seconds);
  return seconds / count;
}

// The clock is not asked after every solve: some take less time than that.
double seconds_per_solve(Attempt& attempt, double tolerance, double batch_seconds) {
  if (attempt.wears_out()) return seconds_per_renewed_solve(attempt, tolerance, batch_seconds);
  double start = process_seconds();
  attempt.solve(tolerance);
  double seconds = process_seconds() - start;
  for (int count = 1; batch_seconds > 0.0; count *= 2) {
    start = process_seconds();
    for (int k = 0; k < count; ++k) attempt.solve(tolerance);
    const double batch = process_seconds() - start;
    seconds = batch / count;
    if (batch >= batch_seconds) break;
  }
  return seconds;
}

template <class Record>
bool read_record(int file, Record& record) {
  auto* bytes = reinterpret_cast<char*>(&record);
  for (std::size_t done = 0; done < sizeof record;) {
    const ssize_t count = read(file, bytes + done, sizeof record - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
}

template <class Record>
bool write_record(int file, const Record& record) {
  // Smaller than PIPE_BUF: written whole or not at all.
  return write(file, &record, sizeof record) == static_cast<ssize_t>(sizeof record);
}

}  // namespace

Worker::Worker(const Contestant& contestant, const ContestProblem& problem, double time_limit) {
  int orders[2];
  int reports[2];
  if (pipe2(orders, O_CLOEXEC) != 0 || pipe2(reports, O_CLOEXEC) != 0) fail("no pipe to a child process");
  child_ = fork();
  if (child_ < 0) fail("no child process could be started");
  if (child_ == 0) {
    close(orders[1]);
    close(reports[0]);
    serve(contestant, problem, orders[0], reports[1]);
  }
  close(orders[0]);
  close(reports[1]);
  orders_ = orders[1];
  reports_ = reports[0];
  if (!receive(time_limit)) end();
}

Worker::~Worker() {
  end();
}

void Worker::serve(const Contestant& contestant, const ContestProblem& problem, int orders, int reports) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  const rlimit memory{memory_limit, memory_limit};
  if (limits_memory) setrlimit(RLIMIT_AS, &memory);
  // What fails ends the process without a report, as a crash does.
  try {
    const std::unique_ptr<Attempt> attempt = contestant.prepare(problem);
    if (!write_record(reports, BatchReport{})) _exit(1);
    Order order{};
    while (read_record(orders, order)) {
      const double seconds = seconds_per_solve(*attempt, order.tolerance, order.batch_seconds);
      Verdict verdict = judge(problem, attempt->answer(), attempt->multipliers());
      verdict.called_solved = attempt->calls_solved();
      if (!write_record(reports, BatchReport{seconds, verdict})) break;
    }
  } catch (...) {
    _exit(1);
  }
  _exit(0);
}

std::optional<BatchReport> Worker::run(double tolerance, double batch_seconds, double time_limit) {
  if (state_ != State::ready) return std::nullopt;
  started_at_ = seconds();
  if (!write_record(orders_, Order{tolerance, batch_seconds})) {
    end();
    return std::nullopt;
  }
  state_ = State::busy;
  return receive(time_limit);
}

std::optional<BatchReport> Worker::go_on(double time_limit) {
  if (state_ != State::busy) return std::nullopt;
  kill(child_, SIGCONT);
  return receive(time_limit);
}

std::optional<BatchReport> Worker::receive(double time_limit) {
  const Timer timer;
  for (;;) {
    // The processor time of the child counts. If the child sleeps for some reason, the time of the day does.
    const double left = time_limit - (seconds() - started_at_);
    pollfd waiting{reports_, POLLIN, 0};
    const int ready = poll(&waiting, 1, static_cast<int>(std::ceil(1e3 * std::clamp(left, 0.0, 1e6))));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) {
      if (left > 0.0 && timer.seconds() < slowest_machine * time_limit) continue;
      kill(child_, SIGSTOP);
      return std::nullopt;
    }
    BatchReport report;
    if (read_record(reports_, report)) {
      state_ = State::ready;
      return report;
    }
    end();
    return std::nullopt;
  }
}

double Worker::seconds() const {
  clockid_t clock{};
  clock_getcpuclockid(child_, &clock);
  return clock_seconds(clock);
}

void Worker::end() {
  state_ = State::ended;
  if (child_ < 0) return;
  kill(child_, SIGKILL);
  waitpid(child_, nullptr, 0);
  child_ = -1;
  close(orders_);
  close(reports_);
}

void use_one_thread() {
  omp_set_num_threads(1);
  // OpenBLAS reads its environment when it is loaded, which is too early to be told.
  using SetThreads = void (*)(int);
  if (auto* set = reinterpret_cast<SetThreads>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))) set(1);
  std::signal(SIGPIPE, SIG_IGN);
}

}  // namespace slipstick::internal::bench
