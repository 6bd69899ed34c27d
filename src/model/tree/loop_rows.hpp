#pragma once

#include <map>
#include <vector>

#include "model/tree/rewritten_model.hpp"
#include "model/tree/vanishing_rows.hpp"

namespace taut {

/// The constraints that are left in joint coordinates.
class LoopRows {
 public:
  /// A constraint that stays, in formulas of the poses.
  struct PoseRow {
    std::size_t given;  ///< which one of the model's
    Expression residual, velocity;
  };

  explicit LoopRows(RewrittenModel& writing) : w_(writing) {}
  void write_constraints();

  std::map<std::size_t, std::size_t> new_row;  ///< by that of the model
  std::vector<PoseRow> rows;                   ///< like the constraints of the model that is written

 private:
  RowTerms terms_of(const PoseRow& row);
  /// A constraint that always holds: which part of a load it bears nobody can tell.
  void leave_out(const PoseRow& row, int joint);
  /// The joints of the tree that close a loop with another.
  std::vector<int> loop_of(const Joint& joint) const;
  void declare_row(const PoseRow& row);
  void write_row(const PoseRow& row);

  RewrittenModel& w_;
};

}  // namespace taut
