#include <fmt/format.h>

#include <algorithm>

#include "model/import/body_vectors.hpp"
#include "model/import/mjcf_document.hpp"
#include "model/import/mjcf_reading.hpp"
#include "model/import/node.hpp"
#include "model/principal_axes.hpp"
#include "model/shortest_turn.hpp"

/// <worldbody> and what stands in it.
namespace taut::robot {
namespace {

constexpr int most_replicas = 10'000;

/// A part of the tree that is being read: in which link, where in it, and with which class of defaults.
struct Where {
  int link = 0;
  Eigen::Isometry3d frame = Eigen::Isometry3d::Identity();
  std::string inherited = {};
  bool moves = false;  ///< is there a joint on the way to the world?
};

class BodyReader {
 public:
  explicit BodyReader(MjcfReading& in) : in_(in), robot_(in.robot) {}

  void read_world(const Element& world) { read_content(world, {}); }

 private:
  // ---- what stands in a body ----

  void read_content(const Element& element, const Where& where) {
    MassProperties total;
    const std::optional<MassProperties> inertial = read_inertial(element);
    const bool moves = where.moves || has_joint(element);
    // What no joint moves has a weight where the sum of all is said.
    const bool counts = moves || in_.compilers.at(0).total_mass > 0;
    const bool weighs = where.link > 0 && counts && weighs_by_geoms(inertial.has_value());
    Where below = where;
    below.moves = moves;
    std::vector<std::pair<Attributes, Where>> joints;
    collect(element, below, weighs, total, joints);
    if (where.link > 0) {
      const MassProperties mass = weighs ? total : inertial.value_or(MassProperties{});
      if (mass.mass > 0 && moves) link(where.link).mass = mass;
      if (!moves) in_.standing_mass += mass.mass;
      add_joints(joints, where.link);
    }
    read_bodies(element, below);
  }

  /// What no joint moves is part of the world, and what it weighs does not matter.
  static bool has_joint(const Element& body) {
    return std::ranges::any_of(body.children, [](const Element& child) {
      return child.name == "joint" || child.name == "freejoint" || (child.name == "frame" && has_joint(child));
    });
  }

  bool weighs_by_geoms(bool has_inertial) const {
    using FromGeoms = MjcfCompiler::FromGeoms;
    const FromGeoms way = in_.compilers.at(0).inertia_from_geoms;
    return way == FromGeoms::always || (way == FromGeoms::when_missing && !has_inertial);
  }

  Link& link(int k) { return robot_.links[static_cast<std::size_t>(k)]; }

  /// Geoms, sites and joints, in frames too; bodies come after.
  void collect(const Element& element, const Where& where, bool weighs, MassProperties& total,
               std::vector<std::pair<Attributes, Where>>& joints) {
    for (const Element& child : element.children) {
      const std::string within = where.link > 0 && element.name == "worldbody" ? "body" : element.name;
      if (child.name == "body" || child.name == "inertial") continue;
      if (!admit(mjcf_rows(), within, child, in_.findings)) continue;
      in_.findings.attempt([&] {
        if (child.name == "geom") add_geom(child, where, weighs, total);
        if (child.name == "site") add_site(child, where);
        if (child.name == "joint") joints.emplace_back(in_.defaults.completed(child, where.inherited), where);
        if (child.name == "freejoint") joints.emplace_back(Attributes(child), where);
        if (child.name == "frame") collect(child, framed(child, where), weighs, total, joints);
        if (child.name == "replicate")
          each_replica(child, where, [&](const Element& content, const Where& there) {
            collect(content, there, weighs, total, joints);
          });
      });
    }
  }

  Where framed(const Element& frame, const Where& where) const {
    const Attributes attributes(frame);
    return {where.link, where.frame * in_.compiler(attributes).pose(attributes),
            attributes.text("childclass", where.inherited), where.moves};
  }

