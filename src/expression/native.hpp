#pragma once

#include <span>
#include <string>

#include "expression/program.hpp"

/// Programs as machine code: emitted as C, compiled by the system's compiler, loaded, and kept in a cache by content.
/// Native code computes bit for bit what the interpreter computes. Whatever stands in the way - no compiler, a full
/// disk, a cache that others can write to - the interpreter serves, and the reason is told.
namespace taut {

struct NativeReport {
  bool used = false;
  std::string reason;  ///< where the code came from, or why there is none
};

/// More instructions than this, over all programs, are not compiled: compiling takes 50 to 300 µs each.
inline constexpr std::size_t most_native_instructions = 100'000;

enum class Compiling { allowed, not_worth_it };

/// A function that runs levels of one program in an order of its own, so that the compiler sees both.
struct NativeDriver {
  std::string
      text;  ///< C that defines `int taut_drive(const void *)` and runs a level by TAUT_RUN(_, level, registers)
  int (*function)(const void*) = nullptr;  ///< what became of it; the program keeps it loaded
};

/// Makes all these programs native, in one library, or none of them. Where compiling is not allowed, a library from the
/// cache is used, which costs next to nothing.
NativeReport make_native(std::span<Program* const> programs, Compiling compiling);

/// As make_native, of one program and what drives it.
NativeReport make_native(Program& program, NativeDriver& driver, Compiling compiling);

}  // namespace taut
