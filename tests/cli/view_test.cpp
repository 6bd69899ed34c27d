#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <memory>
#include <thread>

#include "program.hpp"

// `taut view` and those who wish it ill. All of them sit on this machine's loopback address, are counted, and end with
// the test.
namespace taut::test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// The program, serving; its address is what it printed.
class View {
 public:
  explicit View(const std::string& text = pendulum_text)
      : program_({"view", folder_.write("model.yaml", text)}, folder_ / "out", folder_ / "err") {
    const auto patience = Clock::now() + 20s;
    while (address().find('\n') == std::string::npos && Clock::now() < patience) std::this_thread::sleep_for(10ms);
  }
  ~View() {
    program_.signal(SIGKILL);
    program_.wait();
  }

  std::string address() const { return content(folder_ / "out"); }
  bool has_no_page() const { return content(folder_ / "err").find("no page") != std::string::npos; }
  int port() const { return std::stoi(address().substr(address().rfind(':') + 1)); }
  std::string host() const { return "127.0.0.1:" + std::to_string(port()); }
  std::string token() const { return address().substr(address().find("token=") + 6, 32); }
  /// A whole head of a request that is let in, with further headers.
  std::string head(const std::string& method, const std::string& path, const std::string& more = "") const {
    return method + " " + path + "?token=" + token() + " HTTP/1.1\r\nHost: " + host() + "\r\n" + more + "\r\n";
  }
  /// The most memory it ever had, in MB.
  double peak_memory() const {
    const std::string status = content("/proc/" + std::to_string(program_.id()) + "/status");
    return std::stod(status.substr(status.find("VmHWM:") + 6)) / 1024;
  }

 private:
  Folder folder_;
  Program program_;
};

