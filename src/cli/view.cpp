#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <thread>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/doorway.hpp"
#include "cli/signals.hpp"
#include "cli/terminal.hpp"
#include "cli/view_server.hpp"
#include "output/view_page.hpp"
#include "taut/error.hpp"

namespace taut::cli {
namespace {

using namespace std::chrono_literals;
constexpr auto interval = 100ms;

struct Request {
  std::string model;
  OptionValues settings;
  std::vector<std::string> set;
  int port = 0;
  bool open = false;
};

/// The file of a model that may be broken: it is read, and its errors are shown, later.
std::string file_of(const std::string& name) {
  std::error_code none;
  if (std::filesystem::is_regular_file(name, none)) return name;
  for (const GalleryModel& model : gallery())
    if (model.name == name) return model.path;
  return load_model(name).file;
}

/// Asks the desktop for its browser. The program is called by itself, without a shell.
void open_browser(std::string file) {
  std::string program = "xdg-open";
  char* words[] = {program.data(), file.data(), nullptr};
  pid_t process = 0;
  if (posix_spawnp(&process, "xdg-open", nullptr, nullptr, words, environ) != 0)
    complain("there is no xdg-open to open a browser with; open the address above by hand");
  else
    std::thread([process] { waitpid(process, nullptr, 0); }).detach();
}

Status view(const Request& request) {
  if (view_page().empty())
    throw InputError("this build of taut has no page to show", "build it anew with -DTAUT_REPORT=ON");
  const ViewRequest wanted{request.model, request.settings, assignments(request.set)};
  Options checked;
  apply_options(request.settings, checked, "--");
  const std::string file = file_of(request.model);
  watch_interrupts();
  ViewSession session(wanted, file);
  const ViewServer server(session, request.port);
  print(server.address() + "\n");
  if (errors_go_to_terminal()) complain("open the address above in a browser; Ctrl-C ends");
  std::optional<Doorway> doorway;
  if (request.open) open_browser(doorway.emplace(server.address()).file());
  while (!interrupted()) {
    std::this_thread::sleep_for(interval);
    session.look_at_files();
  }
  return Status::done;
}

}  // namespace

Command add_view(CommandLine& program) {
  Parser parser = program.add_command("view", "a live page on this machine that simulates while one looks");
  const auto request = std::make_shared<Request>();
  add_model(parser, request->model);
  for (const OptionEntry& entry : option_list()) add_setting(parser, entry, request->settings);
  add_set(parser, request->set);
  parser.add_option("--port", request->port, "the port to listen on; by default any that is free")
      .within(0, 65535)
      .type_name("N");
  parser.add_flag("--open", request->open, "open the page in the desktop's browser");
  parser.footer(
      "Example:\n"
      "  taut view pendulum --open\n\n"
      "Prints an address of this machine with a token in it; only who knows the token is served. Parameters and\n"
      "initial values have sliders, and the file is read again whenever it is saved. Ctrl-C ends.");
  return {parser, [request] { return view(*request); }};
}

}  // namespace taut::cli
