#pragma once

#include <string>
#include <vector>

#include "questions/slopes.hpp"
#include "questions/subject.hpp"

namespace taut {

/// The first variation of a system's equations at a point:
///   q̇ = r(q, v),   0 = F := M a − f − R(λ) − Hᵀλ,   0 = G := H a − b,   Φ(q) = 0,   χ(q, v) = 0,   y.
///
/// Positions are varied along quasi-coordinates π, whose rates are the speeds: δq = E δπ with E = N. So a quaternion is
/// turned and never stretched, and what turns steadily has the same slopes at every moment. Where the speeds do not
/// reach every neighbouring position, as where a velocity constraint has been solved for, the coordinates are varied
/// themselves, E = 1.
class Variation {
 public:
  Variation(const Subject& subject, SlopeFormulas::Parameters parameters, const std::vector<std::string>& outputs = {});

  void evaluate(const MotionPoint& point);
  const MotionPoint& point() const { return point_; }

  const Slopes& rates() const { return formulas_[rates_]; }
  const Slopes& position() const { return formulas_[position_]; }
  const Slopes& velocity() const { return formulas_[velocity_]; }
  const Slopes& dynamics() const { return formulas_[dynamics_]; }
  const Slopes& accelerations() const { return formulas_[accelerations_]; }
  const Slopes& outputs() const { return formulas_[outputs_]; }
  const Vector& outputs_by_time() const { return formulas_[outputs_by_time_].value; }
  const Slopes& switching() const { return formulas_[switching_]; }
  const Vector& switching_by_time() const { return formulas_[switching_by_time_].value; }
  /// Chooses the side of every kink, from here on; none: as it is where the equations are evaluated.
  void set_branches(const std::vector<System::Branch>& branches) { formulas_.set_branches(branches); }

  const Matrix& E() const { return E_; }
  int quasi_coordinates() const { return static_cast<int>(names_.size()); }
  const std::vector<std::string>& names() const { return names_; }
  /// The speed that is the rate of this quasi-coordinate; -1: none is.
  int speed_of(int k) const { return speeds_[static_cast<std::size_t>(k)]; }
  /// What δπ has to satisfy beside Φ_q E δπ = 0: where coordinates are varied themselves, they keep their meaning.
  Matrix retained() const;
  /// δπ̇ = (E⁺(r_q E − Ė)) δπ + (E⁺ r_v) δv + (E⁺ r_p) δp.
  Vector rates_of_pi() const { return inverse_ * rates().value; }
  Matrix rates_by_pi() const;
  Matrix rates_by_v() const { return inverse_ * rates().by_v; }
  Matrix rates_by_p() const { return inverse_ * rates().by_p; }
  /// N δv: how small changes of position along the speeds change the coordinates.
  Matrix spread(const Matrix& dv) const { return N_now() * dv; }
  /// Small changes of coordinates without what would take their meaning away.
  Matrix retracted(const Matrix& dq) const;
  /// Moves a position along the quasi-coordinates, to where its coordinates keep their meaning.
  void move(Vector& q, const Vector& dpi);

  const Shape& shape() const { return eq_.shape; }
  const Subject& subject() const { return subject_; }

 private:
  void retract(Vector& q);
  void add_frame();
  void choose_frame();
  void use_speeds();
  void use_coordinates();
  Matrix N_now() const;
  Matrix frame_along_speeds() const;
  std::size_t add_by_time(const std::vector<Expression>& formulas);
  Matrix retraction_slopes() const;
  std::vector<Expression> dynamics_formulas() const;
  std::vector<Expression> acceleration_formulas() const;

  const Subject& subject_;
  const Equations& eq_;
  SlopeFormulas formulas_;
  std::size_t rates_, position_, velocity_, dynamics_, accelerations_, outputs_, outputs_by_time_, switching_,
      switching_by_time_, N_, N_rate_, retractions_;
  bool along_speeds_ = true;
  std::size_t mechanical_ = 0;        ///< quasi-coordinates that are no states
  std::vector<std::string> names_;    ///< of the quasi-coordinates
  std::vector<int> speeds_, states_;  ///< the speed of each; coordinates that are states
  FormulaList retraction_;
  MotionPoint point_;
  Matrix E_, inverse_;
};

}  // namespace taut
