#include "exporting/exported_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <unordered_map>

#include "exporting/fixed_parameters.hpp"
#include "exporting/start_dependence.hpp"
#include "expression/derivative.hpp"
#include "model/controllers.hpp"
#include "model/functional_unit.hpp"
#include "simulation/model_parts.hpp"
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

/// Controllers can be taken away, what acts at other moments cannot.
void require_exportable(const Model& model, const ExportPurpose& purpose) {
  const auto refuse = [](const std::string& what) {
    throw InputError("a model with " + what + " cannot be exported yet", "run it by taut");
  };
  Model rest = model;
  const auto has_unit = [&](const Controller& controller) { return unit_of(model, controller.name) != nullptr; };
  if (std::ranges::any_of(rest.controllers, has_unit)) refuse("functional mock-up units");
  if (purpose.lanes && !rest.controllers.empty()) refuse("controllers");
  rest.controllers.clear();
  if (const std::string moments = moments_of(rest); !moments.empty()) refuse(moments);
}

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
  require_exportable(model, purpose);
  if (!model.functions.empty())
    throw InputError(model.functions.front().place,
                     "a model whose inputs are functions of the program cannot be exported", "write them as formulas");
  PreparedModel prepared(model, options);
  const InitialValues initial = prepared.initial();
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
  derive_with_samples(prepared.model());
  in_joints = &prepared.model() != &model;
  take_parameters(prepared.model(), prepared.parameters());
  take_roles(prepared.model());
  take_controllers(prepared.model(), prepared.parameters());
  if (purpose.lanes) fix(prepared.model(), prepared.parameters());
  if (!purpose.lanes) take_starts(model, prepared.model(), initial);
  for (const Output& output : prepared.model().outputs) output_units.push_back(output.unit);
  own_outputs = shape.outputs.size();
  if (!purpose.lanes) take_following();
  for (const Watch& event : model.events)
    if (event.stop)
      notes.push_back(fmt::format("event '{}' ends runs of taut, and is not heeded elsewhere", event.name));
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
  programs = {{"parameters", Program()}, {"timing", Program()}};
  if (!solver) return;
  const Matrix stress = solver->start;
  solver.reset();
  for (const Rows rows : {Rows::products, Rows::orthonormal})
    for (const bool gathered : {false, true}) {
      const auto made = make_solver_program(equations, stress, left_values, {rows, longest_in_lanes, gathered});
      if (made && (!solver || cost(made->program) < cost(solver->program))) solver = made;
    }
}

/// Places of bodies and their speeds, where the coordinates are those of joints, are asked for as outputs are.
void ExportedModel::take_following() {
  const Shape::Following& names = shape.following;
  std::vector<std::string> more = names.coordinates;
  for (const std::string& name : names.coordinates) more.push_back(name + "'");
  more.insert(more.end(), names.speeds.begin(), names.speeds.end());
  const auto behind = [](auto& list, std::size_t place, auto first, std::size_t count) {
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(place), first, first + static_cast<std::ptrdiff_t>(count));
  };
  behind(equations.outputs, own_outputs, equations.following.begin(), more.size());
  behind(shape.outputs, own_outputs, more.begin(), more.size());
}

void ExportedModel::take_starts(const Model& given, const Model& used, const InitialValues& initial) {
  starts = starts_by_formulas(used, initial, values_of(given, options));
  const std::vector<bool> decides = decides_start(given, used, options, initial, starts);
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    parameters[k].structural = used.parameters[k].structural;
    parameters[k].decides_start = decides[k];
  }
  std::vector<Program::Input> inputs_of_starts;
  std::vector<Expression> formulas;
  for (const Parameter& parameter : used.parameters) inputs_of_starts.push_back({parameter.symbol, Level::parameters});
  for (const ExportedStart& start : starts) formulas.push_back(start.formula);
  programs.push_back({"begin", Program(*used.graph, inputs_of_starts, formulas, Program::Purpose::code)});
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

