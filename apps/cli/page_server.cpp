// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/page_server.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "slipstick/base/error.hpp"
#include "slipstick/base/timer.hpp"

namespace slipstick::internal::cli {
namespace {

constexpr std::size_t longest_request = 16384;
constexpr std::size_t most_connections = 64;
constexpr double patience = 30.0;    // s until a request is complete
constexpr int seconds_to_send = 30;  // without progress
constexpr int milliseconds_to_poll = 100;

std::string random_token() {
  std::array<unsigned char, 16> bytes;
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    fail("--serve: the system gives no random bytes: {}", std::strerror(errno));
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

bool send_all(int socket, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = send(socket, text.data(), text.size(), MSG_NOSIGNAL);
    if (count <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

std::string reply(std::string_view status, std::string_view type, std::string_view content) {
  return fmt::format(
      "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\nCache-Control: "
      "no-store\r\n"
      "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
      "Cross-Origin-Resource-Policy: same-origin\r\n\r\n{}",
      status, type, content.size(), content);
}
std::string refusal(std::string_view status) {
  return reply(status, "text/plain; charset=utf-8", fmt::format("{}\n", status));
}

// The value of a header, without blanks around it. Names of headers have no case.
std::string_view header_of(std::string_view request, std::string_view name) {
  std::size_t line = request.find("\r\n");
  while (line != request.npos) {
    request.remove_prefix(line + 2);
    line = request.find("\r\n");
    std::string_view content = request.substr(0, line);
    const std::size_t colon = content.find(':');
    if (colon != name.size()) continue;
    const auto same = [](char a, char b) { return (a | 0x20) == (b | 0x20); };
    if (!std::equal(name.begin(), name.end(), content.begin(), same)) continue;
    content.remove_prefix(colon + 1);
    while (!content.empty() && (content.front() == ' ' || content.front() == '\t')) content.remove_prefix(1);
    while (!content.empty() && (content.back() == ' ' || content.back() == '\t')) content.remove_suffix(1);
    return content;
  }
  return {};
}

}  // namespace

PageServer::PageServer(Handler handler) : handler_(std::move(handler)), token_(random_token()) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = 0;  // any
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener_ < 0 || bind(listener_, generic, size) != 0 || listen(listener_, SOMAXCONN) != 0 ||
      getsockname(listener_, generic, &size) != 0) {
    const int error = errno;
    if (listener_ >= 0) close(listener_);
    fail("--serve: cannot listen on this machine: {}", std::strerror(error));
  }
  port_ = ntohs(address.sin_port);
}

PageServer::~PageServer() {
  for (const Connection& connection : connections_) close(connection.socket);
  close(listener_);
}

std::string PageServer::address() const {
  return fmt::format("http://127.0.0.1:{}/{}/", port_, token_);
}

void PageServer::run(const std::function<bool()>& cancelled) {
  const Timer timer;
  std::vector<pollfd> events;
  while (!cancelled()) {
    const bool full = connections_.size() >= most_connections;
    events.assign(1, {listener_, static_cast<short>(full ? 0 : POLLIN), 0});
    for (const Connection& connection : connections_) events.push_back({connection.socket, POLLIN, 0});
    if (poll(events.data(), events.size(), milliseconds_to_poll) < 0 && errno != EINTR)
      fail("--serve: cannot wait for requests: {}", std::strerror(errno));
    const double now = timer.seconds();
    for (std::size_t k = connections_.size(); k-- > 0;) {
      const bool ready = events[k + 1].revents != 0;
      if ((ready && read_request(connections_[k])) || now > connections_[k].deadline) {
        close(connections_[k].socket);
        connections_.erase(connections_.begin() + static_cast<std::ptrdiff_t>(k));
      }
    }
    if ((events[0].revents & POLLIN) != 0) accept_connection(now);
  }
}

void PageServer::accept_connection(double now) {
  const int socket = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  if (socket < 0) return;  // the client has gone
  const timeval limit = {seconds_to_send, 0};
  setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  connections_.push_back({socket, {}, now + patience});
}

bool PageServer::read_request(Connection& connection) const {
  std::array<char, 4096> buffer;
  const ssize_t count = recv(connection.socket, buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (count <= 0) return !(count < 0 && (errno == EAGAIN || errno == EINTR));
  connection.request.append(buffer.data(), static_cast<std::size_t>(count));
  const std::size_t end = connection.request.find("\r\n\r\n");
  if (end != connection.request.npos) {
    send_all(connection.socket, reply_to(std::string_view(connection.request).substr(0, end + 2)));
    return true;
  }
  if (connection.request.size() <= longest_request) return false;
  send_all(connection.socket, refusal("431 Request Header Fields Too Large"));
  return true;
}

std::string PageServer::reply_to(std::string_view request) const {
  const std::string_view host = header_of(request, "Host");
  if (host != fmt::format("127.0.0.1:{}", port_) && host != fmt::format("localhost:{}", port_))
    return refusal("403 Forbidden");
  const std::string_view line = request.substr(0, request.find("\r\n"));
  if (!line.starts_with("GET ")) return refusal("405 Method Not Allowed");
  const std::string_view path = line.substr(4, line.find(' ', 4) - 4);
  const std::string root = "/" + token_ + "/";
  if (!path.starts_with(root)) return refusal("404 Not Found");
  try {
    const Answer answer = handler_(path.substr(root.size()));
    return answer.type.empty() ? refusal("404 Not Found") : reply("200 OK", answer.type, answer.content);
  } catch (const Error& error) {
    return reply("500 Internal Server Error", "text/plain; charset=utf-8", error.what());
  }
}

}  // namespace slipstick::internal::cli
