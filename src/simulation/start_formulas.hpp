#pragma once

#include <memory>
#include <vector>

#include "expression/program.hpp"
#include "taut/model.hpp"
#include "taut/vector.hpp"

namespace taut {

/// Formulas of a model, evaluated at states before the equations are.
class StartFormulas {
 public:
  StartFormulas(const Model& model, const InitialValues& at, const std::vector<Expression>& formulas) {
    std::vector<Program::Input> inputs;
    for (SymbolId s = 0; s < model.graph->symbols(); ++s) inputs.push_back({s, 0});
    // The program's own nodes go into a graph of their own: a model may be simulated by many threads at once.
    graph_ = std::make_shared<Graph>(model.graph);
    std::vector<Expression> own;
    for (const Expression& e : formulas) own.push_back(e.graph() ? Expression(*graph_, e.in(*e.graph())) : e);
    program_ = Program(*graph_, inputs, own);
    workspace_ = program_.workspace();
    for (SymbolId s = 0; s < model.graph->symbols(); ++s) set(s, 0);
    for (std::size_t k = 0; k < model.parameters.size(); ++k) set(model.parameters[k].symbol, at.parameters[k]);
    for (std::size_t k = 0; k < model.coordinates.size(); ++k) set(model.coordinates[k].symbol, at.coordinates[k]);
  }

  void set(SymbolId s, double value) { *workspace_.input(static_cast<int>(s)) = value; }
  Vector operator()() {
    for (int level = 0; level < program_.levels(); ++level) program_.run(level, workspace_);
    Vector results(program_.outputs());
    program_.copy(0, program_.outputs(), workspace_, results.data());
    return results;
  }

 private:
  std::shared_ptr<Graph> graph_;
  Program program_;
  Program::Workspace workspace_;
};

/// The symbols of the speeds, in their order.
inline std::vector<SymbolId> speeds_of(const Model& model) {
  std::vector<SymbolId> symbols;
  for (const Coordinate& x : model.coordinates)
    if (!x.kinematics) symbols.push_back(x.rate);
  for (const Speed& u : model.speeds) symbols.push_back(u.symbol);
  return symbols;
}

}  // namespace taut
