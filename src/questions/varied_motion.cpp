#include "questions/varied_motion.hpp"

#include <algorithm>

#include "linear/pivoted_qr.hpp"
#include "questions/independent_constraints.hpp"
#include "questions/matrix_parts.hpp"
#include "questions/tangent.hpp"

namespace taut {
namespace {

constexpr int most_projections = 20;
constexpr double exact = 1e-15, least_pivot = 1e-14;

Matrix inverse_of(const Matrix& A) { return pseudo_inverse(A, least_pivot); }

/// x with A x = 0, for an A of full rank.
Matrix left_free_by(const Matrix& A) {
  const auto n = A.cols();
  if (A.rows() == 0) return Matrix::Identity(n, n);
  return PivotedQr(A.transpose()).last_columns_of_Q(n - A.rows());
}

}  // namespace

VariedMotion::VariedMotion(const Subject& subject, const Matrix& parameter_slopes,
                           const std::vector<std::string>& outputs)
    : subject_(subject),
      parameter_slopes_(parameter_slopes),
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
  system_->at_position(state.t, state.q, point_);
  system_->at_velocity(state.t, state.q, state.v, point_);
  const std::vector<int> rows = independent_constraints(H(), subject_.shape().position_rows);
  if (rows.size() >= rows_.size()) rows_ = rows;
  position_rows_ =
      static_cast<int>(std::ranges::count_if(rows_, [this](int row) { return row < subject_.shape().position_rows; }));
  rates(state);
}

/// q along H⁺, then v; M, f, H and b are those of the result.
void VariedMotion::put_on_constraints(VariedState& state) {
  Vector dq = Vector::Zero(state.q.size());
  const std::vector<int> positions(rows_.begin(), rows_.begin() + position_rows_);
  system_->retract(state.t, state.q);
  system_->at_position(state.t, state.q, point_);
  double last = -1;
  for (int k = 0; k < most_projections && position_rows_ > 0; ++k) {
    const Vector dv = -(inverse_of(rows_of(H(), positions)) * rows_of(point_.Phi, positions));
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
    inverse_ = inverse_of(rows_of(H(), rows_));
    if (rows_.empty()) break;
    state.v -= inverse_ * rows_of(point_.chi, rows_);
  }
  system_->at_velocity(state.t, state.q, state.v, point_);
}

VariedMotion::Solution VariedMotion::solve(const Matrix& r, const Matrix& s) const {
  const Matrix& M = variation_.dynamics().by_a;
  const Matrix reactions = -columns_of(variation_.dynamics().by_lambda, rows_);
  const Matrix left = left_free_by(reactions.transpose());
  Matrix a = inverse_ * rows_of(s, rows_);
  a += free_ * (inverse_of(left.transpose() * M * free_) * (left.transpose() * (r - M * a)));
  Matrix lambda = Matrix::Zero(subject_.shape().rows(), r.cols());
  const Matrix chosen = inverse_of(reactions) * (M * a - r);
  for (std::size_t k = 0; k < rows_.size(); ++k) lambda.row(rows_[k]) = chosen.row(static_cast<Eigen::Index>(k));
  return {a, lambda};
}

/// Leaves the variation evaluated at the state with its accelerations and multipliers.
void VariedMotion::find_accelerations(VariedState& state) {
  const auto n = subject_.shape().n_v();
  free_ = left_free_by(rows_of(H(), rows_));
  here_ = {state.t, state.q, state.v, Vector::Zero(n), Vector::Zero(subject_.shape().rows())};
  for (int k = 0; k < (subject_.shape().forces_need_multipliers ? most_projections : 1); ++k) {
    variation_.evaluate(here_);
    const Solution step = solve(-variation_.dynamics().value, -variation_.accelerations().value);
    here_.a += step.a;
    here_.lambda += step.lambda;
  }
  variation_.evaluate(here_);
}

