#include "ensemble/lane_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "expression/emit_c.hpp"
#include "expression/program.hpp"
#include "linear/rank_revealing.hpp"
#include "system/levels.hpp"
#include "system/solution.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

/// A longer solution would take compilers too long.
constexpr std::size_t longest_solution = 60'000;
/// Levels of this many operations stay one function, whose numbers a compiler keeps in registers.
constexpr std::size_t longest_inlined = 4'000;
/// Pivots below this, relative to their rows, are left to the rank-revealing solve: what formulas lose is ε/p, or ε/p²
/// where rows were factored by their products.
constexpr double least_pivot = 1e-6, least_squared_pivot = 1e-3;

/// On a GPU sine and cosine are inlined: what they are handed would otherwise leave the registers.
std::string inlined_prelude() {
  const std::string apart = "#define TAUT_FUNCTION static __device__ __noinline__\n";
  std::string text = c_prelude();
  text.replace(text.find(apart), apart.size(), "#define TAUT_FUNCTION static __device__ __forceinline__\n");
  return text + "#ifdef __CUDACC__\n#undef TAUT_FUNCTION\n" + apart + "#endif\n\n";
}

/// A program whose inputs and outputs have names.
class NamedProgram {
 public:
  NamedProgram(Graph& graph, std::string name) : graph_(graph), name_(std::move(name)) {}

  void add_input(const std::string& name, const std::vector<SymbolId>& symbols, Level level) {
    first_input_[name] = static_cast<int>(inputs_.size());
    add_inputs(inputs_, symbols, level);
  }
  void add_output(const std::string& name, const std::vector<Expression>& formulas) {
    first_output_[name] = {outputs_.size(), formulas.size()};
    outputs_.insert(outputs_.end(), formulas.begin(), formulas.end());
  }
  void compile() { program_ = Program(graph_, inputs_, outputs_, Program::Purpose::code); }

  const Program& program() const { return program_; }
  int input(const std::string& name) const { return first_input_.at(name); }
  std::size_t size(const std::string& name) const { return first_output_.at(name).second; }
  /// Output k of that name, as an expression of the registers r.
  std::string output(const std::string& name, std::size_t k) const {
    const int slot = program_.output_slots()[first_output_.at(name).first + k];
    const int constant = slot - program_.inputs();
    if (constant >= 0 && static_cast<std::size_t>(constant) < program_.constants().size())
      return fmt::format("({:a})", program_.constants()[static_cast<std::size_t>(constant)]);
    return fmt::format("r[{}]", slot);
  }
  bool is_known_before(const std::string& name, std::size_t k, Level level) const {
    return program_.output_level(static_cast<int>(first_output_.at(name).first + k)) < level;
  }
  /// Of all levels, in products: what a GPU takes for a quotient or a root, roughly.
  double cost() const {
    double sum = 0;
    for (int level = 0; level < program_.levels(); ++level)
      for (const Instruction& step : program_.code(level))
        sum += step.op == Op::divide ? 10 : step.op == Op::sqrt ? 12 : 1;
    return sum;
  }
  /// A macro for each level: the call of its function, or nothing.
  std::string macro(const std::string& name, Level level) const {
    const bool has_code = level < program_.levels() && !program_.code(level).empty();
    return fmt::format("#define {}(r) {}\n", name, has_code ? c_function(name_, level) + "(r)" : "(void)(r)");
  }
  std::string functions() const {
    bool is_short = true;
    for (int level = 0; level < program_.levels(); ++level) is_short &= program_.code(level).size() <= longest_inlined;
    const CStyle style = is_short ? CStyle{"TAUT_INLINE", false, longest_inlined, true}
                                  : CStyle{"static LANE_DEVICE", false, 500, false};
    return emit_c(program_, name_, style);
  }

 private:
  Graph& graph_;
  std::string name_;
  std::vector<Program::Input> inputs_;
  std::vector<Expression> outputs_;
  std::unordered_map<std::string, int> first_input_;
  std::unordered_map<std::string, std::pair<std::size_t, std::size_t>> first_output_;
  Program program_;
};