class Socket {
 public:
  explicit Socket(int port) : number_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = connect(number_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  ~Socket() { close(number_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  bool connected() const { return connected_; }
  /// Everything, or false: the other end has closed, or takes nothing for a second.
  bool send(std::string_view text) const {
    while (!text.empty()) {
      pollfd ready{number_, POLLOUT, 0};
      if (poll(&ready, 1, 1000) != 1) return false;
      const ssize_t size = ::send(number_, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (size <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(size));
    }
    return true;
  }
  /// What comes until the other end closes, until `enough` stands there, or time is up.
  std::string receive(Clock::duration patience = 10s, const std::string& enough = "") const {
    std::string text;
    const auto end = Clock::now() + patience;
    while (Clock::now() < end && (enough.empty() || text.find(enough) == std::string::npos)) {
      pollfd ready{number_, POLLIN, 0};
      if (poll(&ready, 1, 50) != 1) continue;
      char bytes[65536];
      const ssize_t size = recv(number_, bytes, sizeof bytes, 0);
      if (size <= 0) break;
      text.append(bytes, static_cast<std::size_t>(size));
    }
    return text;
  }

 private:
  int number_;
  bool connected_;
};

std::string ask(const View& view, const std::string& request) {
  const Socket socket(view.port());
  socket.send(request);
  return socket.receive();
}

int status_of(const std::string& answer) {
  return answer.starts_with("HTTP/1.1 ") ? std::stoi(answer.substr(9, 3)) : 0;
}

int status(const View& view, const std::string& request) { return status_of(ask(view, request)); }

bool page_comes(const View& view) {
  const std::string page = ask(view, view.head("GET", "/"));
  return status_of(page) == 200 && page.find("</html>") != std::string::npos;
}

std::vector<std::unique_ptr<Socket>> sockets(const View& view, int count, const std::string& first_words) {
  std::vector<std::unique_ptr<Socket>> all;
  for (int k = 0; k < count; ++k) {
    all.push_back(std::make_unique<Socket>(view.port()));
    all.back()->send(first_words);
  }
  return all;
}

class ViewUnderAttack : public testing::Test {
 protected:
  void SetUp() override {
    if (view.has_no_page()) GTEST_SKIP() << "this build has no page";
    rlimit files = {};
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = std::min<rlim_t>(files.rlim_max, 4096);
    setrlimit(RLIMIT_NOFILE, &files);
    if (files.rlim_cur < 2000) GTEST_SKIP() << "this machine does not allow so many sockets";
  }
  void TearDown() override {
    if (IsSkipped()) return;
    EXPECT_TRUE(page_comes(view)) << "afterwards";
    EXPECT_LT(view.peak_memory(), 200);
  }
  View view;
};

TEST_F(ViewUnderAttack, AThousandSlowSocketsDoNotKeepThePageAway) {
  const auto slow = sockets(view, 1000, "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ");
  for (int round = 0; round < 3; ++round) {
    for (const auto& socket : slow) socket->send("a");
    const auto begin = Clock::now();
    EXPECT_TRUE(page_comes(view));
    RecordProperty("milliseconds", static_cast<int>((Clock::now() - begin) / 1ms));
  }
}

TEST_F(ViewUnderAttack, AHeadThatDoesNotEndIsCutOff) {
  const Socket endless(view.port());
  std::size_t sent = 0;
  const std::string line = "X-More: " + std::string(1000, 'x') + "\r\n";
  endless.send("GET / HTTP/1.1\r\n");
  // What is thrown away after the refusal is bounded, too.
  while (sent < (64U << 20U) && endless.send(line)) sent += line.size();
  EXPECT_LT(sent, 64U << 20U);
  EXPECT_EQ(status(view, "GET /" + std::string(20000, 'x') + " HTTP/1.1\r\n\r\n"), 431);
  std::string many = "GET / HTTP/1.1\r\n";
  for (int k = 0; k < 100; ++k) many += "X: y\r\n";
  EXPECT_EQ(status(view, many + "\r\n"), 431);
}

TEST_F(ViewUnderAttack, AHeadHasSecondsInAll) {
  const Socket slow(view.port());
  const auto begin = Clock::now();
  while (Clock::now() - begin < 15s && slow.send("G")) std::this_thread::sleep_for(200ms);
  EXPECT_LT(Clock::now() - begin, 15s) << "however often another byte comes";
}

TEST_F(ViewUnderAttack, AHundredStreamsLeaveRoomForThePage) {
  const auto streams = sockets(view, 100, view.head("GET", "/events"));
  for (const auto& stream : streams) EXPECT_NE(stream->receive(10s, "data: ").find("data: {"), std::string::npos);
  EXPECT_TRUE(page_comes(view));
  const std::string settings = R"({"options": {}, "set": {"l": 1.5}})";
  const std::string length = "Content-Length: " + std::to_string(settings.size()) + "\r\n";
  EXPECT_EQ(status(view, view.head("POST", "/settings", length) + settings), 200);
  for (const auto& stream : streams)
    EXPECT_NE(stream->receive(10s, "\"settings_number\":2").find("\"settings_number\":2"), std::string::npos);
}

TEST_F(ViewUnderAttack, BodiesInChunksCompressedOrTooLongAreNotRead) {
  const Socket chunked(view.port());
  chunked.send(view.head("POST", "/settings", "Transfer-Encoding: chunked\r\n"));
  std::size_t sent = 0;
  const std::string chunk = "10000\r\n" + std::string(65536, 'x') + "\r\n";
  while (sent < (256U << 20U) && chunked.send(chunk)) sent += chunk.size();
  EXPECT_LT(sent, 256U << 20U);
  EXPECT_EQ(status(view, view.head("POST", "/settings", "Transfer-Encoding: chunked\r\n")), 411);
  EXPECT_EQ(status(view, view.head("POST", "/settings", "Content-Encoding: gzip\r\nContent-Length: 20\r\n")), 415);
  EXPECT_EQ(status(view, view.head("POST", "/settings", "Content-Length: 99999999999999999999999\r\n")), 413);
  EXPECT_EQ(status(view, view.head("POST", "/settings", "Content-Length: 1000000\r\n")), 413);
  EXPECT_EQ(status(view, view.head("POST", "/settings", "Content-Length: 2\r\nContent-Length: 3\r\n")), 400);
  EXPECT_EQ(status(view, view.head("POST", "/settings", "Content-Length: -1\r\n")), 400);
}

TEST_F(ViewUnderAttack, AllOfItAtOnce) {
  std::atomic<bool> over = false;
  const auto slow = sockets(view, 1000, "GET / HTTP/1.1\r\nX-Slow: ");
  const auto streams = sockets(view, 100, view.head("GET", "/events"));
  std::thread flood([&] {
    const std::string junk(65536, 'x');
    const std::string chunked = view.head("POST", "/settings", "Transfer-Encoding: chunked\r\n");
    for (int k = 0; k < 2000 && !over; ++k) {
      const Socket socket(view.port());
      socket.send(k % 2 == 0 ? "GET / HTTP/1.1\r\nX: " : chunked);
      for (int n = 0; n < 50 && !over && socket.send(junk); ++n) continue;
    }
  });
  for (int k = 0; k < 5; ++k) {
    const auto begin = Clock::now();
    EXPECT_TRUE(page_comes(view));
    RecordProperty("milliseconds", static_cast<int>((Clock::now() - begin) / 1ms));
  }
  over = true;
  flood.join();
}

TEST_F(ViewUnderAttack, WhatIsNoRequestIsRefused) {
  for (const char* wrong : {"\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/2.0\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n",
                            "GET / HTTP/1.1\r\n folded: x\r\n\r\n", "GET http://x/ HTTP/1.1\r\n\r\n",
                            "GET / HTTP/1.1\r\nA: \x01\r\n\r\n", "G\x80T / HTTP/1.1\r\n\r\n"})
    EXPECT_EQ(status(view, wrong), 400) << wrong;
  EXPECT_EQ(status(view, view.head("DELETE", "/run")), 405);
  EXPECT_EQ(status(view, view.head("GET", "/nothing")), 404);
  const std::string head_alone = ask(view, view.head("HEAD", "/"));
  EXPECT_EQ(status_of(head_alone), 200);
  EXPECT_TRUE(head_alone.ends_with("\r\n\r\n"));
}

TEST_F(ViewUnderAttack, ThePageOpensFromAFileButNothingElseDoes) {
  const std::string from_elsewhere =
      "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n";
  EXPECT_EQ(status(view, view.head("GET", "/", from_elsewhere)), 200);
  EXPECT_EQ(status(view, view.head("GET", "/run", from_elsewhere)), 403);
  EXPECT_EQ(status(view, view.head("GET", "/", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: cors\r\n")), 403);
}

/// A stand-in for the desktop's xdg-open notes what it was called with.
TEST(ViewOpen, ShowsTheTokenToNobodyWhoListsProcesses) {
  const Folder folder;
  const std::string opener =
      folder.write("xdg-open", "#!/bin/sh\n{ echo \"$@\"; stat -c %a \"$1\"; cat \"$1\"; } > " + (folder / "draft") +
                                   "; mv " + (folder / "draft") + " " + (folder / "seen") + "\n");
  std::filesystem::permissions(opener, std::filesystem::perms::owner_all);
  const std::string path = std::getenv("PATH");
  setenv("PATH", (folder / "" + ":" + path).c_str(), 1);
  Program program({"view", folder.write("model.yaml", pendulum_text), "--open"}, folder / "out", folder / "err");
  setenv("PATH", path.c_str(), 1);
  const auto patience = Clock::now() + 20s;
  while (!std::filesystem::exists(folder / "seen") && Clock::now() < patience && content(folder / "err").empty())
    std::this_thread::sleep_for(10ms);
  program.signal(SIGINT);
  program.wait();
  if (content(folder / "err").find("no page") != std::string::npos) GTEST_SKIP() << "this build has no page";
  std::istringstream seen(content(folder / "seen"));
  std::string file, mode, page, address = content(folder / "out");
  std::getline(seen, file);
  std::getline(seen, mode);
  std::getline(seen, page);
  address.pop_back();
  EXPECT_EQ(file.find("token"), std::string::npos);
  EXPECT_EQ(mode, "600");
  EXPECT_NE(page.find(address), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(file)) << "the file goes with the program";
}

}  // namespace
}  // namespace taut::test