/// What controllers find stands in equations as outputs do: behind those of the model, and is then taken from them.
void ExportedModel::derive_with_samples(const Model& model) {
  if (model.controllers.empty()) {
    equations = derive(model);
    return;
  }
  Model more = model;
  for (const Controller& controller : model.controllers)
    for (const SampledValue& sample : controller.values)
      more.outputs.push_back({sample.name, sample.value, sample.place});
  equations = derive(more);
  const auto first = equations.outputs.begin() + static_cast<std::ptrdiff_t>(model.outputs.size());
  const auto last = first + static_cast<std::ptrdiff_t>(more.outputs.size() - model.outputs.size());
  samples_.assign(first, last);
  equations.outputs.erase(first, last);
}

/// A parameter on which positions depend, be it by way of others, stays what it was.
void ExportedModel::take_roles(const Model& model) {
  std::vector<char> moves(equations.graph->symbols(), 0);
  for (const auto* formulas : {&equations.Phi, &equations.retractions})
    for (const Expression& formula : *formulas)
      for (const SymbolId symbol : symbols_of(formula)) moves[symbol] = 1;
  // Nor do instants of controllers that have begun.
  for (const Controller& controller : model.controllers) {
    for (const Expression* time : {&controller.sample_time, &controller.offset})
      for (const SymbolId symbol : symbols_of(*time)) moves[symbol] = 1;
    for (const SampledValue& sample : controller.values) {
      for (const SymbolId symbol : symbols_of(sample.delay)) moves[symbol] = 1;
      if (sample.role == SampledValue::Role::set) parameters[static_cast<std::size_t>(sample.parameter)].is_set = true;
    }
  }
  for (std::size_t k = parameters.size(); k-- > 0;) {
    const SymbolId own = model.parameters[k].symbol;
    parameters[k].tunable = !moves[own] && !model.parameters[k].structural;
    if (parameters[k].tunable || !parameters[k].calculated) continue;
    for (const SymbolId symbol : symbols_of(model.parameters[k].value)) moves[symbol] = 1;
  }
  for (const Input& input : model.inputs) {
    if (!input.is_held()) continue;
    ExportedParameter& parameter = parameters[static_cast<std::size_t>(input.parameter)];
    parameter.role = input.role;
    (input.setter.empty() ? parameter.is_input : parameter.is_sampled) = true;
    if (parameter.is_input) inputs.push_back(input.parameter);
  }
}

void ExportedModel::take_controllers(const Model& model, const std::vector<double>& values) {
  std::vector<double> by_symbol(model.graph->symbols(), 0.0);
  for (std::size_t k = 0; k < values.size(); ++k) by_symbol[model.parameters[k].symbol] = values[k];
  const std::vector<char> acts = acting_parameters(model);
  std::vector<Expression> timing, shapes;
  for (const Controller& controller : model.controllers) {
    ExportedController& exported = controllers.emplace_back(ExportedController{controller.name, {}});
    timing.push_back(controller.sample_time);
    timing.push_back(controller.offset);
    std::vector<char> waits;
    for (const SampledValue& sample : controller.values) {
      ExportedSample& value = exported.values.emplace_back();
      value.parameter = sample.parameter;
      value.is_state = sample.role == SampledValue::Role::state;
      value.acts = acts[static_cast<std::size_t>(sample.parameter)] != 0;
      value.limits = (sample.quantum ? 1 : 0) + (sample.lowest ? 2 : 0) + (sample.highest ? 4 : 0);
      const double delay = evaluate(sample.delay, by_symbol);
      value.waits = delay > 0 ? static_cast<int>(std::ceil(delay)) + 1 : 0;
      waits.push_back(value.waits > 0);
      for (const auto* limit : {&sample.quantum, &sample.lowest, &sample.highest})
        shapes.push_back(limit->value_or(Expression(0)));
      shapes.push_back(sample.delay);
    }
    const std::vector<int> stages = stages_of(model, controller, waits);
    for (std::size_t k = 0; k < stages.size(); ++k) exported.values[k].stage = stages[k];
  }
  timing.insert(timing.end(), shapes.begin(), shapes.end());
  std::vector<Program::Input> given;
  for (const Parameter& parameter : model.parameters) given.push_back({parameter.symbol, Level::parameters});
  programs.push_back({"timing", Program(*model.graph, given, timing, Program::Purpose::code)});
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
  add("sampled", samples_);
  if (purpose.unit) compile_variation();
  std::vector<Expression> events(watches, eq.outputs.end());
  events.insert(events.end(), eq.switching.begin(), eq.switching.end());
  add("events", events);
}

