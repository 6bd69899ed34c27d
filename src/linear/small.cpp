#include <algorithm>
#include <cmath>
#include <cstring>

#include "linear/cod_fallback.hpp"
#include "linear/completion.hpp"
#include "linear/gram_factor.hpp"
#include "linear/list.hpp"
#include "linear/mass_factor.hpp"

namespace taut {
namespace {

/// More unknowns or rows than this are left to others.
constexpr int most = GramFactor::most;
/// ‖C₁⁺‖ above this is not taken from a product C Cᵀ. It bounds the condition of the rows, whose sizes are at most one.
constexpr double most_inverse = 100;
/// A decision that has been made before is confirmed while no pivot is smaller than this. Below, rows are sorted anew
/// each time: who watches the smallest pivot fall towards a singular position must not see it jump.
constexpr double confirming = 0.5;
/// By how much a row may grow beyond its largest size before it is measured anew.
constexpr double growth = 1.001;

/// For systems of up to 64 unknowns and rows: what `cod` computes, at a fraction of its cost where the rank is beyond
/// doubt, by the Gram matrix of the rows that count (GramFactor).
///
/// Beyond doubt means: every row either has a pivot above GramFactor::safe and ‖C₁⁺‖ is moderate, or what the others
/// leave of it is below the tolerance, computed as a vector and not as a difference of squares. Whatever else comes (a
/// pivot in between, a mass matrix that the constraints must complete, numbers that are not finite) goes to `cod` as it
/// is: for one evaluation, or for the whole step if the doubt arises where the rank is decided.
class Small : public LinearKernel {
 public:
  bool gives_smallest_multipliers() const override { return true; }
  long hand_overs() const override { return cod_.hand_overs(); }

  void reserve_patterns(const Pattern& M, const Pattern& H) override {
    cod_.kernel().reserve_patterns(M, H);
    if (!fits()) return;
    mass_.reserve_pattern(M);
    reserve_rows(H);
  }

  bool determine_rank(const SparseValues& M, const SparseValues& H) override {
    cod_.take_back();
    if (fits() && !mass_completed_ && (confirm(M, H) || (prepare(M, H, true) && (m_ == 0 || decide_rows()))) &&
        !hides_rows(M, H))
      return true;
    has_decided_ = false;
    return ask_cod([&](LinearKernel& cod) { return cod.determine_rank(M, H); });
  }

  bool factor(const SparseValues& M, const SparseValues& H) override {
    cod_.take_back();
    if (fits() && !mass_completed_ && prepare(M, H, false) && (m_ == 0 || factor_rows())) return true;
    return ask_cod([&](LinearKernel& cod) { return cod.factor(M, H); });
  }

  void accelerate(const Vector& f, const Vector& c, Vector& x, Vector& lambda) override {
    if (cod_.serves()) return cod_.kernel().accelerate(f, c, x, lambda);
    for (int i = 0; i < n_; ++i) free_[mass_.place(i)] = f[i];
    mass_.lower(free_);
    for (int k = 0; k < m_; ++k) residual_[k] = c[order_[k]] * scale_[order_[k]];
    rows_.subtract(free_, residual_);
    rows_.solve(residual_, z_);
    rows_.add_rows(z_, free_);
    finish(free_, x);
    rows_.multipliers(z_, multipliers_);
    for (int k = 0; k < m_; ++k) lambda[order_[k]] = multipliers_[k] * scale_[order_[k]];
  }

  void correct(const Vector& r, Vector& x) override {
    if (cod_.serves()) return cod_.kernel().correct(r, x);
    for (int k = 0; k < m_; ++k) residual_[k] = r[order_[k]] * scale_[order_[k]];
    rows_.solve(residual_, z_);
    double y[most];
    std::fill_n(y, n_, 0);
    rows_.add_rows(z_, y);
    finish(y, x);
  }

  void divide_by_mass(const Vector& x, Vector& out) const override {
    if (cod_.serves()) return cod_.kernel().divide_by_mass(x, out);
    double y[most];
    for (int i = 0; i < n_; ++i) y[mass_.place(i)] = x[i];
    mass_.lower(y);
    finish(y, out);
  }

  Vector missing_direction() const override { return cod_.kernel().missing_direction(); }

 private:
  bool fits() const { return n_ <= most && m_ <= most; }
  bool hides_rows(const SparseValues& M, const SparseValues& H) {
    return m_ > 0 && completion_.hides_rows({M.pattern, M.values}, {H.pattern, H.values}, all_rows_);
  }

