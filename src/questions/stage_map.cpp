#include "questions/stage_map.hpp"

#include "linear/pivoted_qr.hpp"
#include "questions/matrix_parts.hpp"
#include "questions/tangent.hpp"

namespace taut {
namespace {

constexpr double least_pivot = 1e-14;

/// x with A x = 0, for an A of full rank.
Matrix left_free_by(const Matrix& A) {
  const auto n = A.cols();
  if (A.rows() == 0) return Matrix::Identity(n, n);
  return PivotedQr(A.transpose()).last_columns_of_Q(n - A.rows());
}

/// A matrix whose columns belong to the rows that count, with zeros for the others.
Matrix spread_columns(const Matrix& A, const std::vector<int>& rows, Eigen::Index count) {
  Matrix all = Matrix::Zero(A.rows(), count);
  for (std::size_t k = 0; k < rows.size(); ++k) all.col(rows[k]) = A.col(static_cast<Eigen::Index>(k));
  return all;
}

Matrix spread_rows(const Matrix& A, const std::vector<int>& rows, Eigen::Index count) {
  Matrix all = Matrix::Zero(count, A.cols());
  for (std::size_t k = 0; k < rows.size(); ++k) all.row(rows[k]) = A.row(static_cast<Eigen::Index>(k));
  return all;
}

Matrix along(const Slopes& of, const Changes& state, const Matrix& p) {
  return of.by_q * state.q + of.by_v * state.v + of.by_p * p;
}

}  // namespace

Slopes chosen(const Slopes& all, const std::vector<int>& rows) {
  return {rows_of(all.value, rows), rows_of(all.by_q, rows),      rows_of(all.by_v, rows),
          rows_of(all.by_a, rows),  rows_of(all.by_lambda, rows), rows_of(all.by_p, rows)};
}

Matrix inverse_of(const Matrix& A) { return pseudo_inverse(A, least_pivot); }

StageSolver::StageSolver(const Variation& at, const CountingRows& rows, const Matrix& H) {
  const Matrix& M = at.dynamics().by_a;
  const Eigen::Index count = H.rows(), n = M.rows();
  const Matrix counting = rows_of(H, rows.all), reactions = -columns_of(at.dynamics().by_lambda, rows.all);
  const Matrix free = left_free_by(counting), left = left_free_by(reactions.transpose());
  const Matrix inverse = inverse_of(counting);
  a_by_r_ = free * inverse_of(left.transpose() * M * free) * left.transpose();
  const Matrix by_s = inverse - a_by_r_ * (M * inverse);
  const Matrix shares = inverse_of(reactions);
  lambda_by_r_ = spread_rows(shares * (M * a_by_r_ - Matrix::Identity(n, n)), rows.all, count);
  a_by_s_ = spread_columns(by_s, rows.all, count);
  lambda_by_s_ = spread_columns(spread_rows(shares * M * by_s, rows.all, count), rows.all, count);
}

Matrix StageSolver::by_r(const Matrix& by_a, const Matrix& by_lambda) const {
  return a_by_r_.transpose() * by_a + lambda_by_r_.transpose() * by_lambda;
}

Matrix StageSolver::by_s(const Matrix& by_a, const Matrix& by_lambda) const {
  return a_by_s_.transpose() * by_a + lambda_by_s_.transpose() * by_lambda;
}

StageMap::StageMap(const Variation& at, const CountingRows& rows, const Matrix& H)
    : solver_(at, rows, H),
      r_(at.rates()),
      F_(at.dynamics()),
      G_(at.accelerations()),
      Phi_(chosen(at.position(), rows.positions)),
      chi_(chosen(at.velocity(), rows.all)),
      retraction_(at.frame().retraction()),
      retraction_by_p_(at.frame().retraction_by_p()),
      position_correction_(at.frame().N() * inverse_of(rows_of(H, rows.positions))),
      velocity_correction_(inverse_of(rows_of(H, rows.all))) {}

void StageMap::put_on_constraints(Changes& state, const Matrix& p) const {
  state.q = (retraction_ * state.q + retraction_by_p_ * p).eval();
  state.q -= position_correction_ * (Phi_.by_q * state.q + Phi_.by_p * p);
  state.v -= velocity_correction_ * along(chi_, state, p);
}

Changes StageMap::rates(const Changes& state, const Matrix& p) const {
  return {along(r_, state, p), solver_.a(-along(F_, state, p), -along(G_, state, p))};
}

Matrix StageMap::varied(const Slopes& y, const Changes& state, const Matrix& p) const {
  const Matrix r = -along(F_, state, p), s = -along(G_, state, p);
  return along(y, state, p) + y.by_a * solver_.a(r, s) + y.by_lambda * solver_.lambda(r, s);
}

Gradients StageMap::by_motion(const Matrix& by_a, const Matrix& by_lambda) const {
  const Matrix r = solver_.by_r(by_a, by_lambda), s = solver_.by_s(by_a, by_lambda);
  return {-(F_.by_q.transpose() * r + G_.by_q.transpose() * s), -(F_.by_v.transpose() * r + G_.by_v.transpose() * s),
          -(F_.by_p.transpose() * r + G_.by_p.transpose() * s)};
}

Gradients StageMap::by_rates(const Changes& gradients) const {
  Gradients all = by_motion(gradients.v, Matrix::Zero(F_.by_lambda.cols(), gradients.v.cols()));
  all += {r_.by_q.transpose() * gradients.q, r_.by_v.transpose() * gradients.q, r_.by_p.transpose() * gradients.q};
  return all;
}

Gradients StageMap::by_formulas(const Slopes& y, const Matrix& gradients) const {
  Gradients all = by_motion(y.by_a.transpose() * gradients, y.by_lambda.transpose() * gradients);
  all += {y.by_q.transpose() * gradients, y.by_v.transpose() * gradients, y.by_p.transpose() * gradients};
  return all;
}

void StageMap::pull_through_constraints(Gradients& gradients) const {
  const Matrix velocity = velocity_correction_.transpose() * gradients.v;
  gradients.v -= chi_.by_v.transpose() * velocity;
  gradients.q -= chi_.by_q.transpose() * velocity;
  gradients.p -= chi_.by_p.transpose() * velocity;
  const Matrix position = position_correction_.transpose() * gradients.q;
  gradients.q -= Phi_.by_q.transpose() * position;
  gradients.p -= Phi_.by_p.transpose() * position;
  gradients.p += retraction_by_p_.transpose() * gradients.q;
  gradients.q = retraction_.transpose() * gradients.q;
}

}  // namespace taut
