#include "system/equations.hpp"

#include <algorithm>
#include <map>

#include "model/functions.hpp"
#include "model/tree/joint_form.hpp"
#include "system/branches.hpp"
#include "system/derivation.hpp"
#include "system/driven_inputs.hpp"
#include "system/kinks_of_time.hpp"
#include "system/signs.hpp"

namespace taut {
namespace {

/// What stands beside the equations of motion of a model.
class Surroundings {
 public:
  explicit Surroundings(Derivation& derivation) : d_(derivation), eq_(derivation.eq), model_(derivation.model) {}

  void retractions() {
    std::map<SymbolId, Expression> anew;
    Substitution retract(d_.graph(), [&](SymbolId s) -> Expression {
      const auto found = anew.find(s);
      return found == anew.end() ? d_.symbol(s) : found->second;
    });
    for (const bool derived : {false, true}) {
      for (const Retraction& retraction : model_.retractions) {
        if (retraction.derived != derived) continue;
        const Expression value = d_.here(retraction.value);
        eq_.retracted.push_back(d_.index_of_q(retraction.coordinate));
        eq_.retractions.push_back(derived ? retract(value) : value);
        if (!derived) anew[retraction.coordinate] = value;
      }
    }
    eq_.shape.retracts = !eq_.retracted.empty();
  }

  /// ż = rate: the equation of a speed of inertia 1. It comes after the energy, which it has no part in. A state
  /// without a rate has no inertia: the constraints, which complete M, move it and nothing else.
  void states() {
    for (const Shape::State& state : eq_.shape.states) {
      if (!state.is_speed || d_.speed(state.index).is_algebraic) continue;
      eq_.M.add(state.index, state.index, 1);
      apply_force(d_, state.index, d_.resolved(d_.speed(state.index).force));
    }
  }

  void outputs() {
    d_.declare_multipliers();
    const auto add = [this](const std::string& name, const Expression& value, std::vector<std::string>& names) {
      const Expression e = d_.resolved(value);
      names.push_back(name);
      eq_.outputs.push_back(e);
      if (d_.depends_on(e, SymbolKind::acceleration) || d_.depends_on(e, SymbolKind::multiplier))
        eq_.shape.outputs_need_accelerations = true;
    };
    for (const auto& output : model_.outputs) add(output.name, output.value, eq_.shape.outputs);
    if (model_.joint_form) follow(*model_.joint_form);
    Signs signs(d_.graph());
    for (const auto& watch : model_.events) {
      const Expression value = d_.here(watch.value);
      // The zeros of (x - 5)^3 are those of x - 5, which has a slope there.
      const bool simple = value.is_constant();
      add(watch.name, simple ? value : Expression(d_.graph(), signs.simplest_of_same(value.in(d_.graph()))),
          eq_.shape.watches);
      eq_.shape.watch_stops.push_back(watch.stop);
    }
  }

  /// Inputs that functions of the program compute are known where the velocities are.
  void functions() {
    check_functions(model_);
    eq_.functions = model_.functions;
    for (StateFunction& function : eq_.functions) {
      for (Expression& argument : function.arguments) argument = d_.resolved(argument);
      function.law = limited_law(model_, function);
    }
    check_driven(eq_, model_);
  }

  /// Formulas with kinks get branches. Most models have none, and large ones many formulas.
  void branches(KinksOfTime of_time) {
    if (has_kinks())
      open_branches(
          eq_, [this](const Expression& e) { return d_.motion(e); }, breakaways(), of_time);
  }

 private:
  bool has_kinks() const {
    const auto has_kink = [](Op op) {
      return op == Op::abs || op == Op::sign || op == Op::min || op == Op::max || op == Op::less;
    };
    for (NodeId id = 0; id < d_.graph().size(); ++id)
      if (has_kink(d_.graph().node(id).op)) return true;
    return false;
  }

  std::vector<Breakaway> breakaways() {
    std::vector<Breakaway> list = model_.breakaways;
    for (Breakaway& b : list) b = {d_.resolved(b.slip), d_.here(b.ratio), b.place, b.name};
    return list;
  }

  /// Coordinates of bodies, their rates, speeds, accelerations.
  void follow(const JointForm& form) {
    const auto add = [&](const std::vector<JointForm::Following>& list, std::vector<std::string>& names) {
      for (const auto& one : list) names.push_back(one.name);
      for (const auto& one : list) eq_.following.push_back(d_.resolved(one.value));
    };
    add(form.coordinates, eq_.shape.following.coordinates);
    for (const auto& one : form.coordinates) eq_.following.push_back(d_.resolved(one.rate));
    add(form.speeds, eq_.shape.following.speeds);
    add(form.accelerations, eq_.shape.following.accelerations);
    eq_.shape.least_size = form.turns ? 1 : form.length;
  }

  Derivation& d_;
  Equations& eq_;
  const Model& model_;
};

}  // namespace

bool is_driven(const Equations& eq, SymbolId symbol) {
  return std::ranges::any_of(eq.functions, [&](const StateFunction& function) {
    return std::ranges::any_of(function.parameters,
                               [&](int k) { return eq.parameters[static_cast<std::size_t>(k)] == symbol; });
  });
}

namespace {

/// The order of the steps is the order of the story.
Equations derive(const Model& model, KinksOfTime of_time) {
  Derivation derivation(model);
  Surroundings surroundings(derivation);
  surroundings.retractions();
  derive_constraints(derivation);
  derive_energy(derivation, derive_forces(derivation));
  surroundings.states();
  surroundings.outputs();
  surroundings.functions();
  surroundings.branches(of_time);
  derivation.eq.H.shrink_to_fit();
  return std::move(derivation.eq);
}

}  // namespace

Equations derive(const Model& model) { return derive(model, KinksOfTime::left); }

Equations derive_with_kinks_of_time(const Model& model) { return derive(model, KinksOfTime::opened); }

}  // namespace taut
