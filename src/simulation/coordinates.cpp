#include "simulation/coordinates.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "expression/derivative.hpp"
#include "model/tree/joint_form.hpp"
#include "simulation/moved_start.hpp"

namespace taut {
namespace {

/// Longer solutions are not written out as formulas. With a kernel, as measured on chains, rings and humanoids, a speed
/// of a joint costs more than half of what a body with its joint costs: bodies on hinges pay, bodies on balls do not.
constexpr double most_operations_by_choice = 20'000;
constexpr double most_speeds_of_body = 1.5;
/// With more bodies there are more speeds than that, or so many loops that the sparse kernel pays.
constexpr std::size_t most_bodies_by_choice = 100;

std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 12;
  if (names.size() <= most) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + most, ", "), names.size() - most);
}

/// Joints that are cut for the same reason together.
std::string describe_cuts(const JointForm& form) {
  std::vector<std::string> reasons;
  for (const std::string& why : form.reasons)
    if (std::ranges::find(reasons, why) == reasons.end()) reasons.push_back(why);
  std::string text;
  for (const std::string& why : reasons) {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < form.cuts.size(); ++k)
      if (form.reasons[k] == why) names.push_back(form.cuts[k]);
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", some_of(names), why);
  }
  return text;
}

}  // namespace

std::string describe_tree(const JointForm& form) {
  std::string text = "joint coordinates:";
  if (!form.branches.empty()) text += fmt::format(" a tree of {}", some_of(form.branches));
  if (!form.free.empty()) text += fmt::format("{} free: {}", form.branches.empty() ? "" : ";", some_of(form.free));
  if (!form.cuts.empty()) text += fmt::format("; held by constraints: {}", describe_cuts(form));
  if (!form.implied.empty())
    text += fmt::format("; these hold wherever the joints lead, and were left out: {}", some_of(form.implied));
  return text;
}

namespace {

/// What it takes to evaluate and to solve the equations, roughly: the formulas that are written out, the rows of H,
/// which are derived from them, a factor of M, and one of the rows.
double operations_of(const Model& joints) {
  const JointForm& form = *joints.joint_form;
  std::vector<NodeId> roots;
  const auto add = [&](const Expression& e) {
    if (!e.is_constant()) roots.push_back(e.in(*joints.graph));
  };
  std::vector<double> entries(form.f.size(), 0);  // of M, by column
  for (const JointForm::Entry& entry : form.M) {
    add(entry.value);
    ++entries[static_cast<std::size_t>(entry.row)];
    if (entry.row != entry.column) ++entries[static_cast<std::size_t>(entry.column)];
  }
  for (const Expression& f : form.f) add(f);
  for (const JointForm::Row& row : form.rows) {
    add(row.velocity);
    add(row.bias);
  }
  const auto n = static_cast<double>(form.f.size()), m = static_cast<double>(form.rows.size());
  double factor = 0;
  for (const double count : entries) factor += count * count / 3;
  const double rows = m * (6 * n + 2 * static_cast<double>(form.M.size()) + m * n / 2);
  return static_cast<double>(reachable(*joints.graph, roots).size()) + factor + rows;
}

using Moved = std::unordered_map<std::string, double>;

void use_joints(const Model& model, const Options& options, const Moved& moved, InitialValues& initial,
                ChosenCoordinates& chosen) {
  const bool may_refuse = options.coordinates == Coordinates::automatic;
  if (may_refuse && model.bodies.size() > most_bodies_by_choice)
    throw InputError(fmt::format("with {} bodies, these are as fast", model.bodies.size() - 1));
  Model joints = in_joint_coordinates(model, initial.parameters);
  if (joints.joint_form->f.empty())
    throw InputError(Place{model.file, 0, 0}, "the joints leave nothing that moves, and no joint coordinates",
                     "choose --coordinates bodies");
  const auto speeds = static_cast<double>(joints.joint_form->f.size());
  const bool many = speeds > most_speeds_of_body * static_cast<double>(model.bodies.size() - 1);
  if (may_refuse && many && operations_of(joints) > most_operations_by_choice)
    throw InputError(
        fmt::format("equations of joints, of some {:.0f} operations, would be no faster", operations_of(joints)));
  const std::vector<Assignment> set = values_of(model, options);
  initial = start_in_joints(model, initial, joints, {set, options.assemble, &moved});
  chosen.notes.push_back(describe_tree(*joints.joint_form));
  chosen.joints = std::move(joints);
  chosen.used = "joints";
}

}  // namespace

ChosenCoordinates choose_coordinates(const Model& model, const Options& options, InitialValues& initial) {
  ChosenCoordinates chosen;
  chosen.used = model.bodies.empty() ? "" : "bodies";
  Moved moved;
  if (const std::vector<Assignment> set = values_of(model, options); is_moved(model, initial, set)) {
    MovedStart start = move_start(model, initial, set, options.assemble);
    initial = std::move(start.bodies);
    moved = std::move(start.coordinates);
    chosen.notes = std::move(start.notes);
  }
  if (options.coordinates == Coordinates::bodies) return chosen;
  if (options.coordinates == Coordinates::joints) {
    use_joints(model, options, moved, initial, chosen);
    return chosen;
  }
  if (model.bodies.empty()) return chosen;
  try {
    use_joints(model, options, moved, initial, chosen);
  } catch (const InputError& error) {
    chosen.notes.push_back("body coordinates: " + error.message());
  }
  return chosen;
}

void tell_coordinates(const ChosenCoordinates& chosen, Summary& summary) {
  summary.coordinates_used = chosen.used;
  summary.notes.insert(summary.notes.begin(), chosen.notes.begin(), chosen.notes.end());
  if (!chosen.joints || chosen.joints->joint_form->implied.empty()) return;
  const std::vector<std::string>& implied = chosen.joints->joint_form->implied;
  summary.dependent.insert(summary.dependent.end(), implied.begin(), implied.end());
  std::ranges::sort(summary.dependent);
  summary.multipliers_unique = false;
}

}  // namespace taut
