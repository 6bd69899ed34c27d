#pragma once

#include <cmath>
#include <string>
#include <string_view>

#include "expression/program.hpp"

namespace taut {

/// Where the library runs the levels of a stage: the program, and the workspaces to which the registers belong.
struct StageProgram {
  const Program* program;
  Program::Workspace *normals, *here;
};

inline void run_level(const void* stage, int level, const double* registers) {
  const auto* s = static_cast<const StageProgram*>(stage);
  s->program->run(level, registers == s->here->input(0) ? *s->here : *s->normals);
}

}  // namespace taut

// Outside the namespace, as in C.
#define TAUT_INLINE inline
#define TAUT_RUN(call, level, registers) taut::run_level((call)->program, level, registers)
#define taut_abs std::abs
#define taut_sqrt std::sqrt
#include "system/stage.h"
#undef TAUT_INLINE
#undef TAUT_RUN
#undef taut_abs
#undef taut_sqrt

namespace taut {

/// The text of that file, for emitted C.
std::string_view stage_text();

/// C in which the sizes and places of a plan are constants: what NativeDriver asks for.
std::string stage_driver(const taut_stage_plan& plan);

}  // namespace taut
