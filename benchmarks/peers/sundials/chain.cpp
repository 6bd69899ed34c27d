#include <sundials/sundials_band.h>
#include <sundials/sundials_dense.h>
#include <sundials/sundials_direct.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "mechanism.hpp"

namespace peer {
namespace {

/// The upper joints P0 … PN of N four-bar loops. Every bar is uniform with ends A and B:
///   T = m/6 (A'² + A'·B' + B'²),   so that M couples neighbours only;
/// rows: |Pi − (i, 0)|² = 1 of the posts, |Pi+1 − Pi|² = 1 of the couplers. Ordered joint by joint as
/// (x, y, λ post, λ coupler), [M Hᵀ; H 0] has four diagonals on either side.
class Chain : public Mechanism {
 public:
  explicit Chain(int loops)
      : N_(loops),
        size_(4 * (loops + 1) - 1),
        pivots_(static_cast<std::size_t>(size_)),
        right_(static_cast<std::size_t>(size_)) {
    // Room for what pivoting fills in.
    matrix_ = SUNDlsMat_NewBandMat(size_, band, band, std::min<sunindextype>(size_ - 1, 2 * band));
  }
  Chain(const Chain&) = delete;
  Chain& operator=(const Chain&) = delete;
  ~Chain() override { SUNDlsMat_DestroyMat(matrix_); }

  int coordinates() const override { return 2 * (N_ + 1); }
  int constraints() const override { return 2 * N_ + 1; }
  bool chain() const override { return true; }

  void start(double* q, double* v) const override {
    for (int i = 0; i <= N_; ++i) {
      q[2 * i] = i;
      q[2 * i + 1] = 1;
      v[2 * i] = 1;
      v[2 * i + 1] = 0;
    }
  }

  bool accelerate(const double* q, const double* v, double* a, double* lambda) override {
    if (!factor(q)) return false;
    for (int i = 0; i <= N_; ++i) {
      double* r = &right_[4 * i];
      r[0] = 0;
      r[1] = -gravity(i);
      r[2] = -2 * square(v[2 * i], v[2 * i + 1]);
      if (i < N_) r[3] = -2 * square(v[2 * i + 2] - v[2 * i], v[2 * i + 3] - v[2 * i + 1]);
    }
    SUNDlsMat_BandGBTRS(matrix_, pivots_.data(), right_.data());
    scatter(a, lambda);
    return true;
  }

  bool project(double* q, double* v) override {
    double before = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 10; ++k) {
      put_violation(q);
      if (!factor(q)) return false;
      SUNDlsMat_BandGBTRS(matrix_, pivots_.data(), right_.data());
      double largest = 0;
      for (int i = 0; i <= N_; ++i)
        for (int c = 0; c < 2; ++c) largest = std::max(largest, std::abs(right_[4 * i + c]));
      if (is_done(largest, before)) return project_rates(q, v);
      before = largest;
      for (int i = 0; i <= N_; ++i)
        for (int c = 0; c < 2; ++c) q[2 * i + c] -= right_[4 * i + c];
    }
    return false;
  }

  void residual(const double* q, const double* v, const double* lambda, const double* mu, const double* qdot,
                const double* vdot, double* kinematic, double* dynamic, double* Phi, double* chi) override {
    for (int i = 0; i <= N_; ++i) {
      for (int c = 0; c < 2; ++c) {
        kinematic[2 * i + c] = qdot[2 * i + c] - v[2 * i + c];
        dynamic[2 * i + c] = diagonal(i) * vdot[2 * i + c] + (c == 1 ? gravity(i) : 0);
        if (i > 0) dynamic[2 * i + c] += beside * vdot[2 * i + c - 2];
        if (i < N_) dynamic[2 * i + c] += beside * vdot[2 * i + c + 2];
      }
    }
    for (int i = 0; i <= N_; ++i) {
      const double d[2] = {q[2 * i] - i, q[2 * i + 1]};
      Phi[2 * i] = square(d[0], d[1]) - 1;
      chi[2 * i] = 2 * (d[0] * v[2 * i] + d[1] * v[2 * i + 1]);
      for (int c = 0; c < 2; ++c) {
        kinematic[2 * i + c] += 2 * d[c] * mu[2 * i];
        dynamic[2 * i + c] += 2 * d[c] * lambda[2 * i];
      }
      if (i == N_) break;
      const double e[2] = {q[2 * i + 2] - q[2 * i], q[2 * i + 3] - q[2 * i + 1]};
      Phi[2 * i + 1] = square(e[0], e[1]) - 1;
      chi[2 * i + 1] = 2 * (e[0] * (v[2 * i + 2] - v[2 * i]) + e[1] * (v[2 * i + 3] - v[2 * i + 1]));
      for (int c = 0; c < 2; ++c) {
        kinematic[2 * i + c] -= 2 * e[c] * mu[2 * i + 1];
        kinematic[2 * i + 2 + c] += 2 * e[c] * mu[2 * i + 1];
        dynamic[2 * i + c] -= 2 * e[c] * lambda[2 * i + 1];
        dynamic[2 * i + 2 + c] += 2 * e[c] * lambda[2 * i + 1];
      }
    }
  }

