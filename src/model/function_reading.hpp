#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/reading_context.hpp"

namespace taut {

/// function(FORMULA, …), as it stands for the value of an input, and where it was given.
struct FunctionText {
  yaml::PlacedText text;
  const Assignment* assigned = nullptr;  ///< set from outside, …
  const Indices* indices = nullptr;      ///< … or in a model, at these

  std::vector<Expression> arguments(const ReadingContext& in) const;
};

/// None where the input is a value or a formula. What was set from outside stands for what the model gives.
std::optional<FunctionText> function_of_input(const ReadingContext& in, const std::string& name,
                                              const std::optional<Value>& given);

}  // namespace taut
