#pragma once

#include <string>
#include <vector>

#include "questions/frame.hpp"

namespace taut {

/// The first variation of a system's equations at a point:
///   q̇ = r(q, v),   0 = F := M a − f − R(λ) − Hᵀλ,   0 = G := H a − b,   Φ(q) = 0,   χ(q, v) = 0,   y.
/// Positions are varied along the quasi-coordinates π of a frame.
class Variation {
 public:
  Variation(const Subject& subject, SlopeFormulas::Parameters parameters, const std::vector<std::string>& outputs = {});

  void evaluate(const MotionPoint& point);
  const MotionPoint& point() const { return point_; }
  /// Values of all parameters, from here on; at first those of the subject.
  void set_parameters(const std::vector<double>& values) { formulas_.set_parameters(values); }
  /// Chooses the side of every kink, from here on; none: as it is where the equations are evaluated.
  void set_branches(const std::vector<System::Branch>& branches) { formulas_.set_branches(branches); }

  const Slopes& rates() const { return formulas_[rates_]; }
  const Slopes& position() const { return formulas_[position_]; }
  const Slopes& velocity() const { return formulas_[velocity_]; }
  const Slopes& dynamics() const { return formulas_[dynamics_]; }
  const Slopes& accelerations() const { return formulas_[accelerations_]; }
  const Slopes& outputs() const { return formulas_[outputs_]; }
  const Vector& outputs_by_time() const { return formulas_[outputs_by_time_].value; }
  const Slopes& switching() const { return formulas_[switching_]; }
  const Vector& switching_by_time() const { return formulas_[switching_by_time_].value; }

  const Frame& frame() const { return frame_; }
  Frame& frame() { return frame_; }
  const Matrix& E() const { return frame_.E(); }
  /// δπ̇ = (E⁺(r_q E − Ė)) δπ + (E⁺ r_v) δv + (E⁺ r_p) δp.
  Vector rates_of_pi() const { return frame_.inverse() * rates().value; }
  Matrix rates_by_pi() const { return frame_.inverse() * (rates().by_q * E() - frame_.rate()); }
  Matrix rates_by_v() const { return frame_.inverse() * rates().by_v; }
  Matrix rates_by_p() const { return frame_.inverse() * rates().by_p; }

  const Shape& shape() const { return subject_.shape(); }
  const Subject& subject() const { return subject_; }

 private:
  std::size_t add_by_time(const std::vector<Expression>& formulas);

  const Subject& subject_;
  SlopeFormulas formulas_;
  Frame frame_;
  std::size_t rates_, position_, velocity_, dynamics_, accelerations_, outputs_, outputs_by_time_, switching_,
      switching_by_time_;
  MotionPoint point_;
};

}  // namespace taut
