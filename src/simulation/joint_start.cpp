#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "expression/program.hpp"
#include "model/assignments.hpp"
#include "model/tree/joint_form.hpp"
#include "simulation/coordinates.hpp"
#include "simulation/start_formulas.hpp"

namespace taut {
namespace {

const char* const own_remedy = "choose --coordinates bodies";

/// As of typed digits: see start.hpp.
constexpr double small_change = 1e-3;
/// Beside the largest, a value counts at least as much as this share of it.
constexpr double smallest_share = 1e-2;
/// 1/s: speeds at which a mechanism would take 300,000 years to move by its own size are none, but rounding errors of
/// velocities that are computed, where nothing moves.
constexpr double standstill = 1e-13;
/// What a metric of masses lacks where bodies have none.
constexpr double share_of_unit_metric = 1e-13;
/// That share leaves three digits to speeds of bodies without mass: each refinement gives three more.
constexpr int most_refinements = 5;
/// … until so much of the velocities is missed.
constexpr double met = 1e-12;

/// Those that the model in joint coordinates has, too: the others were given to bodies, whose positions are compared,
/// or to joints, which have been led there.
std::vector<Assignment> known_to(const Model& bodies, const Model& joints, const std::vector<Assignment>& set) {
  const std::vector<std::string> names = assignable_names(joints);
  const auto is_of_joint = [&](const std::string& name) {
    return std::ranges::any_of(bodies.joints, [&](const Joint& joint) { return name.starts_with(joint.name + "."); });
  };
  std::vector<Assignment> known;
  for (const Assignment& assignment : set)
    if (std::ranges::find(names, assignment.name) != names.end() && !is_of_joint(assignment.name))
      known.push_back(assignment);
  return known;
}

bool is_symbol(const Expression& e, SymbolId s) {
  const Graph::Node node = e.graph()->node(e.in(*e.graph()));
  return node.op == Op::symbol && node.a == s;
}

std::vector<std::string> names_of_speeds(const Model& model) {
  std::vector<std::string> names;
  for (const Coordinate& x : model.coordinates)
    if (!x.kinematics) names.push_back(x.name + "'");
  for (const Speed& u : model.speeds) names.push_back(u.name);
  return names;
}

void refuse_other_positions(const Model& bodies, const InitialValues& given, const Model& joints,
                            const InitialValues& start) {
  const auto& shown = joints.joint_form->coordinates;
  std::vector<Expression> formulas;
  for (const auto& x : shown) formulas.push_back(x.value);
  const Vector drawn = StartFormulas(joints, start, formulas)();
  std::unordered_map<std::string, std::size_t> index;
  for (std::size_t k = 0; k < bodies.coordinates.size(); ++k) index[bodies.coordinates[k].name] = k;
  for (std::size_t k = 0; k < shown.size(); ++k) {
    const std::size_t i = index.at(shown[k].name);
    const double wanted = given.coordinates[i], is = drawn[static_cast<Eigen::Index>(k)];
    if (!(std::abs(wanted - is) <= 1e-6 * (1 + std::abs(wanted))))
      throw InputError(bodies.coordinates[i].place,
                       fmt::format("'{}' starts at {:.6g}, and at {:.6g} as the joints are drawn: joint coordinates "
                                   "start where the mechanism is drawn",
                                   shown[k].name, wanted, is),
                       own_remedy);
  }
}

/// Velocity and angular velocity of every body: what was given, and what those of the joints make of it.
class StartSpeeds {
 public:
  StartSpeeds(const Model& bodies, const InitialValues& given, const Model& joints, InitialValues& start)
      : bodies_(bodies),
        given_(given),
        start_(start),
        speeds_(speeds_of(joints)),
        moving_(joints, start, motions(joints)),
        standing_(joints, start, masses(joints)) {
    read_given();
    read_metric();
    read_slopes();
  }

