#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <utility>

#include "questions/named_coordinates.hpp"
#include "questions/rest_search.hpp"
#include "questions/stability.hpp"
#include "questions/valley.hpp"
#include "taut/error.hpp"
#include "taut/questions.hpp"

namespace taut {
namespace {

/// Closer together than this share of the sizes, two positions are one.
constexpr double same_position = 1e-6;
/// How far a mechanism is pushed off where it rests without being stable, as a share of the sizes.
constexpr double push = 1e-2;
constexpr int walk_steps = 8;
/// Random positions to look from where nothing is found near the start, and where freedoms are so few that these reach
/// most of them: which position Newton's method comes to first depends on the coordinates, which is nearest does not.
constexpr int few_starts = 6;
constexpr Eigen::Index few_freedoms = 2;

/// The positions of rest that have been found, each once.
class Findings {
 public:
  explicit Findings(RestModel& model) : model_(model), start_(model.start()) {}

  /// What is known of the position afterwards; null where it was known before. Of the ways to write one position, and
  /// of positions that follow one another without a gap, the nearest to the start is kept.
  const Stability* add(RestPoint point) {
    nearest_turns(point.q);
    if (is_known(point)) return nullptr;
    const int falling = directions_that_fall(point);
    if (falling >= 0) point = slid_towards(model_, point, start_);
    if (falling >= 0 && (is_known(point) || is_reached(point, falling))) return nullptr;
    points_.push_back(point);
    falling_.push_back(falling);
    stabilities_.push_back(stability_of(model_, point));
    return &stabilities_.back();
  }

  std::vector<std::size_t> nearest_first() const {
    std::vector<std::size_t> order(points_.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::ranges::stable_sort(order, {}, [this](std::size_t k) { return distance(k); });
    return order;
  }
  double distance(std::size_t k) const { return (points_[k].q - start_.q).norm(); }
  const RestPoint& point(std::size_t k) const { return points_[k]; }
  const Stability& stability(std::size_t k) const { return stabilities_[k]; }
  bool empty() const { return points_.empty(); }

 private:
  /// Whole turns away from the start say nothing, and a quaternion's sign neither.
  void nearest_turns(Vector& q) const {
    constexpr double turn = 2 * std::numbers::pi;
    for (int i = 0; i < q.size(); ++i)
      if (model_.is_angle(i)) q[i] -= turn * std::round((q[i] - start_.q[i]) / turn);
    const auto& names = model_.variation().shape().coordinates;
    for (Eigen::Index i = 0; i + 3 < q.size(); ++i)
      if (names[static_cast<std::size_t>(i)].ends_with(".qw") && q.segment<4>(i).dot(start_.q.segment<4>(i)) < 0)
        q.segment<4>(i) *= -1;
  }

  bool is_known(const RestPoint& point) {
    for (RestPoint& other : points_) {
      if (are_same(point, other)) {
        if ((point.q - start_.q).norm() < (other.q - start_.q).norm()) other = point;
        return true;
      }
      if (is_same_rest(model_, point, other)) return true;
    }
    return false;
  }

  /// Of a position that may be one of many side by side; -1 of one that stands alone, or where no potential tells.
  int directions_that_fall(const RestPoint& point) {
    const RestEquations eq = model_.at(point);
    if (!has_potential(eq)) return -1;
    const StiffnessModes modes = stiffness_modes(model_, eq);
    return modes.flat().cols() > 0 ? modes.falling() : -1;
  }

  /// Is there a way of positions of rest to one that is known? Along it as many directions fall.
  bool is_reached(const RestPoint& point, int falling) {
    for (std::size_t k = 0; k < points_.size(); ++k)
      if (falling_[k] == falling && are_same(slid_towards(model_, point, points_[k]), points_[k])) return true;
    return false;
  }

  bool are_same(const RestPoint& a, const RestPoint& b) const {
    const Vector difference = model_.difference(a.q, b.q);
    return difference.size() == 0 || difference.lpNorm<Eigen::Infinity>() <= same_position * model_.size();
  }

  RestModel& model_;
  RestPoint start_;
  std::vector<RestPoint> points_;
  std::vector<int> falling_;  ///< directions of each in which its potential falls; -1: it stands alone
  std::vector<Stability> stabilities_;
};

/// Positions to look from.
class RandomStarts {
 public:
  RandomStarts(RestModel& model, unsigned seed) : model_(model), generator_(seed) {}

  /// By turns a walk along the constraints, which stays with the parts as they are put together, and a leap to
  /// wherever they can be put together. None where that fails.
  std::optional<RestPoint> next() {
    RestPoint point = model_.start();
    const bool leaps = std::exchange(leaps_, !leaps_);
    const bool arrived = leaps ? leap(point) : walk(point);
    return arrived ? std::optional(point) : std::nullopt;
  }

 private:
  /// Between -1 and 1, the same on every machine.
  double uniform() { return 2 * static_cast<double>(generator_() >> 11) * 0x1p-53 - 1; }

  Vector random_change() {
    Vector u = model_.reach();
    for (double& part : u) part *= uniform();
    return u;
  }

  /// Nobody knows how far away positions of rest are: leaps are of several sizes.
  bool leap(RestPoint& point) {
    model_.at(point);
    farther_ = farther_ < 8 ? 2 * farther_ : 1;
    point = model_.moved(point, farther_ * random_change());
    return model_.restore(point);
  }