void VariedMotion::put_slopes_on_constraints(VariedState& state, const Matrix& position_inverse,
                                             const Matrix& inverse) {
  const std::vector<int> positions(rows_.begin(), rows_.begin() + position_rows_);
  const Slopes &Phi = variation_.position(), &chi = variation_.velocity();
  state.q_slopes = variation_.retracted(state.q_slopes);
  if (position_rows_ > 0) {
    const Matrix dv = -(position_inverse * rows_of(Phi.by_q * state.q_slopes + by_parameters(Phi), positions));
    state.q_slopes += variation_.spread(dv);
  }
  if (rows_.empty()) return;
  state.v_slopes -=
      inverse * rows_of(chi.by_q * state.q_slopes + chi.by_v * state.v_slopes + by_parameters(chi), rows_);
}

Vector VariedMotion::rates(VariedState& state) {
  put_on_constraints(state);
  find_accelerations(state);
  const std::vector<int> positions(rows_.begin(), rows_.begin() + position_rows_);
  put_slopes_on_constraints(state, inverse_of(rows_of(H(), positions)), inverse_);
  const Slopes &r = variation_.rates(), &F = variation_.dynamics(), &G = variation_.accelerations();
  const auto varied = [&](const Slopes& of) {
    return Matrix(of.by_q * state.q_slopes + of.by_v * state.v_slopes + by_parameters(of));
  };
  return VariedState{1, r.value, here_.a, varied(r), solve(-varied(F), -varied(G)).a}.packed();
}

void VariedMotion::step(VariedState& state, double h) {
  const Vector y = state.packed();
  std::vector<Vector> k;
  VariedState stage = state;
  Vector at(y.size());
  for (int i = 0; i < tableau_.stages(); ++i) {
    combine(tableau_.a[static_cast<std::size_t>(i)], h, y, k, at);
    stage.unpack(at);
    stage.t = state.t + tableau_.c[static_cast<std::size_t>(i)] * h;
    k.push_back(rates(stage));
  }
  combine(tableau_.b, h, y, k, at);
  state.unpack(at);
  state.t += h;
}

VariedMotion::Shown VariedMotion::shown(const Slopes& y, const Vector& by_time, VariedState& state) {
  VariedState rate = state;
  rate.unpack(rates(state));
  const Slopes &F = variation_.dynamics(), &G = variation_.accelerations();
  const auto varied = [&](const Slopes& of) {
    return Matrix(of.by_q * state.q_slopes + of.by_v * state.v_slopes + by_parameters(of));
  };
  const Solution change = solve(-varied(F), -varied(G));
  return {y.value, varied(y) + y.by_a * change.a + y.by_lambda * change.lambda,
          y.by_q * rate.q + y.by_v * rate.v + by_time};
}

VariedMotion::Shown VariedMotion::show(VariedState& state) {
  return shown(variation_.outputs(), variation_.outputs_by_time(), state);
}

VariedMotion::Shown VariedMotion::switching(VariedState& state) {
  return shown(variation_.switching(), variation_.switching_by_time(), state);
}

Vector VariedMotion::accelerations(VariedState& state) {
  rates(state);
  return here_.a;
}

void VariedMotion::set_branches(const std::vector<System::Branch>& branches) {
  variation_.set_branches(branches);
  system_->set_branches(branches);
}

/// min |δ − wished| in the metric of M, on the varied constraints.
void VariedMotion::make_consistent(VariedState& state) {
  begin(state);
  const Matrix M = variation_.dynamics().by_a + 1e-12 * Matrix::Identity(here_.v.size(), here_.v.size());
  const auto along_masses = [&](const Matrix& rows) {
    const Matrix inverse_times_rows = inverse_of(M) * rows.transpose();
    return Matrix(inverse_times_rows * inverse_of(rows * inverse_times_rows));
  };
  const std::vector<int> positions(rows_.begin(), rows_.begin() + position_rows_);
  put_slopes_on_constraints(state, along_masses(rows_of(H(), positions)), along_masses(rows_of(H(), rows_)));
}

}  // namespace taut
