#include "simulation/loop_closing.hpp"

#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "linear/rounding_row.hpp"
#include "model/tree/joint_form.hpp"

/// With rows r(q) = (Φ; c − target) and slopes J in the joints' speeds, each row of length 1 in the weighted speeds:
///   predicted     the step before again; at first, and where that leads astray, J⁺ (0; Δtarget)
///   corrected     q ← q − J⁺ r, the pseudo-inverse of fixed rank: rows that others imply look independent off the
///   loops
/// Where ways of closing the loops meet, J loses rank, and the product of its singular values changes its sign on the
/// way through: the sign of det(Uᵀ J V), with U and V of the last regular place.
namespace taut {
namespace {

using Svd = Eigen::JacobiSVD<Matrix>;

constexpr double longest_step = 0.05;  // rad, or of the longest arm
constexpr double shortest_step = 1e-7;
/// A correction this large, beside the step, may lead to another way of closing the loops.
constexpr double most_corrected = 0.2;
constexpr int most_iterations = 60;
constexpr double closed = 1e-12;
/// Singular values below this share of the largest are those of rows that others imply.
constexpr double rank_tolerance = 1e-9;
constexpr double nearly_singular = 1e-4;
constexpr int attempts = 60;

Svd factor(const Matrix& J) { return Svd(J, Eigen::ComputeThinU | Eigen::ComputeThinV); }

int rank_of(const Svd& svd) {
  const auto& s = svd.singularValues();
  return s.size() == 0 ? 0 : static_cast<int>((s.array() > rank_tolerance * std::max(s[0], 1e-300)).count());
}

/// J⁺ r with the first singular values alone.
Vector solve(const Svd& svd, int rank, const Vector& r) {
  const auto k = std::min<Eigen::Index>(rank, svd.singularValues().size());
  const Vector scaled =
      (svd.matrixU().leftCols(k).transpose() * r).cwiseQuotient(svd.singularValues().head(k).cwiseMax(1e-300));
  return svd.matrixV().leftCols(k) * scaled;
}

/// Of a matrix's rows, that have a direction.
double least_length(const Matrix& J) { return J.rows() > 0 ? rounding_row * J.rowwise().norm().maxCoeff() : 0; }

double size_of(const Vector& v) { return v.size() > 0 ? v.lpNorm<Eigen::Infinity>() : 0; }

std::vector<Expression> formulas_of(const Model& model, const std::vector<LeadingCoordinate>& leading) {
  std::vector<Expression> list;
  for (const LeadingCoordinate& c : leading) list.insert(list.end(), {c.value, c.rate});
  for (std::size_t b = 1; b < model.bodies.size(); ++b)
    for (int k = 0; k < 3; ++k) list.push_back(model.bodies[b].omega[k]);
  return list;
}

double to_nearest_turn(double value, double near) {
  constexpr double turn = 2 * std::numbers::pi;
  return value + turn * std::round((near - value) / turn);
}

}  // namespace

LoopClosing::LoopClosing(const Model& joints, const InitialValues& start, std::vector<LeadingCoordinate> leading)
    : model_(joints),
      system_(make_system(joints, start.parameters)),
      leading_(std::move(leading)),
      speeds_(speeds_of(joints)),
      formulas_(joints, start, formulas_of(joints, leading_)),
      point_(system_->make_point()) {
  longest_ = joints.joint_form->length > 0 ? joints.joint_form->length : 1;
  q_ = Eigen::Map<const Vector>(start.coordinates.data(), static_cast<Eigen::Index>(start.coordinates.size()));
  system_->retract(0, q_);
  weigh(start);
  values_.assign(leading_.size(), 0.0);
  set_q(q_);
}

void LoopClosing::set_q(const Vector& q) {
  Pose at{q, values_, Vector::Zero(weights_.size())};
  read_leading(at);
  q_ = at.q;
  values_ = at.values;
  last_.resize(0);
}

/// A soft row gives way: there is nothing to meet.
bool LoopClosing::is_soft(Eigen::Index row) const {
  const auto& softness = shape().softness;
  return row < static_cast<Eigen::Index>(softness.size()) && softness[static_cast<std::size_t>(row)] > 0;
}

void LoopClosing::weigh(const InitialValues& start) {
  weights_ = Vector::Constant(static_cast<Eigen::Index>(speeds_.size()), longest_);
  for (std::size_t k = 0; k < start.coordinates.size(); ++k)
    formulas_.set(model_.coordinates[k].symbol, q_[static_cast<Eigen::Index>(k)]);
  const auto bodies = static_cast<Eigen::Index>(3 * (model_.bodies.size() - 1));
  for (std::size_t k = 0; k < speeds_.size(); ++k) {
    formulas_.set(speeds_[k], 1);
    if (formulas_().tail(bodies).cwiseAbs().maxCoeff() > 0) weights_[static_cast<Eigen::Index>(k)] = 1;
    formulas_.set(speeds_[k], 0);
  }
}

void LoopClosing::read_leading(Pose& at) {
  for (std::size_t k = 0; k < model_.coordinates.size(); ++k)
    formulas_.set(model_.coordinates[k].symbol, at.q[static_cast<Eigen::Index>(k)]);
  const Vector all = formulas_();
  for (std::size_t k = 0; k < leading_.size(); ++k) {
    const double value = all[static_cast<Eigen::Index>(2 * k)];
    at.values[k] = leading_[k].wraps ? to_nearest_turn(value, at.values[k]) : value;
  }
}

/// At the place last read.
void LoopClosing::slopes_of_leading(Matrix& G) {
  for (std::size_t k = 0; k < speeds_.size(); ++k) {
    formulas_.set(speeds_[k], 1);
    const Vector all = formulas_();
    formulas_.set(speeds_[k], 0);
    for (Eigen::Index i = 0; i < G.rows(); ++i) G(i, static_cast<Eigen::Index>(k)) = all[2 * i + 1];
  }
}

void LoopClosing::evaluate(Pose& at, const std::vector<double>& targets, Rows& rows) {
  const Eigen::Index p = shape().position_rows, led = static_cast<Eigen::Index>(targets.size()), n = weights_.size();
  system_->at_position(0, at.q, point_);
  read_leading(at);
  Matrix H = Matrix::Zero(shape().rows(), n), G = Matrix::Zero(led, n);
  point_.H.to_dense(H);
  slopes_of_leading(G);
  rows.r.resize(p + led);
  rows.J.resize(p + led, n);
  rows.J << H.topRows(p), G;
  rows.J = rows.J * weights_.asDiagonal();
  rows.r.head(p) = point_.Phi.head(p);
  for (Eigen::Index k = 0; k < led; ++k)
    rows.r[p + k] = at.values[static_cast<std::size_t>(k)] - targets[static_cast<std::size_t>(k)];
  const double least = least_length(rows.J);
  for (Eigen::Index i = 0; i < p + led; ++i) {
    const double length = rows.J.row(i).norm();
    const double scale = i < p && is_soft(i) ? 0 : length > least ? 1 / length : 1;
    rows.r[i] *= scale;
    rows.J.row(i) *= scale;
  }
}

void LoopClosing::move(Pose& at, const Vector& by) {
  Vector dq = Vector::Zero(at.q.size());
  system_->spread(0, at.q, weights_.cwiseProduct(by), dq);
  at.q += dq;
  at.moved += by;
  system_->retract(0, at.q);
  read_leading(at);
}

/// Corrections of more than `most` altogether are given up.
bool LoopClosing::correct(Pose& at, const std::vector<double>& targets, int rank, double most) {
  Rows rows;
  double before = HUGE_VAL, moved = 0;
  for (int k = 0; k < most_iterations; ++k) {
    evaluate(at, targets, rows);
    const double off = size_of(rows.r);
    if (!std::isfinite(off)) return false;
    if (off <= closed && off > 0.5 * before) return true;
    if (off == 0) return true;
    before = off;
    const Vector by = -solve(factor(rows.J), rank, rows.r);
    moved += by.norm();
    if (!(moved <= most)) return false;
    move(at, by);
  }
  return before <= closed;
}

void LoopClosing::refer(const Matrix& J) {
  const Svd svd = factor(J);
  const auto k = std::min<Eigen::Index>(rank_, svd.singularValues().size());
  reference_ = {svd.matrixU().leftCols(k), svd.matrixV().leftCols(k),
                svd.singularValues().head(k).cwiseMax(1e-300).array().log().sum()};
}

int LoopClosing::side(const Matrix& J) const {
  const Matrix seen = reference_.left.transpose() * J * reference_.right;
  if (seen.rows() == 0) return 1;
  const Svd svd(seen, Eigen::ComputeFullU | Eigen::ComputeFullV);
  if (svd.singularValues().minCoeff() < nearly_singular * svd.singularValues().maxCoeff()) return 0;
  return svd.matrixU().determinant() * svd.matrixV().determinant() > 0 ? 1 : -1;
}

bool LoopClosing::step(const std::vector<double>& targets, double by, Pose& next) {
  Rows rows;
  Vector predicted;
  next.moved = Vector::Zero(weights_.size());
  if (last_.size() > 0) {
    predicted = by * last_;
  } else {
    evaluate(next, targets, rows);
    predicted = -solve(factor(rows.J), rank_, rows.r);
  }
  if (!(predicted.norm() <= 1)) return false;
  move(next, predicted);
  return correct(next, targets, rank_, most_corrected * predicted.norm() + closed);
}

LoopClosing::Way LoopClosing::lead(const std::vector<double>& targets) {
  Pose here = pose();
  const std::vector<double> from(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(targets.size()));
  const auto at_share = [&](double share) {
    std::vector<double> goal(from);
    for (std::size_t k = 0; k < goal.size(); ++k) goal[k] += share * (targets[k] - from[k]);
    return goal;
  };
  double longest = 0;
  for (std::size_t k = 0; k < targets.size(); ++k)
    longest = std::max(longest, std::abs(targets[k] - from[k]) / (leading_[k].is_angle ? 1 : longest_));
  Way way;
  Rows rows;
  evaluate(here, from, rows);
  rank_ = rank_of(factor(rows.J));
  correct(here, from, rank_, longest_step);  // drawn in a few digits
  evaluate(here, from, rows);
  rank_ = rank_of(factor(rows.J));
  const int most_rank = static_cast<int>(std::min(rows.J.rows(), rows.J.cols()));
  refer(rows.J);
  last_.resize(0);
  double by = std::min(1.0, longest_step / std::max(longest, 1e-300));
  const double largest = by, least = shortest_step / std::max(longest, 1e-300);
  while (way.share < 1) {
    const double next_share = way.share + by >= 1 - 1e-12 ? 1 : way.share + by;
    Pose next = here;
    if (!step(at_share(next_share), next_share - way.share, next)) {
      by /= 2;
      last_.resize(0);  // near the end of the reach the step before is no guide
      if (by >= least) continue;
      if (way.share == 0 && rank_ < most_rank) {  // drawn in a position in which rows depend on each other by chance
        ++rank_;
        by = largest;
        continue;
      }
      way.open = farthest(here, at_share(std::min(1.0, way.share + largest)));
      break;
    }
    evaluate(next, at_share(next_share), rows);
    const int now = side(rows.J);
    if (now < 0) way.meets.push_back(next_share);
    if (now != 0) refer(rows.J);
    last_ = next.moved / (next_share - way.share);
    here = next;
    way.share = next_share;
    by = std::min(largest, 1.5 * by);
  }
  q_ = here.q;
  values_ = here.values;
  return way;
}

std::vector<int> LoopClosing::farthest(Pose at, const std::vector<double>& targets) {
  Rows rows;
  for (int k = 0; k < 20; ++k) {
    evaluate(at, targets, rows);
    const Vector by = -solve(factor(rows.J), rank_, rows.r);
    move(at, by * std::min(1.0, 0.1 / std::max(by.norm(), 1e-300)));
  }
  evaluate(at, targets, rows);
  std::vector<int> order;
  for (int i = 0; i < shape().position_rows; ++i) order.push_back(i);
  std::ranges::sort(order, [&](int a, int b) { return std::abs(rows.r[a]) > std::abs(rows.r[b]); });
  return order;
}

double LoopClosing::distance(const Pose& at, std::size_t first, const std::vector<double>& hints) const {
  double sum = 0;
  for (std::size_t k = 0; k < hints.size(); ++k) {
    const LeadingCoordinate& c = leading_[first + k];
    const double value = c.is_angle ? to_nearest_turn(at.values[first + k], hints[k]) : at.values[first + k];
    sum += std::pow((value - hints[k]) / (c.is_angle ? 1 : longest_), 2);
  }
  return std::sqrt(sum);
}

/// Brings the leading coordinates to where they are wanted, with the loops open.
void LoopClosing::bring(Pose& at, const std::vector<double>& wanted) {
  Rows rows;
  const auto led = static_cast<Eigen::Index>(wanted.size());
  for (int k = 0; k < 10; ++k) {
    evaluate(at, wanted, rows);
    const Svd svd = factor(rows.J.bottomRows(led));
    move(at, -solve(svd, rank_of(svd), rows.r.tail(led)));
  }
}

/// Every joint of the loops anywhere.
void LoopClosing::scatter(std::mt19937& random, const std::vector<bool>& in_loops, Pose& at) {
  Vector by = Vector::Zero(weights_.size());
  for (Eigen::Index k = 0; k < by.size(); ++k)
    if (in_loops[static_cast<std::size_t>(k)]) by[k] = std::numbers::pi * (2.0 * random() / 4294967296.0 - 1);
  move(at, by);
}

/// Where it is drawn, rows may depend on each other by chance, as in a dead centre: the rank may be larger elsewhere.
bool LoopClosing::close_near(const std::vector<double>& targets, const std::vector<double>& hints) {
  Rows rows;
  Pose at = pose();
  evaluate(at, targets, rows);
  std::vector<bool> in_loops;
  for (const auto& column : rows.J.topRows(shape().position_rows).colwise()) in_loops.push_back(!column.isZero(0));
  const int most_rank = static_cast<int>(std::min(rows.J.rows(), rows.J.cols()));
  for (rank_ = rank_of(factor(rows.J)); rank_ <= most_rank; ++rank_)
    if (close_near_with_rank(targets, hints, in_loops)) return true;
  return false;
}

bool LoopClosing::close_near_with_rank(const std::vector<double>& targets, const std::vector<double>& hints,
                                       const std::vector<bool>& in_loops) {
  std::vector<double> wanted = targets;
  wanted.insert(wanted.end(), hints.begin(), hints.end());
  const Pose first = pose();
  Pose at = first;
  const bool several = rank_ < std::ranges::count(in_loops, true);  // what is not led stays where it is
  std::mt19937 random(17);
  std::optional<Pose> best;
  for (int k = 0; k < (several ? 2 : attempts); ++k) {
    at = first;
    if (k > 1) scatter(random, in_loops, at);
    if (k > 0) bring(at, wanted);
    if (!correct(at, targets, rank_, HUGE_VAL)) continue;
    if (!best || distance(at, targets.size(), hints) < distance(*best, targets.size(), hints) - 1e-6) best = at;
  }
  if (!best) return false;
  q_ = best->q;
  values_ = best->values;
  last_.resize(0);
  return true;
}

std::vector<double> LoopClosing::rates(const Vector& v) {
  Pose at = pose();
  read_leading(at);
  Matrix G = Matrix::Zero(static_cast<Eigen::Index>(leading_.size()), weights_.size());
  slopes_of_leading(G);
  const Vector all = G * v;
  return {all.begin(), all.end()};
}

bool LoopClosing::set_rates(const std::vector<std::optional<double>>& rates, Vector& v) {
  const Eigen::Index m = shape().rows(), led = static_cast<Eigen::Index>(rates.size()), n = weights_.size();
  Pose at = pose();
  system_->at_position(0, q_, point_);
  read_leading(at);
  Matrix H = Matrix::Zero(m, n), G = Matrix::Zero(led, n), J(m + led, n);
  slopes_of_leading(G);
  Vector r(m + led);
  double before = HUGE_VAL;
  const auto good_enough = [&](double off) { return off <= 1e-9 * (1 + size_of(v.cwiseQuotient(weights_))); };
  for (int k = 0; k < most_iterations; ++k) {  // constraints may be nonlinear in the speeds
    system_->at_velocity(0, q_, v, point_);
    H.setZero();
    point_.H.to_dense(H);
    J << H, G;
    r.head(m) = point_.chi;
    for (Eigen::Index i = 0; i < led; ++i) r[m + i] = G.row(i).dot(v) - rates[static_cast<std::size_t>(i)].value_or(0);
    J = J * weights_.asDiagonal();
    const double least = least_length(J);
    for (Eigen::Index i = 0; i < m + led; ++i) {
      const double length = J.row(i).norm();
      const bool counts = i < m ? !is_soft(i) : rates[static_cast<std::size_t>(i - m)].has_value();
      const double scale = counts && length > least ? 1 / length : 0;
      r[i] *= scale;
      J.row(i) *= scale;
    }
    const double off = size_of(r);
    if (!std::isfinite(off)) return false;
    if (off == 0 || off > 0.5 * before) return good_enough(off);
    before = off;
    const Svd svd = factor(J);
    v -= weights_.cwiseProduct(solve(svd, rank_of(svd), r));
  }
  return good_enough(before);
}

}  // namespace taut
