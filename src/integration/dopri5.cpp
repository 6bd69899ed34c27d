#include "integration/tableau.hpp"

namespace taut {

/// Dormand & Prince (1980), order 5 with an embedded formula of order 4 and dense output of order 4
/// (Hairer, Nørsett & Wanner, Solving ODEs I, II.5 and II.6).
Tableau dopri5_tableau() {
  const std::vector<double> b = {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84, 0};
  return {.order = 5,
          .c = {0, 0.2, 0.3, 0.8, 8. / 9, 1, 1},
          .a = {{},
                {1. / 5},
                {3. / 40, 9. / 40},
                {44. / 45, -56. / 15, 32. / 9},
                {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
                {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
                {b[0], b[1], b[2], b[3], b[4], b[5]}},
          .b = b,
          .error = {{71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40}},
          .error_order = 5,
          .last_is_next = true,
          .dense_c = {},
          .dense_a = {},
          .dense = {{-12715105075. / 11282082432., 0, 87487479700. / 32700410799., -10690763975. / 1880347072.,
                     701980252875. / 199316789632., -1453857185. / 822651844., 69997945. / 29380423.}},
          .widest_gap = 0.55};
}

}  // namespace taut
