#pragma once

#include <Eigen/Core>
#include <optional>
#include <utility>
#include <vector>

#include "model/mesh.hpp"

/// What is around a few points: a line, a polygon, or a solid with flat faces.
namespace taut {

double longest_span(const std::vector<Eigen::Vector3d>& points);
/// From a point to the nearest one of the lines and triangles between the points.
double distance_from(const std::vector<Eigen::Vector3d>& points, const Eigen::Vector3d& place);
/// The two ends, if all points are on a line but for a tolerance.
std::optional<std::pair<Eigen::Vector3d, Eigen::Vector3d>> ends_of_line(const std::vector<Eigen::Vector3d>& points,
                                                                        double tolerance);
/// The corners of the convex polygon around the points, in order, if all are in a plane but for a tolerance.
std::optional<std::vector<Eigen::Vector3d>> rim_of_plane(const std::vector<Eigen::Vector3d>& points, double tolerance);
/// A flat convex polygon as a plate.
Mesh plate_of(const std::vector<Eigen::Vector3d>& rim, double thickness);
/// The convex solid around points that are not in a plane; each face has corners of its own, so that edges stay sharp.
Mesh hull_of(const std::vector<Eigen::Vector3d>& points);
/// A pyramid on a square, its tip at `tip` and the middle of its base at `foot`.
Mesh pyramid(const Eigen::Vector3d& tip, const Eigen::Vector3d& foot, double half_side);

}  // namespace taut