/// Writes small functions, a line for each number that they move.
class Writer {
 public:
  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text_ += fmt::format(format, std::forward<Arguments>(arguments)...) + "\n";
  }
  void function(const std::string& head, const std::function<void()>& body) {
    line("TAUT_INLINE {} {{", head);
    body();
    line("}}\n");
  }
  void add(const std::string& text) { text_ += text; }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

class Emission {
 public:
  Emission(const LaneEquations& lanes, Rows factor)
      : all_(lanes.all), eq_(lanes.kept), stepping_(*eq_.graph, "s"), plain_(*all_.graph, "d") {
    compile_stepping(factor);
    compile_plain();
  }

  double cost() const { return stepping_.cost(); }

  LaneKernel kernel() {
    write_head();
    out_.add(stepping_.functions());
    out_.add(plain_.functions());
    write_macros();
    write_inputs();
    write_corrections();
    write_results();
    write_plain();
    out_.add(std::string(rank_revealing_text()));
    out_.add(std::string(lane_text()));
    out_.add(std::string(lane_host_text()));
    return {out_.take(),
            static_cast<int>(eq_.parameters.size()),
            eq_.shape.n_q(),
            eq_.shape.n_v(),
            static_cast<int>(stepping_.size("rates") + stepping_.size("following") + stepping_.size("outputs")),
            stepping_.program().instructions()};
  }

 private:
  void compile_stepping(Rows factor) {
    const auto solution = solution_of(eq_, Matrix(eq_.shape.rows(), 0), longest_solution, factor);
    if (!solution)
      throw InputError("the solution of this model's equations is too long to be written out for lanes",
                       "leave out --device, or use --device cpu");
    squared_ = solution->squared;
    NamedProgram& s = stepping_;
    s.add_input("parameters", eq_.parameters, Level::parameters);
    s.add_input("position", {eq_.time}, Level::position);
    s.add_input("q", eq_.q, Level::position);
    s.add_input("velocity", eq_.v, Level::velocity);
    s.add_input("demanded", solution->demanded, Level::acceleration);
    s.add_input("residual", solution->residual, Level::correction);
    s.add_input("position_residual", solution->position_residual, Level::position_correction);
    s.add_input("trial_velocity", solution->trial_velocity, Level::trial_velocity);
    s.add_input("trial_position", solution->trial_position, Level::trial_position);
    s.add_input("trial_acceleration", eq_.a, Level::trial_acceleration);
    s.add_input("trial_multipliers", eq_.multipliers, Level::trial_acceleration);
    s.add_output("mass_pivots", solution->mass_pivots);
    s.add_output("sizes", solution->sizes);
    s.add_output("pivots", solution->pivots);
    s.add_output("Phi", all_.Phi);
    s.add_output("chi", all_.chi);
    s.add_output("b", solution->b);
    s.add_output("acceleration", solution->acceleration);
    s.add_output("multipliers", solution->multipliers);
    s.add_output("power", {eq_.shape.does_work ? eq_.power : Expression(0)});
    s.add_output("rates", solution->rates);
    s.add_output("correction", solution->correction);
    s.add_output("position_correction", solution->position_correction);
    s.add_output("missing_velocity", solution->missing_velocity);
    s.add_output("retraction", solution->retraction);
    s.add_output("missing_position", solution->missing_position);
    s.add_output("energy", {eq_.energy.value_or(0)});
    s.add_output("following", eq_.following);
    s.add_output("outputs", eq_.outputs);
    s.compile();
  }

  /// M, H, f, b, Φ, χ and N by themselves, for the rank-revealing solve.
  void compile_plain() {
    NamedProgram& d = plain_;
    d.add_input("parameters", all_.parameters, Level::parameters);
    d.add_input("position", {all_.time}, Level::parameters);
    d.add_input("q", all_.q, Level::parameters);
    d.add_input("velocity", all_.v, Level::parameters);
    d.add_input("acceleration", all_.a, Level::position);
    d.add_input("multipliers", all_.multipliers, Level::position);
    d.add_output("M", all_.M.entries);
    d.add_output("H", all_.H.entries);
    d.add_output("f", all_.f);
    d.add_output("b", all_.b);
    d.add_output("Phi", all_.Phi);
    d.add_output("chi", all_.chi);
    d.add_output("rates", all_.rates);
    d.add_output("N", all_.shape.plain_rates ? std::vector<Expression>{} : all_.N.entries);
    d.add_output("power", {all_.shape.does_work ? all_.power : Expression(0)});
    d.compile();
  }

