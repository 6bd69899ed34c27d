// Searches that end where others have found what is best, from wherever they begin.
#include <gtest/gtest.h>

#include <cmath>

#include "taut/questions.hpp"

namespace taut {
namespace {

TEST(Optimize, FindsAStraighterLineThanChebyshevsFromNineOfTenRandomStarts) {
  // Chebyshev's linkage, 1 : 2 : 2.5 with its point at 5: while the crank makes the lower half of its turn, the point
  // keeps a height of 4. What it is off, squared and integrated, is to be less than his.
  const Model model = read_model(R"(
model: chebyshev
parameters: {a: 1, d: 2, b: 2.5, c: 2.5, p: 5, h: 4, s0: 1.6, s1: 4.68}
definitions:
  s: s0 + (s1 - s0)*t
coordinates: {x1: a*cos(s0), y1: a*sin(s0), x2: 2, y2: 2.5}
kinetic_energy: (x1'^2 + y1'^2 + x2'^2 + y2'^2)/2
constraints:
  crank_x: x1 = a*cos(s)
  crank_y: y1 = a*sin(s)
  coupler: (x2 - x1)^2 + (y2 - y1)^2 = b^2
  rocker: (x2 - d)^2 + y2^2 = c^2
outputs:
  off: (y1 + p/b*(y2 - y1) - h)^2
)",
                                 "test.yaml");
  OptimizeOptions options;
  options.of = "integral(off)";
  options.over = {{"b", 2.0, 3.2}, {"c", 2.0, 3.2}, {"p", 4.0, 6.0}, {"h", 3.0, 5.0}};
  options.run.until = 1;
  options.run.assemble = true;
  options.starts = 11;
  const Optimum best = optimize(model, options);
  EXPECT_TRUE(best.converged) << best.reason;
  const Sensitivity his = find_sensitivity(model, {options.run, {options.of}, {"b"}, {}});
  EXPECT_LT(best.value, his.values[0] / 3);
  ASSERT_FALSE(best.by_start.empty());
  int found = 0;
  for (std::size_t k = 1; k < best.by_start.size(); ++k) found += best.by_start[k].value < best.value * (1 + 1e-6);
  EXPECT_GE(found, 9);
}

TEST(Optimize, WhereRunsCannotBeMadeIsNoBestValue) {
  // A rod of length 1 between carts on crossing rails cannot reach beyond x = 1: the largest x asked for is at a wall,
  // and not one of the bounds that were given.
  const Model model = read_model(R"(
model: wall
parameters: {u: 0.5}
coordinates: {x: u, y: {value: 0.8}}
kinetic_energy: (x'^2 + y'^2)/2
constraints: {at: x = u, rod: x^2 + y^2 = 1}
)",
                                 "test.yaml");
  OptimizeOptions options;
  options.of = "x";
  options.most = true;
  options.over = {{"u", 0.0, 3.0}};
  options.run.until = 0.1;
  options.run.assemble = true;
  const Optimum best = optimize(model, options);
  EXPECT_FALSE(best.converged);
  EXPECT_FALSE(best.reason.empty());
}

}  // namespace
}  // namespace taut
