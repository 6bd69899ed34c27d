#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "model/fmu/archive.hpp"
#include "model/fmu/instance.hpp"

namespace taut::fmu {
namespace {

namespace fs = std::filesystem;

std::string platform_of(int version) {
#if defined(__x86_64__)
  return version == 2 ? "linux64" : "x86_64-linux";
#elif defined(__aarch64__)
  return version == 2 ? "linuxaarch64" : "aarch64-linux";
#else
  return version == 2 ? "linux32" : "x86-linux";
#endif
}

std::string new_folder(const std::string& file) {
  std::error_code error;
  std::string pattern = (fs::temp_directory_path(error) / "taut-unit-XXXXXX").string();
  if (error || !mkdtemp(pattern.data()))
    throw InputError(Place{file}, "there is no folder to unpack it into", "make room in the folder of temporary files");
  return pattern;
}

/// The platforms that an archive has binaries for.
std::vector<std::string> platforms_in(const Archive& archive) {
  std::vector<std::string> list;
  const std::string beginning = "binaries/";
  for (const std::string& name : archive.names()) {
    if (!name.starts_with(beginning)) continue;
    const std::string platform = name.substr(beginning.size(), name.find('/', beginning.size()) - beginning.size());
    if (list.empty() || list.back() != platform) list.push_back(platform);
  }
  return list;
}

}  // namespace

Library::Library(const std::string& file) : file_(file) {
  const Archive archive(file);
  description_ = read_description(archive.read("modelDescription.xml"), file + "/modelDescription.xml", findings_);
  folder_ = new_folder(file);
  resources_ = folder_ + "/resources";
  try {
    archive.extract("binaries/" + platform_of(description_.version) + "/", folder_);
    archive.extract("resources/", folder_);
    fs::create_directories(resources_);
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
    throw;
  }
}

Library::~Library() {
  if (handle_ != nullptr) dlclose(handle_);
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void Library::load(Interface interface) {
  const auto& offered = description_.of(interface);
  if (!offered)
    throw InputError(
        Place{file_}, fmt::format("the unit has no {}", name_of(interface)),
        fmt::format("use it by {}", name_of(interface == Interface::model_exchange ? Interface::co_simulation
                                                                                   : Interface::model_exchange)));
  if (handle_ != nullptr && loaded_ == offered->identifier) return;
  if (handle_ != nullptr) dlclose(handle_);
  handle_ = nullptr;
  const std::string platform = platform_of(description_.version);
  const fs::path binary = fs::path(folder_) / "binaries" / platform / (offered->identifier + ".so");
  if (!fs::exists(binary)) {
    const Archive archive(file_);
    throw InputError(Place{file_}, fmt::format("the unit has no binary for {}", platform),
                     fmt::format("compile its sources, or export it for this platform; it has: {}",
                                 fmt::join(platforms_in(archive), ", ")));
  }
  handle_ = dlopen(binary.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr)
    throw InputError(Place{file_}, fmt::format("its binary cannot be loaded: {}", dlerror()),
                     "install what it needs, or export it anew");
  loaded_ = offered->identifier;
}

void* Library::function(const std::string& name) const {
  return handle_ == nullptr ? nullptr : dlsym(handle_, name.c_str());
}

}  // namespace taut::fmu
