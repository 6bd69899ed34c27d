#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <span>

#include "exporting/c_code.hpp"
#include "exporting/c_names.hpp"
#include "exporting/c_texts.hpp"
#include "expression/emit_c.hpp"
#include "linear/rank_revealing.hpp"
#include "system/branches.hpp"
#include "system/levels.hpp"
#include "system/stage.hpp"

namespace taut {
namespace {

/// On a GPU a program stands twice: compiled into whoever is regular, and apart for all others.
constexpr const char* device_macros = R"(#undef TAUT_INLINED
#ifdef __CUDACC__
#define TAUT_DEVICE __device__
#define TAUT_TABLE static __constant__ const
#define TAUT_RUNS static __device__ __noinline__
#define TAUT_INLINED __forceinline__
#define TAUT_UNROLL _Pragma("unroll")
#define TAUT_NO_UNROLL _Pragma("unroll 1")
#define TAUT_CALLS_APART ((const void *)1)
#define TAUT_RUN(call, level, registers) \
  ((call)->program ? taut_run_solver(level, registers) : taut_inlined_solver(level, registers))
#else
#define TAUT_DEVICE
#ifdef __GNUC__
#define TAUT_TABLE __attribute__((unused)) static const
#else
#define TAUT_TABLE static const
#endif
#define TAUT_RUNS TAUT_INLINE
#define TAUT_INLINED
#define TAUT_CALLS_APART 0
#define TAUT_RUN(call, level, registers) ((void)(call), taut_run_solver(level, registers))
#define taut_inlined_solver taut_run_solver
#define taut_inlined_energy taut_run_energy
#define taut_inlined_rates taut_run_rates
#define taut_inlined_retraction taut_run_retraction
#endif

)";

/// What is general is not compiled into its callers on a GPU: it is long, and rarely called.
constexpr const char* general_part = R"(#ifdef __CUDACC__
#undef TAUT_INLINE
#define TAUT_INLINE static __device__ __noinline__
#endif

)";
constexpr const char* regular_part = R"(#ifdef __CUDACC__
#undef TAUT_INLINE
#define TAUT_INLINE static __device__ __forceinline__
#endif

)";

std::string hex(double value) { return fmt::format("{:a}", value); }

/// C has no empty arrays.
template <class List>
std::string table(const std::string& type, const std::string& name, const List& values) {
  return fmt::format("TAUT_TABLE {} {}[] = {{{}}};\n", type, name,
                     std::empty(values) ? "0" : fmt::format("{}", fmt::join(values, ", ")));
}

std::string table_of_places(const std::string& name, const Pattern& pattern) {
  std::vector<int> flat;
  for (const auto& [row, column] : pattern.entries) {
    flat.push_back(row);
    flat.push_back(column);
  }
  return table("int", name, flat);
}

// ---- programs -------------------------------------------------------------------------------------

/// A function that runs a level by its number; `quick` is handed on.
std::string runner(const std::string& head, const std::string& levels, const Program& program,
                   const std::string& quick) {
  std::string text = fmt::format("{}(int level, double *r) {{\n  (void)level;\n  (void)r;\n", head);
  for (int level = 0; level < program.levels(); ++level)
    if (!program.code(level).empty())
      text += fmt::format("  if (level == {}) {}(r{});\n", level, c_function(levels, level), quick);
  return text + "}\n\n";
}

/// In lanes, levels of this many operations stay one function, whose numbers a compiler keeps in registers.
constexpr std::size_t longest_in_registers = 4'000;

/// Is a program compiled into the loop over steps of a member in a lane?
bool is_regular(const std::string& program) {
  return program == "solver" || program == "energy" || program == "rates" || program == "retraction";
}

std::string functions_of(const ExportedModel& model, const std::string& name, const Program& program) {
  const std::string levels = "taut_levels_of_" + name;
  CStyle style;
  style.qualifier = "static TAUT_DEVICE";
  style.inlined = style.quick = model.purpose.lanes && is_regular(name);
  if (style.inlined) style.longest_function = longest_in_registers;
  std::string text = emit_c(program, levels, style);
  text += runner("TAUT_RUNS void taut_run_" + name, levels, program, style.quick ? ", 0" : "");
  if (is_regular(name))
    text += "#ifdef __CUDACC__\n" +
            runner("TAUT_INLINE void taut_inlined_" + name, levels, program, style.quick ? ", 1" : "") + "#endif\n\n";
  return text;
}

