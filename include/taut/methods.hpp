#pragma once

#include <string>
#include <string_view>

/// Options of the methods, integrators, kernels and energy laws: plain structs, each with its name.
/// `visit` shows every field with its unit and meaning; see choice.hpp.
namespace taut {

// ---- methods: how constraints are kept --------------------------------------------------------

/// Evaluates the equations only on the manifold; decides rank only there (docs/theory/auto.md).
struct Auto {
  static constexpr std::string_view name = "auto";
  double rank_tolerance = 1e-10;
  double tolerance = 1e-14;
  void visit(auto&& field) {
    field("rank_tolerance", rank_tolerance, "1",
          "relative size below which a constraint counts as implied by the others");
    field("tolerance", tolerance, "1", "relative size at which a projection counts as converged");
  }
};

/// Accelerations only, no correction: Braun & Goldfarb 2009 Eq. (17). Drifts; here for comparison.
struct UdwadiaKalaba {
  static constexpr std::string_view name = "udwadia-kalaba";
  double rank_tolerance = 1e-6;
  void visit(auto&& field) {
    field("rank_tolerance", rank_tolerance, "1",
          "relative size below which a constraint counts as implied by the others");
  }
};

/// Drift elimination embedded in the equation of motion: Braun & Goldfarb 2009 Eq. (16), (20), (21).
struct BraunGoldfarb {
  static constexpr std::string_view name = "braun-goldfarb";
  double rank_tolerance = 1e-6;
  void visit(auto&& field) {
    field("rank_tolerance", rank_tolerance, "1",
          "relative size below which a constraint counts as implied by the others");
  }
};

/// Each step projected onto the constraints: Keerthi, Sudarsan & Sancheti, problem P1 and Eq. (3.1)-(3.7).
struct Perturbation {
  static constexpr std::string_view name = "perturbation";
  std::string metric = "mass";
  double tolerance = 1e-12;
  double rank_tolerance = 1e-10;
  void visit(auto&& field) {
    field("metric", metric, "", "mass or identity: the norm in which the correction is smallest");
    field("tolerance", tolerance, "1", "relative size at which the projection counts as converged");
    field("rank_tolerance", rank_tolerance, "1",
          "relative size below which a constraint counts as implied by the others");
  }
};

// ---- energy laws ------------------------------------------------------------------------------

/// Moves v within the constraints so that the energy balance holds: Braun & Goldfarb, Part II, Eq. (2), (4)-(6).
struct ProjectEnergy {
  static constexpr std::string_view name = "project";
  double tolerance = 1e-6;
  void visit(auto&& field) {
    field("tolerance", tolerance, "J", "twice the kinetic energy below which nothing is corrected");
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
struct Dopri5 {
  static constexpr std::string_view name = "dopri5";
  void visit(auto&&) {}
};
struct Dop853 {
  static constexpr std::string_view name = "dop853";
  void visit(auto&&) {}
};

}  // namespace taut
