#include "questions/adjoint.hpp"

namespace taut {
namespace {

Gradients none_like(const Gradients& other) {
  return {Matrix::Zero(other.q.rows(), other.q.cols()), Matrix::Zero(other.v.rows(), other.v.cols()),
          Matrix::Zero(other.p.rows(), other.p.cols())};
}

}  // namespace

void Adjoint::set(const CountingRows& rows, const std::vector<System::Branch>& branches) {
  motion_.set_rows(rows);
  if (!branches.empty()) motion_.set_branches(branches);
}

/// y⁺ = y + h Σ b_i k_i, k_i = L_i(y + h Σ a_ij k_j): the gradient by stage i is L_iᵀ(h b_i ḡ + h Σ_j a_ji s̄_j).
Gradients Adjoint::through_stages(const std::vector<VariedMotion::Stage>& stages, double h, const Gradients& end,
                                  const Matrix& integrals) const {
  const Tableau& tableau = motion_.tableau();
  std::vector<Gradients> by_stage(stages.size());
  Gradients start = end;
  for (std::size_t i = stages.size(); i-- > 0;) {
    Changes by_rates{h * tableau.b[i] * end.q, h * tableau.b[i] * end.v};
    for (std::size_t j = i + 1; j < stages.size(); ++j) {
      if (i >= tableau.a[j].size() || tableau.a[j][i] == 0) continue;
      by_rates.q += h * tableau.a[j][i] * by_stage[j].q;
      by_rates.v += h * tableau.a[j][i] * by_stage[j].v;
    }
    by_stage[i] = stages[i].map.by_rates(by_rates);
    if (integrals.rows() > 0)
      by_stage[i] += stages[i].map.by_formulas(stages[i].integrated, h * tableau.b[i] * integrals);
    stages[i].map.pull_through_constraints(by_stage[i]);
    start += by_stage[i];
  }
  return start;
}

Gradients Adjoint::of_moment(const MotionTape::Step& step, const MomentOfStep& moment, const Gradients& like) {
  VariedState there = step.begun;
  if (moment.offset != 0) motion_.step(there, moment.offset);
  const StageMap map = motion_.evaluate(there);
  Matrix seen = Matrix::Zero(motion_.variation().outputs().value.size(), like.q.cols());
  seen(moment.output, moment.result) = 1;
  Gradients gradients = map.by_formulas(motion_.variation().outputs(), seen);
  map.pull_through_constraints(gradients);
  if (moment.offset == 0) return gradients;
  const Matrix none(0, like.q.cols());
  return through_stages(motion_.stages(step.begun, moment.offset), moment.offset, gradients, none);
}

/// δy⁺ = δy − Σ jump δs/ṡ, of coordinates, speeds and integrals.
void Adjoint::through_jumps(const std::vector<MotionTape::Jump>& jumps, Gradients& gradients) {
  if (jumps.empty()) return;
  set(jumps.front().rows, jumps.front().branches);
  VariedState at = jumps.front().at;
  const StageMap map = motion_.evaluate(at);
  const Slopes& s = motion_.variation().switching();
  Matrix by_s = Matrix::Zero(s.value.size(), gradients.v.cols());
  for (const MotionTape::Jump& jump : jumps) {
    const VariedMotion::Rates& of = jump.of_rates;
    Eigen::RowVectorXd moved = of.q().transpose() * gradients.q + of.v().transpose() * gradients.v;
    if (integrals_.rows() > 0) moved += of.integrals().transpose() * integrals_;
    by_s.row(jump.switching) = -moved / jump.rate;
  }
  gradients += map.by_formulas(s, by_s);
  map.pull_through_constraints(gradients);
}

Gradients Adjoint::at_start(Gradients gradients, const std::vector<MomentOfStep>& moments) {
  for (std::size_t k = tape_.steps().size(); k-- > 0;) {
    const MotionTape::Step& step = tape_.steps()[k];
    set(step.rows, step.branches);
    const auto stages = motion_.stages(step.begun, step.h);
    gradients = through_stages(stages, step.h, gradients, integrals_);
    for (const MomentOfStep& moment : moments)
      if (moment.step == k) gradients += of_moment(step, moment, none_like(gradients));
    stages.front().map.pull_through_constraints(gradients);
    through_jumps(step.jumps, gradients);
  }
  return gradients;
}

}  // namespace taut