  template <class Action>
  void each_replica(const Element& given, const Where& where, const Action& action) {
    const Attributes attributes(given);
    const double count = attributes.number("count", 0);
    if (!(count >= 1 && count <= most_replicas))
      attributes.refuse("count", "this is no number of copies", fmt::format("give one from 1 to {}", most_replicas));
    const Eigen::Isometry3d step = replica_step(attributes);
    const int digits = static_cast<int>(std::to_string(static_cast<int>(count) - 1).size());
    Where there = where;
    there.inherited = attributes.text("childclass", where.inherited);
    for (int k = 0; k < static_cast<int>(count); ++k) {
      action(replica(given, fmt::format("{}{:0{}}", attributes.text("sep"), k, digits)), there);
      there.frame = there.frame * step;
    }
  }

  Eigen::Isometry3d replica_step(const Attributes& attributes) const {
    Eigen::Isometry3d step = in_.compiler(attributes).pose(attributes);  // its euler
    step.translation() = attributes.vector("offset", Eigen::Vector3d::Zero());
    return step;
  }

  void add_geom(const Element& element, const Where& where, bool weighs, MassProperties& total) {
    const Attributes attributes = in_.defaults.completed(element, where.inherited);
    const MjcfGeom geom = read_geom(attributes, in_.compiler(attributes), in_.assets, weighs, in_.file);
    total = total + geom.mass.seen_from(where.frame);
    in_.findings.pass("drawn, and they do not collide", "<geom>");
    if (where.moves && attributes.text("fluidshape") == "ellipsoid") in_.fluid.ellipsoid = attributes.place();
    for (Shape shape : geom.shapes) {
      shape.pose = link(where.link).pose * where.frame * shape.pose;
      link(where.link).shapes.push_back(std::move(shape));
    }
  }

  /// The two ends of a site say its middle and its z axis.
  Eigen::Isometry3d pose_of_site(const Attributes& site) const {
    const auto ends = site.numbers("fromto", 6, 6);
    if (ends.empty()) return in_.compiler(site).pose(site);
    const Eigen::Vector3d from(ends[0], ends[1], ends[2]), to(ends[3], ends[4], ends[5]);
    if (from == to) site.refuse("fromto", "the two ends are the same point", "give two points");
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.translation() = (from + to) / 2;
    pose.linear() = shortest_turn_of_z(to - from).toRotationMatrix();
    return pose;
  }

  void add_site(const Element& element, const Where& where) {
    const Attributes site = in_.defaults.completed(element, where.inherited);
    if (!site.has("name")) return;
    const Eigen::Isometry3d pose = link(where.link).pose * where.frame * pose_of_site(site);
    if (!in_.sites.emplace(site.text("name"), MjcfSite{where.link, pose}).second)
      site.refuse(fmt::format("there are two sites '{}'", site.text("name")), "rename one of them");
  }

  // ---- bodies ----

  void read_bodies(const Element& element, const Where& where) {
    for (const Element& child : element.children) {
      if (child.name == "frame") in_.findings.attempt([&] { read_bodies(child, framed(child, where)); });
      if (child.name == "replicate")
        in_.findings.attempt([&] {
          each_replica(child, where, [&](const Element& content, const Where& there) { read_bodies(content, there); });
        });
      if (child.name == "body" && admit(mjcf_rows(), element.name, child, in_.findings))
        in_.findings.attempt([&] { read_body(child, where); });
    }
  }

  void read_body(const Element& element, const Where& where) {
    const Attributes body(element);
    const int index = static_cast<int>(robot_.links.size());
    Link made{.name = body.text("name", fmt::format("body{}", index)), .place = body.place()};
    if (made.name == "world" || !in_.links.emplace(made.name, index).second)
      body.refuse(fmt::format("there are two bodies '{}'", made.name), "rename one of them");
    made.pose = link(where.link).pose * where.frame * in_.compiler(body).pose(body);
    made.lifted = in_.findings.options().ignore.contains("gravcomp") ? 0 : body.number("gravcomp", 0);
    robot_.links.push_back(std::move(made));
    parents_[index] = where.link;
    if (body.flag("mocap", false)) {
      if (where.link != 0 || has_joint(element))
        body.refuse("mocap", fmt::format("mocap body '{}' is carried by something", body.text("name")),
                    "move it to <worldbody>, without a joint");
      in_.mocap_links.push_back(index);
      in_.findings.note("mocap bodies stand where parameters put them: NAME_x, NAME_y, NAME_z, NAME_qw, …");
    }
    read_content(element, {.link = index, .inherited = body.text("childclass", where.inherited), .moves = where.moves});
  }

