#include "enforcement/critical_point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "enforcement/term_sizes.hpp"
#include "linear/orthogonal_decomposition.hpp"
#include "linear/pivoted_qr.hpp"

namespace taut {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double infinity = std::numeric_limits<double>::infinity();
/// Beyond this dense matrices take longer than the motion they look after.
constexpr int most_speeds = 200;
constexpr int most_iterations = 20;
/// How often the number of vanishing combinations is chosen anew.
constexpr int most_rounds = 4;
/// Differences over this share of a coordinate's unit give second derivatives to five digits, so that an iteration
/// gains as many.
constexpr double difference = 1e-6;
/// Directions in which the curvature is below this, relative to the largest, are those of a family of critical points.
constexpr double flat = 1e-4;
/// A step this short ends the search: what it leaves of the critical value is its square.
constexpr double converged = 1e-8;
/// A pivot this small at a critical point is that of a vanishing combination.
constexpr double vanishes = 1e-5;
/// Pivots within this factor of the smallest may vanish together with it.
constexpr double alike = 3;
/// So many times what rounding makes of w·Φ on the average are what it explains.
constexpr double rounding_margin = 4;
/// At so many neighbouring positions that is looked at.
constexpr int neighbours = 16;
/// Below this many times rounding the shape of a bend is known to less than three digits. With one freedom it does not
/// matter beyond the bend, and what counts is which way it turns.
constexpr double resolved = 1e3, resolved_in_plane = 10;
/// A motion that is itself off the constraints by more than this share of the critical value does not know on which
/// side of them it passes.
constexpr double side_known = 0.5;
/// At the vertex of a bend that its error makes, a motion is as far from the critical point as that error lifts it;
/// this many times as much is near.
constexpr double near_vertex = 100;

struct Position {
  double t;
  Vector q;
};

/// What independent rows are like at one position: those with the smallest pivots may vanish, the others are firm.
struct Frame {
  Vector pivots;      ///< largest first
  Matrix W;           ///< combinations that vanish: a row and what the firm ones have of it, of length 1
  Matrix Z;           ///< directions along which the firm rows stay as they are
  Vector to_surface;  ///< the shortest way to where the firm rows are zero

  int vanishing(double below) const { return static_cast<int>((pivots.array() < below).count()); }
};

/// A = L Q with rows in the order of their pivots.
Frame frame_of(const Matrix& A, const Vector& residual, int vanishing) {
  const Eigen::Index rank = A.rows(), n = A.cols(), firm = rank - vanishing;
  const PivotedQr qr(A.transpose());
  const auto& order = qr.order();
  const Matrix upper = qr.R().topLeftCorner(rank, rank).triangularView<Eigen::Upper>();
  const auto firm_part = upper.topLeftCorner(firm, firm).triangularView<Eigen::Upper>();
  Frame frame;
  frame.pivots = upper.diagonal().cwiseAbs();
  frame.Z = qr.last_columns_of_Q(n - firm);
  const Matrix shares = firm_part.solve(upper.topRightCorner(firm, vanishing));
  frame.W = Matrix::Zero(rank, vanishing);
  for (int j = 0; j < vanishing; ++j) {
    frame.W(order[firm + j], j) = 1;
    for (Eigen::Index i = 0; i < firm; ++i) frame.W(order[i], j) = -shares(i, j);
  }
  frame.W.colwise().normalize();
  Vector missing = Vector::Zero(n);
  for (Eigen::Index i = 0; i < firm; ++i) missing[i] = -residual[order[i]];
  missing.head(firm) = firm_part.transpose().solve(missing.head(firm));
  frame.to_surface = qr.apply_Q(missing);
  return frame;
}

/// The shortest x that makes |g + B x| least, flat directions left out.
Vector shortest_solution(const Matrix& B, const Vector& g) { return OrthogonalDecomposition(B, flat).solve(-g); }

}  // namespace

/// Where the iteration ended.
struct CriticalPointSearch::Found {
  Position at;
  Frame frame;
  double way = 0, curvature = 0;
};

