#pragma once

#include <vector>

#include "taut/vector.hpp"

namespace taut {

/// The numbers of an explicit Runge–Kutta formula.
///   k_i = f(t + c_i h, y + h Σ_j a_ij k_j),   y⁺ = y + h Σ_i b_i k_i
struct Tableau {
  int order = 0;
  std::vector<double> c;
  std::vector<std::vector<double>> a;  ///< row i has at most i entries
  std::vector<double> b;
  /// Rows of error estimates h Σ e_i k_i; none: the formula has no error test. With two rows the
  /// second damps the first as in Hairer, Nørsett & Wanner, Solving ODEs I, II.10 (DOP853).
  std::vector<std::vector<double>> error;
  int error_order = 0;        ///< the step size goes with error^(-1/error_order)
  bool last_is_next = false;  ///< the last stage is f at the new point (FSAL)
  /// Stages that only dense output needs, after the others.
  std::vector<double> dense_c = {};
  std::vector<std::vector<double>> dense_a = {};
  /// Rows that refine the cubic Hermite interpolant:
  /// y(θ) = y + θ(F0 + (1−θ)(F1 + θ(F2 + (1−θ)(F3 + θ(F4 + …))))), F3.. = h Σ d_i k_i.
  std::vector<std::vector<double>> dense = {};
  /// Where in a step a singular moment is farthest from every stage, as a fraction of the step.
  double widest_gap = 0.5;

  int stages() const { return static_cast<int>(b.size()); }
};

/// Slopes with their factors, as many as are added at one go.
struct WeightedSlopes {
  static constexpr int most = 4;
  double factor[most];
  const double* slope[most];
};

/// out = from + Σ factor_j slope_j, in this order; `out` may be `from`.
template <int count>
void add_slopes(const double* from, WeightedSlopes slopes, Eigen::Index size, double* out) {
#pragma GCC ivdep
  for (Eigen::Index i = 0; i < size; ++i) {
    double sum = from[i];
    for (int j = 0; j < count; ++j) sum += slopes.factor[j] * slopes.slope[j][i];
    out[i] = sum;
  }
}

/// out = y + h Σ row_j k_j, several entries at a time: expressions over vectors cost more where there are few.
inline void combine(const std::vector<double>& row, double h, const Vector& y, const std::vector<Vector>& k,
                    Vector& out) {
  const Eigen::Index size = y.size();
  const double* from = y.data();
  WeightedSlopes slopes;
  int count = 0;
  const auto add = [&]<int n>() {
    add_slopes<n>(from, slopes, size, out.data());
    from = out.data();
    count = 0;
  };
  for (std::size_t j = 0; j < row.size(); ++j) {
    if (row[j] == 0) continue;
    slopes.factor[count] = h * row[j];
    slopes.slope[count] = k[j].data();
    if (++count == WeightedSlopes::most) add.operator()<WeightedSlopes::most>();
  }
  if (count == 3) return add.operator()<3>();
  if (count == 2) return add.operator()<2>();
  if (count == 1) return add.operator()<1>();
  if (from == y.data()) add.operator()<0>();
}

Tableau euler_tableau();
Tableau rk4_tableau();
Tableau dopri5_tableau();
Tableau dop853_tableau();

}  // namespace taut
