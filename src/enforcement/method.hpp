#pragma once

#include <memory>
#include <string>
#include <vector>

#include "enforcement/chart.hpp"
#include "enforcement/manifold.hpp"
#include "taut/choice.hpp"

namespace taut {

/// The violation that a correction acts on: of the step's beginning, of the stage, or of the step's
/// result, as --control says.
struct ViolationNow {
  Vector Phi, chi;
  double energy = 0;
};

/// A way of keeping constraints, as the answers to three questions (docs/theory/notation.md). Its kind says which of
/// them it answers, and by that which motion it makes (simulation/motion.hpp) and with what it can be combined.
class Method {
 public:
  enum class Kind {
    uncorrected,  ///< no answer: violations drift with the errors of the integration
    terms,        ///< answers 1 or 2: adds terms while integrating, so that --control means something
    corrected,    ///< answers 3: corrects the result of each step
    projected,    ///< as that, and evaluates the equations on the constraints alone, stages included
    chart,        ///< integrates coordinates of its own, see chart()
    index_two,    ///< multipliers are unknowns of a differential-algebraic system, solved by an implicit integrator
  };

  explicit Method(Kind kind) : kind_(kind) {}
  virtual ~Method() = default;

  /// 1. Which right-hand side c is asked of the accelerations, H v̇ = c? (c holds b when called.)
  virtual void demand(const Point& /*point*/, const ViolationNow& /*violation*/, double /*h*/, Vector& /*c*/) {}
  /// 2. What is added to q̇ while integrating? The point has been evaluated and factored.
  virtual void add_to_rates(Manifold& /*manifold*/, double /*t*/, const Vector& /*q*/,
                            const ViolationNow& /*violation*/, double /*h*/, Vector& /*qdot*/) {}
  /// 3. What is done to the result of a step?
  virtual Projection correct(Manifold& /*manifold*/, double /*t*/, Vector& /*q*/, Vector& /*v*/) { return {}; }

  // ---- what follows from the kind ---------------------------------------------------------------
  Kind kind() const { return kind_; }
  bool adds_terms() const { return kind_ == Kind::terms; }
  bool corrects() const { return kind_ == Kind::corrected || kind_ == Kind::projected; }
  bool is_dae() const { return kind_ == Kind::index_two; }
  /// Must the initial state satisfy the constraints?
  bool needs_consistent_start() const { return kind_ != Kind::uncorrected && kind_ != Kind::terms; }

  // ---- what does not ----------------------------------------------------------------------------
  /// The coordinates that are integrated instead of q and v, if it uses others.
  virtual Chart* chart() const { return nullptr; }
  /// Is the result of every step on the constraints, as far as tolerance and rounding go? Else it drifts by nature.
  virtual bool holds() const { return kind_ == Kind::projected || kind_ == Kind::chart || kind_ == Kind::index_two; }
  /// Does it look at M and H themselves, rather than at what is solved with them?
  virtual bool reads_matrices() const { return kind_ == Kind::chart || kind_ == Kind::index_two; }
  /// Do its terms contain the size of the step?
  virtual bool uses_step() const { return false; }
  /// Are its terms, where held through a step, what FormulaSolver::held_rates gives with Φ/h and χ/h?
  virtual bool formulas_give_held_terms() const { return false; }
  /// The fastest rate at which its terms let a violation decay, in 1/s, as far as it has been seen; 0 where they have
  /// none of their own.
  virtual double gain() const { return 0; }
  /// The local error that it asks of the steps, in a norm of its own; 0 where it asks for none.
  virtual double local_tolerance() const { return 0; }
  /// The size of a change of the state over local_tolerance(), where the equations were last evaluated.
  virtual double error_size(Manifold& /*manifold*/, const Vector& /*dq*/, const Vector& /*dv*/) { return 0; }

 private:
  Kind kind_;
};

}  // namespace taut
