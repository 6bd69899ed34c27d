#include "simulation/state_formulas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "expression/derivative.hpp"
#include "model/functions.hpp"
#include "system/parametrised_system.hpp"

namespace taut {

StateFormulas::StateFormulas(const Model& model, System& system, const std::vector<Expression>& formulas)
    : system_(&system), list_(*model.graph, formulas) {
  bind(model, system.shape(), formulas);
  need_driven_ =
      std::ranges::any_of(formulas, [&](const Expression& formula) { return depends_on_functions(model, formula); });
  values_.reserve(formulas.size());
}

void StateFormulas::bind(const Model& model, const Shape& shape, const std::vector<Expression>& formulas) {
  using Kind = Source::Kind;
  std::unordered_map<SymbolId, Source> known;
  const auto know = [&](SymbolId symbol, Kind kind, std::size_t index) {
    known.emplace(symbol, Source{kind, static_cast<Eigen::Index>(index), symbol});
  };
  know(model.time, Kind::time, 0);
  for (std::size_t k = 0; k < model.parameters.size(); ++k) know(model.parameters[k].symbol, Kind::parameter, k);
  std::size_t speeds = 0;
  for (std::size_t k = 0; k < model.coordinates.size(); ++k) {
    const Coordinate& x = model.coordinates[k];
    know(x.symbol, Kind::coordinate, k);
    know(x.rate, Kind::rate, k);
    if (!x.kinematics) know(x.acceleration, Kind::acceleration, speeds++);
  }
  for (const Speed& u : model.speeds) {
    know(u.symbol, Kind::speed, speeds);
    know(u.acceleration, Kind::acceleration, speeds++);
  }
  std::unordered_map<std::string, SymbolId> multipliers;
  for (const Constraint& constraint : model.constraints) multipliers[constraint.name] = constraint.multiplier;
  for (std::size_t k = 0; k < shape.constraints.size(); ++k)
    know(multipliers.at(shape.constraints[k]), Kind::multiplier, k);

  std::unordered_set<SymbolId> bound;
  for (const Expression& formula : formulas)
    for (const SymbolId symbol : symbols_of(formula)) {
      if (!bound.insert(symbol).second) continue;
      const auto found = known.find(symbol);
      if (found == known.end())
        throw InputError(
            fmt::format("'{}' cannot be sampled: it is no value of the state", model.graph->info(symbol).name),
            "use coordinates, rates, speeds, their accelerations and multipliers");
      sources_.push_back(found->second);
      const Kind kind = found->second.kind;
      need_accelerations_ = need_accelerations_ || kind == Kind::acceleration || kind == Kind::multiplier;
    }
}

double StateFormulas::value(const Source& source, const ObservedState& at, const std::vector<double>& parameters) {
  using Kind = Source::Kind;
  switch (source.kind) {
    case Kind::time:
      return at.t;
    case Kind::parameter:
      return parameters[static_cast<std::size_t>(source.index)];
    case Kind::coordinate:
      return at.q[source.index];
    case Kind::rate:
      return at.qdot[source.index];
    case Kind::speed:
      return at.v[source.index];
    case Kind::acceleration:
      return at.a[source.index];
    case Kind::multiplier:
      return at.lambda[source.index];
  }
  return 0;
}

const std::vector<double>& StateFormulas::evaluate(const ObservedState& at, const std::vector<double>& parameters) {
  if (need_driven_) {
    with_driven_ = parameters;
    find_driven(*system_, at.t, at.q, at.v, with_driven_);
  }
  const std::vector<double>& known = need_driven_ ? with_driven_ : parameters;
  for (const Source& source : sources_) list_[source.symbol] = value(source, at, known);
  list_.evaluate(values_);
  return values_;
}

}  // namespace taut
