#include "questions/varied_motion.hpp"

#include <algorithm>

#include "questions/independent_constraints.hpp"
#include "questions/matrix_parts.hpp"

namespace taut {
namespace {

constexpr int most_projections = 20;
constexpr double exact = 1e-15;

}  // namespace

VariedMotion::VariedMotion(const Subject& subject, const Matrix& parameter_slopes,
                           const std::vector<std::string>& outputs, const std::vector<int>& integrated)
    : subject_(subject),
      parameter_slopes_(parameter_slopes),
      none_(parameter_slopes.rows(), 0),
      integrated_(integrated),
      variation_(subject, SlopeFormulas::Parameters::included, outputs),
      system_(make_system(subject.model(), subject.parameters())),
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

Vector VariedMotion::accelerations(VariedState& state) {
  evaluate(state);
  return here_.a;
}

void VariedMotion::set_branches(const std::vector<System::Branch>& branches) {
  variation_.set_branches(branches);
  system_->set_branches(branches);
}

/// min |δ − wished| in the metric of M, on the varied constraints.
void VariedMotion::make_consistent(VariedState& state) {
  choose_rows(state);
  evaluate(state);
  const Matrix M = variation_.dynamics().by_a + 1e-12 * Matrix::Identity(here_.v.size(), here_.v.size());
  const auto along_masses = [&](const Matrix& rows) {
    const Matrix inverse_times_rows = inverse_of(M) * rows.transpose();
    return Matrix(inverse_times_rows * inverse_of(rows * inverse_times_rows));
  };
  const Slopes Phi = chosen(variation_.position(), rows_.positions), chi = chosen(variation_.velocity(), rows_.all);
  state.q_slopes = variation_.frame().retraction() * state.q_slopes;
  state.q_slopes -= variation_.frame().N() * (along_masses(rows_of(H(), rows_.positions)) *
                                              (Phi.by_q * state.q_slopes + Phi.by_p * parameter_slopes_));
  state.v_slopes -= along_masses(rows_of(H(), rows_.all)) *
                    (chi.by_q * state.q_slopes + chi.by_v * state.v_slopes + chi.by_p * parameter_slopes_);
}

}  // namespace taut