/// A position moves by x: dv = D x, and dt = x/rate for the last entry where time counts. The rows are
/// A = R⁻¹ (H D | Φ_t/rate). D measures speeds by their inertia, so that units do not matter; R is each row's length
/// and how fast it changes along the motion, since the length itself may be about to vanish. Of rows that depend on
/// each other where the search begins, as many as are independent count.
class CriticalPointSearch::Workspace {
 public:
  explicit Workspace(System& system) : system_(system), point_(system.make_point()) {
    const Shape& shape = system.shape();
    H_.setZero(shape.rows(), shape.n_v());
    dv_.setZero(shape.n_v());
    dq_.setZero(shape.n_q());
    Phi_ = Phi_before_ = Vector::Zero(shape.position_rows);
    for (const auto& [row, column] : point_.H.pattern.entries)
      if (row < shape.position_rows) columns_.push_back(column);
    std::ranges::sort(columns_);
    columns_.erase(std::ranges::unique(columns_).begin(), columns_.end());
  }

  /// Where and how fast the motion is. False where it stands still, or there are fewer coordinates than rows.
  bool begin(const Position& at, const Vector& v, int rank);
  int dimension() const { return static_cast<int>(columns_.size()) + (with_time_ ? 1 : 0); }
  double rate() const { return rate_; }
  Matrix rows(const Position& at);
  Vector residual(const Position& at);

  std::optional<Found> iterate(const Position& from, int vanishing);
  Vector term_sizes(const Position& at);
  double rounding(const Found& found);
  Frame frame_at(const Position& at, int vanishing) { return frame_of(rows(at), residual(at), vanishing); }

 private:
  void evaluate_H(const Position& at) {
    system_.at_position(at.t, at.q, point_);
    point_.H.to_dense(H_);
  }
  double time_difference(double t) const { return std::max(difference / rate_, 1e-9 * std::abs(t)); }
  void choose_units(const Position& at);
  void scale_rows(const Position& at, const Vector& v);
  void choose_rows(const Position& at, int rank);
  Position along(const Position& at, const Vector& v);
  bool depends_on_time(const Position& at);
  void move(Position& at, const Vector& x);
  Matrix curvature(const Position& at, const Matrix& here, const Frame& frame);

  System& system_;
  Point point_;
  Matrix H_;
  Vector dv_, dq_, Phi_, Phi_before_, row_scale_;
  std::vector<int> rows_;     ///< that count
  std::vector<int> columns_;  ///< speeds that position constraints know
  std::vector<double> unit_;  ///< D
  double rate_ = 0;           ///< of the motion, in units of D
  double size_ = 0;           ///< the largest that a coordinate has been
  bool with_time_ = false;
};

bool CriticalPointSearch::Workspace::begin(const Position& at, const Vector& v, int rank) {
  choose_units(at);
  size_ = std::max(size_, at.q.lpNorm<Eigen::Infinity>());
  rate_ = 0;
  for (std::size_t k = 0; k < columns_.size(); ++k) rate_ = std::hypot(rate_, v[columns_[k]] / unit_[k]);
  if (!(rate_ > 0) || !std::isfinite(rate_)) return false;
  with_time_ = depends_on_time(at);
  rows_.resize(Phi_.size());
  std::iota(rows_.begin(), rows_.end(), 0);
  scale_rows(at, v);
  if (rank < 1 || rank > dimension()) return false;
  if (rank < static_cast<int>(rows_.size())) choose_rows(at, rank);
  return true;
}

/// The unit of each speed that a position constraint knows: as much as carries the inertia of the largest coordinate.
void CriticalPointSearch::Workspace::choose_units(const Position& at) {
  evaluate_H(at);
  Vector inertia = Vector::Zero(H_.cols());
  const auto& places = point_.M.pattern.entries;
  for (std::size_t k = 0; k < places.size(); ++k)
    if (places[k].first == places[k].second)
      inertia[places[k].first] = std::sqrt(std::abs(point_.M.values[static_cast<Eigen::Index>(k)]));
  double largest = 0, least = infinity;
  for (const int j : columns_) {
    if (inertia[j] == 0) continue;
    const double size = j < system_.shape().own_speeds() ? std::abs(at.q[j]) : 1;
    largest = std::max(largest, inertia[j] * size);
    least = std::min(least, inertia[j]);
  }
  if (largest == 0) largest = std::isfinite(least) ? least : 1;
  unit_.clear();
  for (const int j : columns_) unit_.push_back(inertia[j] > 0 ? largest / inertia[j] : 1);
}

void CriticalPointSearch::Workspace::scale_rows(const Position& at, const Vector& v) {
  row_scale_.setOnes(Phi_.size());
  const Matrix here = rows(at);
  const Vector size = here.rowwise().norm() + (rows(along(at, v)) - here).rowwise().norm() / difference;
  for (Eigen::Index i = 0; i < size.size(); ++i) row_scale_[i] = size[i] > 0 ? 1 / size[i] : 1;
}