  void write_head() {
    out_.add(
        "#include <math.h>\n#include <stddef.h>\n#include <string.h>\n"
        "#ifdef __CUDACC__\n"
        "#define LANE_DEVICE __device__\n#define LANE_UNROLL _Pragma(\"unroll\")\n"
        "#define LANE_NO_UNROLL _Pragma(\"unroll 1\")\n"
        "static __device__ __noinline__ double lane_sin(double x) { return sin(x); }\n"
        "static __device__ __noinline__ double lane_cos(double x) { return cos(x); }\n"
        "#define sin lane_sin\n#define cos lane_cos\n"
        "#else\n#define LANE_DEVICE\n#define LANE_UNROLL\n#define LANE_NO_UNROLL\n#endif\n");
    out_.add(inlined_prelude());
    const auto define = [this](const char* name, auto value) { out_.line("#define LANE_{} {}", name, value); };
    define("PARAMETERS", eq_.parameters.size());
    define("Q", eq_.shape.n_q());
    define("V", eq_.shape.n_v());
    define("ROWS", eq_.shape.rows());
    define("POSITION_ROWS", eq_.shape.position_rows);
    define("ALL_ROWS", all_.shape.rows());
    define("ALL_POSITION_ROWS", all_.shape.position_rows);
    define("WORKS", eq_.shape.does_work ? 1 : 0);
    define("RETRACTS", eq_.retracted.empty() ? 0 : 1);
    define("FIGURES", stepping_.size("rates") + stepping_.size("following") + stepping_.size("outputs"));
    define("STATE", eq_.shape.n_q() + eq_.shape.n_v() + (eq_.shape.does_work ? 1 : 0));
    define("REGISTERS", std::max(1, stepping_.program().registers()));
    define("PLAIN_REGISTERS", std::max(1, plain_.program().registers()));
    define("RANK_TOLERANCE", "1e-10");
    define("SMALL_MOVE", "1e-7");
    out_.add("\n");
  }

  void write_macros() {
    const std::pair<const char*, Level> levels[] = {{"LANE_AT_PARAMETERS", Level::parameters},
                                                    {"LANE_AT_POSITION", Level::position},
                                                    {"LANE_AT_VELOCITY", Level::velocity},
                                                    {"LANE_AT_ACCELERATION", Level::acceleration},
                                                    {"LANE_AT_CORRECTION", Level::correction},
                                                    {"LANE_AT_POSITION_CORRECTION", Level::position_correction},
                                                    {"LANE_AT_TRIAL_VELOCITY", Level::trial_velocity},
                                                    {"LANE_AT_TRIAL_POSITION", Level::trial_position},
                                                    {"LANE_AT_TRIAL_ACCELERATION", Level::trial_acceleration}};
    for (const auto& [name, level] : levels) out_.add(stepping_.macro(name, level));
    out_.add(plain_.macro("LANE_PLAIN_STATE", Level::parameters));
    out_.add(plain_.macro("LANE_PLAIN_ACCELERATION", Level::position));
  }

  /// r[first + k] = from[k]
  void copy_in(int first, std::size_t count, const char* from) {
    for (std::size_t k = 0; k < count; ++k) out_.line("  r[{}] = {}[{}];", first + static_cast<int>(k), from, k);
  }
  /// r[first + k] = output k
  void pass_on(const NamedProgram& program, const char* output, int first) {
    for (std::size_t k = 0; k < program.size(output); ++k)
      out_.line("  r[{}] = {};", first + static_cast<int>(k), program.output(output, k));
  }
  void copy_out(const NamedProgram& program, const char* output, const std::string& to, std::size_t first = 0) {
    for (std::size_t k = 0; k < program.size(output); ++k)
      out_.line("  {}[{}] = {};", to, first + k, program.output(output, k));
  }

