#include "exporting/exported_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "exporting/fixed_parameters.hpp"
#include "expression/derivative.hpp"
#include "model/controllers.hpp"
#include "simulation/prepared_model.hpp"
#include "simulation/run_loop.hpp"
#include "system/levels.hpp"

namespace taut {
namespace {

/// With more speeds, full matrices are no way to solve.
constexpr int most_speeds = 400;
constexpr double default_step = 1e-3;
/// A longer solution would take compilers for GPUs too long.
constexpr std::size_t longest_in_lanes = 60'000;

constexpr std::array fixed_integrators = {"rk4", "euler", "ab3"};

void require_served(const Shape& shape) {
  const auto refuse = [](const std::string& what) {
    throw InputError("a model with " + what + " cannot be exported yet", "run it by taut");
  };
  if (shape.forces_need_multipliers) refuse("friction or forces that depend on reactions");
  if (!shape.softness.empty()) refuse("soft constraints");
  if (shape.n_v() > most_speeds) refuse(fmt::format("{} speeds, more than {},", shape.n_v(), most_speeds));
}

/// In products: what a GPU takes, roughly. A sum with a product that nothing else uses is one operation with it.
double cost(const Program& program) {
  std::vector<int> uses(static_cast<std::size_t>(program.registers()));
  std::vector<bool> is_product(uses.size());
  for (const int slot : program.output_slots()) ++uses[static_cast<std::size_t>(slot)];
  const auto for_each = [&](auto&& visit) {
    for (int level = 0; level < program.levels(); ++level)
      for (const Instruction& step : program.code(level)) visit(step);
  };
  for_each([&](const Instruction& step) {
    ++uses[static_cast<std::size_t>(step.a)];
    if (step.b != step.a) ++uses[static_cast<std::size_t>(step.b)];
    is_product[static_cast<std::size_t>(step.target)] = step.op == Op::multiply;
  });
  const auto fuses = [&](int slot) {
    return is_product[static_cast<std::size_t>(slot)] && uses[static_cast<std::size_t>(slot)] == 1;
  };
  double sum = 0;
  for_each([&](const Instruction& step) {
    const bool is_sum = step.op == Op::add || step.op == Op::subtract;
    sum += step.op == Op::divide ? 8 : step.op == Op::sqrt ? 8 : is_sum && (fuses(step.a) || fuses(step.b)) ? 0 : 1;
  });
  return sum;
}

std::vector<double> as_list(const Vector& x, Eigen::Index first, Eigen::Index count) {
  return {x.data() + first, x.data() + first + count};
}

}  // namespace

Options export_options(Options options) {
  if (options.start_time != 0)
    throw InputError(fmt::format("a run that begins at t = {:g} cannot be exported", options.start_time),
                     "leave start-time out");
  if (options.method.name != "auto" && options.method.name != "braun-goldfarb")
    throw InputError("method '" + options.method.to_string() + "' cannot be exported",
                     "choose --method auto or --method braun-goldfarb");
  if (options.energy.name != "none")
    throw InputError("the energy law '" + options.energy.to_string() + "' cannot be exported", "choose --energy none");
  const bool is_fixed = std::ranges::find(fixed_integrators, options.integrator.name) != fixed_integrators.end();
  const bool was_chosen = std::ranges::any_of(
      options.sources, [](const OptionSource& source) { return source.words.starts_with("--integrator"); });
  if (!is_fixed && was_chosen && options.integrator.name != "auto")
    throw InputError("integrator '" + options.integrator.to_string() + "' cannot be exported",
                     "choose rk4, euler or ab3, which take fixed steps");
  if (!is_fixed) options.integrator = Choice("rk4");
  if (!options.step) options.step = default_step;
  // Bodies have their names in what is exported only where these are its coordinates.
  if (options.coordinates == Coordinates::automatic) options.coordinates = Coordinates::bodies;
  options.max_step.reset();
  options.native = Native::off;
  options.record = false;
  return options;
}

ExportedModel::ExportedModel(const Model& model, const Options& given, ExportPurpose for_what)
    : name(model.name),
      purpose(std::move(for_what)),
      options(export_options(given)),
      projects(options.method.name == "auto"),
      always_refines(!projects && !purpose.lanes) {
  find_start(model);
  compile();
}

void ExportedModel::find_start(const Model& model) {
  if (const std::string moments = moments_of(model); !moments.empty())
    throw InputError("a model with " + moments + " cannot be exported yet", "run it by taut");
  if (!model.functions.empty())
    throw InputError(model.functions.front().place,
                     "a model whose inputs are functions of the program cannot be exported", "write them as formulas");
  PreparedModel prepared(model, options);
  RunLoop loop(prepared.system(), prepared.knowledge(), options, nullptr);
  loop.start(prepared.take_initial());
  RunParts& parts = loop.parts();
  require_served(parts.shape);
  if (parts.chosen.control != "euler" && !projects)
    throw InputError("--control " + parts.chosen.control + " cannot be exported", "leave it out");
  shape = parts.shape;
  tolerance = parts.manifold.tolerance;
  rank_tolerance = parts.rank_tolerance;
  rank = parts.manifold.rank();
  q = as_list(loop.y(), 0, shape.n_q());
  v = as_list(loop.y(), shape.n_q(), shape.n_v());
  if (parts.manifold.formulas().exists()) solver = parts.manifold.formulas().current().shared_program();
  equations = derive(prepared.model());
  in_joints = &prepared.model() != &model;
  take_parameters(prepared.model(), prepared.parameters());
  if (purpose.lanes) fix(prepared.model(), prepared.parameters());
  if (!shape.switches.empty()) notes.push_back("steps are not cut where the equations have a kink; taut's own are");
}

void ExportedModel::fix(const Model& model, const std::vector<double>& values) {
  const std::vector<std::size_t> varying = varying_parameters(model, purpose.varied);
  fix_parameters(equations, varying, values);
  std::vector<ExportedParameter> left;
  std::vector<double> left_values;
  for (const std::size_t k : varying) {
    left.push_back({parameters[k].name, values[k], false});
    left_values.push_back(values[k]);
  }
  parameters = left;
  parameter_depth = 0;
  programs = {{"parameters", Program()}};
  if (!solver) return;
  const Matrix stress = solver->start;
  solver.reset();
  for (const Rows rows : {Rows::products, Rows::orthonormal})
    for (const bool gathered : {false, true}) {
      const auto made = make_solver_program(equations, stress, left_values, {rows, longest_in_lanes, gathered});
      if (made && (!solver || cost(made->program) < cost(solver->program))) solver = made;
    }
}

/// One that was set is a number.
void ExportedModel::take_parameters(const Model& model, const std::vector<double>& values) {
  for (std::size_t k = 0; k < model.parameters.size(); ++k) {
    const Parameter& given = model.parameters[k];
    const bool set = std::ranges::any_of(options.set, [&](const Assignment& a) { return a.name == given.name; });
    const bool calculated = !given.value.is_constant() && !set;
    parameters.push_back({given.name, values[k], calculated});
    parameter_depth += calculated;
  }
  std::vector<Program::Input> inputs;
  std::vector<Expression> formulas;
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    inputs.push_back({model.parameters[k].symbol, Level::parameters});
    if (parameters[k].calculated) formulas.push_back(model.parameters[k].value);
  }
  programs.push_back({"parameters", Program(*model.graph, inputs, formulas, Program::Purpose::code)});
}

