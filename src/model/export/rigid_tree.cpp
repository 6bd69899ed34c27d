#include "model/export/rigid_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "expression/derivative.hpp"
#include "expression/program.hpp"
#include "model/joints/freedoms.hpp"
#include "model/tree/spanning_tree.hpp"

namespace taut {
namespace {

constexpr const char* remedy = "export it as YAML, or take it out of the model";

/// Do the formats have no joint that moves so?
bool has_no_words(const JointFreedom& freedom) {
  return freedom.leads || freedom.along == JointFreedom::Along::across1 ||
         freedom.along == JointFreedom::Along::across2;
}

class TreeMaker {
 public:
  explicit TreeMaker(const Model& model)
      : model_(model), tree_(find_spanning_tree(model)), values_(model.graph->symbols(), 0.0) {
    const InitialValues initial = initial_values(model);
    for (std::size_t k = 0; k < initial.parameters.size(); ++k)
      values_[model.parameters[k].symbol] = initial.parameters[k];
    for (std::size_t k = 0; k < initial.coordinates.size(); ++k)
      values_[model.coordinates[k].symbol] = initial.coordinates[k];
    if (std::ranges::any_of(initial.speeds, [](double speed) { return speed != 0; }) || !initial.joints.empty())
      made_.comment = "<!-- As the mechanism is drawn: where else and how fast it starts is not told here. -->\n";
  }

  RigidTree operator()() {
    refuse_what_has_no_words();
    made_.gravity = number(model_.gravity);
    made_.links.push_back({.name = "ground"});
    index_.assign(model_.bodies.size(), 0);
    for (const SpanningTree::Branch& branch : tree_.branches) add_branch(branch);
    for (std::size_t k = 0; k < model_.joints.size(); ++k)
      if (!tree_.is_branch[k]) add_tie(model_.joints[k]);
    return made_;
  }

 private:
  double number(const Expression& formula) const { return evaluate(formula, values_); }
  Eigen::Vector3d number(const Vector3& v) const { return {number(v.x), number(v.y), number(v.z)}; }

  [[noreturn]] void refuse(const Place& place, const std::string& message) const {
    throw InputError(place, message, remedy);
  }

  void refuse_what_has_no_words() const {
    if (model_.bodies.empty()) throw InputError("the model has no bodies", "a robot file is made of bodies and joints");
    for (const Force& force : model_.forces)
      refuse(force.place, fmt::format("the force '{}' cannot be exported", force.name));
    for (const Load& load : model_.loads)
      refuse(load.place, fmt::format("'{}' acts, and cannot be exported", load.name));
    std::set<std::size_t> rows;
    for (const Joint& joint : model_.joints) rows.insert(joint.rows.begin(), joint.rows.end());
    for (std::size_t k = 0; k < model_.constraints.size(); ++k)
      if (!rows.contains(k))
        refuse(model_.constraints[k].place,
               fmt::format("the constraint '{}' is no joint, and cannot be exported", model_.constraints[k].name));
  }

  Eigen::Isometry3d pose(const Body& body) const {
    Eigen::Isometry3d made = Eigen::Isometry3d::Identity();
    made.translation() = number(body.initial_position);
    for (int k = 0; k < 3; ++k) made.linear().col(k) = number(body.initial_axes.columns[static_cast<std::size_t>(k)]);
    return made;
  }

  void add_branch(const SpanningTree::Branch& branch) {
    const Body& body = model_.bodies[static_cast<std::size_t>(branch.body)];
    RigidLink link{.name = body.name, .parent = index_[static_cast<std::size_t>(branch.parent)]};
    link.pose = pose(body);
    link.mass = number(body.mass);
    std::vector<double> I;
    for (const Expression& moment : body.inertia) I.push_back(number(moment));
    I.resize(6, 0.0);
    link.inertia << I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2];
    if (branch.joint >= 0) {
      add_joints(model_.joints[static_cast<std::size_t>(branch.joint)], branch.reversed, link);
    } else if (body.planar) {
      add_planar(body, link);
    } else {
      link.is_free = true;
      if (link.parent != 0) refuse(body.place, fmt::format("body '{}' is free and hangs on another", body.name));
    }
    index_[static_cast<std::size_t>(branch.body)] = static_cast<int>(made_.links.size());
    made_.links.push_back(std::move(link));
  }

