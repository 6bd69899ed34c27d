#include "output/stroboscope.hpp"

#include <algorithm>

#include "expression/program.hpp"

namespace taut {
namespace {

/// The values of all symbols in one row of a trajectory: t, coordinates, rates, speeds, as they were recorded.
std::vector<double> values_of(const Model& model, const std::vector<double>& parameters,
                              const std::vector<double>& row) {
  std::vector<double> values(model.graph->symbols(), 0.0);
  std::size_t k = 0;
  values[model.time] = row[k++];
  for (const auto& c : model.coordinates) values[c.symbol] = row[k++];
  for (const auto& c : model.coordinates) values[c.rate] = row[k++];
  for (const auto& u : model.speeds) values[u.symbol] = row[k++];
  for (std::size_t i = 0; i < parameters.size(); ++i) values[model.parameters[i].symbol] = parameters[i];
  return values;
}

}  // namespace

std::vector<Curve> stroboscope(const Model& model, const std::vector<double>& parameters, const Trajectory& trajectory,
                               int flashes) {
  std::vector<Curve> curves;
  const std::size_t rows = trajectory.rows.size();
  for (int f = 0; f < flashes && rows > 0; ++f) {
    const std::size_t at =
        flashes > 1 ? static_cast<std::size_t>(f) * (rows - 1) / static_cast<std::size_t>(flashes - 1) : 0;
    const auto values = values_of(model, parameters, trajectory.rows[at]);
    for (std::size_t d = 0; d < model.drawing.size(); ++d) {
      const Drawing& drawing = model.drawing[d];
      Curve curve;
      curve.colour = static_cast<int>(d);
      curve.faint = 0.25 + 0.75 * (f + 1.0) / flashes;
      curve.markers = drawing.points.size() == 1;
      for (const auto& point : drawing.points) {
        if (point.size() < 2) continue;
        curve.x.push_back(evaluate(point[0], values));
        curve.y.push_back(evaluate(point[1], values));
      }
      if (drawing.kind == "polygon" && !curve.x.empty()) {
        curve.x.push_back(curve.x.front());
        curve.y.push_back(curve.y.front());
      }
      curves.push_back(std::move(curve));
    }
  }
  return curves;
}

}  // namespace taut
