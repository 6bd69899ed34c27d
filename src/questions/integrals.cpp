#include "questions/integrals.hpp"

#include <algorithm>

#include "expression/derivative.hpp"
#include "model/declare.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

bool has_kinks(const Model& model, const Expression& formula) {
  if (!formula.graph()) return false;
  return std::ranges::any_of(reachable(*model.graph, {formula.in(*model.graph)}), [&](NodeId id) {
    const Op op = model.graph->node(id).op;
    return op == Op::abs || op == Op::sign || op == Op::min || op == Op::max || op == Op::less;
  });
}

bool has_accelerations(const Model& model, const Expression& formula) {
  return std::ranges::any_of(symbols_of(formula), [&](SymbolId s) {
    const SymbolKind kind = model.graph->info(s).kind;
    return kind == SymbolKind::acceleration || kind == SymbolKind::multiplier;
  });
}

/// The state that an output adds up to, which may be there already.
std::string integral_of(Model& model, const Output& of) {
  const std::string name = "integral." + of.name;
  if (std::ranges::find(model.speeds, name, &Speed::name) != model.speeds.end()) return name;
  Speed& state = add_part_speed(model, "integral", of.name, of.place);
  state.is_state = true;
  state.claim = InitialClaim::given;
  state.force = of.value;
  return name;
}

}  // namespace

WithIntegrals with_integrals_of_kinks(const Model& model, std::vector<Target> targets) {
  WithIntegrals all{model, std::move(targets)};
  for (Target& target : all.targets) {
    if (target.kind == TargetKind::last) continue;
    const auto of = std::ranges::find(model.outputs, target.of, &Output::name);
    if (of == model.outputs.end() || !has_kinks(model, of->value)) continue;
    const bool is_integral = target.kind == TargetKind::integral, accelerates = has_accelerations(model, of->value);
    if (is_integral && accelerates)
      throw InputError(of->place, "output '" + of->name + "' has kinks, and accelerations or multipliers in them",
                       "ask for the integral of one without kinks");
    const std::string state = accelerates ? "" : integral_of(all.model, *of);
    if (is_integral) target = {TargetKind::last, state};
  }
  return all;
}

}  // namespace taut
