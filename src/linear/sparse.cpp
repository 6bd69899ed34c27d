#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cassert>
#include <cmath>

#include "linear/list.hpp"
#include "linear/sparse_factor.hpp"

namespace taut {
namespace {

using Places = std::vector<std::pair<int, int>>;

/// The columns of each row of H.
std::vector<std::vector<int>> columns_of_rows(const Pattern& H, int rows) {
  std::vector<std::vector<int>> columns(rows);
  for (const auto& [row, column] : H.entries)
    if (row < rows) columns[row].push_back(column);
  for (auto& row : columns) std::ranges::sort(row);
  return columns;
}

/// Which speeds M and H link: the pattern of M + HᵀH. A row with very many entries would make it full; it takes no
/// part.
using Links = Eigen::SparseMatrix<char, Eigen::ColMajor>;

Links links_of_speeds(int n, const Pattern& M, const std::vector<std::vector<int>>& rows) {
  const double many = 16 + 10 * std::sqrt(n);
  std::vector<Eigen::Triplet<char>> places;
  for (const auto& [i, j] : M.entries)
    if (i != j) places.emplace_back(i, j, 1);
  const std::vector<int>* last = nullptr;
  for (const auto& row : rows) {
    if (static_cast<double>(row.size()) > many || (last && std::ranges::includes(*last, row))) continue;
    for (const int i : row)
      for (const int j : row)
        if (i != j) places.emplace_back(i, j, 1);
    last = &row;
  }
  Links links(n, n);
  links.setFromTriplets(places.begin(), places.end(), [](char, char) { return char{1}; });
  return links;
}

/// An order of the speeds for which the factor stays sparse: approximate minimum degree.
std::vector<int> by_minimum_degree(const Links& links) {
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation(links.cols());
  Eigen::AMDOrdering<int>()(links, permutation);
  return {permutation.indices().data(), permutation.indices().data() + links.cols()};
}

/// Unknowns in the order of elimination: the speeds as given, each row (number n + i) right after the last of its
/// speeds. Its pivot is then what is left of the row after those before it, and zero just where they imply it.
std::vector<int> order_of_all(const std::vector<int>& speeds, const std::vector<std::vector<int>>& rows, int m) {
  const int n = static_cast<int>(speeds.size());
  std::vector<int> position(n);
  for (int k = 0; k < n; ++k) position[speeds[k]] = k;
  std::vector<std::vector<int>> after(n + 1);
  for (int i = 0; i < m; ++i) {
    int last = rows[i].empty() ? n : 0;
    for (const int j : rows[i]) last = std::max(last, position[j]);
    after[last].push_back(n + i);
  }
  std::vector<int> order;
  order.reserve(n + m);
  for (int k = 0; k <= n; ++k) {
    if (k < n) order.push_back(speeds[k]);
    order.insert(order.end(), after[k].begin(), after[k].end());
  }
  return order;
}

/// One product of two entries of a row of H, which completes an entry of M.
struct Product {
  int row, first, second;           ///< entries of H, by number
  FactorPattern::Slot whole, mass;  ///< where it goes in the two matrices; on the diagonal, which place
};

/// What (M, H) of one pattern need: an order of elimination, the patterns of the factors of
/// [[M, Hᵀ], [H, −σ²]] and of M, where each value goes, and room to work in.
struct Arrangement {
  std::shared_ptr<const FactorPattern> whole, mass;
  std::shared_ptr<FactorRoom> room;
  std::vector<FactorPattern::Slot> M_whole, M_mass, H_whole;  ///< slots; of entries below the diagonal of M only
  std::vector<Product> products;                              ///< where the constraints complete M
  SparseFactor mass_factor;  ///< hardly any method asks for it: made for those that do, and one serves all kernels
  const void* mass_owner = nullptr;  ///< the kernel whose M it holds

  Arrangement(int n, int m, int all_rows, const Pattern& M, const Pattern& H, bool completed) {
    const auto rows = columns_of_rows(H, all_rows);
    if (completed) find_products(H, all_rows);
    Places both = places_of_mass(M, H);
    for (const auto& [row, column] : H.entries)
      if (row < m) both.emplace_back(n + row, column);
    const Links links = links_of_speeds(n, M, rows);
    const std::vector<int> speeds = by_minimum_degree(links);
    whole = std::make_shared<FactorPattern>(both, order_of_all(speeds, rows, m));
    take_slots(n, m, M, H);
    room = std::make_shared<FactorRoom>(*whole);
  }

