#pragma once

#include <optional>
#include <string>

#include "enforcement/manifold.hpp"
#include "enforcement/method.hpp"
#include "simulation/conformance.hpp"

namespace taut {

/// Looks for constraints that contradict each other: rows of H that depend on each other, Σ w row = 0, while what they
/// demand does not: Σ w Φ, Σ w χ or Σ w b is other than zero. All rows count, those that others imply included.
///
/// Where no row depends on others there is nothing to be found. Elsewhere the rows are looked at when their violations
/// have grown tenfold, so that it costs nothing where all is well.
class ContradictionWatch {
 public:
  ContradictionWatch(Manifold& manifold, const Method& method, Conformance& conformance)
      : manifold_(manifold), method_(method), conformance_(conformance) {}

  /// Is the state last observed by Conformance worth a closer look?
  bool suspects() const;
  /// The relative violation beyond which states are.
  double threshold() const { return threshold_; }
  /// The names of the constraints that contradict each other at that state, (t, q, v), "" if none do.
  std::string find(double t, const Vector& q, const Vector& v);
  /// As find(), for a state from which a run could not go on for another `rest` seconds.
  std::string find_at_end(double t, const Vector& q, const Vector& v, double rest);

 private:
  bool rows_depend() const;

  Manifold& manifold_;
  const Method& method_;
  Conformance& conformance_;
  double threshold_ = 1e-9;  ///< rounding, and projections next to singular positions, stay below
};

}  // namespace taut
