#include "taut/first_order.hpp"

#include <fmt/format.h>

#include "questions/constrained_solve.hpp"

namespace taut {

class FirstOrder::Implementation {
 public:
  Implementation(const Model& model, const QuestionOptions& options)
      : subject_(model, options), variation_(subject_, SlopeFormulas::Parameters::left_out) {
    names_ = subject_.shape().coordinates;
    names_.insert(names_.end(), subject_.shape().speeds.begin(), subject_.shape().speeds.end());
    start_.resize(n_q() + n_v());
    start_ << subject_.start().q, subject_.start().v;
  }

  const std::vector<std::string>& names() const { return names_; }
  const Vector& start() const { return start_; }
  int n_q() const { return subject_.shape().n_q(); }
  int n_v() const { return subject_.shape().n_v(); }

  void rates(double t, const Vector& y, Vector& out) {
    const MotionPoint point = solved(t, y);
    out.resize(y.size());
    out << variation_.rates().value, point.a;
  }

  /// δv̇ of F(q, v, v̇, λ) = 0 and G(q, v, v̇) = 0: F_a δv̇ + F_λ δλ = −(F_q δq + F_v δv), and G likewise.
  Matrix jacobian(double t, const Vector& y) {
    solved(t, y);
    Matrix by_y(y.size(), y.size());
    const auto along = [&](const Slopes& slopes) {
      Matrix all(slopes.value.size(), y.size());
      all << slopes.by_q, slopes.by_v;
      return all;
    };
    by_y.topRows(n_q()) = along(variation_.rates());
    by_y.bottomRows(n_v()) =
        ConstrainedSolve(variation_).solve(-along(variation_.dynamics()), -along(variation_.accelerations())).a;
    return by_y;
  }

  bool project(double t, Vector& y) {
    MotionPoint point = at(t, y);
    if (!project_position(point)) return false;
    const Slopes& chi = variation_.velocity();
    for (int k = 0; k < 10; ++k) {  // one serves, unless a velocity constraint is not linear
      const Vector step = FreeDirections(chi.by_v).particular(-chi.value);
      point.v += step;
      variation_.evaluate(point);
      if (!(step.norm() > 1e-13 * point.v.norm())) break;
    }
    if (!point.q.allFinite() || !point.v.allFinite()) return false;
    y << point.q, point.v;
    return true;
  }

 private:
  bool project_position(MotionPoint& point) {
    const Slopes& Phi = variation_.position();
    for (int k = 0; k < 30; ++k) {
      variation_.evaluate(point);
      const Vector step = FreeDirections(Phi.by_q * variation_.E()).particular(-Phi.value);
      variation_.frame().move(point.q, step);
      if (!point.q.allFinite()) return false;
      if (step.norm() <= 1e-13 * (1 + point.q.norm())) {
        variation_.evaluate(point);
        return true;
      }
    }
    return false;
  }

  MotionPoint at(double t, const Vector& y) const {
    if (y.size() != n_q() + n_v())
      throw InputError(
          fmt::format("y has to be {} numbers: {} coordinates, then {} speeds", n_q() + n_v(), n_q(), n_v()),
          "give them in the order of names()");
    return {t, y.head(n_q()), y.tail(n_v()), Vector::Zero(n_v()), Vector::Zero(subject_.shape().rows())};
  }
  MotionPoint solved(double t, const Vector& y) {
    MotionPoint point = at(t, y);
    if (!solve_motion(variation_, point))
      throw InputError(fmt::format("the equations have no value at t = {:.9g}", t), "give another state");
    return point;
  }

  Subject subject_;
  Variation variation_;
  std::vector<std::string> names_;
  Vector start_;
};

FirstOrder::FirstOrder(const Model& model, const QuestionOptions& options)
    : implementation_(std::make_unique<Implementation>(model, options)) {}
FirstOrder::~FirstOrder() = default;
FirstOrder::FirstOrder(FirstOrder&&) noexcept = default;
FirstOrder& FirstOrder::operator=(FirstOrder&&) noexcept = default;

const std::vector<std::string>& FirstOrder::names() const { return implementation_->names(); }
int FirstOrder::coordinates() const { return implementation_->n_q(); }
const Vector& FirstOrder::start() const { return implementation_->start(); }
void FirstOrder::rates(double t, const Vector& y, Vector& out) { implementation_->rates(t, y, out); }
Matrix FirstOrder::jacobian(double t, const Vector& y) { return implementation_->jacobian(t, y); }
bool FirstOrder::project(double t, Vector& y) { return implementation_->project(t, y); }

}  // namespace taut
