#include "ensemble/lane_library.hpp"

#include <dlfcn.h>

#include <fstream>
#include <stdexcept>

#include "expression/native_cache.hpp"

namespace taut {
namespace {

std::filesystem::path compiled_lanes(const LaneKernel& kernel, const SystemCompiler& compiler) {
  const NativeCache cache(NativeCache::users_folder());
  const std::string identity = compiler.identity + "\n" + kernel.text;
  if (const auto path = cache.find(identity)) return *path;
  const NativeCache::Scratch scratch(cache);
  const std::filesystem::path text = scratch.folder() / "lanes.c", library = scratch.folder() / "lanes.so";
  if (!(std::ofstream(text) << kernel.text).flush()) throw std::runtime_error("cannot write " + text.string());
  compile_library(compiler, text, library, scratch.folder());
  return cache.add(library, identity);
}

}  // namespace

LaneLibrary::LaneLibrary(const LaneKernel& kernel, const SystemCompiler& compiler) {
  const std::filesystem::path path = compiled_lanes(kernel, compiler);
  library_ = {dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL), [](void* library) {
                if (library != nullptr) dlclose(library);
              }};
  if (!library_) throw std::runtime_error("compiled lanes cannot be loaded from " + path.string());
  run_ = reinterpret_cast<decltype(run_)>(dlsym(library_.get(), "lane_run"));
  error_ = reinterpret_cast<decltype(error_)>(dlsym(library_.get(), "lane_error"));
  if (run_ == nullptr || error_ == nullptr) throw std::runtime_error("compiled lanes lack a function");
}

void LaneLibrary::run(const std::vector<double>& in, std::vector<double>& out, long members, double h,
                      long steps) const {
  if (run_(in.data(), out.data(), members, h, steps) != 0) throw std::runtime_error(error_());
}

}  // namespace taut