/// First derivatives along a direction, which is given by seeds: of q, v, the inputs, v' and lambda.
///   Phi, chi; q'; what is left of M v' = f + H' lambda and H v' = b where v' and lambda stay; outputs; what is
///   retracted
void ExportedModel::compile_variation() {
  Equations& eq = equations;
  Graph& graph = *eq.graph;
  const Expression none = 0;
  std::unordered_map<SymbolId, Expression> state, whole;
  std::vector<SymbolId> seeds;
  const auto seed = [&](SymbolId symbol, bool of_state) {
    const SymbolId own = graph.declare(fmt::format("d({})", graph.info(symbol).name), SymbolKind::acceleration);
    seeds.push_back(own);
    const Expression rate{graph, graph.symbol(own)};
    whole.emplace(symbol, rate);
    if (of_state) state.emplace(symbol, rate);
  };
  for (const SymbolId s : eq.q) seed(s, true);
  for (const SymbolId s : eq.v) seed(s, true);
  for (const int k : inputs) seed(eq.parameters[static_cast<std::size_t>(k)], true);
  for (const SymbolId s : eq.a) seed(s, false);
  for (const SymbolId s : eq.multipliers) seed(s, false);
  const auto along = [&](const std::unordered_map<SymbolId, Expression>& direction) {
    return DirectionalDerivative(graph, [&direction, none](SymbolId s) {
      const auto found = direction.find(s);
      return found == direction.end() ? none : found->second;
    });
  };
  DirectionalDerivative by_state = along(state), by_all = along(whole);
  std::vector<Expression> formulas;
  const auto vary = [&](const std::vector<Expression>& list, DirectionalDerivative& d) {
    for (const Expression& e : list) formulas.push_back(d(e));
  };
  vary(eq.Phi, by_state);
  vary(eq.chi, by_state);
  vary(eq.rates, by_state);
  std::vector<Expression> forces, rows;
  for (const Expression& e : eq.f) forces.push_back(by_state(e));
  for (const Expression& e : eq.b) rows.push_back(by_state(e));
  const auto symbol = [&](SymbolId s) { return Expression{graph, graph.symbol(s)}; };
  std::set<std::pair<int, int>> entries(eq.M.pattern.entries.begin(), eq.M.pattern.entries.end());
  for (std::size_t k = 0; k < eq.M.entries.size(); ++k) {
    const auto [i, j] = eq.M.pattern.entries[k];
    const Expression slope = by_state(eq.M.entries[k]);
    forces[i] = forces[i] - slope * symbol(eq.a[j]);
    if (i != j && !entries.contains({j, i})) forces[j] = forces[j] - slope * symbol(eq.a[i]);
  }
  for (std::size_t k = 0; k < eq.H.entries.size(); ++k) {
    const auto [row, j] = eq.H.pattern.entries[k];
    const Expression slope = by_state(eq.H.entries[k]);
    forces[j] = forces[j] + slope * symbol(eq.multipliers[row]);
    rows[row] = rows[row] - slope * symbol(eq.a[j]);
  }
  formulas.insert(formulas.end(), forces.begin(), forces.end());
  formulas.insert(formulas.end(), rows.begin(), rows.end());
  vary({eq.outputs.begin(), eq.outputs.begin() + static_cast<std::ptrdiff_t>(shape.outputs.size())}, by_all);
  vary(eq.retractions, by_state);
  std::vector<Program::Input> given = state_inputs(eq);
  add_inputs(given, eq.a, Level::acceleration);
  add_inputs(given, eq.multipliers, Level::acceleration);
  add_inputs(given, seeds, Level::acceleration);
  programs.push_back({"variation", Program(graph, given, formulas, Program::Purpose::code)});
}

const Program& ExportedModel::program(const std::string& called) const {
  return std::ranges::find(programs, called, &ExportedProgram::name)->program;
}

}  // namespace taut
