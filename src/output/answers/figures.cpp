#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/nearest.hpp"
#include "output/answers/answers.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

double value_at(const RestPathPoint& point, std::size_t k) { return point.coordinates[k].value; }

/// The coordinate of that name, or the one that moves most.
std::size_t chosen_coordinate(const RestPath& path, const std::string& name) {
  std::vector<std::string> known;
  std::size_t best = 0;
  double widest = -1;
  for (std::size_t k = 0; k < path.points.front().coordinates.size(); ++k) {
    known.push_back(path.points.front().coordinates[k].name);
    if (known.back() == name) return k;
    const auto [low, high] =
        std::ranges::minmax(path.points, {}, [k](const RestPathPoint& p) { return value_at(p, k); });
    if (value_at(high, k) - value_at(low, k) > widest) {
      widest = value_at(high, k) - value_at(low, k);
      best = k;
    }
  }
  if (!name.empty()) throw InputError("there is no coordinate '" + name + "'", did_you_mean(name, known));
  return best;
}

}  // namespace

std::vector<Plot> to_plots(const RestPath& answer, const std::string& coordinate) {
  if (answer.points.empty()) return {};
  const std::size_t k = chosen_coordinate(answer, coordinate);
  Plot plot{answer.model, answer.over, answer.points.front().coordinates[k].name};
  for (std::size_t i = 0; i < answer.points.size(); ++i) {
    const RestPathPoint& point = answer.points[i];
    const bool same_branch = i > 0 && answer.points[i - 1].branch == point.branch;
    if (!same_branch || answer.points[i - 1].stable != point.stable) {
      Curve curve{""};
      curve.line = point.stable ? Line::solid : Line::dashed;
      curve.colour = point.branch - 1;
      if (same_branch) {
        curve.x.push_back(answer.points[i - 1].parameter);
        curve.y.push_back(value_at(answer.points[i - 1], k));
      }
      plot.curves.push_back(curve);
    }
    plot.curves.back().x.push_back(point.parameter);
    plot.curves.back().y.push_back(value_at(point, k));
  }
  return {plot};
}

std::vector<Plot> to_plots(const RootLocus& answer) {
  Plot plot{answer.model + " over " + answer.over, "real part in 1/s", "imaginary part in 1/s"};
  const std::size_t count = answer.eigenvalues.empty() ? 0 : answer.eigenvalues.front().size();
  for (std::size_t k = 0; k < count; ++k) {
    Curve curve{""};
    curve.mark = Mark::dot;
    curve.line = Line::none;
    curve.colour = 0;
    for (const auto& row : answer.eigenvalues) {
      if (k >= row.size()) continue;
      curve.x.push_back(row[k].real());
      curve.y.push_back(row[k].imag());
    }
    plot.curves.push_back(curve);
  }
  for (const LocusCrossing& one : answer.crossings) {
    Curve limit{fmt::format("{} = {:.6g}", answer.over, one.value), {one.eigenvalue.real()}, {one.eigenvalue.imag()}};
    limit.mark = Mark::circle;
    limit.line = Line::none;
    plot.curves.push_back(limit);
  }
  return {plot};
}

std::vector<Plot> to_plots(const FrequencyResponse& answer) {
  Plot amplitude{answer.model, "frequency in Hz", "amplitude"}, phase{"", "frequency in Hz", "phase in degrees"};
  amplitude.log_x = amplitude.log_y = phase.log_x = true;
  for (std::size_t i = 0; i < answer.outputs.size(); ++i)
    for (std::size_t k = 0; k < answer.inputs.size(); ++k) {
      Curve size{fmt::format("{} to {}", answer.outputs[i], answer.inputs[k]), answer.frequencies, {}}, turn = size;
      double last = 0;
      for (const auto& at : answer.response) {
        const auto value = at(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k));
        size.y.push_back(std::abs(value));
        double angle = std::arg(value) * 180 / std::numbers::pi;
        angle -= 360 * std::round((angle - last) / 360);  // without leaps
        turn.y.push_back(last = angle);
      }
      amplitude.curves.push_back(size);
      phase.curves.push_back(turn);
    }
  return {amplitude, phase};
}

}  // namespace taut
