#include "expression/written_functions.hpp"

namespace taut {
namespace {

/// 0 before zero, 1 from there on.
Expression write_step(const std::vector<Expression>& given) { return 1 - is_less(given[0], 0); }

/// 0 up to a, 1 from b on, and between them u² (3 − 2u): its rate is continuous, its second derivative jumps at a and
/// b.
Expression write_smoothstep(const std::vector<Expression>& given) {
  const Expression u = min(max((given[0] - given[1]) / (given[2] - given[1]), Expression(0)), Expression(1));
  return u * u * (3 - 2 * u);
}

}  // namespace

const std::vector<WrittenFunction>& written_functions() {
  static const std::vector<WrittenFunction> all{
      {"step", "step(x)", 1, write_step},
      {"smoothstep", "smoothstep(x, from, to)", 3, write_smoothstep},
  };
  return all;
}

Expression is_less(const Expression& a, const Expression& b) { return apply(Op::less, a, b); }

Expression choose(const Expression& condition, const Expression& then, const Expression& otherwise) {
  return condition * then + (1 - condition) * otherwise;
}

}  // namespace taut
