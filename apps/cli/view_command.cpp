// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <memory>
#include <string>

#include "apps/cli/arguments.hpp"
#include "apps/cli/cancel.hpp"
#include "apps/cli/commands.hpp"
#include "apps/cli/island_dumps.hpp"
#include "apps/cli/page_server.hpp"
#include "apps/cli/page_text.hpp"
#include "apps/cli/progress.hpp"
#include "apps/cli/run_report.hpp"
#include "apps/cli/simulate_job.hpp"
#include "slipstick/base/base64.hpp"
#include "slipstick/base/json_writer.hpp"
#include "slipstick/io/atomic_file.hpp"
#include "slipstick/io/run_page.hpp"

namespace slipstick::internal::cli {
namespace {

struct ViewArguments {
  std::string run;
  std::string output;
  double max_size = 100.0;  // MB
  bool serve = false;
  bool json = false;
};

// A word of a command line for the shell.
std::string shell_word(const std::string& word) {
  constexpr std::string_view harmless =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/+=:,@%";
  if (!word.empty() && word.find_first_not_of(harmless) == word.npos && word[0] != '-') return word;
  std::string quoted = "'";
  for (const char letter : word) {
    if (letter == '\'') {
      quoted += "'\\''";
    } else {
      quoted += letter;
    }
  }
  return quoted + "'";
}

PageNotes notes_of(const RunHeader& header, const std::string& file) {
  PageNotes notes;
  const std::filesystem::path run = file;
  notes.run = run.filename().string();
  const std::string word = shell_word(file);
  notes.rerun = fmt::format("slipstick simulate --like {} -o again.h5", word);
  notes.replay = fmt::format("slipstick simulate --like {} --dump step:{{step}} -o again.h5", word);
  const std::string law = header.law == "coulomb" ? "" : " --friction " + shell_word(header.law);
  for (const auto& [place, path] : list_dumps(dump_folder(run))) {
    const std::string dump = shell_word(path.string());
    notes.dumps.push_back({place.first, static_cast<int>(place.second), path.string(),
                           fmt::format("slipstick solve {0} --warm-start {0} --tolerance {1:g}{2}", dump,
                                       header.tolerance, law)});
  }
  return notes;
}

std::string block_text(Index number, const RunPage& page) {
  std::string text = fmt::format("<script type=\"text/plain\" id=\"block-{}\">", number);
  append_base64(text, page.block(number));
  return text + "</script>\n";
}

struct WrittenPage {
  std::uintmax_t bytes = 0;
  Index frames = 0;
  Index every = 1;
};

// Writes a page that has at most `most` bytes, with fewer frames if it must be.
WrittenPage write_page(const RunReader& run, const PageNotes& notes, const std::filesystem::path& path,
                       double most, const CancelOnSignal& cancel) {
  const PageText text(notes.run);
  ProgressLine line;
  WrittenPage written;
  write_atomically(path, [&](const std::filesystem::path& temporary) {
    for (Index every = 1;;) {
      const RunPage page(run, notes, every);
      std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
      std::uintmax_t bytes = text.before().size() + text.after().size();
      file << text.before();
      Index block = 0;
      for (; block < page.blocks() && static_cast<double>(bytes) <= most; ++block) {
        if (cancel.raised()) fail("cancelled; no page was written");
        line.show([&] { return fmt::format("{}: block {} of {}", notes.run, block, page.blocks()); });
        const std::string content = block_text(block, page);
        bytes += content.size();
        file << content;
      }
      file << text.after();
      file.close();
      if (!file) fail("{}: cannot write", path.string());
      if (static_cast<double>(bytes) <= most) {
        written = {bytes, page.frames(), every};
        return;
      }
      if (page.frames() <= 2)
        fail("a page with two frames of this run is larger than --max-size {:g} MB; --serve shows it whole",
             most / 1e6);
      // The first blocks do not get smaller.
      const double share = std::min(1.0, static_cast<double>(block) / static_cast<double>(page.blocks()));
      every = std::max(every + 1, static_cast<Index>(std::ceil(static_cast<double>(every) / share)));
      every = std::min(every, run.frames());
    }
  });
  return written;
}

void serve_page(const RunReader& run, const PageNotes& notes, const CancelOnSignal& cancel) {
  const RunPage page(run, notes);
  const PageText text(notes.run);
  const auto answer = [&](std::string_view path) -> PageServer::Answer {
    if (path.empty()) {
      return {
          "text/html; charset=utf-8",
          text.before() + "<meta name=\"slipstick-blocks\" content=\"block/\">" + std::string(text.after())};
    }
    constexpr std::string_view folder = "block/";
    Index number = -1;
    if (path.starts_with(folder)) {
      path.remove_prefix(folder.size());
      const auto [end, error] = std::from_chars(path.data(), path.data() + path.size(), number);
      if (error != std::errc() || end != path.data() + path.size()) number = -1;
    }
    if (number < 0 || number >= page.blocks()) return {};
    return {"application/octet-stream", page.block(number)};
  };
  PageServer server(answer);
  fmt::print("{}\n", server.address());
  std::fflush(stdout);
  server.run([&] { return cancel.raised(); });
}

void tell(const WrittenPage& page, const RunReader& run, const ViewArguments& arguments,
          const std::string& output) {
  if (page.every > 1)
    fmt::print(stderr, "slipstick: {}: the page has one of {} frames, to stay below {:g} MB\n", output,
               page.every, arguments.max_size);
  if (!arguments.json) return fmt::print("{}\n", output);
  fmt::print("{}\n", JsonWriter()
                         .begin_object()
                         .member("run", arguments.run)
                         .member("finished", run.finished())
                         .member("page", output)
                         .member("bytes", page.bytes)
                         .member("frames", page.frames)
                         .member("every", page.every)
                         .end_object()
                         .text());
}

int run_view(const ViewArguments& arguments) {
  const PageText complains_early("");
  check_positive("--max-size", arguments.max_size);
  if (arguments.serve && !arguments.output.empty()) fail("--serve: no page is written, -o cannot be given");
  const std::string file = run_name(arguments.run);
  if (!is_run(file)) fail("{}: this is not a run, or it is not there", arguments.run);
  std::filesystem::path output = arguments.output;
  if (output.empty()) output = std::filesystem::path(file).replace_extension(".html");
  if (!arguments.serve) {
    check_target("--output", output, html_extensions);
    check_distinct("--output", output, file);
  }
  CancelOnSignal cancel("");
  const RunReader run = open_run(arguments.run);
  cancel.arm();
  try {
    about(file, [&] {
      const PageNotes notes = notes_of(run.header(), file);
      if (arguments.serve) return serve_page(run, notes, cancel);
      tell(write_page(run, notes, output, arguments.max_size * 1e6, cancel), run, arguments, output.string());
    });
  } catch (const Error& error) {
    if (!cancel.raised()) throw;
    fmt::print(stderr, "slipstick: {}\n", error.what());
    return exit_not_solved;
  }
  return exit_solved;
}

}  // namespace

void add_view_command(CLI::App& app, Action& action) {
  const auto arguments = std::make_shared<ViewArguments>();
  CLI::App* command = app.add_subcommand("view", "Make a page that shows a recorded run in a browser");
  command->add_option("RUN", arguments->run, "Run file, finished or not")->required();
  command->add_option("-o,--output", arguments->output, "The page [RUN with .html]")->type_name("PAGE");
  command
      ->add_option("--max-size", arguments->max_size,
                   "Largest size of the page in MB; longer runs get fewer frames")
      ->type_name("MB")
      ->capture_default_str();
  command->add_flag("--serve", arguments->serve,
                    "Write nothing; show the whole run to browsers on this machine until Ctrl-C");
  command->add_flag("--json", arguments->json, "Print one JSON object instead of the path");
  command->footer(
      "Examples:\n"
      "  slipstick simulate wall --duration 3 -o wall.h5\n"
      "  slipstick view wall.h5\n"
      "  slipstick view wall.h5 --serve\n"
      "The page needs no server and no network: open the file in a browser.");
  command->callback([arguments, &action] { action = [arguments] { return run_view(*arguments); }; });
}

}  // namespace slipstick::internal::cli
