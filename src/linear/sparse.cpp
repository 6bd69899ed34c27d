#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>

#include "linear/cod_fallback.hpp"
#include "linear/list.hpp"
#include "linear/saddle_point.hpp"

namespace taut {
namespace {

/// A pivot whose square is below this, relative to its row or to the terms it is the difference of, may be rounding and
/// what growth makes of it: a row is then looked at more closely.
constexpr double doubtful_square = 1e-8;
/// Where nobody looks more closely, it is below this.
constexpr double finest_square = 1e-14;
constexpr double finest_pivot = 1e-7;
/// The least pivot whose square leaves digits enough to a factor of squares.
constexpr double least_plain = 1e-5;
/// So many speeds may be full for the time that it takes to pass a singular position.
constexpr int most_dense = 300;
/// Below this it is not divided by, whatever was decided.
constexpr double noise = 1e-15;
/// Above this smallest pivot, its square leaves half of the digits at least, and a projection repeats the correction.
constexpr double plain = 1e-4;

/// Which rows count, by row: what an order and a rank say, as a factor that takes rows in an order of its own needs it.
class CountedRows {
 public:
  /// σ² of the rows; empty: all hold exactly.
  void resize(int rows, const std::vector<double>& softness) {
    counts_.assign(rows, 1);
    hard_.clear();
    for (const double square : softness) hard_.push_back(!(square > 0));
  }
  char& operator[](int row) { return counts_[row]; }
  char operator[](int row) const { return counts_[row]; }

  void recall(const std::vector<int>& order, int rank) {
    for (int k = 0; k < static_cast<int>(order.size()); ++k) counts_[order[k]] = k < rank;
  }
  /// Puts rows that count first, each kind in its order, and returns how many those are.
  int record(std::vector<int>& order) const {
    int rank = 0;
    for (int i = 0; i < static_cast<int>(order.size()); ++i)
      if (counts_[i]) order[rank++] = i;
    int last = rank;
    for (int i = 0; i < static_cast<int>(order.size()); ++i)
      if (!counts_[i]) order[last++] = i;
    return rank;
  }

  /// Are there rows that hold exactly, and does one of them count?
  bool any_hard() const { return hard_.empty() ? !counts_.empty() : std::ranges::any_of(hard_, std::identity()); }
  bool any_hard_counts() const {
    for (std::size_t i = 0; i < counts_.size(); ++i)
      if (counts_[i] && (hard_.empty() || hard_[i])) return true;
    return false;
  }

 private:
  std::vector<char> counts_;
  std::vector<char> hard_;  ///< empty: all of them
};

/// Factors the matrix of the whole problem (SaddlePoint), and leaves rows out that those before them imply.
///
/// Pivots are squares here, as in Cholesky's method: below 1e-4 of a row's size they cannot be trusted to be more than
/// rounding errors. Such rows are left out at first, and looked at as vectors with the factor of the others: see
/// DoubtfulRows. Rows that count with so little that a factor of squares cannot serve are left to `cod`, where that is
/// not too dear.
class Sparse : public LinearKernel {
 public:
  explicit Sparse(SparseDoubt doubt) : doubt_(doubt) {}

  bool carries_soft_rows() const override { return true; }
  bool is_sure() const override { return sure_; }
  long hand_overs() const override { return cod_.hand_overs(); }

  void reserve_patterns(const Pattern& M, const Pattern& H) override {
    equations_.matrices().reserve_patterns(M, H);
    if (may_hand_over_) cod_.start(n_, m_, tolerance_, further_);
    arrange();
  }

  void share(const LinearKernel& other) override {
    if (const auto* like = dynamic_cast<const Sparse*>(&other))
      equations_.matrices().share(like->equations_.matrices());
  }

  bool determine_rank(const SparseValues& M, const SparseValues& H) override {
    if (!run(M, H, true)) return false;
    return is_plain() || hand_over([&](LinearKernel& cod) { return cod.determine_rank(M, H); });
  }
  bool factor(const SparseValues& M, const SparseValues& H) override {
    if (!run(M, H, false)) return false;
    return is_plain() || hand_over([&](LinearKernel& cod) { return cod.factor(M, H); });
  }

  void accelerate(const Vector& f, const Vector& c, Vector& x, Vector& lambda) override {
    if (cod_.serves()) return cod_.kernel().accelerate(f, c, x, lambda);
    assert(!mass_completed_ || further_ == 0);  // what the further rows add to M does not cancel
    equations_.solve(f, c, x);
    lambda.head(m_) = -equations_.multipliers().head(m_);
  }

  void correct(const Vector& r, Vector& x) override {
    if (cod_.serves()) return cod_.kernel().correct(r, x);
    if (m_ == 0) {
      x.setZero();
      return;
    }
    equations_.solve_rows(r, x);
    // A completed M serves to find x; what it leaves over is not a residual of M.
    if (smallest_pivot_ > plain || mass_completed_) return;
    equations_.room().none.setZero();
    equations_.refine(equations_.room().none, r, x);
  }

  void reserve_mass_division() override { equations_.matrices().reserve_mass_division(); }
  void divide_by_mass(const Vector& x, Vector& out) const override {
    if (cod_.serves()) return cod_.kernel().divide_by_mass(x, out);
    equations_.matrices().divide_by_mass(x, out);
  }

  Vector missing_direction() const override {
    if (cod_.serves()) return cod_.kernel().missing_direction();
    return finite_ ? equations_.missing_direction() : Vector::Zero(n_);
  }

