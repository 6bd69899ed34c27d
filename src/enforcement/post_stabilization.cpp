#include "enforcement/list.hpp"

namespace taut {
namespace {

/// One Newton step after each step of the integrator (Ascher; Braun & Goldfarb 2009 §4.1):
///   q ← q − N P_q Φ,  then  v ← v − P χ  with H at the corrected q.
class PostStabilizationMethod : public Method {
 public:
  explicit PostStabilizationMethod(const Shape& shape)
      : Method(Kind::corrected),
        Phi_(Vector::Zero(shape.position_rows)),
        chi_(Vector::Zero(shape.rows())),
        dq_(Vector::Zero(shape.n_q())),
        dv_(Vector::Zero(shape.n_v())) {}

  Projection correct(Manifold& manifold, double t, Vector& q, Vector& v) override {
    System& system = manifold.system();
    double change = 0;
    if (Phi_.size() > 0) {
      if (!manifold.factor_at(t, q, v)) return {false, 0};
      system.position(t, q, Phi_);
      Phi_ = -Phi_;
      if (!manifold.here().correct_position(t, q, Phi_, dq_)) return {false, 0};
      q += dq_;
      change = dq_.lpNorm<Eigen::Infinity>();
    }
    if (!manifold.factor_at(t, q, v)) return {false, 0};
    system.velocity(t, q, v, chi_);
    chi_ = -chi_;
    manifold.here().correct_velocity(chi_, dv_);
    v += dv_;
    return {q.allFinite() && v.allFinite(), change};
  }

 private:
  Vector Phi_, chi_, dq_, dv_;
};

}  // namespace

std::unique_ptr<Method> make_method(const PostStabilization&, Manifold& manifold) {
  return std::make_unique<PostStabilizationMethod>(manifold.shape());
}

}  // namespace taut
