#pragma once

#include <memory>
#include <string>

#include "cli/view_session.hpp"

namespace taut::cli {

/// Serves one session to browsers on this machine, and nothing else: the page, the state, the controls, the run. There
/// is no way from an address to a file. Every request must know the token, name this machine as its host, and come
/// from no other origin.
class ViewServer {
 public:
  /// Listens on the loopback address; port 0 takes any that is free. Throws InputError if it cannot.
  ViewServer(ViewSession& session, int port);
  ~ViewServer();
  ViewServer(const ViewServer&) = delete;
  ViewServer& operator=(const ViewServer&) = delete;

  /// What to open in a browser.
  const std::string& address() const { return address_; }

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
  std::string address_;
};

}  // namespace taut::cli
