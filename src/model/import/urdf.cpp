#include "model/import/urdf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <set>

#include "model/import/elements.hpp"
#include "model/import/loops.hpp"
#include "model/import/names.hpp"
#include "model/import/settle.hpp"
#include "model/import/ties.hpp"
#include "model/import/urdf_link.hpp"
#include "model/import/urdf_loops.hpp"
#include "model/import/urdf_tree.hpp"

namespace taut::robot {
namespace {

/// Walks the tree from its root, so that a link's place is known before those of what it carries.
class UrdfImporter {
 public:
  UrdfImporter(const Element& root, const std::string& file, Findings& findings)
      : root_(root), findings_(findings), tree_(checked(root, findings), findings), ties_(robot_, names_, findings) {
    robot_.name = root.attribute("name");
    if (robot_.name.empty()) robot_.name = std::filesystem::path(file).stem().string();
    robot_.file = file;
    robot_.link_word = "link";
    robot_.mass_word = "an <inertial>";
  }

  Robot operator()() {
    findings_.raise();  // there is no tree to walk
    loops_ = loops_beside(robot_.file);
    add_colors();
    if (loops_) check_types(*loops_);
    add_links();
    settle_inertias(robot_, findings_);
    const std::set<int> in_loops = loops_ ? links_of(*loops_, robot_) : std::set<int>();
    drop_massless_leaves(robot_, with_leaders(robot_, in_loops, followings()), findings_);
    settle_point_masses(robot_, findings_);
    names_.take_all(robot_);
    for (const auto& [name, joint] : tree_.joints()) findings_.attempt([&] { add_mimic(name, *joint); });
    for (const Element* element : children(root_, "transmission")) add_transmission(*element);
    if (loops_) UrdfLoops(robot_, ties_, findings_).close(*loops_);
    if (loops_) add_motors(*loops_);
    for (const std::string& text : names_.renamed()) findings_.note(text);
    if (robot_.links.size() > 1 && robot_.links[1].mass)
      findings_.note(fmt::format("root link '{}' has mass, so it floats", robot_.links[1].name));
    return robot_;
  }

 private:
  // ---- what there is ----

  static const Element& checked(const Element& element, Findings& findings) {
    for (const Element& child : element.children) {
      const bool is_read = admit(urdf_rows(), element.name, child, findings);
      if (is_read && child.name != "transmission") checked(child, findings);
    }
    return element;
  }

  /// Joints of another kind than the file can say have to be there.
  void check_types(const Loops& loops) {
    for (const JointType& type : loops.types)
      if (!tree_.joints().contains(type.joint))
        findings_.add(
            InputError(type.place, fmt::format("there is no joint '{}' to be {}", type.joint, type.word),
                       nearest_or(type.joint, UrdfTree::names_of(tree_.joints()), "name a joint of the URDF")));
  }

  void add_colors() {
    for (const Element* material : children(root_, "material"))
      if (const Element* color = material->find("color"))
        findings_.attempt([&] { colors_[material->attribute("name")] = urdf_color(*color); });
  }

  // ---- links and joints ----

  /// In the order of the file; what carries first.
  void add_links() {
    add_link(tree_.root(), Eigen::Isometry3d::Identity());
    if (!robot_.links[1].mass) {
      robot_.links[1].parent_joint = 0;
      robot_.joints.push_back({.name = "ground", .second = 1});
    }
    std::map<std::string, std::vector<const Element*>> carried;
    for (const Element* element : children(root_, "joint"))
      carried[element->find("parent")->attribute("link")].push_back(element);
    for (std::size_t k = 1; k < robot_.links.size(); ++k)
      for (const Element* element : carried[robot_.links[k].name])
        findings_.attempt([&] { add_carried(*element, static_cast<int>(k)); });
  }

  void add_carried(const Element& element, int parent) {
    const Attributes attributes(element);
    const Eigen::Isometry3d pose =
        robot_.links[static_cast<std::size_t>(parent)].pose * urdf_pose(element.find("origin"));
    const int child = static_cast<int>(robot_.links.size());
    Joint made{.name = attributes.text("name"), .place = element.place(), .first = parent, .second = child};
    made.kind = kind_of(attributes.text("type"));
    made.at = pose.translation();
    const JointType* const type = loops_ ? loops_->type_of(made.name) : nullptr;
    if (type != nullptr && type->axes.empty()) made.kind = JointKind::fixed;
    add_link(element.find("child")->attribute("link"), pose);
    if (type != nullptr && !type->axes.empty()) return add_hinges(std::move(made), *type, pose);
    if (made.has_coordinate() || made.kind == JointKind::planar)
      findings_.attempt([&] { made.axis = pose.linear() * axis_of(element, made.name); });
    if (const Element* limit = element.find("limit"); limit != nullptr && made.has_coordinate())
      findings_.attempt([&] { made.range = range_of(Attributes(*limit), attributes.text("type")); });
    if (const Element* dynamics = element.find("dynamics"))
      findings_.attempt([&] { add_dynamics(Attributes(*dynamics), made); });
    carry(std::move(made));
  }

