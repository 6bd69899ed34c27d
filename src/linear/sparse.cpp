#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <limits>

#include "linear/completion.hpp"
#include "linear/doubtful_rows.hpp"
#include "linear/list.hpp"
#include "linear/sparse_arrangement.hpp"

namespace taut {
namespace {

using Places = std::vector<std::pair<int, int>>;

/// Both arrangements of one pattern, shared by the kernels of one system. The second is made when it is needed. The
/// vectors hold nothing from one call to the next.
struct Arrangements {
  Pattern M, H;
  std::shared_ptr<Arrangement> plain, completed;
  Vector sizes, top, right, mu, solution, none, mass_solution;
  bool divide_by_mass = false;  ///< they are to be ready for that
  DoubtfulRows doubtful;
  Vector no_rows, missing;
};

/// Factors the whole matrix of the problem,
///   [ M  Hᵀ ] [  x ]   [ f ]
///   [ H −σ² ] [ −λ ] = [ c ],
/// as LDLᵀ in an order found once. A row is eliminated right after the last of its speeds: its pivot is what is left of
/// it after the rows eliminated before it, in the metric of the speeds eliminated so far, and a row that those imply is
/// left out. No other pivoting is needed, so that work and memory are fixed, and for chains and trees of loops they
/// grow like their length.
///
/// Pivots are squares here, as in Cholesky's method: below 1e-4 of a row's size they cannot be trusted to be more than
/// rounding errors. Such rows are left out at first, and looked at as vectors with the factor of the others: see
/// DoubtfulRows. Rows that count with so little that a factor of squares cannot serve are left to `cod`, where that is
/// not too dear.
class Sparse : public LinearKernel, private RowComplement {
 public:
  explicit Sparse(SparseDoubt doubt) : doubt_(doubt) {}

  bool carries_soft_rows() const override { return true; }
  bool is_sure() const override { return sure_; }
  long hand_overs() const override { return hand_overs_; }

  void reserve_patterns(const Pattern& M, const Pattern& H) override { arrange_patterns(M, H); }

  void share(const LinearKernel& other) override {
    if (const auto* like = dynamic_cast<const Sparse*>(&other);
        like && like->n_ == n_ && like->m_ == m_ && like->further_ == further_)
      arrangements_ = like->arrangements_;
  }

  bool determine_rank(const SparseValues& M, const SparseValues& H) override {
    if (!run(M, H, true)) return false;
    return is_plain() || hand_over([&](LinearKernel& dense) { return dense.determine_rank(M, H); });
  }
  bool factor(const SparseValues& M, const SparseValues& H) override {
    if (!run(M, H, false)) return false;
    return is_plain() || hand_over([&](LinearKernel& dense) { return dense.factor(M, H); });
  }

  void accelerate(const Vector& f, const Vector& c, Vector& x, Vector& lambda) override {
    if (serving_) return serving_->accelerate(f, c, x, lambda);
    Vector &top = arrangements_->top, &right = arrangements_->right;
    top = f;
    if (mass_completed_) {
      assert(further_ == 0);  // what the further rows add to M does not cancel
      right.head(m_) = c.head(m_);
      weigh(right);
      add_transposed(right, top);
    }
    right.head(m_) = c.head(m_);
    solve();
    unload(x);
    refine(f, c, x);
    lambda.head(m_) = -arrangements_->mu.head(m_);
  }

  void correct(const Vector& r, Vector& x) override {
    if (serving_) return serving_->correct(r, x);
    if (m_ == 0) {
      x.setZero();
      return;
    }
    arrangements_->top.setZero();
    arrangements_->right.head(m_) = r.head(m_);
    solve();
    unload(x);
    // A completed M serves to find x; what it leaves over is not a residual of M.
    if (smallest_pivot_ > plain || mass_completed_) return;
    arrangements_->none.setZero();
    refine(arrangements_->none, r, x);
  }

  void reserve_mass_division() override {
    if (!arrangements_) return;
    arrangements_->divide_by_mass = true;
    make_mass();
  }

  /// M is factored when it is asked for: hardly any method does.
  void divide_by_mass(const Vector& x, Vector& out) const override {
    if (serving_) return serving_->divide_by_mass(x, out);
    if (!mass_factored_ || arrangement_->mass_owner != this) factor_mass();
    const FactorPattern& pattern = *arrangement_->mass;
    Vector& solution = arrangements_->mass_solution;
    for (int k = 0; k < n_; ++k) solution[k] = x[pattern.at(k)];
    arrangement_->mass_factor.solve(solution);
    for (int k = 0; k < n_; ++k) out[pattern.at(k)] = solution[k];
  }

