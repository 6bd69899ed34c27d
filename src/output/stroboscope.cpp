#include "output/stroboscope.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "expression/program.hpp"
#include "output/thinning.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

/// Rows of t, coordinates, rates and speeds in the model's own order: a run in joint coordinates has recorded those of
/// the joints first.
std::vector<std::vector<double>> rows_in_order(const Model& model, const Trajectory& trajectory) {
  std::vector<std::string> names{"t"};
  for (const auto& c : model.coordinates) names.push_back(c.name);
  for (const auto& c : model.coordinates) names.push_back(c.name + "'");
  for (const auto& u : model.speeds) names.push_back(u.name);
  const auto& columns = trajectory.columns;
  if (std::ranges::mismatch(names, columns).in1 == names.end()) return trajectory.rows;
  std::vector<std::size_t> places;
  for (const std::string& name : names)
    places.push_back(static_cast<std::size_t>(std::ranges::find(columns, name) - columns.begin()));
  std::vector<std::vector<double>> rows;
  for (const auto& recorded : trajectory.rows) {
    std::vector<double>& row = rows.emplace_back();
    for (const std::size_t k : places) row.push_back(k < recorded.size() ? recorded[k] : 0);
  }
  return rows;
}

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

/// The outline of a solid that a body carries, seen along z: a box by its edges, a cylinder by its axis, anything else
/// by the place where it is.
class Outline {
 public:
  Outline(const Model& model, const std::vector<double>& values, const Drawing& drawing)
      : values_(values), drawing_(drawing) {
    if (drawing.body == "ground") return;
    const Body& body = model.bodies[static_cast<std::size_t>(find_body(model, drawing.body))];
    origin_ = value(body.position);
    for (int k = 0; k < 3; ++k) axes_.col(k) = value(body.axes.columns[static_cast<std::size_t>(k)]);
  }

  std::vector<Eigen::Vector3d> points() const {
    const auto length = [&](std::size_t k) { return evaluate(drawing_.solid->size[k], values_); };
    if (drawing_.kind == "cylinder") {
      const double half = length(1) / 2;
      return {place({0, 0, -half}), place({0, 0, half})};
    }
    if (drawing_.kind != "box") return {place({0, 0, 0})};
    const double a = length(0) / 2, b = length(1) / 2, c = length(2) / 2;
    // One way along all twelve edges, of which three are passed twice.
    const std::vector<Eigen::Vector3d> way{
        {-a, -b, -c}, {a, -b, -c}, {a, b, -c}, {-a, b, -c}, {-a, -b, -c}, {-a, -b, c}, {a, -b, c}, {a, -b, -c},
        {a, -b, c},   {a, b, c},   {a, b, -c}, {a, b, c},   {-a, b, c},   {-a, b, -c}, {-a, b, c}, {-a, -b, c}};
    std::vector<Eigen::Vector3d> points;
    for (const Eigen::Vector3d& corner : way) points.push_back(place(corner));
    return points;
  }

 private:
  Eigen::Vector3d value(const Vector3& a) const {
    return {evaluate(a.x, values_), evaluate(a.y, values_), evaluate(a.z, values_)};
  }
  /// Where a point of the solid is in the world.
  Eigen::Vector3d place(const Eigen::Vector3d& in_solid) const {
    const auto& [w, x, y, z] = drawing_.solid->orientation;
    const Eigen::Quaterniond turn(evaluate(w, values_), evaluate(x, values_), evaluate(y, values_),
                                  evaluate(z, values_));
    return origin_ + axes_ * (value(drawing_.solid->at) + turn * in_solid);
  }

  const std::vector<double>& values_;
  const Drawing& drawing_;
  Eigen::Vector3d origin_ = Eigen::Vector3d::Zero();
  Eigen::Matrix3d axes_ = Eigen::Matrix3d::Identity();
};

/// A circle by its centre and a point on it; a third point, or else the x-y plane, says how it lies.
std::vector<Eigen::Vector3d> circle(const std::vector<Eigen::Vector3d>& points) {
  constexpr int parts = 48;
  const Eigen::Vector3d first = points[1] - points[0];
  const Eigen::Vector3d normal =
      points.size() > 2 ? first.cross(points[2] - points[0]).normalized() : Eigen::Vector3d::UnitZ();
  const Eigen::Vector3d second = normal.cross(first);
  std::vector<Eigen::Vector3d> rim;
  for (int k = 0; k <= parts; ++k) {
    const double angle = 2 * std::numbers::pi * k / parts;
    rim.emplace_back(points[0] + std::cos(angle) * first + std::sin(angle) * second);
  }
  return rim;
}

/// The points of a drawing at these values, in space, in the order in which a line goes through them.
std::vector<Eigen::Vector3d> points_of(const Model& model, const Drawing& drawing, const std::vector<double>& values) {
  if (drawing.is_carried()) return Outline(model, values, drawing).points();
  std::vector<Eigen::Vector3d> points;
  for (const auto& point : drawing.points) {
    if (point.size() < 2) continue;
    points.emplace_back(evaluate(point[0], values), evaluate(point[1], values),
                        point.size() > 2 ? evaluate(point[2], values) : 0);
  }
  if (drawing.kind == "circle" && points.size() > 1) return circle(points);
  if (drawing.kind == "polygon" && !points.empty()) points.push_back(points.front());
  return points;
}