  void resize() override {
    cod_.start(n_, m_, tolerance_, further_);
    has_decided_ = false;
    if (!fits()) return;
    completion_.resize(n_, m_ + further_);
    all_rows_.assign(static_cast<std::size_t>(m_) + further_, 1);
    mass_.resize(n_);
    rows_.resize(n_, m_);
    used_.clear();
    used_.reserve(static_cast<std::size_t>(n_) * m_);
    entries_.clear();
    entries_.reserve(static_cast<std::size_t>(n_) * (m_ + further_));
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

  /// What `cod` does is the outcome.
  template <class Ask>
  bool ask_cod(Ask&& ask) {
    const bool done = cod_.take_over(*this, tolerance_, ask);
    smallest_pivot_ = cod_.kernel().smallest_pivot();
    return done;
  }

  /// L and Hᵀ, whose columns stand in the order of the decision and scaled, or as they are where one is to be made.
  bool prepare(const SparseValues& M, const SparseValues& H, bool deciding) {
    if (!mass_.factor(M)) return false;
    smallest_pivot_ = 1;
    if (m_ == 0) return true;
    reserve_rows(H.pattern);
    int slot[most];
    for (int k = 0; k < m_; ++k) slot[deciding ? k : order_[k]] = k;
    rows_.clear();
    for (const auto& [value, row, column] : used_)
      rows_.unknown(mass_.place(column))[slot[row]] = deciding ? H.values[value] : H.values[value] * scale_[row];
    return true;
  }

  /// Is the last decision, order and all, still beyond doubt? Rows may have grown a little since they were measured.
  bool confirm(const SparseValues& M, const SparseValues& H) {
    if (m_ == 0 || !has_decided_ || !prepare(M, H, false) || !factor_rows() ||
        !(smallest_pivot_ > std::max(confirming, tolerance_)))
      return false;
    double squares[most];
    rows_.measure(squares);
    for (int k = 0; k < m_; ++k)
      if (!(squares[k] < growth * growth) || scale_[order_[k]] == 0) return false;
    return is_moderate() && (rank_ == m_ || rank_ == n_ || rows_.leaves_nothing(tolerance_));
  }

  bool decide_rows() {
    rows_.divide_by(mass_);
    if (!measure_rows()) return false;
    rows_.decide(order_, tolerance_);
    rank_ = rows_.rank();
    smallest_pivot_ = rows_.smallest_pivot();
    if (!is_moderate()) return false;
    if (rank_ == m_) return has_decided_ = true;
    rows_.find_implied();
    return has_decided_ = rank_ == n_ || rows_.leaves_nothing(tolerance_);
  }

  /// Scales the rows. False if one is not finite.
  bool measure_rows() {
    double squares[most];
    rows_.measure(squares);
    for (int k = 0; k < m_; ++k)
      if (!std::isfinite(squares[k])) return false;
    for (int k = 0; k < m_; ++k) measure_row(k, std::sqrt(squares[k]));
    for (int i = 0; i < n_; ++i)
      for (int k = 0; k < m_; ++k) rows_.unknown(i)[k] *= scale_[k];
    return true;
  }

  bool factor_rows() {
    if (!rows_.factor(mass_, rank_)) return false;
    smallest_pivot_ = rows_.smallest_pivot();
    return rank_ == m_ || rows_.find_implied();
  }

  bool is_moderate() const { return rows_.inverse_square() < most_inverse * most_inverse; }

  /// x = L⁻ᵀy, back in the order of the unknowns.
  void finish(double* y, Vector& x) const {
    mass_.upper(y);
    for (int i = 0; i < n_; ++i) x[i] = y[mass_.place(i)];
  }

  struct Entry {
    int value, row, column;
  };

  CodFallback cod_;
  bool has_decided_ = false;  ///< a decision has been made here, and is confirmed where it still holds
  MassFactor mass_;
  GramFactor rows_;
  Completion completion_;  ///< asked whether rows were lost to speeds with next to no mass
  std::vector<char> all_rows_;
  std::vector<std::pair<int, int>> entries_;  ///< the pattern of H
  std::vector<Entry> used_;                   ///< those of the rows that count here
  double free_[most] = {}, residual_[most] = {}, z_[most] = {}, multipliers_[most] = {};
};

}  // namespace

std::unique_ptr<LinearKernel> make_small() { return std::make_unique<Small>(); }

}  // namespace taut
