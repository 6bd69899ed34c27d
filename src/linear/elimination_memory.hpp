#pragma once

#include <vector>

#include "linear/deflation.hpp"
#include "linear/kernel.hpp"

namespace taut {

/// What the last elimination of rows was made of, so that the next one need not repeat what would come out the same: a
/// row that has not changed, made with rows that have not changed. Counts how often a part of the model was spared.
class EliminationMemory {
 public:
  /// `parts` has the part of the model that each row belongs to.
  void resize(int speeds, std::vector<int> parts);
  /// Nothing is known any more.
  void forget() { rank_ = -1; }

  /// An elimination in this order begins.
  void begin(const std::vector<int>& order, int rank);
  /// Is the result of the j-th row no longer known?
  bool is_changed(int j, int row, const Matrix& Ct, Span left);
  /// The j-th row was eliminated anew, and had or has entries in this span.
  void note(int j, int row, const Matrix& Ct, Span touched);
  /// All rows were.
  void note_all(const Matrix& Ct);
  void end(const std::vector<int>& order, int rank);

  const LinearKernel::PartSolutions& solutions() const { return solutions_; }

 private:
  enum class Found : char { nothing, the_same, change };

  Matrix Ct_;               ///< of the rows as they were last eliminated
  std::vector<int> order_;  ///< of that
  int rank_ = -1;
  bool known_ = false;         ///< the order is that of the last elimination
  std::vector<char> changed_;  ///< of the rows in their order
  std::vector<Span> touched_;  ///< of those that have changed, where they had or have entries
  std::vector<int> parts_;
  std::vector<Found> found_;  ///< of each part
  LinearKernel::PartSolutions solutions_;
};

}  // namespace taut