  Vector missing_direction() const override {
    if (serving_) return serving_->missing_direction();
    Vector direction = Vector::Zero(n_), all = Vector::Zero(n_ + m_);
    if (!finite_) return direction;
    whole_.null_vector(whole_.failed_at(), all);
    for (int j = 0; j < n_; ++j) direction[j] = all[whole_.pattern().position(j)];
    return direction.normalized();
  }

 private:
  /// A pivot whose square is below this, relative to its row or to the terms it is the difference of, may be rounding
  /// and what growth makes of it: a row is then looked at more closely.
  static constexpr double doubtful_square = 1e-8;
  /// Where nobody looks more closely, it is below this.
  static constexpr double finest_square = 1e-14;
  static constexpr double finest_pivot = 1e-7;
  /// The least pivot whose square leaves digits enough to a factor of squares.
  static constexpr double least_plain = 1e-5;
  /// So many speeds may be full for the time that it takes to pass a singular position.
  static constexpr int most_dense = 300;
  /// Each wins the digits that a factor of squares leaves: four at least.
  static constexpr int most_refinements = 5;
  /// See Completion: in units of their own, M and H resist a direction by more than this or not at all.
  static constexpr double held_by_nothing = 1e-10;
  /// Below this it is not divided by, whatever was decided.
  static constexpr double noise = 1e-15;
  /// Above this smallest pivot, its square leaves half of the digits at least, and a projection repeats the correction.
  static constexpr double plain = 1e-4;

  void resize() override {
    arrangements_.reset();
    arrangement_.reset();
    counts_.assign(m_, 1);
    takes_part_.resize(m_ + further_);
    for (int i = 0; i < m_ + further_; ++i) takes_part_[i] = !is_soft(i);
    completion_ = {};
    dense_.reset();
    serving_ = nullptr;
  }

  // ---- the pattern --------------------------------------------------------------------------------

  void arrange_patterns(const Pattern& M, const Pattern& H) {
    if (!arrangements_) {
      arrangements_ = std::make_shared<Arrangements>();
      arrangements_->M = M;
      arrangements_->H = H;
      for (Vector* rows : {&arrangements_->sizes, &arrangements_->right, &arrangements_->mu})
        rows->setZero(m_ + further_);
      for (Vector* speeds : {&arrangements_->top, &arrangements_->none}) speeds->setZero(n_);
      arrangements_->solution.setZero(n_ + m_);
      arrangements_->doubtful.resize(n_, m_);
      arrangements_->no_rows.setZero(m_);
    }
    M_.setZero(static_cast<Eigen::Index>(M.entries.size()));
    H_.setZero(static_cast<Eigen::Index>(H.entries.size()));
    if (may_hand_over()) make_dense();
    arrange();
  }

  /// Makes room for the factors, with M completed or without.
  void arrange() override {
    if (!arrangements_) return;
    auto& wanted = mass_completed_ ? arrangements_->completed : arrangements_->plain;
    if (!wanted)
      wanted =
          std::make_shared<Arrangement>(n_, m_, m_ + further_, arrangements_->M, arrangements_->H, mass_completed_);
    if (arrangement_ == wanted) return;
    arrangement_ = wanted;
    if (mass_completed_) {
      completion_.resize(n_, m_ + further_);
      arrangements_->missing.setZero(n_);
    }
    if (arrangements_->divide_by_mass) make_mass();
    whole_ = SparseFactor(arrangement_->whole, arrangement_->room);
  }

  void make_mass() const {
    arrangement_->reserve_mass(n_, arrangements_->M, arrangements_->H);
    arrangements_->mass_solution.resize(n_);
  }

  const Places& M_places() const { return arrangements_->M.entries; }
  const Places& H_places() const { return arrangements_->H.entries; }

  // ---- factoring ----------------------------------------------------------------------------------

  bool run(const SparseValues& M, const SparseValues& H, bool deciding) {
    finite_ = M.values.allFinite() && H.values.allFinite();
    if (!finite_) return false;
    if (!arrangement_) arrange_patterns(M.pattern, H.pattern);
    M_ = M.values;
    H_ = H.values;
    mass_factored_ = false;
    if (!deciding) recall_decision();
    if (!mass_completed_) {
      if (attempt(deciding)) return true;
      mass_completed_ = true;
      if (deciding) scale_.setZero();  // with next to no mass rows seem huge: they are measured anew
    }
    arrange();
    return attempt(deciding);
  }

