#include <limits>

#include "enforcement/list.hpp"

namespace taut {
namespace {

/// Drift elimination embedded in the equation of motion, Braun & Goldfarb 2009 Eq. (16), (20), (21);
/// with velocity constraints Part II Eq. (1)-(4):
///   v̇ = a + P(b − χ/h − H a)
///   q̇ = N v + N P_q(−Φ/h − Φ̇)
/// h is the step actually taken. Φ/h and χ/h belong to the beginning of the step and are held through
/// it (--control euler): a stage of a Runge–Kutta formula lies O(h²) off the constraints by
/// construction, and a gain of 1/h would correct that, too. Φ̇ in the second line is the stage's own.
class BraunGoldfarbMethod : public Method {
 public:
  explicit BraunGoldfarbMethod(const Shape& shape)
      : Method(Kind::terms), r_(Vector::Zero(shape.position_rows)), dq_(Vector::Zero(shape.n_q())) {}

  void demand(const Point&, const ViolationNow& violation, double h, Vector& c) override { c -= violation.chi / h; }

  void add_to_rates(Manifold& manifold, double t, const Vector& q, const ViolationNow& violation, double h,
                    Vector& qdot) override {
    if (r_.size() == 0) return;
    r_ = -violation.Phi / h - manifold.point().chi.head(r_.size());
    // Without a correction the rates have no value, and the step is refused.
    if (!manifold.here().correct_position(t, q, r_, dq_)) dq_.setConstant(std::numeric_limits<double>::quiet_NaN());
    qdot += dq_;
  }

  bool uses_step() const override { return true; }
  bool formulas_give_held_terms() const override { return true; }

 private:
  Vector r_, dq_;
};

}  // namespace

std::unique_ptr<Method> make_method(const BraunGoldfarb&, Manifold& manifold) {
  return std::make_unique<BraunGoldfarbMethod>(manifold.shape());
}

}  // namespace taut
