#pragma once

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/SVD>
#include <limits>
#include <memory>
#include <string>

#include "enforcement/energy.hpp"
#include "enforcement/list.hpp"
#include "linear/list.hpp"
#include "simulation/motion.hpp"
#include "taut/model.hpp"
#include "taut/simulation.hpp"

/// What the tests of the methods share: small systems, and a method set up on one by hand.
namespace taut::test {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// A bead on an ellipse, with a mass matrix that is neither diagonal nor even: M = [1 0.3; 0.3 2].
constexpr const char* ellipse = R"(
model: ellipse
coordinates: {x: [2, 0], y: [0, 0.5]}
kinetic_energy: (x'^2 + 0.6*x'*y' + 2*y'^2)/2
potential_energy: 3*y
constraints: {curve: x^2/4 + y^2 = 1}
)";

/// Two linear constraints on three coordinates of different mass.
constexpr const char* linear = R"(
model: linear
coordinates: {x: [1, 1], y: [1, 1], z: [0, -3]}
kinetic_energy: (x'^2 + 2*y'^2 + 5*z'^2)/2
potential_energy: 4*x - y
constraints:
  first: x - y = 0
  second: x + 2*y + z = 3
)";

/// Position and velocity constraints together, the latter nonlinear in the rates.
constexpr const char* mixed = R"(
model: mixed
coordinates: {x: [1, 0], y: [0, 1], z: [0, 1]}
kinetic_energy: (x'^2 + 2*y'^2 + 3*z'^2)/2
potential_energy: 2*y
constraints:
  circle: x^2 + y^2 = 1
  speed: x'^2 + y'^2 = z'^2
)";

/// A system and its equations at a point, dense, computed without any kernel.
class Equations {
 public:
  explicit Equations(const std::string& text, const std::vector<Assignment>& set = {})
      : model_(read_model(text, "test.yaml", set)),
        initial_(initial_values(model_, set)),
        system_(make_system(model_, initial_.parameters)) {
    q = Eigen::Map<const Vector>(initial_.coordinates.data(), static_cast<Eigen::Index>(initial_.coordinates.size()));
    v = Eigen::Map<const Vector>(initial_.speeds.data(), static_cast<Eigen::Index>(initial_.speeds.size()));
    at(q, v);
  }

  void at(const Vector& position, const Vector& speeds) {
    Point point = system_->make_point();
    system_->at_position(0, position, point);
    system_->at_velocity(0, position, speeds, point);
    M.resize(v.size(), v.size());
    H.resize(system_->shape().rows(), v.size());
    point.M.to_dense(M);
    point.H.to_dense(H);
    f = point.f;
    b = point.b;
    Phi = point.Phi;
    chi = point.chi;
  }

  /// P(r) = M⁻¹Hᵀ(H M⁻¹Hᵀ)⁺ r over the first so many rows, by the pseudoinverse of singular values.
  Vector P(const Vector& r) const {
    const Matrix A = H.topRows(r.size());
    const Matrix S = A * M.llt().solve(A.transpose());
    const Eigen::JacobiSVD<Matrix> svd(S, Eigen::ComputeThinU | Eigen::ComputeThinV);
    Vector y = svd.matrixU().transpose() * r;
    for (Eigen::Index k = 0; k < y.size(); ++k)
      y[k] = svd.singularValues()[k] > 1e-9 * svd.singularValues()[0] ? y[k] / svd.singularValues()[k] : 0;
    return M.llt().solve(A.transpose() * (svd.matrixV() * y));
  }
  /// v̇ = a + P(c − H a), a = M⁻¹f.
  Vector acceleration(const Vector& c) const {
    const Vector a = M.llt().solve(f);
    return a + P(c - H * a);
  }

  System& system() { return *system_; }

 private:
  Model model_;
  InitialValues initial_;
  std::unique_ptr<System> system_;

 public:
  Vector q, v;  ///< the initial state
  Matrix M, H;
  Vector f, b, Phi, chi;
};

/// A method on a system, with the motion it makes.
class Bench : public Equations {
 public:
  Bench(const std::string& text, const std::string& method, Control control = Control::stages,
        const std::string& energy = "none", const std::string& kernel = "cod")
      : Equations(text),
        choice_(method),
        entry_(find_method(choice_)),
        manifold(
            system(),
            [this, kernel] {
              return entry_.kernel ? entry_.kernel(choice_, system().shape()) : make_kernel(kernel, chosen_);
            },
            entry_.rank_tolerance(choice_)),
        method(entry_.make(choice_, manifold)),
        law(make_energy_law(energy, system().shape())),
        made_(make_motion(manifold, *this->method, law.get(), {control, true})),
        motion(*made_) {
    start(q, v);
  }

  void start(const Vector& position, const Vector& speeds) {
    EXPECT_TRUE(motion.start(0, position, speeds, entry_.rank_tolerance(choice_)));
  }

  /// ẏ at a state, in a step of size h that began at another.
  Vector derivative(const Vector& position, const Vector& speeds, double h, const Vector& from_q,
                    const Vector& from_v) {
    Vector ydot = Vector::Zero(motion.size());
    motion.begin_step(0, motion.state(from_q, from_v), h);
    EXPECT_TRUE(motion.derivative(0, motion.state(position, speeds), h, ydot));
    return ydot.head(q.size() + v.size());  // without the work that constraints on nonlinear rates do
  }
  Vector derivative(const Vector& position, const Vector& speeds, double h) {
    return derivative(position, speeds, h, position, speeds);
  }

 private:
  Choice choice_;
  const MethodEntry& entry_;
  std::string chosen_;

 public:
  Manifold manifold;
  std::unique_ptr<Method> method;
  std::unique_ptr<EnergyLaw> law;

 private:
  std::unique_ptr<Motion> made_;

 public:
  Motion& motion;
};

/// A point near another, off the constraints in general.
inline Vector near(const Vector& x, double distance) {
  Vector y = x;
  for (Eigen::Index i = 0; i < y.size(); ++i) y[i] += distance * std::sin(1.0 + 2.0 * static_cast<double>(i));
  return y;
}

inline double largest(const Vector& x) { return x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0; }

/// Rounding of a small, well-conditioned system with numbers of about ten.
constexpr double exact = 1e3 * epsilon;

}  // namespace taut::test