void CriticalPointSearch::Workspace::choose_rows(const Position& at, int rank) {
  const PivotedQr qr(rows(at).transpose());
  const auto& order = qr.order();
  rows_.assign(order.data(), order.data() + rank);
}

/// A little farther along the motion.
Position CriticalPointSearch::Workspace::along(const Position& at, const Vector& v) {
  Position farther = at;
  Vector x = Vector::Zero(dimension());
  for (std::size_t k = 0; k < columns_.size(); ++k)
    x[static_cast<Eigen::Index>(k)] = difference * v[columns_[k]] / unit_[k] / rate_;
  if (with_time_) x[x.size() - 1] = difference;
  move(farther, x);
  return farther;
}

bool CriticalPointSearch::Workspace::depends_on_time(const Position& at) {
  system_.position(at.t, at.q, Phi_before_);
  system_.position(at.t + time_difference(at.t), at.q, Phi_);
  return Phi_ != Phi_before_;
}

Matrix CriticalPointSearch::Workspace::rows(const Position& at) {
  evaluate_H(at);
  Matrix A(rows_.size(), dimension());
  for (std::size_t i = 0; i < rows_.size(); ++i)
    for (std::size_t k = 0; k < columns_.size(); ++k)
      A(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) =
          row_scale_[rows_[i]] * unit_[k] * H_(rows_[i], columns_[k]);
  if (!with_time_) return A;
  const double dt = time_difference(at.t);
  system_.position(at.t - dt, at.q, Phi_before_);
  system_.position(at.t + dt, at.q, Phi_);
  for (std::size_t i = 0; i < rows_.size(); ++i)
    A(static_cast<Eigen::Index>(i), A.cols() - 1) =
        row_scale_[rows_[i]] * (Phi_[rows_[i]] - Phi_before_[rows_[i]]) / (2 * dt * rate_);
  return A;
}

Vector CriticalPointSearch::Workspace::residual(const Position& at) {
  system_.position(at.t, at.q, Phi_);
  Vector r(rows_.size());
  for (std::size_t i = 0; i < rows_.size(); ++i)
    r[static_cast<Eigen::Index>(i)] = row_scale_[rows_[i]] * Phi_[rows_[i]];
  return r;
}

void CriticalPointSearch::Workspace::move(Position& at, const Vector& x) {
  dv_.setZero();
  for (std::size_t k = 0; k < columns_.size(); ++k) dv_[columns_[k]] = unit_[k] * x[static_cast<Eigen::Index>(k)];
  system_.spread(at.t, at.q, dv_, dq_);
  at.q += dq_;
  if (with_time_) at.t += x[x.size() - 1] / rate_;
  system_.retract(at.t, at.q);
}

/// Second derivatives of the vanishing combinations along Z, one below the other. They need no term for how the surface
/// of the firm rows bends: the combinations have no slope across it.
Matrix CriticalPointSearch::Workspace::curvature(const Position& at, const Matrix& here, const Frame& frame) {
  const Eigen::Index vanishing = frame.W.cols(), free = frame.Z.cols();
  Matrix B(vanishing * free, free);
  for (Eigen::Index b = 0; b < free; ++b) {
    Position beside = at;
    move(beside, difference * frame.Z.col(b));
    const Matrix change = frame.Z.transpose() * ((rows(beside) - here).transpose() * frame.W) / difference;
    B.col(b) = Eigen::Map<const Vector>(change.data(), change.size());
  }
  return B;
}

/// Newton's method: makes the slopes of all vanishing combinations zero along Z, and moves to the surface of the firm
/// rows. Nothing where that leads away.
std::optional<CriticalPointSearch::Found> CriticalPointSearch::Workspace::iterate(const Position& from, int vanishing) {
  Found found{from, {}};
  Vector moved = Vector::Zero(dimension());
  double last = infinity;
  for (int k = 0; k < most_iterations; ++k) {
    const Matrix A = rows(found.at);
    if (!A.allFinite()) return {};
    found.frame = frame_of(A, residual(found.at), vanishing);
    const Matrix slope = found.frame.Z.transpose() * (A.transpose() * found.frame.W);
    const Matrix B = curvature(found.at, A, found.frame);
    found.curvature = B.norm();
    Vector x = found.frame.Z * shortest_solution(B, Eigen::Map<const Vector>(slope.data(), slope.size())) +
               found.frame.to_surface;
    const double length = x.norm();
    const bool leads_away = k > 5 && length > last;
    if (!std::isfinite(length) || leads_away) return {};
    last = length;
    if (length > 1) x /= length;
    move(found.at, x);
    moved += x;
    found.way = moved.norm();
    if (length <= converged) return found;
  }
  return {};
}

