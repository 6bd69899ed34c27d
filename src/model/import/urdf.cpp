#include "model/import/urdf.hpp"

#include <console_bridge/console.h>
#include <fmt/format.h>
#include <urdf_model/model.h>
#include <urdf_parser/urdf_parser.h>

#include <algorithm>
#include <mutex>

#include "model/import/mesh_path.hpp"
#include "model/import/names.hpp"

namespace taut::robot {
namespace {

/// urdfdom says what it does not like to a console that the whole process shares.
class Listener : public console_bridge::OutputHandler {
 public:
  Listener() : only_one_(mutex()) { console_bridge::useOutputHandler(this); }
  ~Listener() override { console_bridge::restorePreviousOutputHandler(); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  void log(const std::string& text, console_bridge::LogLevel level, const char*, int) override {
    if (level >= console_bridge::CONSOLE_BRIDGE_LOG_ERROR) errors_ += (errors_.empty() ? "" : "; ") + text;
  }
  const std::string& errors() const { return errors_; }

 private:
  static std::mutex& mutex() {
    static std::mutex the_one;
    return the_one;
  }
  std::lock_guard<std::mutex> only_one_;
  std::string errors_;
};

Eigen::Vector3d vector_of(const urdf::Vector3& v) { return {v.x, v.y, v.z}; }

Eigen::Isometry3d pose_of(const urdf::Pose& pose) {
  const urdf::Rotation& r = pose.rotation;
  Eigen::Isometry3d made = Eigen::Isometry3d::Identity();
  made.linear() = Eigen::Quaterniond(r.w, r.x, r.y, r.z).normalized().toRotationMatrix();
  made.translation() = vector_of(pose.position);
  return made;
}

JointKind kind_of(const urdf::Joint& joint) {
  switch (joint.type) {
    case urdf::Joint::REVOLUTE:
    case urdf::Joint::CONTINUOUS:
      return JointKind::revolute;
    case urdf::Joint::PRISMATIC:
      return JointKind::prismatic;
    case urdf::Joint::PLANAR:
      return JointKind::planar;
    case urdf::Joint::FLOATING:
      return JointKind::free;
    default:
      return JointKind::fixed;
  }
}

/// Walks the tree from its root, so that a link's place is known before those of what it carries.
class UrdfImporter {
 public:
  UrdfImporter(const urdf::ModelInterface& model, const XMLElement& root, const std::string& file)
      : model_(model), root_(root), names_(file) {
    robot_.name = model.getName();
    robot_.file = file;
    robot_.link_word = "link";
    robot_.mass_word = "an <inertial>";
  }

  Imported operator()() {
    add_links();
    for (const XMLElement* element : children(root_, "joint")) add_mimic(*element);
    note_what_is_left_out();
    return {tree_of(robot_), robot_.notes};
  }

 private:
  [[noreturn]] void refuse(int line, const std::string& message, const std::string& remedy) const {
    throw InputError({robot_.file, line, 0}, message, remedy);
  }

  /// In the order of the file, which urdfdom forgets; what carries first.
  void add_links() {
    add_link(*model_.getRoot(), Eigen::Isometry3d::Identity());
    if (!robot_.links[1].mass) {
      robot_.links[1].parent_joint = add_joint({.name = "ground", .second = 1});
    }
    for (std::size_t k = 1; k < robot_.links.size(); ++k) {
      const std::string carrying = robot_.links[k].name;
      for (const XMLElement* element : children(root_, "joint")) {
        const urdf::Joint& joint = *model_.getJoint(element->Attribute("name"));
        if (joint.parent_link_name == carrying) add_carried(joint, static_cast<int>(k), element->GetLineNum());
      }
    }
    names_.take_all(robot_);
  }

  int add_joint(Joint joint) {
    robot_.joints.push_back(std::move(joint));
    return static_cast<int>(robot_.joints.size()) - 1;
  }