  void carry(Joint joint) {
    robot_.links[static_cast<std::size_t>(joint.second)].parent_joint = static_cast<int>(robot_.joints.size());
    robot_.joints.push_back(std::move(joint));
  }

  /// Hinges about axes of the joint's frame, one after the other, with links without mass between them.
  void add_hinges(Joint made, const JointType& type, const Eigen::Isometry3d& pose) {
    const std::string name = made.name;
    const int child = made.second;
    made.kind = JointKind::revolute;
    for (std::size_t k = 0; k < type.axes.size(); ++k) {
      const char axis = type.axes[k];
      if (k > 0) made.first = made.second;
      made.name = fmt::format("{}_{}", name, axis);
      made.axis = pose.linear() * Eigen::Vector3d::Unit(axis - 'X');
      made.second = child;
      if (k + 1 < type.axes.size()) {
        made.second = static_cast<int>(robot_.links.size());
        robot_.links.push_back({.name = fmt::format("{}_after_{}", name, axis), .place = made.place, .pose = pose});
      }
      carry(made);
    }
  }

  static JointKind kind_of(const std::string& type) {
    if (type == "revolute" || type == "continuous") return JointKind::revolute;
    if (type == "prismatic") return JointKind::prismatic;
    if (type == "planar") return JointKind::planar;
    return type == "floating" ? JointKind::free : JointKind::fixed;
  }

  static Eigen::Vector3d axis_of(const Element& joint, const std::string& name) {
    const Element* element = joint.find("axis");
    const Eigen::Vector3d axis =
        element == nullptr ? Eigen::Vector3d::UnitX() : Attributes(*element).vector("xyz", Eigen::Vector3d::UnitX());
    if (axis.norm() > 0) return axis.normalized();
    throw InputError(joint.place(), fmt::format("the axis of joint '{}' has no direction", name),
                     "give one, such as xyz=\"0 0 1\"");
  }

  /// What turns on and on has no ends; of others that say none, both would be 0.
  static std::optional<std::pair<double, double>> range_of(const Attributes& limit, const std::string& type) {
    const double lower = limit.number("lower", 0), upper = limit.number("upper", 0);
    if (type == "continuous" || !(lower < upper)) return std::nullopt;
    return std::pair(lower, upper);
  }

  void add_dynamics(const Attributes& dynamics, Joint& joint) {
    const double friction = dynamics.number("friction", 0), damping = dynamics.number("damping", 0);
    for (const char* name : {"friction", "damping"})
      if (dynamics.number(name, 0) < 0) dynamics.refuse(name, "this cannot be below 0", "give 0 or more");
    if (friction == 0 && damping == 0) return;
    if (joint.kind == JointKind::fixed) {
      findings_.pass("passed over, for the joint does not move", "<dynamics>");
      return;
    }
    if (!joint.has_coordinate()) {
      findings_.unsupported("damping", dynamics.place(),
                            fmt::format("joint '{}' has damping and not one coordinate", joint.name));
      return;
    }
    if (friction != 0 && !findings_.leaves_out("friction")) joint.friction = friction;
    if (damping != 0 && !findings_.leaves_out("damping")) joint.damping = damping;
  }

  void add_link(const std::string& name, const Eigen::Isometry3d& pose) {
    const Element& element = *tree_.links().at(name);
    Link made{.name = name, .place = element.place(), .pose = pose};
    if (const Element* inertial = element.find("inertial"))
      findings_.attempt([&] { made.mass = urdf_mass(*inertial, name); });
    for (const Element* visual : children(element, "visual")) findings_.attempt([&] { add_shape(*visual, made); });
    robot_.links.push_back(std::move(made));
  }

  void add_shape(const Element& visual, Link& link) {
    if (const std::optional<Shape> shape = urdf_shape(visual, link.pose, colors_))
      link.shapes.push_back(*shape);
    else
      findings_.pass("not drawn, for it has no size", "<visual>");
  }

  // ---- what ties joints and links ----

