#pragma once

#include <vector>

#include "model/fmu/instance.hpp"

namespace taut::fmu {

/// The states of a unit of Model Exchange, integrated by themselves: Dormand and Prince's formula of order 5(4) with
/// error control. Steps end at the unit's events of time, and where an event indicator goes above zero or comes from
/// there, which is located by halving the step.
class ExchangeSteps {
 public:
  ExchangeSteps(Instance& unit, double tolerance);
  bool advance(double until);

 private:
  bool rates_at(double t, const std::vector<double>& x, std::vector<double>& rates);
  bool attempt(double h);
  double error() const;
  bool step(double until);
  bool locate(double h);
  bool try_shorter(double h);
  bool crosses() const;
  bool finish_step(double t, bool at_event);
  bool go_to(double t, const std::vector<double>& x);

  Instance& unit_;
  double tolerance_;
  std::vector<std::vector<double>> k_;
  std::vector<double> x_, new_x_, stage_, z_, new_z_;
  double taken_ = 0, left_ = 0;  ///< of the time to go to, and what is left of it
  bool is_bad_ = false;          ///< a rate could not be had at a stage: the step is too long
};

}  // namespace taut::fmu
