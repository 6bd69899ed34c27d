#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "enforcement/list.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

/// The normals of a base point, an orthonormal basis Q of the rows that count there, and Newton along them:
/// (H Q) w = r, x += Q w. With H at the newest point this converges as far as the plane serves at all, and the point
/// of the plane stays what it is.
class Normals {
 public:
  /// Room for `rows` of `n` columns; only position rows, or all.
  void start(int rows, int n) {
    rows_ = rows;
    Q_.setZero(n, rows);
    H_.setZero(rows, n);
    block_.setZero(rows, rows);
    sizes_.setOnes(rows);
    r_.setZero(rows);
    w_.setZero(rows);
    order_.resize(static_cast<std::size_t>(rows));
    place_.resize(static_cast<std::size_t>(rows));
  }

  void base(const SparseValues& H, const LinearKernel& kernel) {
    rank_ = kernel.rank();
    std::copy_n(kernel.order().begin(), rows_, order_.begin());
    std::fill(place_.begin(), place_.end(), -1);
    for (int k = 0; k < rank_; ++k) place_[order_[k]] = k;
    sizes_.setOnes();
    take(H);
    for (int k = 0; k < rank_; ++k) {
      sizes_[k] = 1 / std::max(H_.row(k).norm(), std::numeric_limits<double>::min());
      Q_.col(k) = sizes_[k] * H_.row(k).transpose();
      // Twice: the second pass removes the rounding errors of the first.
      for (int pass = 0; pass < 2; ++pass) {
        for (int j = 0; j < k; ++j) Q_.col(k) -= Q_.col(j).dot(Q_.col(k)) * Q_.col(j);
        Q_.col(k).normalize();
      }
    }
  }

  void factor(const SparseValues& H) {
    take(H);
    block_.topLeftCorner(rank_, rank_).noalias() = H_.topRows(rank_) * Q_.leftCols(rank_);
    lu_.compute(block_.topLeftCorner(rank_, rank_));
  }

  /// Adds to x what changes the rows by r; returns the largest change of an entry.
  double solve(const Vector& r, Vector& x, Vector& change) {
    for (int k = 0; k < rank_; ++k) r_[k] = sizes_[k] * r[order_[k]];
    w_.head(rank_) = lu_.solve(r_.head(rank_));
    change.noalias() = Q_.leftCols(rank_) * w_.head(rank_);
    x += change;
    return change.cwiseAbs().maxCoeff();
  }

  /// Leaves of x what lies in the plane.
  void remove_from(Vector& x) {
    w_.head(rank_).noalias() = Q_.leftCols(rank_).transpose() * x;
    x.noalias() -= Q_.leftCols(rank_) * w_.head(rank_);
  }

 private:
  /// The rows that count, in the kernel's order, each over the size it had at the base.
  void take(const SparseValues& H) {
    H_.setZero();
    for (std::size_t k = 0; k < H.pattern.entries.size(); ++k) {
      const auto [row, column] = H.pattern.entries[k];
      if (row >= rows_ || place_[row] < 0) continue;
      H_(place_[row], column) = sizes_[place_[row]] * H.values[static_cast<Eigen::Index>(k)];
    }
  }

  int rows_ = 0, rank_ = 0;
  std::vector<int> order_, place_;
  Matrix Q_, H_, block_;
  Vector sizes_, r_, w_;
  Eigen::PartialPivLU<Matrix> lu_;
};

/// Tangent coordinates (Keerthi et al. §4; Braun & Goldfarb 2009 §4.3): with the columns of Y₀ spanning the
/// tangent plane at a base point q₀, y = Y₀ᵀ(q − q₀) and ẏ = Y₀ᵀv are integrated; q and v follow from y and
/// ẏ by Newton along the normals of the base point. When the tangent has turned so far that the
/// cosine of the angle to the base plane falls below `restart`, the present point becomes the base.
class TangentChart : public Chart {
 public:
  TangentChart(double restart, const Manifold& manifold)
      : restart_(restart),
        x_(Vector::Zero(manifold.shape().n_v())),
        Phi_(Vector::Zero(manifold.shape().position_rows)),
        chi_(Vector::Zero(manifold.shape().rows())) {
    positions_.start(manifold.shape().position_rows, manifold.shape().n_v());
    all_.start(manifold.shape().rows(), manifold.shape().n_v());
  }

  void base(Manifold& manifold) override {
    positions_.base(manifold.point().H, manifold.position_decision());
    all_.base(manifold.point().H, manifold.kernel());
  }

  bool lift(Manifold& manifold, double t, Vector& q, Vector& v) override {
    return lift_position(manifold, t, q, v) && lift_velocity(manifold, t, q, v);
  }

  void restrict(Vector& qdot, Vector& vdot) override {
    positions_.remove_from(qdot);
    all_.remove_from(vdot);
  }

  bool outgrown(Manifold&, const Vector& v) override {
    x_ = v;
    all_.remove_from(x_);
    return x_.norm() < restart_ * v.norm();
  }

 private:
  static constexpr int most_iterations = 20;

  bool lift_position(Manifold& manifold, double t, Vector& q, const Vector& v) {
    if (Phi_.size() == 0) return true;
    const double scale = std::max(q.cwiseAbs().maxCoeff(), 1e-3);
    double last = std::numeric_limits<double>::infinity();
    for (int k = 0; k < most_iterations; ++k) {
      if (!manifold.rows_at(t, q, v)) return false;
      positions_.factor(manifold.point().H);
      manifold.system().position(t, q, Phi_);
      Phi_ = -Phi_;
      const double change = positions_.solve(Phi_, q, x_);
      if (!std::isfinite(change)) return false;
      if (change <= manifold.tolerance * scale || (change < 1e-11 * scale && change > 0.3 * last)) return true;
      last = change;
    }
    return false;
  }

  bool lift_velocity(Manifold& manifold, double t, const Vector& q, Vector& v) {
    if (chi_.size() == 0) return true;
    const double scale = std::max(v.cwiseAbs().maxCoeff(), 1e-3);
    for (int k = 0; k < most_iterations; ++k) {
      if (!manifold.rows_at(t, q, v)) return false;
      all_.factor(manifold.point().H);
      manifold.system().velocity(t, q, v, chi_);
      chi_ = -chi_;
      const double change = all_.solve(chi_, v, x_);
      if (!std::isfinite(change)) return false;
      if (change <= 1e3 * manifold.tolerance * scale || (k > 0 && !manifold.shape().jacobian_of_speeds)) return true;
    }
    return false;
  }

  double restart_;
  Normals positions_, all_;
  Vector x_, Phi_, chi_;
};

class ParametrizationMethod : public Method {
 public:
  ParametrizationMethod(double restart, const Manifold& manifold) : chart_(restart, manifold) {}
  Chart* chart() const override { return &chart_; }
  bool needs_consistent_start() const override { return true; }

 private:
  mutable TangentChart chart_;
};

}  // namespace

std::unique_ptr<Method> make_method(const Parametrization& options, Manifold& manifold) {
  // At a right angle to the base plane nothing can be lifted from it.
  if (!(options.restart > 0))
    throw InputError("parametrization cannot keep its base for ever: restart is not greater than 0",
                     "give the cosine at which a new base is taken, such as restart=0.99");
  manifold.tolerance = options.tolerance;
  return std::make_unique<ParametrizationMethod>(options.restart, manifold);
}

}  // namespace taut
