#include <algorithm>
#include <cmath>
#include <cstring>

#include "linear/list.hpp"
#include "linear/mass_factor.hpp"
#include "linear/short_rows.hpp"

namespace taut {
namespace {

/// More unknowns or rows than this are left to others.
constexpr int most = 64;
/// A pivot below this is not taken from a product C Cᵀ, which squares it: what it would lose, ε/safe², is 2e-13.
constexpr double safe = 0.03;
/// ‖C₁⁺‖ above this is not, either. It bounds the condition of the rows, whose sizes are at most one.
constexpr double most_inverse = 100;
/// A decision that has been made before is confirmed while no pivot is smaller than this. Below, rows are sorted anew
/// each time: who watches the smallest pivot fall towards a singular position must not see it jump.
constexpr double confirming = 0.5;
/// By how much a row may grow beyond its largest size before it is measured anew.
constexpr double growth = 1.001;

/// For systems of up to 64 unknowns and rows: what `cod` computes, at a fraction of its cost where the rank is beyond
/// doubt.
///
///   S = C Cᵀ = UᵀD⁻¹U over the rows that count, pivoted when deciding;  C₂ = X C₁ for those they imply:
///   C = [I; X] C₁,   C⁺ = C₁ᵀ S⁻¹ (I + XᵀX)⁻¹ [I Xᵀ],   λ = [I; X] (I + XᵀX)⁻¹ S⁻¹ C₁ y    (the smallest ones)
///
/// Beyond doubt means: every row either has a pivot above `safe` and ‖C₁⁺‖ is moderate, or what the others leave of it
/// is below the tolerance, computed as a vector and not as a difference of squares. Whatever else comes (a pivot in
/// between, a mass matrix that the constraints must complete, numbers that are not finite) goes to `cod` as it is: for
/// one evaluation, or for the whole step if the doubt arises where the rank is decided.
class Small : public LinearKernel {
 public:
  bool gives_smallest_multipliers() const override { return true; }

  void reserve_patterns(const Pattern& M, const Pattern& H) override {
    cod_->reserve_patterns(M, H);
    if (!fits()) return;
    mass_.reserve_pattern(M);
    reserve_rows(H);
  }

  bool determine_rank(const SparseValues& M, const SparseValues& H) override {
    serves_ = fits() && !mass_completed_ && (confirm(M, H) || (prepare(M, H, true) && (m_ == 0 || decide_rows())));
    if (serves_) return true;
    cod_->follow(*this);
    cod_->set_rank_tolerance(tolerance_);
    decided_ = false;
    return adopt(cod_->determine_rank(M, H));
  }

  bool factor(const SparseValues& M, const SparseValues& H) override {
    serves_ = fits() && !mass_completed_ && prepare(M, H, false) && (m_ == 0 || factor_rows());
    if (serves_) return true;
    cod_->follow(*this);
    return adopt(cod_->factor(M, H));
  }

  void accelerate(const Vector& f, const Vector& c, Vector& x, Vector& lambda) override {
    if (!serves_) return cod_->accelerate(f, c, x, lambda);
    for (int i = 0; i < n_; ++i) free_[mass_.place(i)] = f[i];
    mass_.lower(free_);
    for (int k = 0; k < m_; ++k) residual_[k] = c[order_[k]] * scale_[order_[k]];
    for (int i = 0; i < n_; ++i) {
      const double* row = &Ct_[i * width_];
      for (int k = 0; k < m_; ++k) residual_[k] -= row[k] * free_[i];
    }
    solve();
    add_rows(free_);
    finish(free_, x);
    multipliers();
    for (int k = 0; k < m_; ++k) lambda[order_[k]] = multipliers_[k] * scale_[order_[k]];
  }

  void correct(const Vector& r, Vector& x) override {
    if (!serves_) return cod_->correct(r, x);
    for (int k = 0; k < m_; ++k) residual_[k] = r[order_[k]] * scale_[order_[k]];
    solve();
    double y[most];
    std::fill_n(y, n_, 0);
    add_rows(y);
    finish(y, x);
  }

  void divide_by_mass(const Vector& x, Vector& out) const override {
    if (!serves_) return cod_->divide_by_mass(x, out);
    double y[most];
    for (int i = 0; i < n_; ++i) y[mass_.place(i)] = x[i];
    mass_.lower(y);
    finish(y, out);
  }

  Vector missing_direction() const override { return cod_->missing_direction(); }

 private:
  bool fits() const { return n_ <= most && m_ <= most; }

