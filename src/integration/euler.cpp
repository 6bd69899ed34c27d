#include "integration/tableau.hpp"

namespace taut {

/// y⁺ = y + h f(t, y).
Tableau euler_tableau() { return {.order = 1, .c = {0}, .a = {{}}, .b = {1}, .error = {}}; }

}  // namespace taut
