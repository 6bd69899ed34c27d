#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/http_request.hpp"

namespace taut::cli {

struct HttpAnswer {
  int status = 200;
  std::string type;
  std::vector<std::pair<std::string, std::string>> headers;
  std::vector<std::string_view> pieces;  ///< of the body, one after the other
  std::shared_ptr<const void> owner;     ///< keeps the pieces alive; null for those that live as long as the program
  bool is_stream = false;                ///< events follow for as long as the other end listens
};

/// An answer of one text.
HttpAnswer text_answer(int status, std::string text, std::string type = "text/plain; charset=utf-8");

/// What a server serves. Every call comes from the server's one thread and must not wait for anything.
class HttpService {
 public:
  virtual ~HttpService() = default;
  /// Called with the head of a request, before any of its body is read: an answer here is a refusal.
  virtual std::optional<HttpAnswer> refuse(const HttpRequest& request) = 0;
  virtual HttpAnswer answer(const HttpRequest& request) = 0;
  /// What is new on a stream since `seen`, which is then updated; "" for nothing.
  virtual std::string news(long& seen) = 0;
};

/// A small server of HTTP/1.1 on the loopback address. One thread waits for all sockets at once, so that whoever sends
/// or reads slowly costs a place in a list and no more. A head must be there whole within seconds. Where places run
/// out, the one goes who came first and has not yet proved that he may ask: newcomers always get a hearing.
class HttpServer {
 public:
  /// Port 0 takes any that is free. Throws InputError if there is none.
  HttpServer(HttpService& service, int port);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  int port() const;
  /// Serves from now on.
  void start();
  /// There is news for streams. May be called from any thread, and never waits.
  void wake();

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace taut::cli
