#include "simulation/final_joints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "expression/derivative.hpp"
#include "expression/formula_list.hpp"
#include "model/tree/joint_form.hpp"
#include "simulation/redundancy.hpp"
#include "system/parametrised_system.hpp"

namespace taut {
namespace {

/// What a reaction is derived from, in a graph of its own: a model may be simulated by many threads at once, and
/// deriving adds formulas.
class OwnGraph {
 public:
  explicit OwnGraph(const Model& model) : copy_(model), graph_(std::make_shared<Graph>(model.graph)) {
    copy_.graph = graph_;
    for (Coordinate& x : copy_.coordinates) move(x.kinematics);
    for (Constraint& constraint : copy_.constraints) move(constraint.residual);
    for (Body& body : copy_.bodies) move(body);
    for (Rotor& rotor : copy_.rotors) {
      move(rotor.inertia);
      move(rotor.rate);
    }
    for (Joint& joint : copy_.joints) {
      move(joint);
      // Its value is recorded: at rest it is what holds, and no formula of the state tells how much that is.
      if (joint.friction)
        joint.friction =
            Expression(*graph_, graph_->symbol(graph_->declare(joint.name + ".friction", SymbolKind::parameter)));
    }
  }

  const Model& model() const { return copy_; }
  Reaction reaction(int joint) const {
    if (!copy_.joint_form) return taut::reaction(copy_, joint);
    Reaction written = copy_.joint_form->reactions[static_cast<std::size_t>(joint)];
    move(written.force);
    move(written.torque);
    return written;
  }
  /// Of the constraints that the joints of a tree would have.
  std::vector<Expression> multipliers() const {
    std::vector<Expression> list;
    if (!copy_.joint_form) return list;
    for (const JointForm::Following& multiplier : copy_.joint_form->multipliers)
      move(list.emplace_back(multiplier.value));
    return list;
  }

 private:
  void move(Expression& e) const {
    if (e.graph() != nullptr) e = Expression(*graph_, e.in(*e.graph()));
  }
  void move(std::optional<Expression>& e) const {
    if (e) move(*e);
  }
  void move(Vector3& a) const {
    for (int k = 0; k < 3; ++k) move(a[k]);
  }
  void move(Body& body) const {
    for (Vector3* part : {&body.position, &body.velocity, &body.acceleration, &body.omega, &body.alpha}) move(*part);
  }
  void move(Joint& joint) const {
    move(joint.point);
    if (joint.axis) move(*joint.axis);
    for (auto* part : {&joint.travel, &joint.travel_rate, &joint.angle, &joint.angle_rate, &joint.effort, &joint.stop})
      move(*part);
  }

  Model copy_;
  std::shared_ptr<Graph> graph_;
};

/// The values of all symbols at the end of a run.
class FinalValues {
 public:
  FinalValues(const Model& model, const std::vector<double>& parameters, System& system, const Summary& summary)
      : values_(model.graph->symbols(), 0.0) {
    const Shape& shape = system.shape();
    values_[model.time] = summary.t;
    for (std::size_t i = 0; i < parameters.size(); ++i) values_[model.parameters[i].symbol] = parameters[i];
    std::size_t own = 0;
    for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
      const Coordinate& x = model.coordinates[i];
      values_[x.symbol] = summary.final_coordinates[i].value;
      values_[x.rate] = summary.final_rates[i].value;
      if (!x.kinematics) values_[x.acceleration] = summary.final_accelerations[own++].value;
    }
    for (std::size_t i = 0; i < model.speeds.size(); ++i) {
      values_[model.speeds[i].symbol] = summary.final_rates[model.coordinates.size() + i].value;
      values_[model.speeds[i].acceleration] = summary.final_accelerations[own + i].value;
    }
    if (!model.functions.empty()) take_driven(model, parameters, system);
    for (const Joint& joint : model.joints)
      if (joint.friction) values_[symbols_of(*joint.friction).front()] = output(summary, joint.name + ".friction");
    std::unordered_map<std::string, SymbolId> multiplier;
    for (const Constraint& constraint : model.constraints) multiplier[constraint.name] = constraint.multiplier;
    for (const std::string& name : shape.constraints) multipliers_.push_back(multiplier.at(name));
    for (std::size_t i = 0; i < multipliers_.size(); ++i) values_[multipliers_[i]] = summary.final_multipliers[i].value;
  }

  double& operator[](SymbolId symbol) { return values_[symbol]; }
  double& multiplier(int row) { return values_[multipliers_[static_cast<std::size_t>(row)]]; }
  void clear_multipliers() {
    for (const SymbolId symbol : multipliers_) values_[symbol] = 0;
  }
  /// What formulas are worth at these values.
  std::vector<double> evaluate(FormulaList& formulas) const {
    for (SymbolId symbol = 0; symbol < values_.size(); ++symbol) formulas[symbol] = values_[symbol];
    std::vector<double> results;
    formulas.evaluate(results);
    return results;
  }

