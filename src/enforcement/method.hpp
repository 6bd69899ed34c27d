#pragma once

#include <memory>
#include <string>
#include <vector>

#include "enforcement/manifold.hpp"
#include "taut/choice.hpp"

namespace taut {

/// The violation that a correction acts on: of the step's beginning or of the stage, as --control says.
struct ViolationNow {
  Vector Phi, chi;
};

/// A way of keeping constraints, as the answers to three questions (docs/theory/notation.md).
class Method {
 public:
  virtual ~Method() = default;

  /// 1. Which right-hand side c is asked of the accelerations, H v̇ = c? (c holds b when called.)
  virtual void demand(const Point& /*point*/, const ViolationNow& /*violation*/, double /*h*/, Vector& /*c*/) {}
  /// 2. What is added to q̇ while integrating? The point has been evaluated and factored.
  virtual void add_to_rates(Manifold& /*manifold*/, double /*t*/, const Vector& /*q*/,
                            const ViolationNow& /*violation*/, double /*h*/, Vector& /*qdot*/) {}
  /// 3. What is done to the result of a step?
  virtual Projection correct(Manifold& /*manifold*/, double /*t*/, Vector& /*q*/, Vector& /*v*/) { return {}; }

  /// Are the equations evaluated only on the constraints, stages included?
  virtual bool on_manifold() const { return false; }
  /// Does it correct the result of a step?
  virtual bool corrects() const { return false; }
  /// Does it add terms while integrating, so that --control means something?
  virtual bool adds_terms() const { return false; }
  /// Must the initial state satisfy the constraints?
  virtual bool needs_consistent_start() const { return false; }
};

}  // namespace taut
