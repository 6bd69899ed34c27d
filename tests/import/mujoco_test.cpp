// Accelerations of real robots against MuJoCo's mass matrix and bias: where its library, and the robots' files beside
// the checkout, are there.
#ifdef TAUT_MUJOCO
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>
#include <tinyxml2.h>
#include <unistd.h>

#include <Eigen/Cholesky>
#include <Eigen/SVD>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <set>

#include "places.hpp"
#include "taut/error.hpp"
#include "taut/model.hpp"
#include "taut/simulation.hpp"

namespace taut::robot {
namespace {

using tinyxml2::XMLElement;
using Vec3 = Eigen::Vector3d;

// ---- what both programs read --------------------------------------------------------------------------

/// Bodies with their inertia, joints and equalities: what the equations of motion are made of.
void keep(XMLElement& element, const std::set<std::string_view>& names) {
  for (XMLElement* child = element.FirstChildElement(); child != nullptr;) {
    XMLElement* next = child->NextSiblingElement();
    if (!names.contains(child->Name())) element.DeleteChild(child);
    child = next;
  }
}

void keep_attributes(XMLElement& element, const std::set<std::string_view>& names) {
  for (const auto* attribute = element.FirstAttribute(); attribute != nullptr;) {
    const std::string name = attribute->Name();
    attribute = attribute->Next();
    if (!names.contains(name)) element.DeleteAttribute(name.c_str());
  }
}

void prune_inside(XMLElement& element) {
  static const std::set<std::string_view> pose{"name", "pos", "quat", "axisangle", "euler", "xyaxes", "zaxis"};
  for (XMLElement* child = element.FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
    const std::string_view what = child->Name();
    if (what == "joint") keep_attributes(*child, {"name", "class", "type", "pos", "axis", "armature", "ref"});
    if (what == "body") {
      keep(*child, {"inertial", "joint", "freejoint", "body"});
      auto names = pose;
      names.insert("childclass");
      keep_attributes(*child, names);
    }
    if (what == "default") keep(*child, {"joint", "default"});
    if (what != "joint") prune_inside(*child);
  }
}

std::string pruned(const std::string& path) {
  tinyxml2::XMLDocument document;
  if (document.LoadFile(path.c_str()) != tinyxml2::XML_SUCCESS || document.RootElement() == nullptr) return "";
  XMLElement& root = *document.RootElement();
  keep(root, {"compiler", "option", "default", "worldbody", "equality"});
  for (XMLElement* section = root.FirstChildElement(); section != nullptr; section = section->NextSiblingElement()) {
    const std::string_view what = section->Name();
    if (what == "compiler") keep_attributes(*section, {"angle", "eulerseq"});
    if (what == "option") keep_attributes(*section, {"gravity"});
    if (what == "option") section->DeleteChildren();
    if (what == "default") keep(*section, {"joint", "default"});
    if (what == "worldbody") keep(*section, {"body"});
    if (what == "equality") keep(*section, {"connect", "weld", "joint"});
    if (what == "equality")
      for (XMLElement* tie = section->FirstChildElement(); tie != nullptr; tie = tie->NextSiblingElement())
        for (const char* soft : {"solref", "solimp", "class"}) tie->DeleteAttribute(soft);
    if (what == "default" || what == "worldbody") prune_inside(*section);
  }
  tinyxml2::XMLPrinter printer;
  document.Print(&printer);
  return printer.CStr();
}

struct Mujoco {
  std::unique_ptr<mjModel, void (*)(mjModel*)> model{nullptr, mj_deleteModel};
  std::unique_ptr<mjData, void (*)(mjData*)> data{nullptr, mj_deleteData};
};

std::optional<Mujoco> read_by_mujoco(const std::string& path, std::string& why) {
  const auto file = std::filesystem::temp_directory_path() / fmt::format("taut-mujoco-{}.xml", ::getpid());
  std::ofstream(file) << pruned(path);
  char error[500] = "";
  Mujoco made;
  made.model.reset(mj_loadXML(file.c_str(), nullptr, error, sizeof error));
  std::filesystem::remove(file);
  if (!made.model) {
    why = error;
    return std::nullopt;
  }
  made.model->opt.disableflags = mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS | mjDSBL_PASSIVE;
  made.model->opt.jacobian = mjJAC_DENSE;
  made.data.reset(mj_makeData(made.model.get()));
  mj_forward(made.model.get(), made.data.get());
  return made;
}

// ---- the same robot as a model ------------------------------------------------------------------------

Vector3 formulas(const mjtNum* v) { return {v[0], v[1], v[2]}; }

class Translation {
 public:
  Translation(const mjModel& m, const mjData& d) : m_(m), d_(d) {}

  Model operator()() {
    for (int b = 1; b < m_.nbody; ++b) add(b);
    add_gravity(model_, formulas(m_.opt.gravity));
    for (int b = 1; b < m_.nbody; ++b) hang(b);
    for (int e = 0; e < m_.neq; ++e) tie(e);
    return std::move(model_);
  }

