#pragma once

#include <string_view>
#include <vector>

#include "taut/expression.hpp"

/// Functions of formulas that are not operations of their own, but written in those that are. Their kinks are those of
/// the operations, so that steps end there.
namespace taut {

struct WrittenFunction {
  std::string_view name, usage;  ///< how it is called
  int arguments;
  Expression (*write)(const std::vector<Expression>& arguments);
};

/// step and smoothstep.
const std::vector<WrittenFunction>& written_functions();

/// 1 where a < b, else 0.
Expression is_less(const Expression& a, const Expression& b);
/// `then` where `condition` is 1, `otherwise` where it is 0. Both are computed, whichever holds.
Expression choose(const Expression& condition, const Expression& then, const Expression& otherwise);

}  // namespace taut