  void resize() override {
    cod_ = make_cod();
    cod_->start(n_, m_, tolerance_, further_);
    serves_ = decided_ = false;
    if (!fits()) return;
    width_ = (m_ + 3) / 4 * 4;
    mass_.resize(n_);
    used_.clear();
    used_.reserve(static_cast<std::size_t>(n_) * m_);
    entries_.clear();
    entries_.reserve(static_cast<std::size_t>(n_) * (m_ + further_));
    Ct_.assign(static_cast<std::size_t>(n_) * width_, 0);
    U_.assign(static_cast<std::size_t>(m_) * width_, 0);
    Xt_.assign(static_cast<std::size_t>(m_) * width_, 0);
    W_.assign(static_cast<std::size_t>(m_) * width_, 0);
  }

  /// What cod_ has done is the outcome.
  bool adopt(bool done) {
    follow(*cod_);
    smallest_pivot_ = cod_->smallest_pivot();
    return done;
  }

  void reserve_rows(const Pattern& H) {
    if (H.entries.size() == entries_.size() &&
        std::memcmp(H.entries.data(), entries_.data(), entries_.size() * sizeof(entries_[0])) == 0)
      return;
    entries_.assign(H.entries.begin(), H.entries.end());
    used_.clear();
    for (std::size_t k = 0; k < entries_.size(); ++k)
      if (entries_[k].first < m_) used_.push_back({static_cast<int>(k), entries_[k].first, entries_[k].second});
  }

  // ---- factoring --------------------------------------------------------------------------------

  /// L and Hᵀ, whose columns stand in the order of the decision and scaled, or as they are where one is to be made.
  bool prepare(const SparseValues& M, const SparseValues& H, bool deciding) {
    if (!mass_.factor(M)) return false;
    smallest_pivot_ = 1;
    if (m_ == 0) return true;
    reserve_rows(H.pattern);
    int slot[most];
    for (int k = 0; k < m_; ++k) slot[deciding ? k : order_[k]] = k;
    std::fill(Ct_.begin(), Ct_.end(), 0);
    for (const auto& [value, row, column] : used_)
      Ct_[mass_.place(column) * width_ + slot[row]] = deciding ? H.values[value] : H.values[value] * scale_[row];
    return true;
  }

  /// Scales the columns of Cᵀ. False if one is not finite.
  bool measure_rows() {
    double squares[most] = {};
    for (int i = 0; i < n_; ++i)
      for (int k = 0; k < m_; ++k) squares[k] += Ct_[i * width_ + k] * Ct_[i * width_ + k];
    for (int k = 0; k < m_; ++k)
      if (!std::isfinite(squares[k])) return false;
    for (int k = 0; k < m_; ++k) measure_row(k, std::sqrt(squares[k]));
    for (int i = 0; i < n_; ++i)
      for (int k = 0; k < m_; ++k) Ct_[i * width_ + k] *= scale_[k];
    return true;
  }

  /// The upper triangle of S = C Cᵀ, in U_.
  void multiply() {
    std::fill(U_.begin(), U_.end(), 0);
    for (int i = 0; i < n_; ++i) {
      const double* row = &Ct_[i * width_];
      for (int k = 0; k < m_; ++k) {
        const double factor = row[k];
        if (factor == 0) continue;
        double* __restrict target = &U_[k * width_];
        for (int j = k; j < m_; ++j) target[j] += factor * row[j];
      }
    }
  }

  /// Is the last decision, order and all, still beyond doubt? Rows may have grown a little since they were measured.
  bool confirm(const SparseValues& M, const SparseValues& H) {
    if (m_ == 0 || !decided_ || !prepare(M, H, false) || !factor_rows() ||
        !(smallest_pivot_ > std::max(confirming, tolerance_)))
      return false;
    for (int k = 0; k < m_; ++k) {
      double square = 0;
      for (int i = 0; i < n_; ++i) square += Ct_[i * width_ + k] * Ct_[i * width_ + k];
      if (!(square < growth * growth) || scale_[order_[k]] == 0) return false;
    }
    return is_moderate() && (rank_ == m_ || rank_ == n_ || leaves_nothing());
  }

  bool decide_rows() {
    mass_.lower_rows(Ct_.data(), width_);
    if (!measure_rows()) return false;
    multiply();
    for (int k = 0; k < m_; ++k) order_[k] = k;
    rank_ = std::min(n_, m_);
    smallest_pivot_ = 0;
    for (int k = 0; k < rank_; ++k)
      if (!bring_largest(k)) {
        rank_ = k;
      } else {
        eliminate(k);
      }
    sort_columns();
    if (!is_moderate()) return false;
    if (rank_ == m_) return decided_ = true;
    find_implied();
    return decided_ = rank_ == n_ || leaves_nothing();
  }