  /// For factors of M alone, with the speeds in the same order.
  void expect_mass(int n, const Pattern& M, const Pattern& H) {
    if (mass) return;
    std::vector<int> speeds;
    speeds.reserve(n);
    for (int k = 0; k < whole->size(); ++k)
      if (whole->at(k) < n) speeds.push_back(whole->at(k));
    mass = std::make_shared<FactorPattern>(places_of_mass(M, H), std::move(speeds));
    for (const auto& [i, j] : M.entries)
      if (i >= j) M_mass.push_back(i == j ? mass->position(i) : mass->slot(i, j));
    for (Product& product : products) {
      const int i = H.entries[product.first].second, j = H.entries[product.second].second;
      product.mass = product.first == product.second ? mass->position(i) : mass->slot(i, j);
    }
    mass_factor = SparseFactor(mass, std::make_shared<FactorRoom>(*mass));
  }

 private:
  /// Below the diagonal of M, completed where it must be.
  Places places_of_mass(const Pattern& M, const Pattern& H) const {
    Places places;
    for (const auto& [i, j] : M.entries)
      if (i > j) places.emplace_back(i, j);
    for (const Product& product : products)
      if (product.first != product.second)
        places.emplace_back(H.entries[product.first].second, H.entries[product.second].second);
    return places;
  }

  void find_products(const Pattern& H, int all_rows) {
    std::vector<std::vector<int>> entries(all_rows);
    for (std::size_t k = 0; k < H.entries.size(); ++k)
      if (H.entries[k].first < all_rows) entries[H.entries[k].first].push_back(static_cast<int>(k));
    for (int row = 0; row < all_rows; ++row)
      for (const int a : entries[row])
        for (const int b : entries[row]) {
          const int i = H.entries[a].second, j = H.entries[b].second;
          if (i < j) continue;
          products.push_back({row, a, b, 0, 0});
        }
  }

  void take_slots(int n, int m, const Pattern& M, const Pattern& H) {
    const auto lower = static_cast<std::size_t>(
        std::ranges::count_if(M.entries, [](const auto& entry) { return entry.first >= entry.second; }));
    M_whole.reserve(lower);
    for (const auto& [i, j] : M.entries) {
      if (i < j) continue;
      M_whole.push_back(i == j ? whole->position(i) : whole->slot(i, j));
    }
    for (Product& product : products) {
      const int i = H.entries[product.first].second, j = H.entries[product.second].second;
      product.whole = product.first == product.second ? whole->position(i) : whole->slot(i, j);
    }
    H_whole.reserve(H.entries.size());
    for (const auto& [row, column] : H.entries) H_whole.push_back(row < m ? whole->slot(n + row, column) : 0);
  }
};

/// Both arrangements of one pattern, shared by the kernels of one system. The second is made when it is needed. The
/// vectors hold nothing from one call to the next.
struct Arrangements {
  Pattern M, H;
  std::shared_ptr<Arrangement> plain, completed;
  Vector sizes, top, right, mu, solution, none, mass_solution;
  bool divide_by_mass = false;  ///< they are to be ready for that
};

/// Factors the whole matrix of the problem,
///   [ M  Hᵀ ] [  x ]   [ f ]
///   [ H −σ² ] [ −λ ] = [ c ],
/// as LDLᵀ in an order found once. A row is eliminated right after the last of its speeds: its pivot is what is left of
/// it after the rows eliminated before it, in the metric of the speeds eliminated so far, and a row that those imply is
/// left out. No other pivoting is needed, so that work and memory are fixed, and for chains and trees of loops they
/// grow like their length.
///
/// Pivots are squares here, as in Cholesky's method: a row is taken as implied below about 1e-7 of its size.
class Sparse : public LinearKernel {
 public:
  bool carries_soft_rows() const override { return true; }

  void expect(const Pattern& M, const Pattern& H) override { take(M, H); }

  void share(const LinearKernel& other) override {
    if (const auto* like = dynamic_cast<const Sparse*>(&other);
        like && like->n_ == n_ && like->m_ == m_ && like->further_ == further_)
      arrangements_ = like->arrangements_;
  }

