#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "model/tree/spanning_tree.hpp"
#include "model/tree/transcript.hpp"
#include "taut/model.hpp"

namespace taut {

/// A model's formulas with the axes of bodies as symbols by themselves, whose rates are ω × axis, and with a symbol for
/// the angle and the travel of each joint of the tree. Derivatives are short in these: no quaternion stands in them,
/// and what acts along a joint does not go by way of the bodies.
class PoseForm {
 public:
  PoseForm(const Model& model, const SpanningTree& tree);

  /// A coordinate of a joint, its rate and the rate of that.
  struct Symbols {
    Expression value, rate, acceleration;
  };
  struct JointSymbols {
    std::optional<Symbols> angle, travel;
  };

  Graph& graph() { return *graph_; }
  /// The model itself, its formulas in this graph.
  const Model& model() const { return copy_; }
  const JointSymbols& joint(std::size_t k) const { return joints_[k]; }
  /// The axes of a body; what they are in a planar one is made of cosine and sine of its angle.
  const Rotation& axes(std::size_t body) const { return axes_[body]; }

  /// A formula of the model, in symbols.
  Expression operator()(const Expression& formula);
  /// The time derivative of one that is in symbols, accelerations included.
  Expression rate_of(const Expression& formula) { return (*moving_)(formula); }
  /// The same where time stands still.
  Expression rate_at_rest(const Expression& formula) { return (*still_)(formula); }

 private:
  Expression here(const Expression& e) const { return e.graph() ? Expression(*graph_, e.in(*e.graph())) : e; }
  void move_copy();
  Expression declare(const std::string& name);
  Symbols declare_coordinate(const std::string& name);
  void name_axes(std::size_t body);
  void bind_entry(const Expression& entry, const Expression& value);
  void name_joint(std::size_t joint);
  std::optional<SymbolId> own_angle(const Joint& joint) const;
  Expression meaning(SymbolId symbol);
  Expression rate_of_symbol(SymbolId symbol);

  std::shared_ptr<Graph> graph_;
  Model copy_;
  std::vector<JointSymbols> joints_;
  std::vector<Rotation> axes_;
  std::vector<bool> is_of_tree_;                    ///< coordinates of the model that are angles of the tree's joints
  std::unordered_map<SymbolId, Expression> rates_;  ///< of what was declared here
  std::unordered_map<SymbolId, std::size_t> coordinate_of_, acceleration_of_;
  std::optional<Transcript> recast_;
  std::optional<DirectionalDerivative> moving_, still_;
};

}  // namespace taut