  /// Moves the largest remaining pivot to place k; false if it is not beyond doubt.
  bool bring_largest(int k) {
    int best = k;
    for (int j = k + 1; j < m_; ++j)
      if (U_[j * width_ + j] > U_[best * width_ + best]) best = j;
    if (const double least = std::max(safe, tolerance_); !(U_[best * width_ + best] > least * least)) return false;
    if (best != k) swap_rows(k, best);
    return true;
  }

  void swap_rows(int k, int best) {
    const auto at = [&](int i, int j) -> double& { return U_[i * width_ + j]; };
    std::swap(order_[best], order_[k]);
    std::swap(at(best, best), at(k, k));
    for (int j = 0; j < k; ++j) std::swap(at(j, best), at(j, k));
    for (int j = k + 1; j < best; ++j) std::swap(at(k, j), at(j, best));
    for (int j = best + 1; j < m_; ++j) std::swap(at(k, j), at(best, j));
  }

  void eliminate(int k) {
    const double* row = &U_[k * width_];
    const double pivot = std::sqrt(row[k]), inverse = 1 / row[k];
    smallest_pivot_ = k == 0 ? std::min(pivot, 1.0) : std::min(smallest_pivot_, pivot);
    inverse_[k] = inverse;
    for (int i = k + 1; i < m_; ++i) {
      const double factor = row[i] * inverse;
      if (factor == 0) continue;
      double* __restrict target = &U_[i * width_];
      for (int j = i; j < m_; ++j) target[j] -= factor * row[j];
    }
  }

  bool factor_rows() {
    if (!(width_ <= short_rows::longest ? factor_short_rows() : factor_long_rows())) return false;
    if (rank_ == m_) return true;
    find_implied();
    for (int j = rank_; j < m_; ++j)
      if (!std::isfinite(W_[j * width_ + j])) return false;
    return true;
  }

  bool factor_short_rows() {
    short_rows::Problem problem{mass_, n_, rank_, safe, Ct_.data(), U_.data(), inverse_, 1};
    if (!short_rows::factor_anywhere(problem, width_)) return false;
    smallest_pivot_ = rank_ > 0 ? std::sqrt(problem.smallest_square) : 0;
    return true;
  }

  bool factor_long_rows() {
    mass_.lower_rows(Ct_.data(), width_);
    multiply();
    smallest_pivot_ = 0;
    for (int k = 0; k < rank_; ++k) {
      const double square = U_[k * width_ + k];
      if (!(square > safe * safe) || std::isinf(square)) return false;
      eliminate(k);
    }
    return true;
  }

  /// Puts the columns of Cᵀ into the order just decided.
  void sort_columns() {
    double row[most];
    for (int i = 0; i < n_; ++i) {
      double* given = &Ct_[i * width_];
      for (int k = 0; k < m_; ++k) row[k] = given[order_[k]];
      std::copy_n(row, m_, given);
    }
  }

  /// ‖C₁⁺‖ in the sense of Frobenius, which is that of U⁻¹D^½, column by column.
  bool is_moderate() const {
    double sum = 0, column[most];
    for (int j = 0; j < rank_; ++j) {
      double squares = 0;
      for (int i = j; i >= 0; --i) {
        double value = i == j ? 1 : 0;
        for (int k = i + 1; k <= j; ++k) value -= U_[i * width_ + k] * column[k];
        column[i] = value * inverse_[i];
        squares += column[i] * column[i];
      }
      sum += squares * U_[j * width_ + j];
    }
    return sum < most_inverse * most_inverse;
  }

  /// Xᵀ = U₁₁⁻¹U₁₂, and I + X Xᵀ = WᵀW.
  void find_implied() {
    for (int i = rank_ - 1; i >= 0; --i) {
      double* target = &Xt_[i * width_];
      for (int j = rank_; j < m_; ++j) target[j] = U_[i * width_ + j];
      for (int k = i + 1; k < rank_; ++k)
        for (int j = rank_; j < m_; ++j) target[j] -= U_[i * width_ + k] * Xt_[k * width_ + j];
      for (int j = rank_; j < m_; ++j) target[j] *= inverse_[i];
    }
    for (int i = rank_; i < m_; ++i)
      for (int j = i; j < m_; ++j) {
        double sum = i == j ? 1 : 0;
        for (int k = 0; k < rank_; ++k) sum += Xt_[k * width_ + i] * Xt_[k * width_ + j];
        for (int k = rank_; k < i; ++k) sum -= W_[k * width_ + i] * W_[k * width_ + j];
        W_[i * width_ + j] = i == j ? std::sqrt(sum) : sum / W_[i * width_ + i];
      }
  }