std::string all_functions(const ExportedModel& model) {
  std::string text;
  for (const ExportedProgram& each : model.programs) {
    text += functions_of(model, each.name, each.program);
    text += table("int", "taut_outputs_of_" + each.name, each.program.output_slots());
  }
  return text + functions_of(model, "solver", model.solver ? model.solver->program : Program());
}

/// What corrections of a position read that they are neither handed nor compute themselves.
std::set<int> slots_of_normals(const SolverProgram& solver) {
  const Program& program = solver.program;
  const int constants = program.inputs() + static_cast<int>(program.constants().size());
  std::set<int> own, slots;
  for (int k = 0; k < solver.plan.position_rows; ++k) own.insert(solver.plan.position_residual + k);
  for (int k = 0; k <= solver.plan.coordinates; ++k) own.insert(solver.plan.trial_position + k);
  for (const int level : {Level::trial_position, Level::position_correction}) {
    if (level >= program.levels()) continue;
    for (const Instruction& step : program.code(level)) own.insert(step.target);
    for (const Instruction& step : program.code(level))
      for (const int slot : {step.a, step.b})
        if (!own.contains(slot) && (slot < program.inputs() || slot >= constants)) slots.insert(slot);
  }
  return slots;
}

std::string copy_normals(const ExportedModel& model) {
  std::string text =
      "/* What moves positions along normals. */\n"
      "TAUT_INLINE void taut_copy_normals(const double *from, double *to) {\n  (void)from;\n  (void)to;\n";
  if (model.solver)
    for (const int slot : slots_of_normals(*model.solver)) text += fmt::format("  to[{0}] = from[{0}];\n", slot);
  return text + "}\n\n";
}

// ---- sizes ----------------------------------------------------------------------------------------

std::string sizes(const ExportedModel& model) {
  const Shape& s = model.shape;
  const Equations& eq = model.equations;
  const int size = s.n_q() + s.n_v() + (s.does_work ? 1 : 0);
  std::string text = fmt::format(
      "enum {{\n  taut_coordinates = {},\n  taut_speeds = {},\n  taut_all_rows = {},\n  taut_position_rows = {},\n"
      "  taut_moving = {},\n  taut_entries = {},\n  taut_entries_room = {},\n  taut_works = {},\n",
      s.n_q(), s.n_v(), s.rows(), s.position_rows, s.n_q() + s.n_v(), size, size + 1, s.does_work ? 1 : 0);
  text += fmt::format(
      "  taut_plain_rates = {},\n  taut_retracted = {},\n  taut_rows_of_speeds = {},\n  taut_first = {},\n"
      "  taut_M_entries = {},\n  taut_H_entries = {},\n  taut_N_entries = {},\n  taut_dynamics_outputs = {},\n",
      int{s.plain_rates}, eq.retracted.size(), int{s.jacobian_of_speeds}, model.parameters.size() + eq.branches.size(),
      eq.M.entries.size(), eq.H.entries.size(), s.plain_rates ? 0 : eq.N.entries.size(),
      model.program("dynamics").outputs());
  text += fmt::format(
      "  taut_output_count = {},\n  taut_outputs_need_accelerations = {},\n  taut_has_energy = {},\n"
      "  taut_projects = {},\n  taut_serves_near_singular = {},\n",
      s.outputs.size(), int{s.outputs_need_accelerations}, int{eq.energy.has_value()}, int{model.projects},
      int{!model.projects && !s.retracts});
  text += fmt::format("  taut_event_count = {},\n  taut_events_need_accelerations = {},\n", model.events(),
                      int{needs_accelerations(model.program("events"))});
  text += sizes_of_controllers(model) + sizes_of_variation(model);
  const SolverProgram* solver = model.solver.get();
  text += fmt::format(
      "  taut_has_formulas = {},\n  taut_formula_rank = {},\n  taut_squared = {},\n  taut_stresses = {},\n"
      "  taut_stress_row_count = {},\n  taut_always_refines = {},\n",
      solver ? 1 : 0, model.rank, solver ? solver->plan.squared : 0, solver ? solver->plan.stresses : 0,
      solver ? solver->stress_rows.size() : 0, int{model.always_refines});
  const auto registers = [](const Program& program) { return std::max(1, program.registers()); };
  text += fmt::format(
      "  taut_solver_registers = {},\n  taut_energy_registers = {},\n  taut_rates_registers = {},\n"
      "  taut_retraction_registers = {},\n",
      solver ? registers(solver->program) : 1, registers(model.program("energy")), registers(model.program("rates")),
      registers(model.program("retraction")));
  return text + fmt::format(
                    "  taut_euler = 0,\n  taut_rk4,\n  taut_ab3,\n  taut_integrator = taut_{},\n"
                    "  taut_time_is_coarse = taut_is_coarse\n}};\n",
                    model.options.integrator.name);
}