  std::optional<MassProperties> read_inertial(const Element& element) {
    std::optional<MassProperties> made;
    for (const Element* child : children(element, "inertial"))
      if (admit(mjcf_rows(), element.name, *child, in_.findings))
        in_.findings.attempt([&] { made = inertial_of(Attributes(*child)); });
    return made;
  }

  MassProperties inertial_of(const Attributes& inertial) const {
    inertial.needed("mass");
    const double mass = inertial.number("mass", 0);
    if (mass < 0) inertial.refuse("mass", "a mass cannot be below 0", "give one above 0");
    const auto full = inertial.numbers("fullinertia", 6, 6);
    if (full.empty() && !inertial.has("diaginertia"))
      inertial.refuse("<inertial> says no inertia", "give diaginertia or fullinertia");
    if (!full.empty() && inertial.has("diaginertia"))
      inertial.refuse("<inertial> says its inertia twice", "keep diaginertia or fullinertia");
    Eigen::Matrix3d I = inertial.vector("diaginertia", Eigen::Vector3d::Zero()).asDiagonal();
    if (!full.empty()) I << full[0], full[3], full[4], full[3], full[1], full[5], full[4], full[5], full[2];
    MassProperties made{mass, Eigen::Vector3d::Zero(), I};
    if (full.empty()) made.axes = Eigen::Matrix3d::Identity();
    return made.seen_from(in_.compiler(inertial).pose(inertial));
  }

  // ---- joints ----

  /// One after the other, with links without mass between them.
  void add_joints(const std::vector<std::pair<Attributes, Where>>& joints, int last) {
    const Link body = link(last);
    int before = parents_.at(last);
    if (joints.empty()) {
      Joint fixed{.name = body.name + "_fixed", .place = body.place, .first = before, .second = last};
      fixed.at = body.pose.translation();
      carry(std::move(fixed), last);
    }
    for (std::size_t k = 0; k < joints.size(); ++k) {
      const bool is_last = k + 1 == joints.size();
      const int next = is_last ? last : static_cast<int>(robot_.links.size());
      if (!is_last) {
        Link between{.name = fmt::format("{}_between{}", body.name, k + 1), .place = joints[k].first.place()};
        between.pose = body.pose;
        robot_.links.push_back(std::move(between));
      }
      const std::string number = k == 0 ? "" : std::to_string(k + 1);
      Joint made{.name = joints[k].first.text("name", body.name + "_joint" + number),
                 .place = joints[k].first.place(),
                 .first = before,
                 .second = next};
      in_.findings.attempt([&] { read_joint(joints[k].first, joints[k].second, body, made); });
      if (!in_.joints.emplace(made.name, static_cast<int>(robot_.joints.size())).second)
        in_.findings.attempt(
            [&] { joints[k].first.refuse(fmt::format("there are two joints '{}'", made.name), "rename one of them"); });
      in_.joint_order.push_back(static_cast<int>(robot_.joints.size()));
      in_.findings.attempt([&] { read_ranges(joints[k].first, made); });
      carry(std::move(made), next);
      before = next;
    }
  }

  void carry(Joint joint, int carried) {
    link(carried).parent_joint = static_cast<int>(robot_.joints.size());
    robot_.joints.push_back(std::move(joint));
  }

  void read_ranges(const Attributes& attributes, Joint& joint) {
    const MjcfCompiler& compiler = in_.compiler(attributes);
    const int index = static_cast<int>(robot_.joints.size());
    if (const auto range = attributes.numbers("range", 2, 2); !range.empty()) {
      const double unit = joint.kind == JointKind::prismatic ? 1 : compiler.degree;
      in_.ranges[index] = {unit * range[0], unit * range[1]};
      if (joint.has_coordinate() && compiler.is_limited(attributes.text("limited")))
        joint.range = {unit * range[0] - joint.zero, unit * range[1] - joint.zero};
    }
    const auto spring = attributes.numbers("springdamper", 2, 2);
    if (!spring.empty() && spring[0] > 0 && spring[1] > 0) in_.spring_dampers[index] = spring;
    const auto force = attributes.numbers("actuatorfrcrange", 2, 2);
    if (!force.empty() && compiler.is_limited(attributes.text("actuatorfrclimited"))) in_.force_ranges[index] = force;
  }

