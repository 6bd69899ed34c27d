#include "model/import/sdf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "model/import/elements.hpp"
#include "model/import/names.hpp"
#include "model/import/sdf_frames.hpp"
#include "model/import/sdf_include.hpp"
#include "model/import/sdf_link.hpp"
#include "model/import/sdf_members.hpp"
#include "model/import/settle.hpp"
#include "model/import/ties.hpp"

namespace taut::robot {
namespace {

namespace fs = std::filesystem;

/// Does one link carry another, by way of others?
bool is_above(const Robot& robot, int above, int link) {
  for (std::size_t steps = 0; link > 0 && steps <= robot.links.size(); ++steps) {
    if (link == above) return true;
    const int joint = robot.links[static_cast<std::size_t>(link)].parent_joint;
    link = joint < 0 ? 0 : robot.joints[static_cast<std::size_t>(joint)].first;
  }
  return link == above;
}

/// The joint by which one link turns against another about a direction, and +1 or −1 as it counts; -1: there is none.
std::pair<int, double> hinge_between(const Robot& robot, const std::string& from, const std::string& to,
                                     const Eigen::Vector3d& direction) {
  for (std::size_t k = 0; k < robot.joints.size(); ++k) {
    const Joint& joint = robot.joints[k];
    const std::string &first = robot.links[static_cast<std::size_t>(joint.first)].name,
                      &second = robot.links[static_cast<std::size_t>(joint.second)].name;
    const bool along = first == from && second == to, back = first == to && second == from;
    if (joint.kind != JointKind::revolute || !(along || back)) continue;
    return {static_cast<int>(k), (along ? 1 : -1) * (joint.axis.dot(direction) < 0 ? -1.0 : 1.0)};
  }
  return {-1, 0};
}

class SdfImporter {
 public:
  SdfImporter(Element& root, const std::string& file, Findings& findings)
      : findings_(findings), members_(prepared(root, findings), findings), ties_(robot_, names_, findings) {
    robot_.file = file;
    robot_.name = fs::path(file).stem().string();
    robot_.link_word = "link";
    robot_.mass_word = "an <inertial>";
    robot_.gravity = {0, 0, -9.8};
    const std::string version = root.attribute("version");
    axes_are_of_model_ = version == "1.0" || version == "1.2" || version == "1.3" || version == "1.4";
  }

  Robot operator()() {
    if (members_.first_model() != nullptr) robot_.name = members_.first_model()->attribute("name");
    if (members_.gravity() != nullptr) findings_.attempt([&] { read_gravity(*members_.gravity()); });
    for (const SdfMember& link : members_.links()) findings_.attempt([&] { add_link(link); });
    findings_.raise();  // joints name links
    for (const SdfMember& joint : members_.joints()) findings_.attempt([&] { add_joint(joint); });
    settle_inertias(robot_, findings_);
    hold_what_stands();
    std::set<int> kept;
    for (const Joint& joint : robot_.joints)
      if (joint.closes) kept.insert({joint.first, joint.second});
    shorten_names();
    drop_massless_leaves(robot_, with_leaders(robot_, kept, followings()), findings_);
    settle_point_masses(robot_, findings_);
    names_.take_all(robot_);
    for (const SdfMember& joint : members_.joints()) findings_.attempt([&] { add_mimic(joint); });
    for (const SdfMember& joint : members_.joints())
      if (joint.element->attribute("type") == "gearbox") findings_.attempt([&] { add_gearbox(joint); });
    for (const std::string& text : names_.renamed()) findings_.note(text);
    return robot_;
  }

 private:
  // ---- what there is ----

  static const Element& prepared(Element& root, Findings& findings) {
    include_sdf_models(root, findings);
    check(root, findings);
    return root;
  }

  static void check(const Element& element, Findings& findings) {
    for (const Element& child : element.children) {
      const bool is_leaf = child.name == "material" || element.name == "geometry" || child.name == "include";
      if (admit(sdf_rows(), element.name, child, findings) && !is_leaf) check(child, findings);
    }
  }

  void read_gravity(const Element& element) {
    const auto g = numbers_of(element.text, element.place(), "<gravity>", 3, 3);
    robot_.gravity = {g[0], g[1], g[2]};
    robot_.gravity_place = element.place();
  }

  // ---- links ----