  /// Finds the speeds of the joints; those that move no body stay as they are.
  void solve() {
    const Vector wanted = values_ - rest_;
    if (free_.empty()) return;
    const Matrix weighted = metric_ * slopes_;
    Matrix A = slopes_.transpose() * weighted;
    const double unit = share_of_unit_metric * std::max(metric_.diagonal().maxCoeff(), 1e-300);
    A += unit * slopes_.transpose() * slopes_;
    const auto factor = A.ldlt();
    Vector u = Vector::Zero(A.rows());
    for (int k = 0; k < most_refinements; ++k) {
      const Vector missed = wanted - slopes_ * u;
      if (k > 0 && missed.lpNorm<Eigen::Infinity>() <= met * wanted.lpNorm<Eigen::Infinity>()) break;
      u += factor.solve(weighted.transpose() * missed + unit * slopes_.transpose() * missed);
    }
    for (std::size_t k = 0; k < free_.size(); ++k) start_.speeds[free_[k]] = u[static_cast<Eigen::Index>(k)];
    found_ = rest_ + slopes_ * u;
  }

  /// A velocity that was given is to be met, but for a few digits.
  void refuse_what_is_not_met(bool assemble) const {
    if (free_.empty()) return;
    double size = 0;
    for (const double x : given_.coordinates) size = std::max(size, std::abs(x));
    const double largest = std::max(values_.lpNorm<Eigen::Infinity>(), found_.lpNorm<Eigen::Infinity>());
    for (std::size_t k = 0; k < index_.size(); ++k) {
      if (index_[k] < 0) continue;
      const auto i = static_cast<std::size_t>(index_[k]);
      const double from = values_[static_cast<Eigen::Index>(k)], to = found_[static_cast<Eigen::Index>(k)];
      const InitialClaim claim = given_.speed_claims[i];
      if (claim == InitialClaim::none || (claim == InitialClaim::given && assemble)) continue;
      const double allowed = claim == InitialClaim::fixed ? 1e-9 : small_change;
      if (std::abs(to - from) <= standstill * size) continue;
      if (std::abs(to - from) <= allowed * std::max({std::abs(from), std::abs(to), smallest_share * largest})) continue;
      throw InputError(bodies_.bodies[k / 6 + 1].place,
                       fmt::format("the model does not start on its joints: '{}' would have to change from {:.6g} to "
                                   "{:.6g}",
                                   names_of_speeds(bodies_)[i], from, to),
                       "a body that turns about a joint needs the velocity ω × r of its centre as well; give "
                       "velocities that go with the joints, or let --assemble find the nearest");
    }
  }

 private:
  static std::vector<Expression> motions(const Model& joints) {
    std::vector<Expression> list;
    for (std::size_t b = 1; b < joints.bodies.size(); ++b)
      for (const Vector3* v : {&joints.bodies[b].velocity, &joints.bodies[b].omega})
        for (int k = 0; k < 3; ++k) list.push_back((*v)[k]);
    for (const Rotor& rotor : joints.rotors) list.push_back(rotor.rate);
    return list;
  }
  static std::vector<Expression> masses(const Model& joints) {
    std::vector<Expression> list;
    for (std::size_t b = 1; b < joints.bodies.size(); ++b) {
      const Body& body = joints.bodies[b];
      list.push_back(body.mass);
      list.insert(list.end(), body.inertia.begin(), body.inertia.end());
      for (const Vector3& column : body.axes.columns)
        for (int k = 0; k < 3; ++k) list.push_back(column[k]);
    }
    for (const Rotor& rotor : joints.rotors) list.push_back(rotor.inertia);
    return list;
  }
  static constexpr Eigen::Index numbers_of_body = 1 + 6 + 9;

  void read_given() {
    const std::vector<SymbolId> symbols = speeds_of(bodies_);
    for (const Expression& e : motions(bodies_)) {
      int at = -1;
      for (std::size_t k = 0; k < symbols.size() && !e.is_constant(); ++k)
        if (is_symbol(e, symbols[k])) at = static_cast<int>(k);
      index_.push_back(at);
    }
    const std::vector<Expression> formulas = motions(bodies_);
    StartFormulas moving(bodies_, given_, formulas);
    for (std::size_t k = 0; k < symbols.size(); ++k) moving.set(symbols[k], given_.speeds[k]);
    values_ = moving();
    index_.resize(static_cast<std::size_t>(moving_().size()), -1);
    values_.conservativeResize(static_cast<Eigen::Index>(index_.size()));  // rotors may have been left out
  }