  bool walk(RestPoint& point) {
    for (int k = 0; k < walk_steps; ++k) {
      const RestEquations eq = model_.at(point);
      Vector u = eq.Z * (eq.Z.transpose() * random_change());
      const double share = u.size() > 0 ? (u.cwiseAbs().array() / model_.reach().array()).maxCoeff() : 0;
      if (share > 0) u *= 0.3 * std::abs(uniform()) / share;
      RestPoint next = model_.moved(point, u);
      if (model_.restore(next)) point = next;
    }
    return true;
  }

  RestModel& model_;
  std::mt19937_64 generator_;
  bool leaps_ = false;
  double farther_ = 1;
};

class EquilibriumQuestion {
 public:
  EquilibriumQuestion(const Subject& subject, const EquilibriumOptions& options)
      : subject_(subject), options_(options), model_(subject), findings_(model_), names_(subject) {}

  /// From the start Newton's method, settling, and where the former ends on a hilltop, settling to both sides of it.
  void look_nearby() {
    const RestPoint start = model_.start();
    if (const auto found = rest_by_newton(model_, start)) add(*found, true);
    if (const auto found = rest_by_settling(model_, start)) add(*found, true);
  }

  /// What is found of all positions without being asked for them.
  void look_for_nearest() {
    look_nearby();
    RestPoint point = model_.start();
    const bool has_few = model_.restore(point) && model_.at(point).Z.cols() <= few_freedoms;
    if (findings_.empty() || has_few) look_everywhere(few_starts);
  }

  void look_everywhere(int count) {
    RandomStarts starts(model_, options_.seed);
    for (int k = 0; k < count; ++k) {
      const auto from = starts.next();
      if (!from) continue;
      if (const auto found = rest_by_settling(model_, *from)) add(*found, true);
      if (const auto found = rest_by_newton(model_, *from)) add(*found, true);
    }
  }

  Equilibria result() {
    Equilibria all;
    all.model = subject_.model().name;
    all.notes = subject_.notes();
    for (const std::size_t k : findings_.nearest_first()) all.found.push_back(tell(k));
    if (all.found.empty()) all.reason = why_none();
    return all;
  }

  const Findings& findings() const { return findings_; }
  RestModel& model() { return model_; }

 private:
  void add(const RestPoint& point, bool follow) {
    const Stability* stability = findings_.add(point);
    if (!stability || !follow || stability->escape.size() == 0) return;
    const Vector u = stability->escape / std::max(stability->escape.lpNorm<Eigen::Infinity>(), 1e-300);
    for (const double side : {push, -push}) {
      model_.at(point);
      const RestPoint off = model_.moved(point, side * model_.size() * u);
      if (const auto found = rest_by_settling(model_, off)) add(*found, false);
    }
  }

  Equilibrium tell(std::size_t k) {
    const RestPoint& point = findings_.point(k);
    const RestEquations eq = model_.at(point);
    const Shape& shape = subject_.shape();
    const Stability& stability = findings_.stability(k);
    Equilibrium one;
    one.coordinates = names_.at(point.q, subject_.parameters());
    for (std::size_t i = 0; i < model_.state_names().size(); ++i)
      one.states.push_back({model_.state_names()[i], point.states[static_cast<Eigen::Index>(i)]});
    for (int i = 0; i < shape.rows(); ++i)
      one.multipliers.push_back({shape.constraints[static_cast<std::size_t>(i)], eq.multipliers[i]});
    one.multipliers_unique = eq.unique;
    one.stable = stability.stable;
    one.neutral = stability.neutral;
    one.eigenvalues = stability.eigenvalues;
    one.distance = findings_.distance(k);
    one.imbalance = eq.relative_imbalance();
    return one;
  }

  /// The free direction in which most of the force is left, near where the search began.
  std::string why_none() {
    RestPoint point = model_.start();
    if (!model_.restore(point)) return "the constraints cannot be met";
    const RestEquations eq = model_.at(point);
    const Vector force = eq.Z * (eq.Z.transpose() * eq.force);
    Eigen::Index largest = 0;
    if (force.size() == 0 || !(force.cwiseAbs().maxCoeff(&largest) > 0)) return "the search did not converge";
    const auto& names = model_.variation().frame().names();
    const std::string name = largest < static_cast<Eigen::Index>(names.size())
                                 ? names[static_cast<std::size_t>(largest)]
                                 : model_.state_names()[static_cast<std::size_t>(largest) - names.size()];
    return fmt::format(
        "no position was found in which the forces balance; where the model starts, '{}' is pushed by "
        "{:.4g}",
        name, force[largest]);
  }

  const Subject& subject_;
  EquilibriumOptions options_;
  RestModel model_;
  Findings findings_;
  NamedCoordinates names_;
};

}  // namespace

Equilibria find_equilibria(const Model& model, const EquilibriumOptions& options) {
  QuestionOptions asked = options;
  asked.assemble = true;  // any position near the start will do to look from
  const Subject subject(model, asked);
  EquilibriumQuestion question(subject, options);
  question.look_for_nearest();
  if (options.all) question.look_everywhere(options.starts);
  return question.result();
}

MotionPoint nearest_rest(const Subject& subject) {
  EquilibriumQuestion question(subject, {});
  question.look_for_nearest();
  if (question.findings().empty())
    throw InputError(question.result().reason, "give initial values near a position in which it rests");
  const RestPoint& point = question.findings().point(question.findings().nearest_first().front());
  const RestEquations eq = question.model().at(point);
  MotionPoint motion = question.model().motion(point);
  motion.lambda = eq.multipliers;
  return motion;
}

}  // namespace taut
