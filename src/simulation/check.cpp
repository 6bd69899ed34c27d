#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "enforcement/list.hpp"
#include "expression/derivative.hpp"
#include "expression/program.hpp"
#include "linear/list.hpp"
#include "model/assignments.hpp"
#include "model/bodies/sanity.hpp"
#include "model/functions.hpp"
#include "model/tree/joint_form.hpp"
#include "simulation/assembly.hpp"
#include "simulation/combination.hpp"
#include "simulation/coordinates.hpp"
#include "simulation/moved_start.hpp"
#include "simulation/option_error.hpp"
#include "simulation/redundancy.hpp"
#include "simulation/start.hpp"
#include "simulation/undefined_formula.hpp"
#include "taut/error.hpp"
#include "taut/simulation.hpp"

namespace taut {
namespace {

std::string op_name(Op op) {
  switch (op) {
    case Op::abs:
      return "abs";
    case Op::sign:
      return "sign";
    case Op::min:
      return "min";
    case Op::max:
      return "max";
    default:
      return "a comparison";
  }
}

void note_kinks(const std::string& where, const Expression& e, std::vector<std::string>& list) {
  for (const Op op : not_smooth(e)) list.push_back(fmt::format("{} contains {}, which has a kink", where, op_name(op)));
}

void note_kinks(const Model& model, std::vector<std::string>& list) {
  if (model.kinetic_energy) note_kinks("kinetic_energy", *model.kinetic_energy, list);
  if (model.potential_energy) note_kinks("potential_energy", *model.potential_energy, list);
  for (const auto& c : model.coordinates) note_kinks("the force on '" + c.name + "'", c.force, list);
  for (const auto& u : model.speeds)
    note_kinks((u.is_state ? "the rate of '" : "the force on '") + u.name + "'", u.force, list);
  for (const auto& load : model.loads)
    for (const auto& f : load.force) note_kinks("load '" + load.name + "'", f, list);
  for (const auto& c : model.constraints) note_kinks("constraint '" + c.name + "'", c.residual, list);
}

Vector vector(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
}

bool is_soft(const Shape& shape, int row) {
  return row < static_cast<int>(shape.softness.size()) && shape.softness[row] > 0;
}

/// Soft rows are for the recursion alone, and thousands of speeds for the sparse kernel.
std::unique_ptr<LinearKernel> kernel_for(const Shape& shape, bool with_soft_rows, std::string& chosen) {
  const char* hard = shape.n_v() < many_speeds ? "cod" : "sparse";
  auto kernel = make_kernel(with_soft_rows ? "recursive" : hard, chosen);
  if (with_soft_rows) kernel->set_softness(shape.softness);
  return kernel;
}

void count_parts(const Model& model, Check& result) {
  for (const Submodel& part : model.parts) {
    const int depth = part.parent < 0 ? 0 : result.parts[static_cast<std::size_t>(part.parent)].depth + 1;
    result.parts.push_back({part.name, part.file, depth, 0});
  }
  for (const Constraint& constraint : model.constraints)
    ++(constraint.part < 0 ? result.joining : result.parts[static_cast<std::size_t>(constraint.part)].constraints);
}

/// The joint that each row of H belongs to, its motor's included; -1 for a constraint that is written out.
std::vector<int> joints_of_rows(const Model& model, const Shape& shape) {
  std::unordered_map<std::string, int> joint_of;
  for (std::size_t k = 0; k < model.joints.size(); ++k) {
    for (const std::size_t row : model.joints[k].rows) joint_of[model.constraints[row].name] = static_cast<int>(k);
    joint_of[model.joints[k].name + ".motor"] = static_cast<int>(k);
  }
  std::vector<int> joints;
  for (const std::string& name : shape.constraints) {
    const auto found = joint_of.find(name);
    joints.push_back(found == joint_of.end() ? -1 : found->second);
  }
  return joints;
}

/// Joints that take part in the same dependency, or in dependencies that share one, each in the model's order.
std::vector<std::vector<std::string>> over_constrained(const Model& model, const std::vector<int>& joints,
                                                       const std::vector<Dependency>& dependencies) {
  std::vector<std::set<int>> loops;
  for (const Dependency& dependency : dependencies) {
    std::set<int> loop;
    for (const auto& [row, weight] : dependency.terms)
      if (joints[static_cast<std::size_t>(row)] >= 0) loop.insert(joints[static_cast<std::size_t>(row)]);
    std::erase_if(loops, [&](const std::set<int>& other) {
      const bool shares = std::ranges::any_of(other, [&](int joint) { return loop.contains(joint); });
      if (shares) loop.insert(other.begin(), other.end());
      return shares;
    });
    if (!loop.empty()) loops.push_back(std::move(loop));
  }
  std::vector<std::vector<std::string>> named;
  for (const std::set<int>& loop : loops) {
    named.emplace_back();
    for (const int joint : loop) named.back().push_back(model.joints[static_cast<std::size_t>(joint)].name);
  }
  return named;
}

/// Grübler's count against the rank, redundant joints and the loops they close.
void check_mechanism(const Model& model, const std::vector<double>& parameters, Manifold& manifold, Check& result) {
  if (model.bodies.empty()) return;
  const Shape& shape = manifold.shape();
  result.bodies = static_cast<int>(model.bodies.size()) - 1;
  result.joints = static_cast<int>(model.joints.size());
  result.mobility = shape.freedoms(shape.rows() - static_cast<int>(result.soft.size()));
  result.remarks = remarks_on_bodies(model, parameters);
  if (result.rank == shape.rows() - static_cast<int>(result.soft.size())) return;
  const std::vector<int> joints = joints_of_rows(model, shape);
  const std::unordered_set<std::string> dependent(result.dependent.begin(), result.dependent.end());
  std::unordered_set<int> told;
  for (int row = 0; row < shape.rows(); ++row) {
    const int joint = joints[static_cast<std::size_t>(row)];
    if (joint >= 0 && dependent.contains(shape.constraints[row]) && told.insert(joint).second)
      result.dependent_joints.push_back(model.joints[static_cast<std::size_t>(joint)].name);
  }
  const Redundancy redundancy = find_redundancy(manifold.point().H, shape.softness, result.rank);
  if (redundancy.too_large)
    result.notes.emplace_back("too many constraints to tell which joints are over-constrained together");
  result.loops = over_constrained(model, joints, redundancy.dependencies);
}

/// Large mechanisms take long to write in joint coordinates, and are simulated in those of bodies.
constexpr std::size_t most_bodies_told = 200;

/// Which tree joint coordinates would have, or why there is none.
void tell_tree(const Model& model, const std::vector<double>& parameters, Check& result) {
  if (model.bodies.size() < 2 || model.bodies.size() > most_bodies_told) return;
  try {
    result.tree.push_back(describe_tree(*in_joint_coordinates(model, parameters).joint_form));
  } catch (const InputError& error) {
    result.tree.push_back("not in joint coordinates: " + error.message());
  }
}

void tell_inputs(const Model& model, const std::vector<double>& parameters, Check& result) {
  for (const Input& input : model.inputs) {
    if (!input.setter.empty() && input.setter != set_by_function) continue;
    InputCheck& told =
        result.inputs.emplace_back(InputCheck{input.name, input.role.unit, input.role.description, std::nullopt, ""});
    if (input.setter == set_by_function)
      told.formula = words_of(*std::ranges::find_if(model.functions, [&](const StateFunction& function) {
        return std::ranges::find(function.parameters, input.parameter) != function.parameters.end();
      }));
    else if (input.is_held())
      told.value = parameters[static_cast<std::size_t>(input.parameter)];
    else
      told.formula = to_string(input.value);
  }
}

void tell_controllers(const Model& model, const std::vector<double>& parameters, Check& result) {
  std::vector<double> values(model.graph->symbols(), 0.0);
  for (std::size_t k = 0; k < parameters.size(); ++k) values[model.parameters[k].symbol] = parameters[k];
  for (const Controller& controller : model.controllers) {
    ControllerCheck& told = result.controllers.emplace_back();
    told.name = controller.name;
    told.sample_time = evaluate(controller.sample_time, values);
    told.offset = evaluate(controller.offset, values);
    for (const SampledValue& sample : controller.values) {
      auto& names = sample.role == SampledValue::Role::measured ? told.measured
                    : sample.role == SampledValue::Role::state  ? told.states
                                                                : told.sets;
      names.push_back(sample.name);
      if (const double delay = evaluate(sample.delay, values); delay > 0) told.delays.push_back({sample.name, delay});
    }
  }
}

/// Refuses what a run would refuse of the model's own options: values, and how they go together and with the model.
void check_settings(const Options& options, Manifold& manifold) {
  try {
    check_options(options);
    const MethodEntry& entry = find_method(options.method);
    const auto method = blame_options({"method"}, [&] { return entry.make(options.method, manifold); });
    check_combination(entry, *method, manifold.shape(), options);
  } catch (const OptionError& error) {
    throw with_sources(error, options);
  }
}

void tell_starts(const Model& model, std::vector<std::string>& notes) {
  if (model.starts.empty()) return;
  std::vector<std::string> names;
  for (const NamedStart& start : model.starts) names.push_back(start.name);
  const std::string text = fmt::format("starts by name, for --start: {}", fmt::join(names, ", "));
  if (std::ranges::find(notes, text) == notes.end()) notes.push_back(text);  // readers of robots say it too
}

}  // namespace

Check check(const Model& model, const std::vector<Assignment>& given) {
  const Options options = options_of(model);
  const double t = options.start_time;
  std::vector<Assignment> set = start_values(model, options.start);
  set.insert(set.end(), given.begin(), given.end());
  InitialValues initial = initial_values(model, set);
  const auto system = make_system(model, initial.parameters);
  const Shape& shape = system->shape();
  Check result;
  result.model = model.name;
  result.notes = model.notes;
  tell_starts(model, result.notes);
  if (is_moved(model, initial, set)) {
    MovedStart start = move_start(model, initial, set, options.assemble);
    initial = std::move(start.bodies);
    result.notes.insert(result.notes.end(), start.notes.begin(), start.notes.end());
  }
  for (const std::string& remark : friction_remarks(model)) result.notes.push_back(remark);
  tell_inputs(model, initial.parameters, result);
  tell_controllers(model, initial.parameters, result);
  result.coordinates = shape.n_q();
  result.speeds = shape.n_v();
  result.constraints = shape.rows();
  count_parts(model, result);
  Vector q = vector(initial.coordinates), v = vector(initial.speeds);
  system->retract(t, q);
  Vector Phi = Vector::Zero(shape.position_rows), chi = Vector::Zero(shape.rows());
  system->position(t, q, Phi);
  system->velocity(t, q, v, chi);
  for (int i = 0; i < shape.rows(); ++i) {
    Violation violation{shape.constraints[i], std::nullopt, std::abs(chi[i])};
    if (i < shape.position_rows) violation.position = std::abs(Phi[i]);
    result.initial.push_back(violation);
  }
  if (shape.has_energy) result.energy = system->energy(t, q, v);
  note_kinks(model, result.not_smooth);

  constexpr double rank_tolerance = 1e-10;
  std::string chosen;
  for (int i = 0; i < shape.rows(); ++i)
    if (is_soft(shape, i)) result.soft.push_back(shape.constraints[i]);
  Manifold manifold(
      *system, [&] { return kernel_for(shape, !result.soft.empty(), chosen); }, rank_tolerance);
  check_settings(options, manifold);
  const Claims claims{initial.coordinate_claims, initial.speed_claims};
  const Assembly assembly = assemble(manifold, t, q, v, rank_tolerance, held_by(*system, t, q, claims));
  if (assembly.change > 1e-9)
    result.notes.push_back(
        fmt::format("the initial state is not on the constraints; --assemble would move '{}' by {:.3g}", assembly.name,
                    assembly.change));
  if (!manifold.evaluate(t, q, v) || !manifold.determine_rank_afresh(t, q, v, rank_tolerance))
    throw with_undefined_formula(no_start(manifold), model, initial.parameters, t, q, v);
  // A soft row always counts for the kernel, but takes no freedom away.
  result.rank = manifold.rank() - static_cast<int>(result.soft.size());
  result.degrees_of_freedom = shape.freedoms(result.rank);
  result.dependent = dependent_constraints(manifold);
  check_mechanism(model, initial.parameters, manifold, result);
  tell_tree(model, initial.parameters, result);
  if (!manifold.kernel().is_sure())
    result.notes.emplace_back(
        "the rank is in doubt: rows hardly stand out of rounding errors, and are not taken to count");
  if (manifold.kernel().mass_completed())
    result.notes.emplace_back("the mass matrix alone is singular; the constraints complete it");
  const double pivot = manifold.kernel().smallest_pivot();
  if (shape.rows() > 0 && pivot < 1e-6)
    result.notes.push_back(fmt::format("the initial position is nearly singular: smallest pivot {:.2g}", pivot));
  return result;
}

}  // namespace taut
