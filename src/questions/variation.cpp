#include "questions/variation.hpp"

#include "expression/derivative.hpp"

namespace taut {
namespace {

Expression symbol(const Equations& eq, const std::vector<SymbolId>& of, int k) {
  return {*eq.graph, eq.graph->symbol(of[static_cast<std::size_t>(k)])};
}

/// F = M a − f − R(λ) − Hᵀλ
std::vector<Expression> dynamics_formulas(const Equations& eq) {
  std::vector<Expression> F;
  for (std::size_t i = 0; i < eq.f.size(); ++i)
    F.push_back(-eq.f[i] - (eq.reactions.empty() ? Expression(0) : eq.reactions[i]));
  for (std::size_t k = 0; k < eq.M.entries.size(); ++k) {
    const auto [i, j] = eq.M.pattern.entries[k];
    F[static_cast<std::size_t>(i)] += eq.M.entries[k] * symbol(eq, eq.a, j);
  }
  for (std::size_t k = 0; k < eq.H.entries.size(); ++k) {
    const auto [row, i] = eq.H.pattern.entries[k];
    F[static_cast<std::size_t>(i)] -= eq.H.entries[k] * symbol(eq, eq.multipliers, row);
  }
  return F;
}

/// G = H a − b
std::vector<Expression> acceleration_formulas(const Equations& eq) {
  std::vector<Expression> G;
  for (const Expression& b : eq.b) G.push_back(-b);
  for (std::size_t k = 0; k < eq.H.entries.size(); ++k) {
    const auto [row, i] = eq.H.pattern.entries[k];
    G[static_cast<std::size_t>(row)] += eq.H.entries[k] * symbol(eq, eq.a, i);
  }
  return G;
}

}  // namespace

Variation::Variation(const Subject& subject, SlopeFormulas::Parameters parameters,
                     const std::vector<std::string>& outputs)
    : subject_(subject), formulas_(subject.equations(), parameters), frame_(subject, formulas_) {
  const Equations& eq = subject.equations();
  rates_ = formulas_.add(eq.rates);
  position_ = formulas_.add(eq.Phi);
  velocity_ = formulas_.add(eq.chi);
  dynamics_ = formulas_.add(dynamics_formulas(eq));
  accelerations_ = formulas_.add(acceleration_formulas(eq));
  std::vector<Expression> shown;
  for (const std::string& name : outputs) shown.push_back(subject.quantity(name));
  outputs_ = formulas_.add(shown);
  outputs_by_time_ = add_by_time(shown);
  switching_ = formulas_.add(eq.switching);
  switching_by_time_ = add_by_time(eq.switching);
  formulas_.compile();
  set_parameters(subject.parameters());
  evaluate(subject.start());
}

std::size_t Variation::add_by_time(const std::vector<Expression>& formulas) {
  std::vector<Expression> slopes;
  for (const Expression& formula : formulas)
    slopes.push_back(formula.graph() ? derivative(formula, subject_.equations().time) : Expression(0));
  return formulas_.add(slopes);
}

void Variation::evaluate(const MotionPoint& point) {
  point_ = point;
  formulas_.evaluate(point);
  frame_.update();
}

}  // namespace taut
