#pragma once

#include <string>
#include <vector>

#include "simulation/impulse_solver.hpp"
#include "simulation/state_formulas.hpp"

namespace taut {

/// What contacts do where they touch. Those that close strike together, each with its restitution: ġ⁺ = −e ġ⁻. One
/// whose bounces to come take no time any more comes to rest. What rests, or lies, holds as a constraint if it would
/// close without; its force is watched, and where it would pull the contact opens.
class ContactLaw {
 public:
  ContactLaw(const Model& model, RunParts& parts);

  bool exist() const { return !contacts_.empty(); }
  /// Does one touch where a run begins? Throws InputError where one is closed by more than rounding.
  bool touch(double t, const Vector& q, const Vector& v, const std::vector<double>& parameters);
  /// Those that hold, and are let go by what has happened.
  void let_go(int parameter);
  /// At a state behind which no other change comes: v becomes what it is after all strikes, and the parameters say
  /// which contacts hold. Returns what is wrong; "" else.
  std::string resolve(double t, const Vector& q, Vector& v, std::vector<double>& parameters);

  /// What the last resolve() did to each contact.
  struct Deed {
    std::string name;
    bool struck = false, rests = false, opened = false;
    double before = 0, after = 0;  ///< the rate of its gap
    double left = 0;               ///< s that all bounces to come would have taken, of one that rests
  };
  const std::vector<Deed>& deeds() const { return deeds_; }

 private:
  struct Touching {
    enum class State { apart, touches, closes, rests };  ///< each is all that those before it are, too
    bool touches() const { return state >= State::touches; }
    bool closes() const { return state >= State::closes; }
    bool rests() const { return state == State::rests; }

    std::string name;
    int row, parameter;
    double restitution;
    State state = State::apart;
    bool let_go = false;
    double rate = 0;  ///< ġ before
    double left = 0;  ///< s of all bounces to come
  };

  const std::vector<double>& gaps(double t, const Vector& q, const Vector& v, const std::vector<double>& parameters);
  /// Has those contacts hold that a condition names.
  template <class Condition>
  void have_hold(const Condition& holds, std::vector<double>& parameters);
  void find_rates(double t, const Vector& q, const Vector& v, std::vector<double>& parameters);
  std::string strike(double t, const Vector& q, Vector& v, std::vector<double>& parameters);
  bool adds_closing(double speed);
  bool adds_resting(double t, const Vector& q, const Vector& v, std::vector<double>& parameters);
  void settle(double t, const Vector& q, const Vector& v, std::vector<double>& parameters);

  const Model& model_;
  RunParts& parts_;
  ImpulseSolver solver_;
  StateFormulas gap_formulas_;
  std::vector<Touching> contacts_;
  std::vector<Deed> deeds_;
  Vector chi_, asked_, a_, qdot_, lambda_, gap_rates_;
  std::vector<Place> places_;
};

}  // namespace taut
