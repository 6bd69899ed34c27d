#pragma once

#include <cstddef>
#include <vector>

#include "expression/native.hpp"
#include "taut/system.hpp"

namespace taut {

/// Whether the programs of a system become machine code: as was wished, or where compiling takes less time than it
/// saves in so many evaluations.
class NativeChoice {
 public:
  NativeChoice() = default;
  NativeChoice(Native wish, double evaluations) : wish_(wish), evaluations_(evaluations) {}

  /// Could there be machine code at all?
  bool is_possible() const;
  /// All programs become machine code, in one library, or stay as they are. An evaluation of the equations runs so many
  /// of the instructions.
  NativeUse make(const std::vector<Program*>& programs, std::size_t instructions, std::size_t per_evaluation) const;
  /// A program that came later becomes machine code, where the others are.
  void make_too(Program& program, NativeDriver& driver, NativeUse& use) const;

 private:
  Native wish_ = Native::off;
  double evaluations_ = 0;
};

}  // namespace taut