  void add_link(const SdfMember& member) {
    const Element& element = *member.element;
    Link made{.name = member.name, .place = element.place()};
    made.pose = frames_.in_world(member.name);
    if (const Element* inertial = element.find("inertial")) made.mass = sdf_mass(*inertial, member.name);
    if (const Element* decay = element.find("velocity_decay")) refuse_decay(*decay, member.name);
    if (!flag_in(element.find("gravity"), true)) made.lifted = 1;
    for (const Element* visual : children(element, "visual"))
      findings_.attempt([&] { add_shape(*visual, member.model, made); });
    link_of_[member.name] = static_cast<int>(robot_.links.size());
    robot_.links.push_back(std::move(made));
  }

  void refuse_decay(const Element& decay, const std::string& link) {
    if (number_in(decay.find("linear"), 0) != 0 || number_in(decay.find("angular"), 0) != 0)
      findings_.unsupported("damping", decay.place(), fmt::format("the speed of link '{}' decays by itself", link));
  }

  void add_shape(const Element& visual, const std::string& model, Link& link) {
    const Element* pose = visual.find("pose");
    const std::string in = pose == nullptr ? "" : pose->attribute("relative_to");
    const Eigen::Isometry3d base =
        in.empty() ? link.pose : frames_.in_world(frames_.full_name(in, model, pose->place()));
    if (std::optional<Shape> shape = sdf_shape(visual, base)) link.shapes.push_back(std::move(*shape));
  }

  // ---- joints ----

  int link_of(const SdfMember& joint, const char* which) const {
    const Element* element = joint.element->find(which);
    const std::string name = text_in(element);
    if (name.empty())
      throw InputError(joint.element->place(), fmt::format("joint '{}' has no <{}>", joint.name, which), "add one");
    std::string full = frames_.full_name(name, joint.model, element->place());
    // A frame stands for the link that it is attached to.
    for (int k = 0; k < 100 && !full.empty() && !link_of_.contains(full); ++k) full = attached_to(full, *element);
    return full.empty() ? 0 : link_of_.at(full);
  }

  std::string attached_to(const std::string& frame, const Element& asking) const {
    if (std::string next = frames_.attached_to(frame); !next.empty()) return next;
    if (std::string first = members_.link_of(frame); !first.empty()) return first;
    throw InputError(asking.place(), fmt::format("'{}' is no link", frame), "name a link");
  }

  /// A joint carries its child, unless something else does or the child carries the parent: then it closes a loop.
  void put_joint(Joint joint) {
    Link& child = robot_.links[static_cast<std::size_t>(joint.second)];
    joint.closes = joint.second == 0 || child.parent_joint >= 0 || is_above(robot_, joint.second, joint.first);
    if (!joint.closes) child.parent_joint = static_cast<int>(robot_.joints.size());
    robot_.joints.push_back(std::move(joint));
  }

  void add_joint(const SdfMember& member) {
    const Element& element = *member.element;
    const Attributes attributes(element);
    const std::string type = attributes.needed("type");
    if (type == "gearbox") return;  // it couples joints that have to be there
    Joint made{.name = member.name, .place = element.place()};
    made.kind = kind_of(attributes, type);
    made.first = link_of(member, "parent");
    made.second = link_of(member, "child");
    const Eigen::Isometry3d pose = frames_.in_world(member.name);
    made.at = pose.translation();
    if (made.has_coordinate()) read_axis(member, "axis", pose, made);
    if (made.kind == JointKind::screw) made.pitch = pitch_of(element);
    if (type != "universal" && type != "revolute2") return put_joint(std::move(made));
    Link between{.name = member.name + "_between", .place = element.place(), .pose = pose};
    const int middle = static_cast<int>(robot_.links.size());
    robot_.links.push_back(std::move(between));
    Joint second = made;
    second.name += "_2";
    second.first = middle;
    read_axis(member, "axis2", pose, second);
    made.second = middle;
    put_joint(std::move(made));
    put_joint(std::move(second));
  }

  static JointKind kind_of(const Attributes& attributes, const std::string& type) {
    attributes.choice(
        "type", {"revolute", "continuous", "prismatic", "ball", "universal", "revolute2", "screw", "fixed", "gearbox"});
    if (type == "prismatic") return JointKind::prismatic;
    if (type == "ball") return JointKind::spherical;
    if (type == "screw") return JointKind::screw;
    return type == "fixed" ? JointKind::fixed : JointKind::revolute;
  }

