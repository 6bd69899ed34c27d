#include "expression/native.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <fstream>
#include <mutex>
#include <stdexcept>

#include "expression/emit_c.hpp"
#include "expression/native_cache.hpp"
#include "expression/system_compiler.hpp"

namespace taut {
namespace {

namespace fs = std::filesystem;

std::string program_name(std::size_t k) { return fmt::format("taut_program_{}", k); }

/// A driver runs levels of the first program.
std::string source_of(std::span<Program* const> programs, const NativeDriver* driver) {
  std::string source = c_prelude();
  CStyle style;
  style.inlined = driver != nullptr;
  for (std::size_t k = 0; k < programs.size(); ++k) source += emit_c(*programs[k], program_name(k), style);
  if (!driver) return source;
  source += "TAUT_INLINE void taut_run(int level, double *registers) {\n";
  for (int level = 0; level < programs[0]->levels(); ++level)
    if (!programs[0]->code(level).empty())
      source += fmt::format("  if (level == {}) {}(registers);\n", level, c_function(program_name(0), level));
  source += "}\n#define TAUT_RUN(call, level, registers) taut_run(level, registers)\n";
  return source + driver->text;
}

/// Throws std::runtime_error.
std::shared_ptr<void> load(const fs::path& path) {
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char* reason = dlerror();
    throw std::runtime_error(fmt::format("compiled code cannot be loaded: {}", reason ? reason : path.string()));
  }
  return {handle, [](void* library) { dlclose(library); }};
}

void* function_of(void* library, const std::string& name) {
  void* function = dlsym(library, name.c_str());
  if (!function) throw std::runtime_error("compiled code lacks the function " + name);
  return function;
}

/// The functions of one program. Throws std::runtime_error if one is missing.
std::vector<Program::Native> functions(void* library, const Program& program, const std::string& name) {
  std::vector<Program::Native> all;
  for (int level = 0; level < program.levels(); ++level) {
    void* function = nullptr;
    if (!program.code(level).empty()) function = function_of(library, c_function(name, level));
    all.push_back(reinterpret_cast<Program::Native>(function));
  }
  return all;
}

/// Loads a library and hands its functions out: to all programs or, if it throws, to none.
void serve(const fs::path& path, std::span<Program* const> programs, NativeDriver* driver) {
  const std::shared_ptr<void> library = load(path);
  std::vector<std::vector<Program::Native>> all;
  for (std::size_t k = 0; k < programs.size(); ++k)
    all.push_back(functions(library.get(), *programs[k], program_name(k)));
  if (driver) driver->function = reinterpret_cast<int (*)(const void*)>(function_of(library.get(), "taut_drive"));
  for (std::size_t k = 0; k < programs.size(); ++k) programs[k]->use_native(std::move(all[k]), library);
}

fs::path compile(const NativeCache& cache, const SystemCompiler& compiler, const std::string& source,
                 const std::string& identity) {
  const NativeCache::Scratch scratch(cache);
  const fs::path text = scratch.folder() / "programs.c";
  if (!(std::ofstream(text) << source).flush()) throw std::runtime_error("cannot write " + text.string());
  const fs::path library = scratch.folder() / "programs.so";
  compile_library(compiler, text, library, scratch.folder());
  return cache.add(library, identity);
}

/// Throws std::runtime_error with the reason why there is no native code.
std::string find_or_compile(std::span<Program* const> programs, NativeDriver* driver, Compiling compiling) {
  const NativeCache cache(NativeCache::users_folder());
  const SystemCompiler compiler = find_system_compiler(driver ? Optimising::fully : Optimising::quickly);
  const std::string source = source_of(programs, driver);
  const std::string identity = compiler.identity + "\n" + source;
  if (const auto path = cache.find(identity)) {
    serve(*path, programs, driver);
    return "found in the cache";
  }
  if (compiling == Compiling::not_worth_it) throw std::runtime_error("compiling would take longer than it saves");
  serve(compile(cache, compiler, source, identity), programs, driver);
  return "compiled by " + compiler.command.front();
}

NativeReport make(std::span<Program* const> programs, NativeDriver* driver, Compiling compiling) {
  std::size_t instructions = 0;
  for (const Program* program : programs) instructions += program->instructions();
  if (instructions == 0) return {false, "there is nothing to compute"};
  if (instructions > most_native_instructions)
    return {false, fmt::format("{} instructions are too many to compile", instructions)};
  // Threads that set up the same model compile it once.
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  try {
    return {true, find_or_compile(programs, driver, compiling)};
  } catch (const std::exception& error) {
    return {false, error.what()};
  }
}

}  // namespace

NativeReport make_native(std::span<Program* const> programs, Compiling compiling) {
  return make(programs, nullptr, compiling);
}

NativeReport make_native(Program& program, NativeDriver& driver, Compiling compiling) {
  Program* const programs[] = {&program};
  return make(programs, &driver, compiling);
}

}  // namespace taut
