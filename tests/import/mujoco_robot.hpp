#pragma once

#include <mujoco/mujoco.h>
#include <unistd.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "mujoco_document.hpp"
#include "taut/simulation.hpp"

/// A robot in MuJoCo's library, with constraints that hold exactly where its own are soft. Contacts, limits and dry
/// friction are off.
namespace taut::robot {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Eigen::VectorXd, Eigen::Vector3d, Eigen::Matrix3d;

/// As the importer spells a name.
inline std::string spelt(std::string name) {
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) != 0 ? "_" + name : name;
}

class MujocoRobot {
 public:
  /// A file with what MuJoCo 2.2.2 has words for.
  explicit MujocoRobot(const MujocoDocument& document) {
    load(document.text());
    refine_principal_axes(document.full_inertias());
    mj_setConst(model_.get(), data_.get());
    begin();
    set_newer(document.actuators());
    mj_forward(model_.get(), data_.get());
  }
  /// A text as it is, in which these bodies have such inertias, with these controls.
  MujocoRobot(const std::string& text, const std::vector<FullInertia>& inertias, const std::vector<double>& controls) {
    load(text);
    refine_principal_axes(inertias);
    mj_setConst(model_.get(), data_.get());
    begin();
    for (int k = 0; k < model_->nu; ++k) data_->ctrl[k] = controls.at(static_cast<std::size_t>(k));
    mj_forward(model_.get(), data_.get());
  }

  /// Where the first key of the file says.
  void begin_at_key() {
    const std::vector<double> controls(data_->ctrl, data_->ctrl + model_->nu);
    mj_resetDataKeyframe(model_.get(), data_.get(), 0);
    std::ranges::copy(controls, data_->ctrl);
    mj_forward(model_.get(), data_.get());
  }

  const mjModel& model() const { return *model_; }
  const mjData& data() const { return *data_; }
  const std::vector<Assignment>& controls() const { return controls_; }
  bool has_loops() const { return data_->ne > 0; }

  bool moves(int body) const { return model_->body_weldid[body] != 0; }
  std::string name(int body) const {
    const char* const given = mj_id2name(model_.get(), mjOBJ_BODY, body);
    return given == nullptr || *given == 0 ? fmt::format("body{}", body) : spelt(given);
  }

  /// M a = f + Jᵀλ, J a = −J̇ v: exact, where MuJoCo's own constraints are soft.
  VectorXd acceleration() {
    const int n = model_->nv;
    Rows M(n, n);
    mj_fullM(model_.get(), M.data(), data_->qM);
    const VectorXd f = Eigen::Map<const VectorXd>(data_->qfrc_smooth, n);
    if (data_->ne == 0) return M.ldlt().solve(f);
    const Eigen::MatrixXd J = Eigen::Map<const Rows>(data_->efc_J, data_->ne, n);
    const VectorXd bias = rows_bias();
    // a = p + Z z with J p = −J̇ v: Jᵀ P = Q R, of which the first columns span the rows, the others are Z.
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(J.transpose());
    qr.setThreshold(1e-9);
    rank_ = static_cast<int>(qr.rank());
    const Eigen::MatrixXd Q = qr.householderQ();
    const VectorXd ordered = -(qr.colsPermutation().transpose() * bias);
    const VectorXd y = qr.matrixR()
                           .topLeftCorner(rank_, rank_)
                           .template triangularView<Eigen::Upper>()
                           .transpose()
                           .solve(ordered.head(rank_));
    const VectorXd p = Q.leftCols(rank_) * y;
    const Eigen::MatrixXd Z = Q.rightCols(n - rank_);
    const Eigen::MatrixXd reduced = Z.transpose() * M * Z;
    return p + Z * reduced.ldlt().solve(Z.transpose() * (f - M * p));
  }
  int rank() const { return rank_; }

  /// Moves a robot of one free body and what that carries, which changes nothing but the rounding; false: it stands.
  bool put_elsewhere(const Vector3d& by) {
    const auto is_tied_to_world = [&](int e) {
      return model_->eq_type[e] != mjEQ_JOINT && (model_->eq_obj1id[e] == 0 || model_->eq_obj2id[e] <= 0);
    };
    bool floats = model_->njnt > 0 && model_->jnt_type[0] == mjJNT_FREE &&
                  model_->body_subtreemass[1] == model_->body_subtreemass[0] && model_->ntendon == 0;
    for (int e = 0; e < model_->neq; ++e) floats = floats && !is_tied_to_world(e);
    if (!floats) return false;
    Eigen::Map<Vector3d>(data_->qpos) += by;
    mj_forward(model_.get(), data_.get());
    return true;
  }

