#pragma once

#include <memory>

#include "mechanism.hpp"

namespace peer {

/// One of SUNDIALS' solvers at work on a mechanism.
class Solver {
 public:
  virtual ~Solver() = default;
  /// From the start to the end; the values at each sample. Throws std::runtime_error where it cannot go on.
  virtual void simulate(std::vector<Values>& values) = 0;
  virtual long steps() const = 0;
  virtual long evaluations() const = 0;
};

enum class Formula { adams, bdf };
enum class Projection { off, on };

/// CVODE on q̇ = v, v̇ = a with the accelerations found by elimination, iterated without a matrix: nothing is stiff.
std::unique_ptr<Solver> make_cvode(std::unique_ptr<Mechanism> mechanism, const Request& request, Formula formula,
                                   Projection projection);
/// IDA on the stabilised form of index 2, multipliers left out of the error test.
std::unique_ptr<Solver> make_ida(std::unique_ptr<Mechanism> mechanism, const Request& request);

}  // namespace peer