void ExportedModel::add(const std::string& called, const std::vector<Expression>& formulas) {
  std::vector<Program::Input> inputs = state_inputs(equations);
  add_inputs(inputs, equations.a, Level::acceleration);
  add_inputs(inputs, equations.multipliers, Level::acceleration);
  programs.push_back({called, Program(*equations.graph, inputs, formulas, Program::Purpose::code)});
}

void ExportedModel::compile() {
  const Equations& eq = equations;
  std::vector<Expression> dynamics;
  for (const auto* part : {&eq.M.entries, &eq.Phi, &eq.H.entries, &eq.f, &eq.b, &eq.chi})
    dynamics.insert(dynamics.end(), part->begin(), part->end());
  dynamics.push_back(eq.power);
  add("dynamics", dynamics);
  add("position", eq.Phi);
  add("velocity", eq.chi);
  add("rates", shape.plain_rates ? std::vector<Expression>() : eq.rates);
  add("spread", shape.plain_rates ? std::vector<Expression>() : eq.N.entries);
  add("retraction", eq.retractions);
  add("energy", eq.energy ? std::vector<Expression>{*eq.energy} : std::vector<Expression>());
  const auto watches = eq.outputs.begin() + static_cast<std::ptrdiff_t>(shape.outputs.size());
  add("outputs", {eq.outputs.begin(), watches});
  if (purpose.lanes) add("following", eq.following);
  std::vector<Expression> events(watches, eq.outputs.end());
  events.insert(events.end(), eq.switching.begin(), eq.switching.end());
  add("events", events);
}

const Program& ExportedModel::program(const std::string& called) const {
  return std::ranges::find(programs, called, &ExportedProgram::name)->program;
}

}  // namespace taut
