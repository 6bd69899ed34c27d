#pragma once

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "enforcement/energy.hpp"
#include "enforcement/list.hpp"
#include "integration/list.hpp"
#include "integration/runge_kutta.hpp"
#include "linear/list.hpp"
#include "places.hpp"
#include "simulation/combination.hpp"
#include "simulation/motion.hpp"
#include "taut/model.hpp"
#include "taut/simulation.hpp"

/// What the suites of this folder share: the models they run on, what can be combined, and a run whose parts can be
/// reached.
namespace taut::test {

inline std::string model_text(const std::string& name) {
  std::ifstream file(places::source("models/") + name + ".yaml");
  if (!file) throw std::runtime_error("no model " + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline Model model_of(const std::string& name) { return read_model(model_text(name), name + ".yaml"); }

/// One constraint; redundant constraints; a velocity constraint.
inline const std::vector<std::string>& model_names() {
  static const std::vector<std::string> names = {"pendulum", "four-bar-redundant", "knife-edge"};
  return names;
}

inline std::string safe_name(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

inline Vector vector_of(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
}

struct Combination {
  std::string method, integrator, kernel = "auto", energy = "none", control = "auto";

  std::string name() const { return method + ", " + integrator + ", " + kernel + ", " + energy + ", " + control; }
};

/// A method, or an energy law, with its name alone.
inline std::string bare(const std::string& choice) { return choice.substr(0, choice.find('(')); }

inline bool is_runge_kutta(const IntegratorEntry& entry) {
  return dynamic_cast<const RungeKutta*>(entry.make().get()) != nullptr;
}

/// SUNDIALS manages its own memory and steps.
inline bool is_own(const IntegratorEntry& entry) { return !entry.name.starts_with("cvode") && entry.name != "ida"; }

enum class Steps { fixed, chosen };

inline Options options_for(const Combination& by, double step, double until) {
  Options options;
  options.until = until;
  if (step > 0) options.step = step;
  options.method = by.method;
  options.integrator = by.integrator;
  options.linear = by.kernel;
  options.energy = by.energy;
  options.control = by.control;
  options.record = false;
  return options;
}

/// What a method answers to the questions that decide on combinations.
struct Traits {
  bool adds_terms, uses_step, corrects, chart, dae;
};

inline const Traits& traits_of(const std::string& method) {
  static std::vector<std::pair<std::string, Traits>> known;
  for (const auto& [name, traits] : known)
    if (name == method) return traits;
  const Model model = model_of("pendulum");
  const auto system = make_system(model, initial_values(model).parameters);
  std::string chosen;
  Manifold manifold(
      *system, [&] { return make_kernel("cod", chosen); }, 1e-10);
  const auto made = find_method(Choice(method)).make(Choice(method), manifold);
  known.emplace_back(method, Traits{made->adds_terms(), made->uses_step(), made->corrects(), made->chart() != nullptr,
                                    made->is_dae()});
  return known.back().second;
}

/// Does the method leave constraints at the rounding errors of a projection, or of a lift?
inline bool keeps_to_rounding(const std::string& method) {
  return (traits_of(method).corrects || traits_of(method).chart) && bare(method) != "post-stabilization" &&
         bare(method) != "recursive-least-squares";
}

inline bool law_adds_terms(const std::string& energy) { return energy != "none" && energy != "project"; }

/// The controls that mean something for a method with an energy law.
inline std::vector<std::string> controls_for(const std::string& method, const std::string& energy) {
  if (!traits_of(method).adds_terms && !law_adds_terms(energy)) return {"auto"};
  std::vector<std::string> names;
  for (const auto& control : controls()) names.push_back(control.name);
  return names;
}

inline std::vector<std::string> kernels_for(const MethodEntry& method) {
  if (method.kernel) return {"auto"};
  std::vector<std::string> names;
  for (const auto& kernel : kernels()) names.push_back(kernel.name);
  return names;
}

/// Every form of every energy law.
inline const std::vector<std::string>& energy_forms() {
  static const std::vector<std::string> forms = {"none", "project", "project(form=terms)", "gradient", "multiplier"};
  return forms;
}

/// Every method × own integrator that takes such steps × kernel × energy law × control.
inline std::vector<Combination> combinations(const std::vector<std::string>& energies = {"none"},
                                             Steps steps = Steps::fixed) {
  std::vector<Combination> list;
  for (const auto& integrator : integrators()) {
    if (!is_own(integrator) || !(steps == Steps::fixed ? integrator.fixed() : integrator.adaptive())) continue;
    for (const auto& method : methods()) {
      if (traits_of(method.name).dae) continue;  // solved by IDA alone
      for (const auto& kernel : kernels_for(method))
        for (const auto& energy : energies)
          for (const auto& control : controls_for(method.name, energy))
            list.push_back({method.name, integrator.name, kernel, energy, control});
    }
  }
  return list;
}

/// A formula with a memory cannot follow a term with the gain 1/h that belongs to its slopes: that of Adams and
/// Bashforth is stable up to gain·h = 1 with two slopes, where the violation oscillates without end, and up to 6/11
/// with three.
inline bool is_unstable(const Combination& by) {
  const bool gain_is_inverse_step = traits_of(by.method).uses_step || by.energy == "project(form=terms)";
  return gain_is_inverse_step && by.control == "stages" && by.integrator.starts_with("ab");
}

/// Every method × own integrator × kernel × control, with every energy law where the integrator is rk4, and with those
/// that correct steps elsewhere: for questions to which laws that add terms answer alike with every formula.
inline std::vector<Combination> fewer_combinations() {
  std::vector<Combination> list;
  for (auto& by : combinations(energy_forms()))
    if (!is_unstable(by) && (by.integrator == "rk4" || !law_adds_terms(by.energy))) list.push_back(by);
  return list;
}

/// A run put together by hand, so that single steps can be taken.
class Drive {
 public:
  Drive(const Model& model, const Combination& by, const StepControl& control)
      : initial_(initial_values(model)),
        system_(make_system(model, initial_.parameters)),
        choice_(by.method),
        entry_(find_method(choice_)),
        manifold_(
            *system_,
            [this, &by] {
              return entry_.kernel ? entry_.kernel(choice_, system_->shape()) : make_kernel(by.kernel, chosen_);
            },
            entry_.rank_tolerance(choice_)),
        method_(entry_.make(choice_, manifold_)),
        law_(make_energy_law(by.energy, system_->shape())),
        motion_(make_motion(
            manifold_, *method_, law_.get(),
            {by.control == "auto" ? Control::euler : find_control(by.control).control, control.step.has_value()})),
        integrator_(make_integrator(by.integrator, control, chosen_)) {
    q = vector_of(initial_.coordinates);
    v = vector_of(initial_.speeds);
    started_ = motion_->start(0, q, v, entry_.rank_tolerance(choice_));
    if (started_) integrator_->start(*motion_, 0, motion_->state(q, v), control);
  }

  bool started() const { return started_; }
  Integrator& integrator() { return *integrator_; }
  Motion& motion() { return *motion_; }
  Manifold& manifold() { return manifold_; }
  System& system() { return *system_; }
  EnergyLaw* law() { return law_.get(); }

  Vector q, v;  ///< the initial state

 private:
  std::string chosen_;
  InitialValues initial_;
  std::unique_ptr<System> system_;
  Choice choice_;
  const MethodEntry& entry_;
  Manifold manifold_;
  std::unique_ptr<Method> method_;
  std::unique_ptr<EnergyLaw> law_;
  std::unique_ptr<Motion> motion_;
  std::unique_ptr<Integrator> integrator_;
  bool started_ = false;
};

}  // namespace taut::test
