#include "expression/emit_c.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <iterator>
#include <map>

#include "expression/arithmetic.hpp"

namespace taut {
namespace {

std::string literal(double value) {
  if (std::isnan(value)) return "NAN";
  if (std::isinf(value)) return value > 0 ? "INFINITY" : "(-INFINITY)";
  return std::signbit(value) ? fmt::format("({:a})", value) : fmt::format("{:a}", value);
}

const char* function_name(Op op) {
  switch (op) {
    case Op::power:
      return "pow";
    case Op::tan:
      return "tan";
    case Op::asin:
      return "asin";
    case Op::acos:
      return "acos";
    case Op::atan:
      return "atan";
    case Op::atan2:
      return "atan2";
    case Op::sinh:
      return "sinh";
    case Op::cosh:
      return "cosh";
    case Op::tanh:
      return "tanh";
    case Op::exp:
      return "exp";
    case Op::log:
      return "log";
    case Op::abs:
      return "taut_abs";
    case Op::sign:
      return "taut_sign";
    case Op::min:
      return "taut_min";
    case Op::max:
      return "taut_max";
    case Op::less:
      return "taut_less";
    default:
      return "";
  }
}

/// What style decides: how registers, calls and quotients are written.
class Spelling {
 public:
  explicit Spelling(const CStyle& style) : style_(style) {}

  std::string parameters() const {
    return style_.strided ? "double *r, size_t stride" : style_.quick ? "double *r, int quick" : "double *r";
  }
  const char* arguments() const { return style_.strided ? "r, stride" : style_.quick ? "r, quick" : "r"; }
  /// A call of what may be quick.
  std::string call(const char* name, const char* quick_name, const std::string& operands) const {
    return (style_.quick ? quick_name : name) + ("(" + operands) + (style_.quick ? ", quick)" : ")");
  }
  std::string place(int slot) const { return "r[" + std::to_string(slot) + (style_.strided ? "*stride]" : "]"); }
  std::string qualifier() const { return style_.qualifier.empty() ? "" : style_.qualifier + " "; }
  std::string quotient(const std::string& a, const std::string& b) const {
    return style_.quick ? call("", "taut_over", a + ", " + b) : a + " / " + b;
  }
  std::string reciprocal(const std::string& a) const { return style_.quick ? call("", "taut_inverse", a) : "1 / " + a; }

 private:
  const CStyle& style_;
};

class Emitter {
 public:
  Emitter(const Program& program, const std::string& name, const CStyle& style)
      : program_(program), name_(name), style_(style), spelling_(style), part_of_(count(program.registers()), no_part) {
    loaded_ = part_of_;
    kept_.resize(part_of_.size());
    done_.resize(part_of_.size());
    for (int level = 0; level < program.levels(); ++level) levels_.push_back(parts(level));
    cut();
    find_kept();
  }

  std::string emit() {
    for (int level = 0; level < program_.levels(); ++level) emit_level(level);
    return std::move(text_);
  }

 private:
  using Code = std::span<const Instruction>;
  static constexpr int no_part = -1;

  static std::size_t count(int n) { return static_cast<std::size_t>(n); }

  template <class... Arguments>
  void write(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
  }

  // ---- which part computes what ---------------------------------------------------------------

  /// Sine and cosine of one argument.
  struct Pair {
    int argument = -1, sine = -1, cosine = -1;
  };
  /// A piece of a level's code that becomes one function, and pairs that it computes first, several at a time.
  struct Part {
    Code code;
    std::vector<Pair> early;
  };

  /// Long levels have their early pairs in a part of their own, for all the others.
  std::vector<Part> parts(int level) {
    const Code code = program_.code(level);
    std::vector<Pair> early = early_pairs(code);
    if (code.size() <= style_.longest_function) {
      if (code.empty()) return {};
      return {{code, std::move(early)}};
    }
    std::vector<Part> all;
    if (!early.empty()) all.push_back({{}, std::move(early)});
    for (Code left = code; !left.empty(); left = left.subspan(all.back().code.size()))
      all.push_back({left.first(std::min(left.size(), style_.longest_function)), {}});
    return all;
  }

  /// Those whose arguments are there when the level begins. They are marked as done.
  std::vector<Pair> early_pairs(Code code) {
    std::map<int, Pair> found;
    std::vector<bool> own(part_of_.size());
    for (const auto& step : code) {
      own[count(step.target)] = true;
      if (step.op == Op::sin) found[step.a].sine = step.target;
      if (step.op == Op::cos) found[step.a].cosine = step.target;
    }
    std::vector<Pair> early;
    for (auto& [argument, pair] : found)
      if (pair.sine >= 0 && pair.cosine >= 0 && !own[count(argument)])
        early.push_back({argument, pair.sine, pair.cosine});
    if (early.size() < 2) return {};
    for (const Pair& pair : early) done_[count(pair.sine)] = done_[count(pair.cosine)] = true;
    return early;
  }

