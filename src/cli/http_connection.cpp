#include "cli/http_connection.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <map>

namespace taut::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto time_for_head = 5s;     ///< from the first moment to the last byte
constexpr auto time_for_body = 10s;    ///< likewise
constexpr auto time_to_refuse = 2s;    ///< for whoever is not served
constexpr auto time_to_read_on = 30s;  ///< without a single byte taken
constexpr auto time_to_drain = 1s;
constexpr auto sign_of_life = 15s;
/// What is thrown away of a request that is answered before it is whole, so that the answer gets through.
constexpr std::size_t most_drained = 8U << 20U;

const char* phrase(int status) {
  static const std::map<int, const char*> phrases{{200, "OK"},
                                                  {400, "Bad Request"},
                                                  {403, "Forbidden"},
                                                  {404, "Not Found"},
                                                  {405, "Method Not Allowed"},
                                                  {411, "Length Required"},
                                                  {413, "Content Too Large"},
                                                  {415, "Unsupported Media Type"},
                                                  {431, "Request Header Fields Too Large"},
                                                  {500, "Internal Server Error"},
                                                  {503, "Service Unavailable"}};
  const auto at = phrases.find(status);
  return at == phrases.end() ? "" : at->second;
}

std::string head_of(const HttpAnswer& answer) {
  std::string head = fmt::format("HTTP/1.1 {} {}\r\nConnection: close\r\n", answer.status, phrase(answer.status));
  if (!answer.type.empty()) head += fmt::format("Content-Type: {}\r\n", answer.type);
  std::size_t length = 0;
  for (const std::string_view piece : answer.pieces) length += piece.size();
  if (!answer.is_stream) head += fmt::format("Content-Length: {}\r\n", length);
  for (const auto& [name, value] : answer.headers) head += fmt::format("{}: {}\r\n", name, value);
  return head + "\r\n";
}

}  // namespace

HttpAnswer text_answer(int status, std::string text, std::string type) {
  const auto owner = std::make_shared<const std::string>(std::move(text));
  return {status, std::move(type), {}, {*owner}, owner};
}

HttpConnection::HttpConnection(int socket, HttpService& service)
    : socket_(socket), service_(service), deadline_(Clock::now() + time_for_head) {}

HttpConnection::~HttpConnection() { close(socket_); }

short HttpConnection::events() const {
  const bool hears = drained_ < most_drained, sends = !remaining_.empty();
  return static_cast<short>((hears ? POLLIN : 0) | (sends ? POLLOUT : 0));
}

void HttpConnection::read() {
  std::array<char, 16384> bytes;
  const ssize_t size = recv(socket_, bytes.data(), bytes.size(), 0);
  if (size > 0) return take({bytes.data(), static_cast<std::size_t>(size)});
  const bool later = size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
  // Who has asked may close his end of the sending; a stream nobody listens to is at its end.
  if (!later && (size < 0 || stage_ != Stage::writing)) stage_ = Stage::over;
  if (!later && stage_ == Stage::writing) drained_ = most_drained;
}

void HttpConnection::take(std::string_view bytes) {
  if (stage_ != Stage::reading) {
    drained_ += bytes.size();
    if (drained_ > most_drained) stage_ = Stage::over;
    return;
  }
  const bool in_head = reader_.state() == HttpReader::State::head;
  reader_.take(bytes);
  if (in_head && reader_.state() == HttpReader::State::body) {
    if (auto refusal = service_.refuse(reader_.request())) return respond(std::move(*refusal));
    trusted_ = true;
    deadline_ = Clock::now() + time_for_body;
    // Of a method without a body none is read.
    if (reader_.request().method != "POST") return answer();
    if (reader_.request().count("expect") > 0) {
      constexpr std::string_view go_on = "HTTP/1.1 100 Continue\r\n\r\n";
      send(socket_, go_on.data(), go_on.size(), MSG_NOSIGNAL);  // if it cannot be sent, the other end sends anyway
    }
    reader_.begin_body();
  }
  decide();
}

void HttpConnection::decide() {
  if (reader_.state() == HttpReader::State::wrong)
    return respond(text_answer(reader_.status(), reader_.reason() + "\n"));
  if (reader_.state() == HttpReader::State::whole) answer();
}

void HttpConnection::answer() {
  try {
    respond(service_.answer(reader_.request()));
  } catch (const std::exception&) {
    respond(text_answer(500, "This request could not be answered.\n"));
  }
}

void HttpConnection::respond(HttpAnswer answer) {
  const bool head_alone = reader_.request().method == "HEAD";
  head_ = head_of(answer);
  remaining_.assign({head_});
  if (!head_alone) remaining_.insert(remaining_.end(), answer.pieces.begin(), answer.pieces.end());
  owner_ = std::move(answer.owner);
  stage_ = answer.is_stream && !head_alone ? Stage::streaming : Stage::writing;
  last_sent_ = Clock::now();
  deadline_ = last_sent_ + (trusted_ ? std::chrono::seconds(time_to_read_on) : std::chrono::seconds(time_to_refuse));
  flush();
}

void HttpConnection::write() { flush(); }

void HttpConnection::flush() {
  while (!remaining_.empty()) {
    std::string_view& piece = remaining_.front();
    const ssize_t size = piece.empty() ? 0 : send(socket_, piece.data(), piece.size(), MSG_NOSIGNAL);
    if (size < 0) {
      if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) stage_ = Stage::over;
      return;
    }
    piece.remove_prefix(static_cast<std::size_t>(size));
    if (piece.empty()) remaining_.pop_front();
    if (trusted_) deadline_ = Clock::now() + time_to_read_on;
  }
  finish();
}

/// All is sent: a stream waits for news, anything else is closed once the other end has seen the end.
void HttpConnection::finish() {
  last_sent_ = Clock::now();
  if (stage_ == Stage::streaming) {
    deadline_ = Clock::time_point::max();
    return;
  }
  if (stage_ != Stage::writing) return;
  owner_.reset();
  shutdown(socket_, SHUT_WR);
  stage_ = drained_ >= most_drained ? Stage::over : Stage::draining;
  deadline_ = last_sent_ + time_to_drain;
}

void HttpConnection::send_news(Clock::time_point now) {
  if (stage_ != Stage::streaming || !remaining_.empty()) return;
  std::string text = service_.news(seen_);
  if (text.empty() && now - last_sent_ < sign_of_life) return;
  head_ = text.empty() ? std::string(":\n\n") : "data: " + text + "\n\n";
  remaining_.assign({head_});
  deadline_ = now + time_to_read_on;
  flush();
}

}  // namespace taut::cli