  /// Has the bodies accelerate as the joints do.
  void accelerate() {
    Eigen::Map<VectorXd>(data_->qacc, model_->nv) = acceleration();
    mj_rnePostConstraint(model_.get(), data_.get());
  }
  /// Of a body's centre of mass, and its angular acceleration. MuJoCo's have gravity taken off.
  std::pair<Vector3d, Vector3d> acceleration_of(int body) const {
    mjtNum both[6];
    mj_objectAcceleration(model_.get(), data_.get(), mjOBJ_BODY, body, both, 0);
    const bool is_pulled = (model_->opt.disableflags & mjDSBL_GRAVITY) == 0;
    const Eigen::Map<const Vector3d> gravity(model_->opt.gravity);
    return {Eigen::Map<Vector3d>(both + 3) + (is_pulled ? Vector3d(gravity) : Vector3d::Zero()),
            Eigen::Map<Vector3d>(both)};
  }

  /// The largest of the rates at which motions near this one change, 1/s.
  double stiffness() {
    const State base = state();
    const int n = model_->nv;
    constexpr double by = 1e-6;
    Eigen::MatrixXd slopes = Eigen::MatrixXd::Zero(2 * n, 2 * n);
    slopes.topRightCorner(n, n).setIdentity();
    const auto change = [&](const VectorXd& dq, const VectorXd& dv) {
      move(base, dq, dv, VectorXd::Zero(model_->na));
      mj_forward(model_.get(), data_.get());
      const VectorXd ahead = acceleration();
      move(base, -dq, -dv, VectorXd::Zero(model_->na));
      mj_forward(model_.get(), data_.get());
      return VectorXd((ahead - acceleration()) / (2 * by));
    };
    const VectorXd still = VectorXd::Zero(n);
    for (int k = 0; k < n; ++k) {
      slopes.bottomLeftCorner(n, n).col(k) = change(by * VectorXd::Unit(n, k), still);
      slopes.bottomRightCorner(n, n).col(k) = change(still, by * VectorXd::Unit(n, k));
    }
    move(base, still, still, VectorXd::Zero(model_->na));
    mj_forward(model_.get(), data_.get());
    return slopes.eigenvalues().cwiseAbs().maxCoeff();
  }

  /// MuJoCo's own steps where nothing is tied; with loops the classical Runge–Kutta formula on the exact solution.
  void advance(double until, double step) {
    if (!has_loops()) {
      model_->opt.timestep = step;
      for (long k = 0; k < std::lround(until / step); ++k) mj_step(model_.get(), data_.get());
    } else {
      for (long k = 0; k < std::lround(until / step); ++k) runge_kutta(step);
    }
    mj_forward(model_.get(), data_.get());
  }

 private:
  void load(const std::string& text) {
    const auto file = std::filesystem::temp_directory_path() / fmt::format("taut-mujoco-{}.xml", ::getpid());
    std::ofstream(file) << text;
    mju_user_warning = [](const char*) {};  // which else goes to a file in the working folder
    char error[1000] = "";
    model_.reset(mj_loadXML(file.c_str(), nullptr, error, sizeof error));
    std::filesystem::remove(file);
    if (!model_) throw std::runtime_error(error);
    model_->opt.disableflags |= mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS;
    model_->opt.jacobian = mjJAC_DENSE;
    model_->opt.integrator = mjINT_RK4;
    data_.reset(mj_makeData(model_.get()));
  }
  void begin() { mj_resetData(model_.get(), data_.get()); }

  struct State {
    VectorXd q, v, act;
  };
  State state() const {
    return {Eigen::Map<const VectorXd>(data_->qpos, model_->nq), Eigen::Map<const VectorXd>(data_->qvel, model_->nv),
            Eigen::Map<const VectorXd>(data_->act, model_->na)};
  }
  /// From `base` along rates of q and v.
  void move(const State& base, const VectorXd& dq, const VectorXd& dv, const VectorXd& da) {
    Eigen::Map<VectorXd>(data_->qpos, model_->nq) = base.q;
    mj_integratePos(model_.get(), data_->qpos, dq.data(), 1);
    Eigen::Map<VectorXd>(data_->qvel, model_->nv) = base.v + dv;
    Eigen::Map<VectorXd>(data_->act, model_->na) = base.act + da;
  }

