#include "enforcement/row_turn.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "linear/eigenvalues.hpp"
#include "linear/pivoted_qr.hpp"
#include "linear/rounding_row.hpp"

namespace taut {
namespace {

/// Beyond so many rows the factorisation is felt beside a step.
constexpr int few_rows = 40;

}  // namespace

RowTurn::RowTurn(System& system) : system_(system), point_(system.make_point()) {
  const Shape& shape = system.shape();
  forget();
  inverse_inertia_.setOnes(shape.n_v());
  before_ = after_ = point_.H.values;
  products_.setZero(shape.position_rows, shape.position_rows);
  squares_before_ = squares_after_ = Vector::Zero(shape.position_rows);
  chosen_ = products_;
  rows_.reserve(static_cast<std::size_t>(shape.position_rows));
  before_q_ = stage_q_ = Vector::Zero(shape.n_q());
  stages_.fill(before_);
  factor_.compute(chosen_);
  list_pairs();
}

void RowTurn::forget() {
  before_t_ = after_t_ = std::numeric_limits<double>::quiet_NaN();
  rows_.clear();
}

bool RowTurn::is_cheap() const { return system_.shape().position_rows <= few_rows; }

void RowTurn::list_pairs() {
  const auto& entries = point_.H.pattern.entries;
  std::vector<std::vector<int>> in_column(static_cast<std::size_t>(system_.shape().n_v()));
  for (std::size_t k = 0; k < entries.size(); ++k)
    if (entries[k].first < system_.shape().position_rows)
      in_column[static_cast<std::size_t>(entries[k].second)].push_back(static_cast<int>(k));
  for (const auto& column : in_column)
    for (const int k : column)
      for (const int other : column)
        if (entries[k].first >= entries[other].first)
          pairs_.push_back({entries[k].first, entries[other].first, k, other, entries[k].second});
  std::ranges::stable_sort(pairs_, {}, [](const Pair& pair) { return std::pair(pair.other_row, pair.row); });
}

void RowTurn::begin(double t, const Vector& q, int rank) {
  if (t != before_t_) {
    const bool first = std::isnan(before_t_);
    before_t_ = t;
    before_q_ = q;
    if (t == after_t_) {
      before_.swap(after_);
    } else {
      system_.at_position(t, q, point_);
      before_ = point_.H.values;
    }
    if (first) weigh();
  }
  if (rank != static_cast<int>(rows_.size())) choose_rows(rank);
}

/// Rows of length 1, or 0, as columns.
Matrix RowTurn::directions(const Vector& values) const {
  Matrix columns = Matrix::Zero(system_.shape().n_v(), products_.rows());
  const auto& entries = point_.H.pattern.entries;
  for (std::size_t k = 0; k < entries.size(); ++k)
    if (const auto [row, column] = entries[k]; row < products_.rows())
      columns(column, row) = std::sqrt(inverse_inertia_[column]) * values[static_cast<Eigen::Index>(k)];
  const double longest = columns.cols() > 0 ? columns.colwise().norm().maxCoeff() : 0;
  for (auto column : columns.colwise()) {
    if (const double length = column.norm(); length > rounding_row * longest)
      column /= length;
    else
      column.setZero();
  }
  return columns;
}

/// By a factorisation where the step begins, unless all are independent.
void RowTurn::choose_rows(int rank) {
  rows_.resize(static_cast<std::size_t>(rank));
  std::iota(rows_.begin(), rows_.end(), 0);
  if (rank == products_.rows()) return;
  ++closer_looks_;
  const PivotedQr qr(directions(before_));
  std::copy_n(qr.order().data(), rank, rows_.begin());
}

/// Eigenvalues of A₁A₀⁺ are 1 where nothing has changed, and one of them goes through zero where A₁ loses rank, however
/// the others turn meanwhile. With A₀ᵀP = QR they are those of (Rᵀ)⁺Pᵀ A₁Q.
bool RowTurn::all_turn() const {
  const auto rank = static_cast<Eigen::Index>(rows_.size());
  const Matrix from = directions(before_), to = directions(after_);
  const PivotedQr qr(from);
  const Matrix upper = qr.R().topRows(rank).triangularView<Eigen::Upper>();
  const Matrix Q = qr.first_columns_of_Q(rank);
  const Matrix turned = to.transpose() * Q;
  const auto least =
      least_real_part_of_eigenvalues(solve_least_squares(upper.transpose(), turned(qr.order(), Eigen::all)));
  return !least || *least <= 0;
}

void RowTurn::weigh() {
  const auto& places = point_.M.pattern.entries;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const double inertia = std::abs(point_.M.values[static_cast<Eigen::Index>(k)]);
    if (places[k].first == places[k].second) inverse_inertia_[places[k].first] = inertia > 0 ? 1 / inertia : 1;
  }
}

