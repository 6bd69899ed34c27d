// Real robots as both programs read them: accelerations and motion with armature, damping, springs, tendons, equalities
// and actuators; without contacts, limits and dry friction; loops exact. Built where MuJoCo is found.
#ifdef TAUT_MUJOCO
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>
#include <tinyxml2.h>
#include <unistd.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <set>

#include "robots.hpp"
#include "taut/simulation.hpp"

namespace taut::robot {
namespace {

namespace fs = std::filesystem;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using tinyxml2::XMLElement;

// ---- a file that both read ----------------------------------------------------------------------------

void remove_elements(XMLElement& element, const std::set<std::string>& names) {
  for (XMLElement* child = element.FirstChildElement(); child != nullptr;) {
    XMLElement* next = child->NextSiblingElement();
    if (names.contains(child->Name()))
      element.DeleteChild(child);
    else
      remove_elements(*child, names);
    child = next;
  }
}

void remove_attribute(XMLElement& element, const std::string& name) {
  element.DeleteAttribute(name.c_str());
  for (XMLElement* child = element.FirstChildElement(); child != nullptr; child = child->NextSiblingElement())
    remove_attribute(*child, name);
}

std::string quoted_word(const std::string& text) {
  const std::size_t from = text.find('\''), to = from == text.npos ? from : text.find('\'', from + 1);
  return to == text.npos ? "" : text.substr(from + 1, to - from - 1);
}

struct Mujoco {
  std::unique_ptr<mjModel, void (*)(mjModel*)> model{nullptr, mj_deleteModel};
  std::unique_ptr<mjData, void (*)(mjData*)> data{nullptr, mj_deleteData};
};

/// A file as MuJoCo reads it once what is newer than itself, and what needs meshes, is taken out; taut reads that, too.
class CommonFile {
 public:
  explicit CommonFile(const std::string& path)
      : file_(fs::temp_directory_path() / fmt::format("taut-{}-{}", ::getpid(), fs::path(path).filename().string())) {
    document_.LoadFile(path.c_str());
    if (document_.RootElement() == nullptr) return;
    remove_elements(*document_.RootElement(), {"asset", "geom", "contact", "sensor", "visual", "statistic", "keyframe",
                                               "light", "camera", "custom", "size", "texture", "extension"});
    for (const char* name : {"material", "meshdir", "assetdir", "texturedir", "mesh"})
      remove_attribute(*document_.RootElement(), name);
  }
  ~CommonFile() {
    std::error_code none;
    fs::remove(file_, none);
  }
  CommonFile(const CommonFile&) = delete;
  CommonFile& operator=(const CommonFile&) = delete;

  std::string path() const { return file_.string(); }

  std::optional<Mujoco> read() {
    for (int k = 0; k < 30 && document_.RootElement() != nullptr; ++k) {
      document_.SaveFile(path().c_str());
      char error[1000] = "";
      Mujoco made;
      made.model.reset(mj_loadXML(path().c_str(), nullptr, error, sizeof error));
      if (made.model) return made;
      why = error;
      if (!take_out(error)) return std::nullopt;
    }
    return std::nullopt;
  }

  std::string why;

 private:
  bool take_out(const std::string& error) {
    const std::string word = quoted_word(error);
    if (word.empty() || error.find("unrecognized") == error.npos) return false;
    if (error.find("attribute") != error.npos)
      remove_attribute(*document_.RootElement(), word);
    else
      remove_elements(*document_.RootElement(), {word});
    return true;
  }

  fs::path file_;
  tinyxml2::XMLDocument document_;
};

// ---- MuJoCo with loops that hold exactly --------------------------------------------------------------

class Reference {
 public:
  explicit Reference(Mujoco robot) : robot_(std::move(robot)) {
    m().opt.disableflags = mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS;
    m().opt.jacobian = mjJAC_DENSE;
    m().opt.integrator = mjINT_RK4;
    robot_.data.reset(mj_makeData(robot_.model.get()));
    mj_forward(&m(), &d());
  }

