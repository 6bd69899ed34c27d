#pragma once

#include <utility>
#include <vector>

#include "taut/vector.hpp"

namespace taut {

/// What a kernel is told of its rows before it starts: which are soft, which weights they have, to which part of the
/// model they belong.
class RowTraits {
 public:
  /// σ² of each row, zero for those that hold exactly.
  void set_softness(std::vector<double> squares) { softness_ = std::move(squares); }
  /// W of the rows, positive definite, for H with all its rows: M + HᵀWH and f + HᵀWc stand in place of M and f, be M
  /// singular or not, and the solution is the same (Orsino & de Oliveira, note 2). Soft rows, which do not meet c, have
  /// no part in it. Without it, W is found where M needs it. A kernel that is not dense takes none.
  void set_weights(Matrix W) { given_weights_ = std::move(W); }
  /// The part of the model that each row belongs to, inner ones before outer ones. A kernel that goes part by part uses
  /// it.
  void set_blocks(std::vector<int> blocks) { blocks_ = std::move(blocks); }

 protected:
  bool is_soft(int row) const { return row < static_cast<int>(softness_.size()) && softness_[row] > 0; }
  double softness(int row) const { return is_soft(row) ? softness_[row] : 0; }
  const Matrix& given_weights() const { return given_weights_; }
  bool has_blocks() const { return !blocks_.empty(); }
  int block_of(int row) const { return has_blocks() ? blocks_[row] : 0; }

 private:
  std::vector<double> softness_;  ///< σ² of each row; may be shorter
  Matrix given_weights_;          ///< empty: none are given
  std::vector<int> blocks_;       ///< of each row; empty: all belong together
};

}  // namespace taut