  template <class Visit>
  void for_each_part(Visit visit) const {
    int number = 0;
    for (const auto& all : levels_)
      for (const Part& part : all) visit(number++, part);
  }

  void cut() {
    for_each_part([this](int number, const Part& part) {
      for (const auto& step : part.code)
        if (!done_[count(step.target)]) part_of_[count(step.target)] = number;
      for (const Pair& pair : part.early) part_of_[count(pair.sine)] = part_of_[count(pair.cosine)] = number;
    });
  }

  /// A result is written to its register if it is an output or another part reads it.
  void find_kept() {
    for (const int slot : program_.output_slots()) kept_[count(slot)] = true;
    for_each_part([this](int number, const Part& part) {
      const auto read = [&](int slot) {
        if (part_of_[count(slot)] != number) kept_[count(slot)] = true;
      };
      for (const Pair& pair : part.early) read(pair.argument);
      for (const auto& step : part.code) {
        if (done_[count(step.target)]) continue;
        read(step.a);
        read(step.b);
      }
    });
  }

  // ---- functions ------------------------------------------------------------------------------

  void emit_level(int level) {
    const std::vector<Part>& all = levels_[count(level)];
    if (all.empty()) return;
    const std::string name = c_function(name_, level);
    if (all.size() == 1) {
      emit_part(name, fmt::format("{}{}", style_.inlined ? "TAUT_INLINED " : "", spelling_.qualifier()), all.front());
      return;
    }
    // A part that is not inlined: the compiler would otherwise join what was cut.
    const std::string apart =
        (style_.qualifier.starts_with("static") ? "TAUT_APART " : "TAUT_APART static ") + spelling_.qualifier();
    for (std::size_t k = 0; k < all.size(); ++k) emit_part(fmt::format("{}_{}", name, k), apart, all[k]);
    write("{}void {}({}) {{\n", spelling_.qualifier(), name, spelling_.parameters());
    for (std::size_t k = 0; k < all.size(); ++k) write("  {}_{}({});\n", name, k, spelling_.arguments());
    write("}}\n\n");
  }

  void emit_part(const std::string& name, const std::string& before, const Part& part) {
    part_ = next_part_++;
    find_pairs(part.code);
    write("{}void {}({}) {{\n", before, name, spelling_.parameters());
    for (std::size_t k = 0; k < part.early.size(); k += 4)
      emit_early(std::span(part.early).subspan(k, std::min<std::size_t>(4, part.early.size() - k)));
    for (const auto& step : part.code)
      if (!done_[count(step.target)]) emit_step(step);
    write("}}\n\n");
  }

  /// Up to four; a place that is left over repeats the last argument.
  void emit_early(std::span<const Pair> pairs) {
    if (pairs.size() == 1) return emit_pair(operand(pairs[0].argument), pairs[0]);
    std::string arguments[4];
    for (std::size_t k = 0; k < 4; ++k) arguments[k] = operand(pairs[std::min(k, pairs.size() - 1)].argument);
    const int name = pairs[0].sine;
    write("  const double a{0}[4] = {{{1}}};\n  double s{0}[4], c{0}[4];\n  {2};\n", name, fmt::join(arguments, ", "),
          spelling_.call("taut_sincos_four", "taut_pairs_of", fmt::format("a{0}, s{0}, c{0}", name)));
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      define(pairs[k].sine, fmt::format("s{}[{}]", name, k));
      define(pairs[k].cosine, fmt::format("c{}[{}]", name, k));
      keep(pairs[k].sine);
      keep(pairs[k].cosine);
    }
  }

  void find_pairs(Code part) {
    pairs_.clear();
    for (const auto& step : part) {
      if (done_[count(step.target)]) continue;
      if (step.op == Op::sin) pairs_[step.a].sine = step.target;
      if (step.op == Op::cos) pairs_[step.a].cosine = step.target;
    }
    std::erase_if(pairs_, [](const auto& entry) { return entry.second.sine < 0 || entry.second.cosine < 0; });
  }

  // ---- one instruction ------------------------------------------------------------------------

  void emit_step(const Instruction& step) {
    const std::string a = operand(step.a);
    if (step.op == Op::sin || step.op == Op::cos) {
      const auto pair = pairs_.find(step.a);
      if (pair != pairs_.end()) return emit_pair(a, pair->second);
    }
    const std::string value = step.exponent != 0 ? power(step, a) : formula(step, a, operand(step.b));
    define(step.target, value);
    keep(step.target);
  }

  void emit_pair(const std::string& argument, const Pair& pair) {
    write("  const struct taut_pair p{0} = {2};\n  const double x{0} = p{0}.sine, x{1} = p{0}.cosine;\n", pair.sine,
          pair.cosine, spelling_.call("taut_sincos", "taut_pair_of", argument));
    for (const int slot : {pair.sine, pair.cosine}) {
      keep(slot);
      done_[count(slot)] = true;
    }
  }

