#include <algorithm>
#include <cmath>
#include <numbers>

#include "linear/eigenvalues.hpp"
#include "questions/state_space.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

Mode mode_of(std::complex<double> value, const Eigen::VectorXcd& shape) {
  Mode mode{value, std::nullopt, std::nullopt, {}};
  if (value.imag() != 0) mode.frequency = std::abs(value.imag()) / (2 * std::numbers::pi);
  if (value != 0.0) mode.damping = -value.real() / std::abs(value);
  Eigen::Index largest = 0;
  const double size = shape.size() > 0 ? shape.cwiseAbs().maxCoeff(&largest) : 0;
  for (const auto& part : shape) mode.shape.push_back(size > 0 ? part / shape[largest] : part);
  return mode;
}

/// The slowest first; of a pair the one that turns forward first.
bool comes_before(const Mode& a, const Mode& b) {
  const double left = std::abs(a.eigenvalue), right = std::abs(b.eigenvalue);
  return left != right ? left < right : a.eigenvalue.imag() > b.eigenvalue.imag();
}

}  // namespace

Modes find_modes(const Model& model, const LinearizeOptions& options) {
  LinearizeOptions free = options;
  free.inputs.clear();
  free.outputs.clear();
  const StateSpace space = linearize(model, free);
  const auto pairs = eigenpairs(space.A);
  if (!pairs) throw InputError("the eigenvalues of the linearised equations were not found", "ask at another state");
  Modes result{space.model, {}, space.steady, space.positions, 0, space.at, space.coordinates, space.notes};
  result.speeds = static_cast<int>(space.states.size()) - space.positions;
  for (std::size_t k = 0; k < pairs->values.size(); ++k)
    result.modes.push_back(
        mode_of(pairs->values[k], space.coordinate_shapes * pairs->vectors.col(static_cast<Eigen::Index>(k))));
  std::ranges::stable_sort(result.modes, comes_before);
  return result;
}

}  // namespace taut
