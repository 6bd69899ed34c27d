#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "mechanism/random_mechanism.hpp"
#include "taut/simulation.hpp"

/// Mechanisms written as model files, for tests.
namespace taut::testing {

/// The last state of a run, by name; x' is the rate of x.
struct Final {
  Summary summary;

  double operator[](const std::string& name) const {
    if (name.ends_with('\'')) return value_of(summary.final_rates, name.substr(0, name.size() - 1));
    for (const auto* values : {&summary.final_coordinates, &summary.final_rates, &summary.final_outputs})
      for (const NamedValue& value : *values)
        if (value.name == name) return value.value;
    ADD_FAILURE() << "there is no " << name;
    return 0;
  }
};

/// Runs a model file's text under error control. Errors of a closed form are then those of the integration, some
/// ten to hundred times rtol.
inline Final run_text(const std::string& text, double until, double rtol = 1e-11,
                      const std::vector<Assignment>& set = {}) {
  Options options;
  options.until = until;
  options.rtol = rtol;
  options.record = false;
  Run run = simulate(read_model(text, "test.yaml", set), options);
  EXPECT_EQ(run.summary.outcome, Outcome::done) << run.summary.reason;
  return {std::move(run.summary)};
}

/// "place: message; remedy" of the error that a text is refused with, "" if it is not.
inline std::string refusal(const std::string& text, const std::vector<Assignment>& set = {}) {
  try {
    read_model(text, "test.yaml", set);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace taut::testing
