#pragma once

#include <memory>

#include "cli/bench_problem.hpp"

/// Who takes part in the comparison: taut in this process, and programs that answer as benchmarks/peers/protocol.hpp
/// says.
namespace taut::cli {

/// A way to simulate, and the number that makes it more or less accurate.
struct Way {
  enum class Setting { tolerance, step };
  std::string name;
  Setting setting = Setting::tolerance;
};

/// How long a measurement may take.
struct Patience {
  double seconds = 0.05;  ///< a simulation is repeated for so long, and the shortest counts
  int limit = 20;         ///< s; a simulation that takes longer is given up
};

/// What became of one setting of one way.
struct Trial {
  std::string failure;  ///< "" if it went through
  double wall_seconds = 0, setup_seconds = 0;
  long steps = 0, evaluations = 0;
  std::vector<Values> values;
  bool over_limit = false;
  bool ok() const { return failure.empty(); }
};

class Competitor {
 public:
  virtual ~Competitor() = default;
  virtual std::string name() const = 0;
  virtual std::string version() const = 0;
  virtual Formulation formulation() const = 0;
  virtual std::vector<Way> ways(const Problem& problem) const = 0;
  virtual Trial run(const Problem& problem, const Way& way, double setting, const Patience& patience) = 0;
};

/// taut twice, as equations and as bodies, then those peers that were built. What was not is told in `missing`.
std::vector<std::unique_ptr<Competitor>> competitors(std::vector<std::string>& missing);

}  // namespace taut::cli
