// Random linkages, redundant as often as not, against truths that are found without taut.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <complex>
#include <random>

#include "taut/questions.hpp"
#include "taut/simulation.hpp"

namespace taut {
namespace {

class Draw {
 public:
  explicit Draw(unsigned seed) : generator_(seed) {}
  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(generator_() >> 11) * 0x1p-53;
  }
  int upto(int most) { return static_cast<int>(generator_() % static_cast<unsigned long>(most + 1)); }
  bool perhaps() { return upto(1) == 1; }

 private:
  std::mt19937_64 generator_;
};

/// A chain of point masses on rods that hangs, with springs and dampers to the sides; in angles its M, D and K are
/// sums.
struct Chain {
  std::string text;
  Eigen::VectorXcd eigenvalues;
};

Chain random_chain(unsigned seed) {
  Draw draw(seed);
  const int n = 1 + draw.upto(4);
  Matrix M = Matrix::Zero(n, n), K = M, D = M;
  Vector m(n), l(n), k(n), c(n);
  for (int i = 0; i < n; ++i) {
    m[i] = draw.between(0.2, 3);
    l[i] = draw.between(0.2, 2);
    k[i] = draw.perhaps() ? draw.between(1, 200) : 0;
    c[i] = draw.perhaps() ? draw.between(0.1, 2) : 0;
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const int below = n - std::max(i, j);
      M(i, j) = m.tail(below).sum() * l[i] * l[j];
      K(i, j) = k.tail(below).sum() * l[i] * l[j];
      D(i, j) = c.tail(below).sum() * l[i] * l[j];
    }
    K(i, i) += 9.81 * m.tail(n - i).sum() * l[i];
  }
  Matrix A = Matrix::Zero(2 * n, 2 * n);
  A.topRightCorner(n, n).setIdentity();
  A.bottomLeftCorner(n, n) = -M.llt().solve(K);
  A.bottomRightCorner(n, n) = -M.llt().solve(D);
  std::string coordinates, kinetic, potential, forces, rows;
  std::vector<std::string> rods;
  for (int i = 0; i < n; ++i) {
    const char* between = i > 0 ? ", " : "";
    coordinates += fmt::format("{}x{}: 0, y{}: {}", between, i, i, -l.head(i + 1).sum());
    kinetic += fmt::format("{}{}*(x{}'^2 + y{}'^2)", i > 0 ? " + " : "", m[i] / 2, i, i);
    potential += fmt::format("{}{}*y{} + {}*x{}^2", i > 0 ? " + " : "", 9.81 * m[i], i, k[i] / 2, i);
    forces += fmt::format("{}x{}: -{}*x{}'", between, i, c[i], i);
    rods.push_back(i == 0 ? fmt::format("x0^2 + y0^2 - {}", l[0] * l[0])
                          : fmt::format("(x{} - x{})^2 + (y{} - y{})^2 - {}", i, i - 1, i, i - 1, l[i] * l[i]));
    rows += fmt::format("  rod{}: {}\n", i, rods.back());
  }
  for (int more = draw.upto(3); more > 0; --more)
    rows += fmt::format("  again{}: {}*({}) + {}*({}) = 0\n", more, draw.between(-5, 5),
                        rods[static_cast<std::size_t>(draw.upto(n - 1))], draw.between(-5, 5),
                        rods[static_cast<std::size_t>(draw.upto(n - 1))]);
  if (draw.perhaps()) rows += "  rate: x0*x0' + y0*y0' = 0\n";
  return {fmt::format("model: chain\ncoordinates: {{{}}}\nkinetic_energy: {}\npotential_energy: {}\nforces: {{{}}}\n"
                      "constraints:\n{}",
                      coordinates, kinetic, potential, forces, rows),
          Eigen::EigenSolver<Matrix>(A).eigenvalues()};
}

