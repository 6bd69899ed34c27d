#pragma once

#include <string>

#include "taut/questions.hpp"

/// Answers to questions, as one JSON object and as people read them.
namespace taut {

std::string to_json(const Equilibria& answer);
std::string to_json(const StateSpace& answer);
std::string to_json(const Modes& answer);
std::string to_json(const Sensitivity& answer);
std::string to_json(const Optimum& answer);
std::string to_json(const Fit& answer);
std::string to_json(const Inverse& answer);

std::string to_text(const Equilibria& answer);
std::string to_text(const StateSpace& answer);
std::string to_text(const Modes& answer);
std::string to_text(const Sensitivity& answer);
std::string to_text(const Optimum& answer);
std::string to_text(const Fit& answer);
std::string to_text(const Inverse& answer);

/// A table: t, actuators, multipliers as lambda(NAME).
std::string to_csv(const Inverse& answer);

}  // namespace taut
