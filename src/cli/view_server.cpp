#include "cli/view_server.hpp"

#include <httplib.h>
#include <unistd.h>

#include <array>
#include <set>
#include <thread>
#include <utility>

#include "output/view_page.hpp"
#include "taut/error.hpp"

namespace taut::cli {
namespace {

using httplib::Request;
using httplib::Response;
using namespace std::chrono_literals;

constexpr auto loopback = "127.0.0.1";
constexpr std::size_t longest_request = 1U << 20U;
/// Each open page keeps one thread waiting for news.
constexpr std::size_t threads = 32;

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
void reply(Response& response, ViewSession::Text text, const char* type) {
  if (!text) {
    response.status = 404;
    return;
  }
  const std::size_t length = text->size();
  response.set_content_provider(length, type,
                                [text = std::move(text)](std::size_t at, std::size_t size, httplib::DataSink& sink) {
                                  return sink.write(text->data() + at, size);
                                });
}

/// The page for one answer: only the script that carries the answer's own word runs.
void reply_with_page(Response& response) {
  const std::string word = random_word(), mark = "@NONCE@";
  std::string page(view_page());
  for (auto at = page.find(mark); at != std::string::npos; at = page.find(mark, at + word.size()))
    page.replace(at, mark.size(), word);
  response.set_header("Content-Security-Policy", "default-src 'none'; script-src 'nonce-" + word +
                                                     "'; style-src 'unsafe-inline'; img-src data: blob:; "
                                                     "connect-src 'self'; base-uri 'none'; form-action 'none'; "
                                                     "frame-ancestors 'none'");
  reply(response, std::make_shared<const std::string>(std::move(page)), "text/html; charset=utf-8");
}

void refuse(Response& response, int status, const std::string& why) {
  response.status = status;
  response.set_content(why + "\n", "text/plain; charset=utf-8");
}

}  // namespace

class ViewServer::Implementation {
 public:
  Implementation(ViewSession& session, int port) : session_(session) {
    server_.new_task_queue = [] { return new httplib::ThreadPool(threads); };
    server_.set_payload_max_length(longest_request);
    server_.set_keep_alive_timeout(1);
    server_.set_tcp_nodelay(true);
    // Without the option that lets others share the port.
    server_.set_socket_options([](socket_t socket) {
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    server_.set_default_headers({{"Cache-Control", "no-store"},
                                 {"Referrer-Policy", "no-referrer"},
                                 {"X-Content-Type-Options", "nosniff"},
                                 {"X-Frame-Options", "DENY"},
                                 {"Cross-Origin-Resource-Policy", "same-origin"},
                                 {"Cross-Origin-Opener-Policy", "same-origin"}});
    bind(port);
    guard();
    answer();
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::yield();
  }

  ~Implementation() {
    session_.stop();
    server_.stop();
    thread_.join();
  }

  std::string address() const { return "http://" + host_ + "/?token=" + token_; }

 private:
  void bind(int port) {
    port = port == 0 ? server_.bind_to_any_port(loopback) : (server_.bind_to_port(loopback, port) ? port : -1);
    if (port < 0)
      throw InputError("cannot listen on that port of " + std::string(loopback),
                       "leave out --port, and a free one is taken");
    host_ = std::string(loopback) + ":" + std::to_string(port);
    hosts_ = {host_, "localhost:" + std::to_string(port)};
  }

  /// A page of another site may make the browser ask us, but it cannot know the token, and its origin shows; a name
  /// that was turned to this machine's address shows in the host.
  std::string refusal(const Request& request) const {
    const std::string host = request.get_header_value("Host");
    if (request.get_header_value_count("Host") != 1 || !hosts_.contains(host))
      return "This is not the host you are looking for.";
    if (request.has_header("Origin") && request.get_header_value("Origin") != "http://" + host)
      return "Other origins are refused.";
    const std::string site = request.get_header_value("Sec-Fetch-Site");
    if (!site.empty() && site != "same-origin" && site != "none") return "Other sites are refused.";
    if (!same(request.get_param_value("token"), token_))
      return "The address lacks its token: open the one that taut view printed.";
    return "";
  }

  void guard() {
    server_.set_pre_routing_handler([this](const Request& request, Response& response) {
      const std::string why = refusal(request);
      if (why.empty()) return httplib::Server::HandlerResponse::Unhandled;
      refuse(response, 403, why);
      return httplib::Server::HandlerResponse::Handled;
    });
    server_.set_exception_handler([](const Request&, Response& response, std::exception_ptr) {
      refuse(response, 500, "This request could not be answered.");
    });
  }

  void answer() {
    server_.Get("/", [](const Request&, Response& response) { reply_with_page(response); });
    server_.Get("/controls", [this](const Request&, Response& response) {
      reply(response, session_.controls(), "application/json");
    });
    server_.Get("/run",
                [this](const Request&, Response& response) { reply(response, session_.run(), "application/json"); });
    server_.Get("/state",
                [this](const Request&, Response& response) { reply(response, session_.state(), "application/json"); });
    server_.Get("/events", [this](const Request&, Response& response) { send_events(response); });
    server_.Post("/settings", [this](const Request& request, Response& response) { change(request, response); });
  }

  /// Each state as it comes, and a sign of life in between, by which a page that was closed is found out.
  void send_events(Response& response) {
    response.set_chunked_content_provider("text/event-stream",
                                          [this, seen = 0L](std::size_t, httplib::DataSink& sink) mutable {
                                            const ViewSession::Text state = session_.next_state(seen, 1s);
                                            const std::string message = state ? "data: " + *state + "\n\n" : ":\n\n";
                                            return !session_.stopped() && sink.write(message.data(), message.size());
                                          });
  }

  void change(const Request& request, Response& response) {
    try {
      const long number = session_.change(read_settings(request.body));
      response.set_content(nlohmann::json{{"settings_number", number}}.dump(), "application/json");
    } catch (const InputError& error) {
      refuse(response, 400, error.what());
    }
  }

  ViewSession& session_;
  const std::string token_ = random_word();
  std::string host_;
  std::set<std::string> hosts_;
  httplib::Server server_;
  std::thread thread_;
};

ViewServer::ViewServer(ViewSession& session, int port)
    : implementation_(std::make_unique<Implementation>(session, port)), address_(implementation_->address()) {}

ViewServer::~ViewServer() = default;

}  // namespace taut::cli