  void runge_kutta(double h) {
    const State base = state();
    const double at[] = {0, 0.5, 0.5, 1}, weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    VectorXd v = base.v, a = VectorXd::Zero(model_->nv), r = VectorXd::Zero(model_->na);
    VectorXd dq = VectorXd::Zero(model_->nv), dv = dq, da = r;
    for (int k = 0; k < 4; ++k) {
      move(base, at[k] * h * v, at[k] * h * a, at[k] * h * r);
      mj_forward(model_.get(), data_.get());
      v = Eigen::Map<const VectorXd>(data_->qvel, model_->nv);
      r = Eigen::Map<const VectorXd>(data_->act_dot, model_->na);
      a = acceleration();
      dq += weight[k] * h * v;
      dv += weight[k] * h * a;
      da += weight[k] * h * r;
    }
    move(base, dq, dv, da);
  }

  /// J̇ v: the change of J v as the position moves along v, by differences of fourth order.
  VectorXd rows_bias() {
    const int n = model_->nv, rows = data_->ne;
    const VectorXd v = Eigen::Map<const VectorXd>(data_->qvel, n),
                   q = Eigen::Map<const VectorXd>(data_->qpos, model_->nq);
    const double speed = v.cwiseAbs().maxCoeff();
    if (speed == 0) return VectorXd::Zero(rows);
    mjData* const there = probe();
    const double h = 1e-4 / speed;
    const auto at = [&](double by) {
      Eigen::Map<VectorXd>(there->qpos, model_->nq) = q;
      mj_integratePos(model_.get(), there->qpos, v.data(), by);
      mj_kinematics(model_.get(), there);
      mj_comPos(model_.get(), there);
      mj_tendon(model_.get(), there);
      mj_makeConstraint(model_.get(), there);
      return VectorXd(Eigen::Map<const Rows>(there->efc_J, rows, n) * v);
    };
    return (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
  }
  mjData* probe() {
    if (!probe_) probe_.reset(mj_makeData(model_.get()));
    return probe_.get();
  }

  /// MuJoCo 2.2.2 turns an inertia onto its principal axes until what stands beside them is next to nothing: of a light
  /// link, or one whose moments are much alike, that is a part in a million, and accelerations follow it. Here they are
  /// found to rounding. A file that says what all weighs has scaled them.
  void refine_principal_axes(const std::vector<FullInertia>& list) {
    for (const auto& [name, I] : list) {
      const int body = mj_name2id(model_.get(), mjOBJ_BODY, name.c_str());
      Matrix3d full;
      full << I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2];
      const Eigen::SelfAdjointEigenSolver<Matrix3d> axes(full);
      Matrix3d turn = axes.eigenvectors();
      if (turn.determinant() < 0) turn.col(0) *= -1;
      const Eigen::Quaterniond q(turn);
      Eigen::Map<Vector3d> moments(model_->body_inertia + 3 * body);
      moments = axes.eigenvalues() * (moments.sum() / full.trace());
      Eigen::Map<Eigen::Vector4d>(model_->body_iquat + 4 * body) << q.w(), q.x(), q.y(), q.z();
    }
  }

  void set_newer(const std::vector<NewerActuator>& list) {
    for (int k = 0; k < model_->nu; ++k) {
      const NewerActuator& newer = list.at(static_cast<std::size_t>(k));
      const int joint = model_->actuator_trnid[2 * k];
      const bool has_joint = model_->actuator_trntype[k] == mjTRN_JOINT;
      if (newer.damping_ratio && has_joint) {
        const double gear = model_->actuator_gear[6 * k];
        const double inertia = model_->dof_M0[model_->jnt_dofadr[joint]] / (gear * gear);
        model_->actuator_biasprm[mjNBIAS * k + 2] =
            -2 * *newer.damping_ratio * std::sqrt(model_->actuator_gainprm[mjNGAIN * k] * inertia);
      }
      mjtNum* const range = model_->actuator_ctrlrange + 2 * k;
      if (newer.inherited_range && has_joint) {
        const mjtNum* const own = model_->jnt_range + 2 * joint;
        const double middle = (own[0] + own[1]) / 2, half = (own[1] - own[0]) / 2 * *newer.inherited_range;
        range[0] = middle - half;
        range[1] = middle + half;
        model_->actuator_ctrllimited[k] = 1;
      }
      // Near 0, so that no joint is asked for more than the force that newer files allow it.
      const bool is_limited = model_->actuator_ctrllimited[k] != 0;
      const double control = is_limited ? std::clamp(0.0, range[0], range[1]) + 0.001 * (range[1] - range[0]) : 0.05;
      data_->ctrl[k] = control;
      controls_.emplace_back(spelt(newer.control), control);
    }
  }

