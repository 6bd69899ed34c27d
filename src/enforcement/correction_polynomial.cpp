#include "enforcement/correction_polynomial.hpp"

namespace taut {
namespace {

/// Leja's points after 0 and 1: each is where the product of the distances from those before it is largest.
constexpr double points[] = {0.5,    0.2113,  0.82935, 0.08035, 0.935, 0.6528,  0.33915,
                             0.0285, 0.97635, 0.7397,  0.14365, 0.422, 0.88745, 0.01025};

}  // namespace

CorrectionPolynomial::CorrectionPolynomial(Eigen::Index size) : sum_(Vector::Zero(size)) { terms_.fill(sum_); }

double CorrectionPolynomial::next_point() const { return points[count_]; }

void CorrectionPolynomial::add(Vector& correction) {
  const double x = next_point();
  correction /= x * (x - 1);
  for (int k = 0; k < count_; ++k) correction = (correction - terms_[k]) / (x - points[k]);
  terms_[count_++] = correction;
}

/// By Horner's rule.
void CorrectionPolynomial::add_to(double x, Vector& y) {
  if (count_ == 0) return;
  sum_ = terms_[count_ - 1];
  for (int k = count_ - 2; k >= 0; --k) sum_ = (x - points[k]) * sum_ + terms_[k];
  y += x * (x - 1) * sum_;
}

}  // namespace taut
