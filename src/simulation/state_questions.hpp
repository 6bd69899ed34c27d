#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simulation/body_kinematics.hpp"
#include "simulation/named_values.hpp"
#include "simulation/output_slopes.hpp"
#include "simulation/prepared_model.hpp"
#include "simulation/run_parts.hpp"
#include "taut/stepping.hpp"

namespace taut {

/// Answers what is asked of a simulation where it stands, without disturbing the run: it has a Manifold of its own, and
/// formulas of what was asked for so far.
class StateQuestions {
 public:
  /// Of a model as it was given and as it was made ready; null of a System that the user wrote. All outlive this.
  StateQuestions(System& system, const Model* given, PreparedModel* prepared)
      : system_(system), given_(given), prepared_(prepared) {}

  /// The state that is asked about, and the run that stands there.
  using State = BodyKinematics::State;
  struct Standing {
    const State& at;
    const RunParts& parts;
  };
  /// The run has begun anew, with other parts.
  void begin() { observation_.reset(); }

  const StateEquations& equations(const Standing& standing);
  double value(const std::string& name, const Standing& standing);
  OutputJacobian output_jacobian(const std::vector<std::string>& names, const State& at);
  /// For whoever asks about bodies.
  BodyKinematics& kinematics();

 private:
  /// What a function of the program has thrown.
  void rethrow() {
    if (prepared_) prepared_->rethrow();
  }
  Manifold& observation(const RunParts& parts);

  System& system_;
  const Model* given_;
  PreparedModel* prepared_;
  std::unique_ptr<Manifold> observation_;
  StateEquations equations_;
  std::optional<BodyKinematics> kinematics_;
  std::optional<NamedValues> named_;
  std::optional<OutputSlopes> output_slopes_;  ///< of the outputs that were asked for last: …
  std::vector<std::string> sloped_;            ///< … these
};

}  // namespace taut