  bool attempt(bool deciding) {
    arrangements_->doubtful.clear();
    if (!factor_whole(deciding)) return false;
    if (!deciding) return true;
    if (!arrangements_->doubtful.empty() && settle_doubt() && !factor_whole(false)) return false;
    record_decision();
    return true;
  }

  bool factor_whole(bool deciding) {
    fill(whole_, arrangement_->M_whole, &Product::whole);
    const auto& pattern = arrangement_->whole;
    for (std::size_t e = 0; e < H_places().size(); ++e)
      if (H_places()[e].first < m_) whole_.add(arrangement_->H_whole[e], H_[static_cast<Eigen::Index>(e)]);
    for (int i = 0; i < m_; ++i)
      if (is_soft(i)) whole_.add_diagonal(pattern->position(n_ + i), -softness(i));
    if (deciding) measure_rows();
    double least = 1;
    const bool ok = whole_.factor([&](int k, double d, double size) {
      const int i = pattern->at(k) - n_;
      return i < 0 ? judge_speed(k, d) : judge_row(i, -d, size, deciding, least);
    });
    smallest_pivot_ = hard_rank() == 0 && any_hard() ? 0 : least;
    return ok;
  }

  /// M, completed where it must be, into a factor.
  void fill(SparseFactor& factor, const std::vector<FactorPattern::Slot>& slots,
            FactorPattern::Slot Product::*slot) const {
    factor.clear();
    std::size_t next = 0;
    for (std::size_t e = 0; e < M_places().size(); ++e) {
      const auto [i, j] = M_places()[e];
      if (i < j) continue;
      const double value = M_[static_cast<Eigen::Index>(e)];
      i == j ? factor.add_diagonal(static_cast<int>(slots[next++]), value) : factor.add(slots[next++], value);
    }
    if (!mass_completed_) return;
    completion_.find({arrangements_->M, M_}, {arrangements_->H, H_}, takes_part_);
    for (const Product& product : arrangement_->products) {
      const double value = completion_.weights()[product.row] * H_[product.first] * H_[product.second];
      product.first == product.second ? factor.add_diagonal(static_cast<int>(product.*slot), value)
                                      : factor.add(product.*slot, value);
    }
  }

  /// The size of a row with the speeds taken one by one, as if M were diagonal.
  void measure_rows() {
    Vector& sizes = arrangements_->sizes;
    sizes.setZero();
    for (std::size_t e = 0; e < H_places().size(); ++e) {
      const auto [row, column] = H_places()[e];
      const double h = H_[static_cast<Eigen::Index>(e)];
      const double inertia = whole_.diagonal(arrangement_->whole->position(column));
      if (row < m_ && inertia > 0) sizes[row] += h * h / inertia;
    }
    for (int i = 0; i < m_; ++i) measure_row(i, std::sqrt(sizes[i]));
  }

  /// A speed that nothing resists has a pivot of nought, or of rounding. What else is small is a difference of squares:
  /// in doubt the direction itself tells whether M and H resist it.
  SparseFactor::Pivot judge_speed(int k, double d) {
    const double size = whole_.diagonal(k);
    const bool resists = d > finest_square * size && (!mass_completed_ || d > doubtful_square * size || is_resisted(k));
    return resists ? SparseFactor::Pivot::use : SparseFactor::Pivot::stop;
  }

  /// Do M and H resist the direction that belongs to the k-th pivot by more than rounding errors?
  bool is_resisted(int k) {
    Vector &all = arrangements_->solution, &x = arrangements_->missing;
    whole_.null_vector(k, all);
    for (int j = 0; j < n_; ++j) x[j] = all[whole_.pattern().position(j)] / completion_.units()[j];
    x /= x.norm();
    return largest_resistance(x) > held_by_nothing;
  }