 private:
  void resize() override {
    std::vector<double> squares;
    std::vector<char> takes_part(m_ + further_, 1);
    for (int i = 0; i < m_ + further_; ++i) {
      if (!is_soft(i)) continue;
      takes_part[i] = 0;
      squares.resize(m_, 0);
      if (i < m_) squares[i] = softness(i);
    }
    may_hand_over_ =
        doubt_ == SparseDoubt::settle && n_ <= most_dense && std::ranges::all_of(takes_part, std::identity());
    counts_.resize(m_, squares);
    equations_.resize(n_, m_, further_, std::move(squares), std::move(takes_part));
    cod_.drop();
  }

  void arrange() override { equations_.arrange(mass_completed_); }

  // ---- factoring ----------------------------------------------------------------------------------

  bool run(const SparseValues& M, const SparseValues& H, bool deciding) {
    finite_ = M.values.allFinite() && H.values.allFinite();
    if (!finite_) return false;
    if (!equations_.matrices().has_patterns()) reserve_patterns(M.pattern, H.pattern);
    equations_.matrices().load(M, H);
    if (!deciding) counts_.recall(order_, rank_);
    if (!mass_completed_) {
      if (attempt(deciding) && !(deciding && m_ > 0 && equations_.matrices().hides_rows())) return true;
      mass_completed_ = true;
      if (deciding) scale_.setZero();  // with next to no mass rows seem huge: they are measured anew
    }
    arrange();
    return attempt(deciding);
  }

  bool attempt(bool deciding) {
    const DoubtfulRows& doubtful = equations_.room().doubtful;
    equations_.room().doubtful.clear();
    if (!factor_whole(deciding)) return false;
    if (!deciding) return true;
    if (!doubtful.empty() && settle_doubt() && !factor_whole(false)) return false;
    rank_ = counts_.record(order_);
    return true;
  }

  bool factor_whole(bool deciding) {
    equations_.fill();
    if (deciding) {  // rows as large as they would be if M were diagonal
      Vector& squares = equations_.room().sizes;
      equations_.find_row_squares(squares);
      remember_sizes(squares);
    }
    double least = 1;
    const bool ok = equations_.factor(
        [&](int i, double square, double size) { return judge_row(i, square, size, deciding, least); });
    smallest_pivot_ = counts_.any_hard() && !counts_.any_hard_counts() ? 0 : least;
    return ok;
  }

  /// `square` is what is left of row i after those before it, found as a difference of terms of this size.
  SparseFactor::Pivot judge_row(int i, double square, double size, bool deciding, double& least) {
    if (is_soft(i)) {
      counts_[i] = 1;
      return SparseFactor::Pivot::use;
    }
    if (deciding && square > 0) measure_row(i, std::sqrt(square));
    const double relative = square * scale_[i] * scale_[i];
    if (deciding) counts_[i] = counts_clearly(i, std::min(relative, square / size));
    if (!counts_[i]) return SparseFactor::Pivot::leave_out;
    least = std::min(least, relative > 0 ? std::sqrt(relative) : 0);
    return relative > noise && square > noise * size ? SparseFactor::Pivot::use : SparseFactor::Pivot::leave_out;
  }

  /// The square is relative to the row, or to the terms it is the difference of.
  bool counts_clearly(int i, double square) {
    if (doubt_ == SparseDoubt::leave) return square > std::max(finest_square, tolerance_ * tolerance_);
    if (square > std::max(doubtful_square, tolerance_ * tolerance_)) return true;
    if (scale_[i] > 0) equations_.room().doubtful.add(i, scale_[i], square);
    return false;
  }

  // ---- rows in doubt ------------------------------------------------------------------------------

  /// Looks at the rows left out with the factor of the others. True if some of them count after all.
  bool settle_doubt() {
    FactoredComplement others(equations_, scale_);
    DoubtfulRows& doubtful = equations_.room().doubtful;
    sure_ = true;
    if (doubtful.all_implied(others, tolerance_)) return false;
    sure_ = !doubtful.too_many() && doubtful.measure(others, tolerance_);
    bool any = false;
    for (const auto& row : doubtful.rows()) any |= (counts_[row.row] = counts_in_doubt(row));
    return any;
  }

  bool counts_in_doubt(const DoubtfulRows::Row& row) {
    if (equations_.room().doubtful.too_many()) return row.square > finest_square;
    if (row.pivot == 0 || row.pivot > finest_pivot || may_hand_over_) return row.pivot > 0;
    return sure_ = false;
  }

  // ---- where `cod` serves -------------------------------------------------------------------------

  /// Does the factor of squares serve, as far as pivots tell?
  bool is_plain() {
    cod_.take_back();
    return smallest_pivot_ > least_plain || !counts_.any_hard_counts() || !may_hand_over_;
  }

  template <class Ask>
  bool hand_over(Ask&& ask) {
    const int rank = rank_;
    const bool done = cod_.take_over(*this, tolerance_, ask);
    const double pivot = cod_.kernel().smallest_pivot();
    smallest_pivot_ = rank_ == rank ? std::min(smallest_pivot_, pivot) : pivot;
    return done;
  }

  SaddlePoint equations_;
  CountedRows counts_;
  SparseDoubt doubt_;
  bool finite_ = true, sure_ = true;
  bool may_hand_over_ = false;  ///< to `cod`, if need be
  CodFallback cod_;
};

}  // namespace

std::unique_ptr<LinearKernel> make_sparse() { return make_sparse(SparseDoubt::settle); }

std::unique_ptr<LinearKernel> make_sparse(SparseDoubt doubt) { return std::make_unique<Sparse>(doubt); }

}  // namespace taut