std::string numbers(const ExportedModel& model) {
  return fmt::format(
      "#define taut_tolerance ({} * taut_coarse)\n#define taut_rank_tolerance {}\n#define taut_least_size {}\n",
      hex(model.tolerance), hex(model.rank_tolerance), hex(model.shape.least_size));
}

std::string precision(const CodeChoice& choice) {
  if (choice.precision == Precision::in_double)
    return "#define taut_coarse 1\n#define taut_is_coarse 0\n#define taut_round round\n#define taut_epsilon 0x1p-52\n";
  return "#define taut_coarse 0x1p29\n#define taut_is_coarse 1\n#define taut_round roundf\n#define taut_epsilon "
         "0x1p-23\n"
         "#define taut_no_mass 1e-6f\n#define taut_no_pivot 1e-6f\n";
}

std::string tables(const ExportedModel& model) {
  const Equations& eq = model.equations;
  std::string text = table_of_places("taut_M_places", eq.M.pattern) + table_of_places("taut_H_places", eq.H.pattern) +
                     table_of_places("taut_N_places", eq.N.pattern) +
                     table("int", "taut_retracted_places", eq.retracted);
  std::vector<std::string> stress;
  std::vector<int> rows;
  if (const SolverProgram* solver = model.solver.get()) {
    rows = solver->stress_rows;
    for (Eigen::Index k = 0; k < solver->start.cols(); ++k)
      for (const int row : rows) stress.push_back(hex(solver->start(row, k)));
  }
  return text + table("int", "taut_stress_rows", rows) + table("double", "taut_first_stress", stress) + "\n";
}

// ---- the plan of a stage --------------------------------------------------------------------------

