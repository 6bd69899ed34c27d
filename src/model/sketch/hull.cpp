#include "model/sketch/hull.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

namespace taut {

using Eigen::Vector3d;

namespace {

double distance_to_segment(const Vector3d& a, const Vector3d& b, const Vector3d& p) {
  const Vector3d along = b - a;
  const double square = along.squaredNorm();
  const double share = square > 0 ? std::clamp((p - a).dot(along) / square, 0.0, 1.0) : 0.0;
  return (p - a - share * along).norm();
}

/// To the inside of a triangle; infinite where the foot of the perpendicular is outside.
double distance_to_inside(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& p) {
  const Vector3d normal = (b - a).cross(c - a);
  const double square = normal.squaredNorm();
  if (!(square > 0)) return std::numeric_limits<double>::infinity();
  const double u = (c - b).cross(p - b).dot(normal) / square, v = (a - c).cross(p - c).dot(normal) / square;
  if (u < 0 || v < 0 || u + v > 1) return std::numeric_limits<double>::infinity();
  return std::abs((p - a).dot(normal)) / std::sqrt(square);
}

std::array<float, 3> corner(const Vector3d& p) {
  return {static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(p.z())};
}

void add_face(Mesh& mesh, const std::vector<Vector3d>& corners) {
  const int first = static_cast<int>(mesh.vertices.size());
  for (const Vector3d& p : corners) mesh.vertices.push_back(corner(p));
  for (int k = 1; k + 1 < static_cast<int>(corners.size()); ++k)
    mesh.triangles.push_back({first, first + k, first + k + 1});
}

/// A unit vector across all points, if they are in a plane but for a tolerance.
std::optional<Vector3d> normal_of(const std::vector<Vector3d>& points, double tolerance) {
  Vector3d normal = Vector3d::Zero();
  for (std::size_t i = 1; i < points.size(); ++i)
    for (std::size_t j = i + 1; j < points.size(); ++j) {
      const Vector3d across = (points[i] - points[0]).cross(points[j] - points[0]);
      if (across.norm() > normal.norm()) normal = across;
    }
  if (!(normal.norm() > 0)) return std::nullopt;
  normal.normalize();
  for (const Vector3d& p : points)
    if (std::abs((p - points[0]).dot(normal)) > tolerance) return std::nullopt;
  return normal;
}

}  // namespace

double longest_span(const std::vector<Vector3d>& points) {
  double longest = 0;
  for (const Vector3d& a : points)
    for (const Vector3d& b : points) longest = std::max(longest, (a - b).norm());
  return longest;
}

double distance_from(const std::vector<Vector3d>& points, const Vector3d& place) {
  double nearest = std::numeric_limits<double>::infinity();
  const std::size_t n = std::min<std::size_t>(points.size(), 16);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i; j < n; ++j) {
      nearest = std::min(nearest, distance_to_segment(points[i], points[j], place));
      for (std::size_t k = j + 1; k < n; ++k)
        nearest = std::min(nearest, distance_to_inside(points[i], points[j], points[k], place));
    }
  return nearest;
}

std::optional<std::pair<Vector3d, Vector3d>> ends_of_line(const std::vector<Vector3d>& points, double tolerance) {
  std::pair<Vector3d, Vector3d> ends{points[0], points[0]};
  for (const Vector3d& a : points)
    for (const Vector3d& b : points)
      if ((a - b).norm() > (ends.first - ends.second).norm()) ends = {a, b};
  for (const Vector3d& p : points)
    if (distance_to_segment(ends.first, ends.second, p) > tolerance) return std::nullopt;
  return ends;
}

/// Andrew's monotone chain.
std::optional<std::vector<Vector3d>> rim_of_plane(const std::vector<Vector3d>& points, double tolerance) {
  const auto normal = normal_of(points, tolerance);
  if (!normal) return std::nullopt;
  const Vector3d e1 = normal->unitOrthogonal(), e2 = normal->cross(e1);
  std::vector<Vector3d> order = points;
  std::ranges::sort(order, [&](const Vector3d& a, const Vector3d& b) {
    return std::pair(a.dot(e1), a.dot(e2)) < std::pair(b.dot(e1), b.dot(e2));
  });
  const auto turns_left = [&](const Vector3d& a, const Vector3d& b, const Vector3d& c) {
    return (b - a).cross(c - b).dot(*normal) > 1e-12 * (b - a).norm() * (c - b).norm();
  };
  std::vector<Vector3d> rim;
  for (const int way : {0, 1}) {
    const std::size_t from = rim.size();
    for (const Vector3d& p : order) {
      while (rim.size() >= from + 2 && !turns_left(rim[rim.size() - 2], rim.back(), p)) rim.pop_back();
      rim.push_back(p);
    }
    rim.pop_back();  // the next way begins there
    if (way == 0) std::ranges::reverse(order);
  }
  return rim;
}

Mesh plate_of(const std::vector<Vector3d>& rim, double thickness) {
  const Vector3d normal = (rim[1] - rim[0]).cross(rim[2] - rim[1]).normalized(), half = thickness / 2 * normal;
  std::vector<Vector3d> top, bottom;
  for (const Vector3d& p : rim) {
    top.emplace_back(p + half);
    bottom.emplace_back(p - half);
  }
  Mesh mesh;
  add_face(mesh, top);
  add_face(mesh, {bottom.rbegin(), bottom.rend()});
  for (std::size_t k = 0; k < rim.size(); ++k) {
    const std::size_t next = (k + 1) % rim.size();
    add_face(mesh, {bottom[k], bottom[next], top[next], top[k]});
  }
  return mesh;
}

/// Three points are a face if all others are on one side: of four and more in one plane, fans are several times the
/// same face, which does no harm.
Mesh hull_of(const std::vector<Vector3d>& points) {
  Mesh mesh;
  const double tolerance = 1e-9 * longest_span(points);
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = i + 1; j < points.size(); ++j)
      for (std::size_t k = j + 1; k < points.size(); ++k) {
        const Vector3d normal = (points[j] - points[i]).cross(points[k] - points[i]).normalized();
        double above = 0, below = 0;
        for (const Vector3d& p : points) {
          above = std::max(above, (p - points[i]).dot(normal));
          below = std::max(below, -(p - points[i]).dot(normal));
        }
        if (above <= tolerance) add_face(mesh, {points[i], points[j], points[k]});
        if (below <= tolerance) add_face(mesh, {points[i], points[k], points[j]});
      }
  return mesh;
}

Mesh pyramid(const Vector3d& tip, const Vector3d& foot, double half_side) {
  const Vector3d up = (tip - foot).normalized();
  // In the plane its base is seen from the side.
  const Vector3d across =
      std::abs(up.z()) < 0.9 ? up.cross(Vector3d::UnitZ()).normalized() : Vector3d(Vector3d::UnitX());
  const Vector3d deep = up.cross(across);
  const Vector3d a = foot + half_side * (across + deep), b = foot + half_side * (across - deep);
  const Vector3d c = foot - half_side * (across + deep), d = foot - half_side * (across - deep);
  return hull_of({tip, a, b, c, d});
}

}  // namespace taut
