#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "taut/simulation.hpp"

namespace taut {

/// A mechanism in the coordinates that it is simulated in.
struct ChosenCoordinates {
  std::optional<Model> joints;     ///< where these are joint coordinates
  std::string used;                ///< "joints", "bodies", or "" of a model without bodies
  std::vector<std::string> notes;  ///< one sentence each
  bool follow_start = false;       ///< would another start have led to others, or to other notes?
};

/// How often a run evaluates its equations, roughly: four times a step; where the steps are chosen, the gallery's runs
/// take some hundred for a second.
double expected_evaluations(const Options& options);

/// The tree of a model in joint coordinates, the joints that are cut and why, in a sentence.
std::string describe_tree(const JointForm& form);

/// As the options say. The initial values become those of the coordinates chosen. Throws InputError where joint
/// coordinates are asked for and cannot be.
ChosenCoordinates choose_coordinates(const Model& model, const Options& options, InitialValues& initial);

/// What else is to be known of a start.
struct StartWishes {
  const std::vector<Assignment>& set;
  bool assemble = false;
  const std::unordered_map<std::string, double>* moved = nullptr;  ///< joint coordinates by name: see moved_start.hpp
};

/// Puts into a summary which coordinates were used, and why; and constraints that joint coordinates leave out because
/// others imply them, as they are told in those of bodies.
void tell_coordinates(const ChosenCoordinates& chosen, Summary& summary);

/// The initial state in joint coordinates, from that of the bodies: positions have to be those in which the mechanism
/// is drawn, or those to which it was moved; speeds are those that come nearest to the bodies' in the metric of their
/// mass. Throws InputError where a velocity that was given is not met, unless the state is to be assembled.
InitialValues start_in_joints(const Model& bodies, const InitialValues& given, const Model& joints,
                              const StartWishes& wishes);

}  // namespace taut
