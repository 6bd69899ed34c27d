#include "simulation/violation_scale.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace taut {
namespace {

/// Of the largest coordinate, or speed: one that is smaller counts as if it were as large as this.
constexpr double least_share = 1e-2;
/// Speeds that take the largest coordinate no farther than this share of itself in the whole run.
constexpr double standstill = 1e-3;
/// Rows are differentiated over this share of the sizes: half the digits.
constexpr double stretch = 1e-8;
/// In how many directions. Terms of a row that cancel in one do not in the next.
constexpr int directions = 8;

/// A direction that no row is likely to be blind to: every size by a factor between ½ and 1, up or down.
class Directions {
 public:
  void take(const Vector& sizes, Vector& out) {
    for (Eigen::Index i = 0; i < sizes.size(); ++i) out[i] = (sign(random_) ? 1 : -1) * factor(random_) * sizes[i];
  }

 private:
  static bool sign(std::mt19937& random) { return random() & 1U; }
  static double factor(std::mt19937& random) { return 0.5 + 0.5 * random() / 4294967296.0; }
  std::mt19937 random_{14};
};

double largest(const Vector& x) { return x.size() > 0 ? x.maxCoeff() : 0; }

}  // namespace

ViolationScale::ViolationScale(System& system, double duration) : system_(system), duration_(duration) {
  const Shape& shape = system.shape();
  largest_q_ = sizes_q_ = q_ = Vector::Zero(shape.n_q());
  largest_v_ = sizes_v_ = v_ = Vector::Zero(shape.n_v());
  position_ = Phi_ = Phi_there_ = Vector::Zero(shape.position_rows);
  velocity_ = chi_ = chi_there_ = Vector::Zero(shape.rows());
}

void ViolationScale::see(const double* q, const double* v) {
  for (double& most : largest_q_) most = std::max(most, std::abs(*q++));
  for (double& most : largest_v_) most = std::max(most, std::abs(*v++));
}

void ViolationScale::size_unknowns() {
  const double q = largest(largest_q_);
  const double v = std::max(largest(largest_v_), duration_ > 0 ? standstill * q / duration_ : 0);
  sizes_q_ = largest_q_.cwiseMax(least_share * q);
  sizes_v_ = largest_v_.cwiseMax(least_share * v);
}

/// A row that has no value where it is looked for keeps the size it has.
void ViolationScale::keep_larger(const Vector& changed, const Vector& here, Vector& sizes) {
  for (Eigen::Index i = 0; i < sizes.size(); ++i) {
    const double size = std::abs(changed[i] - here[i]) / stretch;
    if (std::isfinite(size)) sizes[i] = std::max(sizes[i], size);
  }
}

void ViolationScale::measure(double t, const Vector& q, const Vector& v) {
  see(q.data(), v.data());
  size_unknowns();
  system_.position(t, q, Phi_);
  system_.velocity(t, q, v, chi_);
  Directions sizes;
  for (int k = 0; k < directions; ++k) {
    sizes.take(sizes_q_, q_);
    q_ = q + stretch * q_;
    system_.position(t, q_, Phi_there_);
    keep_larger(Phi_there_, Phi_, position_);
    sizes.take(sizes_v_, v_);
    v_ = v + stretch * v_;
    system_.velocity(t, q, v_, chi_there_);
    keep_larger(chi_there_, chi_, velocity_);
  }
}

}  // namespace taut
