#include <fmt/format.h>

#include "model/import/closing.hpp"
#include "model/import/mjcf_reading.hpp"
#include "model/import/node.hpp"

/// <tendon>: lengths as formulas, and tensions that act along them.
///   fixed    L = Σ c q            its tension F gives each joint the torque c F
///   spatial  L = Σ |p₁ − p₂|/d    its tension pulls each two sites after one another, divided by d behind a pulley
namespace taut::robot {
namespace {

class TendonReader {
 public:
  explicit TendonReader(MjcfReading& in) : in_(in) {}

  void read(const Element& element) {
    if (in_.findings.leaves_out("tendons")) return;
    const Attributes attributes = in_.defaults.completed(element, "", "tendon");
    MjcfTendon tendon;
    tendon.place = attributes.place();
    const std::string name = attributes.text("name", fmt::format("tendon{}", in_.tendons.size() + 1));
    if (in_.tendons.contains(name))
      attributes.refuse(fmt::format("there are two tendons '{}'", name), "rename one of them");
    const double rest =
        element.name == "fixed" ? read_fixed(element, name, tendon) : read_spatial(element, name, tendon);
    read_passive(attributes, name, rest, tendon);
    in_.tendons.emplace(name, std::move(tendon));
  }

 private:
  void name_length(const std::string& name, const std::string& formula, MjcfTendon& tendon) {
    tendon.length = in_.define(name + "_length", formula, tendon.place);
    tendon.rate = fmt::format("d({})", tendon.length);
  }

  /// Both return the length at which springs that say none are at rest.
  double read_fixed(const Element& element, const std::string& name, MjcfTendon& tendon) {
    std::string formula;
    double rest = 0;
    for (const Element& child : element.children) {
      if (!admit(mjcf_rows(), "fixed", child, in_.findings)) continue;
      const Attributes part(child);
      const int index = in_.coordinate_joint(part, "joint");
      const double factor = part.number("coef", 1);
      const Joint& joint = in_.robot.joints[static_cast<std::size_t>(index)];
      tendon.joints.emplace_back(index, factor);
      tendon.drawn_length += factor * joint.zero;
      rest += factor * (joint.rest + joint.zero);
      formula = sum_of(formula, times(factor, in_.coordinate(index)));
    }
    if (formula.empty())
      throw InputError(element.place(), fmt::format("tendon '{}' has no joints", name), "add a <joint>");
    name_length(name, formula, tendon);
    return rest;
  }

  double read_spatial(const Element& element, const std::string& name, MjcfTendon& tendon) {
    std::optional<MjcfSite> before;
    double divisor = 1;
    for (const Element& child : element.children) {
      if (!admit(mjcf_rows(), "spatial", child, in_.findings)) continue;
      const Attributes part(child);
      if (child.name == "geom" && tendon.unsupported.line == 0) tendon.unsupported = child.place();
      if (child.name == "pulley") {
        divisor = part.number("divisor", 1);
        if (!(divisor > 0)) part.refuse("divisor", "this cannot divide a length", "give a number above 0");
        before.reset();
      }
      if (child.name != "site") continue;
      const MjcfSite site = in_.site(part, "site");
      if (driven_with(in_.robot, site.link) >= 0)
        in_.findings.unsupported("tendons", part.place(),
                                 fmt::format("tendon '{}' goes through a site of a mocap body", name));
      if (before) tendon.segments.push_back({*before, site, divisor});
      before = site;
    }
    if (tendon.segments.empty())
      throw InputError(element.place(), fmt::format("tendon '{}' has no two sites", name), "add a <site>");
    if (tendon.unsupported.line == 0) measure(name, tendon);
    return length_at_rest(tendon);
  }

  /// Where every joint is where its spring would have it.
  double length_at_rest(const MjcfTendon& tendon) const {
    std::vector<double> rest;
    for (const Joint& joint : in_.robot.joints) rest.push_back(joint.has_coordinate() ? joint.rest : 0);
    const std::vector<Eigen::Isometry3d> moves = moves_of_links(in_.robot, rest);
    const auto point = [&](const MjcfSite& site) -> Eigen::Vector3d {
      return moves[static_cast<std::size_t>(site.link)] * site.pose.translation();
    };
    double length = 0;
    for (const MjcfTendon::Segment& part : tendon.segments)
      length += (point(part.from) - point(part.to)).norm() / part.divisor;
    return length;
  }

  void measure(const std::string& name, MjcfTendon& tendon) {
    std::string formula;
    for (const MjcfTendon::Segment& part : tendon.segments) {
      const double drawn = (part.from.pose.translation() - part.to.pose.translation()).norm();
      tendon.drawn_length += drawn / part.divisor;
      const bool is_stiff = carrier(in_.robot, part.from.link).body == carrier(in_.robot, part.to.link).body;
      formula = sum_of(formula, times(1 / part.divisor, is_stiff ? text_of(drawn) : distance(part.from, part.to)));
    }
    name_length(name, formula, tendon);
  }

