#include <algorithm>
#include <cmath>

#include "enforcement/list.hpp"

namespace taut {
namespace {

/// Baumgarte stabilisation, Yoon, Howe & Greenwood Eq. (13): asks for Φ̈ + α Φ̇ + β Φ = 0 instead of Φ̈ = 0,
///   here: H v̇ = b − α χ − β Φ            b is minus the velocity part of χ̇
/// and of velocity constraints for Ψ̇ + γ Ψ = 0.
class BaumgarteMethod : public Method {
 public:
  explicit BaumgarteMethod(const Baumgarte& options)
      : Method(Kind::terms),
        alpha_(options.omega > 0 ? 2 * options.omega : options.alpha),
        beta_(options.omega > 0 ? options.omega * options.omega : options.beta),
        gamma_(options.gamma > 0 ? options.gamma : alpha_ / 2) {}

  void demand(const Point&, const ViolationNow& violation, double, Vector& c) override {
    const Eigen::Index p = violation.Phi.size();
    c.head(p) -= alpha_ * violation.chi.head(p) + beta_ * violation.Phi;
    c.tail(c.size() - p) -= gamma_ * violation.chi.tail(c.size() - p);
  }

  double gain() const override { return std::max({alpha_ / 2, std::sqrt(beta_), gamma_}); }

 private:
  double alpha_, beta_, gamma_;
};

}  // namespace

std::unique_ptr<Method> make_method(const Baumgarte& options, Manifold&) {
  return std::make_unique<BaumgarteMethod>(options);
}

}  // namespace taut