/// Of the rows that count, as they are scaled.
Vector CriticalPointSearch::Workspace::term_sizes(const Position& at) {
  find_term_sizes(system_, at.t, at.q, size_, {dq_, Phi_}, Phi_before_);
  Vector sizes(rows_.size());
  for (std::size_t i = 0; i < rows_.size(); ++i)
    sizes[static_cast<Eigen::Index>(i)] = row_scale_[rows_[i]] * Phi_before_[rows_[i]];
  return sizes;
}

/// Numbers next to q differ in w·Φ by rounding alone, since its slope is zero here. They may be rounded alike, and the
/// rows may come from numbers that are rounded: an ulp of each term is what one must expect.
double CriticalPointSearch::Workspace::rounding(const Found& found) {
  const Vector sizes = term_sizes(found.at);
  const Matrix W = found.frame.W.transpose();
  const Vector value = W * residual(found.at);
  Vector squares = (epsilon * W * sizes.asDiagonal()).rowwise().squaredNorm(), noise = 0 * squares;
  for (int k = 0; k < neighbours; ++k) {
    Position beside = found.at;
    for (Eigen::Index i = 0; i < beside.q.size(); ++i)
      beside.q[i] *= 1 + epsilon * (static_cast<double>((7 * k + 5 * i) % 9) - 4);
    noise += (W * residual(beside) - value).cwiseAbs2() / neighbours;
  }
  return rounding_margin * std::sqrt(squares.cwiseMax(noise).maxCoeff());
}

CriticalPointSearch::CriticalPointSearch(System& system) {
  const Shape& shape = system.shape();
  if (shape.position_rows > 0 && shape.n_v() <= most_speeds) work_ = std::make_unique<Workspace>(system);
}

CriticalPointSearch::~CriticalPointSearch() = default;

CriticalPoint CriticalPointSearch::search(double t, const Vector& q, const Vector& v, int rank, double guess_t,
                                          const Vector& guess_q) {
  const Position guess{guess_t, guess_q};
  if (!work_->begin({t, q}, v, rank)) return {};
  const double off = work_->residual({t, q}).lpNorm<Eigen::Infinity>();
  const Vector pivots = work_->frame_at(guess, 1).pivots;
  int vanishing = std::max(1, static_cast<int>((pivots.array() <= alike * pivots.minCoeff()).count()));
  for (int round = 0; round < most_rounds; ++round) {
    auto found = work_->iterate(guess, vanishing);
    const int vanished = found ? found->frame.vanishing(vanishes) : 0;
    if (vanished == 0 && vanishing == 1) return {};
    if (vanished == vanishing) {
      found->way += work_->rate() * (guess_t - t);
      return judge(*found, off);
    }
    vanishing = std::max(1, vanished);
  }
  return {};
}

CriticalPoint CriticalPointSearch::judge(const Found& found, double off) {
  CriticalPoint result{.off = off};
  const Frame frame = work_->frame_at(found.at, static_cast<int>(found.frame.W.cols()));
  result.value = (frame.W.transpose() * work_->residual(found.at)).lpNorm<Eigen::Infinity>();
  result.rounding = work_->rounding(found);
  result.bend = std::sqrt(2 * result.value / found.curvature) / work_->rate();
  result.distance = found.way / work_->rate();
  result.is_plane = frame.W.cols() == 1 && frame.Z.cols() == 2;
  const double lift = 0.5 * found.curvature * found.way * found.way;  // of w·Φ, from there to the motion
  result.within_error = off > result.rounding && off > side_known * result.value && lift <= near_vertex * off;
  const double enough = result.is_plane ? resolved_in_plane : resolved;
  const bool is_blurred = result.value < enough * result.rounding || off > side_known * result.value;
  result.kind = result.value <= result.rounding ? CriticalPoint::Kind::passage
                : is_blurred                    ? CriticalPoint::Kind::blurred
                                                : CriticalPoint::Kind::near_miss;
  return result;
}

}  // namespace taut
