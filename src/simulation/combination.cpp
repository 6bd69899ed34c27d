#include "simulation/combination.hpp"

#include <algorithm>

#include "linear/list.hpp"
#include "simulation/option_error.hpp"

namespace taut {
namespace {

template <class List, class Condition>
std::string names_of(const List& list, Condition&& condition) {
  std::string names;
  for (const auto& entry : list)
    if (condition(entry)) names += (names.empty() ? "" : ", ") + entry.name;
  return names;
}

bool adds_terms(const Method& method, const EnergyLaw* law) {
  return method.adds_terms() || (law && law->adds_terms());
}

bool uses_step(const Method& method, const EnergyLaw* law, const std::string& control) {
  return method.uses_step() || (law && law->uses_step()) || (adds_terms(method, law) && control != "stages");
}

}  // namespace

std::unique_ptr<LinearKernel> kernel_for(const MethodEntry& method, const Options& options, std::string& chosen,
                                         const Shape& shape) {
  if (!method.kernel)
    return blame_options({"linear"}, [&] { return make_kernel(options.linear, chosen, shape.n_v()); });
  if (options.linear.name != "auto" && options.linear.name != method.kernel_name)
    throw OptionError(
        {"method", "linear"},
        "method '" + method.name + "' has a kernel of its own, so linear '" + options.linear.name + "' cannot serve",
        "leave linear out");
  chosen = method.kernel_name;
  return blame_options({"method"}, [&] { return method.kernel(options.method, shape); });
}

Choice integrator_for(const MethodEntry& entry, const Method& method, const EnergyLaw* law, const Options& options) {
  Choice choice = options.integrator;
  blame_options({"integrator"}, [&] { check_integrator(choice); });
  if (method.local_tolerance() > 0 && options.step)
    throw OptionError({"method", "step"},
                      "method '" + entry.name + "' with this option chooses its steps by their errors",
                      "leave the step out, or give tau instead of p1");
  if (method.is_dae()) {
    if (choice.name == "auto") choice.name = "ida";
    if (choice.name != "ida")
      throw OptionError({"method", "integrator"},
                        "method '" + entry.name + "' is a differential-algebraic system, which integrator '" +
                            choice.name + "' cannot solve",
                        "choose integrator ida, or leave it out");
    if (law)
      throw OptionError({"method", "energy"}, "method '" + entry.name + "' carries no energy law",
                        "leave energy out, or choose another method");
    return choice;
  }
  if (choice.name == "auto") return choice;
  const IntegratorEntry& integrator = find_integrator(choice.name);
  const bool corrects = method.corrects() || (law && law->corrects()) || method.chart();
  if (corrects && !integrator.projects)
    throw OptionError({"method", "integrator", "energy"},
                      "integrator '" + choice.name + "' cannot correct the result of a step, which method '" +
                          entry.name + (method.corrects() || method.chart() ? "'" : "' with this energy law") +
                          " needs",
                      "these can: " + names_of(integrators(), [](const auto& e) { return e.projects; }));
  if (method.local_tolerance() > 0 && !integrator.takes_norm)
    throw OptionError(
        {"method", "integrator"},
        "integrator '" + choice.name + "' cannot test errors in the norm of method '" + entry.name + "'",
        "these can: " + names_of(integrators(), [](const auto& e) { return e.adaptive() && e.takes_norm; }));
  return choice;
}

Control control_for(const MethodEntry& entry, const Method& method, const EnergyLaw* law, const Options& options,
                    const std::string& integrator, std::string& chosen) {
  blame_options({"control"}, [&] { check_control(options.control); });
  if (!adds_terms(method, law)) {
    chosen = "none";
    if (options.control.name == "auto") return Control::euler;
    throw OptionError(
        {"method", "control"},
        "method '" + entry.name + "' adds no correction terms, so control '" + options.control.name + "' means nothing",
        "leave control out, or choose braun-goldfarb, baumgarte or gradient-feedback");
  }
  const IntegratorEntry& with = find_integrator(integrator);
  chosen = options.control.name != "auto" ? options.control.name : with.knows_step() ? "euler" : "stages";
  const auto tells_step = [&](const IntegratorEntry& e) {
    return e.knows_step() || (e.steps_implicitly() && chosen == "stages");
  };
  if (!tells_step(with) && uses_step(method, law, chosen))
    throw OptionError({"method", "integrator", "control", "energy"},
                      "integrator '" + integrator +
                          "' does not tell the size of a step while it is taken, which method '" + entry.name +
                          "' with control '" + chosen + "' needs",
                      "these do: " + names_of(integrators(), tells_step));
  return find_control(chosen).control;
}

void check_system(const MethodEntry& entry, Method& method, const Shape& shape) {
  const auto rubs = std::ranges::find_if(shape.switch_names, [](const std::string& name) { return !name.empty(); });
  if (method.is_dae() && rubs != shape.switch_names.end())
    throw OptionError({"method"},
                      "method '" + entry.name + "' cannot hold dry friction at rest, which '" + *rubs + "' has",
                      "choose another method: auto, perturbation, braun-goldfarb, …");
  if (method.local_tolerance() > 0 && !shape.plain_rates)
    throw OptionError(
        {"method"},
        "method '" + entry.name +
            "' weighs errors of coordinates like those of their rates, and here speeds are others: bodies "
            "in space, and models with speeds or states, have such",
        "leave p1 out, and give tau with rtol and atol");
  if (method.chart() && !shape.plain_rates)
    throw OptionError({"method"},
                      "method '" + entry.name +
                          "' needs the rates of the coordinates as speeds; bodies in space, and models with speeds "
                          "or states, have others",
                      "choose another method: auto, perturbation, braun-goldfarb, …");
}

void check_combination(const MethodEntry& entry, Method& method, const Shape& shape, const Options& options) {
  std::string kernel, integrator, control;
  kernel_for(entry, options, kernel, shape);
  const auto law = blame_options({"energy"}, [&] { return make_energy_law(options.energy, shape); });
  StepControl steps;
  steps.step = options.step;
  const Choice choice = integrator_for(entry, method, law.get(), options);
  blame_options({"integrator", "step"}, [&] { return make_integrator(choice, steps, integrator); });
  control_for(entry, method, law.get(), options, integrator, control);
  check_system(entry, method, shape);
}

// ---- all of them --------------------------------------------------------------------------------

namespace {

/// A bead on a circle: something for methods to be made for. Nothing of it is ever evaluated.
constexpr const char* bead = R"(
model: bead
coordinates: {x: 1, y: 0}
kinetic_energy: (x'^2 + y'^2)/2
constraints: {circle: x^2 + y^2 = 1}
)";

/// A method and an integrator, asked for with all that can be combined with them.
class Pair {
 public:
  Pair(const MethodEntry& entry, const IntegratorEntry& integrator, Manifold& manifold)
      : entry_(entry), method_(entry.make(entry.name, manifold)), shape_(manifold.shape()) {
    options_.method = entry.name;
    options_.integrator = integrator.name;
    if (!integrator.adaptive()) options_.step = 1e-3;
  }