  void write_inputs() {
    const NamedProgram& s = stepping_;
    out_.function("void lane_put_parameters(double* r, const double* p)",
                  [&] { copy_in(s.input("parameters"), eq_.parameters.size(), "p"); });
    const auto position = [&](const char* function, const char* input) {
      out_.function(fmt::format("void {}(double* r, double t, const double* q)", function), [&] {
        out_.line("  r[{}] = t;", s.input(input));
        copy_in(s.input(input) + 1, eq_.q.size(), "q");
      });
    };
    position("lane_put_position", "position");
    position("lane_try_position", "trial_position");
    const auto velocity = [&](const char* function, const char* input) {
      out_.function(fmt::format("void {}(double* r, const double* v)", function),
                    [&] { copy_in(s.input(input), eq_.v.size(), "v"); });
    };
    velocity("lane_put_velocity", "velocity");
    velocity("lane_try_velocity", "trial_velocity");
    const auto residual = [&](const char* function, const char* output, const char* input) {
      out_.function(fmt::format("void {}(double* r)", function), [&] { pass_on(s, output, s.input(input)); });
    };
    residual("lane_demand", "b", "demanded");
    residual("lane_miss_velocity", "missing_velocity", "residual");
    residual("lane_miss_position", "missing_position", "position_residual");
    out_.function("void lane_try_acceleration(double* r)", [&] {
      pass_on(s, "acceleration", s.input("trial_acceleration"));
      pass_on(s, "multipliers", s.input("trial_multipliers"));
    });
  }

  void write_corrections() {
    const NamedProgram& s = stepping_;
    out_.function("void lane_correct_velocity(const double* r, double* v)", [&] {
      for (std::size_t k = 0; k < s.size("correction"); ++k) out_.line("  v[{}] += {};", k, s.output("correction", k));
    });
    out_.function("double lane_correct_position(const double* r, double* q)", [&] {
      out_.line("  double moved = 0;");
      for (std::size_t k = 0; k < s.size("position_correction"); ++k) {
        const std::string change = s.output("position_correction", k);
        out_.line("  q[{}] += {};", k, change);
        out_.line("  moved = taut_abs({0}) > moved ? taut_abs({0}) : moved;", change);
      }
      out_.line("  return moved;");
    });
    out_.function("void lane_retract(const double* r, double* q)", [&] {
      for (std::size_t k = 0; k < s.size("retraction"); ++k)
        out_.line("  q[{}] = {};", eq_.retracted[k], s.output("retraction", k));
    });
    out_.function("int lane_is_regular(const double* r)", [&] {
      const double least = squared_ ? least_squared_pivot : least_pivot;
      std::string all = "1";
      for (std::size_t k = 0; k < s.size("pivots"); ++k)
        all += fmt::format(" & ({} > {} * {})", s.output("pivots", k), least * least, s.output("sizes", k));
      for (std::size_t k = 0; k < s.size("mass_pivots"); ++k)
        if (!s.is_known_before("mass_pivots", k, Level::parameters))
          all += fmt::format(" & ({} > 0)", s.output("mass_pivots", k));
      out_.line("  return {};", all);
    });
  }

