#include "model/import/closing.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
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
constexpr int most_steps = 200, most_attempts = 400, attempts_again = 40;
/// The smallest singular value of a gimbal's axes, below which it counts as folded.
constexpr double nearly_folded = 0.05;
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
    find_gimbals();
  }

  /// Values of the unknowns with which all is closed, from these and from places ever farther around them. Where
  /// gimbals fold there is no motion out of some directions: such places are the last choice.
  std::optional<VectorXd> find(const VectorXd& near, int attempts) {
    std::mt19937 random(11);
    std::optional<VectorXd> folded;
    for (int k = 0; k < attempts; ++k) {
      VectorXd x = near;
      if (k > 0) x += scattered(random, 0.1 * k);
      const double off = solve(x);
      if (off < least_) least_ = off, best_ = x;
      if (off > closed) continue;
      if (!folds(x) && !is_singular(x)) return x;
      if (!folded) folded = x, attempts = std::min(attempts, k + attempts_again);
    }
    return folded;
  }
  /// Does a row that counts hardly count here?
  bool is_singular(const VectorXd& x) const {
    VectorXd r;
    MatrixXd J;
    evaluate(x, r, J);
    const VectorXd s = J.jacobiSvd().singularValues();
    return std::ranges::any_of(s, [&](double value) { return value > 1e-10 * s[0] && value < 1e-5 * s[0]; });
  }
  /// Do the axes of a gimbal lie in a plane, or nearly?
  bool folds(const VectorXd& x) const {
    const std::vector<Eigen::Isometry3d> moves = moves_at(x);
    return std::ranges::any_of(gimbals_, [&](const std::vector<int>& hinges) {
      MatrixXd axes(3, static_cast<Eigen::Index>(hinges.size()));
      for (std::size_t k = 0; k < hinges.size(); ++k) {
        const Joint& hinge = robot_.joints[static_cast<std::size_t>(hinges[k])];
        axes.col(static_cast<Eigen::Index>(k)) = moves[static_cast<std::size_t>(hinge.first)].linear() * hinge.axis;
      }
      return axes.jacobiSvd().singularValues().tail(1)[0] < nearly_folded;
    });
  }
  bool is_closed_as_drawn() const {
    VectorXd r;
    MatrixXd J;
    evaluate(as_drawn(), r, J);
    return r.lpNorm<Eigen::Infinity>() <= as_typed;
  }
  VectorXd as_drawn() const { return VectorXd::Zero(unknowns_); }

  /// By joint.
  std::vector<double> positions(const VectorXd& x) const {
    std::vector<double> made(column_.size(), 0.0);
    for (std::size_t k = 0; k < column_.size(); ++k)
      if (column_[k] >= 0) made[k] = settled(k, x[column_[k]]);
    return made;
  }

  /// With what stays open at the best that was found.
  [[noreturn]] void refuse() const {
    const std::vector<Eigen::Isometry3d> moves = moves_at(best_);
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
        fmt::format("the loops cannot be closed: of {} attempts, the best leaves open {}", most_attempts,
                    open.empty() ? "orientations" : open),
        "mend the frames, tie their origins alone (type 3d), or leave the loops open by --ignore equality");
  }

  std::vector<Eigen::Isometry3d> moves(const std::vector<double>& to) const {
    VectorXd x = VectorXd::Zero(unknowns_);
    for (std::size_t k = 0; k < column_.size(); ++k)
      if (column_[k] >= 0) x[column_[k]] = to[k];
    return moves_at(x);
  }

 private:
  /// Two or three hinges one after the other, with links between them that have no mass and carry nothing else.
  void find_gimbals() {
    std::vector<int> next(robot_.joints.size(), -1), carried(robot_.links.size(), 0);
    for (const Link& link : robot_.links)
      if (link.parent_joint >= 0)
        ++carried[static_cast<std::size_t>(robot_.joints[static_cast<std::size_t>(link.parent_joint)].first)];
    std::vector<bool> follows(robot_.joints.size(), false);
    const auto is_hinge = [&](int k) {
      return k >= 0 && column_[static_cast<std::size_t>(k)] >= 0 &&
             robot_.joints[static_cast<std::size_t>(k)].kind == JointKind::revolute;
    };
    for (std::size_t k = 0; k < robot_.joints.size(); ++k) {
      const auto base = static_cast<std::size_t>(robot_.joints[k].first);
      const int before = robot_.links[base].parent_joint;
      if (!is_hinge(static_cast<int>(k)) || !is_hinge(before) || robot_.links[base].mass || carried[base] != 1)
        continue;
      next[static_cast<std::size_t>(before)] = static_cast<int>(k);
      follows[k] = true;
    }
    for (std::size_t k = 0; k < next.size(); ++k) {
      if (next[k] < 0 || follows[k]) continue;
      gimbals_.emplace_back();
      for (int at = static_cast<int>(k); at >= 0 && gimbals_.back().size() < 3; at = next[static_cast<std::size_t>(at)])
        gimbals_.back().push_back(at);
    }
  }

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

  /// One of the two frames of a loop, where it is now, and what of it counts in which rows.
  struct End {
    int link;
    Vector3d point;
    double sign;
    Eigen::Index row;
    bool turns;
  };
  /// Velocities of the end's point, and its spin, for each joint that carries it.
  void add_slopes(const std::vector<Eigen::Isometry3d>& moves, const End& end, MatrixXd& J) const {
    for (int at = robot_.links[static_cast<std::size_t>(end.link)].parent_joint; at >= 0;) {
      const Joint& joint = robot_.joints[static_cast<std::size_t>(at)];
      const Eigen::Isometry3d& base = moves[static_cast<std::size_t>(joint.first)];
      const Vector3d axis = base.linear() * joint.axis;
      if (const int c = column_[static_cast<std::size_t>(at)]; c >= 0) {
        const bool slides = joint.kind == JointKind::prismatic;
        const Vector3d velocity = slides ? axis : Vector3d(axis.cross(end.point - base * joint.at));
        J.block<3, 1>(end.row, c) += end.sign / size_ * velocity;
        if (end.turns && !slides) J.block<3, 1>(end.row + 3, c) += end.sign * axis;
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
      add_slopes(moves, {loop.a.link, a.translation(), 1, row, !loop.is_point}, J);
      add_slopes(moves, {loop.b.link, b.translation(), -1, row, !loop.is_point}, J);
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

  const Robot& robot_;
  const std::vector<OpenLoop>& loops_;
  const std::vector<OpenCoupling>& couplings_;
  std::vector<int> column_, order_;
  std::vector<std::vector<int>> gimbals_;
  int unknowns_ = 0;
  double size_ = 1e-3;
  VectorXd best_;
  double least_ = std::numeric_limits<double>::infinity();
};

}  // namespace

std::vector<double> closing_positions(const Robot& robot, const std::vector<OpenLoop>& loops,
                                      const std::vector<OpenCoupling>& couplings) {
  Closing closing(robot, loops, couplings);
  if (loops.empty() || closing.is_closed_as_drawn()) return std::vector<double>(robot.joints.size(), 0.0);
  const std::optional<VectorXd> x = closing.find(closing.as_drawn(), most_attempts);
  if (!x) closing.refuse();
  return closing.positions(*x);
}

std::vector<double> relaxed_positions(const Robot& robot, std::vector<OpenLoop>& loops,
                                      const std::vector<OpenCoupling>& couplings) {
  const auto is_frame = [](const OpenLoop& loop) { return !loop.is_point; };
  std::vector<OpenLoop> points = loops;
  for (OpenLoop& loop : points) loop.is_point = true;
  Closing relaxed(robot, points, couplings);
  try {
    return closing_positions(robot, loops, couplings);
  } catch (const InputError&) {
    if (std::ranges::none_of(loops, is_frame)) throw;
    std::optional<VectorXd> x = relaxed.find(relaxed.as_drawn(), most_attempts);
    if (!x) throw;
    for (std::size_t k = 0; k < loops.size(); ++k) {
      points[k].is_point = loops[k].is_point;
      if (loops[k].is_point) continue;
      Closing closing(robot, points, couplings);
      const std::optional<VectorXd> closer = closing.find(*x, attempts_again);
      if (closer && !closing.folds(*closer))
        x = closer;
      else
        points[k].is_point = true;
    }
    loops = points;
    return relaxed.positions(*x);
  }
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