  void read_joint(const Attributes& attributes, const Where& where, const Link& body, Joint& made) {
    const bool is_free = attributes.element() == "freejoint";
    const std::string type = is_free ? "free" : attributes.choice("type", {"hinge", "slide", "ball", "free"});
    made.kind = type == "hinge"   ? JointKind::revolute
                : type == "slide" ? JointKind::prismatic
                : type == "ball"  ? JointKind::spherical
                                  : JointKind::free;
    const Eigen::Isometry3d frame = body.pose * where.frame;
    // Free joints count from the origin of their body, whatever their pos says.
    made.at = made.kind == JointKind::free ? Eigen::Vector3d(body.pose.translation())
                                           : Eigen::Vector3d(frame * attributes.vector("pos", Eigen::Vector3d::Zero()));
    if (made.kind == JointKind::free && made.first != 0)
      attributes.refuse(fmt::format("body '{}' is free and stands in another body", body.name),
                        "move it to <worldbody>");
    if (made.has_coordinate()) made.axis = frame.linear() * axis_of(attributes);
    const double unit = made.kind == JointKind::revolute ? in_.compiler(attributes).degree : 1;
    made.zero = unit * attributes.number("ref", 0);
    read_dynamics(attributes, made, unit);
  }

  static Eigen::Vector3d axis_of(const Attributes& attributes) {
    const Eigen::Vector3d axis = attributes.vector("axis", Eigen::Vector3d::UnitZ());
    if (axis.norm() == 0) attributes.refuse("axis", "this has no direction", "give one that is not 0");
    return axis.normalized();
  }

  double unless_ignored(const Attributes& attributes, const char* name, const char* subject) {
    const double value = attributes.number(name, 0);
    return value != 0 && in_.findings.leaves_out(subject) ? 0 : value;
  }

  void read_dynamics(const Attributes& attributes, Joint& made, double unit) {
    made.armature = unless_ignored(attributes, "armature", "armature");
    made.friction = unless_ignored(attributes, "frictionloss", "friction");
    made.stiffness = unless_ignored(attributes, "stiffness", "springs");
    made.damping = unless_ignored(attributes, "damping", "damping");
    // The file counts from `ref` at the start, the model from 0.
    made.rest = unit * attributes.number("springref", 0) - made.zero;
    for (const char* name : {"armature", "frictionloss", "damping"})
      if (attributes.number(name, 0) < 0) attributes.refuse(name, "this cannot be below 0", "give 0 or more");
    if (made.has_coordinate()) return;
    const auto unsupported = [&](const char* name, const char* subject, double& value) {
      if (value != 0)
        in_.findings.unsupported(subject, attributes.place_of(name),
                                 fmt::format("<{} {}>: a {} joint has no single coordinate that it could act on",
                                             attributes.element(), name, attributes.text("type")));
      value = 0;
    };
    unsupported("stiffness", "springs", made.stiffness);
    unsupported("frictionloss", "friction", made.friction);
    if (made.kind == JointKind::free) unsupported("armature", "armature", made.armature);
  }

