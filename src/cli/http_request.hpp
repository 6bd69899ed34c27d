#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace taut::cli {

/// A request of HTTP/1.1 as it came over a socket.
struct HttpRequest {
  std::string method, path, query;
  std::vector<std::pair<std::string, std::string>> headers;  ///< names in lower case
  std::string body;

  std::size_t count(std::string_view name) const;
  /// The first header of that name, "" if there is none.
  std::string header(std::string_view name) const;
  /// A word of the query, as it stands there; "" if there is none.
  std::string parameter(std::string_view name) const;
};

/// Puts a request together from bytes as they come. It holds no more of them than a head may be long, and the body that
/// the head announced; a body must say its length, because one in chunks or compressed has none until it is too late.
class HttpReader {
 public:
  enum class State { head, body, whole, wrong };
  static constexpr std::size_t longest_head = 16U << 10U;
  static constexpr std::size_t longest_body = 256U << 10U;
  static constexpr std::size_t most_headers = 64;

  /// In State::head the bytes of one call may end the head, but what they hold of the body is taken only by
  /// begin_body(): whoever asks decides in between whether the body is wanted.
  State take(std::string_view bytes);
  State begin_body();

  State state() const { return state_; }
  const HttpRequest& request() const { return request_; }
  /// Where the state is wrong: the status that says why, and a sentence.
  int status() const { return status_; }
  const std::string& reason() const { return reason_; }
  /// How long the body is that the head announced.
  std::size_t body_length() const { return length_; }

 private:
  State refuse(int status, std::string reason);
  State read_head();
  bool read_request_line(std::string_view line);
  bool read_header(std::string_view line);
  bool read_length();

  State state_ = State::head;
  HttpRequest request_;
  std::string held_;  ///< bytes not yet understood
  std::size_t length_ = 0;
  int status_ = 0;
  std::string reason_;
};

}  // namespace taut::cli