/// Of what there is to draw, that which says something as a line.
std::vector<Drawing> drawn_as_lines(const Model& model) {
  std::vector<Drawing> drawings = whole_drawing(model);
  const auto is_small = [](const Drawing& drawing) {
    const bool is_body = drawing.role.empty() || !drawing.is_carried();
    const bool is_line = drawing.kind != "sphere" && drawing.kind != "gear" && drawing.kind != "turn";
    return !drawing.role.empty() && (!is_body || !is_line);
  };
  std::erase_if(drawings, is_small);
  return drawings;
}

/// What is to the right and what is up, for one who looks.
class Eye {
 public:
  explicit Eye(const View& view) {
    const double a = view.azimuth * std::numbers::pi / 180, e = view.elevation * std::numbers::pi / 180;
    right_ = {-std::sin(a), std::cos(a), 0};
    up_ = {-std::sin(e) * std::cos(a), -std::sin(e) * std::sin(a), std::cos(e)};
  }

  void see(const std::vector<Eigen::Vector3d>& points, Curve& curve) const {
    for (const Eigen::Vector3d& point : points) {
      curve.x.push_back(right_.dot(point));
      curve.y.push_back(up_.dot(point));
    }
  }

 private:
  Eigen::Vector3d right_, up_;
};

/// The recorded row at a time: coordinates on the cubics that their rates give, the rest on straight lines.
std::vector<double> row_at(const Model& model, const std::vector<std::vector<double>>& rows, double t) {
  const auto after =
      std::lower_bound(rows.begin(), rows.end(), t, [](const auto& row, double at) { return row[0] < at; });
  if (after == rows.begin()) return rows.front();
  if (after == rows.end()) return rows.back();
  const auto &a = *(after - 1), &b = *after;
  const double h = b[0] - a[0], s = h > 0 ? (t - a[0]) / h : 1;
  std::vector<double> row(a.size());
  for (std::size_t k = 0; k < row.size(); ++k) row[k] = a[k] + s * (b[k] - a[k]);
  const auto n = static_cast<std::ptrdiff_t>(model.coordinates.size());
  const auto state = [n](const auto& from) { return std::vector<double>(from.begin() + 1, from.begin() + 1 + 2 * n); };
  std::ranges::copy(row_between(state(a), state(b), h, s), row.begin() + 1);
  return row;
}

/// The moments at which the light flashes.
std::vector<double> moments(const Flashes& flashes, const std::vector<std::vector<double>>& rows) {
  if (rows.empty()) return {};
  const double from = std::max(flashes.from, rows.front()[0]), to = std::min(flashes.to, rows.back()[0]);
  if (from > to)
    throw InputError(fmt::format("the run has nothing between {:g} s and {:g} s", flashes.from, flashes.to),
                     fmt::format("it goes from {:g} s to {:g} s", rows.front()[0], rows.back()[0]));
  // A last flash that rounding puts just behind the end is one, too.
  const int count =
      flashes.every ? static_cast<int>(std::floor((to - from) / *flashes.every + 1e-9)) + 1 : flashes.count;
  const double every = flashes.every ? *flashes.every : (to - from) / std::max(1, count - 1);
  std::vector<double> times;
  for (int k = 0; k < count; ++k) times.push_back(std::min(from + k * every, to));
  return times;
}

}  // namespace

std::vector<Curve> stroboscope(const Model& model, const std::vector<double>& parameters, const Trajectory& trajectory,
                               const Flashes& flashes) {
  const std::vector<Drawing> drawings = drawn_as_lines(model);
  const std::vector<std::vector<double>> rows = rows_in_order(model, trajectory);
  const std::vector<double> times = moments(flashes, rows);
  const Eye eye(flashes.view);
  std::vector<Curve> curves;
  std::vector<std::size_t> last(drawings.size(), std::numeric_limits<std::size_t>::max());  // the curve of each
  for (std::size_t f = 0; f < times.size(); ++f) {
    const auto values = values_of(model, parameters, row_at(model, rows, times[f]));
    const double share = static_cast<double>(f + 1) / static_cast<double>(times.size());
    for (std::size_t d = 0; d < drawings.size(); ++d) {
      Curve curve;
      curve.colour = static_cast<int>(d);
      curve.paint = drawings[d].color;
      curve.line = flashes.line;
      curve.faint = flashes.fade ? 0.25 + 0.75 * share : 1;
      eye.see(points_of(model, drawings[d], values), curve);
      if (curve.x.size() == 1) curve.mark = Mark::dot;
      if (last[d] < curves.size() && curves[last[d]].x == curve.x && curves[last[d]].y == curve.y) {
        curves[last[d]].faint = curve.faint;
        continue;
      }
      last[d] = curves.size();
      curves.push_back(std::move(curve));
    }
  }
  return curves;
}

}  // namespace taut