  /// Metres in a turn. `thread_pitch` is the older word: its sign is the other way, and it counts radians in a metre.
  static double pitch_of(const Element& joint) {
    if (const Element* pitch = joint.find("screw_thread_pitch")) return number_in(pitch, 1);
    const double old = number_in(joint.find("thread_pitch"), 1);
    return old == 0 ? 0 : -2 * M_PI / old;
  }

  void read_axis(const SdfMember& member, const char* which, const Eigen::Isometry3d& pose, Joint& joint) {
    const Element* axis = member.element->find(which);
    Eigen::Vector3d direction = Eigen::Vector3d::UnitZ();
    Eigen::Matrix3d in = pose.linear();
    if (axis != nullptr) {
      if (const Element* xyz = axis->find("xyz")) {
        const auto v = numbers_of(xyz->text, xyz->place(), "<xyz>", 3, 3);
        direction = {v[0], v[1], v[2]};
        const std::string frame = xyz->attribute("expressed_in");
        if (!frame.empty()) in = frames_.in_world(frames_.full_name(frame, member.model, xyz->place())).linear();
      }
      if (flag_in(axis->find("use_parent_model_frame"), axes_are_of_model_))
        in = frames_.in_world(member.model).linear();
      if (const Element* dynamics = axis->find("dynamics")) read_dynamics(*dynamics, joint);
      if (const Element* limit = axis->find("limit")) read_limit(*limit, joint);
      joint.start = number_in(axis->find("initial_position"), 0);
    }
    if (direction.norm() == 0)
      throw InputError(member.element->place(), fmt::format("the axis of joint '{}' has no direction", member.name),
                       "give one, such as 0 0 1");
    joint.axis = in * direction.normalized();
  }

  /// An end that is not there, or farther away than 1e16, is none.
  void read_limit(const Element& limit, Joint& joint) {
    const double lower = number_in(limit.find("lower"), -1e16), upper = number_in(limit.find("upper"), 1e16);
    if (lower > -1e16 && upper < 1e16) joint.range = {lower, upper};
  }

  void read_dynamics(const Element& dynamics, Joint& joint) {
    const auto value = [&](const char* name, const char* subject) {
      const double given = number_in(dynamics.find(name), 0);
      if (given < 0)
        throw InputError(dynamics.place(), fmt::format("<{}> of joint '{}' is below 0", name, joint.name),
                         "give 0 or more");
      return given != 0 && findings_.leaves_out(subject) ? 0 : given;
    };
    joint.damping = value("damping", "damping");
    joint.friction = joint.kind == JointKind::screw ? 0 : value("friction", "friction");
    joint.stiffness = value("spring_stiffness", "springs");
    joint.rest = number_in(dynamics.find("spring_reference"), 0);
  }

  /// Links of models that stand still, and of none that a joint carries, are fixed to the ground or free.
  void hold_what_stands() {
    for (std::size_t k = 1; k < robot_.links.size(); ++k) {
      Link& link = robot_.links[k];
      if (link.parent_joint >= 0) continue;
      const bool stands = members_.stands(link.name);
      if (stands || !link.mass) {
        link.parent_joint = static_cast<int>(robot_.joints.size());
        if (stands) link.mass.reset();
        robot_.joints.push_back({.name = "ground", .second = static_cast<int>(k)});
      } else {
        findings_.note(fmt::format("link '{}' hangs on no joint, so it floats", link.name));
      }
    }
  }

  void shorten_names() {
    for (Link& link : robot_.links) link.name = members_.short_name(link.name);
    for (Joint& joint : robot_.joints) joint.name = members_.short_name(joint.name);
  }

  int joint_called(const std::string& full) const {
    const std::string name = members_.short_name(full);
    for (std::size_t k = 0; k < robot_.joints.size(); ++k)
      if (robot_.joints[k].name == name && robot_.joints[k].place.line > 0) return static_cast<int>(k);
    return -1;
  }

  void add_mimic(const SdfMember& member) {
    for (const char* which : {"axis", "axis2"})
      if (const Element* axis = member.element->find(which); axis != nullptr && axis->find("mimic") != nullptr)
        add_mimic(member, axis->find("mimic"), std::string_view(which) == "axis2" ? "_2" : "");
  }