bool RowTurn::turns(double t, const Vector& q) {
  system_.at_position(t, q, point_);
  after_ = point_.H.values;
  after_t_ = t;
  multiply(before_, after_);
  if (is_positive() || turns_little_in_parts(q)) return false;
  ++closer_looks_;
  choose_rows(static_cast<int>(rows_.size()));
  return all_turn();
}

/// Rows that have turned far need not have turned round: with stages between, no part of the way may turn by a right
/// angle. A combination that points against what it was does so in one of them.
bool RowTurn::turns_little_in_parts(const Vector& q) {
  const bool little = turns_little(0, 1, before_, after_, q, 0);
  multiply(before_, after_);
  return little;
}

/// From one share of the step to another, in halves: the middle is a stage on a straight line.
bool RowTurn::turns_little(double from, double to, const Vector& before, const Vector& after, const Vector& q,
                           std::size_t depth) {
  if (depth == stages_.size()) return false;
  const double middle = 0.5 * (from + to);
  stage_q_ = before_q_ + middle * (q - before_q_);
  system_.at_position(before_t_ + middle * (after_t_ - before_t_), stage_q_, point_);
  Vector& stage = stages_[depth];
  stage = point_.H.values;
  const auto part = [&](double a, double b, const Vector& first, const Vector& second) {
    multiply(first, second);
    return is_positive() || turns_little(a, b, first, second, q, depth + 1);
  };
  return part(from, middle, before, stage) && part(middle, to, stage, after);
}

double RowTurn::cosine(const Vector& v, const Vector& w) const {
  const auto product = [this](const Vector& a, const Vector& b) {
    return a.cwiseProduct(b).cwiseQuotient(inverse_inertia_).sum();
  };
  return product(v, w) / std::sqrt(product(v, v) * product(w, w));
}

void RowTurn::multiply(const Vector& before, const Vector& after) {
  products_.setZero();
  squares_before_.setZero();
  squares_after_.setZero();
  for (const Pair& p : pairs_) {
    const double weight = inverse_inertia_[p.column];
    products_(p.row, p.other_row) +=
        weight * (after[p.entry] * before[p.other_entry] + before[p.entry] * after[p.other_entry]);
    if (p.row != p.other_row) continue;
    squares_before_[p.row] += weight * before[p.entry] * before[p.entry];
    squares_after_[p.row] += weight * after[p.entry] * after[p.entry];
  }
}

double RowTurn::angle() const {
  double least = 1;
  for (const int k : rows_)
    least = std::min(least, 0.5 * products_(k, k) / std::sqrt(squares_before_[k] * squares_after_[k]));
  return std::acos(std::clamp(least, -1.0, 1.0));
}

bool RowTurn::is_positive() {
  const auto rank = static_cast<Eigen::Index>(rows_.size());
  if (rank < chosen_.rows()) chosen_.setIdentity();
  for (Eigen::Index i = 0; i < rank; ++i)
    for (Eigen::Index j = 0; j <= i; ++j) {
      const auto [less, more] = std::minmax(rows_[i], rows_[j]);
      chosen_(i, j) = products_(more, less);
    }
  factor_.compute(chosen_);
  return factor_.info() == Eigen::Success;
}

}  // namespace taut