 private:
  /// What functions of the program compute where the run has ended.
  void take_driven(const Model& model, std::vector<double> parameters, System& system) {
    Vector q = Vector::Zero(system.shape().n_q()), v = Vector::Zero(system.shape().n_v());
    Eigen::Index own = 0;
    for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
      q[static_cast<Eigen::Index>(i)] = values_[model.coordinates[i].symbol];
      if (!model.coordinates[i].kinematics) v[own++] = values_[model.coordinates[i].rate];
    }
    for (const Speed& u : model.speeds) v[own++] = values_[u.symbol];
    find_driven(system, values_[model.time], q, v, parameters);
    for (const StateFunction& function : model.functions)
      for (const int k : function.parameters)
        values_[model.parameters[static_cast<std::size_t>(k)].symbol] = parameters[static_cast<std::size_t>(k)];
  }
  static double output(const Summary& summary, const std::string& name) {
    const auto found = std::ranges::find(summary.final_outputs, name, &NamedValue::name);
    return found != summary.final_outputs.end() ? found->value : std::numeric_limits<double>::quiet_NaN();
  }

  std::vector<double> values_;
  std::vector<SymbolId> multipliers_;  ///< of the rows of H
};

/// Where the formulas of a joint stand among all.
struct Columns {
  std::size_t reaction = 0;  ///< force, then torque
  std::optional<std::size_t> angle, travel, angle_rate, travel_rate, effort;
};

class FinalJoints {
 public:
  FinalJoints(const Model& model, const std::vector<double>& parameters, System& system, Summary& summary)
      : own_(model),
        system_(system),
        summary_(summary),
        values_(own_.model(), parameters, system, summary),
        formulas_(*own_.model().graph, formulas_of(model.joints.size())) {}

  void fill() {
    const std::vector<double> now = values_.evaluate(formulas_);
    for (std::size_t k = 0; k < columns_.size(); ++k) summary_.final_joints.push_back(state(k, now));
    judge();
    name_multipliers(now);
    // Constraints that always hold were left out: that they share loads the others do not show.
    if (const auto& form = own_.model().joint_form)
      for (std::size_t k = 0; k < columns_.size(); ++k)
        if (form->undetermined[k]) summary_.final_joints[k].unique = false;
  }

 private:
  std::vector<Expression> formulas_of(std::size_t joints) {
    std::vector<Expression> list;
    for (std::size_t k = 0; k < joints; ++k) columns_.push_back(add(static_cast<int>(k), list));
    first_multiplier_ = list.size();
    for (const Expression& multiplier : own_.multipliers()) list.push_back(multiplier);
    return list;
  }

  /// Joints of the tree have reactions, and so multipliers, though no constraint; those that always hold share loads
  /// with others, and have none that is known.
  void name_multipliers(const std::vector<double>& now) {
    const auto& form = own_.model().joint_form;
    if (!form) return;
    for (std::size_t k = 0; k < form->multipliers.size(); ++k)
      summary_.final_multipliers.push_back({form->multipliers[k].name, now[first_multiplier_ + k]});
    for (const std::string& name : form->implied)
      summary_.final_multipliers.push_back({name, std::numeric_limits<double>::quiet_NaN()});
  }

  Columns add(int index, std::vector<Expression>& list) {
    const auto add = [&list](const std::optional<Expression>& e) -> std::optional<std::size_t> {
      if (!e) return std::nullopt;
      list.push_back(*e);
      return list.size() - 1;
    };
    const Joint& joint = own_.model().joints[static_cast<std::size_t>(index)];
    const auto [force, torque] = own_.reaction(index);
    Columns columns;
    columns.reaction = list.size();
    for (const Expression& e : {force.x, force.y, force.z, torque.x, torque.y, torque.z}) list.push_back(e);
    columns.angle = add(joint.angle);
    columns.travel = add(joint.travel);
    columns.angle_rate = add(joint.angle_rate);
    columns.travel_rate = add(joint.travel_rate);
    columns.effort = add(joint.effort);
    return columns;
  }

  JointState state(std::size_t k, const std::vector<double>& now) const {
    const Joint& joint = own_.model().joints[k];
    const Columns& at = columns_[k];
    const auto value = [&](const std::optional<std::size_t>& column) {
      return column ? std::optional(now[*column]) : std::nullopt;
    };
    JointState state;
    state.name = joint.name;
    state.type = joint.type;
    state.turns = joint.angle_rate.has_value();
    state.slides = joint.travel_rate.has_value();
    state.angle = value(at.angle);
    state.travel = value(at.travel);
    state.angle_rate = value(at.angle_rate);
    state.travel_rate = value(at.travel_rate);
    state.effort = value(at.effort);
    for (std::size_t i = 0; i < 3; ++i) {
      state.force[i] = now[at.reaction + i];
      state.torque[i] = now[at.reaction + 3 + i];
    }
    return state;
  }

