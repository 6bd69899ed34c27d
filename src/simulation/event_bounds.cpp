#include "simulation/event_bounds.hpp"

#include "model/functions.hpp"

namespace taut {
namespace {

std::vector<NodeId> formulas_of_events(const Model& model) {
  std::vector<NodeId> roots;
  for (const auto& event : model.events) roots.push_back(event.value.in(*model.graph));
  return roots;
}

}  // namespace

EventBounds::EventBounds(const Model& model, std::span<const double> parameters)
    : formulas_(*model.graph, formulas_of_events(model), numbers_of(model, parameters)),
      symbols_(*model.graph, formulas_.symbols(), own_speeds(model)),
      follow_inputs_(depend_on_inputs(*model.graph, formulas_of_events(model))) {
  for (const auto& event : model.events)
    known_.push_back(!depends_on_more_than_state(event.value) && !depends_on_functions(model, event.value));
}

bool EventBounds::may_vanish(int event, double from, double to) {
  const double h = to_.t - from_.t;
  if (!(h > 0)) return false;
  const auto box = symbols_.box(StepPath(from_, to_), (from - from_.t) / h, (to - from_.t) / h);
  const Interval bound = formulas_.over(box)[static_cast<std::size_t>(event)];
  return bound.is_finite() && bound.contains(0);
}

bool EventBounds::is_rounding(int event, const PathPoint& at) {
  const Interval bound = formulas_.over(symbols_.box_around(at))[static_cast<std::size_t>(event)];
  return bound.contains(0);
}

}  // namespace taut
