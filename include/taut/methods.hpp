#pragma once

#include <string>
#include <string_view>

#include "taut/choice.hpp"
#include "taut/visibility.hpp"

/// Options of the methods, integrators, kernels and energy laws: plain structs, each with its name.
/// `visit` shows every field with its unit, its meaning and the range of its values; see choice.hpp.
namespace taut TAUT_PUBLIC {

// ---- methods: how constraints are kept --------------------------------------------------------

/// Evaluates the equations only on the manifold; decides rank only there (docs/theory/auto.md).
struct Auto {
  static constexpr std::string_view name = "auto";
  double rank_tolerance = 1e-10;
  double tolerance = 1e-14;
  void visit(auto&& field) {
    field("rank_tolerance", rank_tolerance, "1",
          "relative size below which a constraint counts as implied by the others", fraction());
    field("tolerance", tolerance, "1", "relative size at which a projection counts as converged", positive_fraction());
  }
};

/// Accelerations only, no correction: Braun & Goldfarb 2009 Eq. (17). Drifts; here for comparison.
struct UdwadiaKalaba {
  static constexpr std::string_view name = "udwadia-kalaba";
  double rank_tolerance = 1e-6;
  void visit(auto&& field) {
    field("rank_tolerance", rank_tolerance, "1",
          "relative size below which a constraint counts as implied by the others", fraction());
  }
};

/// Drift elimination embedded in the equation of motion: Braun & Goldfarb 2009 Eq. (16), (20), (21).
struct BraunGoldfarb {
  static constexpr std::string_view name = "braun-goldfarb";
  double rank_tolerance = 1e-6;
  void visit(auto&& field) {
    field("rank_tolerance", rank_tolerance, "1",
          "relative size below which a constraint counts as implied by the others", fraction());
  }
};

/// Φ̈ + α Φ̇ + β Φ = 0 instead of Φ̈ = 0: Yoon, Howe & Greenwood Eq. (13).
struct Baumgarte {
  static constexpr std::string_view name = "baumgarte";
  double alpha = 12.65;
  double beta = 40;
  double omega = 0;
  double gamma = 0;
  double rank_tolerance = 1e-6;
  void visit(auto&& field) {
    field("alpha", alpha, "1/s", "damping of a position constraint's violation", at_least(0));
    field("beta", beta, "1/s²", "stiffness of a position constraint's violation", at_least(0));
    field("omega", omega, "1/s", "if greater than 0: critically damped, alpha = 2 omega and beta = omega²",
          at_least(0));
    field("gamma", gamma, "1/s", "decay of a velocity constraint's violation; 0: alpha / 2", at_least(0));
    field("rank_tolerance", rank_tolerance, "1",
          "relative size below which a constraint counts as implied by the others", fraction());
  }
};

/// The gradient of Φ² fed back into q̇: Yoon, Howe & Greenwood Eq. (28).
struct GradientFeedback {
  static constexpr std::string_view name = "gradient-feedback";
  double gain = 40;
  std::string gains;
  double zeta = 0;
  std::string zetas;
  double velocity_gain = 40;
  std::string metric = "mass";
  double rank_tolerance = 1e-6;
  void visit(auto&& field) {
    field("gain", gain, "1/s", "rate at which Φ decays, the paper's alpha_g", at_least(0));
    field("gains", gains, "1/s", "rates of single constraints by name, as rod:40:pin:20; the others have gain");
    field("zeta", zeta, "1/(s [Φ]²)", "if greater than 0: a constant zeta as in (28), whatever rate comes of it",
          at_least(0));
    field("zetas", zetas, "1/(s [Φ]²)", "such constants of single constraints by name, as rod:20:pin:5");
    field("velocity_gain", velocity_gain, "1/s", "rate at which χ decays; 0: no feedback of χ, as in the paper",
          at_least(0));
    field("metric", metric, "", "mass, or identity for the paper's plain gradient", one_of("mass, identity"));
    field("rank_tolerance", rank_tolerance, "1",
          "relative size below which a constraint counts as implied by the others", fraction());
  }
};

/// Accelerations by recursion over the rows, one sweep over them after each step: Orsino & de Oliveira Eq. (16)-(21).
struct RecursiveLeastSquares {
  static constexpr std::string_view name = "recursive-least-squares";
  std::string order = "threshold";
  double tolerance = 1e-16;
  int sweeps = 1;
  int block = 1;
  std::string weights = "auto";
  void visit(auto&& field) {
    field("order", order, "",
          "threshold: as they stand, but none much smaller than the largest; greedy: the largest next; natural; "
          "hierarchy: part by part, then what joins them",
          one_of("threshold, greedy, natural, hierarchy"));
    field("tolerance", tolerance, "1", "a row is redundant where s falls below this fraction of hᵀP₀h", fraction());
    field("sweeps", sweeps, "", "sweeps over the rows after each step", at_least(0));
    field("block", block, "", "rows eliminated together; 1 is the scalar form", at_least(1));
    field("weights", weights, "[M]/[H]²",
          "W of M + HᵀWH: one for all rows, one for each as 1:1:4, or a symmetric matrix as its lower triangle, "
          "row by row; auto: where M alone is singular");
  }
};

/// Each step projected onto the constraints: Keerthi, Sudarsan & Sancheti, problem P1 and Eq. (3.1)-(3.7).
struct Perturbation {
  static constexpr std::string_view name = "perturbation";
  double p1 = 0;
  std::string metric = "mass";
  std::string velocity_metric = "same";
  double alpha = 1;
  std::string correction = "uncoupled";
  std::string jacobian = "corrected";
  double tau = 0;
  double tolerance = 1e-12;
  double rank_tolerance = 1e-10;
  void visit(auto&& field) {
    field("p1", p1, "1",
          "if greater than 0: procedure P1 with this tau; steps err by tau/2 and are corrected by tau/2 at the most",
          at_least(0));
    field("metric", metric, "",
          "the norm W (W1) in which the correction is smallest: mass, identity, or weights as 1:1:4:…");
    field("velocity_metric", velocity_metric, "",
          "W2 / alpha², of velocities: same as metric, mass, identity, or weights");
    field("alpha", alpha, "s", "W2 = alpha² W1: what a velocity counts against a position", above(0));
    field("correction", correction, "",
          "uncoupled: q, then v, (3.5) and (3.6); coupled: both together, (2.12) and (3.2)",
          one_of("uncoupled, coupled"));
    field("jacobian", jacobian, "",
          "H for the velocities at the corrected q, or as printed in (3.6) at the uncorrected one",
          one_of("corrected, printed"));
    field("tau", tau, "1", "if greater than 0: a step whose correction exceeds tau/2 is repeated smaller (Remark 2.5)",
          at_least(0));
    field("tolerance", tolerance, "1", "relative size at which the projection counts as converged",
          positive_fraction());
    field("rank_tolerance", rank_tolerance, "1",
          "relative size below which a constraint counts as implied by the others", fraction());
  }
};

/// Tangent coordinates: Keerthi et al. §4; Braun & Goldfarb 2009 §4.3.
struct Parametrization {
  static constexpr std::string_view name = "parametrization";
  double restart = 0.99;
  double tolerance = 1e-13;
  double rank_tolerance = 1e-10;
  void visit(auto&& field) {
    field("restart", restart, "1", "cosine between velocity and base plane below which a new base is taken", above(0));
    field("tolerance", tolerance, "1", "relative size at which the lift counts as converged", positive_fraction());
    field("rank_tolerance", rank_tolerance, "1",
          "relative size below which a constraint counts as implied by the others", fraction());
  }
};

/// Multipliers as unknowns of a stabilised index-2 system: Gear, Gupta & Leimkuhler; Keerthi et al., ECS.
struct StabilizedIndex2 {
  static constexpr std::string_view name = "stabilized-index-2";
  double rank_tolerance = 1e-10;
  void visit(auto&& field) {
    field("rank_tolerance", rank_tolerance, "1",
          "relative size below which a constraint counts as implied by the others", fraction());
  }
};

/// One Newton step after each step: Ascher; Braun & Goldfarb 2009 §4.1.
struct PostStabilization {
  static constexpr std::string_view name = "post-stabilization";
  double rank_tolerance = 1e-8;
  void visit(auto&& field) {
    field("rank_tolerance", rank_tolerance, "1",
          "relative size below which a constraint counts as implied by the others", fraction());
  }
};

/// Penalty iteration with mass-orthogonal projection: Bayo & Ledesma; Braun & Goldfarb 2009 §4.2.
struct AugmentedLagrangian {
  static constexpr std::string_view name = "augmented-lagrangian";
  double penalty = 1e4;
  int iterations = 50;
  double rank_tolerance = 1e-8;
  void visit(auto&& field) {
    field("penalty", penalty, "1", "weight of a constraint against inertia, for rows scaled to size 1", above(0));
    field("iterations", iterations, "", "at the most; fewer when the rows are met to rounding", at_least(1));
    field("rank_tolerance", rank_tolerance, "1",
          "relative size below which a constraint counts as implied, for the record", fraction());
  }
};

/// Independent coordinates chosen by pivoting: Wehage & Haug; Braun & Goldfarb 2009 §4.3.
struct CoordinatePartitioning {
  static constexpr std::string_view name = "coordinate-partitioning";
  double restart = 0.8;
  double tolerance = 1e-13;
  double rank_tolerance = 1e-10;
  void visit(auto&& field) {
    field("restart", restart, "1",
          "share of the smallest pivot that may be left before the coordinates are chosen anew", above(0));
    field("tolerance", tolerance, "1", "relative size at which the dependent coordinates count as found",
          positive_fraction());
    field("rank_tolerance", rank_tolerance, "1",
          "relative size below which a constraint counts as implied by the others", fraction());
  }
};

// ---- energy laws ------------------------------------------------------------------------------

/// Moves v within the constraints so that the energy balance holds: Braun & Goldfarb, Part II, Eq. (2), (4)-(6).
struct ProjectEnergy {
  static constexpr std::string_view name = "project";
  double tolerance = 1e-12;
  std::string form = "step";
  void visit(auto&& field) {
    field("tolerance", tolerance, "J", "twice the kinetic energy of the free motion below which nothing is corrected",
          at_least(0));
    field("form", form, "", "step: v of an accepted step is moved; terms: a term with gain 1/h in v̇, as printed",
          one_of("step, terms"));
  }
};

/// The gradient of E² fed back into v̇: Yoon, Howe & Greenwood Eq. (20), (44), (50)-(53).
struct EnergyGradient {
  static constexpr std::string_view name = "gradient";
  double gain = 40;
  std::string metric = "mass";
  bool position = false;
  double ratio = 1;
  double rho_v = 0;
  double rho_q = 0;
  bool coupling = false;
  double tolerance = 1e-6;
  void visit(auto&& field) {
    field("gain", gain, "1/s", "rate at which the energy error decays, alpha_e of Eq. (27)", at_least(0));
    field("metric", metric, "", "mass, or identity for the paper's plain gradient", one_of("mass, identity"));
    field("position", position, "", "on: also fed back into q̇, as in Eq. (50) and (52)");
    field("ratio", ratio, "", "rho_q / rho_v where position is on", at_least(0));
    field("rho_v", rho_v, "", "if this or rho_q is greater than 0: constants of Eq. (20) instead of a gain: into v̇ …",
          at_least(0));
    field("rho_q", rho_q, "", "… and into q̇", at_least(0));
    field("coupling", coupling, "", "on: the coupling with each constraint, Y of Eq. (47), is measured and reported");
    field("tolerance", tolerance, "J", "twice the kinetic energy below which nothing is fed back", at_least(0));
  }
};

/// Ė + η E = 0 as one more row, after the constraints: Yoon, Howe & Greenwood Eq. (14)-(19).
struct EnergyMultiplier {
  static constexpr std::string_view name = "multiplier";
  double gain = 40;
  double tolerance = 1e-6;
  void visit(auto&& field) {
    field("gain", gain, "1/s", "rate at which the energy error decays, eta of Eq. (14)", at_least(0));
    field("tolerance", tolerance, "J", "twice the kinetic energy below which nothing is corrected", at_least(0));
  }
};

// ---- integrators ------------------------------------------------------------------------------

struct Euler {
  static constexpr std::string_view name = "euler";
  void visit(auto&&) {}
};
struct Rk4 {
  static constexpr std::string_view name = "rk4";
  void visit(auto&&) {}
};
struct Ab2 {
  static constexpr std::string_view name = "ab2";
  void visit(auto&&) {}
};
struct Ab3 {
  static constexpr std::string_view name = "ab3";
  void visit(auto&&) {}
};
struct Abm {
  static constexpr std::string_view name = "abm";
  void visit(auto&&) {}
};
struct Dopri5 {
  static constexpr std::string_view name = "dopri5";
  void visit(auto&&) {}
};
struct Dop853 {
  static constexpr std::string_view name = "dop853";
  void visit(auto&&) {}
};
struct CvodeAdams {
  static constexpr std::string_view name = "cvode-adams";
  void visit(auto&&) {}
};
struct CvodeBdf {
  static constexpr std::string_view name = "cvode-bdf";
  void visit(auto&&) {}
};
struct Ida {
  static constexpr std::string_view name = "ida";
  void visit(auto&&) {}
};

}  // namespace TAUT_PUBLIC
