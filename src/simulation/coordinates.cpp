#include "simulation/coordinates.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/tree/joint_form.hpp"

namespace taut {
namespace {

/// With more speeds the solution is no longer written out as formulas, and bodies with the sparse kernel are as fast.
constexpr std::size_t most_speeds_by_choice = 64;
/// With more bodies there are more speeds than that, or so many loops that the sparse kernel pays.
constexpr std::size_t most_bodies_by_choice = 100;

std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 12;
  if (names.size() <= most) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + most, ", "), names.size() - most);
}

std::string describe(const JointForm& form) {
  std::string text = "joint coordinates:";
  if (!form.branches.empty()) text += fmt::format(" a tree of {}", some_of(form.branches));
  if (!form.free.empty()) text += fmt::format("{} free: {}", form.branches.empty() ? "" : ";", some_of(form.free));
  if (!form.cuts.empty()) text += fmt::format("; held by constraints: {}", some_of(form.cuts));
  if (!form.implied.empty())
    text += fmt::format("; these hold wherever the joints lead, and were left out: {}", some_of(form.implied));
  return text;
}

void use_joints(const Model& model, const Options& options, InitialValues& initial, ChosenCoordinates& chosen) {
  const bool may_refuse = options.coordinates == Coordinates::automatic;
  if (may_refuse && model.bodies.size() > most_bodies_by_choice)
    throw InputError(fmt::format("with {} bodies, these are as fast", model.bodies.size() - 1));
  Model joints = in_joint_coordinates(model, initial.parameters);
  if (may_refuse && joints.joint_form->f.size() > most_speeds_by_choice)
    throw InputError(fmt::format("with {} speeds of joints, bodies are as fast", joints.joint_form->f.size()));
  initial = start_in_joints(model, initial, joints, options.set, options.assemble);
  chosen.notes.push_back(describe(*joints.joint_form));
  chosen.joints = std::move(joints);
  chosen.used = "joints";
}

}  // namespace

ChosenCoordinates choose_coordinates(const Model& model, const Options& options, InitialValues& initial) {
  ChosenCoordinates chosen;
  chosen.used = model.bodies.empty() ? "" : "bodies";
  if (options.coordinates == Coordinates::bodies) return chosen;
  if (options.coordinates == Coordinates::joints) {
    use_joints(model, options, initial, chosen);
    return chosen;
  }
  if (model.bodies.empty()) return chosen;
  try {
    use_joints(model, options, initial, chosen);
  } catch (const InputError& error) {
    chosen.notes.push_back("body coordinates: " + error.message());
  }
  return chosen;
}

}  // namespace taut
