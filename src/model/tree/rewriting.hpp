#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "expression/program.hpp"
#include "model/tree/joint_form.hpp"
#include "model/tree/joint_reactions.hpp"
#include "model/tree/pose_form.hpp"
#include "model/tree/tree_dynamics.hpp"
#include "model/tree/tree_links.hpp"
#include "model/tree/vanishing_rows.hpp"
#include "model/tree/world_motion.hpp"
#include "taut/model.hpp"

namespace taut {

inline constexpr const char* remedy_bodies = "choose --coordinates bodies";

/// The symbol that a formula is, if it is one.
std::optional<SymbolId> symbol_of(const Expression& e);
bool has_kind(const Expression& e, SymbolKind kind);

/// Writes a mechanism anew in joint coordinates, section by section; the sections stand in files of their own
/// (rewriting_….cpp). The order of the member functions is the order of the story.
class Rewriting {
 public:
  Rewriting(const Model& model, const std::vector<double>& parameters);
  Model run();

 private:
  // ---- what cannot be ----
  void refuse_what_is_not_done() const;
  /// A symbol that stands for nothing in joint coordinates.
  Expression unbound(SymbolId s) const;
  const Graph& pose_graph() const { return *pose_.model().graph; }
  /// What is written from now on, for messages.
  void at(std::string where, const Place& place);

  // ---- what stays ----
  void describe();
  void copy_plain();
  double now(const Expression& of_parameters) const { return evaluate(of_parameters, by_symbol_); }
  /// Which of the model's symbols belong to bodies, and which coordinates stay.
  void sort_symbols();
  bool stays(SymbolId s) const;
  bool is_of_body(SymbolId s) const { return body_of_.contains(s); }
  Expression symbol(SymbolId s) const { return {*out_.graph, out_.graph->symbol(s)}; }
  /// A formula of the model in joint coordinates.
  Expression write(const Expression& formula) { return full_(pose_(formula)); }
  Vector3 write(const Vector3& v) { return {write(v.x), write(v.y), write(v.z)}; }
  std::optional<Expression> write(const std::optional<Expression>& e);
  Quaternion write(const Quaternion& q) { return {write(q.w), write(q.x), write(q.y), write(q.z)}; }
  Rotation write(const Rotation& r) { return {{write(r.columns[0]), write(r.columns[1]), write(r.columns[2])}}; }

  // ---- coordinates ----
  /// Those that stay first, then those of the joints.
  void declare();
  void number_speeds();

  // ---- links, and what the bodies' names mean ----
  void build();
  void number(std::vector<Link>& links) const;
  double longest_arm() const;
  /// Formulas of parameters are those of the model.
  Transcript& parameters_only();
  struct BodyMotion {
    Vector3 position, velocity, omega, acceleration, alpha, bias, bias_alpha;
    Rotation axes;
    Quaternion orientation;
  };
  BodyMotion motion_of(std::size_t b);
  void bind();
  void bind_both(const Expression& formula, const Expression& value);
  void bind_both(const Vector3& formula, const Vector3& value);
  void bind_same(const Coordinate& given);
  void bind_same(const Speed& given);
  void bind_body(std::size_t b);
  /// That of a planar body is as many turns as its links have made.
  Expression planar_angle(std::size_t b);
  void bind_joint(std::size_t branch);
  void write_coordinates();

  // ---- constraints ----
  /// A constraint that stays, in formulas of the poses.
  struct PoseRow {
    std::size_t given;  ///< which one of the model's
    Expression residual, velocity;
  };
  void write_constraints();
  RowTerms terms_of(const PoseRow& row);
  /// A constraint that always holds: which part of a load it bears nobody can tell.
  void leave_out(const PoseRow& row, int joint);
  /// The joints of the tree that close a loop with another.
  std::vector<int> loop_of(const Joint& joint) const;
  void declare_row(const PoseRow& row);
  void write_row(const PoseRow& row);

  // ---- forces ----
  void write_forces();
  /// A symbol of the model. The model itself is not touched: others may be reading it.
  Expression given_symbol(SymbolId s) { return {pose_.graph(), pose_.graph().symbol(s)}; }
  Expression rate_of(const Coordinate& x) { return x.kinematics ? *x.kinematics : given_symbol(x.rate); }
  /// What an effort along a velocity does to bodies and to other coordinates.
  void pull(const Expression& velocity, const Expression& effort);
  struct Pull {
    Vector3 force, torque;  ///< at the centre of mass, in world axes, in formulas of the poses
  };
  void pull_body(SymbolId s, std::size_t b, const Expression& force, Pull& pull) const;
  void write_potential(const Expression& potential);
  void refuse_state(SymbolId s, const char* what) const;
  void write_load(const Load& given);
  /// Those of branches stand on the diagonal of M.
  void write_rotor(const Rotor& given);
  /// That of planar bodies stands in one sum with the user's own.
  void write_kinetic_energy();
  /// In the graph of the poses, but as it was given.
  Expression here(const Expression& e) { return e.graph() ? Expression(pose_.graph(), e.in(*e.graph())) : e; }

  // ---- outputs ----
  void write_results();

  // ---- M and f ----
  void write_dynamics();
  /// What acts on links beside their weight, in their axes about their origins.
  std::vector<Wrench> applied(const TreeLinks& tree, const WorldMotion& motion);

  // ---- what is left of bodies and joints ----
  void write_mechanism();
  Vector3 pose_v(const Vector3& v) { return {pose_(v.x), pose_(v.y), pose_(v.z)}; }
  void write_joint(std::size_t k);
  /// Forces in joints: of those that are cut by their multipliers, of branches by what they hand on.
  void write_reactions();
  Reaction reaction_at(const SpanningTree::Branch& branch, const BranchEnd& end, bool all) const;
  /// Constraints that joints of the tree no longer have: outputs may ask for what would hold them.
  void bind_multipliers(int joint, const Reaction& bearing);
  void pull_late(const Expression& velocity, const Expression& effort);
  /// Positions of bodies, where they do not stand among the coordinates.
  void show_bodies();

  const Model& model_;
  std::vector<double> numbers_;    ///< of the parameters
  std::vector<double> by_symbol_;  ///< the same
  const ValueNow now_ = [this](const Expression& e) { return now(e); };
  Model out_;
  SpanningTree tree_;
  PoseForm pose_;
  Transcript full_, bias_;  ///< with the accelerations of the joints, and as if these were zero
  std::optional<Transcript> parameters_;
  JointForm form_;
  std::unordered_map<SymbolId, std::size_t> body_of_;  ///< of symbols of the model
  std::unordered_set<std::size_t> free_;               ///< bodies
  std::unordered_set<SymbolId> angles_of_tree_;        ///< coordinates of the model that those of the joints replace
  std::vector<BranchCoordinates> coordinates_;
  std::unordered_map<SymbolId, int> speed_of_;     ///< of rates and speeds of the model that is written
  std::unordered_map<SymbolId, int> generalised_;  ///< the same, of rates and speeds of the poses
  TreeLinks tree_links_;
  WorldMotion motion_;
  Vector3 gravity_;
  std::map<std::size_t, std::size_t> new_row_;
  std::vector<PoseRow> rows_;  ///< like out_.constraints
  std::vector<std::pair<Expression, Expression>> late_pulls_;
  std::vector<Pull> pulls_;
  std::string where_;
  Place where_place_;
};

}  // namespace taut
