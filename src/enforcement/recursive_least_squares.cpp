#include <algorithm>

#include "enforcement/list.hpp"

namespace taut {
namespace {

/// Constraint enforcement by recursive least squares, Orsino & de Oliveira Eq. (16)-(21). Accelerations
/// come from the recursion over the rows (the kernel `recursive`). After a step the same recursion
/// sweeps over the rows at the new state, with the violations updated as the sweep goes:
///   v ← v − P χ,   q ← q − G P_q Φ,   G = ∂q̇/∂v = N
/// One sweep is then one Newton step of the mass-weighted projection.
class RecursiveLeastSquaresMethod : public Method {
 public:
  RecursiveLeastSquaresMethod(int sweeps, const Shape& shape)
      : Method(Kind::corrected),
        sweeps_(sweeps),
        Phi_(Vector::Zero(shape.position_rows)),
        chi_(Vector::Zero(shape.rows())),
        dq_(Vector::Zero(shape.n_q())),
        dv_(Vector::Zero(shape.n_v())) {}

  Projection correct(Manifold& manifold, double t, Vector& q, Vector& v) override {
    System& system = manifold.system();
    double change = 0;
    for (int k = 0; k < sweeps_; ++k) {
      if (!manifold.factor_at(t, q, v)) return {false, 0};
      system.velocity(t, q, v, chi_);
      chi_ = -chi_;
      manifold.here().correct_velocity(chi_, dv_);
      if (Phi_.size() > 0) {
        system.position(t, q, Phi_);
        Phi_ = -Phi_;
        if (!manifold.here().correct_position(t, q, Phi_, dq_)) return {false, 0};
        q += dq_;
        change = std::max(change, dq_.lpNorm<Eigen::Infinity>());
      }
      v += dv_;
    }
    return {q.allFinite() && v.allFinite(), change};
  }

 private:
  int sweeps_;
  Vector Phi_, chi_, dq_, dv_;
};

}  // namespace

std::unique_ptr<Method> make_method(const RecursiveLeastSquares& options, Manifold& manifold) {
  return std::make_unique<RecursiveLeastSquaresMethod>(options.sweeps, manifold.shape());
}

}  // namespace taut
