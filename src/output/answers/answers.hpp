#pragma once

#include <string>

#include "taut/questions.hpp"

/// Answers to questions, as one JSON object and as people read them.
namespace taut {

std::string to_json(const Equilibria& answer);
std::string to_json(const StateSpace& answer);
std::string to_json(const Modes& answer);
std::string to_json(const Sensitivity& answer);

std::string to_text(const Equilibria& answer);
std::string to_text(const StateSpace& answer);
std::string to_text(const Modes& answer);
std::string to_text(const Sensitivity& answer);

}  // namespace taut
