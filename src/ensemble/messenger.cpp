#include "ensemble/messenger.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <vector>

#ifndef TAUT_LIBRARIES
#define TAUT_LIBRARIES ""
#endif

namespace taut {
namespace {

namespace fs = std::filesystem;

/// Beside the program, where it was installed, and where it was built.
std::vector<fs::path> candidates() {
  std::error_code none;
  const fs::path folder = fs::read_symlink("/proc/self/exe", none).parent_path();
  return {folder / "libtaut_mpi.so", folder.parent_path() / TAUT_LIBRARIES / "taut" / "libtaut_mpi.so"};
}

/// What MPI loads itself has to find its symbols.
void* open_library() {
  std::string why = "the program was built without MPI";
  for (const fs::path& file : candidates()) {
    std::error_code none;
    if (!fs::exists(file, none)) continue;
    if (void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL)) return handle;
    why = dlerror();
  }
  throw std::runtime_error("started as one of several processes, but " + why +
                           "; install Open MPI (libopenmpi-dev), build anew, or start without mpirun");
}

int number(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? 0 : std::atoi(text);
}

}  // namespace

struct Messenger::Functions {
  int (*start)(int*, int*);
  int (*send)(int, const char*, long);
  long (*wait)(double, int*);
  int (*receive)(int, char*, long);
  void (*end)();
  void (*abort)();
};

bool Messenger::is_launched() {
  return number("OMPI_COMM_WORLD_SIZE") > 1 || number("PMI_SIZE") > 1 || number("MPI_LOCALNRANKS") > 1;
}

Messenger::Messenger() {
  static Functions functions;
  void* library = open_library();
  const auto find = [library](const char* name, auto& function) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    if (function == nullptr) throw std::runtime_error(dlerror());
  };
  find("taut_mpi_start", functions.start);
  find("taut_mpi_send", functions.send);
  find("taut_mpi_wait", functions.wait);
  find("taut_mpi_receive", functions.receive);
  find("taut_mpi_end", functions.end);
  find("taut_mpi_abort", functions.abort);
  functions_ = &functions;
  if (functions.start(&rank_, &size_) != 0) throw std::runtime_error("MPI cannot start");
}

Messenger::~Messenger() { gives_up_ ? functions_->abort() : functions_->end(); }

void Messenger::send(int to, const std::string& bytes) const {
  if (functions_->send(to, bytes.data(), static_cast<long>(bytes.size())) != 0)
    throw std::runtime_error(fmt::format("rank {} cannot be reached", to));
}

std::optional<Messenger::Message> Messenger::receive(std::chrono::duration<double> patience) const {
  Message message{0, {}};
  const long size = functions_->wait(patience.count(), &message.from);
  if (size < 0) return std::nullopt;
  message.bytes.resize(static_cast<std::size_t>(size));
  if (functions_->receive(message.from, message.bytes.data(), size) != 0)
    throw std::runtime_error(fmt::format("a message of rank {} was lost", message.from));
  return message;
}

}  // namespace taut
