#include "questions/start_slopes.hpp"

#include <algorithm>
#include <map>

#include "expression/derivative.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

class StartSlopes {
 public:
  StartSlopes(const Subject& subject, const std::vector<std::string>& to, const Matrix& parameter_slopes)
      : subject_(subject), to_(to), parameter_slopes_(parameter_slopes) {}

  void fill(VariedState& state) const {
    const Model& model = subject_.model();
    std::vector<Expression> q, v;
    for (const Coordinate& x : model.coordinates) q.push_back(x.initial);
    for (const Coordinate& x : model.coordinates)
      if (!x.kinematics) v.push_back(x.initial_rate);
    for (const Speed& u : model.speeds) v.push_back(u.initial);
    state.q_slopes = by_parameters(q);
    state.v_slopes = by_parameters(v);
    for (std::size_t k = 0; k < to_.size(); ++k)
      if (const std::string name = initial_name(to_[k]); !name.empty()) set(name, static_cast<Eigen::Index>(k), state);
  }

 private:
  Matrix by_parameters(const std::vector<Expression>& formulas) const {
    const auto& parameters = subject_.model().parameters;
    Graph graph(subject_.model().graph);
    std::map<SymbolId, int> index;
    for (std::size_t k = 0; k < parameters.size(); ++k) index[parameters[k].symbol] = static_cast<int>(k);
    std::vector<Expression> partials;
    std::vector<std::pair<int, int>> places;
    for (std::size_t i = 0; i < formulas.size(); ++i) {
      if (!formulas[i].graph()) continue;
      for (const auto& [symbol, value] :
           gradient(Expression(graph, formulas[i].in(*formulas[i].graph())), SymbolKind::parameter)) {
        partials.push_back(value);
        places.emplace_back(static_cast<int>(i), index.at(symbol));
      }
    }
    FormulaList list(graph, partials);
    for (std::size_t k = 0; k < parameters.size(); ++k) list[parameters[k].symbol] = subject_.parameters()[k];
    std::vector<double> values;
    list.evaluate(values);
    Matrix slopes = Matrix::Zero(static_cast<Eigen::Index>(formulas.size()), parameter_slopes_.rows());
    for (std::size_t k = 0; k < places.size(); ++k) slopes(places[k].first, places[k].second) = values[k];
    return slopes * parameter_slopes_;
  }

  void set(const std::string& name, Eigen::Index column, VariedState& state) const {
    const Shape& shape = subject_.shape();
    const auto q = std::ranges::find(shape.coordinates, name);
    const auto v = std::ranges::find(shape.speeds, name);
    if (q == shape.coordinates.end() && v == shape.speeds.end())
      throw InputError("there is no initial value '" + name + "(0)'",
                       "name a parameter, a coordinate as x(0) or a rate as x'(0)");
    if (q != shape.coordinates.end())
      state.q_slopes(q - shape.coordinates.begin(), column) = 1;
    else
      state.v_slopes(v - shape.speeds.begin(), column) = 1;
  }

  const Subject& subject_;
  const std::vector<std::string>& to_;
  const Matrix& parameter_slopes_;
};

}  // namespace

std::string initial_name(const std::string& name) {
  return name.ends_with("(0)") ? name.substr(0, name.size() - 3) : "";
}

Matrix slopes_of_parameters(const Subject& subject, const std::vector<std::string>& to) {
  std::vector<std::string> names;
  for (const std::string& name : to)
    if (initial_name(name).empty()) names.push_back(name);
  const Matrix known = subject.parameter_slopes(names);
  Matrix slopes = Matrix::Zero(known.rows(), static_cast<Eigen::Index>(to.size()));
  Eigen::Index next = 0;
  for (std::size_t k = 0; k < to.size(); ++k)
    if (initial_name(to[k]).empty()) slopes.col(static_cast<Eigen::Index>(k)) = known.col(next++);
  return slopes;
}

void fill_start_slopes(const Subject& subject, const std::vector<std::string>& to, const Matrix& parameter_slopes,
                       VariedState& state) {
  StartSlopes(subject, to, parameter_slopes).fill(state);
}

}  // namespace taut
