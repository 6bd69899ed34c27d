#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "enforcement/list.hpp"
#include "enforcement/newton_chart.hpp"
#include "linear/householder.hpp"

namespace taut {
namespace {

/// A row may become longer while its part in the dependent columns vanishes. The choice is made anew where that part
/// has fallen to this share of what it was, whatever `restart` says of the pivot itself.
constexpr double turned_away = 0.3;

/// Independent and dependent coordinates (Wehage & Haug; Braun & Goldfarb 2009 §4.3). Pivoting on the columns
/// of H picks the dependent ones, as many as the rank; the others are integrated, and the dependent
/// ones follow by Newton: H_d δq_d = −Φ, H_d δv_d = −χ. One partition serves for rows at a level.
class Partition : public Directions {
 public:
  /// Room for `rows` of `n` columns; only position rows, or all.
  Partition(int rows, int n) : rows_(rows) {
    H_.setZero(rows, n);
    qr_.resize(rows, n);
    columns_.resize(static_cast<std::size_t>(n));
    order_.resize(static_cast<std::size_t>(rows));
    place_.resize(static_cast<std::size_t>(rows));
    block_.setZero(rows, rows);
    x_.setZero(rows);
    r_.setZero(rows);
    sizes_.setOnes(rows);
  }

  /// Chooses the dependent coordinates at the present rows.
  void base(const SparseValues& H, const LinearKernel& kernel) override {
    std::copy_n(kernel.order().begin(), rows_, order_.begin());
    std::fill(place_.begin(), place_.end(), -1);
    for (int k = 0; k < kernel.rank(); ++k) place_[order_[k]] = k;
    load(H);
    int found = 0;
    // Columns are the vectors here: the one with the largest remainder comes first.
    qr_.factor_revealing_rank(H_, 1e-12, columns_, found);
    rank_ = std::min(found, kernel.rank());
    factor(H);
    quality_ = now_;
  }

  /// Factors the dependent columns of the rows that count, each over its length.
  void factor(const SparseValues& H) override {
    load(H);
    for (int i = 0; i < rank_; ++i) sizes_[i] = 1 / std::max(H_.row(i).norm(), std::numeric_limits<double>::min());
    for (int j = 0; j < rank_; ++j)
      for (int i = 0; i < rank_; ++i) block_(i, j) = sizes_[i] * H_(i, columns_[j]);
    lu_.compute(block_.topLeftCorner(rank_, rank_));
    now_ = smallest_pivots();
  }

  double solve(const Vector& r, Vector& x) override {
    for (int i = 0; i < rank_; ++i) r_[i] = sizes_[i] * r[order_[i]];
    x_.head(rank_) = lu_.solve(r_.head(rank_));
    double largest = 0;
    for (int j = 0; j < rank_; ++j) {
      x[columns_[j]] += x_[j];
      largest = std::max(largest, std::abs(x_[j]));
    }
    return x_.head(rank_).allFinite() ? largest : std::numeric_limits<double>::infinity();
  }

  void remove_from(Vector& x) override {
    for (int j = 0; j < rank_; ++j) x[columns_[j]] = 0;
  }

  bool worn(double restart) const {
    return now_.pivot < restart * quality_.pivot || now_.share < turned_away * quality_.share;
  }

 private:
  /// The smallest pivot of the dependent columns, as rows are written and relative to their lengths.
  struct Pivots {
    double pivot = 1, share = 1;
  };
  Pivots smallest_pivots() const {
    Pivots least{std::numeric_limits<double>::infinity(), 1};
    for (int row = 0; row < rank_; ++row) {
      const auto k = lu_.permutationP().indices()[row];
      const double share = std::abs(lu_.matrixLU()(k, k));
      least.share = std::min(least.share, share);
      least.pivot = std::min(least.pivot, share / sizes_[row]);
    }
    return least;
  }

  /// The rows that count, in the kernel's order.
  void load(const SparseValues& H) {
    H_.setZero();
    for (std::size_t k = 0; k < H.pattern.entries.size(); ++k) {
      const auto [row, column] = H.pattern.entries[k];
      if (row < rows_ && place_[row] >= 0) H_(place_[row], column) = H.values[static_cast<Eigen::Index>(k)];
    }
  }

  int rows_, rank_ = 0;
  Matrix H_, block_;
  Householder qr_;
  std::vector<int> columns_, order_, place_;
  Eigen::PartialPivLU<Matrix> lu_;
  Vector x_, r_, sizes_;
  Pivots quality_, now_;
};

class PartitionChart : public NewtonChart {
 public:
  PartitionChart(double restart, const Shape& shape)
      : NewtonChart(positions_, all_, shape),
        restart_(restart),
        positions_(shape.position_rows, shape.n_v()),
        all_(shape.rows(), shape.n_v()) {}

  bool outgrown(Manifold& manifold, const Vector&) override {
    positions_.factor(manifold.point().H);
    all_.factor(manifold.point().H);
    return positions_.worn(restart_) || all_.worn(restart_);
  }

 private:
  double restart_;
  Partition positions_, all_;
};

class CoordinatePartitioningMethod : public Method {
 public:
  CoordinatePartitioningMethod(double restart, const Shape& shape) : Method(Kind::chart), chart_(restart, shape) {}
  Chart* chart() const override { return &chart_; }

 private:
  mutable PartitionChart chart_;
};

}  // namespace

std::unique_ptr<Method> make_method(const CoordinatePartitioning& options, Manifold& manifold) {
  manifold.tolerance = options.tolerance;
  return std::make_unique<CoordinatePartitioningMethod>(options.restart, manifold.shape());
}

}  // namespace taut
