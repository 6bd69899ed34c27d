#pragma once

#include <Eigen/Geometry>
#include <stdexcept>
#include <string>

#include "taut/taut.hpp"

/// Runs small mechanisms given as text and reads figures off the end of the motion.
namespace taut::testing {

/// A tolerance under which the error of a run over a few seconds is far below the 1e-8 that the tests ask for.
inline Options tight(double until) {
  Options options;
  options.until = until;
  options.rtol = 1e-12;
  options.atol = 1e-12;
  options.assemble = true;
  options.record = false;
  return options;
}

class Motion {
 public:
  Motion(const std::string& text, double until) : Motion(text, tight(until)) {}
  Motion(const std::string& text, const Options& options)
      : summary_(simulate(read_model(text, "joint.yaml"), options).summary) {
    if (summary_.outcome != Outcome::done) throw std::runtime_error(summary_.reason);
  }

  const Summary& summary() const { return summary_; }
  /// A coordinate, an output or a multiplier.
  double operator[](const std::string& name) const {
    for (const auto* list : {&summary_.final_coordinates, &summary_.final_outputs, &summary_.final_multipliers})
      for (const NamedValue& each : *list)
        if (each.name == name) return each.value;
    throw std::out_of_range(name);
  }
  Eigen::Vector3d vector(const std::string& x, const std::string& y, const std::string& z) const {
    return {(*this)[x], (*this)[y], (*this)[z]};
  }

 private:
  Summary summary_;
};

/// Outputs with all that the laws of Newton and Euler need of a body.
inline std::string state_outputs(const std::string& body) {
  std::string text;
  for (const char* part : {"x", "y", "z", "qw", "qx", "qy", "qz", "omega_x", "omega_y", "omega_z", "ax", "ay", "az",
                           "alpha_x", "alpha_y", "alpha_z"})
    text += "  " + body + "_" + part + ": " + body + "." + part + "\n";
  return text;
}

/// Outputs with the reaction of a joint.
inline std::string reaction_outputs(const std::string& joint) {
  std::string text;
  for (const char* part : {"fx", "fy", "fz", "tx", "ty", "tz"})
    text += "  " + joint + "_" + part + ": " + joint + "." + part + "\n";
  return text;
}

struct Wrench {
  Eigen::Vector3d force, torque;
};

inline Wrench reaction_of(const Motion& motion, const std::string& joint) {
  return {motion.vector(joint + "_fx", joint + "_fy", joint + "_fz"),
          motion.vector(joint + "_tx", joint + "_ty", joint + "_tz")};
}

/// A body as the tests write it down, to balance forces by hand.
struct Solid {
  std::string name;
  double mass;
  Eigen::Matrix3d inertia;   ///< in body axes, which are the world's at the start
  Eigen::Vector3d position;  ///< at the start
};

/// What must act on a body beside gravity, about the world point that stood at `at` on it when it started:
///   F = m a − m g,   τ = J α + ω × J ω − (P − c) × F.
inline Wrench newton_euler(const Motion& motion, const Solid& body, const Eigen::Vector3d& gravity,
                           const Eigen::Vector3d& at) {
  const auto part = [&](const char* name) { return motion[body.name + "_" + name]; };
  const Eigen::Quaterniond q(part("qw"), part("qx"), part("qy"), part("qz"));
  const Eigen::Matrix3d R = q.toRotationMatrix(), J = R * body.inertia * R.transpose();
  const Eigen::Vector3d omega(part("omega_x"), part("omega_y"), part("omega_z"));
  const Eigen::Vector3d alpha(part("alpha_x"), part("alpha_y"), part("alpha_z"));
  const Eigen::Vector3d force = body.mass * (Eigen::Vector3d(part("ax"), part("ay"), part("az")) - gravity);
  return {force, J * alpha + omega.cross(J * omega) - (R * (at - body.position)).cross(force)};
}

}  // namespace taut::testing