  mjModel& m() const { return *robot_.model; }
  mjData& d() const { return *robot_.data; }
  bool has_loops() const { return d().ne > 0; }

  /// M a = f + Jᵀλ, J a = −J̇ v.
  Eigen::VectorXd accelerations() const {
    mj_forward(&m(), &d());
    const int n = m().nv, rows = d().ne;
    Rows M(n, n);
    mj_fullM(&m(), M.data(), d().qM);
    const Eigen::LDLT<Eigen::MatrixXd> factor(M);
    Eigen::VectorXd a = factor.solve(Eigen::Map<Eigen::VectorXd>(d().qfrc_smooth, n));
    if (rows == 0) return a;
    const Rows J = slopes();
    const Eigen::VectorXd bias = slopes_rate();
    const Eigen::MatrixXd back = factor.solve(J.transpose());
    return a - back * (J * back).completeOrthogonalDecomposition().solve(J * a + bias);
  }

  /// By rk4; with loops by our own, put back onto them after each step.
  void advance(double until) const {
    if (!has_loops()) {
      m().opt.timestep = 1e-5;
      for (int k = 0; k < static_cast<int>(std::lround(until / 1e-5)); ++k) mj_step(&m(), &d());
      mj_forward(&m(), &d());
      return;
    }
    const int steps = static_cast<int>(std::lround(until / 1e-4));
    for (int k = 0; k < steps; ++k) step(until / steps);
    mj_forward(&m(), &d());
  }

  Eigen::Vector3d center(int body) const { return Eigen::Map<const Eigen::Vector3d>(d().xipos + 3 * body); }

 private:
  using State = std::pair<Eigen::VectorXd, Eigen::VectorXd>;

  Rows slopes() const { return Eigen::Map<const Rows>(d().efc_J, d().ne, m().nv); }

  State state() const {
    return {Eigen::Map<Eigen::VectorXd>(d().qpos, m().nq), Eigen::Map<Eigen::VectorXd>(d().qvel, m().nv)};
  }
  void set(const State& s) const {
    std::copy(s.first.begin(), s.first.end(), d().qpos);
    std::copy(s.second.begin(), s.second.end(), d().qvel);
  }
  Eigen::VectorXd moved(const Eigen::VectorXd& q, const Eigen::VectorXd& v, double h) const {
    Eigen::VectorXd made = q;
    mj_integratePos(&m(), made.data(), v.data(), h);
    return made;
  }

  /// J̇ v by central differences along v.
  Eigen::VectorXd slopes_rate() const {
    const State here = state();
    constexpr double h = 1e-5;
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(d().ne);
    for (const double side : {1.0, -1.0}) {
      set({moved(here.first, here.second, side * h), here.second});
      mj_fwdPosition(&m(), &d());
      sum += side / (2 * h) * (slopes() * here.second);
    }
    set(here);
    mj_forward(&m(), &d());
    return sum;
  }

  void step(double h) const {
    const State start = state();
    const auto stage = [&](const Eigen::VectorXd& v, const Eigen::VectorXd& a, double by) {
      set({moved(start.first, v, by), start.second + by * a});
    };
    const Eigen::VectorXd v1 = start.second, a1 = accelerations();
    stage(v1, a1, h / 2);
    const Eigen::VectorXd v2 = state().second, a2 = accelerations();
    stage(v2, a2, h / 2);
    const Eigen::VectorXd v3 = state().second, a3 = accelerations();
    stage(v3, a3, h);
    const Eigen::VectorXd v4 = state().second, a4 = accelerations();
    stage((v1 + 2 * v2 + 2 * v3 + v4) / 6, (a1 + 2 * a2 + 2 * a3 + a4) / 6, h);
    put_back();
  }

  void put_back() const {
    for (int k = 0; k < 3; ++k) {
      mj_forward(&m(), &d());
      const Rows J = slopes();
      const Eigen::Map<const Eigen::VectorXd> off(d().efc_pos, d().ne);
      State s = state();
      const auto solver = J.completeOrthogonalDecomposition();
      s.first = moved(s.first, -solver.solve(off), 1);
      s.second -= solver.solve(J * s.second);
      set(s);
    }
  }

