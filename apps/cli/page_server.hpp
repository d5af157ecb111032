// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace slipstick::internal::cli {

/// Answers requests of a browser on this machine: HTTP 1.1 on a random port of the loopback device. All
/// addresses begin with a random token, so that other users and other pages cannot guess them. A request
/// whose Host is another name is refused.
class PageServer {
 public:
  struct Answer {
    std::string type;  ///< of the content; empty: there is nothing at this path
    std::string content;
  };
  /// Gives what is at a path after the token: "" for the first page.
  using Handler = std::function<Answer(std::string_view path)>;

  explicit PageServer(Handler handler);
  ~PageServer();
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  /// "http://127.0.0.1:PORT/TOKEN/"
  std::string address() const;
  /// Answers until cancelled() gives true, which is asked several times in a second.
  void run(const std::function<bool()>& cancelled);

 private:
  struct Connection {
    int socket = -1;
    std::string request;
    double deadline = 0.0;
  };
  void accept_connection(double now);
  bool read_request(Connection& connection) const;  // true: the connection has ended
  std::string reply_to(std::string_view request) const;

  Handler handler_;
  std::string token_;
  int port_ = 0;
  int listener_ = -1;
  std::vector<Connection> connections_;
};

}  // namespace slipstick::internal::cli
