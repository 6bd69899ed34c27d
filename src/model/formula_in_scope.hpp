#pragma once

#include "model/scope.hpp"

namespace taut {

/// A formula where it stands in a model: what it may depend on there, and the repetitions and the part around it. Finds
/// what its names and calls mean, and refuses what may not stand there. Refers to all that it is made of.
class FormulaInScope {
 public:
  FormulaInScope(const Scope& scope, const Context& context, const Indices& indices)
      : scope_(scope), context_(context), indices_(indices) {}

  /// For the parser; good as long as this.
  Names names() const;
  /// point(BODY, [X, Y, Z]) or velocity(BODY, [X, Y, Z]), all components.
  Vector3 vector(const Call& called, const Place& place) const;

 private:
  Expression meaning(const std::string& name, const Place& place) const;
  Expression call(const Call& called, const Place& place) const;
  Expression vector_component(const Call& called, const Place& place) const;
  Expression time_derivative(const std::string& name, const Place& place) const;
  Expression multiplier(const std::string& name, const Place& place) const;

  const Scope& scope_;
  const Context& context_;
  const Indices& indices_;
};

/// "an acceleration" and so on: the most telling among several kinds.
std::string_view described(Kinds kinds);
/// Names of the whole model as a part writes them; those that it does not see are left out.
std::vector<std::string> seen_from(const Instance* part, const std::vector<std::string>& names);
/// Without the space around it.
std::string trimmed(const std::string& text);

}  // namespace taut
