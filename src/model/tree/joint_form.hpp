#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/tree/vanishing_rows.hpp"
#include "taut/model.hpp"

/// What is written out for a mechanism in joint coordinates, where deriving it from energies and positions would take
/// far longer formulas: docs/theory/joint-coordinates.md. Speeds are counted as System counts them: the rates of those
/// coordinates that have no kinematics, then the model's own speeds.
namespace taut {

struct JointForm {
  /// An entry of M, on the diagonal or above it.
  struct Entry {
    int row, column;
    Expression value;
  };
  /// Of a constraint: χ, and b = −χ̇ at v̇ = 0.
  struct Row {
    Expression velocity, bias;
  };
  /// A coordinate of a body, or a speed or an acceleration, which follow from those of the joints.
  struct Following {
    std::string name;
    Expression value, rate;
  };

  std::vector<Entry> M;
  std::vector<Expression> f;        ///< of inertia, of the potential energy and of the loads that are in it
  std::vector<Row> rows;            ///< like Model::constraints
  std::vector<bool> load_is_in_f;   ///< like Model::loads
  std::vector<bool> rotor_is_in_M;  ///< like Model::rotors
  std::vector<Following> coordinates, speeds, accelerations;
  std::vector<Reaction> reactions;     ///< like Model::joints
  std::vector<Following> multipliers;  ///< of the constraints that the tree's joints would have
  std::vector<bool> undetermined;      ///< like Model::joints: constraints that always hold share their loads
  std::vector<Expression> arms;        ///< from joint to joint, and to centres of mass
  double length = 0;                   ///< the longest of these as drawn: travels start at zero
  bool turns = false;                  ///< is one of the coordinates an angle?
  std::vector<std::string> branches, cuts, free;  ///< joints of the tree and others, bodies that hang on none
  std::vector<std::string> reasons;               ///< like cuts: why
  std::vector<std::string> implied;               ///< constraints that hold wherever the tree's joints lead
  std::vector<std::string> by_construction;       ///< … and those that its joints would have
  /// What was decided by the values that the parameters had.
  struct Decisions {
    std::vector<std::pair<Expression, double>> numbers;  ///< formulas that were looked at, and their values
    std::vector<RowTerms> rows;                          ///< constraints that may hold wherever the branches lead …
    std::vector<bool> vanishes;                          ///< … and which of them do
  };
  Decisions decisions;
};

}  // namespace taut
