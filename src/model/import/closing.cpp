#include "model/import/closing.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

/// Residuals are p_a − p_b, in parts of the robot's size, and the rotation vector of R_a R_bᵀ. With the slopes J of
/// both in the joints' coordinates x a step is
///   (JᵀJ + μ) Δx = −Jᵀ r,
/// where μ falls with every step that makes r smaller and grows with every one that does not.
namespace taut::robot {
namespace {

using Eigen::MatrixXd, Eigen::Vector3d, Eigen::VectorXd;

constexpr double closed = 1e-12;
/// Loops that are so nearly closed are drawn closed.
constexpr double as_typed = 1e-9;
constexpr int most_steps = 200, attempts = 400;
/// Below this damping counts for nothing, above it there is no step.
constexpr double least_damping = 1e-14, most_damping = 1e8;

Vector3d rotation_vector(const Eigen::Matrix3d& turn) {
  const Eigen::AngleAxisd a(Eigen::Quaterniond(turn).normalized());
  return (a.angle() > std::numbers::pi ? a.angle() - 2 * std::numbers::pi : a.angle()) * a.axis();
}

class Closing {
 public:
  Closing(const Robot& robot, const std::vector<OpenLoop>& loops, const std::vector<OpenCoupling>& couplings)
      : robot_(robot), loops_(loops), couplings_(couplings), column_(robot.joints.size(), -1) {
    for (std::size_t k = 0; k < robot.joints.size(); ++k) {
      const Joint& joint = robot.joints[k];
      const bool carries =
          !joint.closes && robot.links[static_cast<std::size_t>(joint.second)].parent_joint == static_cast<int>(k);
      if (carries && joint.has_coordinate() && joint.kind != JointKind::screw) column_[k] = unknowns_++;
    }
    for (const Link& link : robot.links) size_ = std::max(size_, link.pose.translation().norm());
    order_ = links_in_order();
  }

  std::vector<double> run() {
    VectorXd x = VectorXd::Zero(unknowns_), r;
    MatrixXd J;
    evaluate(x, r, J);
    if (r.lpNorm<Eigen::Infinity>() <= as_typed) return std::vector<double>(column_.size(), 0.0);
    double off = solve(x);
    VectorXd best = x;
    double least = off;
    std::mt19937 random(11);
    for (int k = 1; off > closed && k < attempts; ++k) {
      x = scattered(random, 0.1 * k);
      off = solve(x);
      if (off < least) least = off, best = x;
    }
    if (least > closed) refuse(best);
    std::vector<double> made(column_.size(), 0.0);
    for (std::size_t k = 0; k < column_.size(); ++k)
      if (column_[k] >= 0) made[k] = settled(k, best[column_[k]]);
    return made;
  }

  std::vector<Eigen::Isometry3d> moves(const std::vector<double>& to) const {
    VectorXd x = VectorXd::Zero(unknowns_);
    for (std::size_t k = 0; k < column_.size(); ++k)
      if (column_[k] >= 0) x[column_[k]] = to[k];
    return moves_at(x);
  }

 private:
  /// What carries first.
  std::vector<int> links_in_order() const {
    std::vector<int> order, depth(robot_.links.size(), 0);
    for (std::size_t k = 0; k < robot_.links.size(); ++k) {
      order.push_back(static_cast<int>(k));
      for (int at = robot_.links[k].parent_joint; at >= 0;) {
        ++depth[k];
        at = robot_.links[static_cast<std::size_t>(robot_.joints[static_cast<std::size_t>(at)].first)].parent_joint;
      }
    }
    std::ranges::stable_sort(order, {}, [&](int k) { return depth[static_cast<std::size_t>(k)]; });
    return order;
  }

  VectorXd scattered(std::mt19937& random, double by) const {
    VectorXd x(unknowns_);
    for (std::size_t k = 0; k < column_.size(); ++k) {
      if (column_[k] < 0) continue;
      const bool turns = robot_.joints[k].kind == JointKind::revolute;
      const double most = turns ? std::min(by, std::numbers::pi) : std::min(by, 1.0) * size_;
      x[column_[k]] = most * (2.0 * random() / 4294967296.0 - 1);
    }
    return x;
  }

