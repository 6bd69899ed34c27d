#pragma once

#include "hunt/case.hpp"
#include "hunt/extrapolation.hpp"

/// Linkages of one freedom whose truth is one angle.
namespace taut::hunt {

/// Crank about the origin, a uniform rod, a slider on the x axis. a: the crank's angle; b: the rod's.
struct SliderCrank {
  double crank = 1, rod = 2;
  double crank_mass = 1, rod_mass = 1, slider_mass = 1;
  double gravity = 0;
  double angle = 0, rate = 1;

  /// b and the slide s with their rates, on the branch on which the slider is farther out.
  struct Place {
    Real a, b, s, da, db, ds;
  };
  Place place(Real a, Real da) const;
  std::string equations() const;
  std::string planar_bodies() const;
  std::string spatial_bodies() const;
  /// Of a, b, s, a' under these names; "" leaves one out. By Lagrange's equation in a.
  std::vector<Expected> expected(double until, const std::vector<std::string>& names) const;
  /// The same without gravity by quadrature over the shorter link's angle, however near the lengths are.
  std::vector<Expected> expected_without_gravity(double until, const std::vector<std::string>& names) const;

 private:
  Place place_by_rod(Real b, Real db) const;
  Real kinetic(const Place& p) const;
  Place end_without_gravity(Real a, Real da, Real until) const;
};

}  // namespace taut::hunt
