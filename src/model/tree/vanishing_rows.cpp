#include "model/tree/vanishing_rows.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "expression/program.hpp"

namespace taut {
namespace {

constexpr int positions = 3;
/// No joint turns by more than 1.5, so that of a chain of up to thirty of them no angle turns by half a turn in a step.
constexpr int following_steps = 16;
/// Of the terms of a sum: what rounding errors of a few dozen operations may leave of one that vanishes.
constexpr double rounding_of_terms = 1e-12;
/// A configuration is drawn to so many digits.
constexpr double drawn_digits = 1e-9;

/// Formulas of a model at positions and speeds of one's choice.
class Samples {
 public:
  Samples(const Model& model, const std::vector<double>& parameters, const std::vector<RowTerms>& rows)
      : model_(model) {
    std::vector<Expression> formulas;
    for (const Retraction& retraction : model.retractions) {
      formulas.push_back(retraction.value);
      follows_ = follows_ || retraction.derived;
    }
    for (const Coordinate& x : model.coordinates) formulas.push_back(x.initial);
    for (const RowTerms& row : rows) {
      formulas.push_back(row.residual);
      for (const auto& [factor, velocity] : row.rate) formulas.insert(formulas.end(), {factor, velocity});
    }
    std::vector<Program::Input> inputs;
    for (SymbolId s = 0; s < model.graph->symbols(); ++s) inputs.push_back({s, 0});
    program_ = Program(*model.graph, inputs, formulas);
    workspace_ = program_.workspace();
    for (SymbolId s = 0; s < model.graph->symbols(); ++s) set(s, 0);
    for (std::size_t k = 0; k < parameters.size(); ++k) set(model.parameters[k].symbol, parameters[k]);
  }

  void set(SymbolId s, double value) { *workspace_.input(static_cast<int>(s)) = value; }

  /// Coordinates at random; those that are more than the motion needs are set right. An angle that follows from others
  /// counts turns: it is led there from where the motion begins.
  void move(std::mt19937& random) {
    const std::vector<double> start = initial_values();
    std::vector<double> there;
    for (std::size_t k = 0; k < start.size(); ++k) there.push_back(3.0 * random() / 4294967296.0 - 1.5);
    const int steps = follows_ ? following_steps : 1;
    set_all(start);
    for (int step = 1; step <= steps; ++step) {
      const double share = static_cast<double>(step) / steps;
      for (std::size_t k = 0; k < start.size(); ++k)
        if (!is_derived(model_.coordinates[k].symbol))
          set(model_.coordinates[k].symbol, there[k] + (1 - share) * (start[k] - there[k]));
      retract(false);
      if (follows_) retract(true);
    }
  }

  /// Values of the rows' formulas, one after the other.
  std::vector<double> values() {
    const std::vector<double> all = evaluate();
    return {all.begin() + static_cast<std::ptrdiff_t>(model_.retractions.size() + model_.coordinates.size()),
            all.end()};
  }

 private:
  std::vector<double> initial_values() {
    const std::vector<double> all = evaluate();
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(model_.retractions.size());
    return {first, first + static_cast<std::ptrdiff_t>(model_.coordinates.size())};
  }
  void set_all(const std::vector<double>& values) {
    for (std::size_t k = 0; k < values.size(); ++k) set(model_.coordinates[k].symbol, values[k]);
  }
  bool is_derived(SymbolId coordinate) const {
    return std::ranges::any_of(model_.retractions,
                               [&](const Retraction& r) { return r.derived && r.coordinate == coordinate; });
  }
  void retract(bool derived) {
    const std::vector<double> all = evaluate();
    for (std::size_t k = 0; k < model_.retractions.size(); ++k)
      if (model_.retractions[k].derived == derived) set(model_.retractions[k].coordinate, all[k]);
  }
  std::vector<double> evaluate() {
    for (int level = 0; level < program_.levels(); ++level) program_.run(level, workspace_);
    std::vector<double> all(static_cast<std::size_t>(program_.outputs()));
    program_.copy(0, program_.outputs(), workspace_, all.data());
    return all;
  }

  const Model& model_;
  bool follows_ = false;  ///< does a coordinate follow from others?
  Program program_;
  Program::Workspace workspace_;
};

}  // namespace

std::vector<bool> find_vanishing_rows(const Model& model, const std::vector<double>& parameters,
                                      const std::vector<RowTerms>& rows) {
  std::vector<bool> vanishes(rows.size(), true);
  if (rows.empty()) return vanishes;
  Samples samples(model, parameters, rows);
  std::vector<SymbolId> speeds;
  for (const Coordinate& x : model.coordinates)
    if (!x.kinematics) speeds.push_back(x.rate);
  for (const Speed& u : model.speeds) speeds.push_back(u.symbol);
  std::mt19937 random(17);
  for (int k = 0; k < positions; ++k) {
    samples.move(random);
    for (const SymbolId speed : speeds) {
      samples.set(speed, 1);
      const std::vector<double> values = samples.values();
      samples.set(speed, 0);
      std::size_t at = 0;
      for (std::size_t r = 0; r < rows.size(); ++r) {
        const double residual = values[at++];
        double sum = 0, factor = 0, velocity = 0;
        for (std::size_t t = 0; t < rows[r].rate.size(); ++t, at += 2) {
          sum += values[at] * values[at + 1];
          factor = std::max(factor, std::abs(values[at]));
          velocity = std::max(velocity, std::abs(values[at + 1]));
        }
        if (!(std::abs(sum) <= rounding_of_terms * factor * velocity) || !(std::abs(residual) <= drawn_digits))
          vanishes[r] = false;
      }
    }
  }
  return vanishes;
}

}  // namespace taut
