#pragma once

#include <string>
#include <vector>

#include "taut/error.hpp"
#include "taut/simulation.hpp"

namespace taut {

/// Options that mean nothing as they are, or do not go with each other or with the model.
class OptionError : public InputError {
 public:
  OptionError(std::vector<std::string> options, const std::string& message, const std::string& remedy)
      : InputError(message, remedy), options_(std::move(options)) {}
  /// The options it is about, the one to blame first.
  const std::vector<std::string>& options() const { return options_; }

 private:
  std::vector<std::string> options_;
};

/// The error with the words and the place that its options were given with: "--method baumgarte with
/// --integrator ida: …" for the command line, file, line and column for a model's section `simulate:`.
InputError with_sources(const OptionError& error, const Options& options);

/// Does something, and blames these options for an InputError that it throws without a place of its own.
template <class Action>
auto blame_options(const std::vector<std::string>& options, Action&& action) {
  try {
    return action();
  } catch (const OptionError&) {
    throw;
  } catch (const InputError& error) {
    if (error.place().line > 0) throw;
    throw OptionError(options, error.message(), error.remedy());
  }
}

}  // namespace taut