  /// The most that M and the rows, all in their own units, resist a direction.
  double largest_resistance(const Vector& x) {
    const Vector& units = completion_.units();
    Vector &forces = arrangements_->top, &rows = arrangements_->sizes;
    forces.setZero();
    rows.setZero();
    for (std::size_t e = 0; e < M_places().size(); ++e) {
      const auto [i, j] = M_places()[e];
      forces[i] += M_[static_cast<Eigen::Index>(e)] * units[i] * units[j] * x[j];
    }
    for (std::size_t e = 0; e < H_places().size(); ++e) {
      const auto [row, column] = H_places()[e];
      if (row < m_ + further_) rows[row] += H_[static_cast<Eigen::Index>(e)] * units[column] * x[column];
    }
    rows.array() *= completion_.weights().array().sqrt();
    return std::max(forces.cwiseAbs().maxCoeff(), rows.size() > 0 ? rows.cwiseAbs().maxCoeff() : 0);
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
    if (scale_[i] > 0) arrangements_->doubtful.add(i, scale_[i], square);
    return false;
  }

  void factor_mass() const {
    make_mass();
    fill(arrangement_->mass_factor, arrangement_->M_mass, &Product::mass);
    arrangement_->mass_owner = this;
    arrangement_->mass_factor.factor(
        [](int, double d, double) { return d > 0 ? SparseFactor::Pivot::use : SparseFactor::Pivot::leave_out; });
    mass_factored_ = true;
  }

  // ---- rows in doubt ------------------------------------------------------------------------------

  /// Looks at the rows left out with the factor of the others. True if some of them count after all.
  bool settle_doubt() {
    DoubtfulRows& doubtful = arrangements_->doubtful;
    sure_ = true;
    if (doubtful.all_implied(*this, tolerance_)) return false;
    sure_ = !doubtful.too_many() && doubtful.measure(*this, tolerance_);
    bool any = false;
    for (const auto& row : doubtful.rows()) any |= (counts_[row.row] = counts_in_doubt(row));
    return any;
  }

  bool counts_in_doubt(const DoubtfulRows::Row& row) {
    if (arrangements_->doubtful.too_many()) return row.square > finest_square;
    if (row.pivot == 0 || row.pivot > finest_pivot || may_hand_over()) return row.pivot > 0;
    return sure_ = false;
  }

  /// Refined until it does not become smaller: nothing is left of a row that others imply.
  double project(const Vector& b, Vector& x) override {
    x.setZero();
    arrangements_->mu.setZero();
    double last = std::numeric_limits<double>::infinity();
    for (int pass = 0; pass < most_refinements; ++pass) {
      refine(b, arrangements_->no_rows, x);
      const double size = x.norm();
      if (!(size < 0.5 * last)) break;
      last = size;
    }
    double terms = 1;
    for (int i = 0; i < m_; ++i)
      if (counts_[i] && scale_[i] > 0) terms += std::abs(arrangements_->mu[i]) / scale_[i];
    return std::numeric_limits<double>::epsilon() * terms;
  }

  void combine(const Vector& factors, Vector& b) override {
    b.setZero();
    add_transposed(factors, b);
  }

  void multiply(const Vector& x, Vector& out) override {
    out.setZero();
    for (std::size_t e = 0; e < M_places().size(); ++e) {
      const auto [i, j] = M_places()[e];
      out[i] += M_[static_cast<Eigen::Index>(e)] * x[j];
    }
    if (!mass_completed_) return;
    Vector& rows = arrangements_->sizes;
    rows.setZero();
    for (std::size_t e = 0; e < H_places().size(); ++e) {
      const auto [row, column] = H_places()[e];
      if (row < m_ + further_) rows[row] += H_[static_cast<Eigen::Index>(e)] * x[column];
    }
    weigh(rows);
    add_transposed(rows, out);
  }

  /// Does the factor of squares serve, as far as pivots tell?
  bool is_plain() {
    serving_ = nullptr;
    return smallest_pivot_ > least_plain || hard_rank() == 0 || !may_hand_over();
  }
  bool may_hand_over() const {
    return doubt_ == SparseDoubt::settle && n_ <= most_dense && std::ranges::all_of(takes_part_, std::identity());
  }

  void make_dense() {
    dense_ = make_cod();
    dense_->start(n_, m_, tolerance_, further_);
  }

  template <class Factor>
  bool hand_over(Factor&& factor) {
    ++hand_overs_;
    serving_ = dense_.get();
    dense_->follow(*this);
    dense_->set_rank_tolerance(tolerance_);
    const int rank = rank_;
    const bool done = factor(*dense_);
    follow(*dense_);
    smallest_pivot_ = rank_ == rank ? std::min(smallest_pivot_, dense_->smallest_pivot()) : dense_->smallest_pivot();
    return done;
  }

  // ---- the decision -------------------------------------------------------------------------------