  std::unique_ptr<mjModel, void (*)(mjModel*)> model_{nullptr, mj_deleteModel};
  std::unique_ptr<mjData, void (*)(mjData*)> data_{nullptr, mj_deleteData}, probe_{nullptr, mj_deleteData};
  std::vector<Assignment> controls_;
  int rank_ = 0;
};

// ---- what both programs find ------------------------------------------------------------------------------

/// The larger, and what is no number is larger than all.
inline void raise_to(double& worst, double value) {
  if (!(value <= worst)) worst = value;
}

/// Where a body of the model is, or how it accelerates.
class ByName {
 public:
  explicit ByName(const std::vector<NamedValue>& list) {
    for (const NamedValue& value : list) values_[value.name] = value.value;
  }
  Vector3d three(const std::string& body, const std::array<const char*, 3>& parts) const {
    return {values_.at(body + parts[0]), values_.at(body + parts[1]), values_.at(body + parts[2])};
  }

 private:
  std::unordered_map<std::string, double> values_;
};

/// Others are taken for part of what they are fixed to.
inline bool is_body_of_its_own(const MujocoRobot& robot, int body) {
  return robot.moves(body) && robot.model().body_mass[body] > 0;
}

using Accelerations = std::vector<std::pair<Vector3d, Vector3d>>;

inline Accelerations accelerations_of(MujocoRobot& robot) {
  robot.accelerate();
  Accelerations list;
  for (int b = 0; b < robot.model().nbody; ++b) list.push_back(robot.acceleration_of(b));
  return list;
}

/// Of all bodies, in parts of the acceleration where that is above 1, beyond MuJoCo's own rounding: that is by how much
/// its accelerations change where a robot that floats is put elsewhere. (Rods that turn about themselves next to
/// weightlessly divide rounding by little.)
inline double worst_acceleration(MujocoRobot& robot, const Summary& start) {
  const ByName found(start.final_accelerations);
  const Accelerations here = accelerations_of(robot);
  const bool floats = robot.put_elsewhere(Vector3d(0.3, -0.2, 0.1));
  const Accelerations there = accelerations_of(robot);
  if (floats) robot.put_elsewhere(Vector3d(-0.3, 0.2, -0.1));
  double worst = 0;
  const auto compare = [&](const Vector3d& value, const Vector3d& expected, const Vector3d& elsewhere) {
    const double off = (value - expected).norm(), rounding = (elsewhere - expected).norm();
    raise_to(worst, std::max(0.0, off - 2 * rounding) / std::max(1.0, expected.norm()));
    if (std::isnan(off)) worst = off;
  };
  for (int b = 1; b < robot.model().nbody; ++b) {
    if (!is_body_of_its_own(robot, b)) continue;
    const std::size_t k = static_cast<std::size_t>(b);
    compare(found.three(robot.name(b), {".ax", ".ay", ".az"}), here[k].first, there[k].first);
    compare(found.three(robot.name(b), {".alpha_x", ".alpha_y", ".alpha_z"}), here[k].second, there[k].second);
  }
  return worst;
}

/// Of all centres of mass, in m.
inline double worst_place(const MujocoRobot& robot, const Summary& end) {
  const ByName found(end.final_coordinates);
  double worst = 0;
  for (int b = 1; b < robot.model().nbody; ++b)
    if (is_body_of_its_own(robot, b))
      raise_to(worst,
               (found.three(robot.name(b), {".x", ".y", ".z"}) - Eigen::Map<const Vector3d>(robot.data().xipos + 3 * b))
                   .norm());
  return worst;
}

}  // namespace taut::robot
