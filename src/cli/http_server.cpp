#include "cli/http_server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <list>
#include <thread>

#include "cli/http_connection.hpp"
#include "taut/error.hpp"

namespace taut::cli {
namespace {

using Clock = HttpConnection::Clock;
using namespace std::chrono_literals;

constexpr std::size_t most_connections = 512;
constexpr std::size_t most_streams = 256;
/// In one round: fewer than there are places beside streams, so that nobody is sent away before he was read.
constexpr int most_newcomers = 128;
constexpr int backlog = 1024;
/// Deadlines and signs of life are looked at this often, where nothing else happens.
constexpr auto longest_wait = 250ms;

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  operator int() const { return number_; }

 private:
  int number_;
};

sockaddr_in loopback(int port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

[[noreturn]] void refuse_port() {
  throw InputError("cannot listen on that port of 127.0.0.1", "leave out --port, and a free one is taken");
}

}  // namespace

class HttpServer::Loop {
 public:
  Loop(HttpService& service, int port)
      : service_(service),
        listener_(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)),
        bell_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
    const int yes = 1;
    setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    const sockaddr_in address = loopback(port);
    if (listener_ < 0 || bell_ < 0 ||
        bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        listen(listener_, backlog) != 0)
      refuse_port();
  }

  ~Loop() {
    stopping_ = true;
    ring();
    if (thread_.joinable()) thread_.join();
  }

  int port() const {
    sockaddr_in address = {};
    socklen_t size = sizeof address;
    if (getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0) refuse_port();
    return ntohs(address.sin_port);
  }

  void start() {
    thread_ = std::thread([this] { run(); });
  }

  void ring() const {
    const std::uint64_t one = 1;
    // A bell that is full rings already.
    if (::write(bell_, &one, sizeof one) < 0) return;
  }

 private:
  void run() {
    while (!stopping_) {
      watch();
      poll(watched_.data(), watched_.size(), static_cast<int>(std::chrono::milliseconds(longest_wait).count()));
      serve();
      tell_news();
      give_up();
      if ((watched_[0].revents & POLLIN) != 0) admit();
    }
  }

  void watch() {
    watched_.clear();
    watched_.push_back({listener_, static_cast<short>(crowded_ ? 0 : POLLIN), 0});
    crowded_ = false;
    watched_.push_back({bell_, POLLIN, 0});
    for (const HttpConnection& connection : connections_)
      watched_.push_back({connection.socket(), connection.events(), 0});
  }

  void serve() {
    std::uint64_t rings = 0;
    if ((watched_[1].revents & POLLIN) != 0 && ::read(bell_, &rings, sizeof rings) < 0) return;
    std::size_t k = 2;
    for (HttpConnection& connection : connections_) {
      const short happened = watched_[k++].revents;
      if ((happened & POLLOUT) != 0) connection.write();
      if ((happened & (POLLIN | POLLHUP | POLLERR)) != 0) connection.read();
    }
  }

  void tell_news() {
    const auto now = Clock::now();
    std::size_t streams = 0;
    for (HttpConnection& connection : connections_) {
      if (!connection.is_stream()) continue;
      connection.send_news(now);
      // More pages than anyone looks at: the latest of them go without news.
      if (++streams > most_streams) connection.end();
    }
  }

  void give_up() {
    const auto now = Clock::now();
    connections_.remove_if(
        [&](const HttpConnection& connection) { return connection.is_over() || connection.deadline() < now; });
  }

  void admit() {
    for (int k = 0; k < most_newcomers; ++k) {
      crowded_ = connections_.size() >= most_connections && !make_room();
      if (crowded_) return;
      const int socket = accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
      if (socket >= 0) {
        const int yes = 1;
        setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        connections_.emplace_back(socket, service_);
        continue;
      }
      const bool full = errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
      crowded_ = full && !make_room();
      if (!full || crowded_) return;
    }
  }

  /// Gives up the oldest who has not shown that he may ask. Were there none, newcomers would have to wait.
  bool make_room() {
    const auto at = std::find_if(connections_.begin(), connections_.end(),
                                 [](const HttpConnection& connection) { return !connection.trusted(); });
    if (at == connections_.end()) return false;
    connections_.erase(at);
    return true;
  }

  HttpService& service_;
  const Descriptor listener_, bell_;
  std::list<HttpConnection> connections_;  ///< the oldest first
  std::vector<pollfd> watched_;
  bool crowded_ = false;  ///< nobody can be let in for the moment
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

HttpServer::HttpServer(HttpService& service, int port) : loop_(std::make_unique<Loop>(service, port)) {}

HttpServer::~HttpServer() = default;

int HttpServer::port() const { return loop_->port(); }

void HttpServer::start() { loop_->start(); }

void HttpServer::wake() { loop_->ring(); }

}  // namespace taut::cli
