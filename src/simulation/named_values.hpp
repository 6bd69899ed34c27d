#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "simulation/state_formulas.hpp"

namespace taut {

/// What a state has a name for, whatever coordinates are used: coordinates, rates, speeds, what follows from them,
/// angles and travels of joints, outputs.
class NamedValues {
 public:
  /// Of a model as it was given and as it is simulated; null of a System that the user wrote. All outlive this.
  NamedValues(const Model* given, const Model* simulated, System& system);

  /// Does finding it take accelerations and multipliers? Throws InputError, naming the nearest, for a name that there
  /// is not.
  bool needs_accelerations(const std::string& name) const;
  /// The state that is asked about; its rates are found here.
  struct State {
    double t;
    const Vector &q, &v, &a, &lambda;
    const std::vector<double>& parameters;
  };
  double find(const std::string& name, const State& at);

 private:
  enum class Kind { coordinate, rate, speed, following, output, formula };
  struct Source {
    Kind kind;
    Eigen::Index index;
  };
  void know(const std::string& name, Kind kind, std::size_t index);
  void know_shape();
  void know_other_names(const Model& given);
  void know_joints(const Model& simulated);
  const Source& source(const std::string& name) const;

  System& system_;
  std::unordered_map<std::string, Source> sources_;
  std::vector<std::string> names_;  ///< in their order, for messages
  std::vector<std::unique_ptr<StateFormulas>> formulas_;
  Vector qdot_, following_, outputs_, none_;
};

}  // namespace taut
