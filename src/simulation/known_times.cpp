#include "simulation/known_times.hpp"

#include <algorithm>
#include <cmath>

#include "expression/derivative.hpp"
#include "expression/formulas_of_time.hpp"
#include "simulation/kink_times.hpp"
#include "simulation/model_parts.hpp"
#include "simulation/resolution.hpp"

namespace taut {
namespace {

std::vector<double> values_by_symbol(const Model& model, std::span<const double> parameters) {
  std::vector<double> values(model.graph->symbols());
  for (std::size_t k = 0; k < parameters.size(); ++k) values[model.parameters[k].symbol] = parameters[k];
  return values;
}

class KnownTimesSearch {
 public:
  KnownTimesSearch(const Model& model, std::span<const double> parameters, double from, double until)
      : model_(model),
        from_(from),
        until_(until),
        values_(values_by_symbol(model, parameters)),
        parts_(parts_of(model)) {
    std::vector<NodeId> roots;
    for (const ModelPart& part : parts_) roots.push_back(part.formula.in(*model.graph));
    formulas_ = formulas_of_time(model.graph, roots, model.time);
  }

  KnownTimes find() {
    for (const NodeId function : formulas_.kinks) find_kinks(function);
    known_.schedule.stops = joined(std::move(known_.schedule.stops));
    for (const NodeId term : formulas_.terms) find_changes(term);
    return std::move(known_);
  }

 private:
  EnclosedFormula enclosed(NodeId id) const { return {*formulas_.graph, id, model_.time, values_}; }

  void find_kinks(NodeId function) {
    EnclosedFormula formula = enclosed(function);
    bool all_found = true;
    const auto stops = kink_times(formula, from_, until_, all_found);
    auto& all = known_.schedule.stops;
    all.insert(all.end(), stops.begin(), stops.end());
    // Where they are too many to end steps at, steps are at least shorter than from one to the next.
    auto& bounds = known_.schedule.bounds;
    if (!all_found) bounds = both(bounds, {{from_, 0.25 * (until_ - from_) / most_stops}});
  }

  void find_changes(NodeId term) {
    EnclosedFormula formula = enclosed(term);
    const auto bounds = step_bounds(formula, from_, until_);
    const auto shortest = std::ranges::min_element(bounds, {}, &StepBound::longest);
    if (shortest == bounds.end() || !std::isfinite(shortest->longest)) return;
    known_.finest.push_back({where(term), shortest->from, shortest->longest});
    known_.schedule.bounds = both(known_.schedule.bounds, bounds);
  }

  std::string where(NodeId term) const {
    for (const ModelPart& part : parts_)
      if (std::ranges::binary_search(reachable(*model_.graph, {part.formula.in(*model_.graph)}), term))
        return part.where;
    return {};
  }

  const Model& model_;
  double from_, until_;
  std::vector<double> values_;
  std::vector<ModelPart> parts_;
  FormulasOfTime formulas_;
  KnownTimes known_;
};

}  // namespace

KnownTimes find_known_times(const Model& model, std::span<const double> parameters, double from, double until) {
  if (!(until > from)) return {};
  return KnownTimesSearch(model, parameters, from, until).find();
}

}  // namespace taut