  static std::string body(int b) { return b == 0 ? "ground" : fmt::format("b{}", b); }
  static std::string joint(int j) { return fmt::format("j{}", j); }

 private:
  BodyDescription at(const std::string& name, const mjtNum* place, const mjtNum* axes) const {
    BodyDescription made;
    made.name = name;
    made.position = formulas(place);
    mjtNum q[4];
    mju_mat2Quat(q, axes);
    made.orientation = {q[0], q[1], q[2], q[3]};
    return made;
  }

  /// The body, and for each joint but the last one without mass.
  void add(int b) {
    BodyDescription made = at(body(b), d_.xipos + 3 * b, d_.ximat + 9 * b);
    made.mass = m_.body_mass[b];
    for (int k = 0; k < 3; ++k) made.inertia.emplace_back(m_.body_inertia[3 * b + k]);
    add_body(model_, made);
    for (int k = 0; k + 1 < m_.body_jntnum[b]; ++k)
      add_body(model_, at(between(b, k), d_.xipos + 3 * b, d_.ximat + 9 * b));
  }
  static std::string between(int b, int k) { return fmt::format("b{}_{}", b, k); }

  void hang(int b) {
    std::string from = body(m_.body_parentid[b]);
    if (m_.body_jntnum[b] == 0) {
      JointDescription weld{.name = fmt::format("weld{}", b), .type = "fixed", .first = from, .second = body(b)};
      add_joint(model_, weld);
    }
    for (int k = 0; k < m_.body_jntnum[b]; ++k) {
      const int j = m_.body_jntadr[b] + k;
      if (m_.jnt_type[j] == mjJNT_FREE) continue;
      const char* const types[] = {"", "spherical", "prismatic", "revolute"};
      JointDescription made{.name = joint(j), .type = types[m_.jnt_type[j]], .first = from};
      made.second = k + 1 < m_.body_jntnum[b] ? between(b, k) : body(b);
      made.at = formulas(d_.xanchor + 3 * j);
      if (m_.jnt_type[j] != mjJNT_BALL) made.axis = formulas(d_.xaxis + 3 * j);
      const int index = add_joint(model_, made);
      if (const double armature = m_.dof_armature[m_.jnt_dofadr[j]]; armature > 0)
        add_armature(model_, index, armature);
      from = made.second;
    }
  }

  void tie(int e) {
    if (!m_.eq_active[e]) return;
    const int first = m_.eq_obj1id[e], second = m_.eq_obj2id[e];
    JointDescription made{.name = fmt::format("tie{}", e)};
    if (m_.eq_type[e] == mjEQ_JOINT) {
      if (second < 0) return;
      made.type = "gear";
      made.joints = {joint(second), joint(first)};
      made.ratio = m_.eq_data[mjNEQDATA * e + 1];
    } else {
      made.type = m_.eq_type[e] == mjEQ_WELD ? "fixed" : "spherical";
      made.first = body(first);
      made.second = body(second);
      mjtNum place[3];
      mju_rotVecMat(place, m_.eq_data + mjNEQDATA * e, d_.xmat + 9 * first);
      mju_addTo3(place, d_.xpos + 3 * first);
      made.at = formulas(place);
    }
    add_joint(model_, made);
  }