  /// m for velocities, A J Aᵀ for angular velocities, J for rotors.
  void read_metric() {
    const Vector all = standing_();
    metric_ = Matrix::Zero(values_.size(), values_.size());
    const auto bodies = static_cast<Eigen::Index>(bodies_.bodies.size()) - 1;
    for (Eigen::Index k = 6 * bodies; k < values_.size(); ++k)
      metric_(k, k) = all[numbers_of_body * bodies + k - 6 * bodies];
    for (Eigen::Index b = 0; b < bodies; ++b) {
      const double* n = all.data() + numbers_of_body * b;
      Eigen::Matrix3d J, A;
      J << n[1], n[4], n[5], n[4], n[2], n[6], n[5], n[6], n[3];
      A << n[7], n[10], n[13], n[8], n[11], n[14], n[9], n[12], n[15];
      metric_.block<3, 3>(6 * b, 6 * b) = n[0] * Eigen::Matrix3d::Identity();
      metric_.block<3, 3>(6 * b + 3, 6 * b + 3) = A * J * A.transpose();
    }
  }

  void read_slopes() {
    for (const SymbolId speed : speeds_) moving_.set(speed, 0);
    const Vector still = moving_();
    std::vector<Vector> columns;
    for (std::size_t k = 0; k < speeds_.size(); ++k) {
      moving_.set(speeds_[k], 1);
      const Vector column = moving_() - still;
      moving_.set(speeds_[k], 0);
      if (column.isZero(0)) continue;
      free_.push_back(k);
      columns.push_back(column);
    }
    rest_ = still;
    slopes_ = Matrix::Zero(values_.size(), static_cast<Eigen::Index>(columns.size()));
    for (std::size_t k = 0; k < columns.size(); ++k) slopes_.col(static_cast<Eigen::Index>(k)) = columns[k];
  }

  const Model& bodies_;
  const InitialValues& given_;
  InitialValues& start_;
  std::vector<SymbolId> speeds_;
  StartFormulas moving_, standing_;
  std::vector<int> index_;         ///< of each velocity among the speeds of the model of bodies; -1: it is none
  std::vector<std::size_t> free_;  ///< speeds that move bodies
  Vector values_, rest_, found_;
  Matrix metric_, slopes_;
};

/// What was given for a body was given for the joint that it hangs on.
void claim(const Model& joints, InitialValues& start) {
  std::size_t own = 0;
  for (std::size_t k = 0; k < joints.coordinates.size(); ++k) {
    start.coordinate_claims[k] = std::max(start.coordinate_claims[k], InitialClaim::given);
    if (joints.coordinates[k].kinematics) continue;
    if (start.speeds[own] != 0) start.speed_claims[own] = std::max(start.speed_claims[own], InitialClaim::given);
    ++own;
  }
  for (; own < start.speeds.size(); ++own)
    if (start.speeds[own] != 0) start.speed_claims[own] = std::max(start.speed_claims[own], InitialClaim::given);
}

}  // namespace

InitialValues start_in_joints(const Model& bodies, const InitialValues& given, const Model& joints,
                              const StartWishes& wishes) {
  InitialValues start = initial_values(joints, known_to(bodies, joints, wishes.set));
  if (wishes.moved != nullptr)
    for (std::size_t k = 0; k < joints.coordinates.size(); ++k)
      if (const auto led = wishes.moved->find(joints.coordinates[k].name); led != wishes.moved->end())
        start.coordinates[k] = led->second;
  refuse_other_positions(bodies, given, joints, start);
  StartSpeeds speeds(bodies, given, joints, start);
  speeds.solve();
  speeds.refuse_what_is_not_met(wishes.assemble);
  claim(joints, start);
  return start;
}

}  // namespace taut
