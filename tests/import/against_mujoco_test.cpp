// The same robots in MuJoCo: accelerations at the start, and motion against its rk4. Built where the library is found.
#ifdef TAUT_MUJOCO
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <Eigen/Dense>
#include <cmath>
#include <filesystem>

#include "robots.hpp"
#include "taut/simulation.hpp"

namespace taut::robot {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

class Reference {
 public:
  explicit Reference(const std::string& file) {
    char error[1000] = "";
    model_ = mj_loadXML(file.c_str(), nullptr, error, sizeof error);
    if (model_ == nullptr) {
      ADD_FAILURE() << error;
      return;
    }
    data_ = mj_makeData(model_);
    mj_forward(model_, data_);
  }
  ~Reference() {
    if (data_ != nullptr) mj_deleteData(data_);
    if (model_ != nullptr) mj_deleteModel(model_);
  }
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;

  int bodies() const { return model_->nbody; }
  std::string name(int body) const { return mj_id2name(model_, mjOBJ_BODY, body); }

  /// Of the centre of mass, and angular, where nothing moves yet; equality constraints hold exactly:
  /// M a = f + Jᵀλ, J a = 0.
  Eigen::Matrix<double, 6, 1> acceleration(int body) const {
    const int n = model_->nv;
    Rows M(n, n), linear(3, n), angular(3, n);
    mj_fullM(model_, M.data(), data_->qM);
    Eigen::VectorXd a = M.ldlt().solve(Eigen::Map<Eigen::VectorXd>(data_->qfrc_smooth, n));
    if (data_->ne > 0) {
      const Eigen::Map<Rows> J(data_->efc_J, data_->ne, n);
      const Eigen::MatrixXd back = M.ldlt().solve(J.transpose());
      a -= back * (J * back).completeOrthogonalDecomposition().solve(J * a);
    }
    mj_jacBodyCom(model_, data_, linear.data(), angular.data(), body);
    Eigen::Matrix<double, 6, 1> both;
    both << linear * a, angular * a;
    return both;
  }

  void advance(double until) {
    for (int k = 0; k < static_cast<int>(std::lround(until / model_->opt.timestep)); ++k) mj_step(model_, data_);
    mj_kinematics(model_, data_);
    mj_comPos(model_, data_);
  }
  Eigen::Vector3d center(int body) const { return Eigen::Map<Eigen::Vector3d>(data_->xipos + 3 * body); }

 private:
  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
};

double value(const std::vector<NamedValue>& list, const std::string& name) {
  for (const NamedValue& entry : list)
    if (entry.name == name) return entry.value;
  ADD_FAILURE() << "no " << name;
  return NAN;
}

class AgainstMujoco : public testing::TestWithParam<std::pair<const char*, Coordinates>> {};

TEST_P(AgainstMujoco, AccelerationsAndMotionAreTheSame) {
  const std::string file = robot_path(GetParam().first);
  Reference reference(file);
  const Model model = load_model(file);
  const auto run = [&](double until) {
    return simulate(model, {.until = until, .rtol = 1e-12, .coordinates = GetParam().second, .record = false}).summary;
  };
  const Summary start = run(0);
  for (int b = 1; b < reference.bodies(); ++b) {
    const Eigen::Matrix<double, 6, 1> expected = reference.acceleration(b);
    const char* const parts[] = {".ax", ".ay", ".az", ".alpha_x", ".alpha_y", ".alpha_z"};
    // Both solve the same linear equations in double precision; mass matrices of such robots have condition 1e4 or so.
    for (int k = 0; k < 6; ++k)
      EXPECT_NEAR(value(start.final_accelerations, reference.name(b) + parts[k]), expected[k],
                  1e-9 * std::max(1.0, expected.norm()))
          << reference.name(b) << parts[k];
  }
  const Summary end = run(0.2);
  reference.advance(0.2);
  for (int b = 1; b < reference.bodies(); ++b) {
    const char* const parts[] = {".x", ".y", ".z"};
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(value(end.final_coordinates, reference.name(b) + parts[k]), reference.center(b)[k], 1e-8)
          << reference.name(b) << parts[k];
  }
}

INSTANTIATE_TEST_SUITE_P(Robots, AgainstMujoco,
                         testing::Values(std::pair{"machine.xml", Coordinates::bodies},
                                         std::pair{"machine.xml", Coordinates::joints}));

}  // namespace
}  // namespace taut::robot
#endif
