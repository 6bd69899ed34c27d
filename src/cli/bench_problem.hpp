#pragma once

#include <string>
#include <vector>

#include "taut/simulation.hpp"

/// The problems on which taut and its peers are compared, and what is true of them.
namespace taut::cli {

/// Cartesian coordinates of the moving points, in one order for everybody.
using Values = std::vector<double>;

struct Problem {
  std::string name;  ///< pendulum, n-four-bar, bricard, slider-crank
  int size = 1;      ///< loops of n-four-bar
  double until = 10;
  int samples = 10;  ///< times at which the motion is looked at, evenly spaced, the end among them

  std::string title() const { return name == "n-four-bar" ? name + " N = " + std::to_string(size) : name; }
  double sample(int k) const { return until * (k + 1) / samples; }
};

const std::vector<Problem>& problems();

enum class Formulation { equations, bodies };
std::string to_string(Formulation formulation);

/// The gallery's model of a problem.
Model model_of(const Problem& problem, Formulation formulation);
/// The values at the samples, out of the rows that a run of that model recorded there.
std::vector<Values> observed(const Problem& problem, Formulation formulation, const Trajectory& trajectory);

/// The true values. Mechanisms whose one freedom has an equation of its own are integrated in it, in extended
/// precision, and `bound` is how far halving the step changed that. For bricard it is taut's own motion to 1e-13, and
/// the bound is how far it is from its motion to 1e-12; peers that come near it confirm it.
struct Reference {
  std::vector<Values> values;
  double bound = 0;
  std::string source;
};
Reference reference_of(const Problem& problem, Formulation formulation);

/// The largest difference of any value at any sample; infinite where one is missing or not a number.
double error_of(const std::vector<Values>& values, const std::vector<Values>& reference);

}  // namespace taut::cli