  /// A reaction is undetermined if it changes when the multipliers move along some w with Hᵀ w = 0. A combination of
  /// all such w with arbitrary weights changes whatever one of them changes.
  void judge() {
    if (summary_.multipliers_unique) {
      for (JointState& joint : summary_.final_joints) joint.unique = true;
      return;
    }
    const Point point = end_point();
    if (!point.H.values.allFinite()) return;
    const Redundancy redundancy = redundancy_at(point);
    if (redundancy.too_large) {
      summary_.notes.emplace_back("too many redundant constraints to tell which reactions are unique");
      return;
    }
    values_.clear_multipliers();
    const std::vector<double> without = values_.evaluate(formulas_);
    double weight = 1;
    for (const Dependency& dependency : redundancy.dependencies) {
      weight = std::fmod(weight * 1.6180339887498949, 1) + 0.5;
      for (const auto& [row, share] : dependency.terms) values_.multiplier(row) += weight * share;
    }
    compare(without, values_.evaluate(formulas_));
  }

  Point end_point() {
    const Shape& shape = system_.shape();
    Vector q(shape.n_q()), v(shape.n_v());
    for (int i = 0; i < shape.n_q(); ++i) q[i] = summary_.final_coordinates[static_cast<std::size_t>(i)].value;
    int own = 0;
    for (const Coordinate& x : own_.model().coordinates)
      if (!x.kinematics) v[own++] = values_[x.rate];
    for (const Speed& u : own_.model().speeds) v[own++] = values_[u.symbol];
    Point point = system_.make_point();
    system_.at_position(summary_.t, q, point);
    system_.at_velocity(summary_.t, q, v, point);
    return point;
  }

  Redundancy redundancy_at(const Point& point) const {
    const Shape& shape = system_.shape();
    const bool steady = summary_.rank_min == summary_.rank_max;
    const auto soft = std::ranges::count_if(shape.softness, [](double square) { return square > 0; });
    return find_redundancy(point.H, shape.softness,
                           steady ? std::optional(summary_.rank_max - static_cast<int>(soft)) : std::nullopt);
  }

  void compare(const std::vector<double>& without, const std::vector<double>& with) {
    const auto change = [&](std::size_t k) {
      double largest = 0;
      for (std::size_t i = 0; i < 6; ++i)
        largest = std::max(largest, std::abs(with[columns_[k].reaction + i] - without[columns_[k].reaction + i]));
      return largest;
    };
    double scale = 0;
    for (std::size_t k = 0; k < columns_.size(); ++k) scale = std::max(scale, change(k));
    // Far above rounding, far below what any of the combined dependencies would change.
    for (std::size_t k = 0; k < columns_.size(); ++k) summary_.final_joints[k].unique = !(change(k) > 1e-7 * scale);
  }

  OwnGraph own_;
  System& system_;
  Summary& summary_;
  FinalValues values_;
  std::vector<Columns> columns_;  ///< before the formulas, with which they are filled
  std::size_t first_multiplier_ = 0;
  FormulaList formulas_;
};

/// The symbol an expression is.
std::optional<SymbolId> symbol_of(const Model& model, const Expression& e) {
  if (e.graph() == nullptr) return std::nullopt;
  const Graph::Node node = model.graph->node(e.in(*model.graph));
  return node.op == Op::symbol ? std::optional(node.a) : std::nullopt;
}

/// A body in space has its accelerations under the contract's names only, a planar one also under its coordinates'.
void name_accelerations(const Model& model, Summary& summary) {
  std::unordered_map<SymbolId, std::size_t> at;
  std::size_t own = 0;
  for (const Coordinate& x : model.coordinates)
    if (!x.kinematics) at[x.acceleration] = own++;
  for (const Speed& u : model.speeds) at[u.acceleration] = own++;
  const char* const axes[] = {"x", "y", "z"};
  for (const Body& body : model.bodies) {
    const auto name = [&](const std::string& part, const Expression& acceleration) {
      const auto symbol = symbol_of(model, acceleration);
      if (!symbol) return;
      NamedValue& value = summary.final_accelerations[at.at(*symbol)];
      // In joint coordinates a body may have the acceleration of a joint, or of a body that it hangs on.
      if (!value.name.starts_with(body.name + ".")) return;
      const std::string whole = fmt::format("{}.{}", body.name, part);
      if (body.planar) {
        summary.final_accelerations.push_back({whole, value.value});
      } else {
        value.name = whole;
      }
    };
    for (int k = 0; k < 3; ++k) name(fmt::format("a{}", axes[k]), body.acceleration[k]);
    for (int k = 0; k < 3; ++k) name(fmt::format("alpha_{}", axes[k]), body.alpha[k]);
  }
}

}  // namespace

void add_mechanism(const Model& model, const std::vector<double>& parameters, System& system, Summary& summary) {
  if (!model.joints.empty()) FinalJoints(model, parameters, system, summary).fill();
  if (!model.bodies.empty()) name_accelerations(model, summary);
}

}  // namespace taut
