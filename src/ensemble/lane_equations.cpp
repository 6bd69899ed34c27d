#include "ensemble/lane_equations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "expression/derivative.hpp"
#include "linear/rank_revealing.hpp"
#include "model/controllers.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

void refuse(const std::string& why) {
  throw InputError("members of this model cannot go in lanes: " + why, "leave out --device, or use --device cpu");
}

void require_lanes(const Model& model, const Equations& eq) {
  if (!eq.branches.empty()) refuse("its equations have kinks (sign, abs, min, max or friction)");
  if (eq.shape.forces_need_multipliers) refuse("forces depend on multipliers");
  if (eq.shape.jacobian_of_speeds) refuse("a velocity constraint is not linear in the speeds");
  if (!eq.shape.states.empty()) refuse("it has first-order states");
  for (const Expression& softness : eq.softness)
    if (!softness.is_zero()) refuse("it has soft constraints");
  for (const Watch& watch : model.events)
    if (watch.stop) refuse(fmt::format("event '{}' ends the run", watch.name));
}

/// Those that vary, and those whose formulas use one that does.
std::vector<std::size_t> varying_parameters(const Model& model, const std::vector<std::string>& varied) {
  std::set<SymbolId> symbols;
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < model.parameters.size(); ++k) {
    const Parameter& parameter = model.parameters[k];
    const auto used = symbols_of(parameter.value);
    const bool follows = std::ranges::any_of(used, [&](SymbolId s) { return symbols.contains(s); });
    if (!follows && std::ranges::find(varied, parameter.name) == varied.end()) continue;
    symbols.insert(parameter.symbol);
    places.push_back(k);
  }
  return places;
}

/// Puts values in place of symbols, wherever equations have them.
void substitute(Equations& eq, const std::unordered_map<SymbolId, double>& values) {
  Substitution put(*eq.graph, [&](SymbolId s) {
    const auto value = values.find(s);
    return value == values.end() ? Expression(*eq.graph, eq.graph->symbol(s)) : Expression(value->second);
  });
  for (auto* formulas : {&eq.retractions, &eq.rates, &eq.N.entries, &eq.M.entries, &eq.f, &eq.Phi, &eq.chi,
                         &eq.H.entries, &eq.b, &eq.following, &eq.outputs})
    for (Expression& formula : *formulas) formula = put(formula);
  if (eq.energy) eq.energy = put(*eq.energy);
  eq.power = put(eq.power);
}

template <class T>
std::vector<T> chosen(const std::vector<T>& all, const std::vector<int>& places) {
  std::vector<T> list;
  for (const int k : places)
    if (static_cast<std::size_t>(k) < all.size()) list.push_back(all[static_cast<std::size_t>(k)]);
  return list;
}

/// What is left when only these rows hold. The multipliers of others are nought.
Equations with_rows(const Equations& all, const std::vector<int>& rows) {
  Equations eq = all;
  std::unordered_map<SymbolId, double> gone;
  for (std::size_t k = 0; k < all.multipliers.size(); ++k)
    if (std::ranges::find(rows, static_cast<int>(k)) == rows.end()) gone[all.multipliers[k]] = 0;
  substitute(eq, gone);
  eq.Phi = chosen(eq.Phi, rows);  // position rows come first
  eq.chi = chosen(eq.chi, rows);
  eq.b = chosen(eq.b, rows);
  eq.multipliers = chosen(eq.multipliers, rows);
  eq.shape.constraints = chosen(eq.shape.constraints, rows);
  eq.shape.position_rows = static_cast<int>(eq.Phi.size());
  const FormulaMatrix H = std::move(eq.H);
  eq.H = {};
  eq.H.pattern.rows = static_cast<int>(rows.size());
  eq.H.pattern.columns = H.pattern.columns;
  for (std::size_t k = 0; k < H.entries.size(); ++k) {
    const auto [row, column] = H.pattern.entries[k];
    const auto place = std::ranges::find(rows, row);
    if (place != rows.end()) eq.H.add(static_cast<int>(place - rows.begin()), column, H.entries[k]);
  }
  return eq;
}

/// Rows of H that are independent where a member starts, those with most of their own first chosen, in their order.
std::vector<int> independent_rows(const Model& model, const InitialValues& initial, double tolerance) {
  const auto system = make_system(model, initial.parameters);
  const int n = system->shape().n_v(), m = system->shape().rows();
  Point point = system->make_point();
  const Vector q =
      Eigen::Map<const Vector>(initial.coordinates.data(), static_cast<Eigen::Index>(initial.coordinates.size()));
  const Vector v = Eigen::Map<const Vector>(initial.speeds.data(), n);
  system->at_position(0, q, point);
  system->at_velocity(0, q, v, point);
  std::vector<double> M(static_cast<std::size_t>(n * n)), H(static_cast<std::size_t>(m * n) + 1);
  for (std::size_t k = 0; k < point.M.pattern.entries.size(); ++k)
    M[static_cast<std::size_t>(point.M.pattern.entries[k].first * n + point.M.pattern.entries[k].second)] =
        point.M.values[static_cast<Eigen::Index>(k)];
  for (std::size_t k = 0; k < point.H.pattern.entries.size(); ++k)
    H[static_cast<std::size_t>(point.H.pattern.entries[k].first * n + point.H.pattern.entries[k].second)] =
        point.H.values[static_cast<Eigen::Index>(k)];
  const auto room = [](int count) { return std::vector<double>(static_cast<std::size_t>(count) + 1); };
  std::vector<double> L = room(n * n), Q = room(n * m), Z = room(m * m), reflections = room(2 * m), sizes = room(m),
                      weights = room(m), scratch = room(n + 2 * m);
  std::vector<int> order(static_cast<std::size_t>(m) + 1);
  taut_rows rows{n,
                 m,
                 0,
                 0,
                 0,
                 order.data(),
                 sizes.data(),
                 L.data(),
                 Q.data(),
                 Z.data(),
                 reflections.data(),
                 weights.data(),
                 scratch.data()};
  if (!taut_factor_mass(&rows, M.data(), H.data())) refuse("its mass matrix is singular where the first member starts");
  taut_factor_rows(&rows, H.data(), tolerance);
  order.resize(static_cast<std::size_t>(rows.rank));
  std::ranges::sort(order);
  return order;
}

/// A row counts as one of its own, to begin with, if this much of it is.
constexpr double clear_share = 1e-6;

}  // namespace

LaneEquations lane_equations(const Model& model, const InitialValues& initial, const std::vector<std::string>& varied) {
  if (const std::string moments = moments_of(model); !moments.empty()) refuse("it has " + moments);
  LaneEquations lanes;
  lanes.all = derive(model);
  require_lanes(model, lanes.all);
  lanes.parameters = varying_parameters(model, varied);
  std::unordered_map<SymbolId, double> fixed;
  std::vector<SymbolId> symbols;
  for (std::size_t k = 0; k < model.parameters.size(); ++k) {
    const bool varies = std::ranges::find(lanes.parameters, k) != lanes.parameters.end();
    if (varies) {
      symbols.push_back(lanes.all.parameters[k]);
      lanes.names.push_back(model.parameters[k].name);
    } else {
      fixed[lanes.all.parameters[k]] = initial.parameters[k];
    }
  }
  substitute(lanes.all, fixed);
  lanes.all.parameters = symbols;
  lanes.rows = independent_rows(model, initial, clear_share);
  lanes.kept = with_rows(lanes.all, lanes.rows);
  return lanes;
}

}  // namespace taut
