#include "questions/start_variation.hpp"

#include "questions/matrix_parts.hpp"
#include "questions/tangent.hpp"

namespace taut {
namespace {

constexpr int most_corrections = 50;
constexpr double done = 1e-15, dependent = 1e-12;
/// Beside the largest entry of M: for speeds that only others give inertia to.
constexpr double least_mass = 1e-12;

}  // namespace

StartVariation::StartVariation(Variation& variation, System& system, const Matrix& parameter_slopes,
                               const CountingRows& rows, const Claims& claims)
    : variation_(variation), system_(system), parameter_slopes_(parameter_slopes), rows_(rows), claims_(claims) {}

MotionPoint StartVariation::at(const VariedState& state) const {
  const Shape& shape = variation_.shape();
  return {state.t, state.q, Vector::Zero(shape.n_v()), Vector::Zero(shape.n_v()), Vector::Zero(shape.rows())};
}

/// What one list of formulas gains by what is added at a point.
Slopes StartVariation::difference(const MotionPoint& with, const MotionPoint& without,
                                  const Slopes& (Variation::*part)() const) {
  variation_.evaluate(without);
  const Slopes less = (variation_.*part)();
  variation_.evaluate(with);
  Slopes more = (variation_.*part)();
  more.by_q -= less.by_q;
  more.by_p -= less.by_p;
  variation_.evaluate(without);
  return more;
}

/// Where the variation stands.
void StartVariation::prepare(const std::vector<int>& rows, const std::vector<bool>& held) {
  Matrix M = variation_.dynamics().by_a;
  H_ = rows_of(variation_.accelerations().by_a, rows);
  M.diagonal().array() += least_mass * std::max(M.size() > 0 ? M.lpNorm<Eigen::Infinity>() : 0, 1e-300);
  for (std::size_t k = 0; k < held.size(); ++k)
    if (const auto j = static_cast<Eigen::Index>(k); held[k]) {
      M.row(j).setZero();
      M.col(j).setZero();
      H_.col(j).setZero();
    }
  inverse_mass_ = pseudo_inverse(M, 1e-15);
  const Matrix across = inverse_mass_ * H_.transpose();
  weighted_ = across * pseudo_inverse(H_ * across, dependent);
}

StartVariation::Correction StartVariation::correct(const Vector& violation) const {
  const Matrix gram = H_ * inverse_mass_ * H_.transpose();
  return {-weighted_ * violation, -pseudo_inverse(gram, dependent) * violation};
}

Matrix StartVariation::vary(const Matrix& balance, const Matrix& violation) const {
  const Matrix free = inverse_mass_ * balance;
  return -weighted_ * (violation - H_ * free) - free;
}

/// Where the variation stands.
void StartVariation::retract(VariedState& state) const {
  const Frame& frame = variation_.frame();
  state.q_slopes = (frame.retraction() * state.q_slopes + frame.retraction_by_p() * parameter_slopes_).eval();
}

double StartVariation::move_position(VariedState& state, const std::vector<bool>& held) {
  const MotionPoint here = at(state);
  variation_.evaluate(here);
  prepare(rows_.positions, held);
  const Slopes Phi = chosen(variation_.position(), rows_.positions);
  const Matrix N = variation_.frame().N();
  const Correction correction = correct(Phi.value);
  MotionPoint accelerated = here, moving = here;
  accelerated.a = correction.w;
  for (std::size_t k = 0; k < rows_.positions.size(); ++k)
    accelerated.lambda[rows_.positions[k]] = correction.multipliers[static_cast<Eigen::Index>(k)];
  moving.v = correction.w;
  const Slopes balance = difference(accelerated, here, &Variation::dynamics),
               turned = chosen(difference(accelerated, here, &Variation::accelerations), rows_.positions),
               rates = difference(moving, here, &Variation::rates);
  const Matrix dw = vary(along(balance, state.q_slopes), along(Phi, state.q_slopes) + along(turned, state.q_slopes));
  state.q_slopes += (N * dw + along(rates, state.q_slopes)).eval();
  state.q += N * correction.w;
  variation_.evaluate(at(state));
  retract(state);
  system_.retract(state.t, state.q);
  return correction.w.size() > 0 ? correction.w.lpNorm<Eigen::Infinity>() : 0;
}

void StartVariation::move_speeds(VariedState& state, const std::vector<bool>& held) {
  MotionPoint here = at(state);
  here.v = state.v;
  variation_.evaluate(here);
  prepare(rows_.all, held);
  const Correction correction = correct(chosen(variation_.velocity(), rows_.all).value);
  here.v = state.v += correction.w;
  MotionPoint accelerated = here;
  accelerated.a = correction.w;
  for (std::size_t k = 0; k < rows_.all.size(); ++k)
    accelerated.lambda[rows_.all[k]] = correction.multipliers[static_cast<Eigen::Index>(k)];
  const Slopes balance = difference(accelerated, here, &Variation::dynamics);
  const Slopes chi = chosen(variation_.velocity(), rows_.all);
  state.v_slopes += vary(along(balance, state.q_slopes), along(chi, state.q_slopes) + chi.by_v * state.v_slopes).eval();
}

void StartVariation::move(VariedState& given) {
  const Held held = held_by(system_, given.t, given.q, claims_);
  variation_.evaluate(at(given));
  retract(given);
  for (int k = 0; k < most_corrections && !rows_.positions.empty(); ++k)
    if (move_position(given, held.positions) <= done * std::max(1.0, given.q.lpNorm<Eigen::Infinity>())) break;
  if (rows_.all.empty()) return;
  for (int k = 0; k < (variation_.shape().jacobian_of_speeds ? most_corrections : 2); ++k)
    move_speeds(given, held.speeds);
}

}  // namespace taut
