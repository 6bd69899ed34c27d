#include "questions/varied_motion.hpp"

#include <algorithm>

#include "questions/constrained_solve.hpp"
#include "questions/independent_constraints.hpp"
#include "questions/matrix_parts.hpp"
#include "questions/start_variation.hpp"
#include "system/kinks_of_time.hpp"

namespace taut {
namespace {

constexpr int most_projections = 20;
constexpr double exact = 1e-15;
/// Two starts are one where they differ by less, beside their size.
constexpr double same_start = 1e-7;
/// Beside what coordinates, speeds and parameters move it by, a constraint that is missed by more is not met.
constexpr double missed = 1e-6;
/// Slopes of coordinates and speeds that are zero but for rounding: of a mass, say, which moves no start.
constexpr double unmoved = 1e-9;

}  // namespace

VariedMotion::VariedMotion(const Subject& subject, const Matrix& parameter_slopes,
                           const std::vector<std::string>& outputs, const std::vector<int>& integrated)
    : subject_(subject),
      parameter_slopes_(parameter_slopes),
      none_(parameter_slopes.rows(), 0),
      integrated_(integrated),
      variation_(subject, SlopeFormulas::Parameters::included, outputs),
      system_(make_system_with_kinks_of_time(subject.model(), subject.parameters())),
      tableau_(dop853_tableau()),
      point_(system_->make_point()),
      here_(subject.start()) {}

Matrix VariedMotion::H() const {
  Matrix H = Matrix::Zero(subject_.shape().rows(), subject_.shape().n_v());
  point_.H.to_dense(H);
  return H;
}

void VariedMotion::begin(VariedState& state) {
  choose_rows(state);
  rates(state);
}

void VariedMotion::choose_rows(const VariedState& state) {
  system_->at_position(state.t, state.q, point_);
  system_->at_velocity(state.t, state.q, state.v, point_);
  const std::vector<int> rows = independent_constraints(H(), subject_.shape().position_rows);
  if (rows.size() >= rows_.all.size()) {
    const auto is_velocity = [this](int row) { return row >= subject_.shape().position_rows; };
    rows_ = {rows, {rows.begin(), std::ranges::find_if(rows, is_velocity)}};
  }
}

/// q along H⁺, then v; M, f, H and b are those of the result.
void VariedMotion::put_on_constraints(VariedState& state) {
  Vector dq = Vector::Zero(state.q.size());
  system_->retract(state.t, state.q);
  system_->at_position(state.t, state.q, point_);
  double last = -1;
  for (int k = 0; k < most_projections && !rows_.positions.empty(); ++k) {
    const Vector dv = -(inverse_of(rows_of(H(), rows_.positions)) * rows_of(point_.Phi, rows_.positions));
    const double change = dv.lpNorm<Eigen::Infinity>();
    if (!(change > exact * std::max(1.0, state.q.lpNorm<Eigen::Infinity>())) || (last >= 0 && change > last / 2)) break;
    last = change;
    system_->spread(state.t, state.q, dv, dq);
    state.q += dq;
    system_->retract(state.t, state.q);
    system_->at_position(state.t, state.q, point_);
  }
  for (int k = 0; k < (subject_.shape().jacobian_of_speeds ? most_projections : 2); ++k) {
    system_->at_velocity(state.t, state.q, state.v, point_);
    if (rows_.all.empty()) break;
    state.v -= inverse_of(rows_of(H(), rows_.all)) * rows_of(point_.chi, rows_.all);
  }
  system_->at_velocity(state.t, state.q, state.v, point_);
}

/// Leaves the variation evaluated at the state with its accelerations and multipliers.
void VariedMotion::find_accelerations(const VariedState& state) {
  const auto n = subject_.shape().n_v();
  here_ = {state.t, state.q, state.v, Vector::Zero(n), Vector::Zero(subject_.shape().rows())};
  if (subject_.shape().forces_need_multipliers) here_.lambda = multipliers_to_begin_with(variation_, here_);
  for (int k = 0; k < (subject_.shape().forces_need_multipliers ? most_projections : 1); ++k) {
    variation_.evaluate(here_);
    const StageSolver solver(variation_, rows_, H());
    const Vector r = -variation_.dynamics().value, s = -variation_.accelerations().value;
    here_.a += solver.a(r, s);
    here_.lambda += solver.lambda(r, s);
  }
  variation_.evaluate(here_);
}

StageMap VariedMotion::evaluate(VariedState& state) {
  put_on_constraints(state);
  find_accelerations(state);
  return {variation_, rows_, H()};
}

Vector VariedMotion::rates(VariedState& state, std::vector<Stage>* keep) {
  const StageMap map = evaluate(state);
  Changes changes{state.q_slopes, state.v_slopes};
  map.put_on_constraints(changes, varied(state));
  state.q_slopes = changes.q;
  state.v_slopes = changes.v;
  const Changes rates = map.rates(changes, varied(state));
  const Slopes integrated = chosen(variation_.outputs(), integrated_);
  if (keep) keep->push_back({map, integrated});
  return VariedState{1,
                     variation_.rates().value,
                     here_.a,
                     rates.q,
                     rates.v,
                     integrated.value,
                     map.varied(integrated, changes, varied(state))}
      .packed();
}

void VariedMotion::take_stages(VariedState& state, double h, std::vector<Stage>* keep) {
  const Vector y = state.packed();
  std::vector<Vector> k;
  VariedState stage = state;
  Vector at(y.size());
  for (int i = 0; i < tableau_.stages(); ++i) {
    combine(tableau_.a[static_cast<std::size_t>(i)], h, y, k, at);
    stage.unpack(at);
    stage.t = state.t + tableau_.c[static_cast<std::size_t>(i)] * h;
    k.push_back(rates(stage, keep));
  }
  combine(tableau_.b, h, y, k, at);
  state.unpack(at);
  state.t += h;
}

void VariedMotion::step(VariedState& state, double h) { take_stages(state, h, nullptr); }

std::vector<VariedMotion::Stage> VariedMotion::stages(const VariedState& begun, double h) {
  std::vector<Stage> kept;
  VariedState state = begun;
  take_stages(state, h, &kept);
  return kept;
}

VariedMotion::Shown VariedMotion::shown(const Slopes& y, const Vector& by_time, VariedState& state) {
  const StageMap map = evaluate(state);
  Changes changes{state.q_slopes, state.v_slopes};
  map.put_on_constraints(changes, varied(state));
  state.q_slopes = changes.q;
  state.v_slopes = changes.v;
  return {y.value, map.varied(y, changes, varied(state)),
          y.by_q * variation_.rates().value + y.by_v * here_.a + by_time};
}

VariedMotion::Shown VariedMotion::show(VariedState& state) {
  return shown(variation_.outputs(), variation_.outputs_by_time(), state);
}

VariedMotion::Shown VariedMotion::switching(VariedState& state) {
  return shown(variation_.switching(), variation_.switching_by_time(), state);
}

VariedMotion::Rates VariedMotion::rates_at(VariedState state) {
  state = without_slopes(state);
  const Vector moving = switching(state).rates;
  const Vector all = rates(state);
  return {all, state.q.size(), state.v.size(), moving, state.v};
}

void VariedMotion::set_branches(const std::vector<System::Branch>& branches) {
  variation_.set_branches(branches);
  system_->set_branches(branches);
}

std::optional<Eigen::Index> VariedMotion::contradicted(const VariedState& state, const VariedState& given) {
  VariedState at = without_slopes(state);
  evaluate(at);
  const Slopes &Phi = variation_.position(), &chi = variation_.velocity();
  const Matrix left = stacked(Phi.by_q * state.q_slopes + Phi.by_p * parameter_slopes_,
                              chi.by_q * state.q_slopes + chi.by_v * state.v_slopes + chi.by_p * parameter_slopes_);
  const Matrix q = state.q_slopes.cwiseAbs().cwiseMax(given.q_slopes.cwiseAbs()),
               v = state.v_slopes.cwiseAbs().cwiseMax(given.v_slopes.cwiseAbs()), p = parameter_slopes_.cwiseAbs();
  const Matrix terms = stacked(Phi.by_q.cwiseAbs() * q + Phi.by_p.cwiseAbs() * p,
                               chi.by_q.cwiseAbs() * q + chi.by_v.cwiseAbs() * v + chi.by_p.cwiseAbs() * p);
  if (left.rows() == 0) return std::nullopt;
  const auto largest = [](const Matrix& slopes) { return slopes.size() > 0 ? slopes.lpNorm<Eigen::Infinity>() : 0; };
  const double rounding = unmoved * std::max({largest(Phi.by_q), largest(chi.by_q), largest(chi.by_v)});
  for (Eigen::Index k = 0; k < left.cols(); ++k)
    if (left.col(k).lpNorm<Eigen::Infinity>() > std::max(rounding, missed * terms.col(k).lpNorm<Eigen::Infinity>()))
      return k;
  return std::nullopt;
}

bool VariedMotion::vary_start(VariedState& state) {
  choose_rows(state);
  const InitialValues& values = subject_.given();
  VariedState given = state;
  given.q = Eigen::Map<const Vector>(values.coordinates.data(), static_cast<Eigen::Index>(values.coordinates.size()));
  given.v = Eigen::Map<const Vector>(values.speeds.data(), static_cast<Eigen::Index>(values.speeds.size()));
  StartVariation(variation_, *system_, parameter_slopes_, rows_, {values.coordinate_claims, values.speed_claims})
      .move(given);
  state.q_slopes = given.q_slopes;
  state.v_slopes = given.v_slopes;
  const auto is_near = [](const Vector& a, const Vector& b) {
    return a.size() == 0 || (a - b).lpNorm<Eigen::Infinity>() <= same_start * (1 + b.lpNorm<Eigen::Infinity>());
  };
  return is_near(given.q, state.q) && is_near(given.v, state.v);
}

}  // namespace taut