  void add_carried(const urdf::Joint& joint, int parent, int line) {
    const Eigen::Isometry3d pose = robot_.links[parent].pose * pose_of(joint.parent_to_joint_origin_transform);
    add_link(*model_.getLink(joint.child_link_name), pose);
    const int child = static_cast<int>(robot_.links.size()) - 1;
    Joint made{.name = joint.name, .line = line, .kind = kind_of(joint), .first = parent, .second = child};
    made.at = pose.translation();
    if (made.has_coordinate() || made.kind == JointKind::planar) made.axis = pose.linear() * axis_of(joint, line);
    if (joint.dynamics) add_dynamics(*joint.dynamics, made);
    robot_.links[child].parent_joint = add_joint(made);
  }

  Eigen::Vector3d axis_of(const urdf::Joint& joint, int line) const {
    const Eigen::Vector3d axis = vector_of(joint.axis);
    if (axis.norm() > 0) return axis.normalized();
    refuse(line, fmt::format("the axis of joint '{}' has no direction", joint.name), "give one, such as xyz=\"0 0 1\"");
  }

  void add_dynamics(const urdf::JointDynamics& dynamics, Joint& joint) const {
    if (dynamics.friction != 0) {
      refuse(joint.line, fmt::format("joint '{}' has dry friction, which is not smooth", joint.name),
             "set friction=\"0\", and give the joint's friction as a force in a file that includes this one");
    }
    if (dynamics.damping == 0) return;
    if (!joint.has_coordinate()) {
      refuse(joint.line, fmt::format("joint '{}' has damping and not one coordinate", joint.name),
             "take <dynamics> out");
    }
    joint.damping = dynamics.damping;
  }

  void add_link(const urdf::Link& link, const Eigen::Isometry3d& pose) {
    Link made{.name = link.name, .line = line_of("link", link.name), .pose = pose};
    if (link.inertial) made.mass = mass_of(*link.inertial, made);
    const XMLElement& element = *element_of("link", link.name);
    const std::vector<const XMLElement*> visuals = children(element, "visual");
    for (std::size_t k = 0; k < link.visual_array.size(); ++k) {
      const int line = k < visuals.size() ? visuals[k]->GetLineNum() : made.line;
      if (link.visual_array[k]->geometry) add_shape(*link.visual_array[k], line, made);
    }
    robot_.links.push_back(std::move(made));
  }

  void add_shape(const urdf::Visual& visual, int line, Link& link) {
    Shape shape = shape_of(visual, link.pose, line);
    const bool is_there = shape.kind != Shape::Kind::mesh || find_mesh(shape, robot_.file, robot_.notes);
    if (is_there) link.shapes.push_back(std::move(shape));
  }

  std::optional<MassProperties> mass_of(const urdf::Inertial& inertial, const Link& link) const {
    Eigen::Matrix3d I;
    I << inertial.ixx, inertial.ixy, inertial.ixz,  //
        inertial.ixy, inertial.iyy, inertial.iyz,   //
        inertial.ixz, inertial.iyz, inertial.izz;
    if (inertial.mass == 0 && I.isZero(0)) return std::nullopt;
    if (inertial.mass > 0)
      return MassProperties{inertial.mass, Eigen::Vector3d::Zero(), I}.seen_from(pose_of(inertial.origin));
    refuse(link.line, fmt::format("the mass of link '{}' is {}", link.name, inertial.mass), "give a mass above 0");
  }

  static Shape shape_of(const urdf::Visual& visual, const Eigen::Isometry3d& link, int line) {
    Shape made{.pose = link * pose_of(visual.origin), .label = visual.name, .line = line};
    if (const auto* box = dynamic_cast<const urdf::Box*>(visual.geometry.get())) {
      made.kind = Shape::Kind::box;
      made.size = vector_of(box->dim);
    } else if (const auto* cylinder = dynamic_cast<const urdf::Cylinder*>(visual.geometry.get())) {
      made.kind = Shape::Kind::cylinder;
      made.size = {cylinder->radius, cylinder->length, 0};
    } else if (const auto* sphere = dynamic_cast<const urdf::Sphere*>(visual.geometry.get())) {
      made.kind = Shape::Kind::sphere;
      made.size = {sphere->radius, 0, 0};
    } else if (const auto* mesh = dynamic_cast<const urdf::Mesh*>(visual.geometry.get())) {
      made.kind = Shape::Kind::mesh;
      made.size = vector_of(mesh->scale);
      made.file = mesh->filename;
    }
    if (visual.material && visual.material->texture_filename.empty()) {
      const urdf::Color& color = visual.material->color;
      made.color = color_text(color.r, color.g, color.b);
    }
    return made;
  }

