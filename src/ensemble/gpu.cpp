#include "ensemble/gpu.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <memory>

#include "taut/error.hpp"

namespace taut {
namespace {

/// Attributes of a device, as numbered in CUDA's driver interface.
constexpr int compute_capability_major = 75, compute_capability_minor = 76;

[[noreturn]] void no_gpu(const std::string& why) {
  throw InputError("--device gpu: " + why, "run it on a machine with an NVIDIA GPU, or leave out --device");
}

/// The driver's functions return 0 where all is well.
class Driver {
 public:
  Driver() : library_(dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL), close) {
    if (!library_) no_gpu("there is no driver of NVIDIA's on this machine (libcuda.so.1)");
  }

  template <class... Arguments>
  void call(const char* function, Arguments... arguments) const {
    const auto address = reinterpret_cast<int (*)(Arguments...)>(dlsym(library_.get(), function));
    if (address == nullptr) no_gpu(fmt::format("the driver has no function {}", function));
    if (const int error = address(arguments...); error != 0)
      no_gpu(fmt::format("the driver finds no GPU that can be used ({} says {})", function, error));
  }

 private:
  static void close(void* library) {
    if (library != nullptr) dlclose(library);
  }
  std::unique_ptr<void, void (*)(void*)> library_;
};

}  // namespace

Gpu find_gpu() {
  const Driver driver;
  int count = 0, device = 0, major = 0, minor = 0;
  char name[256] = {};
  driver.call("cuInit", 0u);
  driver.call("cuDeviceGetCount", &count);
  if (count == 0) no_gpu("the driver finds no GPU");
  driver.call("cuDeviceGet", &device, 0);
  driver.call("cuDeviceGetName", &name[0], static_cast<int>(sizeof name), device);
  driver.call("cuDeviceGetAttribute", &major, compute_capability_major, device);
  driver.call("cuDeviceGetAttribute", &minor, compute_capability_minor, device);
  return {name, fmt::format("sm_{}{}", major, minor)};
}

}  // namespace taut