  /// Is what the rows that count leave of the others below the tolerance?
  bool leaves_nothing() const {
    for (int j = rank_; j < m_; ++j) {
      double square = 0;
      for (int i = 0; i < n_; ++i) {
        double rest = Ct_[i * width_ + j];
        for (int k = 0; k < rank_; ++k) rest -= Ct_[i * width_ + k] * Xt_[k * width_ + j];
        square += rest * rest;
      }
      if (!(square <= tolerance_ * tolerance_)) return false;
    }
    return true;
  }

  // ---- solving ----------------------------------------------------------------------------------

  /// z_ = S⁻¹ (I + XᵀX)⁻¹ [I Xᵀ] residual_
  void solve() {
    for (int k = 0; k < rank_; ++k) z_[k] = residual_[k];
    if (rank_ < m_) {
      for (int k = 0; k < rank_; ++k)
        for (int j = rank_; j < m_; ++j) z_[k] += Xt_[k * width_ + j] * residual_[j];
      share(z_);
    }
    for (int k = 0; k < rank_; ++k) {  // UᵀD⁻¹
      const double value = z_[k] * inverse_[k];
      for (int j = k + 1; j < rank_; ++j) z_[j] -= U_[k * width_ + j] * value;
    }
    for (int k = rank_ - 1; k >= 0; --k) {  // U
      double sum = z_[k];
      for (int j = k + 1; j < rank_; ++j) sum -= U_[k * width_ + j] * z_[j];
      z_[k] = sum * inverse_[k];
    }
  }

  /// w := (I + XᵀX)⁻¹ w = w − Xᵀ (I + X Xᵀ)⁻¹ X w
  void share(double* w) const {
    double u[most];
    for (int j = rank_; j < m_; ++j) {
      u[j] = 0;
      for (int k = 0; k < rank_; ++k) u[j] += Xt_[k * width_ + j] * w[k];
    }
    for (int j = rank_; j < m_; ++j) {
      for (int k = rank_; k < j; ++k) u[j] -= W_[k * width_ + j] * u[k];
      u[j] /= W_[j * width_ + j];
    }
    for (int j = m_ - 1; j >= rank_; --j) {
      for (int k = j + 1; k < m_; ++k) u[j] -= W_[j * width_ + k] * u[k];
      u[j] /= W_[j * width_ + j];
    }
    for (int k = 0; k < rank_; ++k)
      for (int j = rank_; j < m_; ++j) w[k] -= Xt_[k * width_ + j] * u[j];
  }

  /// multipliers_ = [I; X] (I + XᵀX)⁻¹ z_
  void multipliers() {
    for (int k = 0; k < rank_; ++k) multipliers_[k] = z_[k];
    if (rank_ == m_) return;
    share(multipliers_);
    for (int j = rank_; j < m_; ++j) {
      multipliers_[j] = 0;
      for (int k = 0; k < rank_; ++k) multipliers_[j] += Xt_[k * width_ + j] * multipliers_[k];
    }
  }

  /// y += C₁ᵀ z_
  void add_rows(double* y) const {
    for (int i = 0; i < n_; ++i) {
      const double* row = &Ct_[i * width_];
      double sum = y[i];
      for (int k = 0; k < rank_; ++k) sum += row[k] * z_[k];
      y[i] = sum;
    }
  }

  /// x = L⁻ᵀy, back in the order of the unknowns.
  void finish(double* y, Vector& x) const {
    mass_.upper(y);
    for (int i = 0; i < n_; ++i) x[i] = y[mass_.place(i)];
  }

  struct Entry {
    int value, row, column;
  };

  std::unique_ptr<LinearKernel> cod_;
  bool decided_ = false;  ///< a decision has been made here, and is confirmed where it still holds
  bool serves_ = false;   ///< the factors here are those of the last call; otherwise cod_ has them
  MassFactor mass_;
  std::vector<std::pair<int, int>> entries_;  ///< the pattern of H
  std::vector<Entry> used_;                   ///< those of the rows that count here
  int width_ = 0;                             ///< of a row in memory
  std::vector<double> Ct_;                    ///< n × m, rows in the order of mass_, columns in that of the decision
  std::vector<double> U_, Xt_, W_;            ///< m × m: S, then U; Xᵀ in its place beside U₁₁; W in the corner
  double inverse_[most] = {};                 ///< of the diagonal of U
  double free_[most] = {}, residual_[most] = {}, z_[most] = {}, multipliers_[most] = {};
};

}  // namespace

std::unique_ptr<LinearKernel> make_small() { return std::make_unique<Small>(); }

}  // namespace taut
