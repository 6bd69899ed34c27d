#pragma once

#include <functional>
#include <string>
#include <vector>

/// How `taut bench` talks to a peer: a program that simulates the suite's problems with another library.
///   PEER list                                                     what it can do
///   PEER run PROBLEM SIZE WAY SETTING UNTIL SAMPLES SECONDS LIMIT  one setting of one way
/// Either prints one JSON object. Only the integration is timed; it is repeated for SECONDS, and the shortest counts. A
/// run that takes longer than LIMIT seconds is ended by the alarm clock.
namespace peer {

/// What is to be simulated, and how.
struct Request {
  std::string problem;  ///< pendulum, n-four-bar, bricard, slider-crank
  int size = 1;         ///< loops of n-four-bar
  std::string way;      ///< of those that the peer lists
  double setting = 0;   ///< a tolerance or a step, as the way says
  double until = 10;    ///< s
  int samples = 10;     ///< times at which the motion is looked at, evenly spaced, the end among them

  double sample(int k) const { return until * (k + 1) / samples; }
};

/// What is looked at, the same for every peer: Cartesian coordinates of the moving points.
using Values = std::vector<double>;

/// A problem that has been set up: each call simulates it from its start.
struct Run {
  /// Simulates to the end and tells the values at each sample. Throws std::runtime_error where it cannot go on.
  std::function<void(std::vector<Values>&)> simulate;
  /// Of the last simulation.
  std::function<long()> steps, evaluations;
};

/// A way to simulate: an integrator with what belongs to it.
struct Way {
  std::string name;
  enum class Setting { tolerance, step } setting = Setting::tolerance;
  std::string about;
};

struct Peer {
  std::string name, version, formulation;  ///< "equations" or "bodies"
  std::vector<Way> ways;
  std::function<Run(const Request&)> prepare;  ///< throws std::runtime_error where it has no such problem
};

/// The whole of main().
int serve(const Peer& peer, int argc, char** argv);

}  // namespace peer
