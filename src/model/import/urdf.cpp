#include "model/import/urdf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <set>

#include "model/import/closing.hpp"
#include "model/import/elements.hpp"
#include "model/import/loops.hpp"
#include "model/import/names.hpp"
#include "model/import/settle.hpp"
#include "model/import/ties.hpp"

namespace taut::robot {
namespace {

Eigen::Isometry3d pose_of(const Element* origin) {
  Eigen::Isometry3d made = Eigen::Isometry3d::Identity();
  if (origin == nullptr) return made;
  const Attributes attributes(*origin);
  const Eigen::Vector3d rpy = attributes.vector("rpy", Eigen::Vector3d::Zero());
  made.translation() = attributes.vector("xyz", Eigen::Vector3d::Zero());
  made.linear() =
      (Eigen::AngleAxisd(rpy.z(), Eigen::Vector3d::UnitZ()) * Eigen::AngleAxisd(rpy.y(), Eigen::Vector3d::UnitY()) *
       Eigen::AngleAxisd(rpy.x(), Eigen::Vector3d::UnitX()))
          .toRotationMatrix();
  return made;
}

std::string color_of(const Element& color) {
  const auto rgba = Attributes(color).numbers("rgba", 3, 4);
  return rgba.empty() ? "" : color_text(rgba[0], rgba[1], rgba[2]);
}

/// Elements by name, each name once.
using Named = std::map<std::string, const Element*>;

std::vector<std::string> names_of(const Named& list) {
  std::vector<std::string> names;
  for (const auto& [name, element] : list) names.push_back(name);
  return names;
}

/// Walks the tree from its root, so that a link's place is known before those of what it carries.
class UrdfImporter {
 public:
  UrdfImporter(const Element& root, const std::string& file, Findings& findings)
      : root_(root), findings_(findings), ties_(robot_, names_, findings) {
    robot_.name = root.attribute("name");
    if (robot_.name.empty()) robot_.name = std::filesystem::path(file).stem().string();
    robot_.file = file;
    robot_.link_word = "link";
    robot_.mass_word = "an <inertial>";
  }

  Robot operator()() {
    check(root_);
    list_elements();
    findings_.raise();  // there is no tree to walk
    add_links();
    settle_inertias(robot_, findings_);
    const std::optional<Loops> loops = loops_beside(robot_.file);
    drop_what_nothing_moves(loops);
    names_.take_all(robot_);
    for (const auto& [name, joint] : joints_) findings_.attempt([&] { add_mimic(name, *joint); });
    for (const Element* element : children(root_, "transmission")) add_transmission(*element);
    if (loops) close(*loops);
    for (const std::string& text : names_.renamed()) findings_.note(text);
    if (robot_.links.size() > 1 && robot_.links[1].mass)
      findings_.note(fmt::format("root link '{}' has mass, so it floats", robot_.links[1].name));
    return robot_;
  }

 private:
  // ---- what there is ----

  void check(const Element& element) {
    for (const Element& child : element.children) {
      const bool is_read = admit(urdf_rows(), element.name, child, findings_);
      if (is_read && child.name != "transmission") check(child);
    }
  }

  void list_elements() {
    list("link", links_);
    list("joint", joints_);
    for (const Element* material : children(root_, "material"))
      if (const Element* color = material->find("color"))
        findings_.attempt([&] { colors_[material->attribute("name")] = color_of(*color); });
    if (links_.empty()) findings_.add(InputError(root_.place(), "the robot has no links", "add a <link>"));
    for (const auto& [name, joint] : joints_) findings_.attempt([&] { check_joint(name, *joint); });
    if (!findings_.has_faults()) findings_.attempt([&] { check_tree(); });
  }

  void list(const char* what, Named& to) {
    for (const Element* element : children(root_, what))
      findings_.attempt([&] {
        const Attributes attributes(*element);
        const auto [first, is_new] = to.emplace(attributes.needed("name"), element);
        if (!is_new)
          attributes.refuse(
              fmt::format("there are two {}s '{}'; the first is in line {}", what, first->first, first->second->line),
              "rename one of them");
      });
  }