std::string plan(const ExportedModel& model) {
  static const taut_stage_plan none{};
  const taut_stage_plan& p = model.solver ? model.solver->plan : none;
  const auto list = [](const int* values, int count) {
    return std::span(values, static_cast<std::size_t>(values ? count : 0));
  };
  std::string text = table("int", "taut_plan_retracted", list(p.retracted_coordinates, p.retracted)), outputs;
#define TAUT_TELL(name, count)                                     \
  text += table("int", "taut_plan_" #name, list(p.name, p.count)); \
  outputs += "  plan." #name " = taut_plan_" #name ";\n";
  TAUT_SOLVER_OUTPUTS(TAUT_TELL)
#undef TAUT_TELL
  text += "\nTAUT_INLINE struct taut_stage_plan taut_plan(void) {\n  struct taut_stage_plan plan;\n";
  const auto set = [&](const char* name, int value) { text += fmt::format("  plan.{} = {};\n", name, value); };
#define TAUT_SET(name) set(#name, p.name)
  TAUT_SET(one);
  TAUT_SET(coordinates);
  TAUT_SET(speeds);
  TAUT_SET(rows);
  TAUT_SET(position_rows);
  TAUT_SET(stresses);
  TAUT_SET(stress_entries);
  TAUT_SET(retracted);
  TAUT_SET(works);
  TAUT_SET(squared);
  TAUT_SET(constant_mass);
  TAUT_SET(position);
  TAUT_SET(velocity);
  TAUT_SET(demanded);
  TAUT_SET(residual);
  TAUT_SET(position_residual);
  TAUT_SET(trial_velocity);
  TAUT_SET(trial_position);
  TAUT_SET(trial_acceleration);
  TAUT_SET(stress);
#undef TAUT_SET
  return text + "  plan.retracted_coordinates = taut_plan_retracted;\n" + outputs + "  return plan;\n}\n\n";
}

// ---- parameters -----------------------------------------------------------------------------------

/// Every kink is on the side where the equations are evaluated.
std::string branch_values(const ExportedModel& model, const std::string& registers) {
  std::string text;
  for (std::size_t k = 0; k < model.equations.branches.size(); k += BranchInput::count)
    text += fmt::format("  {}[{}] = 1;\n", registers, model.parameters.size() + k + BranchInput::free);
  return text;
}

std::string put_parameters(const CodeNames& names) {
  std::string text = fmt::format(
      "TAUT_INLINE void taut_put_parameters(const struct {}_parameters *p, double *r) {{\n  (void)p;\n  (void)r;\n",
      names.type);
  for (std::size_t k = 0; k < names.parameters.size(); ++k)
    text += fmt::format("  r[{}] = p->{};\n", k, names.parameters[k]);
  return text + "}\n\n";
}

std::string calculate_parameters(const ExportedModel& model, const CodeNames& names) {
  std::string text = fmt::format(
      "/* Parameters that follow from others. */\n"
      "TAUT_INLINE void taut_calculate_parameters(struct {}_parameters *p, double *r) {{\n  int pass;\n"
      "  for (pass = 0; pass < {}; ++pass) {{\n    taut_put_parameters(p, r);\n    taut_run_parameters(0, r);\n",
      names.type, std::max(model.parameter_depth, 1));
  int k = 0;
  for (std::size_t i = 0; i < names.parameters.size(); ++i)
    if (model.parameters[i].calculated)
      text += fmt::format("    p->{} = r[taut_outputs_of_parameters[{}]];\n", names.parameters[i], k++);
    else if (model.parameters[i].structural)
      text += fmt::format("    p->{} = {}; /* decides what the model is made of */\n", names.parameters[i],
                          hex(model.parameters[i].value));
  return text + "  }\n}\n\n";
}

/// Outputs that are numbers.
std::string constant_outputs(const Program& program, const std::string& registers) {
  std::set<int> slots;
  for (int k = 0; k < program.outputs(); ++k)
    if (program.output_level(k) < 0) slots.insert(program.output_slots()[static_cast<std::size_t>(k)]);
  std::string text;
  for (const int slot : slots)
    text += fmt::format("  {}[{}] = {};\n", registers, slot,
                        hex(program.constants()[static_cast<std::size_t>(slot - program.inputs())]));
  return text;
}

/// What depends on parameters alone is computed once, and again when these have changed.
std::string set_parameters(const ExportedModel& model, const CodeNames& names) {
  std::string text = put_parameters(names) + calculate_parameters(model, names), set;
  text += fmt::format(
      "TAUT_INLINE void taut_put_all_parameters(taut_work *w, struct {0}_parameters *p) {{\n"
      "  taut_calculate_parameters(p, w->parameters);\n",
      names.type);
  const auto add = [&](const std::string& registers, const std::string& program, const Program& of) {
    set += fmt::format("  memset({0}, 0, sizeof {0});\n", registers);
    set += branch_values(model, registers) + constant_outputs(of, registers);
    text += fmt::format("  taut_put_parameters(p, {});\n", registers);
    text += fmt::format("  taut_run_{}(0, {});\n", program, registers);
  };
  for (const ExportedProgram& each : model.programs)
    if (each.name != "parameters") add("w->" + each.name, each.name, each.program);
  if (model.solver) {
    for (const char* registers : {"w->solver[0]", "w->solver[1]"}) {
      add(registers, "solver", model.solver->program);
      set += fmt::format("  {}[{}] = 1; /* self-stresses are asked for with a factor 1 */\n", registers,
                         model.solver->program.inputs() - 1);
    }
  }
  text +=
      fmt::format("}}\n\nTAUT_INLINE void taut_set_parameters(taut_work *w, struct {}_parameters *p) {{\n", names.type);
  return text + set + "  taut_put_all_parameters(w, p);\n  w->in_force = *p;\n}\n\n";
}

// ---- what users call ------------------------------------------------------------------------------

std::string defaults(const ExportedModel& model, const CodeNames& names) {
  std::string text =
      fmt::format("TAUT_API void {0}_defaults({0} *model) {{\n  memset(model, 0, sizeof *model);\n", names.type);
  for (std::size_t k = 0; k < names.parameters.size(); ++k)
    text += fmt::format("  model->parameters.{} = {}; /* {:.17g} */\n", names.parameters[k],
                        hex(model.parameters[k].value), model.parameters[k].value);
  for (std::size_t k = 0; k < names.coordinates.size(); ++k)
    text += fmt::format("  model->q[{}] = {}; /* {:.17g} */\n", names.coordinates[k], hex(model.q[k]), model.q[k]);
  for (std::size_t k = 0; k < names.speeds.size(); ++k)
    text += fmt::format("  model->v[{}] = {}; /* {:.17g} */\n", names.speeds[k], hex(model.v[k]), model.v[k]);
  return text + "}\n\n";
}

constexpr const char* public_functions = R"(TAUT_INLINE void taut_show({0} *model) {{
  const taut_work *w = &model->inside;
  model->t = w->t;
  taut_copy(w->y, taut_coordinates, model->q);
  taut_copy(w->y + taut_coordinates, taut_speeds, model->v);
  model->work = taut_works ? w->y[taut_entries - 1] : 0;
}}

