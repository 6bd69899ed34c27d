#include "integration/tableau.hpp"

namespace taut {

/// The classical formula of Kutta (1901).
Tableau rk4_tableau() {
  return {.order = 4,
          .c = {0, 0.5, 0.5, 1},
          .a = {{}, {0.5}, {0, 0.5}, {0, 0, 1}},
          .b = {1. / 6, 1. / 3, 1. / 3, 1. / 6},
          .error = {}};
}

}  // namespace taut