  /// Without whole turns.
  double settled(std::size_t joint, double value) const {
    if (robot_.joints[joint].kind != JointKind::revolute) return value;
    for (const OpenCoupling& c : couplings_)  // these count turns
      if (c.first == static_cast<int>(joint) || c.second == static_cast<int>(joint)) return value;
    return std::remainder(value, 2 * std::numbers::pi);
  }

  /// How joints have moved links out of the places in which they are drawn.
  std::vector<Eigen::Isometry3d> moves_at(const VectorXd& x) const {
    std::vector<Eigen::Isometry3d> moves(robot_.links.size(), Eigen::Isometry3d::Identity());
    for (const int k : order_) {
      const int index = robot_.links[static_cast<std::size_t>(k)].parent_joint;
      if (index < 0) continue;
      const Joint& joint = robot_.joints[static_cast<std::size_t>(index)];
      Eigen::Isometry3d own = Eigen::Isometry3d::Identity();
      if (const int c = column_[static_cast<std::size_t>(index)]; c >= 0) {
        if (joint.kind == JointKind::prismatic)
          own.translation() = x[c] * joint.axis;
        else
          own = Eigen::Translation3d(joint.at) * Eigen::AngleAxisd(x[c], joint.axis) * Eigen::Translation3d(-joint.at);
      }
      moves[static_cast<std::size_t>(k)] = moves[static_cast<std::size_t>(joint.first)] * own;
    }
    return moves;
  }

  Eigen::Index rows() const {
    Eigen::Index sum = static_cast<Eigen::Index>(couplings_.size());
    for (const OpenLoop& loop : loops_) sum += loop.is_point ? 3 : 6;
    return sum;
  }

  /// Velocities of a point of a link, and its spin, for each joint that carries it.
  void add_slopes(const std::vector<Eigen::Isometry3d>& moves, int link, const Vector3d& point, double sign,
                  Eigen::Index row, bool turns, MatrixXd& J) const {
    for (int at = robot_.links[static_cast<std::size_t>(link)].parent_joint; at >= 0;) {
      const Joint& joint = robot_.joints[static_cast<std::size_t>(at)];
      const Eigen::Isometry3d& base = moves[static_cast<std::size_t>(joint.first)];
      const Vector3d axis = base.linear() * joint.axis;
      if (const int c = column_[static_cast<std::size_t>(at)]; c >= 0) {
        const bool slides = joint.kind == JointKind::prismatic;
        const Vector3d velocity = slides ? axis : Vector3d(axis.cross(point - base * joint.at));
        J.block<3, 1>(row, c) += sign / size_ * velocity;
        if (turns && !slides) J.block<3, 1>(row + 3, c) += sign * axis;
      }
      at = robot_.links[static_cast<std::size_t>(joint.first)].parent_joint;
    }
  }

  void evaluate(const VectorXd& x, VectorXd& r, MatrixXd& J) const {
    const std::vector<Eigen::Isometry3d> moves = moves_at(x);
    r.setZero(rows());
    J.setZero(rows(), unknowns_);
    Eigen::Index row = 0;
    for (const OpenLoop& loop : loops_) {
      const Eigen::Isometry3d a = moves[static_cast<std::size_t>(loop.a.link)] * loop.a.pose,
                              b = moves[static_cast<std::size_t>(loop.b.link)] * loop.b.pose;
      r.segment<3>(row) = (a.translation() - b.translation()) / size_;
      if (!loop.is_point) r.segment<3>(row + 3) = rotation_vector(a.linear() * b.linear().transpose());
      add_slopes(moves, loop.a.link, a.translation(), 1, row, !loop.is_point, J);
      add_slopes(moves, loop.b.link, b.translation(), -1, row, !loop.is_point, J);
      row += loop.is_point ? 3 : 6;
    }
    for (const OpenCoupling& c : couplings_) {
      const auto add = [&](int joint, double factor) {
        const int column = column_[static_cast<std::size_t>(joint)];
        if (column < 0) return;
        r[row] += factor * x[column];
        J(row, column) += factor;
      };
      r[row] = -c.offset;
      add(c.second, 1);
      add(c.first, -c.ratio);
      ++row;
    }
  }