TEST(RandomLinkages, ChainsSwingAsInAnglesHoweverRedundantTheyAre) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    const Chain chain = random_chain(seed);
    const Modes modes = find_modes(read_model(chain.text, "test.yaml"), {});
    ASSERT_EQ(modes.modes.size(), static_cast<std::size_t>(chain.eigenvalues.size())) << seed;
    const double largest = chain.eigenvalues.cwiseAbs().maxCoeff();
    for (const std::complex<double>& value : chain.eigenvalues) {
      double nearest = largest;
      for (const Mode& mode : modes.modes) nearest = std::min(nearest, std::abs(mode.eigenvalue - value));
      EXPECT_LE(nearest, 1e-9 * std::max(std::abs(value), 1e-2 * largest)) << seed << ' ' << value;
    }
  }
}

/// A four-bar of points with weights, and a spring from the second to a point of the ground.
struct FourBar {
  double a, b, c, d, m1, m2, k, sx, sy, s0;

  explicit FourBar(Draw& draw) {
    do {
      a = draw.between(0.4, 2), b = draw.between(0.4, 2), c = draw.between(0.4, 2), d = draw.between(0.4, 2);
    } while (std::max({a, b, c, d}) * 2 > a + b + c + d - 0.05 || !place(1, draw.between(0, 1)).allFinite());
    m1 = draw.between(0.5, 2), m2 = draw.between(0.5, 2);
    k = draw.perhaps() ? draw.between(5, 80) : 0;
    sx = draw.between(-2, 3), sy = draw.between(-2, 2), s0 = draw.between(0, 1);
  }
  /// Both points at an angle of the crank.
  Vector place(double angle, double side) const {
    Vector p(4);
    p[0] = a * std::cos(angle), p[1] = a * std::sin(angle);
    const double dx = d - p[0], dy = -p[1], R = std::hypot(dx, dy), u = (b * b - c * c + R * R) / (2 * R);
    const double h = (side > 0.5 ? 1 : -1) * std::sqrt(b * b - u * u);
    p[2] = p[0] + (u * dx - h * dy) / R, p[3] = p[1] + (u * dy + h * dx) / R;
    return p;
  }
  double potential(const Vector& p) const {
    const double stretch = std::hypot(p[2] - sx, p[3] - sy) - s0;
    return 9.81 * (m1 * p[1] + m2 * p[3]) + k / 2 * stretch * stretch;
  }
  /// Along the constraints, by a way of this length.
  Vector moved(Vector p, double way) const {
    Matrix H(3, 4);
    Vector Phi(3);
    const auto evaluate = [&] {
      H << p[0], p[1], 0, 0, 0, 0, p[2] - d, p[3], p[0] - p[2], p[1] - p[3], p[2] - p[0], p[3] - p[1];
      Phi << p[0] * p[0] + p[1] * p[1] - a * a, (p[2] - d) * (p[2] - d) + p[3] * p[3] - c * c,
          (p[2] - p[0]) * (p[2] - p[0]) + (p[3] - p[1]) * (p[3] - p[1]) - b * b;
    };
    evaluate();
    p += way * Eigen::FullPivLU<Matrix>(H).kernel().col(0).normalized();
    for (int i = 0; i < 20; ++i) {
      evaluate();
      p -= H.transpose() * (H * H.transpose()).ldlt().solve(Phi / 2);
    }
    return p;
  }
  std::string text(const Vector& p, bool redundant) const {
    return fmt::format(
        "model: four-bar\ncoordinates: {{x1: {}, y1: {}, x2: {}, y2: {}}}\n"
        "kinetic_energy: {}*(x1'^2 + y1'^2) + {}*(x2'^2 + y2'^2)\n"
        "potential_energy: {}*y1 + {}*y2 + {}*(sqrt((x2 - {})^2 + (y2 - {})^2) - {})^2\n"
        "parameters: {{c: 0}}\nforces: {{x1: -c*x1', y1: -c*y1', x2: -c*x2', y2: -c*y2'}}\n"
        "constraints:\n  a: x1^2 + y1^2 = {}\n  c: (x2 - {})^2 + y2^2 = {}\n  b: (x2 - x1)^2 + (y2 - y1)^2 = {}\n{}",
        p[0], p[1], p[2], p[3], m1 / 2, m2 / 2, 9.81 * m1, 9.81 * m2, k / 2, sx, sy, s0, a * a, d, c * c, b * b,
        redundant ? fmt::format("  e: 2*(x1^2 + y1^2 - {}) = 3*((x2 - x1)^2 + (y2 - y1)^2 - {})\n", a * a, b * b) : "");
  }
};

