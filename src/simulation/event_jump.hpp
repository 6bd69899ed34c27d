#pragma once

#include <string>
#include <vector>

#include "simulation/contact_law.hpp"
#include "simulation/run_state.hpp"
#include "simulation/state_values.hpp"

namespace taut {

/// What events do to a run: values are changed, constraints switched, contacts strike. Speeds are then made consistent
/// with the constraints again by impulses of these, and what became of the energy is told.
class EventJump {
 public:
  EventJump(RunState& run, StateValues& values, const Model& model);

  /// Does a contact touch where a run begins?
  bool touches(double t, const Vector& y, const std::vector<double>& parameters);
  /// Performs what these events do at a state; y and the parameters become what they are afterwards. Returns what is
  /// wrong; "" where nothing is.
  std::string perform(const std::vector<int>& events, double t, Vector& y, std::vector<double>& parameters);

 private:
  enum class Kind { parameter, coordinate, speed };
  struct Target {
    Kind kind;
    Eigen::Index index;
  };

  Target target_of(const Action::Change& change) const;
  void change_state(const std::vector<int>& events, double t, Vector& y);
  void change_values(const std::vector<int>& events, double t);
  void put(const Target& target, double value);
  std::string position_error(double t);
  void log(const std::vector<int>& events, double t);

  RunState& run_;
  StateValues& values_;
  const Model& model_;
  ContactLaw contacts_;
  ImpulseSolver solver_;
  StateFormulas formulas_;
  std::vector<std::size_t> first_;  ///< of each event: where its changes begin among the formulas
  std::vector<Target> targets_;     ///< of each change
  std::vector<double> parameters_;  ///< as they become
  Vector q_, v_, before_, Phi_, Phi_before_, impulse_;
  double energy_before_ = 0;
  std::string wrong_;
};

}  // namespace taut