  /// The joints that a <mimic> ties, the follower first; -1: there is none.
  std::pair<int, int> ends_of(const SdfMember& member, const Element& mimic, const std::string& suffix) const {
    const std::string leader = frames_.full_name(Attributes(mimic).needed("joint"), member.model, mimic.place());
    return {joint_called(member.name + suffix),
            joint_called(leader + (mimic.attribute("axis") == "axis2" ? "_2" : ""))};
  }

  /// What joints and gearboxes tie to each other.
  std::vector<Following> followings() {
    std::vector<Following> list;
    if (findings_.options().ignore.contains("equality")) return list;
    const auto carried = [&](int joint) { return robot_.joints[static_cast<std::size_t>(joint)].second; };
    for (const SdfMember& member : members_.joints())
      findings_.attempt([&] {
        for (const char* which : {"axis", "axis2"}) {
          const Element* axis = member.element->find(which);
          const Element* mimic = axis == nullptr ? nullptr : axis->find("mimic");
          if (mimic == nullptr) continue;
          const auto [follower, leader] = ends_of(member, *mimic, std::string_view(which) == "axis2" ? "_2" : "");
          if (follower >= 0 && leader >= 0) list.push_back({carried(leader), carried(follower)});
        }
        if (member.element->attribute("type") != "gearbox") return;
        const int one = link_of(member, "parent"), two = link_of(member, "child");
        list.insert(list.end(), {{one, two}, {two, one}});
      });
    return list;
  }

  /// Of a joint with two axes, the second is a joint with another name.
  void add_mimic(const SdfMember& member, const Element* mimic, const std::string& suffix) {
    if (findings_.leaves_out("equality")) return;
    const auto [follower, leader] = ends_of(member, *mimic, suffix);
    const auto moves = [&](int k) { return k >= 0 && robot_.joints[static_cast<std::size_t>(k)].has_coordinate(); };
    if (!moves(follower) || !moves(leader) || follower == leader)
      throw InputError(mimic->place(),
                       fmt::format("joint '{}' cannot mimic '{}'", member.name, mimic->attribute("joint")),
                       "both need one coordinate");
    // follower = multiplier (leader − reference) + offset
    const double ratio = number_in(mimic->find("multiplier"), 1);
    const double offset = number_in(mimic->find("offset"), 0) - ratio * number_in(mimic->find("reference"), 0);
    if (offset != 0) ties_.assemble(fmt::format("joint '{}' mimics with an offset", member.name));
    robot_.gears.push_back({names_.take_joint(members_.short_name(member.name) + suffix + "_mimic", mimic->place()),
                            mimic->place(), leader, follower, ratio, offset});
  }

  /// θ₂ = −ratio θ₁, from the reference body to the parent about `axis` and to the child about `axis2`.
  void add_gearbox(const SdfMember& member) {
    if (findings_.leaves_out("equality")) return;
    const Element& element = *member.element;
    const auto name_of = [&](const char* which) {
      const std::string name = text_in(element.find(which));
      return name == "world" ? "ground" : members_.short_name(frames_.full_name(name, member.model, element.place()));
    };
    Joint axes{.name = member.name};
    const Eigen::Isometry3d pose = frames_.in_world(member.name);
    read_axis(member, "axis", pose, axes);
    const auto [first, one] = hinge_between(robot_, name_of("gearbox_reference_body"), name_of("parent"), axes.axis);
    read_axis(member, element.find("axis2") != nullptr ? "axis2" : "axis", pose, axes);
    const auto [second, two] = hinge_between(robot_, name_of("gearbox_reference_body"), name_of("child"), axes.axis);
    if (first < 0 || second < 0)
      throw InputError(element.place(),
                       fmt::format("gearbox '{}' couples links that no hinge ties to its reference body", member.name),
                       "add revolute joints from the reference body to both");
    const double ratio = -number_in(element.find("gearbox_ratio"), 1) * one * two;
    robot_.gears.push_back({names_.take_joint(members_.short_name(member.name), element.place()), element.place(),
                            first, second, ratio, 0});
  }

  Findings& findings_;
  SdfMembers members_;
  const SdfFrames& frames_ = members_.frames();
  ModelNames names_;
  Robot robot_;
  Ties ties_;
  std::map<std::string, int> link_of_;
  bool axes_are_of_model_ = false;  ///< of joints that do not say: so it was before SDF 1.5
};

}  // namespace

Robot import_sdf(Element root, const std::string& file, Findings& findings) {
  return SdfImporter(root, file, findings)();
}

}  // namespace taut::robot
