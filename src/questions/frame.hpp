#pragma once

#include <string>
#include <vector>

#include "questions/slopes.hpp"
#include "questions/subject.hpp"

namespace taut {

/// How positions are varied: along quasi-coordinates π, whose rates are the speeds, δq = E δπ with E = N. So a
/// quaternion is turned and never stretched, and what turns steadily has the same slopes at every moment. Where the
/// speeds do not reach every neighbouring position, as where a velocity constraint has been solved for, the coordinates
/// are varied themselves, E = 1.
class Frame {
 public:
  /// Adds the formulas that it needs; it outlives neither of both.
  Frame(const Subject& subject, SlopeFormulas& formulas);
  /// Follows the formulas to where they were evaluated.
  void update();

  const Matrix& E() const { return E_; }
  /// E⁺
  const Matrix& inverse() const { return inverse_; }
  /// Ė, along the motion.
  Matrix rate() const;
  /// N: how small changes of position along all the speeds change the coordinates.
  Matrix N() const;
  int size() const { return static_cast<int>(names_.size()); }
  const std::vector<std::string>& names() const { return names_; }
  /// The speed that is the rate of this quasi-coordinate; -1: none is.
  int speed_of(int k) const { return speeds_[static_cast<std::size_t>(k)]; }
  /// What δπ has to satisfy beside Φ_q E δπ = 0: where coordinates are varied themselves, they keep their meaning.
  Matrix retained() const;
  /// How coordinates change that are set anew so that they keep their meaning: a projector, 1 where all are free.
  Matrix retraction() const;
  /// How these coordinates change with all parameters of the model where they are set anew: a joint's angle is counted
  /// from where it was drawn.
  Matrix retraction_by_p() const;
  /// Moves a position along the quasi-coordinates, to where its coordinates keep their meaning.
  void move(Vector& q, const Vector& dpi);

 private:
  void choose();
  void use_speeds();
  void use_coordinates();
  Matrix along_speeds() const;
  void retract(Vector& q);

  const Subject& subject_;
  const Equations& eq_;
  const SlopeFormulas& formulas_;
  std::size_t N_, N_rate_, retractions_;
  bool along_speeds_ = true;
  std::size_t mechanical_ = 0;        ///< quasi-coordinates that are no states
  std::vector<std::string> names_;    ///< of the quasi-coordinates
  std::vector<int> speeds_, states_;  ///< the speed of each; coordinates that are states
  FormulaList retracting_;
  Matrix E_, inverse_;
};

}  // namespace taut
