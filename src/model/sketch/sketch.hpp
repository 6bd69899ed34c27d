#pragma once

#include <Eigen/Geometry>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "taut/model.hpp"

/// What a mechanism looks like whose author drew nothing: links as bars between their joints, wheels round, springs as
/// coils, joints and the ground by the signs of a textbook. How large they are drawn follows from where the joints are.
namespace taut {

/// Where a body is held: by a joint, or by the end of a force element.
struct Hold {
  Eigen::Vector3d at;            ///< in the axes of the body, from its centre of mass
  const Joint* joint = nullptr;  ///< none of a force element
  bool is_second = false;        ///< is the body the joint's second?
};

/// Whose part something drawn is, and what it stands for: "" for the body itself, else ground, pin, mark, motor,
/// spring.
struct Belonging {
  const Body& body;
  const char* role = "";
};

/// The list of what is drawn, and what all who add to it ask for: numbers at the start of the motion, and sizes.
class Sketch {
 public:
  explicit Sketch(const Model& model);

  const Model& model() const { return model_; }
  const std::vector<Hold>& holds_of(int body) const { return holds_[static_cast<std::size_t>(body)]; }
  /// The radius of a bar.
  double thin() const { return thin_; }
  /// The longest side of the box around all joints and centres of mass; 0 where these are one point.
  double extent() const { return extent_; }
  bool is_planar() const { return planar_; }
  /// Are there so few parts that small ones are worth drawing?
  bool in_detail() const { return model_.bodies.size() + model_.joints.size() <= 150; }
  /// Against gravity; else y in the plane and z in space.
  const Eigen::Vector3d& up() const { return up_; }

  double value(const Expression& formula) const;
  Eigen::Vector3d value(const Vector3& a) const;
  /// A direction and a place of the world, at the start, in the axes of a body from its centre of mass.
  Eigen::Vector3d direction_in(const Body& body, const Eigen::Vector3d& a) const;
  Eigen::Vector3d point_in(const Body& body, const Eigen::Vector3d& at) const;
  const Body& body(int index) const { return model_.bodies[static_cast<std::size_t>(index)]; }

  /// Where a joint holds its two bodies, as formulas of the motion: one place, or the two ends of a rod, or where a
  /// body touches and the centre of what rolls.
  std::pair<Vector3, Vector3> joint_ends(const Joint& joint) const;

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
  void hold(int body, const Vector3& at, const Joint* joint = nullptr, bool is_second = false);
  void find_holds();
  void find_size();
  double longest_gyration() const;
  Solid& add(const char* kind, const Belonging& whose);

  const Model& model_;
  std::vector<double> values_;  ///< by symbol, at the start
  std::vector<std::vector<Hold>> holds_;
  double thin_ = 0, extent_ = 0;
  bool planar_ = true;
  Eigen::Vector3d up_;
  std::vector<Drawing> drawings_;
};

// One file each.
void sketch_body(Sketch& sketch, int body);
void sketch_joint(Sketch& sketch, const Joint& joint);
void sketch_force(Sketch& sketch, const Force& force);

/// The radius of a gear wheel that a joint carries, from the ratio and the distance of the axes; 0 where it is none.
double gear_radius(const Sketch& sketch, const Joint& joint);

}  // namespace taut
