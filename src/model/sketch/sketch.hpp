#pragma once

#include <Eigen/Geometry>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/sketch/start_geometry.hpp"

/// What a mechanism looks like whose author drew nothing: links as bars between their joints, wheels round, springs as
/// coils, joints and the ground by the signs of a textbook. How large they are drawn follows from where the joints are.
namespace taut {

/// Whose part something drawn is, and what it stands for: "" for the body itself, else ground, pin, mark, motor,
/// spring.
struct Belonging {
  const Body& body;
  const char* role = "";
};

/// The list of what is drawn, to which bodies, joints and forces add.
class Sketch : public StartGeometry {
 public:
  using StartGeometry::StartGeometry;

  // Places are in the axes of the body. What is round lies along z of its own, turned by `turn`.
  void box(const Belonging& whose, const Eigen::Vector3d& sides, const Eigen::Vector3d& at,
           const Eigen::Quaterniond& turn);
  void sphere(const Belonging& whose, double radius, const Eigen::Vector3d& at);
  void cylinder(const Belonging& whose, double radius, double length, const Eigen::Vector3d& at,
                const Eigen::Vector3d& along);
  /// Any kind that has a radius and a length along an axis: cylinder, cone, tube, spiral, turn, gear, floor.
  Solid& round(const char* kind, const Belonging& whose, std::vector<Expression> size, const Eigen::Vector3d& at,
               const Eigen::Vector3d& along);
  /// A bar with round ends.
  void bar(const Belonging& whose, double radius, const Eigen::Vector3d& from, const Eigen::Vector3d& to);
  /// What the body was described by.
  void shape(const Body& body);
  void mesh(const Belonging& whose, std::shared_ptr<const Mesh> mesh);
  /// A rod, spring or damper between two points that move, named after what it stands for.
  void span(const char* kind, const std::string& label, const char* role, const std::vector<Expression>& size,
            const Vector3& from, const Vector3& to);

  std::vector<Drawing> take() { return std::move(drawings_); }

 private:
  Solid& add(const char* kind, const Belonging& whose);

  std::vector<Drawing> drawings_;
};

// One file each.
void sketch_body(Sketch& sketch, int body);
void sketch_joint(Sketch& sketch, const Joint& joint);
void sketch_force(Sketch& sketch, const Force& force);

/// The radius of a gear wheel that a joint carries, from the ratio and the distance of the axes; 0 where it is none.
double gear_radius(const Sketch& sketch, const Joint& joint);

}  // namespace taut
