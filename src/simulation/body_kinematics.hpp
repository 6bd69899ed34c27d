#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "simulation/state_formulas.hpp"
#include "taut/stepping.hpp"

namespace taut {

/// Where bodies are, and how fast, at states of a model's motion.
class BodyKinematics {
 public:
  /// Both have to outlive it.
  BodyKinematics(const Model& model, System& system);

  /// The state that is asked about.
  struct State {
    double t;
    const Vector &q, &v;
    const std::vector<double>& parameters;
  };
  /// Throw InputError, naming the nearest, if there is no such body.
  BodyPose pose(const std::string& body, const State& at);
  /// Velocities are linear in the speeds: the Jacobian is what unit speeds give.
  PointMotion point(const std::string& body, const std::array<double, 3>& place, const State& at);

 private:
  const std::vector<double>& evaluate(const std::string& body, const State& at, const Vector& v);
  const Body& find(const std::string& body) const;

  const Model& model_;
  System& system_;
  std::map<std::string, std::unique_ptr<StateFormulas>> formulas_;  ///< of bodies that were asked for
  Vector qdot_, a_, lambda_, unit_;
};

}  // namespace taut