  bool decide(const SparseValues& M, const SparseValues& H) override { return run(M, H, true); }
  bool factor(const SparseValues& M, const SparseValues& H) override { return run(M, H, false); }

  void accelerate(const Vector& f, const Vector& c, Vector& x, Vector& lambda) override {
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

  void expect_division_by_mass() override {
    if (!arrangements_) return;
    arrangements_->divide_by_mass = true;
    make_mass();
  }

  /// M is factored when it is asked for: hardly any method does.
  void divide_by_mass(const Vector& x, Vector& out) const override {
    if (!mass_factored_ || arrangement_->mass_owner != this) factor_mass();
    const FactorPattern& pattern = *arrangement_->mass;
    Vector& solution = arrangements_->mass_solution;
    for (int k = 0; k < n_; ++k) solution[k] = x[pattern.at(k)];
    arrangement_->mass_factor.solve(solution);
    for (int k = 0; k < n_; ++k) out[pattern.at(k)] = solution[k];
  }

  Vector missing_direction() const override {
    Vector direction = Vector::Zero(n_), all = Vector::Zero(n_ + m_);
    if (!finite_) return direction;
    whole_.null_vector(all);
    for (int j = 0; j < n_; ++j) direction[j] = all[whole_.pattern().position(j)];
    return direction.normalized();
  }

 private:
  /// A pivot whose square is below this, relative to its row or to the terms it is the difference of, is rounding.
  static constexpr double finest_square = 1e-14;
  /// Below this it is not divided by, whatever was decided.
  static constexpr double noise = 1e-15;
  /// Above this smallest pivot, its square leaves half of the digits at least, and a projection repeats the correction.
  static constexpr double plain = 1e-4;

  void resize() override {
    arrangements_.reset();
    arrangement_.reset();
    counts_.assign(m_, 1);
  }

  // ---- the pattern --------------------------------------------------------------------------------

  void take(const Pattern& M, const Pattern& H) {
    if (!arrangements_) {
      arrangements_ = std::make_shared<Arrangements>();
      arrangements_->M = M;
      arrangements_->H = H;
      for (Vector* rows : {&arrangements_->sizes, &arrangements_->right, &arrangements_->mu})
        rows->setZero(m_ + further_);
      for (Vector* speeds : {&arrangements_->top, &arrangements_->none}) speeds->setZero(n_);
      arrangements_->solution.setZero(n_ + m_);
    }
    M_.setZero(static_cast<Eigen::Index>(M.entries.size()));
    H_.setZero(static_cast<Eigen::Index>(H.entries.size()));
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
    if (mass_completed_) weights_.setZero(m_ + further_);
    if (arrangements_->divide_by_mass) make_mass();
    whole_ = SparseFactor(arrangement_->whole, arrangement_->room);
  }

  void make_mass() const {
    arrangement_->expect_mass(n_, arrangements_->M, arrangements_->H);
    arrangements_->mass_solution.resize(n_);
  }

  const Places& M_places() const { return arrangements_->M.entries; }
  const Places& H_places() const { return arrangements_->H.entries; }

  // ---- factoring ----------------------------------------------------------------------------------

  bool run(const SparseValues& M, const SparseValues& H, bool deciding) {
    finite_ = M.values.allFinite() && H.values.allFinite();
    if (!finite_) return false;
    if (!arrangement_) take(M.pattern, H.pattern);
    M_ = M.values;
    H_ = H.values;
    mass_factored_ = false;
    if (!deciding) recall_decision();
    if (!mass_completed_) {
      if (attempt(deciding)) return true;
      mass_completed_ = true;
    }
    arrange();
    return attempt(deciding);
  }

  bool attempt(bool deciding) {
    fill(whole_, arrangement_->M_whole, &Product::whole);
    const auto& pattern = arrangement_->whole;
    for (std::size_t e = 0; e < H_places().size(); ++e)
      if (H_places()[e].first < m_) whole_.add(arrangement_->H_whole[e], H_[static_cast<Eigen::Index>(e)]);
    for (int i = 0; i < m_; ++i)
      if (is_soft(i)) whole_.add_diagonal(pattern->position(n_ + i), -softness(i));
    if (deciding) measure_rows();
    double least = 1;
    largest_ = 0;
    for (int j = 0; j < n_; ++j) largest_ = std::max(largest_, std::abs(whole_.diagonal(pattern->position(j))));
    const bool ok = whole_.factor([&](int k, double d, double size) {
      const int i = pattern->at(k) - n_;
      return i < 0 ? judge_speed(k, d) : judge_row(i, -d, size, deciding, least);
    });
    if (ok && deciding) record_decision();
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
    find_weights();
    for (const Product& product : arrangement_->products) {
      const double value = weights_[product.row] * H_[product.first] * H_[product.second];
      product.first == product.second ? factor.add_diagonal(static_cast<int>(product.*slot), value)
                                      : factor.add(product.*slot, value);
    }
  }

  /// Each row is weighed against its own size, so that scaling a row changes nothing. A soft row is not met, so that
  /// what it adds would not cancel.
  void find_weights() const {
    double largest = 0;
    for (std::size_t e = 0; e < M_places().size(); ++e)
      if (M_places()[e].first == M_places()[e].second)
        largest = std::max(largest, std::abs(M_[static_cast<Eigen::Index>(e)]));
    weights_.setZero();
    for (std::size_t e = 0; e < H_places().size(); ++e) {
      const int row = H_places()[e].first;
      const double h = H_[static_cast<Eigen::Index>(e)];
      if (row < m_ + further_ && !is_soft(row)) weights_[row] += h * h;
    }
    for (double& weight : weights_) weight = weight > 0 ? (largest > 0 ? largest : 1) / weight : 0;
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

  SparseFactor::Pivot judge_speed(int k, double d) const {
    const bool resists = d > 1e-16 * largest_ && d > finest_square * whole_.diagonal(k);
    return resists ? SparseFactor::Pivot::use : SparseFactor::Pivot::stop;
  }

  /// `square` is what is left of row i after those before it, found as a difference of terms of this size.
  SparseFactor::Pivot judge_row(int i, double square, double size, bool deciding, double& least) {
    if (is_soft(i)) {
      counts_[i] = 1;
      return SparseFactor::Pivot::use;
    }
    if (deciding && square > 0) measure_row(i, std::sqrt(square));
    const double relative = square * scale_[i] * scale_[i];
    if (deciding)
      counts_[i] = relative > std::max(finest_square, tolerance_ * tolerance_) && square > finest_square * size;
    if (!counts_[i]) return SparseFactor::Pivot::leave_out;
    least = std::min(least, relative > 0 ? std::sqrt(relative) : 0);
    return relative > noise && square > noise * size ? SparseFactor::Pivot::use : SparseFactor::Pivot::leave_out;
  }

  void factor_mass() const {
    make_mass();
    fill(arrangement_->mass_factor, arrangement_->M_mass, &Product::mass);
    arrangement_->mass_owner = this;
    arrangement_->mass_factor.factor(
        [](int, double d, double) { return d > 0 ? SparseFactor::Pivot::use : SparseFactor::Pivot::leave_out; });
    mass_factored_ = true;
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
    for (int i = 0; i < m_; ++i) right[i] = c[i] + softness(i) * mu[i];
    for (std::size_t e = 0; e < H_places().size(); ++e) {
      const auto [row, column] = H_places()[e];
      if (row >= m_) continue;
      const double h = H_[static_cast<Eigen::Index>(e)];
      top[column] -= h * mu[row];
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

  void weigh(Vector& rows) const { rows.head(m_).array() *= weights_.head(m_).array(); }

  /// out += Hᵀ rows.
  void add_transposed(const Vector& rows, Vector& out) const {
    for (std::size_t e = 0; e < H_places().size(); ++e) {
      const auto [row, column] = H_places()[e];
      if (row < m_) out[column] += H_[static_cast<Eigen::Index>(e)] * rows[row];
    }
  }

  std::shared_ptr<Arrangements> arrangements_;
  std::shared_ptr<Arrangement> arrangement_;
  SparseFactor whole_;
  mutable bool mass_factored_ = false;
  bool finite_ = true;
  double largest_ = 0;
  Vector M_, H_;              ///< values last given
  std::vector<char> counts_;  ///< which rows count
  mutable Vector weights_;    ///< W of the completed mass M + HᵀWH
};

}  // namespace

std::unique_ptr<LinearKernel> make_sparse() { return std::make_unique<Sparse>(); }

}  // namespace taut
