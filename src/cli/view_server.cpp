#include "cli/view_server.hpp"

#include <unistd.h>

#include <array>
#include <set>
#include <utility>

#include "cli/http_server.hpp"
#include "output/view_page.hpp"
#include "taut/error.hpp"

namespace taut::cli {
namespace {

constexpr auto json_type = "application/json";

/// 128 bits from the system, in hexadecimal.
std::string random_word() {
  std::array<unsigned char, 16> bytes{};
  if (getentropy(bytes.data(), bytes.size()) != 0) throw std::runtime_error("the system has no random numbers");
  std::string word;
  for (const unsigned char byte : bytes) {
    word += "0123456789abcdef"[byte >> 4U];
    word += "0123456789abcdef"[byte & 15U];
  }
  return word;
}

/// Takes the same time wherever the two differ.
bool same(const std::string& a, const std::string& b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t k = 0; k < a.size(); ++k) difference |= static_cast<unsigned char>(a[k] ^ b[k]);
  return difference == 0;
}

/// As it is, without compression, which on one machine costs more than it saves.
HttpAnswer json_answer(ViewSession::Text text) {
  if (!text) return text_answer(404, "There is nothing yet.\n");
  return {200, json_type, {}, {*text}, text};
}

/// The page for one answer: only the script that carries the answer's own word runs. The page itself is not copied.
HttpAnswer page_answer() {
  const auto word = std::make_shared<const std::string>(random_word());
  const std::string_view mark = "@NONCE@";
  HttpAnswer answer{200, "text/html; charset=utf-8", {}, {}, word};
  std::string_view rest = view_page();
  for (auto at = rest.find(mark); at != std::string_view::npos; at = rest.find(mark)) {
    answer.pieces.push_back(rest.substr(0, at));
    answer.pieces.push_back(*word);
    rest.remove_prefix(at + mark.size());
  }
  answer.pieces.push_back(rest);
  answer.headers.emplace_back("Content-Security-Policy", "default-src 'none'; script-src 'nonce-" + *word +
                                                             "'; style-src 'unsafe-inline'; img-src data: blob:; "
                                                             "connect-src 'self'; base-uri 'none'; form-action 'none'; "
                                                             "frame-ancestors 'none'");
  return answer;
}

/// Every answer has these.
HttpAnswer with_common_headers(HttpAnswer answer) {
  for (const auto& [name, value] : {std::pair{"Cache-Control", "no-store"},
                                    {"Referrer-Policy", "no-referrer"},
                                    {"X-Content-Type-Options", "nosniff"},
                                    {"X-Frame-Options", "DENY"},
                                    {"Cross-Origin-Resource-Policy", "same-origin"},
                                    {"Cross-Origin-Opener-Policy", "same-origin"}})
    answer.headers.emplace_back(name, value);
  return answer;
}

/// The user opening the page, from wherever the link stood: the page has nothing of the run in it.
bool opens_the_page(const HttpRequest& request) {
  return request.method == "GET" && request.path == "/" && request.header("sec-fetch-mode") == "navigate" &&
         request.header("sec-fetch-dest") == "document";
}

}  // namespace

class ViewServer::Implementation : public HttpService {
 public:
  Implementation(ViewSession& session, int port) : session_(session), server_(*this, port) {
    const std::string number = std::to_string(server_.port());
    host_ = "127.0.0.1:" + number;
    hosts_ = {host_, "localhost:" + number};
    session_.on_news([this] { server_.wake(); });
    server_.start();
  }

  ~Implementation() override {
    session_.on_news(nullptr);
    session_.stop();
  }

  std::string address() const { return "http://" + host_ + "/?token=" + token_; }

  std::optional<HttpAnswer> refuse(const HttpRequest& request) override {
    const std::string why = refusal(request);
    if (why.empty()) return std::nullopt;
    return with_common_headers(text_answer(403, why + "\n"));
  }

  HttpAnswer answer(const HttpRequest& request) override { return with_common_headers(answer_of(request)); }

  std::string news(long& seen) override {
    const ViewSession::Text state = session_.newer_state(seen);
    return state ? *state : "";
  }

 private:
  /// A page of another site may make the browser ask us, but it cannot know the token, and its origin shows; a name
  /// that was turned to this machine's address shows in the host.
  std::string refusal(const HttpRequest& request) const {
    const std::string host = request.header("host");
    if (request.count("host") != 1 || !hosts_.contains(host)) return "This is not the host you are looking for.";
    if (request.count("origin") > 0 && request.header("origin") != "http://" + host)
      return "Other origins are refused.";
    const std::string site = request.header("sec-fetch-site");
    if (!site.empty() && site != "same-origin" && site != "none" && !opens_the_page(request))
      return "Other sites are refused.";
    if (!same(request.parameter("token"), token_))
      return "The address lacks its token: open the one that taut view printed.";
    return "";
  }

  HttpAnswer answer_of(const HttpRequest& request) {
    const bool changes = request.path == "/settings";
    const bool asks = request.method == "GET" || request.method == "HEAD";
    if (request.path == "/" && asks) return page_answer();
    if (request.path == "/controls" && asks) return json_answer(session_.controls());
    if (request.path == "/run" && asks) return json_answer(session_.run());
    if (request.path == "/state" && asks) return json_answer(session_.state());
    if (request.path == "/events" && asks) return {200, "text/event-stream", {}, {}, nullptr, true};
    if (changes && request.method == "POST") return change(request);
    static const std::set<std::string> known{"/", "/controls", "/run", "/state", "/events", "/settings"};
    return known.contains(request.path) ? text_answer(405, "That cannot be done here.\n")
                                        : text_answer(404, "There is nothing here.\n");
  }

  HttpAnswer change(const HttpRequest& request) {
    try {
      const long number = session_.change(read_settings(request.body));
      return text_answer(200, nlohmann::json{{"settings_number", number}}.dump(), json_type);
    } catch (const InputError& error) {
      return text_answer(400, std::string(error.what()) + "\n");
    }
  }

  ViewSession& session_;
  const std::string token_ = random_word();
  std::string host_;
  std::set<std::string> hosts_;
  HttpServer server_;  ///< the last member: its thread uses the others
};

ViewServer::ViewServer(ViewSession& session, int port)
    : implementation_(std::make_unique<Implementation>(session, port)), address_(implementation_->address()) {}

ViewServer::~ViewServer() = default;

}  // namespace taut::cli
