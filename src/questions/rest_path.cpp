#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>

#include "linear/dense_solve.hpp"
#include "linear/orthogonal_decomposition.hpp"
#include "linear/pivoted_qr.hpp"
#include "questions/matrix_parts.hpp"
#include "questions/named_coordinates.hpp"
#include "questions/rest_search.hpp"
#include "questions/stability.hpp"
#include "taut/error.hpp"

/// Positions of rest as a parameter changes: a curve in (u, p) that is followed by its length (Keller's
/// pseudo-arclength continuation), so that it may turn back, as in snap-through, and cross others.
namespace taut {
namespace {

constexpr int most_newton_steps = 12, most_bisections = 60, few_points = 10;
constexpr double converged = 1e-11, first_step = 1e-2, longest_step = 0.05, shortest_step = 1e-9;
/// Two tangents that turn by more than this make a step too long.
constexpr double least_cosine = 0.95;

/// x with A x = 0: so many of them, the last that are left.
Matrix null_vectors(const Matrix& A, Eigen::Index count) {
  return A.rows() == 0 ? Matrix::Identity(A.cols(), count) : PivotedQr(A.transpose()).last_columns_of_Q(count);
}

/// A point of the curve: a position, the parameter, and the direction along the curve in (u, p), of length 1.
struct OnPath {
  RestPoint point;
  double p = 0;
  Vector tangent;
  int side = 1;  ///< sign of the bordered determinant: it changes where curves cross
};

/// The equations of rest with the parameter as one more unknown, in shares of reach and range.
class PathEquations {
 public:
  PathEquations(const Subject& subject, const PathOptions& options)
      : subject_(subject),
        options_(options),
        model_(subject, SlopeFormulas::Parameters::included),
        range_(std::abs(options.to - options.from)),
        slope_(subject.parameter_slopes({options.over})) {}

  RestModel& model() { return model_; }
  double range() const { return range_; }

  void set_parameter(double p) { model_.set_parameters(subject_.parameters_with(options_.over, p)); }

  /// Rows of [K Z | f_p] in scaled unknowns (α, p), and what is missing.
  struct Linear {
    RestEquations eq;
    Vector by_p, follows;  ///< imbalance by p; u that follows p on the constraints
    Matrix rows;
  };
  Linear at(const RestPoint& point, double p) {
    set_parameter(p);
    Linear here{model_.at(point), {}, {}, {}};
    model_.by_parameter(here.eq, slope_, here.by_p, here.follows);
    const Matrix along = here.eq.stiffness * here.eq.Z;
    if (along.rows() != along.cols())
      throw InputError("a path of rest needs as many conditions as freedoms",
                       "leave out what has no position of its own");
    here.rows = beside(along * model_.size(), (here.by_p + here.eq.stiffness * here.follows) * range_);
    return here;
  }
  /// (u, p) of (α, p), scaled.
  Vector full(const Linear& here, const Vector& x) const {
    const Eigen::Index n = x.size() - 1;
    Vector all(here.eq.Z.rows() + 1);
    all << here.eq.Z * x.head(n) + here.follows * (range_ * x[n] / model_size()), x[n];
    return all;
  }
  double model_size() const { return model_.size(); }

 private:
  const Subject& subject_;
  const PathOptions& options_;
  RestModel model_;
  double range_;
  Matrix slope_;
};

class PathFollower {
 public:
  PathFollower(const Subject& subject, const PathOptions& options)
      : subject_(subject), options_(options), equations_(subject, options), names_(subject) {}

  RestPath answer() {
    path_.model = subject_.model().name;
    path_.over = options_.over;
    path_.notes = subject_.notes();
    equations_.set_parameter(options_.from);
    auto start = rest_by_newton(model(), model().start());
    if (!start) start = rest_by_settling(model(), model().start());
    if (!start) {
      path_.reason =
          fmt::format("no position of rest was found near the start for {} = {:g}", options_.over, options_.from);
      return std::move(path_);
    }
    OnPath first = described(*start, options_.from, Vector());
    if ((options_.to > options_.from) != (first.tangent.tail<1>()[0] > 0)) first.tangent *= -1;
    waiting_.push_back(first);
    while (!waiting_.empty() && path_.branches < options_.most_branches) {
      const OnPath from = waiting_.front();
      waiting_.pop_front();
      ++path_.branches;
      follow(from);
    }
    return std::move(path_);
  }