  void recall_decision() {
    for (int k = 0; k < m_; ++k) counts_[order_[k]] = k < rank_;
  }

  void record_decision() {
    rank_ = 0;
    for (int i = 0; i < m_; ++i)
      if (counts_[i]) order_[rank_++] = i;
    int last = rank_;
    for (int i = 0; i < m_; ++i)
      if (!counts_[i]) order_[last++] = i;
  }

  int hard_rank() const {
    int count = 0;
    for (int i = 0; i < m_; ++i) count += counts_[i] && !is_soft(i);
    return count;
  }
  bool any_hard() const {
    for (int i = 0; i < m_; ++i)
      if (!is_soft(i)) return true;
    return false;
  }

  // ---- solving ------------------------------------------------------------------------------------

  /// Solves for what stands in `top` and `right`.
  void solve() {
    const FactorPattern& pattern = whole_.pattern();
    const Vector &top = arrangements_->top, &right = arrangements_->right;
    Vector& solution = arrangements_->solution;
    for (int j = 0; j < n_; ++j) solution[pattern.position(j)] = top[j];
    for (int i = 0; i < m_; ++i) solution[pattern.position(n_ + i)] = right[i];
    whole_.solve(solution);
  }
  void unload(Vector& x) const {
    const FactorPattern& pattern = whole_.pattern();
    const Vector& solution = arrangements_->solution;
    Vector& mu = arrangements_->mu;
    for (int j = 0; j < n_; ++j) x[j] = solution[pattern.position(j)];
    for (int i = 0; i < m_; ++i) mu[i] = solution[pattern.position(n_ + i)];
  }

  /// One step of iterative refinement: what is missing from the equations is solved for once more. Near a singular
  /// position the squares in the pivots have cost digits, which it brings back.
  void refine(const Vector& f, const Vector& c, Vector& x) {
    Vector &top = arrangements_->top, &right = arrangements_->right, &mu = arrangements_->mu;
    top = f;
    for (std::size_t e = 0; e < M_places().size(); ++e) {
      const auto [i, j] = M_places()[e];
      top[i] -= M_[static_cast<Eigen::Index>(e)] * x[j];
    }
    right.tail(further_).setZero();
    for (int i = 0; i < m_; ++i) right[i] = c[i] + softness(i) * mu[i];
    for (std::size_t e = 0; e < H_places().size(); ++e) {
      const auto [row, column] = H_places()[e];
      if (row >= m_ + further_) continue;
      const double h = H_[static_cast<Eigen::Index>(e)];
      if (row < m_) top[column] -= h * mu[row];
      right[row] -= h * x[column];
    }
    if (mass_completed_) {
      Vector& weighed = arrangements_->sizes;
      weighed = right;
      weigh(weighed);
      add_transposed(weighed, top);
    }
    solve();
    const FactorPattern& pattern = whole_.pattern();
    const Vector& solution = arrangements_->solution;
    for (int j = 0; j < n_; ++j) x[j] += solution[pattern.position(j)];
    for (int i = 0; i < m_; ++i) mu[i] += solution[pattern.position(n_ + i)];
  }

  void weigh(Vector& rows) const { rows.array() *= completion_.weights().array(); }

  /// out += Hᵀ rows.
  void add_transposed(const Vector& rows, Vector& out) const {
    for (std::size_t e = 0; e < H_places().size(); ++e) {
      const auto [row, column] = H_places()[e];
      if (row < rows.size()) out[column] += H_[static_cast<Eigen::Index>(e)] * rows[row];
    }
  }

  std::shared_ptr<Arrangements> arrangements_;
  std::shared_ptr<Arrangement> arrangement_;
  SparseFactor whole_;
  mutable bool mass_factored_ = false;
  bool finite_ = true;
  Vector M_, H_;                  ///< values last given
  std::vector<char> counts_;      ///< which rows count
  std::vector<char> takes_part_;  ///< which rows complete M
  mutable Completion completion_;
  SparseDoubt doubt_;
  bool sure_ = true;
  std::unique_ptr<LinearKernel> dense_;
  LinearKernel* serving_ = nullptr;  ///< it holds the factor last made
  long hand_overs_ = 0;
};

}  // namespace

std::unique_ptr<LinearKernel> make_sparse() { return make_sparse(SparseDoubt::settle); }

std::unique_ptr<LinearKernel> make_sparse(SparseDoubt doubt) { return std::make_unique<Sparse>(doubt); }

}  // namespace taut