  /// What a joint says of another element, which has to be there: the attribute of a child element.
  static std::string reference(const std::string& joint, const Element& element, const char* child_name,
                               const char* attribute, const Named& list) {
    const Element* child = element.find(child_name);
    if (child == nullptr)
      throw InputError(element.place(), fmt::format("joint '{}' has no <{}>", joint, child_name),
                       fmt::format("add <{} {}=\"…\"/>", child_name, attribute));
    const std::string name = Attributes(*child).needed(attribute);
    if (list.contains(name)) return name;
    throw InputError(
        child->place(),
        fmt::format("joint '{}' names {} '{}' as its {}, and there is none", joint, attribute, name, child_name),
        nearest_or(name, names_of(list), fmt::format("add the {}, or name another", attribute)));
  }

  void check_joint(const std::string& name, const Element& joint) {
    const Attributes attributes(joint);
    attributes.needed("type");
    attributes.choice("type", {"revolute", "continuous", "prismatic", "fixed", "floating", "planar"});
    const std::string parent = reference(name, joint, "parent", "link", links_);
    const std::string child = reference(name, joint, "child", "link", links_);
    const auto [first, is_new] = carried_by_.emplace(child, name);
    if (!is_new)
      throw InputError(
          joint.place(), fmt::format("link '{}' is the child of two joints, '{}' and '{}'", child, first->second, name),
          "keep one here, and close the loop by a joint in a file that says include: and this file's name");
    parents_[child] = parent;
  }

  /// Links that were met on the way to the root are not asked again.
  bool reaches_root(const std::string& link) {
    std::vector<std::string> way;
    std::string at = link;
    for (; parents_.contains(at) && !reaching_.contains(at); at = parents_.at(at)) {
      if (way.size() > links_.size()) return false;
      way.push_back(at);
    }
    reaching_.insert(way.begin(), way.end());
    return true;
  }

  /// One root carries all.
  void check_tree() {
    std::string root;
    for (const auto& [name, link] : links_) {
      if (parents_.contains(name)) continue;
      if (!root.empty())
        throw InputError(link->place(),
                         fmt::format("neither link '{}' nor link '{}' is the child of a joint", root, name),
                         "a robot has one root; connect the other by a joint, such as one of type floating");
      root = name;
    }
    for (const auto& [name, link] : links_)
      if (!reaches_root(name))
        throw InputError(link->place(), fmt::format("link '{}' is carried by itself, in a circle", name),
                         "a URDF is a tree; close loops by joints in a file that says include: and this file's name");
    root_link_ = root;
  }

  // ---- links and joints ----

  /// In the order of the file; what carries first.
  void add_links() {
    add_link(root_link_, Eigen::Isometry3d::Identity());
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
        robot_.links[static_cast<std::size_t>(parent)].pose * pose_of(element.find("origin"));
    const int child = static_cast<int>(robot_.links.size());
    Joint made{.name = attributes.text("name"), .place = element.place(), .first = parent, .second = child};
    made.kind = kind_of(attributes.text("type"));
    made.at = pose.translation();
    add_link(element.find("child")->attribute("link"), pose);
    if (made.has_coordinate() || made.kind == JointKind::planar)
      findings_.attempt([&] { made.axis = pose.linear() * axis_of(element, made.name); });
    if (const Element* limit = element.find("limit"); limit != nullptr && made.has_coordinate())
      findings_.attempt([&] { made.range = range_of(Attributes(*limit), attributes.text("type")); });
    if (const Element* dynamics = element.find("dynamics"))
      findings_.attempt([&] { add_dynamics(Attributes(*dynamics), made); });
    robot_.links[static_cast<std::size_t>(child)].parent_joint = static_cast<int>(robot_.joints.size());
    robot_.joints.push_back(std::move(made));
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
    const Element& element = *links_.at(name);
    Link made{.name = name, .place = element.place(), .pose = pose};
    if (const Element* inertial = element.find("inertial"))
      findings_.attempt([&] { made.mass = mass_of(*inertial, name); });
    for (const Element* visual : children(element, "visual")) findings_.attempt([&] { add_shape(*visual, made); });
    robot_.links.push_back(std::move(made));
  }