  void observe(const double* q, Values& values) const override { values.assign(q, q + coordinates()); }

 private:
  static constexpr sunindextype band = 4;
  static constexpr double g = 9.81, beside = 1.0 / 6;

  static double square(double x, double y) { return x * x + y * y; }
  /// A bar contributes a third of its mass to either end.
  double diagonal(int i) const { return i == 0 || i == N_ ? 2.0 / 3 : 1; }
  double gravity(int i) const { return g * (i == 0 || i == N_ ? 1 : 1.5); }

  double& entry(int row, int column) { return SUNDLS_BAND_COL(matrix_, column)[row - column]; }
  void pair(int row, int column, double value) { entry(row, column) = entry(column, row) = value; }

  bool factor(const double* q) {
    SUNDlsMat_SetToZero(matrix_);
    for (int i = 0; i <= N_; ++i) {
      for (int c = 0; c < 2; ++c) {
        entry(4 * i + c, 4 * i + c) = diagonal(i);
        pair(4 * i + 2, 4 * i + c, 2 * (q[2 * i + c] - (c == 0 ? i : 0)));
        if (i == N_) continue;
        pair(4 * i + c, 4 * i + 4 + c, beside);
        const double e = 2 * (q[2 * i + 2 + c] - q[2 * i + c]);
        pair(4 * i + 3, 4 * i + c, -e);
        pair(4 * i + 3, 4 * i + 4 + c, e);
      }
    }
    return SUNDlsMat_BandGBTRF(matrix_, pivots_.data()) == 0;
  }

  void scatter(double* a, double* lambda) const {
    for (int i = 0; i <= N_; ++i) {
      a[2 * i] = right_[4 * i];
      a[2 * i + 1] = right_[4 * i + 1];
      if (!lambda) continue;
      lambda[2 * i] = right_[4 * i + 2];
      if (i < N_) lambda[2 * i + 1] = right_[4 * i + 3];
    }
  }

  /// Φ to the rows, nothing to the rest.
  void put_violation(const double* q) {
    for (int i = 0; i <= N_; ++i) {
      double* r = &right_[4 * i];
      r[0] = r[1] = 0;
      r[2] = square(q[2 * i] - i, q[2 * i + 1]) - 1;
      if (i < N_) r[3] = square(q[2 * i + 2] - q[2 * i], q[2 * i + 3] - q[2 * i + 1]) - 1;
    }
  }

  bool project_rates(const double* q, double* v) {
    for (int i = 0; i <= N_; ++i) {
      double* r = &right_[4 * i];
      r[0] = r[1] = 0;
      r[2] = 2 * ((q[2 * i] - i) * v[2 * i] + q[2 * i + 1] * v[2 * i + 1]);
      if (i < N_)
        r[3] = 2 * ((q[2 * i + 2] - q[2 * i]) * (v[2 * i + 2] - v[2 * i]) +
                    (q[2 * i + 3] - q[2 * i + 1]) * (v[2 * i + 3] - v[2 * i + 1]));
    }
    SUNDlsMat_BandGBTRS(matrix_, pivots_.data(), right_.data());
    for (int i = 0; i <= N_; ++i) {
      v[2 * i] -= right_[4 * i];
      v[2 * i + 1] -= right_[4 * i + 1];
    }
    return true;
  }

  int N_;
  sunindextype size_;
  SUNDlsMat matrix_;
  std::vector<sunindextype> pivots_;
  std::vector<double> right_;
};

}  // namespace

std::unique_ptr<Mechanism> make_chain(int loops) { return std::make_unique<Chain>(loops); }

}  // namespace peer
