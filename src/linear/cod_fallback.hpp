#pragma once

#include <memory>

#include "linear/list.hpp"

namespace taut {

/// The kernel `cod`, at hand for another one that is not to be trusted with what it is given. It takes over with the
/// decision that was made so far, and its outcome becomes the other's.
class CodFallback {
 public:
  void start(int speeds, int rows, double rank_tolerance, int further) {
    cod_ = make_cod();
    cod_->start(speeds, rows, rank_tolerance, further);
    serves_ = false;
  }
  void drop() {
    cod_.reset();
    serves_ = false;
  }

  /// Does `cod` hold the factor last made?
  bool serves() const { return serves_; }
  /// How often it took over.
  long hand_overs() const { return hand_overs_; }
  /// The kernel itself factors what comes next.
  void take_back() { serves_ = false; }
  LinearKernel& kernel() { return *cod_; }
  const LinearKernel& kernel() const { return *cod_; }

  /// Has `cod` serve in the place of a kernel with this tolerance: ask(cod) factors or decides.
  template <class Ask>
  bool take_over(LinearKernel& from, double rank_tolerance, Ask&& ask) {
    serves_ = true;
    ++hand_overs_;
    cod_->follow(from);
    cod_->set_rank_tolerance(rank_tolerance);
    const bool done = ask(*cod_);
    from.follow(*cod_);
    return done;
  }

 private:
  std::unique_ptr<LinearKernel> cod_;
  bool serves_ = false;
  long hand_overs_ = 0;
};

}  // namespace taut