  static double number(const Element& element, const char* attribute) {
    const Attributes attributes(element);
    attributes.needed(attribute);
    return attributes.number(attribute, 0);
  }

  static std::optional<MassProperties> mass_of(const Element& inertial, const std::string& link) {
    for (const char* part : {"mass", "inertia"})
      if (inertial.find(part) == nullptr)
        throw InputError(inertial.place(), fmt::format("the <inertial> of link '{}' has no <{}>", link, part),
                         "add one");
    const Element& inertia = *inertial.find("inertia");
    const auto part = [&](const char* name) { return number(inertia, name); };
    Eigen::Matrix3d I;
    I << part("ixx"), part("ixy"), part("ixz"),  //
        part("ixy"), part("iyy"), part("iyz"),   //
        part("ixz"), part("iyz"), part("izz");
    const double mass = number(*inertial.find("mass"), "value");
    if (mass < 0)
      throw InputError(inertial.place(), fmt::format("the mass of link '{}' is {}", link, mass), "give a mass above 0");
    if (mass == 0 && I.isZero(0)) return std::nullopt;
    return MassProperties{mass, Eigen::Vector3d::Zero(), I}.seen_from(pose_of(inertial.find("origin")));
  }

  // ---- what it looks like ----

  void add_shape(const Element& visual, Link& link) {
    const Element* geometry = visual.find("geometry");
    if (geometry == nullptr || geometry->children.empty()) return;
    Shape shape{
        .pose = link.pose * pose_of(visual.find("origin")), .label = visual.attribute("name"), .place = visual.place()};
    if (const Element* material = visual.find("material")) {
      const Element* color = material->find("color");
      shape.color = color != nullptr ? color_of(*color) : colors_[material->attribute("name")];
    }
    if (add_form(geometry->children.front(), shape))
      link.shapes.push_back(std::move(shape));
    else
      findings_.pass("not drawn, for it has no size", "<visual>");
  }

  /// False for what has no size.
  static bool add_form(const Element& form, Shape& shape) {
    const Attributes attributes(form);
    if (form.name == "mesh") {
      shape.kind = Shape::Kind::mesh;
      shape.file = attributes.needed("filename");
      shape.size = attributes.vector("scale", Eigen::Vector3d::Ones());
      return true;
    }
    const double radius = attributes.number("radius", 0), length = attributes.number("length", 0);
    if (form.name == "box") {
      shape.size = attributes.vector("size", Eigen::Vector3d::Zero());
      return shape.size.minCoeff() > 0;
    }
    shape.kind = form.name == "sphere" ? Shape::Kind::sphere : Shape::Kind::cylinder;
    shape.size = {radius, length, 0};
    return radius > 0 && (form.name == "sphere" || length > 0);
  }

  // ---- what ties joints and links ----

  void drop_what_nothing_moves(const std::optional<Loops>& loops) {
    std::set<int> kept;
    if (loops)
      for (const Loop& loop : loops->list)
        for (const std::string& name : {loop.first, loop.second})
          if (const int k = frame_called(name); k >= 0) kept.insert(k);
    drop_massless_leaves(robot_, kept, findings_);
  }

  int link_called(const std::string& name) const {
    const auto found = std::ranges::find(robot_.links, name, &Link::name);
    const bool is_ground = found == robot_.links.begin();
    return found == robot_.links.end() || is_ground ? -1 : static_cast<int>(found - robot_.links.begin());
  }

  /// A link, or the one that the joint of this name carries.
  int frame_called(const std::string& name) const {
    const int link = link_called(name), joint = link < 0 ? joint_called(name) : -1;
    return joint < 0 ? link : robot_.joints[static_cast<std::size_t>(joint)].second;
  }

  /// -1: it went with a link that nothing determines.
  int joint_called(const std::string& name) const {
    for (std::size_t k = 0; k < robot_.joints.size(); ++k)
      if (robot_.joints[k].name == name && robot_.joints[k].place.line > 0) return static_cast<int>(k);
    return -1;
  }

