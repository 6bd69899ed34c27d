#include "model/tree/pose_form.hpp"

#include <algorithm>

namespace taut {
namespace {

std::optional<SymbolId> symbol_in(const Graph& graph, const Expression& e) {
  if (e.graph() == nullptr) return std::nullopt;
  const Graph::Node node = graph.node(e.in(*e.graph()));
  return node.op == Op::symbol ? std::optional(SymbolId{node.a}) : std::nullopt;
}

}  // namespace

PoseForm::PoseForm(const Model& model, const SpanningTree& tree)
    : graph_(std::make_shared<Graph>(model.graph)), copy_(model), joints_(model.joints.size()) {
  copy_.graph = graph_;
  move_copy();
  is_of_tree_.assign(copy_.coordinates.size(), false);
  for (std::size_t k = 0; k < copy_.coordinates.size(); ++k) {
    coordinate_of_[copy_.coordinates[k].symbol] = k;
    acceleration_of_[copy_.coordinates[k].acceleration] = k;
  }
  recast_.emplace(*graph_, *graph_, [this](SymbolId s) { return meaning(s); });
  for (std::size_t b = 0; b < copy_.bodies.size(); ++b) name_axes(b);
  for (std::size_t k = 0; k < copy_.joints.size(); ++k)
    if (tree.is_branch[k]) name_joint(k);
  moving_.emplace(*graph_, [this](SymbolId s) { return s == copy_.time ? Expression(1) : rate_of_symbol(s); });
  still_.emplace(*graph_, [this](SymbolId s) { return s == copy_.time ? Expression(0) : rate_of_symbol(s); });
}

Expression PoseForm::operator()(const Expression& formula) { return (*recast_)(here(formula)); }

/// A graph that begins as another does has the same nodes under the same numbers.
void PoseForm::move_copy() {
  const auto move = [this](Expression& e) { e = here(e); };
  const auto move_if = [&](std::optional<Expression>& e) {
    if (e) move(*e);
  };
  const auto move_all = [&](Vector3& v) {
    for (int k = 0; k < 3; ++k) move(v[k]);
  };
  for (Coordinate& x : copy_.coordinates) move_if(x.kinematics);
  for (Constraint& constraint : copy_.constraints) move(constraint.residual);
  for (Body& body : copy_.bodies) {
    for (Vector3* v : {&body.position, &body.velocity, &body.acceleration, &body.omega, &body.alpha}) move_all(*v);
    for (Vector3& column : body.axes.columns) move_all(column);
    for (Expression* e :
         {&body.orientation.w, &body.orientation.x, &body.orientation.y, &body.orientation.z, &body.angle})
      move(*e);
  }
  for (Rotor& rotor : copy_.rotors)
    for (Expression* e : {&rotor.inertia, &rotor.rate}) move(*e);
  for (Joint& joint : copy_.joints) {
    move_all(joint.point);
    if (joint.axis) move_all(*joint.axis);
    for (auto* e : {&joint.travel, &joint.travel_rate, &joint.angle, &joint.angle_rate, &joint.cosine, &joint.sine,
                    &joint.effort, &joint.stop, &joint.friction})
      move_if(*e);
  }
}

Expression PoseForm::declare(const std::string& name) {
  return {*graph_, graph_->symbol(graph_->declare(name, SymbolKind::coordinate))};
}

PoseForm::Symbols PoseForm::declare_coordinate(const std::string& name) {
  const SymbolId x = graph_->declare(name, SymbolKind::coordinate);
  const SymbolId rate = graph_->declare(name + "'", SymbolKind::rate);
  const SymbolId acceleration = graph_->declare(name + "''", SymbolKind::acceleration);
  const auto symbol = [this](SymbolId s) { return Expression(*graph_, graph_->symbol(s)); };
  const Symbols symbols{symbol(x), symbol(rate), symbol(acceleration)};
  rates_[x] = symbols.rate;
  rates_[rate] = symbols.acceleration;
  return symbols;
}

void PoseForm::name_axes(std::size_t b) {
  const Body& body = copy_.bodies[b];
  Rotation& axes = axes_.emplace_back();
  if (body.is_ground) return;
  if (body.planar) {
    const Expression c = declare(body.name + ".cosine"), s = declare(body.name + ".sine");
    const Expression& w = body.omega.z;
    rates_[*symbol_in(*graph_, c)] = -s * w;
    rates_[*symbol_in(*graph_, s)] = c * w;
    recast_->bind(body.axes.columns[0].x, c);
    recast_->bind(body.axes.columns[0].y, s);
    axes = {{Vector3{c, s, 0}, Vector3{-s, c, 0}, Vector3{0, 0, 1}}};
    return;
  }
  for (int k = 0; k < 3; ++k) {
    Vector3& column = axes.columns[k];
    for (int i = 0; i < 3; ++i) column[i] = declare(body.name + ".axes");
    const Vector3 rate = cross(body.omega, column);
    for (int i = 0; i < 3; ++i) rates_[*symbol_in(*graph_, column[i])] = rate[i];
    for (int i = 0; i < 3; ++i) bind_entry(body.axes.columns[k][i], column[i]);
  }
}

/// Multiples of an entry are found as well: the graph writes −(a − b) as b − a, and takes the 2 out of −½ · 2 (xy − wz).
void PoseForm::bind_entry(const Expression& entry, const Expression& value) {
  recast_->bind(entry, value);
  recast_->bind(-entry, -value);
  const Graph::Node node = graph_->node(entry.in(*graph_));
  if (node.op != Op::multiply) return;
  const Graph::Node factor = graph_->node(node.a);
  if (factor.op == Op::constant) recast_->bind(Expression(*graph_, node.b), value / factor.value);
}

/// The angle of a hinge in space may be a coordinate of the model: that of a joint of the tree no longer follows from
/// the bodies.
std::optional<SymbolId> PoseForm::own_angle(const Joint& joint) const {
  const auto symbol = joint.angle ? symbol_in(*graph_, *joint.angle) : std::nullopt;
  if (!symbol || !coordinate_of_.contains(*symbol)) return std::nullopt;
  return copy_.coordinates[coordinate_of_.at(*symbol)].name == joint.name + ".angle" ? symbol : std::nullopt;
}

void PoseForm::name_joint(std::size_t k) {
  const Joint& joint = copy_.joints[k];
  JointSymbols& symbols = joints_[k];
  if (joint.angle_rate) {
    symbols.angle = declare_coordinate(joint.name + ".angle");
    recast_->bind(*joint.angle_rate, symbols.angle->rate);
    if (joint.angle) recast_->bind(*joint.angle, symbols.angle->value);
    if (joint.cosine) recast_->bind(*joint.cosine, cos(symbols.angle->value));
    if (joint.sine) recast_->bind(*joint.sine, sin(symbols.angle->value));
    if (const auto own = own_angle(joint)) is_of_tree_[coordinate_of_.at(*own)] = true;
    if (const auto own = own_angle(joint)) {
      const Coordinate& theta = copy_.coordinates[coordinate_of_.at(*own)];
      recast_->bind(theta.rate, symbols.angle->rate);
      recast_->bind(theta.acceleration, symbols.angle->acceleration);
    }
  }
  if (joint.travel_rate) {
    symbols.travel = declare_coordinate(joint.name + ".travel");
    recast_->bind(*joint.travel_rate, symbols.travel->rate);
    recast_->bind(*joint.travel, symbols.travel->value);
  }
}

/// Rates that follow from speeds are what they follow from.
Expression PoseForm::meaning(SymbolId s) {
  const Symbol info = graph_->info(s);
  const bool given = info.kind == SymbolKind::rate && info.index < static_cast<int>(copy_.coordinates.size());
  if (given && copy_.coordinates[info.index].kinematics) return (*recast_)(*copy_.coordinates[info.index].kinematics);
  if (const auto x = acceleration_of_.find(s); x != acceleration_of_.end())
    if (const auto& kinematics = copy_.coordinates[x->second].kinematics) return rate_of((*recast_)(*kinematics));
  return {*graph_, graph_->symbol(s)};
}

Expression PoseForm::rate_of_symbol(SymbolId s) {
  if (const auto own = rates_.find(s); own != rates_.end()) return own->second;
  const SymbolId rate = graph_->rate(s);
  return rate == Graph::no_symbol ? Expression(0) : (*recast_)(Expression(*graph_, graph_->symbol(rate)));
}

}  // namespace taut
