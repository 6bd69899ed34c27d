#pragma once

#include <memory>
#include <string>
#include <vector>

#include "simulation/coordinates.hpp"
#include "simulation/model_knowledge.hpp"
#include "simulation/run_start.hpp"
#include "system/parametrised_system.hpp"
#include "taut/simulation.hpp"

namespace taut {

/// A model made ready to run: parameters set, coordinates chosen, equations derived. The model has to outlive it.
class PreparedModel {
 public:
  /// Throws InputError for input that is wrong. It is to serve so many runs: whether compiling pays depends on that.
  PreparedModel(const Model& model, const Options& options, double runs = 1);

  /// Takes other values, of parameters or of the initial state. False where the model would have to be made ready anew.
  bool set(const Model& model, const std::vector<Assignment>& set);
  /// Is what its system has computed bit for bit what a new one would have? See ParametrisedSystem.
  bool is_as_new() const { return system_->is_as_new(); }

  /// Throws what a function of the program has thrown.
  void rethrow() { system_->rethrow(); }

  System& system() { return *system_; }
  /// In the coordinates chosen.
  const Model& model() const { return model_; }
  const std::vector<double>& parameters() const { return initial_.parameters; }
  /// For a run from this time on.
  ModelKnowledge knowledge(double from) const { return knowledge_of(model_, initial_.parameters, from, until_); }
  ModelKnowledge knowledge() const { return knowledge(start_time_); }
  /// The system, too, has these values from now on.
  void set_parameters(const std::vector<double>& values);
  /// Before the state was taken.
  const InitialValues& initial() const { return initial_; }
  /// The state that the model gives, which is not kept: in large systems it takes room.
  InitialState take_initial();
  /// Adds to the summary of a run what the model knows beyond its equations, with these values of its parameters.
  void complete(Summary& summary, const std::vector<double>& parameters) const;

 private:
  bool put_in_joints(const Model& model, const std::vector<Assignment>& set, InitialValues& values);

  InitialValues initial_;
  ChosenCoordinates chosen_;
  const Model& model_;  ///< in the coordinates chosen
  std::unique_ptr<ParametrisedSystem> system_;
  std::vector<std::string> remarks_;  ///< on the model as it was given
  double until_, start_time_;
  bool assemble_;
};

}  // namespace taut
