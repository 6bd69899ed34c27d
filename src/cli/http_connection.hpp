#pragma once

#include <chrono>
#include <deque>
#include <string>

#include "cli/http_server.hpp"

namespace taut::cli {

/// One socket of a server and how far its request and answer are. Nothing here waits.
class HttpConnection {
 public:
  using Clock = std::chrono::steady_clock;

  /// Takes the socket over.
  HttpConnection(int socket, HttpService& service);
  ~HttpConnection();
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  int socket() const { return socket_; }
  /// Has it been admitted by the service?
  bool trusted() const { return trusted_; }
  bool is_stream() const { return stage_ == Stage::streaming; }
  bool is_over() const { return stage_ == Stage::over; }
  /// When it is to be given up, unless something happens before.
  Clock::time_point deadline() const { return deadline_; }
  /// What poll() is to watch for.
  short events() const;

  void read();
  void write();
  /// Gives a stream what is new, or a sign of life, once it has taken what came before.
  void send_news(Clock::time_point now);
  void end() { stage_ = Stage::over; }

 private:
  enum class Stage { reading, writing, streaming, draining, over };

  void take(std::string_view bytes);
  void decide();
  void answer();
  void respond(HttpAnswer answer);
  void flush();
  void finish();

  int socket_;
  HttpService& service_;
  HttpReader reader_;
  Stage stage_ = Stage::reading;
  bool trusted_ = false;
  Clock::time_point deadline_, last_sent_;
  long seen_ = 0;                           ///< of the news
  std::string head_;                        ///< of the answer, or the event that is being sent
  std::deque<std::string_view> remaining_;  ///< what is still to be sent
  std::shared_ptr<const void> owner_;
  std::size_t drained_ = 0;
};

}  // namespace taut::cli