  static void add_planar(const Body& body, RigidLink& link) {
    using Kind = RigidJoint::Kind;
    const auto add = [&](Kind kind, const char* end, const Eigen::Vector3d& axis) {
      link.joints.push_back({kind, body.name + end, link.pose.translation(), axis});
    };
    add(Kind::slide, "_x", Eigen::Vector3d::UnitX());
    add(Kind::slide, "_y", Eigen::Vector3d::UnitY());
    add(Kind::hinge, "_angle", Eigen::Vector3d::UnitZ());
  }

  /// Where the joint's first body hangs on its second, it turns the other way.
  void add_joints(const Joint& joint, bool reversed, RigidLink& link) {
    using Kind = RigidJoint::Kind;
    const DrawnJoint& drawn = *joint.drawn;
    const double sign = reversed ? -1 : 1;
    const auto add = [&](Kind kind, const std::string& name, std::size_t axis) {
      RigidJoint made{kind, name, number(drawn.at), Eigen::Vector3d::UnitZ()};
      if (kind != Kind::ball) made.axis = sign * number(drawn.axes.at(axis)).normalized();
      if (joint.armature) made.armature = number(*joint.armature);
      link.joints.push_back(made);
    };
    const JointFreedoms& freedoms = *tree_freedoms(joint.type);
    if (std::ranges::any_of(freedoms, has_no_words))
      refuse(joint.place, fmt::format("a {} joint such as '{}' cannot be exported", joint.type, joint.name));
    // Hinges first; of two, the one that the link before holds.
    const auto turns = std::ranges::count(freedoms, JointFreedom::Kind::turn, &JointFreedom::kind);
    const auto name = [&](const char* ending) { return joint.name + (link.joints.empty() ? "" : ending); };
    for (const JointFreedom& freedom : freedoms) {
      const bool is_second = freedom.along == JointFreedom::Along::second_axis;
      if (freedom.kind == JointFreedom::Kind::turn)
        add(Kind::hinge, name("_2"), turns == 2 && is_second != reversed ? 1 : 0);
      if (freedom.kind == JointFreedom::Kind::ball) add(Kind::ball, name("_2"), 0);
    }
    for (const JointFreedom& freedom : freedoms)
      if (freedom.kind == JointFreedom::Kind::travel) add(Kind::slide, name("_travel"), 0);
  }

  void add_tie(const Joint& joint) {
    RigidTie tie{.name = joint.name, .type = joint.type};
    if (joint.type == "gear") return add_gear(joint, tie);
    if (joint.type != "spherical" && joint.type != "fixed" && joint.type != "revolute")
      refuse(joint.place,
             fmt::format("the {} joint '{}' closes a loop, and cannot be exported", joint.type, joint.name));
    tie.first = index_[static_cast<std::size_t>(joint.first)];
    tie.second = index_[static_cast<std::size_t>(joint.second)];
    tie.at = number(joint.point);
    if (joint.axis) tie.axis = number(*joint.axis).normalized();
    made_.ties.push_back(tie);
  }

  /// Its row is ratio · first + offset − second, or the same the other way round.
  void add_gear(const Joint& joint, RigidTie tie) {
    const Expression& row = model_.constraints[joint.rows.at(0)].residual;
    const auto coordinate = [&](int k) {
      const Joint& j = model_.joints[static_cast<std::size_t>(k)];
      return j.angle ? *j.angle : *j.travel;
    };
    const auto slope = [&](int k) {
      const std::vector<SymbolId> symbols = symbols_of(coordinate(k));
      if (symbols.size() != 1)
        refuse(joint.place, fmt::format("the gear '{}' couples joints without coordinates of their own", joint.name));
      return number(derivative(row, symbols.front())) / number(derivative(coordinate(k), symbols.front()));
    };
    tie.first_joint = model_.joints[static_cast<std::size_t>(joint.coupled.at(0))].name;
    tie.second_joint = model_.joints[static_cast<std::size_t>(joint.coupled.at(1))].name;
    const double second = slope(joint.coupled.at(1));
    tie.ratio = -slope(joint.coupled.at(0)) / second;
    tie.offset = -number(row) / second;
    made_.ties.push_back(tie);
  }

  const Model& model_;
  SpanningTree tree_;
  std::vector<double> values_;
  RigidTree made_;
  std::vector<int> index_;
};

}  // namespace

RigidTree rigid_tree(const Model& model) { return TreeMaker(model)(); }

}  // namespace taut