 private:
  RestModel& model() { return equations_.model(); }

  /// Null vector of the rows, in the direction of the last one.
  OnPath described(const RestPoint& point, double p, const Vector& last) {
    const auto here = equations_.at(point, p);
    const Eigen::Index n = here.rows.cols();
    const Vector null = null_vectors(here.rows, 1);
    OnPath on{point, p, equations_.full(here, null).normalized(), 1};
    Vector bordering = null;
    if (last.size() > 0 && on.tangent.dot(last) < 0) {
      on.tangent *= -1;
      bordering *= -1;
    }
    Matrix bordered(n, n);
    bordered << here.rows, bordering.transpose();
    on.side = sign_of_determinant(bordered) * orientation(here.eq);
    return on;
  }

  /// Bases of free directions may turn over from one point to the next, which says nothing.
  int orientation(const RestEquations& eq) {
    const bool known = Z_.cols() == eq.Z.cols() && W_.cols() == eq.W.cols();
    if (known) orientation_ *= sign_of_determinant(Z_.transpose() * eq.Z) * sign_of_determinant(W_.transpose() * eq.W);
    Z_ = eq.Z;
    W_ = eq.W;
    return orientation_;
  }

  /// From `from` along `direction` by a length: Newton's method across to the curve.
  std::optional<OnPath> advance(const OnPath& from, const Vector& direction, double length) {
    equations_.set_parameter(from.p);
    model().at(from.point);
    const Eigen::Index n = direction.size() - 1;
    RestPoint point = model().moved(from.point, length * model().size() * direction.head(n));
    double p = from.p + length * equations_.range() * direction[n];
    for (int k = 0; k < most_newton_steps; ++k) {
      equations_.set_parameter(p);
      if (!model().restore(point)) return std::nullopt;
      const auto here = equations_.at(point, p);
      Matrix bordered(here.rows.cols(), here.rows.cols());
      const Vector across = columns_across(here, direction);
      bordered << here.rows, across.transpose();
      Vector missing = Vector::Zero(here.rows.cols());
      missing.head(here.rows.rows()) = -here.eq.imbalance;
      const Vector x = OrthogonalDecomposition(bordered, 1e-14).solve(missing);
      if (!x.allFinite() || x.lpNorm<Eigen::Infinity>() > 1) return std::nullopt;
      const Vector step = equations_.full(here, x);
      point = model().moved(point, model().size() * step.head(n));
      p += equations_.range() * step[n];
      if (x.lpNorm<Eigen::Infinity>() <= converged || (k > 4 && here.eq.relative_imbalance() <= 1e-15)) {
        equations_.set_parameter(p);
        if (!model().restore(point)) return std::nullopt;
        return described(point, p, from.tangent);
      }
    }
    return std::nullopt;
  }

  /// The direction as weights of (α, p).
  Vector columns_across(const PathEquations::Linear& here, const Vector& direction) const {
    const Eigen::Index n = direction.size() - 1, free = here.eq.Z.cols();
    Vector across(free + 1);
    across << here.eq.Z.transpose() * direction.head(n),
        direction[n] + direction.head(n).dot(here.follows) * equations_.range() / equations_.model_size();
    return across;
  }

  void follow(const OnPath& start) {
    OnPath here = start;
    Z_.resize(0, 0);
    here.side = described(here.point, here.p, here.tangent).side;
    keep(here);
    double length = first_step;
    for (int k = 0; k < options_.most_points; ++k) {
      auto next = advance(here, here.tangent, length);
      while (next && next->tangent.dot(here.tangent) < least_cosine && length > shortest_step) {
        length /= 2;
        next = advance(here, here.tangent, length);
      }
      if (!next) {
        length /= 4;
        if (length > shortest_step) continue;
        path_.notes.push_back(
            fmt::format("branch {} could not be followed beyond {} = {:.6g}", path_.branches, options_.over, here.p));
        return;
      }
      if (leaves(*next)) return finish(here, length);
      if (next->side != here.side) cross(here, length);
      if (next->tangent.tail<1>()[0] * here.tangent.tail<1>()[0] < 0) turn(here, length);
      here = *next;
      keep(here);
      if (k > few_points && distance(here, start) < length) return;
      length = std::min(longest_step, 1.4 * length);
    }
    path_.notes.push_back(fmt::format("branch {} ends after {} points", path_.branches, options_.most_points));
  }