  void write_results() {
    const NamedProgram& s = stepping_;
    out_.function("void lane_get_rates(const double* r, double* k)", [&] {
      copy_out(s, "rates", "k");
      copy_out(s, "acceleration", "k", eq_.q.size());
    });
    out_.function("double lane_power(const double* r)", [&] { out_.line("  return {};", s.output("power", 0)); });
    out_.function("void lane_get_figures(const double* r, double* x)", [&] {
      copy_out(s, "rates", "x");
      copy_out(s, "following", "x", s.size("rates"));
      copy_out(s, "outputs", "x", s.size("rates") + s.size("following"));
    });
    // Before lane.h: what it needs of that.
    out_.add("struct lane_record;\nTAUT_INLINE double lane_larger(double most, double x);\n");
    out_.add("#define lane_look(r, y, record) \\\n  do { \\\n");
    for (std::size_t k = 0; k < s.size("Phi"); ++k)
      out_.line("    (record)->position = lane_larger((record)->position, {}); \\", s.output("Phi", k));
    for (std::size_t k = 0; k < s.size("chi"); ++k)
      out_.line("    (record)->velocity = lane_larger((record)->velocity, {}); \\", s.output("chi", k));
    if (eq_.energy) {
      const std::string work = eq_.shape.does_work ? " - (y)[LANE_Q + LANE_V]" : "";
      out_.line("    const double now = {}{}; \\", s.output("energy", 0), work);
      out_.line("    (record)->energy = (record)->energy == (record)->energy ? (record)->energy : now; \\");
      out_.line("    (record)->energy_error = lane_larger((record)->energy_error, now - (record)->energy); \\");
    }
    out_.add("  } while (0)\n");
  }

  void write_dense(const FormulaMatrix& matrix, const char* name) {
    for (std::size_t k = 0; k < matrix.entries.size(); ++k) {
      const auto [row, column] = matrix.pattern.entries[k];
      out_.line("  {}[{}] = {};", name, row * matrix.pattern.columns + column, plain_.output(name, k));
    }
  }

  void write_plain() {
    const NamedProgram& d = plain_;
    out_.line(
        "TAUT_FUNCTION void lane_plain(double* r, const double* p, double t, const double* y, double* M, double* H,");
    out_.line("                              double* f, double* b, double* Phi, double* chi) {{");
    out_.line("  int i;");
    out_.line("  for (i = 0; i < LANE_PARAMETERS; ++i) r[{} + i] = p[i];", d.input("parameters"));
    out_.line("  r[{}] = t;", d.input("position"));
    out_.line("  for (i = 0; i < LANE_Q + LANE_V; ++i) r[{} + i] = y[i];", d.input("q"));
    out_.line("  LANE_PLAIN_STATE(r);");
    out_.line("  for (i = 0; i < LANE_V * LANE_V; ++i) M[i] = 0;");
    out_.line("  for (i = 0; i < LANE_ALL_ROWS * LANE_V; ++i) H[i] = 0;");
    write_dense(all_.M, "M");
    write_dense(all_.H, "H");
    copy_out(d, "f", "f");
    copy_out(d, "b", "b");
    copy_out(d, "Phi", "Phi");
    copy_out(d, "chi", "chi");
    out_.line("}}\n");
    out_.function("void lane_plain_rates(const double* r, double* k)", [&] { copy_out(d, "rates", "k"); });
    out_.function("void lane_plain_spread(const double* r, const double* dv, double* q)", [&] {
      if (all_.shape.plain_rates) {
        for (std::size_t k = 0; k < all_.q.size(); ++k) out_.line("  q[{0}] += dv[{0}];", k);
        return;
      }
      for (std::size_t k = 0; k < all_.N.entries.size(); ++k) {
        const auto [row, column] = all_.N.pattern.entries[k];
        out_.line("  q[{}] += {} * dv[{}];", row, d.output("N", k), column);
      }
    });
    out_.function("double lane_plain_power(double* r, const double* a, const double* lambda)", [&] {
      copy_in(d.input("acceleration"), all_.a.size(), "a");
      copy_in(d.input("multipliers"), all_.multipliers.size(), "lambda");
      out_.line("  LANE_PLAIN_ACCELERATION(r);");
      out_.line("  return {};", d.output("power", 0));
    });
  }

  const Equations &all_, &eq_;
  NamedProgram stepping_, plain_;
  bool squared_ = false;
  Writer out_;
};

}  // namespace

/// Few rows may be cheaper one way or the other.
LaneKernel make_lane_kernel(const LaneEquations& lanes, Rows factored) {
  if (factored != Rows::by_number || lanes.kept.shape.rows() == 0) return Emission(lanes, factored).kernel();
  Emission products(lanes, Rows::products), orthonormal(lanes, Rows::orthonormal);
  return products.cost() <= orthonormal.cost() ? products.kernel() : orthonormal.kernel();
}

}  // namespace taut