  MjcfReading& in_;
  Robot& robot_;
  std::map<int, int> parents_;
};

// ---- when all bodies are there ------------------------------------------------------------------------

/// With principal moments that are at least so large.
Eigen::Matrix3d raised(const Eigen::Matrix3d& inertia, double least) {
  const PrincipalAxes found = principal_axes(inertia);
  return found.axes * found.moments.cwiseMax(least).asDiagonal() * found.axes.transpose();
}

void settle_masses(MjcfReading& in) {
  const MjcfCompiler& compiler = in.compilers.at(0);
  double total = in.standing_mass;
  for (const auto& [name, k] : in.links) {
    Link& link = in.robot.links[static_cast<std::size_t>(k)];
    if (k == 0) continue;
    if (!link.mass && compiler.least_mass > 0) link.mass = MassProperties{};
    if (!link.mass) continue;
    link.mass->mass = std::max(link.mass->mass, compiler.least_mass);
    if (compiler.least_inertia > 0) link.mass->inertia = raised(link.mass->inertia, compiler.least_inertia);
    if (compiler.balances_inertia && is_unphysical(*link.mass)) link.mass->inertia = balanced(link.mass->inertia);
    total += link.mass->mass;
  }
  if (!(compiler.total_mass > 0) || total == 0) return;
  for (Link& link : in.robot.links) {
    if (!link.mass) continue;
    link.mass->mass *= compiler.total_mass / total;
    link.mass->inertia *= compiler.total_mass / total;
  }
}

/// A body that moves has mass, its own or that of what is fixed to it.
void refuse_moving_without_mass(MjcfReading& in) {
  const std::vector<int> bodies = carriers(in.robot);
  for (const auto& [name, k] : in.links) {
    const Link& link = in.robot.links[static_cast<std::size_t>(k)];
    if (k == 0 || bodies[static_cast<std::size_t>(k)] != k || link.mass) continue;
    in.findings.add(InputError(link.place, fmt::format("body '{}' moves and has no mass", link.name),
                               fmt::format("give it {}, or fix it to a body that has one", in.robot.mass_word)));
  }
}

/// <springdamper> gives a time constant and a ratio; the inertia makes stiffness and damping of them.
void settle_spring_dampers(MjcfReading& in) {
  std::map<int, double> inertias;
  for (const auto& [joint, given] : in.spring_dampers) inertias[joint] = felt_inertia(in.robot, joint);
  for (const auto& [joint, given] : in.spring_dampers) {
    Joint& made = in.robot.joints[static_cast<std::size_t>(joint)];
    const double inertia = inertias[joint];
    if (!in.findings.leaves_out("springs")) made.stiffness = inertia / (given[0] * given[0] * given[1] * given[1]);
    if (!in.findings.leaves_out("damping")) made.damping = 2 * inertia / given[0];
  }
}

/// −d ω of the bodies against each other, or of one that is free −d v and −d ω: v is that of its origin, and acts
/// there.
void add_damping_of_ball(MjcfReading& in, const Joint& joint) {
  const Link &body = carrier(in.robot, joint.second), &other = carrier(in.robot, joint.first);
  const auto add = [&](const std::string& name, const char* type, const Link& on, double factor,
                       const Components& parts) {
    yaml::Node value = list(joint.place), made = mapping(joint.place);
    for (const std::string& part : parts) value.items.push_back(scalar(times(factor, part), joint.place));
    put(made, "type", scalar(type, joint.place));
    put(made, "body", scalar(on.body, joint.place));
    if (std::string_view(type) == "force") put(made, "at", vector(joint.at, joint.place));
    put(made, "value", std::move(value));
    in.add("forces", in.names.take(name, "force", joint.place), std::move(made));
  };
  const Components spin = difference(spin_of(in.robot, joint.second), spin_of(in.robot, joint.first));
  add(joint.label + "_damping", "torque", body, -joint.damping, spin);
  if (other.body != "ground") add(joint.label + "_damping_back", "torque", other, joint.damping, spin);
  if (joint.kind == JointKind::free)
    add(joint.label + "_drag", "force", body, -joint.damping, velocity_of_point(in.robot, joint.second, joint.at));
}

}  // namespace

void read_mjcf_bodies(const Element& root, MjcfReading& in) {
  in.links.emplace("world", 0);
  BodyReader reader(in);
  for (const Element* world : children(root, "worldbody")) reader.read_world(*world);
  settle_masses(in);
  if (!in.findings.has_faults()) refuse_moving_without_mass(in);
  settle_spring_dampers(in);
  in.names.take_all(in.robot);
  for (const int link : in.mocap_links) add_mocap(in, link);
  for (std::size_t k = 0; k < in.robot.joints.size(); ++k) {
    const Joint joint = in.robot.joints[k];
    if (!joint.has_coordinate() && joint.damping != 0) add_damping_of_ball(in, joint);
  }
}

}  // namespace taut::robot