  /// Returns the largest residual that is left.
  double solve(VectorXd& x) const {
    VectorXd r, after;
    MatrixXd J, next;
    evaluate(x, r, J);
    double damping = 1e-2;
    for (int k = 0; k < most_steps && r.lpNorm<Eigen::Infinity>() > 1e-3 * closed && damping < most_damping; ++k) {
      MatrixXd A = J.transpose() * J;
      A.diagonal().array() += damping;
      const VectorXd tried = x - A.ldlt().solve(J.transpose() * r);
      evaluate(tried, after, next);
      if (after.squaredNorm() < r.squaredNorm()) {
        x = tried;
        std::swap(r, after);
        std::swap(J, next);
        damping = std::max(least_damping, damping / 5);
      } else if (r.lpNorm<Eigen::Infinity>() <= closed) {
        break;
      } else {
        damping *= 4;
      }
    }
    return r.size() == 0 ? 0 : r.lpNorm<Eigen::Infinity>();
  }

  [[noreturn]] void refuse(const VectorXd& x) const {
    const std::vector<Eigen::Isometry3d> moves = moves_at(x);
    std::string open;
    const OpenLoop* first = nullptr;
    for (const OpenLoop& loop : loops_) {
      const double apart = (moves[static_cast<std::size_t>(loop.a.link)] * loop.a.pose.translation() -
                            moves[static_cast<std::size_t>(loop.b.link)] * loop.b.pose.translation())
                               .norm();
      if (apart <= closed * size_) continue;
      if (first == nullptr) first = &loop;
      open += fmt::format("{}'{}' by {:.2g} m", open.empty() ? "" : ", ", loop.name, apart);
    }
    throw InputError(
        first != nullptr ? first->place : loops_.front().place,
        fmt::format("the loops cannot be closed: of {} attempts, the best leaves open {}", attempts,
                    open.empty() ? "orientations" : open),
        "mend the frames, tie their origins alone (type 3d), or leave the loops open by --ignore equality");
  }

  const Robot& robot_;
  const std::vector<OpenLoop>& loops_;
  const std::vector<OpenCoupling>& couplings_;
  std::vector<int> column_, order_;
  int unknowns_ = 0;
  double size_ = 1e-3;
};

}  // namespace

std::vector<double> closing_positions(const Robot& robot, const std::vector<OpenLoop>& loops,
                                      const std::vector<OpenCoupling>& couplings) {
  if (loops.empty()) return std::vector<double>(robot.joints.size(), 0.0);
  return Closing(robot, loops, couplings).run();
}

std::vector<Eigen::Isometry3d> moves_of_links(const Robot& robot, const std::vector<double>& to) {
  return Closing(robot, {}, {}).moves(to);
}

void lead_joints(Robot& robot, const std::vector<double>& to, std::vector<OpenLoop>& loops) {
  const std::vector<Eigen::Isometry3d> moves = moves_of_links(robot, to);
  for (OpenLoop& loop : loops)
    for (Frame* frame : {&loop.a, &loop.b}) frame->pose = moves[static_cast<std::size_t>(frame->link)] * frame->pose;
  for (std::size_t k = 0; k < robot.joints.size(); ++k) {
    Joint& joint = robot.joints[k];
    if (joint.range) joint.range = {joint.range->first - to[k], joint.range->second - to[k]};
    const Eigen::Isometry3d& move = moves[static_cast<std::size_t>(joint.first)];
    joint.at = move * joint.at;
    joint.axis = move.linear() * joint.axis;
    joint.other_axis = moves[static_cast<std::size_t>(joint.second)].linear() * joint.other_axis;
  }
  for (std::size_t k = 0; k < robot.links.size(); ++k) {
    robot.links[k].pose = moves[k] * robot.links[k].pose;
    for (Shape& shape : robot.links[k].shapes) shape.pose = moves[k] * shape.pose;
  }
}

}  // namespace taut::robot
