#include "simulation/contradiction.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "simulation/redundancy.hpp"

namespace taut {
namespace {

/// Off the constraints by more than this, nothing can be told of rows that depend on each other only on them.
constexpr double too_far_off = 1e-2;
/// Next to a singular position dependencies are made of rows whose weights tell more of rounding than of the mechanism.
constexpr double largest_weight = 1e5;
/// A pivot below which a motion is next to a singular position. What is off the constraints is felt there the more, by
/// one over the pivot and its square, whether or not rows contradict each other.
constexpr double near_singular = 1e-2;
/// Rows with less than this of the largest weight have no part in a contradiction.
constexpr double least_weight = 1e-3;
/// Of what rows that cancel leave: the sizes of speeds that it is weighed with are known to a factor of two or so.
constexpr double uncertainty_of_sizes = 4;

/// A dependency of rows, Σ w row = 0, at a point near the constraints.
class DependentRows {
 public:
  DependentRows(const Dependency& dependency, const Point& point, const ViolationScale& scale, const Vector& sizes_of_b)
      : terms_(dependency.terms),
        point_(point),
        scale_(scale),
        sizes_of_b_(sizes_of_b),
        left_(Vector::Zero(point.H.pattern.columns)) {
    Vector weights = Vector::Zero(point.chi.size());
    for (const auto& [row, weight] : terms_) weights[row] = weight;
    for (std::size_t k = 0; k < point_.H.pattern.entries.size(); ++k) {
      const auto [row, column] = point_.H.pattern.entries[k];
      const double part = weights[row] * point_.H.values[static_cast<Eigen::Index>(k)];
      left_[column] += part;
      largest_entry_ = std::max(largest_entry_, std::abs(part));
    }
  }

  /// What the rows together ask for at each level, in parts of what they ask for one by one.
  double position_gap() const {
    return has_velocity_rows() ? 0 : share(sum(point_.Phi), sum_of_sizes(scale_.position()));
  }
  double velocity_gap() const { return share(sum(point_.chi), sum_of_sizes(scale_.velocity())); }
  /// A share `part` of what they ask for, and `off` of what they may come to ask for at other speeds: where terms of b
  /// cancel, as those of bars that turn together do, what is left is no measure of a state that is a little off.
  bool acceleration_gap_is_above(double part, double off) const {
    return std::abs(sum(point_.b)) > part * sum_of_sizes(point_.b) + off * sum_of_sizes(sizes_of_b_);
  }

  /// What a gap of accelerations comes to in so many seconds, in parts of the rows' sizes.
  double consequence(double seconds) const {
    const double gap = std::abs(sum(point_.b)) * seconds;
    if (has_velocity_rows()) return share(gap, sum_of_sizes(scale_.velocity()));
    return share(gap * seconds / 2, sum_of_sizes(scale_.position()) + seconds * sum_of_sizes(scale_.velocity()));
  }

  /// Rows that cancel but for Σ w row = r, within the tolerance of the rank, miss each other by up to r·v: no more than
  /// that is explained by rounding, or by axes that are next to parallel. A share as those above.
  double explained_gap() const {
    const double explained = left_.cwiseAbs().dot(scale_.speeds());
    return share(uncertainty_of_sizes * explained, sum_of_sizes(scale_.velocity()));
  }

  /// Do the rows cancel but for a share of about `off`, and with weights that mean something?
  bool is_certain(double off) const {
    return left_.lpNorm<Eigen::Infinity>() <= std::min(100 * off, 1e-3) * largest_entry_ &&
           largest_share() <= largest_weight;
  }

  /// The rows that have a part in it, in the order of the model.
  std::vector<int> taking_part() const {
    std::vector<int> rows;
    for (const auto& [row, weight] : terms_)
      if (std::abs(weight) * scale_.velocity()[row] >= least_weight * largest_part()) rows.push_back(row);
    std::ranges::sort(rows);
    return rows;
  }

  /// "'a', 'b' and 'c'", in the order of the model.
  std::string names(const std::vector<std::string>& constraints) const {
    const std::vector<int> rows = taking_part();
    std::string text;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const char* between = k == 0 ? "" : k + 1 < rows.size() ? ", " : " and ";
      text += between + ("'" + constraints[static_cast<std::size_t>(rows[k])] + "'");
    }
    return text;
  }

 private:
  static double share(double part, double whole) { return whole > 0 ? std::abs(part) / whole : 0; }
  bool has_velocity_rows() const {
    return std::ranges::any_of(terms_, [&](const auto& term) { return term.first >= point_.Phi.size(); });
  }
  double sum(const Vector& x) const {
    double total = 0;
    for (const auto& [row, weight] : terms_) total += weight * x[row];
    return total;
  }
  double sum_of_sizes(const Vector& x) const {
    double total = 0;
    for (const auto& [row, weight] : terms_) total += std::abs(weight * x[row]);
    return total;
  }
  double largest_part() const {
    double most = 0;
    for (const auto& [row, weight] : terms_) most = std::max(most, std::abs(weight) * scale_.velocity()[row]);
    return most;
  }
  /// The largest part beside that of the row that the others imply, which comes first.
  double largest_share() const {
    const auto& [row, weight] = terms_.front();
    return largest_part() / (std::abs(weight) * scale_.velocity()[row]);
  }

