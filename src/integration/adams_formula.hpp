#pragma once

#include <array>

namespace taut {

/// The numbers of an Adams formula on unequal steps, in modified divided differences (Shampine & Gordon,
/// Computer Solution of Ordinary Differential Equations, 1975, chapter 5; Hairer, Nørsett & Wanner, Solving
/// ODEs I, III.5). Indices count from 1, as there; n is the last point, h the step to the next.
///   ψᵢ   sum of the last i steps
///   φᵢ   modified divided differences of f at the last i points, φ₁ = f(tₙ); φ*ᵢ = βᵢ φᵢ carries them to the new step
///   predictor of order k: p = y + h Σ_{i≤k} gᵢ φ*ᵢ
struct AdamsFormula {
  static constexpr int highest_order = 12;
  using Row = std::array<double, highest_order + 3>;

  Row psi = {};     ///< ψᵢ(n+1), the step h included
  Row alpha = {};   ///< h/ψᵢ(n+1)
  Row beta = {};    ///< ψ₁(n+1)…ψᵢ₋₁(n+1) / ψ₁(n)…ψᵢ₋₁(n)
  Row sigma = {};   ///< (i−1)! α₁…αᵢ₋₁; 1 for equal steps
  Row g = {};       ///< integrals of the basis over the step; g[k+1] serves the corrector
  int order = 0;    ///< k that it was prepared for last, …
  Row before = {};  ///< … and the sums of steps

  /// The formula of order k for a step h after steps with the sums `past`.
  void prepare(int k, double h, const Row& past);
};

/// Weights for y(tₙ + s) = y + s Σ_{i≤k} weights[i] φᵢ(n), from the polynomial through the last k derivatives.
/// `psi` are the sums of steps up to tₙ.
void adams_interpolation(int k, double s, const AdamsFormula::Row& psi, AdamsFormula::Row& weights);

/// |γ*ᵢ|, the coefficients of the Adams–Moulton formulas with equal steps: 1/2, 1/12, 1/24, …
const AdamsFormula::Row& adams_moulton_error();

}  // namespace taut
