#pragma once

#include "questions/constrained_solve.hpp"
#include "questions/variation.hpp"

namespace taut {

/// A position, and the first-order states that are speeds to the equations.
struct RestPoint {
  Vector q, states;
};

/// What rest asks for at a position: forces that balance along free directions, constraints that hold, states without
/// rates. Unknown are u = (δπ, δz), changes of quasi-coordinates and of states.
struct RestEquations {
  Matrix Z;          ///< free u, by columns: on the constraints
  Vector restoring;  ///< u that leads onto the constraints
  Vector violation;  ///< of the constraints, in rows as long as 1
  Matrix W;          ///< directions of speeds along which forces have to balance
  Vector imbalance;  ///< Wᵀ F, then minus the rates of states that are coordinates
  Matrix stiffness;  ///< its slopes by u
  Matrix inertia;    ///< what resists u there: M, and 1 for states
  Vector acting;     ///< minus the forces without those of constraints
  Vector force;      ///< −F of all speeds, in what u moves
  Vector multipliers;
  double force_scale = 0;  ///< the largest of the forces that balance, or that a change of position could bring
  double work_scale = 0;   ///< the most that one of them does over the reach of what it moves
  bool unique = true;      ///< are the multipliers?

  /// What is left of the forces, relative to the largest of them.
  double relative_imbalance() const;
};

/// The equations of rest of a model, at t = 0.
class RestModel {
 public:
  explicit RestModel(const Subject& subject,
                     SlopeFormulas::Parameters parameters = SlopeFormulas::Parameters::left_out);
  /// Values of all parameters, from here on.
  void set_parameters(const std::vector<double>& values) { variation_.set_parameters(values); }
  /// How the imbalance changes with parameters that change by `slope`, where at() was last asked, and the u that
  /// follows them on the constraints.
  void by_parameter(const RestEquations& eq, const Matrix& slope, Vector& imbalance, Vector& follows) const;

  RestPoint start() const;
  /// Throws nothing; numbers that are not finite make an imbalance that is none.
  RestEquations at(const RestPoint& point);
  /// Moves a position by u.
  RestPoint moved(const RestPoint& from, const Vector& u);
  /// Moves a position onto the constraints. False where that fails.
  bool restore(RestPoint& point);
  /// How large coordinates are: what changes are compared to.
  double size() const { return size_; }
  /// How large a change of each u may be: a turn, or the size of the mechanism.
  const Vector& reach() const { return reach_; }
  Variation& variation() { return variation_; }
  MotionPoint motion(const RestPoint& point) const;
  const std::vector<std::string>& state_names() const { return state_names_; }
  /// Is a coordinate an angle, so that whole turns of it change nothing?
  bool is_angle(int coordinate) const { return angles_[static_cast<std::size_t>(coordinate)]; }
  /// From one position to another, without whole turns and what nothing depends on: an angle that is only counted makes
  /// no other position, and a quaternion's sign neither.
  Vector difference(const Vector& to, const Vector& from) const;
  /// Does nothing depend on a coordinate?
  bool is_idle(int coordinate) const { return idle_[static_cast<std::size_t>(coordinate)]; }

 private:
  void find_angles();
  Matrix constraint_rows(Vector& violation) const;
  void evaluate(const RestPoint& point, RestEquations& eq);
  Vector reactions(MotionPoint& point, const Vector& acting);
  void find_free_directions(RestEquations& eq) const;
  void find_directions_of_balance(const Matrix& moved_speeds, RestEquations& eq) const;

  const Subject& subject_;
  Variation variation_;
  std::vector<int> states_, driving_;  ///< speeds that are states, coordinates that are
  std::vector<std::string> state_names_;
  std::vector<bool> angles_, idle_;
  Vector reach_;
  double size_ = 1;
};

}  // namespace taut
