#pragma once

#include <string>
#include <vector>

#include "output/plot.hpp"
#include "taut/questions.hpp"

/// Answers to questions, as one JSON object and as people read them.
namespace taut {

std::string to_json(const Equilibria& answer);
std::string to_json(const StateSpace& answer);
std::string to_json(const Modes& answer);
std::string to_json(const Sensitivity& answer);
std::string to_json(const Optimum& answer);
std::string to_json(const Fit& answer);
std::string to_json(const Trim& answer);
std::string to_json(const RestPath& answer);
std::string to_json(const RootLocus& answer);
std::string to_json(const FrequencyResponse& answer);
std::string to_json(const Certificate& answer);
std::string to_json(const Inverse& answer);

std::string to_text(const Equilibria& answer);
std::string to_text(const StateSpace& answer);
std::string to_text(const Modes& answer);
std::string to_text(const Sensitivity& answer);
std::string to_text(const Optimum& answer);
std::string to_text(const Fit& answer);
std::string to_text(const Trim& answer);
std::string to_text(const RestPath& answer);
std::string to_text(const RootLocus& answer);
std::string to_text(const FrequencyResponse& answer);
std::string to_text(const Certificate& answer);
std::string to_text(const Inverse& answer);

/// Figures: eigenvalues in the plane of complex numbers, amplitudes and phases over the frequency, a coordinate over
/// the parameter ("": the one that moves most; where it is not stable, dashed).
std::vector<Plot> to_plots(const RootLocus& answer);
std::vector<Plot> to_plots(const FrequencyResponse& answer);
std::vector<Plot> to_plots(const RestPath& answer, const std::string& coordinate);

/// A table: t, actuators, multipliers as lambda(NAME).
std::string to_csv(const Inverse& answer);

}  // namespace taut