  std::string distance(const MjcfSite& a, const MjcfSite& b) const {
    std::string squares;
    for (int k = 0; k < 3; ++k) squares = sum_of(squares, fmt::format("({} - {})^2", component(a, k), component(b, k)));
    return "sqrt(" + squares + ")";
  }

  std::string component(const MjcfSite& site, int axis) const {
    if (carrier(in_.robot, site.link).body == "ground") return text_of(site.pose.translation()[axis]);
    return fmt::format("{}.{}", point_formula(in_.robot, site.link, site.pose.translation()), "xyz"[axis]);
  }

  // ---- springs, damping, friction ----

  void read_passive(const Attributes& attributes, const std::string& name, double rest, MjcfTendon& tendon) {
    const auto value = [&](const char* attribute, const char* subject) {
      const double given = attributes.number(attribute, 0);
      return given != 0 && in_.findings.leaves_out(subject) ? 0 : given;
    };
    const double stiffness = value("stiffness", "springs"), damping = value("damping", "damping");
    for (const auto& [attribute, subject] : {std::pair{"frictionloss", "friction"}, {"armature", "armature"}})
      if (value(attribute, subject) != 0)
        in_.findings.unsupported(subject, attributes.place_of(attribute),
                                 fmt::format("tendon '{}' has {}, which acts in joints only", name, attribute));
    if (attributes.has("range")) in_.findings.pass("left out, for tendons have no stops", "<tendon range>");
    if (in_.compiler(attributes).is_limited(attributes.text("actuatorfrclimited")))
      tendon.force_range = attributes.numbers("actuatorfrcrange", 2, 2);
    if (stiffness == 0 && damping == 0) return;
    if (tendon.length.empty()) {
      in_.findings.unsupported("tendons", tendon.unsupported,
                               fmt::format("tendon '{}' wraps around a geom and has a spring or damping", name));
      return;
    }
    if (stiffness != 0) tendon.tension = spring(attributes, stiffness, rest, tendon.length);
    if (damping != 0) tendon.tension = sum_of(tendon.tension, fmt::format("({})*{}", -damping, tendon.rate));
  }

  /// With two lengths, it acts outside them only.
  static std::string spring(const Attributes& attributes, double stiffness, double rest, const std::string& length) {
    std::vector<double> given = attributes.numbers("springlength", 1, 2);
    if (given.empty() || given[0] < 0) given = {rest};
    if (given.size() == 1 || given[0] == given[1])
      return fmt::format("({})*({} - {})", -stiffness, length, text_of(given[0]));
    return fmt::format("({})*(max(0, {} - {}) + min(0, {} - {}))", -stiffness, length, text_of(given[1]), length,
                       text_of(given[0]));
  }

  MjcfReading& in_;
};

yaml::Node world_points(const MjcfTendon::Segment& part, const Place& place) {
  yaml::Node made = list(place);
  made.items = {vector(part.from.pose.translation(), place), vector(part.to.pose.translation(), place)};
  return made;
}

void pull_segments(MjcfReading& in, const std::string& name, const MjcfTendon& tendon, const std::string& tension) {
  int count = 0;
  for (const MjcfTendon::Segment& part : tendon.segments) {
    const std::string from = carrier(in.robot, part.from.link).body, to = carrier(in.robot, part.to.link).body;
    if (from == to) continue;
    yaml::Node made = mapping(tendon.place), bodies = list(tendon.place);
    bodies.items = {scalar(from, tendon.place), scalar(to, tendon.place)};
    put(made, "type", scalar("spring", tendon.place));
    put(made, "bodies", std::move(bodies));
    put(made, "points", world_points(part, tendon.place));
    put(made, "value", scalar(times(1 / part.divisor, tension), tendon.place));
    in.add("forces", in.names.take(fmt::format("{}_{}", name, ++count), "force", tendon.place), std::move(made));
  }
}

void pull_joints(MjcfReading& in, const std::string& name, const MjcfTendon& tendon, const std::string& tension) {
  for (const auto& [joint, factor] : tendon.joints) {
    const std::string& label = in.robot.joints[static_cast<std::size_t>(joint)].label;
    yaml::Node made = mapping(tendon.place);
    put(made, "type", scalar("torsion-spring", tendon.place));
    put(made, "joint", scalar(label, tendon.place));
    put(made, "value", scalar(times(factor, tension), tendon.place));
    in.add("forces", in.names.take(name + "_" + label, "force", tendon.place), std::move(made));
  }
}

}  // namespace

void read_mjcf_tendons(const Element& root, MjcfReading& in) {
  TendonReader reader(in);
  in.each(root, "tendon", [&](const Element& element) { reader.read(element); });
}

void add_tendon_forces(MjcfReading& in) {
  for (const auto& [name, tendon] : in.tendons) {
    if (tendon.tension.empty()) continue;
    const std::string tension = in.define(name + "_tension", tendon.tension, tendon.place);
    pull_segments(in, name, tendon, tension);
    pull_joints(in, name, tendon, tension);
  }
}

}  // namespace taut::robot
