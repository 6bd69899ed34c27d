#include <numbers>

#include "linear/dense_solve.hpp"
#include "taut/questions.hpp"

namespace taut {

/// G(iω) = C (iω − A)⁻¹ B + D.
FrequencyResponse frequency_response(const StateSpace& space, const std::vector<double>& frequencies) {
  FrequencyResponse result{space.model, space.inputs, space.outputs, frequencies, {}, space.notes};
  for (const double f : frequencies) {
    const Eigen::MatrixXcd x = solve_shifted(space.A, 2 * std::numbers::pi * f, space.B);
    result.response.emplace_back(space.C * x + space.D);
  }
  return result;
}

}  // namespace taut
