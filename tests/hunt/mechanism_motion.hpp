#pragma once

#include <Eigen/Dense>

#include "hunt/mechanism_rows.hpp"

/// How a mechanism moves. A state holds for each body place, quaternion, velocity and spin, then an angle for each tie.
namespace taut::hunt {

/// Where a body is drawn.
Frame<Real> drawn_frame(const Solid& solid);

class MechanismMotion {
 public:
  using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
  using Column = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
  using Number = Dual<Real>;

  explicit MechanismMotion(const Mechanism& mechanism);

  const State& start() const { return start_; }
  int freedoms() const { return freedoms_; }
  /// Does no tie say what others do?
  bool independent() const { return kept_.size() == tied_.size(); }
  State end(const State& from, Real until, Real tolerance) const;
  /// The start moved by a share of its size along a direction that the ties allow, places and speeds.
  State moved(const Column& way, const Column& push, Real share) const;
  /// All columns; those that a body has not are zero.
  int columns() const { return 6 * count_; }

  struct Wrench {
    Triple<Real> force{}, torque{};
  };
  struct Figures {
    std::vector<Triple<Real>> place, tip, velocity, spin, acceleration, turn;  ///< of bodies
    std::vector<Real> angle, angle_rate, travel, travel_rate;                  ///< of ties
    std::vector<Wrench> reaction;
    std::vector<Real> effort;
  };
  Figures figures(Real t, const State& y) const;

 private:
  struct Instant;
  std::vector<Frame<Real>> frames(const State& y) const;
  std::vector<Frame<Number>> moving(const State& y) const;
  Column twists(const State& y) const;
  Instant at(Real t, const State& y) const;
  State rates(Real t, const State& y) const;
  void choose();
  void set_off();
  /// What turns and slides by joints as is asked for; a loop follows. Others stay as they are.
  Column led_speeds(const State& y, bool rates) const;
  State along(const State& y, const Column& u) const;
  /// The motion nearest to z that the ties allow; with what drives them, or without.
  Column allowed(Real t, const State& y, const Column& z, bool driven) const;
  void push_bodies(Real t, const State& y, const Rows<Number>& rows, Instant& now) const;
  Column pull(Real t, const State& y, const Pull& given) const;
  Real effort(Real t, int tie, Real coordinate, Real rate) const;
  Real angle(const State& y, int tie) const { return y[13 * count_ + tie]; }
  Real travel(const State& y, int tie) const;

  Mechanism mechanism_;
  int count_ = 0, freedoms_ = 0;
  Real weight_ = 0;  ///< kg
  std::vector<Frame<Real>> drawn_;
  std::vector<int> active_;  ///< columns that bodies have
  std::vector<int> tied_;    ///< rows that touch them
  std::vector<int> kept_;    ///< those of them that others do not imply
  State start_;
  mutable long evaluations_ = 0;
};

}  // namespace taut::hunt