  bool leaves(const OnPath& on) const {
    const auto [low, high] = std::minmax(options_.from, options_.to);
    return on.p < low || on.p > high;
  }

  double distance(const OnPath& a, const OnPath& b) {
    return (a.point.q - b.point.q).norm() / model().size() + std::abs(a.p - b.p) / equations_.range();
  }

  /// The length at which `f` changes its sign, f being different at 0 and at `length`; and the point there.
  template <class F>
  std::optional<OnPath> located(const OnPath& from, double length, const F& f) {
    double low = 0, high = length;
    std::optional<OnPath> best;
    const bool before = f(from);
    for (int k = 0; k < most_bisections && high - low > 1e-14; ++k) {
      const double middle = (low + high) / 2;
      const auto there = advance(from, from.tangent, middle);
      if (!there) break;
      best = there;
      (f(*there) == before ? low : high) = middle;
    }
    return best;
  }

  void finish(const OnPath& here, double length) {
    const auto end = located(here, length, [&](const OnPath& on) { return leaves(on); });
    if (end) keep(*end);
  }

  void turn(const OnPath& here, double length) {
    const auto at = located(here, length, [](const OnPath& on) { return on.tangent.tail<1>()[0] > 0; });
    if (at)
      path_.special.push_back(
          {"fold", path_.branches, at->p, names_.at(at->point.q, subject_.parameters_with(options_.over, at->p))});
  }

  /// Where curves cross, the rows have two null vectors; across the one that was followed starts the other curve.
  void cross(const OnPath& here, double length) {
    const auto at = located(here, length, [&](const OnPath& on) { return on.side == here.side; });
    if (!at) return;
    for (const SpecialPoint& known : path_.special)
      if (known.kind == "branch" && std::abs(known.parameter - at->p) < 1e-6 * equations_.range()) return;
    path_.special.push_back(
        {"branch", path_.branches, at->p, names_.at(at->point.q, subject_.parameters_with(options_.over, at->p))});
    const auto linear = equations_.at(at->point, at->p);
    const Matrix null = null_vectors(linear.rows, 2);
    Vector first = equations_.full(linear, null.col(0)), second = equations_.full(linear, null.col(1));
    Vector other = first * second.dot(at->tangent) - second * first.dot(at->tangent);
    if (!(other.norm() > 1e-12)) return;
    other.normalize();
    for (const double sign : {1.0, -1.0}) {
      OnPath off = *at;
      off.tangent = sign * other;
      if (auto next = advance(off, off.tangent, first_step)) {
        if (std::abs((next->tangent).dot(at->tangent)) > 0.999) continue;
        if (next->tangent.dot(off.tangent) < 0) next->tangent *= -1;
        waiting_.push_back(*next);
      }
    }
  }

  void keep(const OnPath& on) {
    equations_.set_parameter(on.p);
    const Stability stability = stability_of(model(), on.point);
    path_.points.push_back(
        {path_.branches, on.p, stability.stable, names_.at(on.point.q, subject_.parameters_with(options_.over, on.p))});
  }

  const Subject& subject_;
  const PathOptions& options_;
  PathEquations equations_;
  NamedCoordinates names_;
  std::deque<OnPath> waiting_;
  Matrix Z_, W_;
  int orientation_ = 1;
  RestPath path_;
};

}  // namespace

RestPath follow_equilibria(const Model& model, const PathOptions& options) {
  if (!(options.from != options.to))
    throw InputError("the range of '" + options.over + "' is empty", "write --over NAME=FROM:TO");
  QuestionOptions asked = options;
  asked.assemble = true;
  std::erase_if(asked.set, [&](const Assignment& one) { return one.name == options.over; });
  asked.set.emplace_back(options.over, options.from);
  const Subject subject(model, asked);
  return PathFollower(subject, options).answer();
}

}  // namespace taut
