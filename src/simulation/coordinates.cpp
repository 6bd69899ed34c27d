#include "simulation/coordinates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "expression/derivative.hpp"
#include "model/tree/joint_form.hpp"
#include "simulation/moved_start.hpp"

namespace taut {
namespace {

/// Longer solutions are not written out as formulas, but left to a kernel, to which M is full.
constexpr double most_operations_written = 20'000;
/// With more bodies there are more speeds than that, or so many loops that the sparse kernel pays.
constexpr std::size_t most_bodies_by_choice = 100;

/// What an evaluation with its solution costs, in instructions of the interpreter. Measured on chains of hinges and of
/// balls, rings, platforms and planar linkages: what a speed and what the square of the rows of a joint take where
/// bodies have their own coordinates, and what a full matrix of joint coordinates takes for the cube of its size.
constexpr double each_speed = 120, each_square_of_rows = 60, each_cube = 0.3;

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

double expected_evaluations(const Options& options) {
  return options.step ? 4 * options.duration() / *options.step : 300 * options.duration();
}

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

/// What it takes to evaluate and to solve the equations in joint coordinates, roughly: the formulas that are written
/// out, the rows of H, which are derived from them, a factor of M, and one of the rows.
class JointOperations {
 public:
  explicit JointOperations(const Model& joints) : joints_(joints), form_(*joints.joint_form) {
    equations_ = count_formulas();
    const auto n = static_cast<double>(form_.f.size()), m = static_cast<double>(form_.rows.size());
    equations_ += 6 * m * n;
    solution_ = factor_of_mass() + m * (2 * static_cast<double>(form_.M.size()) + m * n / 2);
  }

  double total() const { return equations_ + solution_; }
  /// In instructions of the interpreter.
  double cost() const {
    if (total() <= most_operations_written) return total();
    const auto n = static_cast<double>(form_.f.size());
    return equations_ + each_cube * n * n * n;
  }

 private:
  double count_formulas() const {
    std::vector<NodeId> roots;
    const auto add = [&](const Expression& e) {
      if (!e.is_constant()) roots.push_back(e.in(*joints_.graph));
    };
    for (const JointForm::Entry& entry : form_.M) add(entry.value);
    for (const Expression& f : form_.f) add(f);
    for (const JointForm::Row& row : form_.rows) {
      add(row.velocity);
      add(row.bias);
    }
    return static_cast<double>(reachable(*joints_.graph, roots).size());
  }
  double factor_of_mass() const {
    std::vector<double> entries(form_.f.size(), 0);  // of M, by column
    for (const JointForm::Entry& entry : form_.M) {
      ++entries[static_cast<std::size_t>(entry.row)];
      if (entry.row != entry.column) ++entries[static_cast<std::size_t>(entry.column)];
    }
    double factor = 0;
    for (const double count : entries) factor += count * count / 3;
    return factor;
  }

  const Model& joints_;
  const JointForm& form_;
  double equations_ = 0, solution_ = 0;
};

double cost_in_bodies(const Model& model) {
  double cost = 0;
  for (std::size_t b = 1; b < model.bodies.size(); ++b) cost += each_speed * (model.bodies[b].planar ? 3 : 6);
  for (const Joint& joint : model.joints) {
    const auto rows = static_cast<double>(joint.rows.size());
    cost += each_square_of_rows * rows * rows;
  }
  return cost;
}

/// Throws InputError where the model is as fast in coordinates of bodies. How long a run is and whether formulas become
/// machine code do not count: neither may change a digit.
void refuse_what_does_not_pay(const Model& model, const Model& joints) {
  const JointOperations operations(joints);
  if (operations.cost() > cost_in_bodies(model))
    throw InputError(
        fmt::format("equations of joints, of some {:.0f} operations, would be no faster", operations.total()));
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
  if (may_refuse) refuse_what_does_not_pay(model, joints);
  const std::vector<Assignment> set = values_of(model, options);
  const bool was_moved = std::exchange(chosen.follow_start, true);  // where the start is refused
  initial = start_in_joints(model, initial, joints, {set, options.assemble, &moved});
  chosen.follow_start = was_moved;
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
    chosen.follow_start = true;
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
  if (!chosen.joints) return;
  const JointForm& form = *chosen.joints->joint_form;
  for (const std::vector<std::string>* held : {&form.by_construction, &form.implied})
    for (const std::string& name : *held) summary.violations.push_back({name, std::nullopt, std::nullopt});
  const std::vector<std::string>& implied = form.implied;
  if (implied.empty()) return;
  summary.dependent.insert(summary.dependent.end(), implied.begin(), implied.end());
  std::ranges::sort(summary.dependent);
  summary.multipliers_unique = false;
}

}  // namespace taut
