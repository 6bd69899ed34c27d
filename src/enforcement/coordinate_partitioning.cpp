#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "enforcement/list.hpp"
#include "linear/householder.hpp"

namespace taut {
namespace {

/// Independent and dependent coordinates (Wehage & Haug; Braun & Goldfarb 2009 §4.3). Pivoting on the columns
/// of H picks the dependent ones, as many as the rank; the others are integrated, and the dependent
/// ones follow by Newton: H_d δq_d = −Φ, H_d δv_d = −χ. One partition serves for rows at a level.
class Partition {
 public:
  /// Room for `rows` of `n` columns; only position rows, or all.
  void start(int rows, int n) {
    rows_ = rows;
    n_ = n;
    H_.setZero(rows, n);
    qr_.resize(rows, n);
    columns_.resize(static_cast<std::size_t>(n));
    block_.setZero(rows, rows);
    x_.setZero(rows);
    r_.setZero(rows);
  }

  /// Chooses the dependent coordinates at the present rows.
  void choose(const SparseValues& H, const LinearKernel& kernel) {
    take(H, kernel);
    int found = 0;
    // Columns are the vectors here: the one with the largest remainder comes first.
    qr_.decide(H_, 1e-12, columns_, found);
    rank_ = std::min(found, kernel.rank());
    factor(H, kernel);
    quality_ = now_;
  }

  /// Factors the dependent columns of the rows that count.
  void factor(const SparseValues& H, const LinearKernel& kernel) {
    take(H, kernel);
    for (int j = 0; j < rank_; ++j)
      for (int i = 0; i < rank_; ++i) block_(i, j) = H_(i, columns_[j]);
    lu_.compute(block_.topLeftCorner(rank_, rank_));
    now_ = rank_ > 0 ? lu_.matrixLU().diagonal().cwiseAbs().minCoeff() : 1;
  }

  /// Adds to x the change of the dependent coordinates that changes the rows by r.
  double solve(const Vector& r, const LinearKernel& kernel, Vector& x) {
    for (int i = 0; i < rank_; ++i) r_[i] = r[kernel.order()[i]];
    x_.head(rank_) = lu_.solve(r_.head(rank_));
    double largest = 0;
    for (int j = 0; j < rank_; ++j) {
      x[columns_[j]] += x_[j];
      largest = std::max(largest, std::abs(x_[j]));
    }
    return largest;
  }

  void clear_dependent(Vector& x) const {
    for (int j = 0; j < rank_; ++j) x[columns_[j]] = 0;
  }

  bool worn(double restart) const { return now_ < restart * quality_; }

 private:
  /// The rows that count, in the kernel's order.
  void take(const SparseValues& H, const LinearKernel& kernel) {
    H_.setZero();
    place_.assign(static_cast<std::size_t>(H.pattern.rows), -1);
    for (int k = 0; k < kernel.rank(); ++k) place_[kernel.order()[k]] = k;
    for (std::size_t k = 0; k < H.pattern.entries.size(); ++k) {
      const auto [row, column] = H.pattern.entries[k];
      if (row < rows_ && place_[row] >= 0) H_(place_[row], column) = H.values[static_cast<Eigen::Index>(k)];
    }
  }

  int rows_ = 0, n_ = 0, rank_ = 0;
  Matrix H_, block_;
  Householder qr_;
  std::vector<int> columns_, place_;
  Eigen::PartialPivLU<Matrix> lu_;
  Vector x_, r_;
  double quality_ = 1, now_ = 1;
};

class PartitionChart : public Chart {
 public:
  PartitionChart(double restart, const Manifold& manifold)
      : restart_(restart),
        Phi_(Vector::Zero(manifold.shape().position_rows)),
        chi_(Vector::Zero(manifold.shape().rows())) {
    positions_.start(manifold.shape().position_rows, manifold.shape().n_v());
    all_.start(manifold.shape().rows(), manifold.shape().n_v());
  }

  void base(Manifold& manifold) override {
    positions_.choose(manifold.point().H, manifold.position_decision());
    all_.choose(manifold.point().H, manifold.kernel());
  }

  bool lift(Manifold& manifold, double t, Vector& q, Vector& v) override {
    return lift_position(manifold, t, q, v) && lift_velocity(manifold, t, q, v);
  }

  void restrict(Vector& qdot, Vector& vdot) override {
    positions_.clear_dependent(qdot);
    all_.clear_dependent(vdot);
  }

  bool outgrown(Manifold& manifold, const Vector&) override {
    positions_.factor(manifold.point().H, manifold.position_decision());
    all_.factor(manifold.point().H, manifold.kernel());
    return positions_.worn(restart_) || all_.worn(restart_);
  }

 private:
  static constexpr int most_iterations = 20;

  /// Newton with the rows at the newest q.
  bool lift_position(Manifold& manifold, double t, Vector& q, const Vector& v) {
    if (Phi_.size() == 0) return true;
    const double scale = std::max(q.cwiseAbs().maxCoeff(), 1e-3);
    double last = std::numeric_limits<double>::infinity();
    for (int k = 0; k < most_iterations; ++k) {
      if (!manifold.rows_at(t, q, v)) return false;
      positions_.factor(manifold.point().H, manifold.position_decision());
      manifold.system().position(t, q, Phi_);
      Phi_ = -Phi_;
      const double change = positions_.solve(Phi_, manifold.position_decision(), q);
      if (!std::isfinite(change)) return false;
      if (change <= manifold.tolerance * scale || (change < 1e-11 * scale && change > 0.3 * last)) return true;
      last = change;
    }
    return false;
  }

  bool lift_velocity(Manifold& manifold, double t, const Vector& q, Vector& v) {
    const double scale = std::max(v.cwiseAbs().maxCoeff(), 1e-3);
    for (int k = 0; k < most_iterations; ++k) {
      if (!manifold.rows_at(t, q, v)) return false;
      all_.factor(manifold.point().H, manifold.kernel());
      manifold.system().velocity(t, q, v, chi_);
      chi_ = -chi_;
      const double change = all_.solve(chi_, manifold.kernel(), v);
      if (!std::isfinite(change)) return false;
      if (change <= 1e3 * manifold.tolerance * scale || !manifold.shape().jacobian_of_speeds) return true;
    }
    return false;
  }

  double restart_;
  Partition positions_, all_;
  Vector Phi_, chi_;
};

class CoordinatePartitioningMethod : public Method {
 public:
  CoordinatePartitioningMethod(double restart, const Manifold& manifold) : chart_(restart, manifold) {}
  Chart* chart() const override { return &chart_; }
  bool needs_consistent_start() const override { return true; }

 private:
  mutable PartitionChart chart_;
};

}  // namespace

std::unique_ptr<Method> make_method(const CoordinatePartitioning& options, Manifold& manifold) {
  manifold.tolerance = options.tolerance;
  return std::make_unique<CoordinatePartitioningMethod>(options.restart, manifold);
}

}  // namespace taut