  std::vector<Following> followings() const {
    std::vector<Following> list;
    if (findings_.options().ignore.contains("equality")) return list;
    for (const auto& [name, joint] : tree_.joints()) {
      const Element* mimic = joint->find("mimic");
      const int follower = joint_called(robot_, name),
                leader = mimic == nullptr ? -1 : joint_called(robot_, mimic->attribute("joint"));
      if (follower < 0 || leader < 0) continue;
      list.push_back({robot_.joints[static_cast<std::size_t>(leader)].second,
                      robot_.joints[static_cast<std::size_t>(follower)].second});
    }
    return list;
  }

  void add_mimic(const std::string& name, const Element& joint) {
    const Element* element = joint.find("mimic");
    if (element == nullptr) return;
    const Attributes mimic(*element);
    const std::string other = UrdfTree::reference(name, joint, "mimic", "joint", tree_.joints());
    if (name == other) mimic.refuse(fmt::format("joint '{}' mimics itself", name), "take <mimic> out");
    const double ratio = mimic.number("multiplier", 1), offset = mimic.number("offset", 0);
    const int follower = joint_called(robot_, name), leader = joint_called(robot_, other);
    if (follower < 0 || leader < 0 || robot_.joints[static_cast<std::size_t>(follower)].kind == JointKind::fixed) {
      findings_.pass("passed over, for the joint does not move", "<mimic>");
      return;
    }
    for (const int k : {follower, leader})
      if (!robot_.joints[static_cast<std::size_t>(k)].has_coordinate())
        mimic.refuse(fmt::format("joint '{}' mimics, but '{}' has no single coordinate", name,
                                 robot_.joints[static_cast<std::size_t>(k)].name),
                     "take <mimic> out");
    if (findings_.leaves_out("equality")) return;
    if (offset != 0) ties_.assemble(fmt::format("joint '{}' mimics with an offset", name));
    if (ratio == 0) {
      const Joint& held = robot_.joints[static_cast<std::size_t>(follower)];
      return ties_.constrain(name + "_mimic", mimic.place(),
                             fmt::format("{} = {}", held.coordinate(), text_of(offset)));
    }
    robot_.gears.push_back(
        {names_.take_joint(name + "_mimic", mimic.place()), mimic.place(), leader, follower, ratio, offset});
  }

  void add_motor(int joint, double reduction, const Place& place) {
    Joint& driven = robot_.joints[static_cast<std::size_t>(joint)];
    const std::string control = names_.take(driven.label + "_ctrl", "control", place);
    robot_.parameters.push_back({control, place});
    driven.torque = sum_of(driven.torque, times(reduction, control));
  }

  static double reduction_of(const Element& transmission) {
    for (const Element* where : {&transmission, transmission.find("actuator"), transmission.find("joint")})
      if (where != nullptr)
        for (const char* word : {"mechanicalReduction", "mechanical_reduction"})
          if (const Element* element = where->find(word))
            return numbers_of(element->text, element->place(), fmt::format("<{}>", word), 1, 1)[0];
    return 1;
  }

  void add_transmission(const Element& element) {
    const auto joints = children(element, "joint");
    const int joint = joints.size() == 1 ? joint_called(robot_, joints.front()->attribute("name")) : -1;
    if (joint < 0 || !robot_.joints[static_cast<std::size_t>(joint)].has_coordinate()) {
      findings_.pass("passed over, for it is not of one joint that moves", "<transmission>");
      return;
    }
    if (findings_.leaves_out("actuators")) return;
    findings_.attempt([&] { add_motor(joint, reduction_of(element), element.place()); });
  }

  /// Motors of joints that a file beside this one names.
  void add_motors(const Loops& loops) {
    for (const auto& [name, place] : loops.motors) {
      const int joint = joint_called(robot_, name);
      if (joint < 0 && tree_.joints().contains(name))
        findings_.pass("without a motor, for they carry no mass", fmt::format("joint '{}'", name));
      else if (joint < 0)
        findings_.add(InputError(place, fmt::format("there is no joint '{}' for a motor", name),
                                 nearest_or(name, UrdfTree::names_of(tree_.joints()), "name a joint of the URDF")));
      else if (!findings_.leaves_out("actuators"))
        findings_.attempt([&] { add_motor(joint, 1, place); });
    }
  }

  const Element& root_;
  Findings& findings_;
  UrdfTree tree_;
  ModelNames names_;
  Robot robot_;
  Ties ties_;
  std::optional<Loops> loops_;
  std::map<std::string, std::string> colors_;
};

}  // namespace

// As for the other formats, whose readers change their copy.  NOLINTNEXTLINE(performance-unnecessary-value-param)
Robot import_urdf(Element root, const std::string& file, Findings& findings) {
  return UrdfImporter(root, file, findings)();
}

}  // namespace taut::robot
