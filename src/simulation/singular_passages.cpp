#include "simulation/singular_passages.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace taut {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// Pivots of given steps, which are even, change from one to the next as they did before, up to this factor; chosen
/// steps grow.
constexpr double most_change_of_even_pivots = 50;
/// A pivot that is this share of the largest is near enough to zero to ask why it grows again.
constexpr double next_to_zero = 0.1;

}  // namespace

SingularPassages::SingularPassages(Manifold& manifold, const Settings& settings)
    : manifold_(manifold),
      settings_(settings),
      approach_(manifold.system()),
      between_([this](double t) { return pivot_between(t); }),
      beyond_([this](double t) { return pivot_beyond(t); }) {
  if (settings.given_steps) approach_.use_given_steps();
  before_q_ = before_qdot_ = now_q_ = now_qdot_ = probe_q_ = Vector::Zero(manifold.shape().n_q());
  if (!manifold.shape().plain_rates) now_v_ = Vector::Zero(manifold.shape().n_v());
  if (!settings.given_steps) now_qddot_ = jerk_ = probe_q_;  // steps that are chosen go by what lies ahead
}

/// On the cubic Hermite polynomial between the last two states.
double SingularPassages::pivot_between(double t) {
  const double h = now_t_ - before_t_, x = (t - before_t_) / h;
  probe_q_ = (1 - x) * (1 - x) * ((1 + 2 * x) * before_q_ + (h * x) * before_qdot_) +
             x * x * ((3 - 2 * x) * now_q_ + (h * (x - 1)) * now_qdot_);
  manifold_.system().retract(t, probe_q_);
  return manifold_.pivots().at(t, probe_q_, now_v());
}

/// By Taylor's series from the last state.
double SingularPassages::pivot_beyond(double t) {
  const double h = t - now_t_;
  probe_q_ = now_q_ + h * (now_qdot_ + 0.5 * h * (now_qddot_ + h / 3 * jerk_));
  manifold_.system().retract(t, probe_q_);
  return manifold_.pivots().at(t, probe_q_, now_v());
}

void SingularPassages::start(double t, const Vector& q, const Vector& v) {
  watch_.reset();
  mark_now(t, q, v);
  watch_.add(t, manifold_.pivots().at_decision(t, q, v), between_);
}

void SingularPassages::restart(double t, const Vector& q, const Vector& v) {
  watch_.reset();
  approach_.restart();
  mark_now(t, q, v);
}

void SingularPassages::mark_now(double t, const Vector& q, const Vector& v) {
  now_t_ = t;
  now_q_ = q;
  manifold_.system().rates(t, q, v, now_qdot_);
  if (!manifold_.shape().plain_rates) now_v_ = v;
}

std::optional<double> SingularPassages::accept(double t, const Vector& q, const Vector& v, const Vector& a) {
  if (manifold_.shape().rows() == 0) return std::nullopt;
  before_t_ = now_t_;
  before_q_.swap(now_q_);
  before_qdot_.swap(now_qdot_);
  mark_now(t, q, v);
  const double pivot = manifold_.pivots().at_decision(t, q, v);
  const FormulaSolver* formulas = settings_.given_steps ? manifold_.formulas_here() : nullptr;
  const bool smooth = formulas && formulas == &manifold_.formulas().decided();
  const auto passed = smooth ? watch_.add_evenly(t, pivot, between_) : watch_.add(t, pivot, between_);
  if (settings_.given_steps) return passed;
  if (settings_.strays && has_turned_away(pivot)) approach_.look_back(now());
  if (settings_.crosses) {
    if (passed) approach_.cross();
    look_ahead(a);
  } else if (approach_.bends()) {
    approach_.update(now(), {}, now_q_);
  }
  return passed;
}

/// Was the last pivot smaller than those around it, and small?
bool SingularPassages::has_turned_away(double pivot) {
  largest_pivot_ = std::max(largest_pivot_, pivot);
  const bool turned = last_pivot_ < pivot_before_ && last_pivot_ < pivot && last_pivot_ < next_to_zero * largest_pivot_;
  pivot_before_ = std::exchange(last_pivot_, pivot);
  return turned;
}

/// About as far as the last step went.
void SingularPassages::look_ahead(const Vector& a) {
  const double h = now_t_ - before_t_;
  jerk_ = -now_qddot_;
  if (manifold_.shape().plain_rates) {
    now_qddot_ = a;
  } else {
    now_qddot_ = (now_qdot_ - before_qdot_) / h;
  }
  jerk_ = (jerk_ + now_qddot_) / h;
  watch_.look_ahead(3 * h, beyond_);
  const Passage& ahead = watch_.ahead();
  if (!approach_.bends() && ahead.time == infinity && approach_.passage().time == infinity) return;
  if (ahead.time < infinity) beyond_(ahead.time);  // leaves in probe_q_ where the motion will be
  approach_.update(now(), ahead, probe_q_);
}

SingularApproach::State SingularPassages::now() {
  return {now_t_, now_q_, now_v(), manifold_.decided_matrices().position_kernel().rank()};
}

bool SingularPassages::cannot_leap(double t) const {
  if (settings_.given_steps && !watch_.may_reach_zero(t, most_change_of_even_pivots)) return true;
  return !approach_.leaps_cheaply() && !watch_.may_reach_zero(t);
}

bool SingularPassages::leaps(double t, const Vector& q) { return approach_.leaps(now(), t, q); }

}  // namespace taut
