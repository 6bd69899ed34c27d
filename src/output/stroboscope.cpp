#include "output/stroboscope.hpp"

#include <Eigen/Geometry>
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

/// Where a drawing is at these values, seen along z.
void place(const Model& model, const Drawing& drawing, const std::vector<double>& values, Curve& curve) {
  for (const auto& point : drawing.points) {
    if (point.size() < 2) continue;
    curve.x.push_back(evaluate(point[0], values));
    curve.y.push_back(evaluate(point[1], values));
  }
  if (drawing.solid) {
    for (const Eigen::Vector3d& point : Outline(model, values, drawing).points()) {
      curve.x.push_back(point.x());
      curve.y.push_back(point.y());
    }
  }
  if (drawing.kind == "polygon" && !curve.x.empty()) {
    curve.x.push_back(curve.x.front());
    curve.y.push_back(curve.y.front());
  }
  curve.markers = curve.x.size() == 1;
}

}  // namespace

std::vector<Curve> stroboscope(const Model& model, const std::vector<double>& parameters, const Trajectory& trajectory,
                               int flashes) {
  std::vector<Curve> curves;
  const std::vector<Drawing> drawings = model.drawing.empty() ? default_drawing(model) : model.drawing;
  const std::size_t rows = trajectory.rows.size();
  for (int f = 0; f < flashes && rows > 0; ++f) {
    const std::size_t at =
        flashes > 1 ? static_cast<std::size_t>(f) * (rows - 1) / static_cast<std::size_t>(flashes - 1) : 0;
    const auto values = values_of(model, parameters, trajectory.rows[at]);
    for (std::size_t d = 0; d < drawings.size(); ++d) {
      const Drawing& drawing = drawings[d];
      Curve curve;
      curve.colour = static_cast<int>(d);
      curve.faint = 0.25 + 0.75 * (f + 1.0) / flashes;
      place(model, drawing, values, curve);
      curves.push_back(std::move(curve));
    }
  }
  return curves;
}

}  // namespace taut