  void add_mimic(const XMLElement& element) {
    const urdf::Joint& joint = *model_.getJoint(element.Attribute("name"));
    if (!joint.mimic) return;
    const int line = element.FirstChildElement("mimic")->GetLineNum();
    const int follower = joint_called(joint.name), leader = joint_called(joint.mimic->joint_name);
    for (const int k : {follower, leader}) {
      if (robot_.joints[k].has_coordinate()) continue;
      refuse(line,
             fmt::format("joint '{}' mimics, but '{}' has no single coordinate", joint.name, robot_.joints[k].name),
             "take <mimic> out");
    }
    if (follower == leader) refuse(line, fmt::format("joint '{}' mimics itself", joint.name), "take <mimic> out");
    const std::string label = names_.take_joint(joint.name + "_mimic", line);
    robot_.gears.push_back({label, line, leader, follower, joint.mimic->multiplier, joint.mimic->offset});
    if (joint.mimic->offset != 0) {
      robot_.notes.push_back(fmt::format(
          "joint '{}' mimics with an offset: the zero configuration is not on its constraint; run with --assemble",
          joint.name));
    }
  }

  int joint_called(const std::string& name) const {
    for (std::size_t k = 0; k < robot_.joints.size(); ++k) {
      if (robot_.joints[k].name == name && robot_.joints[k].line > 0) return static_cast<int>(k);
    }
    return -1;  // check_urdf has seen to it that there is one
  }

  const XMLElement* element_of(const char* what, const std::string& name) const {
    for (const XMLElement* element : children(root_, what)) {
      if (element->Attribute("name") == name) return element;
    }
    return &root_;
  }
  int line_of(const char* what, const std::string& name) const { return element_of(what, name)->GetLineNum(); }

  void note_what_is_left_out() {
    const bool limits = std::ranges::any_of(children(root_, "joint"),
                                            [](const XMLElement* joint) { return joint->FirstChildElement("limit"); });
    const bool collisions = std::ranges::any_of(
        children(root_, "link"), [](const XMLElement* link) { return link->FirstChildElement("collision"); });
    if (limits)
      robot_.notes.emplace_back("joint limits (range, effort, velocity) are left out: they would act on the motion");
    if (collisions) robot_.notes.emplace_back("<collision> is left out: there are no contacts");
    for (const char* element : {"transmission", "gazebo"}) {
      if (root_.FirstChildElement(element)) robot_.notes.push_back(fmt::format("<{}> is left out", element));
    }
    if (robot_.links[1].mass) {
      robot_.notes.push_back(fmt::format("root link '{}' has mass, so it floats", robot_.links[1].name));
    }
  }

  const urdf::ModelInterface& model_;
  const XMLElement& root_;
  ModelNames names_;
  Robot robot_;
};

/// The line of the link or joint that a message names as [NAME].
int line_of_message(const XMLElement& root, const std::string& message) {
  for (const XMLElement* element : children(root)) {
    const char* name = element->Attribute("name");
    if (name != nullptr && message.find(fmt::format("[{}]", name)) != std::string::npos) return element->GetLineNum();
  }
  return root.GetLineNum();
}

}  // namespace

Imported import_urdf(const tinyxml2::XMLDocument& document, const std::string& text, const std::string& file) {
  const XMLElement& root = *document.RootElement();
  check_urdf(root, file);
  urdf::ModelInterfaceSharedPtr model;
  std::string errors;
  {
    const Listener listener;
    model = urdf::parseURDF(text);
    errors = listener.errors();
  }
  if (!model || !errors.empty()) {
    throw InputError({file, line_of_message(root, errors), 0}, fmt::format("this is not a URDF: {}", errors),
                     "see the specification of URDF");
  }
  return UrdfImporter(*model, root, file)();
}

}  // namespace taut::robot