  /// Why the two do not go together as `change` has it; "" if they do.
  template <class Change>
  std::string refusal(Change&& change) const {
    Options options = options_;
    change(options);
    try {
      check_combination(entry_, *method_, shape_, options);
      return "";
    } catch (const InputError& error) {
      return error.what();
    }
  }

  /// Those of a list that go with the two.
  template <class List>
  std::vector<std::string> served(const List& list, Choice Options::*part) const {
    std::vector<std::string> names;
    for (const auto& entry : list)
      if (refusal([&](Options& options) { options.*part = entry.name; }).empty()) names.push_back(entry.name);
    return names;
  }

 private:
  const MethodEntry& entry_;
  std::unique_ptr<Method> method_;
  const Shape& shape_;
  Options options_;
};

}  // namespace

std::vector<Compatibility> list_combinations() {
  const Model model = read_model(bead, "bead.yaml");
  const auto system = make_system(model, initial_values(model).parameters);
  std::string kernel;
  std::vector<Compatibility> list;
  for (const auto& method : methods())
    for (const auto& integrator : integrators()) {
      Manifold manifold(
          *system, [&] { return make_kernel("auto", kernel); }, method.rank_tolerance(method.name));
      const Pair pair(method, integrator, manifold);
      auto kernels_served = pair.served(kernels(), &Options::linear);
      const std::string refusal = pair.refusal([](Options&) {});
      // A kernel that is part of one method only stands in no list.
      if (refusal.empty() && kernels_served.empty()) kernels_served = {method.kernel_name};
      list.push_back({method.name, integrator.name, refusal, pair.served(controls(), &Options::control),
                      std::move(kernels_served), pair.served(energy_laws(), &Options::energy)});
    }
  return list;
}

}  // namespace taut