TEST(RandomLinkages, FourBarsRestWhereTheirPotentialIsFlatAndStayWhereItIsLeast) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    Draw draw(seed);
    const FourBar bars(draw);
    EquilibriumOptions options;
    options.all = true;
    options.starts = 20;
    const Equilibria all =
        find_equilibria(read_model(bars.text(bars.place(1, 0), draw.perhaps()), "test.yaml"), options);
    ASSERT_FALSE(all.found.empty()) << seed;
    for (const Equilibrium& one : all.found) {
      Vector p(4);
      for (int i = 0; i < 4; ++i) p[i] = one.coordinates[static_cast<std::size_t>(i)].value;
      constexpr double way = 1e-4;
      const double here = bars.potential(p), ahead = bars.potential(bars.moved(p, way)),
                   behind = bars.potential(bars.moved(p, -way));
      const double curvature = (ahead + behind - 2 * here) / (way * way), size = 20 + bars.k;
      // The slope by differences is good to curvature changes times way², and to rounding over way.
      EXPECT_NEAR((ahead - behind) / (2 * way), 0, 1e-5 * size) << seed;
      if (std::abs(curvature) > 1e-3 * size) EXPECT_EQ(one.stable, curvature > 0) << seed << ' ' << curvature;
    }
  }
}

/// Where a damped motion ends up, let go with these rates.
Vector settled(const Model& model, const Vector& from, const Vector& rates) {
  Options run;
  run.until = 60;
  run.rtol = 1e-7;
  run.record = false;
  run.assemble = true;
  run.set = {{"c", 2.0}};
  const char* const names[] = {"x1", "y1", "x2", "y2"};
  for (int i = 0; i < 4; ++i) {
    run.set.emplace_back(std::string(names[i]) + "(0)", from[i]);
    run.set.emplace_back(std::string(names[i]) + "'(0)", rates[i]);
  }
  const Summary end = simulate(model, run).summary;
  EXPECT_EQ(end.verdict, Verdict::done) << end.verdict_reason;
  Vector q(4);
  for (int i = 0; i < 4; ++i) {
    q[i] = value_of(end.final_coordinates, names[i]);
    EXPECT_NEAR(value_of(end.final_rates, names[i]), 0, 1e-3);
  }
  return q;
}

Vector place_of(const Equilibrium& one) {
  Vector q(4);
  for (int i = 0; i < 4; ++i) q[i] = one.coordinates[static_cast<std::size_t>(i)].value;
  return q;
}

TEST(RandomLinkages, RestsThatDampedMotionsSettleInAreAmongThoseFoundAndStableOnesHoldThem) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    Draw draw(1000 + seed);
    const FourBar bars(draw);
    const Vector start = bars.place(1, 0);
    const Model model = read_model(bars.text(start, draw.perhaps()), "test.yaml");
    EquilibriumOptions options;
    options.all = true;
    const Equilibria all = find_equilibria(model, options);
    // Motions slow down like e^(−k t/c) with k small beside 1: what is left after 60 s is below 1e-3 of the size.
    const auto nearest_stable = [&](const Vector& q) {
      double nearest = 9;
      for (const Equilibrium& one : all.found)
        if (one.stable) nearest = std::min(nearest, (place_of(one) - q).lpNorm<Eigen::Infinity>());
      return nearest;
    };
    for (int k = 0; k < 3; ++k) {
      Vector rates(4);
      for (double& rate : rates) rate = draw.between(-8, 8);
      const Vector q = settled(model, bars.place(1, k % 2), rates);
      EXPECT_LE(nearest_stable(q), 1e-3) << seed << ": " << q.transpose();
    }
    for (const Equilibrium& one : all.found) {
      if (!one.stable) continue;
      const Vector q = settled(model, place_of(one), Vector::Constant(4, 1e-3));
      EXPECT_LE((q - place_of(one)).lpNorm<Eigen::Infinity>(), 1e-3) << seed;
    }
  }
}

}  // namespace
}  // namespace taut
