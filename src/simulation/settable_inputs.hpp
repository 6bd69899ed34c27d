#pragma once

#include <string>
#include <vector>

#include "taut/model.hpp"
#include "taut/vector.hpp"

namespace taut {

/// The inputs of a model that whoever steps a simulation can set, by name, and the values that these are to have. What
/// was set waits until the simulation goes on or is looked at: then all change together.
class SettableInputs {
 public:
  /// Of a System that the user wrote: none.
  SettableInputs() = default;
  /// With these values of the model's parameters. The model has to outlive it.
  SettableInputs(const Model& model, const std::vector<double>& parameters);

  const std::vector<std::string>& names() const { return names_; }
  const Vector& values() const { return values_; }
  /// Throws InputError for a name that there is not.
  Eigen::Index index(const std::string& name) const;
  /// Throw InputError for values that an input may not have.
  void set(Eigen::Index index, double value);
  void set(const Vector& values);
  /// To what they were first.
  void reset() { values_ = first_values_; }

  /// Has the simulation yet to take what was set?
  bool are_waiting() const { return waiting_; }
  void take() { waiting_ = false; }
  /// The model's parameters as they are to be.
  std::vector<double> put_into(std::vector<double> parameters) const;

 private:
  const Input& input(Eigen::Index index) const { return model_->inputs[places_[static_cast<std::size_t>(index)]]; }

  const Model* model_ = nullptr;
  std::vector<std::string> names_;
  std::vector<std::size_t> places_;  ///< among the model's inputs
  Vector values_, first_values_;
  bool waiting_ = false;
};

}  // namespace taut