TAUT_API int {0}_init({0} *model) {{
  int outcome;
  taut_set_parameters(&model->inside, &model->parameters);
  outcome = taut_start(&model->inside, model->t, model->q, model->v);
  if (outcome == taut_done && taut_controllers > 0)
    outcome = taut_start_samples(&model->inside, model->t) ? taut_act(&model->inside, &model->parameters) : taut_no_start;
  if (outcome == taut_done) taut_show(model);
  return outcome;
}}

TAUT_API int {0}_update({0} *model) {{
  const int outcome = taut_change(&model->inside, &model->parameters);
  taut_show(model);
  return outcome;
}}

TAUT_API int {0}_step({0} *model, double h) {{
  const int outcome = taut_one_sampled_step(&model->inside, h, &model->parameters);
  taut_show(model);
  return outcome;
}}

TAUT_API int {0}_step_to({0} *model, double t) {{
  int outcome;
  if (!(t > model->inside.t)) return taut_no_value;
  outcome = taut_sampled_step_to(&model->inside, t, &model->parameters);
  model->inside.step = 0;
  taut_show(model);
  return outcome;
}}

TAUT_API int {0}_derivative({0} *model, double t, const double *q, const double *v, double *qdot, double *vdot) {{
  double y[taut_entries_room], ydot[taut_entries_room];
  int ok;
  taut_copy(q, taut_coordinates, y);
  taut_copy(v, taut_speeds, y + taut_coordinates);
  y[taut_moving] = 0;
  ok = taut_derivative_at(&model->inside, t, y, ydot);
  taut_copy(ydot, taut_coordinates, qdot);
  taut_copy(ydot + taut_coordinates, taut_speeds, vdot);
  return ok ? taut_done : taut_no_value;
}}

TAUT_API int {0}_outputs({0} *model, double *outputs) {{
  taut_work *w = &model->inside;
  return taut_outputs_at(w, w->t, w->y, w->y + taut_coordinates, outputs) ? taut_done : taut_no_value;
}}

TAUT_API void {0}_violations({0} *model, double *position, double *velocity) {{
  taut_work *w = &model->inside;
  taut_position_at(w, w->t, w->y, position);
  taut_velocity_at(w, w->t, w->y, w->y + taut_coordinates, velocity);
}}

TAUT_API double {0}_energy({0} *model) {{
  taut_work *w = &model->inside;
  return taut_energy_at(w, w->t, w->y, w->y + taut_coordinates);
}}

)";

constexpr std::array sentences = {
    std::pair{"taut_done", "done"},
    std::pair{"taut_no_start", "M and H leave a direction without inertia, or a number is not finite"},
    std::pair{"taut_no_value", "the equations have no finite value"},
    std::pair{"taut_no_correction", "the constraints cannot be reached"},
    std::pair{"taut_inconsistent", "no start on the constraints was found"},
    std::pair{"taut_no_jump", "a change of parameters or inputs would have a position jump"},
    std::pair{"taut_strayed", "energy was lost or won next to a singular position: smaller steps may keep it"}};

std::string sentence_function(const CodeNames& names) {
  std::string text = fmt::format("const char *{0}_sentence(int status) {{\n  switch (status) {{\n", names.type);
  for (const auto& [status, sentence] : sentences)
    text += fmt::format("    case {}:\n      return \"{}\";\n", status, sentence);
  return text + "    default:\n      return \"no such status\";\n  }\n}\n";
}

/// Whole words alone.
std::string replace_word(std::string text, const std::string& word, const std::string& other) {
  const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::string replaced;
  for (std::size_t at = 0; at < text.size();) {
    const bool begins = at == 0 || !in_word(text[at - 1]);
    const bool ends = at + word.size() >= text.size() || !in_word(text[at + word.size()]);
    if (begins && ends && text.compare(at, word.size(), word) == 0) {
      replaced += other;
      at += word.size();
    } else {
      replaced += text[at++];
    }
  }
  return replaced;
}