  // Most of the text is written by these two. They join strings, which is faster than a format: code that is found in
  // the cache is written first.
  void define(int slot, const std::string& value) {
    ((((text_ += "  const double x") += std::to_string(slot)) += " = ") += value) += ";\n";
  }

  void keep(int slot) {
    if (kept_[count(slot)]) ((((text_ += "  ") += spelling_.place(slot)) += " = x") += std::to_string(slot)) += ";\n";
  }

  bool is_constant(int slot) const {
    return slot >= program_.inputs() && count(slot - program_.inputs()) < program_.constants().size();
  }
  double constant(int slot) const { return program_.constants()[count(slot - program_.inputs())]; }

  /// How this part names a register's value; what other parts computed is loaded first.
  std::string operand(int slot) {
    if (is_constant(slot)) return literal(constant(slot));
    if (part_of_[count(slot)] != part_ && loaded_[count(slot)] != part_) {
      loaded_[count(slot)] = part_;
      define(slot, spelling_.place(slot));
    }
    return fmt::format("x{}", slot);
  }

  std::string formula(const Instruction& step, const std::string& a, const std::string& b) const {
    switch (step.op) {
      case Op::negate:
        return "-" + a;
      case Op::add:
        return a + " + " + b;
      case Op::subtract:
        return a + " - " + b;
      case Op::multiply:
        return a + " * " + b;
      case Op::divide:
        return spelling_.quotient(a, b);
      case Op::sin:
        return spelling_.call("taut_sin", "taut_sine_of", a);
      case Op::cos:
        return spelling_.call("taut_cos", "taut_cosine_of", a);
      case Op::sqrt:
        return spelling_.call("taut_sqrt", "taut_root", a);
      default:
        return function_name(step.op) + ("(" + a) + (is_binary(step.op) ? ", " + b : "") + ")";
    }
  }

  /// The products of whole_power, in its order; squares get names of their own.
  std::string power(const Instruction& step, const std::string& a) {
    std::string square = a, product;
    for (int left = std::abs(step.exponent), n = 1; left != 0; left /= 2, n *= 2) {
      if (n > 1) {
        const std::string name = fmt::format("x{}_{}", step.target, n);
        write("  const double {0} = {1} * {1};\n", name, square);
        square = name;
      }
      if (left % 2 != 0) product = product.empty() ? square : "(" + product + " * " + square + ")";
    }
    return step.exponent < 0 ? spelling_.reciprocal(product) : product;
  }

  const Program& program_;
  const std::string& name_;
  const CStyle& style_;
  Spelling spelling_;
  std::string text_;
  std::vector<std::vector<Part>> levels_;
  std::vector<int> part_of_;  ///< of each register that an instruction writes: the part that computes it
  std::vector<int> loaded_;   ///< the last part that loaded this register
  std::vector<bool> kept_, done_;
  std::map<int, Pair> pairs_;  ///< of the part being written, by argument
  int part_ = no_part, next_part_ = 0;
};

}  // namespace

std::string c_prelude() {
  return fmt::format(R"(#include <math.h>
#include <stddef.h>
#include <string.h>

#ifdef __CUDACC__
#define TAUT_INLINE static __device__ __forceinline__
#define TAUT_FUNCTION static __device__ __noinline__
#define TAUT_APART __noinline__
#elif defined(__GNUC__)
#define TAUT_INLINE __attribute__((unused)) static inline
#define TAUT_FUNCTION __attribute__((noinline, unused)) static
#define TAUT_APART __attribute__((noinline))
#define TAUT_INLINED __attribute__((always_inline))
#define taut_sqrt __builtin_sqrt
#define taut_abs __builtin_fabs
#else
#define TAUT_INLINE static inline
#define TAUT_FUNCTION static
#define TAUT_APART
#endif
#ifndef TAUT_INLINED
#define TAUT_INLINED
#endif
#ifndef taut_sqrt
#define taut_sqrt sqrt
#define taut_abs fabs
#endif

{}
{}
TAUT_INLINE double taut_sign(double a) {{ return a > 0 ? 1 : a < 0 ? -1 : a; }}
TAUT_INLINE double taut_min(double a, double b) {{ return a < b || a != a ? a : b; }}
TAUT_INLINE double taut_max(double a, double b) {{ return a > b || a != a ? a : b; }}
TAUT_INLINE double taut_less(double a, double b) {{ return a < b ? 1 : 0; }}

)",
                     sine_cosine_text(), sine_cosine_four_text());
}

std::string c_function(const std::string& name, int level) { return fmt::format("{}_{}", name, level); }

std::string emit_c(const Program& program, const std::string& name, const CStyle& style) {
  return Emitter(program, name, style).emit();
}

}  // namespace taut
