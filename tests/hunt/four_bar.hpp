#pragma once

#include "hunt/case.hpp"

/// A four-bar linkage of uniform rods without gravity, crank about the origin, rocker about (ground, 0).
namespace taut::hunt {

struct FourBar {
  double crank = 1, coupler = 2, rocker = 2, ground = 2;
  double crank_mass = 1, coupler_mass = 1, rocker_mass = 1;
  Real branch = 1;  ///< on which side of the line from the crank's tip to the rocker's pivot the coupler's end is
  double angle = 0, rate = 1;

  struct Place {
    Real a, b, c, da, db, dc;  ///< angles of crank, coupler and rocker
    Real px, py;               ///< where coupler and rocker meet
  };
  Place place(Real a, Real da) const;
  Real kinetic(const Place& p) const;
  /// Three angles and the loop's two rows, then `more` rows. p, q, r, d are the lengths.
  std::string equations(const std::string& more) const;
  std::string bodies(const std::string& more) const;
  /// Of the crank's angle, the joint's place and the crank's rate: outputs crank_angle, px, py, spin.
  std::vector<Expected> expected(double until, const std::vector<std::string>& names) const;
};

}  // namespace taut::hunt