  const mjModel& m_;
  const mjData& d_;
  Model model_;
};

// ---- accelerations ------------------------------------------------------------------------------------

/// M a = −bias + Jᵀλ with J a = 0: exact, where MuJoCo's own constraints are soft. At rest, or without equalities. With
/// Z a basis of the null space of J, a = Z (ZᵀMZ)⁻¹ Zᵀ(−bias).
Eigen::VectorXd accelerations(const mjModel& m, const mjData& d) {
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Rows M(m.nv, m.nv);
  mj_fullM(&m, M.data(), d.qM);
  Eigen::MatrixXd Z = Eigen::MatrixXd::Identity(m.nv, m.nv);
  if (d.ne > 0) {
    Eigen::MatrixXd J = Eigen::Map<const Rows>(d.efc_J, d.ne, m.nv);
    for (auto row : J.rowwise())
      if (row.norm() > 1e-12) row.normalize();
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(J, Eigen::ComputeFullV);
    const auto rank = (svd.singularValues().array() > 1e-10 * svd.singularValues()[0]).count();
    Z = svd.matrixV().rightCols(m.nv - rank);
  }
  const Eigen::VectorXd p = -(Z.transpose() * Eigen::Map<const Eigen::VectorXd>(d.qfrc_bias, m.nv));
  return Z * Eigen::LDLT<Eigen::MatrixXd>(Z.transpose() * M * Z).solve(p);
}

double found(const Summary& summary, const std::string& name) {
  const auto value = std::ranges::find(summary.final_accelerations, name, &NamedValue::name);
  if (value == summary.final_accelerations.end()) ADD_FAILURE() << "no " << name;
  return value == summary.final_accelerations.end() ? NAN : value->value;
}

Summary at_start(const Model& model, Coordinates coordinates, const std::vector<Assignment>& set = {}) {
  Options options;
  options.until = 0;
  options.record = false;
  options.coordinates = coordinates;
  options.native = Native::off;
  options.set = set;
  return simulate(model, options).summary;
}

/// Every body's acceleration at rest: of its centre of mass, and its angular acceleration.
void compare_at_rest(const Mujoco& robot, const Model& model, Coordinates coordinates) {
  const mjModel& m = *robot.model;
  const mjData& d = *robot.data;
  const Eigen::VectorXd a = accelerations(m, d);
  const Summary summary = at_start(model, coordinates);
  const double allowed = 1e-10 * std::max(1.0, a.cwiseAbs().maxCoeff());
  Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor> moving(3, m.nv), turning(3, m.nv);
  for (int b = 1; b < m.nbody; ++b) {
    mj_jacBodyCom(&m, &d, moving.data(), turning.data(), b);
    const Vec3 linear = moving * a, angular = turning * a;
    const char* const axes[] = {"x", "y", "z"};
    for (int k = 0; k < 3; ++k) {
      const std::string body = Translation::body(b);
      EXPECT_NEAR(found(summary, fmt::format("{}.a{}", body, axes[k])), linear[k], allowed) << body;
      EXPECT_NEAR(found(summary, fmt::format("{}.alpha_{}", body, axes[k])), angular[k], allowed) << body;
    }
  }
}

/// Every hinge's and slide's acceleration elsewhere and in motion, of a robot without loops.
void compare_in_motion(const Mujoco& robot, const Model& model, unsigned seed) {
  const mjModel& m = *robot.model;
  mjData& d = *robot.data;
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> between(-1, 1);
  std::vector<Assignment> set;
  for (int j = 0; j < m.njnt; ++j) {
    if (m.jnt_type[j] != mjJNT_HINGE && m.jnt_type[j] != mjJNT_SLIDE) continue;
    const bool turns = m.jnt_type[j] == mjJNT_HINGE;
    const double by = (turns ? 1 : 0.1) * between(random), rate = between(random);
    d.qpos[m.jnt_qposadr[j]] += by;
    d.qvel[m.jnt_dofadr[j]] = rate;
    set.push_back(
        {fmt::format("{}.{}(0)", Translation::joint(j), turns ? "angle" : "travel"), fmt::format("{:.17g}", by)});
    set.push_back({Translation::joint(j) + ".rate(0)", fmt::format("{:.17g}", rate)});
  }
  mj_forward(&m, &d);
  const Eigen::VectorXd a = accelerations(m, d);
  const double allowed = 1e-10 * std::max(1.0, a.cwiseAbs().maxCoeff());
  const Summary summary = at_start(model, Coordinates::joints, set);
  for (int j = 0; j < m.njnt; ++j) {
    if (m.jnt_type[j] != mjJNT_HINGE && m.jnt_type[j] != mjJNT_SLIDE) continue;
    const char* const part = m.jnt_type[j] == mjJNT_HINGE ? ".angle" : ".travel";
    EXPECT_NEAR(found(summary, Translation::joint(j) + part), a[m.jnt_dofadr[j]], allowed) << j;
  }
}

std::vector<std::string> robots() {
  std::vector<std::string> files;
  const std::filesystem::path folder = std::filesystem::path(places::source("../shared/robots/mjcf"));
  if (!std::filesystem::exists(folder)) return {""};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".xml" && entry.path().filename().string().find("scene") == std::string::npos)
      files.push_back(entry.path().string());
  std::ranges::sort(files);
  return files;
}

class RobotsOfMujoco : public ::testing::TestWithParam<std::string> {};

TEST_P(RobotsOfMujoco, HaveTheSameAccelerations) {
  if (GetParam().empty()) GTEST_SKIP() << "there are no robots at ../shared/robots/mjcf";
  std::string why;
  const std::optional<Mujoco> robot = read_by_mujoco(GetParam(), why);
  if (!robot) GTEST_SKIP() << "MuJoCo does not read it: " << why;
  if (robot->model->nv == 0) GTEST_SKIP() << "nothing moves";
  const Model model = Translation(*robot->model, *robot->data)();
  const bool has_loops = robot->data->ne > 0;
  compare_at_rest(*robot, model, Coordinates::joints);
  compare_at_rest(*robot, model, Coordinates::bodies);
  // Of a robot that floats, another body may stay where it is when joints are led elsewhere.
  const bool floats = robot->model->njnt > 0 && robot->model->jnt_type[0] == mjJNT_FREE;
  if (!has_loops && !floats) compare_in_motion(*robot, model, 7);
}

INSTANTIATE_TEST_SUITE_P(Files, RobotsOfMujoco, ::testing::ValuesIn(robots()), [](const auto& info) {
  std::string name = info.param.empty() ? "none" : std::filesystem::path(info.param).stem().string();
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return fmt::format("{}_{}", name, info.index);
});

}  // namespace
}  // namespace taut::robot
#endif
