#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "exporting/c_code.hpp"
#include "exporting/c_names.hpp"
#include "exporting/work_bound.hpp"

namespace taut {
namespace {

std::string at_least_one(int count) { return std::to_string(std::max(count, 1)); }

/// "enum NAME_kind { A, B, NAME_COUNT };" with what each stands for beside it.
std::string enumeration(const CodeNames& names, const std::string& kind, const std::vector<std::string>& constants,
                        const std::vector<std::string>& meanings) {
  std::string text = fmt::format("enum {}_{} {{\n", names.type, kind);
  for (std::size_t k = 0; k < constants.size(); ++k) text += fmt::format("  {}, /* {} */\n", constants[k], meanings[k]);
  std::string count = c_constant(kind);
  return text + fmt::format("  {}_{}S\n}};\n\n", names.constant, count);
}

std::string comment_safe(std::string text) {
  for (std::size_t at = text.find("*/"); at != std::string::npos; at = text.find("*/", at)) text.replace(at, 2, "* /");
  return text;
}

std::string remark(const ExportedParameter& parameter) {
  if (parameter.calculated) return ", follows from others";
  if (parameter.structural) return ", stays as it is: it decides what the model is made of";
  if (parameter.decides_start) return "; the start was found with this value: where it changes, set q and v, too";
  if (parameter.is_sampled) return ", set by a controller";
  if (!parameter.is_input) return "";
  std::string text = ", an input";
  if (!parameter.role.unit.empty()) text += " in " + comment_safe(parameter.role.unit);
  if (!parameter.role.description.empty()) text += ": " + comment_safe(parameter.role.description);
  return text;
}

std::string parameters_struct(const ExportedModel& model, const CodeNames& names) {
  std::string text = fmt::format("struct {}_parameters {{\n", names.type);
  for (std::size_t k = 0; k < names.parameters.size(); ++k)
    text += fmt::format("  {}_real {}; /* {}{} */\n", names.type, names.parameters[k],
                        comment_safe(model.parameters[k].name), remark(model.parameters[k]));
  if (names.parameters.empty()) text += fmt::format("  {}_real none;\n", names.type);
  return text + "};\n\n";
}

std::string kernel_struct(const ExportedModel& model, const CodeNames& names) {
  const int n = model.shape.n_v(), m = model.shape.rows();
  return fmt::format(
      "/* M and H, factored. */\nstruct {0}_kernel {{\n"
      "  int rows, rank, completed, low;\n  int order[{2}];\n  {0}_real smallest_pivot;\n"
      "  {0}_real sizes[{2}], weights[{2}], reflections[{3}];\n"
      "  {0}_real L[{4}], Q[{5}], Z[{6}];\n}};\n\n",
      names.type, n, at_least_one(m), at_least_one(2 * m), at_least_one(n * n), at_least_one(n * m),
      at_least_one(m * m));
}

std::string registers(const ExportedModel& model, const CodeNames& names) {
  const int of_solver = model.solver ? model.solver->program.registers() : 1;
  std::string text = fmt::format("  {}_real solver[2][{}];\n", names.type, of_solver);
  for (const ExportedProgram& each : model.programs)
    text += fmt::format("  {}_real {}[{}];\n", names.type, each.name, at_least_one(each.program.registers()));
  return text;
}

/// What controllers remember beside the parameters.
std::string waiting_room(const ExportedModel& model, const CodeNames& names) {
  if (model.controllers.empty())
    return fmt::format("  {}_real waits[1];\n  long samples[1], delivered[1];\n", names.type);
  int values = 0, waits = 0;
  for (const ExportedController& controller : model.controllers)
    for (const ExportedSample& value : controller.values) {
      ++values;
      waits += value.waits;
    }
  return fmt::format("  {}_real waits[{}];\n  long samples[{}], delivered[{}];\n", names.type, at_least_one(waits),
                     model.controllers.size(), at_least_one(values));
}

std::string work_struct(const ExportedModel& model, const CodeNames& names) {
  const Shape& s = model.shape;
  const int n = s.n_v(), m = s.rows(), size = s.n_q() + n + (s.does_work ? 1 : 0);
  std::string text = fmt::format(
      "/* Belongs to the functions. Without pointers: it may be copied. */\nstruct {}_work {{\n", names.type);
  text += registers(model, names);
  text +=
      fmt::format("  {0}_real M[{1}], H[{2}], f[{3}], b[{4}], chi[{4}], Phi[{5}];\n", names.type, at_least_one(n * n),
                  at_least_one(n * m), at_least_one(n), at_least_one(m), at_least_one(s.position_rows));
  text += fmt::format("  struct {0}_kernel kernels[{1}];\n  {0}_real kernel_room[{2}];\n  int order[{3}];\n",
                      names.type, s.velocity_rows() > 0 ? 4 : 2, n + 2 * m + 1, at_least_one(m));
  text += fmt::format("  {0}_real scales[{1}], lambda[{1}], held_chi[{1}], held_Phi[{2}];\n", names.type,
                      at_least_one(m), at_least_one(s.position_rows));
  text += fmt::format(
      "  {0}_real y[{1}], result[{1}], stage[{1}], found[{1}], asked[{1}], start[{1}], result_rates[{1}];\n"
      "  {0}_real start_rates[{2}], k[4][{1}], past[2][{1}];\n",
      names.type, size + 1, s.n_q() + 1);
  text += waiting_room(model, names);
  return text + fmt::format(
                    "  struct {0}_parameters in_force;\n"
                    "  {0}_real t, known_t, start_t, step, origin, largest_coordinate, stress_worn_at;\n"
                    "  long evaluations, left_to_matrices, unprojected, taken;\n"
                    "  int stress_known[2], stress_renewed, refines, exchanged, formulas, current_by, decided_by;\n"
                    "  int known, has_result_rates, at_decision, factored, outdated, positions_factored, history;\n"
                    "}};\n\n",
                    names.type);
}

std::string model_struct(const ExportedModel& model, const CodeNames& names) {
  const Shape& s = model.shape;
  return fmt::format(
      "typedef struct {0} {{\n"
      "  struct {0}_parameters parameters; /* read by {0}_init and {0}_update */\n"
      "  {0}_real t;\n  {0}_real q[{1}]; /* coordinates, by enum {0}_coordinate */\n"
      "  {0}_real v[{2}]; /* speeds, by enum {0}_speed */\n"
      "  {0}_real work; /* done so far by forces that no potential covers, and by moving constraints */\n"
      "  struct {0}_work inside;\n}} {0};\n\n",
      names.type, at_least_one(s.n_q()), at_least_one(s.n_v()));
}

constexpr const char* functions = R"(/* What functions return. */
enum {0}_status {{
  {1}_DONE,          /* all went well */
  {1}_NO_START,      /* M and H leave a direction without inertia, or a number is not finite */
  {1}_NO_VALUE,      /* the equations have no finite value; the state is that before the step */
  {1}_NO_CORRECTION, /* the constraints cannot be reached; the state is that before the step */
  {1}_INCONSISTENT,  /* Newton's method finds no start on the constraints */
  {1}_NO_JUMP,       /* a change of parameters or inputs would have a position jump; it was taken back */
  {1}_STRAYED        /* of members in lanes alone */
}};

/* Parameters and the state at t = 0 become those of the model. */
{2}void {0}_defaults({0}* model);
/* Initial values that are formulas of parameters follow model->parameters; other entries of q and v stay as they are. */
{2}void {0}_start({0}* model);
/* Begins at model->t, q, v with model->parameters: puts the state onto the constraints where the method keeps them
 * there, and decides which of the constraints count. To be called before all that follow, and again whenever
 * parameters or the state were changed from outside. */
{2}int {0}_init({0}* model);
/* Parameters and inputs that were changed since take effect where the motion stands, with nothing remembered of the
 * steps before; speeds may jump, by an impulse of the constraints, positions cannot. */
{2}int {0}_update({0}* model);
/* One step of h, shorter where a controller samples within. Times are multiples of h as long as h stays the same. */
{2}int {0}_step({0}* model, {0}_real h);
/* To t in one step, or in several where controllers sample. */
{2}int {0}_step_to({0}* model, {0}_real t);
/* q' and v' at any state near the motion, which is not disturbed. */
{2}int {0}_derivative({0}* model, {0}_real t, const {0}_real* q, const {0}_real* v, {0}_real* qdot, {0}_real* vdot);
/* Where the motion stands: outputs by enum {0}_output; violations of the position constraints and of all constraints at
 * the level of velocities, by enum {0}_constraint; kinetic and potential energy. */
{2}int {0}_outputs({0}* model, {0}_real* outputs);
{2}void {0}_violations({0}* model, {0}_real* position, {0}_real* velocity);
{2}{0}_real {0}_energy({0}* model);
/* A sentence for a status. */
const char* {0}_sentence(int status);
)";

/// Constants that the header has anyway, and macros of others that look alike: M_PI of a model "m".
std::set<std::string> names_of_header(const std::string& constant) {
  std::set<std::string> taken{"M_E",          "M_LOG2E",      "M_LOG10E",    "M_LN2",   "M_LN10",     "M_PI",
                              "M_PI_2",       "M_PI_4",       "M_1_PI",      "M_2_PI",  "M_2_SQRTPI", "M_SQRT2",
                              "M_SQRT1_2",    "RAND_MAX",     "L_tmpnam",    "INT_MAX", "SIZE_MAX",   "INT_MIN",
                              "SEEK_CUR",     "SEEK_END",     "SEEK_SET",    "FP_NAN",  "FP_ZERO",    "FP_NORMAL",
                              "EXIT_FAILURE", "EXIT_SUCCESS", "FILENAME_MAX"};
  for (const char* name : {"DONE", "NO_START", "NO_VALUE", "NO_CORRECTION", "INCONSISTENT", "NO_JUMP", "STRAYED",
                           "COORDINATES", "SPEEDS", "CONSTRAINTS", "OUTPUTS", "POSITION_CONSTRAINTS"})
    taken.insert(constant + "_" + name);
  return taken;
}

}  // namespace

