#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "enforcement/list.hpp"
#include "enforcement/newton_chart.hpp"

namespace taut {
namespace {

/// Where the tangent has turned by an angle, the rows have turned by this share of it at least.
constexpr double seen_in_rows = 0.3;

/// The normals of a base point, an orthonormal basis Q of the rows that count there, and Newton along them:
/// (H Q) w = r, x += Q w. With H at the newest point this converges as far as the plane serves at all, and the point
/// of the plane stays what it is.
class Normals : public Directions {
 public:
  /// Room for `rows` of `n` columns; only position rows, or all.
  Normals(int rows, int n) : rows_(rows) {
    Q_.setZero(n, rows);
    H_.setZero(rows, n);
    block_.setZero(rows, rows);
    sizes_.setOnes(rows);
    r_.setZero(rows);
    w_.setZero(rows);
    change_.setZero(n);
    order_.resize(static_cast<std::size_t>(rows));
    place_.resize(static_cast<std::size_t>(rows));
  }

  void base(const SparseValues& H, const LinearKernel& kernel) override {
    rank_ = kernel.rank();
    std::copy_n(kernel.order().begin(), rows_, order_.begin());
    std::fill(place_.begin(), place_.end(), -1);
    for (int k = 0; k < rank_; ++k) place_[order_[k]] = k;
    sizes_.setOnes();
    load(H);
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

  void factor(const SparseValues& H) override {
    load(H);
    block_.topLeftCorner(rank_, rank_).noalias() = H_.topRows(rank_) * Q_.leftCols(rank_);
    lu_.compute(block_.topLeftCorner(rank_, rank_));
  }

  double solve(const Vector& r, Vector& x) override {
    for (int k = 0; k < rank_; ++k) r_[k] = sizes_[k] * r[order_[k]];
    w_.head(rank_) = lu_.solve(r_.head(rank_));
    change_.noalias() = Q_.leftCols(rank_) * w_.head(rank_);
    x += change_;
    return change_.allFinite() ? change_.lpNorm<Eigen::Infinity>() : std::numeric_limits<double>::infinity();
  }

  /// How far rows, each of length 1, point out of what the normals of the base span.
  double turned(const SparseValues& H) {
    load(H);
    double squares = 0;
    for (int k = 0; k < rank_; ++k) {
      w_.head(rank_).noalias() = Q_.leftCols(rank_).transpose() * H_.row(k).transpose();
      squares += std::max(0.0, 1 - w_.head(rank_).squaredNorm() / H_.row(k).squaredNorm());
    }
    return std::sqrt(squares);
  }

  void remove_from(Vector& x) override {
    w_.head(rank_).noalias() = Q_.leftCols(rank_).transpose() * x;
    x.noalias() -= Q_.leftCols(rank_) * w_.head(rank_);
  }

 private:
  /// The rows that count, in the kernel's order, each over the size it had at the base.
  void load(const SparseValues& H) {
    H_.setZero();
    for (std::size_t k = 0; k < H.pattern.entries.size(); ++k) {
      const auto [row, column] = H.pattern.entries[k];
      if (row >= rows_ || place_[row] < 0) continue;
      H_(place_[row], column) = sizes_[place_[row]] * H.values[static_cast<Eigen::Index>(k)];
    }
  }

  int rows_, rank_ = 0;
  std::vector<int> order_, place_;
  Matrix Q_, H_, block_;
  Vector sizes_, r_, w_, change_;
  Eigen::PartialPivLU<Matrix> lu_;
};

/// Tangent coordinates (Keerthi et al. §4; Braun & Goldfarb 2009 §4.3): with the columns of Y₀ spanning the
/// tangent plane at a base point q₀, y = Y₀ᵀ(q − q₀) and ẏ = Y₀ᵀv are integrated; q and v follow from y and
/// ẏ by Newton along the normals of the base point. When the tangent has turned so far that the
/// cosine of the angle to the base plane falls below `restart`, the present point becomes the base.
class TangentChart : public NewtonChart {
 public:
  TangentChart(double restart, const Shape& shape)
      : NewtonChart(positions_, all_, shape),
        restart_(restart),
        positions_(shape.position_rows, shape.n_v()),
        all_(shape.rows(), shape.n_v()),
        x_(Vector::Zero(shape.n_v())) {}

  /// A velocity may leave the plane because the tangent has turned, or because constraints are driven. A new base is of
  /// use in the first case.
  bool outgrown(Manifold& manifold, const Vector& v) override {
    x_ = v;
    all_.remove_from(x_);
    if (!(x_.norm() < restart_ * v.norm())) return false;
    return restart_ >= 1 || all_.turned(manifold.point().H) > seen_in_rows * std::sqrt(1 - restart_ * restart_);
  }

 private:
  double restart_;
  Normals positions_, all_;
  Vector x_;
};

class ParametrizationMethod : public Method {
 public:
  ParametrizationMethod(double restart, const Shape& shape) : Method(Kind::chart), chart_(restart, shape) {}
  Chart* chart() const override { return &chart_; }

 private:
  mutable TangentChart chart_;
};

}  // namespace

std::unique_ptr<Method> make_method(const Parametrization& options, Manifold& manifold) {
  manifold.tolerance = options.tolerance;
  return std::make_unique<ParametrizationMethod>(options.restart, manifold.shape());
}

}  // namespace taut
