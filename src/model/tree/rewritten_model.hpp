#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "expression/program.hpp"
#include "model/tree/joint_form.hpp"
#include "model/tree/link.hpp"
#include "model/tree/pose_form.hpp"
#include "model/tree/spanning_tree.hpp"
#include "model/tree/transcript.hpp"
#include "taut/model.hpp"

namespace taut {

inline constexpr const char* remedy_bodies = "choose --coordinates bodies";

/// The symbol that a formula is, if it is one.
std::optional<SymbolId> symbol_of(const Expression& e);
bool has_kind(const Expression& e, SymbolKind kind);

/// A mechanism that is being written anew in joint coordinates: the model that was given, the one that is written, and
/// how formulas of the one become formulas of the other.
class RewrittenModel {
 public:
  RewrittenModel(const Model& model, const std::vector<double>& parameters);

  /// What is written from now on, for messages.
  void at(std::string where, const Place& place);
  const Place& place() const { return where_place_; }

  /// What stays as it is: names, parameters, inputs.
  void copy_plain();
  /// Which of the model's symbols belong to bodies, and which coordinates stay.
  void sort_symbols();
  bool stays(SymbolId s) const;
  bool is_of_body(SymbolId s) const { return body_of.contains(s); }

  // ---- formulas ----
  Expression symbol(SymbolId s) const { return {*out.graph, out.graph->symbol(s)}; }
  /// A formula of the model in joint coordinates.
  Expression write(const Expression& formula) { return full(pose(formula)); }
  Vector3 write(const Vector3& v) { return {write(v.x), write(v.y), write(v.z)}; }
  std::optional<Expression> write(const std::optional<Expression>& e);
  Quaternion write(const Quaternion& q) { return {write(q.w), write(q.x), write(q.y), write(q.z)}; }
  Rotation write(const Rotation& r) { return {{write(r.columns[0]), write(r.columns[1]), write(r.columns[2])}}; }
  Vector3 in_pose(const Vector3& v) { return {pose(v.x), pose(v.y), pose(v.z)}; }
  /// Formulas of parameters are those of the model.
  Transcript& parameters_only();
  /// A symbol of the model. The model itself is not touched: others may be reading it.
  Expression given_symbol(SymbolId s) { return {pose.graph(), pose.graph().symbol(s)}; }
  Expression rate_of(const Coordinate& x) { return x.kinematics ? *x.kinematics : given_symbol(x.rate); }
  /// In the graph of the poses, but as it was given.
  Expression here(const Expression& e) { return e.graph() ? Expression(pose.graph(), e.in(*e.graph())) : e; }
  void bind_both(const Expression& formula, const Expression& value);
  void bind_both(const Vector3& formula, const Vector3& value);

  const Model& model;
  std::vector<double> numbers;    ///< of the parameters
  std::vector<double> by_symbol;  ///< the same
  /// Of a formula of parameters; that it was looked at is remembered.
  const ValueNow now = [this](const Expression& e) {
    const double value = evaluate(e, by_symbol);
    if (!e.is_constant()) form.decisions.numbers.emplace_back(e, value);
    return value;
  };
  Model out;
  JointForm form;
  SpanningTree tree;
  PoseForm pose;
  Transcript full, bias;  ///< with the accelerations of the joints, and as if these were zero
  std::unordered_map<SymbolId, std::size_t> body_of;  ///< of symbols of the model
  std::unordered_set<std::size_t> free;               ///< bodies

 private:
  /// A symbol that stands for nothing in joint coordinates.
  Expression unbound(SymbolId s);

  std::optional<Transcript> parameters_;
  std::unordered_set<SymbolId> angles_of_tree_;  ///< coordinates of the model that those of the joints replace
  std::string where_;
  Place where_place_;
};

}  // namespace taut