  Mujoco robot_;
};

// ---- the comparison -----------------------------------------------------------------------------------

std::vector<std::string> robots() {
  const fs::path folder = fs::path(TAUT_TEST_SOURCE) / "../shared/robots/mjcf";
  if (!fs::exists(folder)) return {""};
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".xml" && entry.path().filename().string().find("scene") == std::string::npos)
      files.push_back(entry.path().string());
  std::ranges::sort(files);
  return files;
}

std::optional<double> value(const std::vector<NamedValue>& list, const std::string& name) {
  for (const NamedValue& entry : list)
    if (entry.name == name) return entry.value;
  return std::nullopt;
}

class RobotFiles : public ::testing::TestWithParam<std::string> {};

TEST_P(RobotFiles, MoveAsInMujoco) {
  if (GetParam().empty()) GTEST_SKIP() << "there are no robots at ../shared/robots/mjcf";
  CommonFile file(GetParam());
  std::optional<Mujoco> read = file.read();
  if (!read) GTEST_SKIP() << "MuJoCo does not read it: " << file.why;
  if (read->model->nv == 0) GTEST_SKIP() << "nothing moves";
  const Reference reference(std::move(*read));
  const Model model = load_model(file.path(), {{"import.ignore", "friction"}});
  const char* const longer = std::getenv("TAUT_ROBOT_SECONDS");
  const double until = longer != nullptr ? std::atof(longer) : 0.002;
  const auto run = [&](double t) {
    return simulate(
               model,
               options_of(model, {.until = t, .rtol = 1e-12, .coordinates = Coordinates::automatic, .record = false}))
        .summary;
  };
  const Summary start = run(0);
  const Eigen::VectorXd a = reference.accelerations();
  const mjModel& m = reference.m();
  const double allowed = 1e-9 * std::max(1.0, a.lpNorm<Eigen::Infinity>());
  int compared = 0;
  for (int b = 1; b < m.nbody; ++b) {
    Rows linear(3, m.nv), angular(3, m.nv);
    mj_jacBodyCom(&m, &reference.d(), linear.data(), angular.data(), b);
    const Eigen::Vector3d expected = linear * a, turning = angular * a;
    const std::string name = mj_id2name(&m, mjOBJ_BODY, b);
    if (!value(start.final_accelerations, name + ".ax")) continue;  // part of the ground, or of another body
    ++compared;
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(*value(start.final_accelerations, fmt::format("{}.a{}", name, "xyz"[k])), expected[k], allowed)
          << name;
      EXPECT_NEAR(*value(start.final_accelerations, fmt::format("{}.alpha_{}", name, "xyz"[k])), turning[k], allowed)
          << name;
    }
  }
  EXPECT_GT(compared, 0);
  const Summary end = run(until);
  EXPECT_EQ(end.outcome, Outcome::done) << end.reason;
  reference.advance(until);
  double worst = 0;
  for (int b = 1; b < m.nbody; ++b)
    for (int k = 0; k < 3; ++k)
      if (const auto x = value(end.final_coordinates, fmt::format("{}.{}", mj_id2name(&m, mjOBJ_BODY, b), "xyz"[k])))
        worst = std::max(worst, std::abs(*x - reference.center(b)[k]));
  EXPECT_LE(worst, 1e-8);
  RecordProperty("worst", fmt::format("{:.2g}", worst));
  if (longer != nullptr) fmt::print("{}: {} bodies, worst {:.2g} m after {} s\n", GetParam(), compared, worst, until);
}

INSTANTIATE_TEST_SUITE_P(Files, RobotFiles, ::testing::ValuesIn(robots()), [](const auto& info) {
  std::string name = info.param.empty() ? "none" : fs::path(info.param).stem().string();
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return fmt::format("{}_{}", name, info.index);
});

}  // namespace
}  // namespace taut::robot
#endif