CodeNames::CodeNames(const ExportedModel& model)
    : file(file_name(model.name)), type(c_type(model.name)), constant(c_constant(type)) {
  CNames members, constants(names_of_header(constant));
  for (const ExportedParameter& p : model.parameters) parameters.push_back(members.take(c_identifier(p.name)));
  const auto take = [&](const std::string& kind, const std::vector<std::string>& given) {
    std::vector<std::string> taken;
    for (const std::string& each : given) taken.push_back(constants.take(constant + kind + c_constant(each)));
    return taken;
  };
  coordinates = take("_", model.shape.coordinates);
  speeds = take("_V_", model.shape.speeds);
  rows = take("_ROW_", model.shape.constraints);
  outputs = take("_OUT_", model.shape.outputs);
}

std::string c_header(const ExportedModel& model, const CodeChoice& choice) {
  const CodeNames names(model);
  const Shape& s = model.shape;
  const StepWork work = work_of_step(model);
  std::string text = fmt::format(
      "/* {0}: the equations of motion and their integrator, exported by taut.\n"
      " *\n"
      " * Method {1}, integrator {2}. C99; no allocation, no globals, no library but the mathematical one: every\n"
      " * function works on the struct it is given, so that several may run at once.\n"
      " *\n"
      " * A step takes some {6:.0f} operations (sums, products, roots, sines) where formulas serve, and never more "
      "than\n"
      " * {7:.0f}: every loop is bounded. */\n"
      "#ifndef TAUT_{3}_H\n#define TAUT_{3}_H\n\n"
      "#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n"
      "#ifndef TAUT_API\n#ifdef __CUDACC__\n#define TAUT_API __device__\n#else\n#define TAUT_API\n#endif\n#endif\n\n"
      "typedef {4} {5}_real;\n\n",
      comment_safe(model.name), model.options.method.to_string(), model.options.integrator.name, names.constant,
      choice.precision == Precision::in_float ? "float" : "double", names.type, work.usual, work.most);
  const auto meanings = [](const std::vector<std::string>& list) {
    std::vector<std::string> safe;
    for (const std::string& each : list) safe.push_back(comment_safe(each));
    return safe;
  };
  text += enumeration(names, "coordinate", names.coordinates, meanings(s.coordinates));
  text += enumeration(names, "speed", names.speeds, meanings(s.speeds));
  text += enumeration(names, "constraint", names.rows, meanings(s.constraints));
  text += enumeration(names, "output", names.outputs, meanings(s.outputs));
  text += fmt::format(
      "/* So many of the constraints, the first ones, are position constraints. */\n"
      "#define {}_POSITION_CONSTRAINTS {}\n\n",
      names.constant, s.position_rows);
  text += parameters_struct(model, names) + kernel_struct(model, names) + work_struct(model, names) +
          model_struct(model, names);
  text += fmt::format(functions, names.type, names.constant, "TAUT_API ");
  return text + "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
}

}  // namespace taut