/// Library functions of single precision stand for those of double, ours for sines and cosines among them.
constexpr const char* float_prelude = R"(#include <math.h>
#include <stddef.h>
#include <string.h>

#ifdef __CUDACC__
#define TAUT_INLINE static __device__ __forceinline__
#define TAUT_APART __noinline__
#elif defined(__GNUC__)
#define TAUT_INLINE __attribute__((unused)) static inline
#define TAUT_APART __attribute__((noinline))
#else
#define TAUT_INLINE static inline
#define TAUT_APART
#endif

#define taut_sqrt sqrtf
#define taut_abs fabsf
#define taut_sin sinf
#define taut_cos cosf
#define tan tanf
#define asin asinf
#define acos acosf
#define atan atanf
#define atan2 atan2f
#define sinh sinhf
#define cosh coshf
#define tanh tanhf
#define exp expf
#define log logf
#define pow powf

struct taut_pair {
  float sine, cosine;
};
TAUT_INLINE struct taut_pair taut_sincos(float x) {
  struct taut_pair pair;
  pair.sine = sinf(x);
  pair.cosine = cosf(x);
  return pair;
}
TAUT_INLINE void taut_sincos_four(const float *x, float *sines, float *cosines) {
  int k;
  for (k = 0; k < 4; ++k) {
    sines[k] = sinf(x[k]);
    cosines[k] = cosf(x[k]);
  }
}
TAUT_INLINE float taut_sign(float a) { return a > 0 ? 1 : a < 0 ? -1 : a; }
TAUT_INLINE float taut_min(float a, float b) { return a < b || a != a ? a : b; }
TAUT_INLINE float taut_max(float a, float b) { return a > b || a != a ? a : b; }
TAUT_INLINE float taut_less(float a, float b) { return a < b ? 1 : 0; }

)";

std::string in_precision(std::string text, const CodeChoice& choice) {
  return choice.precision == Precision::in_float ? replace_word(std::move(text), "double", "float") : text;
}

}  // namespace

std::string c_source(const ExportedModel& model, const CodeChoice& choice) {
  const CodeNames names(model);
  const bool coarse = choice.precision == Precision::in_float;
  std::string text = fmt::format(
      "/* {0}: see {0}.h. Written by taut. Digits are those of taut's own runs as long as the compiler neither fuses\n"
      " * nor reorders operations: -ffp-contract=off where it would, and never -ffast-math. */\n"
      "#include \"{0}.h\"\n\n#ifdef __clang__\n#pragma STDC FP_CONTRACT OFF\n#endif\n\n",
      names.file);
  text += coarse ? std::string(float_prelude) : c_prelude();
  std::string body = device_macros + precision(choice) +
                     fmt::format(
                         "\n#define taut_kernel {0}_kernel\ntypedef struct {0}_work taut_work;\n"
                         "typedef struct {0}_parameters taut_parameters;\n\n",
                         names.type);
  body += model.purpose.lanes ? std::string(c_quick_text()) + "\n" : "#define taut_over(a, b, quick) ((a) / (b))\n\n";
  body += all_functions(model) + sizes(model) + numbers(model) + tables(model) + tables_of_controllers(model);
  body += copy_normals(model) + std::string(stage_text()) + "\n" + plan(model);
  for (const std::string_view part : {c_arrays_text(), c_regular_text()}) (body += part) += "\n";
  body += general_part;
  for (const std::string_view part :
       {rank_revealing_text(), c_programs_text(), c_kernels_text(), c_formulas_text(), c_equations_text(),
        c_projection_text(), c_motion_text(), c_steps_text(), c_start_text(), c_observation_text()})
    (body += part) += "\n";
  body += set_parameters(model, names);
  for (const std::string_view part : {c_changes_text(), c_controllers_text()}) (body += part) += "\n";
  body += defaults(model, names);
  if (!model.purpose.lanes) body += start_function(model, names);
  body += fmt::format(public_functions, names.type);
  body += sentence_function(names) + regular_part;
  return text + in_precision(std::move(body), choice);
}

std::string exported_sentence(int status) { return sentences.at(static_cast<std::size_t>(status)).second; }

std::vector<CodeFile> code_of(const ExportedModel& model, const CodeChoice& choice) {
  const std::string file = CodeNames(model).file;
  return {{file + ".h", c_header(model, choice)}, {file + ".c", c_source(model, choice)}};
}

}  // namespace taut
