// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// view, and what it tells to type: simulate --like.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "tests/cli/simulation_testing.hpp"

namespace slipstick::internal::cli::view_test {

class View : public SimulateTest {
 protected:
  void write_run(const std::string& name = "run.h5") const {
    write_pile("pile.json");
    run(0, {"simulate", "pile.json", "--duration", "0.2", "-o", name});
  }
  bool has_viewer() const { return run(0, {"--version"}).out.find("no viewer") == std::string::npos; }
  // The one message that a wrong call gives.
  void expect(const Words& words, const std::string& part) const {
    const Outcome outcome = run(2, Words{"view"} + words);
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
    EXPECT_EQ(lines(outcome.err).size(), 1U) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
};
// A program without the page refuses, and says what was missing. The rest of the test is about the page.
#define NEEDS_VIEWER() \
  if (!has_viewer()) return expect({"run.h5"}, "built without the viewer: ")

TEST_F(View, WritesAPageBesideTheRun) {
  NEEDS_VIEWER();
  write_run();
  EXPECT_EQ(run(0, {"view", "run.h5"}).out, "run.html\n");
  EXPECT_EQ(list(), (Words{"pile.json", "run.h5", "run.html"}));
  const std::string page = read("run.html");
  EXPECT_NE(page.find("<title>run.h5 - Slipstick</title>"), std::string::npos);
  EXPECT_EQ(page.find("<!-- blocks -->"), std::string::npos);
  for (int block = 0; block < 6; ++block)
    EXPECT_NE(page.find("id=\"block-" + std::to_string(block) + "\">"), std::string::npos);
  EXPECT_EQ(page.find("id=\"block-6\""), std::string::npos);
  // The same again, to another name.
  EXPECT_EQ(run(0, {"view", "run.h5", "-o", "other.html"}).out, "other.html\n");
  EXPECT_EQ(read("other.html"), page);
}

TEST_F(View, TheTitleIsText) {
  NEEDS_VIEWER();
  write_run("<b>&.h5");
  run(0, {"view", "<b>&.h5", "-o", "page.html"});
  EXPECT_NE(read("page.html").find("<title>&lt;b&gt;&amp;.h5 - Slipstick</title>"), std::string::npos);
}

TEST_F(View, ARunThatIsTooLargeGetsFewerFrames) {
  NEEDS_VIEWER();
  SLIPSTICK_NEEDS_JSON();
#ifdef SLIPSTICK_HAS_JSON
  write_pile("pile.json");
  run(0, {"simulate", "pile.json", "--duration", "2", "-o", "run.h5"});
  const Json whole = parse(run(0, {"view", "run.h5", "--json"}).out);
  EXPECT_EQ(whole.at("every"), 1);
  EXPECT_EQ(whole.at("frames"), 200);
  EXPECT_EQ(whole.at("bytes"), read("run.html").size());
  const double most = whole.at("bytes").get<double>() - 20000.0;
  const Outcome outcome = run(0, {"view", "run.h5", "--json", "--max-size", std::to_string(most / 1e6)});
  EXPECT_NE(outcome.err.find("the page has one of "), std::string::npos) << outcome.err;
  const Json thinned = parse(outcome.out);
  EXPECT_GT(thinned.at("every"), 1);
  EXPECT_LE(thinned.at("bytes"), most + 1.0);
  EXPECT_LE(thinned.at("frames"), 102);
  expect({"run.h5", "--max-size", "0.001"}, "is larger than --max-size 0.001 MB; --serve shows it whole");
#endif
}

TEST_F(View, WrongCallsWriteNothing) {
  NEEDS_VIEWER();
  write_run();
  expect({"missing.h5"}, "missing.h5");
  expect({"pile.json"}, "pile.json");
  expect({"run.h5", "-o", "page.txt"}, ".html");
  expect({"run.h5", "-o", "nowhere/page.html"}, "nowhere");
  expect({"run.h5", "--max-size", "0"}, "--max-size");
  expect({"run.h5", "--max-size", "-3"}, "--max-size");
  expect({"run.h5", "--serve", "-o", "page.html"}, "--serve");
  write("cut.h5", read("run.h5").substr(0, 3000));
  expect({"cut.h5"}, "cut.h5");
  EXPECT_EQ(list(), (Words{"cut.h5", "pile.json", "run.h5"}));
}

// What a server answers to a text.
std::string ask(int port, const std::string& request) {
  const int peer = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  std::string reply;
  if (connect(peer, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
      send(peer, request.data(), request.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(request.size())) {
    char buffer[65536];
    for (ssize_t count = 0; (count = recv(peer, buffer, sizeof buffer, 0)) > 0;)
      reply.append(buffer, static_cast<std::size_t>(count));
  }
  close(peer);
  return reply;
}

TEST_F(View, ServesTheRunOnThisMachineOnly) {
  NEEDS_VIEWER();
  write_run();
  const Running server = start({"view", "run.h5", "--serve"});
  std::string line;
  while (line.find('\n') == line.npos) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    line = read(".stdout");
  }
  const std::string start_of_address = "http://127.0.0.1:";
  ASSERT_EQ(line.substr(0, start_of_address.size()), start_of_address);
  const int port = std::stoi(line.substr(start_of_address.size()));
  const std::string path = line.substr(line.find('/', start_of_address.size()), 34);
  ASSERT_EQ(path.back(), '/') << line;  // 32 digits of the token
  const std::string host = "Host: 127.0.0.1:" + std::to_string(port) + "\r\n";
  const auto get = [&](const std::string& what) {
    return ask(port, "GET " + what + " HTTP/1.1\r\n" + host + "\r\n");
  };
  const auto is = [](const std::string& reply, const std::string& status) {
    return reply.substr(0, 9 + status.size()) == "HTTP/1.1 " + status;
  };

  const std::string page = get(path);
  EXPECT_TRUE(is(page, "200 OK")) << page.substr(0, 200);
  EXPECT_NE(page.find("slipstick-blocks"), std::string::npos);
  EXPECT_EQ(page.find("id=\"block-0\""), std::string::npos);
  const std::string block = get(path + "block/0");
  EXPECT_TRUE(is(block, "200 OK"));
  EXPECT_EQ(block[block.find("\r\n\r\n") + 4], 0x78);  // a zlib stream
  EXPECT_TRUE(is(get(path + "block/5"), "200 OK"));
  for (const std::string& wrong :
       {std::string("/"), std::string("/block/0"), path + "block/6", path + "block/-1", path + "block/",
        path + "block/0x1", path + "block/99999999999999999999", path + "../run.h5", path + "%2e%2e/run.h5",
        path + "run.h5", "/" + std::string(32, '0') + "/", path.substr(0, 33)})
    EXPECT_TRUE(is(get(wrong), "404")) << wrong;
  EXPECT_TRUE(is(ask(port, "POST " + path + " HTTP/1.1\r\n" + host + "\r\n"), "405"));
  EXPECT_TRUE(is(ask(port, "GET " + path + " HTTP/1.1\r\nHost: evil.example\r\n\r\n"), "403"));
  EXPECT_TRUE(is(ask(port, "GET " + path + " HTTP/1.1\r\n\r\n"), "403"));
  EXPECT_TRUE(is(
      ask(port, "GET " + path + " HTTP/1.1\r\nhOsT: localhost:" + std::to_string(port) + "\r\n\r\n"), "200"));
  EXPECT_TRUE(is(ask(port, std::string(20000, 'x')), "431"));

  kill(server.pid, SIGINT);
  const Outcome outcome = wait(server);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(lines(outcome.out).size(), 1U);
  EXPECT_EQ(outcome.err, "");
}

TEST_F(View, SimulateLikeRepeatsARun) {
  write_pile("pile.json");
  run(0, {"simulate", "pile.json", "--duration", "0.2", "--tolerance", "1e-8", "--record", "every:3", "-o",
          "run.h5"});
  run(0, {"simulate", "--like", "run.h5", "-o", "again.h5"});
  EXPECT_TRUE(same_runs("run.h5", "again.h5"));
  run(0, {"simulate", "--like", "run.h5", "--dump", "step:7", "-o", "dumped.h5"});
  EXPECT_TRUE(exists("dumped.dumps/step-000007-island-000.h5"));
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "dumped.dumps"))
    EXPECT_EQ(entry.path().filename().string().substr(0, 11), "step-000007");
  // Other settings than those of the run.
  run(0, {"simulate", "--like", "run.h5", "--duration", "0.05", "--friction", "convex", "-o", "short.h5"});
  EXPECT_EQ(open("short.h5").steps(), 5);
  EXPECT_EQ(open("short.h5").header().law, "convex");
  const auto refused = [&](const Words& words, const std::string& part) {
    const Outcome outcome = run(2, Words{"simulate"} + words);
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
  };
  refused({"--like", "pile.json"}, "not a run");
  refused({"pile.json", "--like", "run.h5"}, "the scene is that of the run");
  refused({"--like", "run.h5", "--resume", "run.h5"}, "--resume");
  refused({"--like", "run.h5", "-o", "run.h5", "--force"}, "run.h5");
  refused({"--like", "run.h5", "--dump", "step:0", "-o", "no.h5"}, "step:0 is not from 1");
}

}  // namespace slipstick::internal::cli::view_test
