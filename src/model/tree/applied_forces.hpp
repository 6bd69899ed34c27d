#pragma once

#include <utility>
#include <vector>

#include "model/tree/joint_motion.hpp"
#include "model/tree/tree_dynamics.hpp"

namespace taut {

/// M and f in joint coordinates: forces on bodies become forces along joints.
class AppliedForces {
 public:
  AppliedForces(RewrittenModel& writing, JointMotion& motion) : w_(writing), motion_(motion) {}

  void write_forces();
  void write_dynamics();
  /// Those that depend on multipliers are not in f: they act when these are known.
  void pull_late(const Expression& velocity, const Expression& effort);
  void pull_late();
  /// What acts on links beside their weight, in their axes about their origins.
  std::vector<Wrench> applied(const TreeLinks& tree, const WorldMotion& motion);

 private:
  struct Pull {
    Vector3 force, torque;  ///< at the centre of mass, in world axes, in formulas of the poses
  };
  /// What an effort along a velocity does to bodies and to other coordinates.
  void pull(const Expression& velocity, const Expression& effort);
  void pull_body(SymbolId s, std::size_t b, const Expression& force, Pull& pull) const;
  void write_potential(const Expression& potential);
  void refuse_state(SymbolId s, const char* what) const;
  void write_load(const Load& given);
  /// Those of branches stand on the diagonal of M.
  void write_rotor(const Rotor& given);
  /// That of planar bodies stands in one sum with the user's own.
  void write_kinetic_energy();

  RewrittenModel& w_;
  JointMotion& motion_;
  std::vector<std::pair<Expression, Expression>> late_pulls_;
  std::vector<Pull> pulls_;
};

}  // namespace taut
