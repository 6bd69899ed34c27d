#include "questions/linearization.hpp"

#include <algorithm>

#include "questions/constrained_solve.hpp"
#include "questions/matrix_parts.hpp"

namespace taut {
Linearization::Linearization(const Variation& at, const Matrix& parameter_slopes, const StateChoice* choice)
    : at_(at), slopes_(parameter_slopes), inputs_(parameter_slopes.cols()), E_(at.E()) {
  vary_positions(choice);
  vary_speeds(choice);
  vary_accelerations();
}

Matrix Linearization::by_inputs(const Slopes& slopes) const {
  return inputs_ == 0 ? Matrix(slopes.value.size(), 0) : Matrix(slopes.by_p * slopes_);
}

/// What changes of states by 1 ask of the constraints, and what is reached, beside the slopes of the constraints.
void Linearization::check(const Matrix& left, const Matrix& right, const Matrix& slopes) {
  if (left.size() == 0 || slopes.size() == 0) return;
  const double size = std::max(slopes.lpNorm<Eigen::Infinity>(), right.lpNorm<Eigen::Infinity>());
  if (size > 0) inconsistency_ = std::max(inconsistency_, (left - right).lpNorm<Eigen::Infinity>() / size);
}

void Linearization::vary_positions(const StateChoice* choice) {
  const Matrix rows = stacked(at_.position().by_q * E_, at_.frame().retained());
  const FreeDirections free(rows);
  smallest_pivot_ = free.smallest_kept();
  choice_.pi = choice ? choice->pi : independent_rows(free.basis());
  const Matrix Z = normalised(free.basis(), choice_.pi);
  const Matrix asked = stacked(-by_inputs(at_.position()), Matrix::Zero(at_.frame().retained().rows(), inputs_));
  Matrix moved = free.particular(asked);
  check(rows * moved, asked, rows);
  moved -= Z * rows_of(moved, choice_.pi);
  pi_.resize(Z.rows(), Z.cols() + moved.cols());
  pi_ << Z, moved;
}

/// Rates of the chosen quasi-coordinates, and what is the rate of none.
std::vector<int> Linearization::preferred_speeds() const {
  std::vector<bool> is_rate(static_cast<std::size_t>(at_.shape().n_v()));
  std::vector<int> list;
  for (int k = 0; k < at_.frame().size(); ++k)
    if (at_.frame().speed_of(k) >= 0) is_rate[static_cast<std::size_t>(at_.frame().speed_of(k))] = true;
  for (const int k : choice_.pi)
    if (at_.frame().speed_of(k) >= 0) list.push_back(at_.frame().speed_of(k));
  for (std::size_t j = 0; j < is_rate.size(); ++j)
    if (!is_rate[j]) list.push_back(static_cast<int>(j));
  std::ranges::sort(list);
  return list;
}

void Linearization::vary_speeds(const StateChoice* choice) {
  const Matrix& H = at_.velocity().by_v;
  const FreeDirections free(H);
  smallest_pivot_ = std::min(smallest_pivot_, free.smallest_kept());
  choice_.v = choice ? choice->v : independent_rows(free.basis(), preferred_speeds());
  const Matrix W = normalised(free.basis(), choice_.v);
  const Eigen::Index k = positions(), speeds = W.cols();
  Matrix all = Matrix::Zero(pi_.rows(), k + speeds + inputs_);
  all.leftCols(k) = pi_.leftCols(k);
  all.rightCols(inputs_) = pi_.rightCols(inputs_);
  pi_ = all;
  Matrix asked = -(at_.velocity().by_q * (E_ * pi_));
  asked.rightCols(inputs_) -= by_inputs(at_.velocity());
  v_ = free.particular(asked);
  check(H * v_, asked, H);
  v_ -= W * rows_of(v_, choice_.v);
  v_.middleCols(k, speeds) += W;
}

void Linearization::vary_accelerations() {
  const auto varied = [&](const Slopes& slopes) {
    Matrix change = slopes.by_q * (E_ * pi_) + slopes.by_v * v_;
    change.rightCols(inputs_) += by_inputs(slopes);
    return change;
  };
  const ConstrainedSolve solver(at_);
  has_inertia_ = solver.has_inertia();
  const Matrix asked = -varied(at_.accelerations());
  const auto [a, lambda] = solver.solve(-varied(at_.dynamics()), asked);
  check(at_.accelerations().by_a * a, asked, at_.accelerations().by_a);
  Matrix rates = at_.rates_by_pi() * pi_ + at_.rates_by_v() * v_;
  if (inputs_ > 0) rates.rightCols(inputs_) += at_.rates_by_p() * slopes_;
  motion_ = stacked(rows_of(rates, choice_.pi), rows_of(a, choice_.v));
  outputs_ = varied(at_.outputs()) + at_.outputs().by_a * a + at_.outputs().by_lambda * lambda;
  find_undetermined();
}

/// Multipliers w with (Hᵀ + ∂R/∂λ) w = 0 act on nothing, and nothing says how large they are.
void Linearization::find_undetermined() {
  const Matrix& seen = at_.outputs().by_lambda;
  const Matrix idle = FreeDirections(at_.dynamics().by_lambda).basis();
  for (Eigen::Index i = 0; i < seen.rows(); ++i)
    if ((seen.row(i) * idle).norm() > 1e-9 * seen.row(i).norm()) undetermined_.push_back(static_cast<int>(i));
}

}  // namespace taut
