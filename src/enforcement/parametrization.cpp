#include <algorithm>
#include <cmath>
#include <limits>

#include "enforcement/list.hpp"

namespace taut {
namespace {

/// Tangent coordinates (Keerthi et al. §4; Braun & Goldfarb 2009 §4.3): with the columns of Y₀ spanning the
/// tangent plane at a base point q₀, y = Y₀ᵀ(q − q₀) and ẏ = Y₀ᵀv are integrated; q and v follow from y and
/// ẏ by Newton along the normals of the base point. When the tangent has turned so far that the
/// cosine of the angle to the base plane falls below `restart`, the present point becomes the base.
class TangentChart : public Chart {
 public:
  TangentChart(double restart, const Manifold& manifold)
      : restart_(restart),
        H0_(manifold.point().H),
        r_(Vector::Zero(manifold.shape().rows())),
        x_(Vector::Zero(manifold.shape().n_v())) {}

  void base(Manifold& manifold) override {
    H0_.values = manifold.point().H.values;
    manifold_ = &manifold;
  }

  bool lift(Manifold& manifold, double t, Vector& q, Vector& v) override {
    return manifold.project_position(t, q, std::numeric_limits<double>::infinity()).ok &&
           manifold.project_velocity_along_base(t, q, v).ok;
  }

  void restrict(Vector& qdot, Vector& vdot) override {
    H0_.multiply(qdot, r_);
    manifold_->base_positions().correct(r_, x_);
    qdot -= x_;
    H0_.multiply(vdot, r_);
    manifold_->base_rows().correct(r_, x_);
    vdot -= x_;
  }

  bool outgrown(Manifold& manifold, const Vector& v) override {
    const double speed = v.norm();
    if (speed == 0) return false;
    H0_.multiply(v, r_);
    manifold.base_rows().correct(r_, x_);
    // |x|/|v| is the sine of the angle between v and the base plane.
    const double sine = std::min(1.0, x_.norm() / speed);
    return std::sqrt(1 - sine * sine) < restart_;
  }

 private:
  double restart_;
  SparseValues H0_;
  Manifold* manifold_ = nullptr;
  Vector r_, x_;
};

class ParametrizationMethod : public Method {
 public:
  ParametrizationMethod(double restart, const Manifold& manifold) : chart_(restart, manifold) {}
  Chart* chart() const override { return &chart_; }
  bool needs_consistent_start() const override { return true; }

 private:
  mutable TangentChart chart_;
};

}  // namespace

std::unique_ptr<Method> make_method(const Parametrization& options, Manifold& manifold) {
  manifold.tolerance = options.tolerance;
  manifold.use_metric(Vector::Ones(manifold.shape().n_v()));
  return std::make_unique<ParametrizationMethod>(options.restart, manifold);
}

}  // namespace taut
