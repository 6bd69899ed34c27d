#pragma once

#include <memory>
#include <string>
#include <vector>

#include "simulation/coordinates.hpp"
#include "simulation/model_knowledge.hpp"
#include "simulation/run_start.hpp"
#include "taut/simulation.hpp"

namespace taut {

/// A model made ready to run: parameters set, coordinates chosen, equations derived. The model has to outlive it.
class PreparedModel {
 public:
  /// Throws InputError for input that is wrong.
  PreparedModel(const Model& model, const Options& options);

  System& system() { return *system_; }
  /// In the coordinates chosen.
  const Model& model() const { return model_; }
  const std::vector<double>& parameters() const { return initial_.parameters; }
  ModelKnowledge knowledge() const { return knowledge_of(model_, initial_.parameters, until_); }
  /// The state that the model gives, which is not kept: in large systems it takes room.
  InitialState take_initial();
  /// Adds to the summary of a run what the model knows beyond its equations.
  void complete(Summary& summary) const;

 private:
  InitialValues initial_;
  ChosenCoordinates chosen_;
  const Model& model_;  ///< in the coordinates chosen
  std::unique_ptr<System> system_;
  std::vector<std::string> remarks_;  ///< on the model as it was given
  double until_;
};

}  // namespace taut