  void add_mimic(const std::string& name, const Element& joint) {
    const Element* element = joint.find("mimic");
    if (element == nullptr) return;
    const Attributes mimic(*element);
    const std::string other = reference(name, joint, "mimic", "joint", joints_);
    if (name == other) mimic.refuse(fmt::format("joint '{}' mimics itself", name), "take <mimic> out");
    const double ratio = mimic.number("multiplier", 1), offset = mimic.number("offset", 0);
    const int follower = joint_called(name), leader = joint_called(other);
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
    const int joint = joints.size() == 1 ? joint_called(joints.front()->attribute("name")) : -1;
    if (joint < 0 || !robot_.joints[static_cast<std::size_t>(joint)].has_coordinate()) {
      findings_.pass("passed over, for it is not of one joint that moves", "<transmission>");
      return;
    }
    if (findings_.leaves_out("actuators")) return;
    findings_.attempt([&] { add_motor(joint, reduction_of(element), element.place()); });
  }

  void close(const Loops& loops) {
    findings_.note(fmt::format("{} loops are closed by the file beside this one", loops.list.size()));
    std::vector<OpenLoop> open;
    for (const Loop& loop : loops.list) findings_.attempt([&] { add_open(loop, open); });
    if (!findings_.leaves_out("equality") && !findings_.has_faults()) findings_.attempt([&] { close(open); });
    for (const auto& [name, place] : loops.motors) {
      const int joint = joint_called(name);
      if (joint < 0)
        findings_.add(InputError(place, fmt::format("there is no joint '{}' for a motor", name),
                                 nearest_or(name, names_of(joints_), "name a joint of the URDF")));
      else if (!findings_.leaves_out("actuators"))
        findings_.attempt([&] { add_motor(joint, 1, place); });
    }
  }

  void add_open(const Loop& loop, std::vector<OpenLoop>& open) const {
    const auto frame = [&](const std::string& name) {
      const int k = frame_called(name);
      if (k < 0)
        throw InputError(loop.place, fmt::format("there is no link or joint '{}' to close a loop by", name),
                         nearest_or(name, names_of(links_), "name a link of the URDF"));
      return Frame{k, robot_.links[static_cast<std::size_t>(k)].pose};
    };
    const std::string name = fmt::format("loop{}", open.size() + 1);
    open.push_back({name, loop.place, frame(loop.first), frame(loop.second), loop.is_point});
  }

  void close(std::vector<OpenLoop>& loops) {
    std::vector<OpenCoupling> couplings;
    for (const Gear& gear : robot_.gears) couplings.push_back({gear.first, gear.second, gear.ratio, gear.offset});
    const std::vector<double> to = closing_positions(robot_, loops, couplings);
    if (std::ranges::any_of(to, [](double x) { return x != 0; })) lead(to, loops);
    for (const OpenLoop& loop : loops)
      if (loop.is_point)
        ties_.connect(loop.name, loop.place, loop.a, loop.b);
      else
        ties_.weld(loop.name, loop.place, loop.a, loop.b);
  }

  /// Coordinates count from where the loops are closed.
  void lead(const std::vector<double>& to, std::vector<OpenLoop>& loops) {
    lead_joints(robot_, to, loops);
    for (Gear& gear : robot_.gears) gear.offset = 0;
    std::size_t most = 0;
    for (std::size_t k = 0; k < to.size(); ++k)
      if (std::abs(to[k]) > std::abs(to[most])) most = k;
    findings_.note(fmt::format(
        "the loops are open as the file draws them, and were closed first: joints count from there, '{}' from {:.4g}",
        robot_.joints[most].name, to[most]));
  }

  const Element& root_;
  Findings& findings_;
  ModelNames names_;
  Robot robot_;
  Ties ties_;
  Named links_, joints_;
  std::map<std::string, std::string> parents_, carried_by_, colors_;
  std::set<std::string> reaching_;
  std::string root_link_;
};

}  // namespace

Robot import_urdf(Element root, const std::string& file, Findings& findings) {
  return UrdfImporter(root, file, findings)();
}

}  // namespace taut::robot