  const std::vector<std::pair<int, double>>& terms_;
  const Point& point_;
  const ViolationScale& scale_;
  const Vector& sizes_of_b_;
  Vector left_;  ///< Σ w row
  double largest_entry_ = 0;
};

/// What is told from how the state stands to the constraints.
struct Standing {
  RelativeViolation off;
  double pivot;    ///< the smallest that counts
  double least;    ///< gaps of so small a share are no contradiction
  bool holds;      ///< what is left of a violation cannot be mended
  double seconds;  ///< that a gap of accelerations has had, or would have, to be felt
};

/// Rows that imply each other on the constraints do so off them up to the square of the distance, as for positions, or
/// the distance itself, as for velocities and accelerations.
bool contradict(const DependentRows& rows, const Standing& at) {
  const double position = at.off.position.value_or(0), most = at.off.largest();
  const double least = std::max(0.01 * at.least, rows.explained_gap());
  const double share = at.holds ? 0.01 : std::clamp(30 * most, 0.01, 0.2);
  if (rows.position_gap() > std::max(least, share * position)) return true;
  if (rows.velocity_gap() > std::max({least, share * most, 1e3 * position})) return true;
  return rows.acceleration_gap_is_above(0.05, 1e3 * most) && rows.consequence(at.seconds) > least;
}

/// How large b can be at speeds of the sizes that they have had, with signs at random, and at those that they have;
/// `point` is then at these.
Vector sizes_of_b(System& system, double t, const Vector& q, const Vector& v, const Vector& speeds, Point& point) {
  constexpr int directions = 8;
  std::mt19937 random(15);
  Vector sizes = Vector::Zero(system.shape().rows()), changed = v;
  system.at_position(t, q, point);
  const auto look_at = [&](const Vector& some) {
    system.at_velocity(t, q, some, point);
    sizes = sizes.cwiseMax(point.b.cwiseAbs());
  };
  for (int k = 0; k < directions; ++k) {
    for (Eigen::Index i = 0; i < v.size(); ++i) changed[i] = (random() & 1U) != 0 ? speeds[i] : -speeds[i];
    look_at(changed);
  }
  look_at(v);
  return sizes;
}

/// The names of rows that contradict each other at a state, as few as can be said to; "" if none do.
std::string find_contradiction(Manifold& manifold, const ViolationScale& scale, double t, const Vector& q,
                               const Vector& v, const Standing& at) {
  if (at.pivot < near_singular) return "";
  System& system = manifold.system();
  const Shape& shape = system.shape();
  Point point = system.make_point();
  const Vector sizes = sizes_of_b(system, t, q, v, scale.speeds(), point);
  const auto soft = std::ranges::count_if(shape.softness, [](double square) { return square > 0; });
  std::string names;
  std::size_t fewest = 0;
  for (const Dependency& dependency :
       find_redundancy(point.H, shape.softness, manifold.rank() - static_cast<int>(soft)).dependencies) {
    const DependentRows rows(dependency, point, scale, sizes);
    if (!rows.is_certain(std::max(at.off.largest(), 1e-9)) || !contradict(rows, at)) continue;
    const std::size_t count = rows.taking_part().size();
    if (!names.empty() && count >= fewest) continue;
    fewest = count;
    names = rows.names(shape.constraints);
  }
  return names;
}

}  // namespace

/// Rows that depend on each other at a singular position alone, where the rank falls, are not meant.
bool ContradictionWatch::rows_depend() const {
  return manifold_.rank() < manifold_.shape().rows() && manifold_.rank() >= conformance_.highest_rank();
}

bool ContradictionWatch::suspects() const {
  return rows_depend() && threshold_ <= too_far_off && conformance_.share_now() > threshold_;
}

std::string ContradictionWatch::find(double t, const Vector& q, const Vector& v) {
  conformance_.measure(t, q, v);
  if (!suspects()) return "";
  const Standing at{conformance_.relative_now(), manifold_.pivots().at_decision(t, q, v), threshold_, method_.holds(),
                    t};
  // Next to a singular position not all can be told: it is looked at again behind it.
  if (at.pivot >= near_singular) threshold_ = 10 * std::max(threshold_, at.off.largest());
  return find_contradiction(manifold_, conformance_.scale(), t, q, v, at);
}

std::string ContradictionWatch::find_at_end(double t, const Vector& q, const Vector& v, double rest) {
  if (!rows_depend()) return "";
  return find_contradiction(
      manifold_, conformance_.scale(), t, q, v,
      {conformance_.relative_now(), manifold_.pivots().at_decision(t, q, v), 1e-6, method_.holds(), rest});
}

}  // namespace taut
