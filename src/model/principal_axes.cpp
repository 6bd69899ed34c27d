#include "model/principal_axes.hpp"

#include <Eigen/Eigenvalues>

namespace taut {

PrincipalAxes principal_axes(const Eigen::Matrix3d& inertia) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(inertia);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Eigen::Vector3d principal_moments(const Eigen::Matrix3d& inertia) {
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(inertia, Eigen::EigenvaluesOnly).eigenvalues();
}

}  // namespace taut
