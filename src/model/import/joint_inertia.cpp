#include "model/import/joint_inertia.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

namespace taut::robot {
namespace {

using Eigen::Vector3d;

constexpr double stop_time = 0.02;  // s
/// Files give angles and places with five or six digits: what is below their square beside 1 is nothing.
constexpr double nothing = 1e-10;
constexpr std::size_t many_freedoms = 300;

/// A direction in which a joint lets what it carries move.
struct Freedom {
  int joint;
  bool turns;
  Vector3d axis;
};

std::vector<Freedom> freedoms_of(const Robot& robot) {
  std::vector<Freedom> list;
  for (std::size_t k = 0; k < robot.joints.size(); ++k) {
    const Joint& joint = robot.joints[k];
    const int index = static_cast<int>(k);
    if (joint.closes) continue;
    if (joint.has_coordinate()) list.push_back({index, joint.kind != JointKind::prismatic, joint.axis});
    const bool is_free = joint.kind == JointKind::free;
    for (int axis = 0; axis < 3; ++axis) {
      if (is_free) list.push_back({index, false, Vector3d::Unit(axis)});
      if (is_free || joint.kind == JointKind::spherical) list.push_back({index, true, Vector3d::Unit(axis)});
    }
  }
  return list;
}

bool carries(const Robot& robot, int joint, std::size_t link) {
  for (int at = robot.links[link].parent_joint; at >= 0;
       at = robot.links[static_cast<std::size_t>(robot.joints[static_cast<std::size_t>(at)].first)].parent_joint)
    if (at == joint) return true;
  return false;
}

/// Σ m vᵢ·vⱼ + ωᵢ·J ωⱼ over the links, and the rotors.
Eigen::MatrixXd mass_matrix(const Robot& robot, const std::vector<Freedom>& freedoms) {
  const auto n = static_cast<Eigen::Index>(freedoms.size());
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n, n);
  for (std::size_t k = 1; k < robot.links.size(); ++k) {
    if (!robot.links[k].mass) continue;
    const MassProperties mass = robot.links[k].mass->seen_from(robot.links[k].pose);
    Eigen::Matrix3Xd v = Eigen::Matrix3Xd::Zero(3, n), omega = v;
    for (Eigen::Index i = 0; i < n; ++i) {
      const Freedom& f = freedoms[static_cast<std::size_t>(i)];
      if (!carries(robot, f.joint, k)) continue;
      v.col(i) = f.turns ? f.axis.cross(mass.center - robot.joints[static_cast<std::size_t>(f.joint)].at) : f.axis;
      if (f.turns) omega.col(i) = f.axis;
    }
    M += mass.mass * v.transpose() * v + omega.transpose() * mass.inertia * omega;
  }
  for (Eigen::Index i = 0; i < n; ++i)
    M(i, i) += robot.joints[static_cast<std::size_t>(freedoms[static_cast<std::size_t>(i)].joint)].armature;
  return M;
}

/// Does a link turn as the joints move so, by more than rounding?
bool turns(const Robot& robot, const std::vector<Freedom>& freedoms, const Eigen::VectorXd& rates, std::size_t link) {
  Vector3d omega = Vector3d::Zero();
  for (std::size_t i = 0; i < freedoms.size(); ++i)
    if (freedoms[i].turns && carries(robot, freedoms[i].joint, link))
      omega += rates[static_cast<Eigen::Index>(i)] * freedoms[i].axis;
  return omega.norm() > 1e-6 * rates.cwiseAbs().maxCoeff();
}

}  // namespace

double reflected_inertia(const Robot& robot, int index) {
  const Joint& joint = robot.joints[static_cast<std::size_t>(index)];
  double sum = joint.armature;
  for (std::size_t k = 1; k < robot.links.size(); ++k) {
    if (!robot.links[k].mass || !carries(robot, index, k)) continue;
    const MassProperties mass = robot.links[k].mass->seen_from(robot.links[k].pose);
    sum += joint.kind == JointKind::prismatic
               ? mass.mass
               : joint.axis.dot((mass.inertia + steiner(mass.mass, mass.center - joint.at)) * joint.axis);
  }
  return sum;
}

std::vector<bool> turned_without_inertia(const Robot& robot) {
  const std::vector<Freedom> freedoms = freedoms_of(robot);
  if (freedoms.empty() || freedoms.size() > many_freedoms) return {};
  const Eigen::MatrixXd M = mass_matrix(robot, freedoms);
  const Eigen::VectorXd scale = M.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> motions(scale.asDiagonal() * M * scale.asDiagonal());
  std::vector<bool> turned;
  for (Eigen::Index k = 0; k < motions.eigenvalues().size() && motions.eigenvalues()[k] < nothing; ++k) {
    turned.resize(robot.links.size(), false);
    const Eigen::VectorXd rates = scale.cwiseProduct(motions.eigenvectors().col(k));
    for (std::size_t link = 1; link < robot.links.size(); ++link)
      if (turns(robot, freedoms, rates, link)) turned[link] = true;
  }
  return turned;
}

double felt_inertia(const Robot& robot, int joint) {
  const std::vector<Freedom> freedoms = freedoms_of(robot);
  const Eigen::MatrixXd M = mass_matrix(robot, freedoms);
  const Eigen::MatrixXd inverse = M.ldlt().solve(Eigen::MatrixXd::Identity(M.rows(), M.cols()));
  double sum = 0, count = 0;
  for (std::size_t k = 0; k < freedoms.size(); ++k) {
    if (freedoms[k].joint != joint) continue;
    sum += inverse(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(k));
    ++count;
  }
  return sum > 0 ? count / sum : 0;
}

void settle_stops(Robot& robot, Findings& findings) {
  for (std::size_t k = 0; k < robot.joints.size(); ++k) {
    Joint& joint = robot.joints[k];
    if (!joint.range) continue;
    if (!findings.options().stops) {
      findings.pass("left out, for stops are made where --stops asks for them", robot.range_word);
      continue;
    }
    const bool stands_inside = joint.range->first < 0 && joint.range->second > 0;
    const double inertia = stands_inside ? reflected_inertia(robot, static_cast<int>(k)) : 0;
    if (inertia > 0)
      joint.stop = Stop{inertia / (stop_time * stop_time), 2 * inertia / stop_time};
    else
      findings.pass("without stops, for as it is drawn it is not between the ends of its range",
                    fmt::format("joint '{}'", joint.name));
  }
  if (findings.options().stops)
    findings.note(fmt::format("stops are as stiff as a time constant of {:g} s makes them", stop_time));
}

}  // namespace taut::robot
