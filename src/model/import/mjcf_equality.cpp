#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/import/mjcf_reading.hpp"

/// <equality>: loops and couplings. They hold exactly: MuJoCo's solref and solimp, which make them soft, are left out.
namespace taut::robot {
namespace {

class EqualityReader {
 public:
  explicit EqualityReader(MjcfReading& in) : in_(in), ties_(in.robot, in.names, in.findings) {}

  void read(const Element& element) {
    const Attributes equality = in_.defaults.completed(element, "", "equality");
    ++count_;
    if (!equality.flag("active", true)) {
      in_.findings.pass("left out, for it is not active", fmt::format("<{}>", element.name));
      return;
    }
    if (in_.findings.leaves_out("equality")) return;
    in_.findings.note("equality constraints hold exactly; solref and solimp are left out");
    if (element.name == "connect") add_connect(equality);
    if (element.name == "weld") add_weld(equality);
    if (element.name == "joint") add_joint_coupling(equality);
    if (element.name == "tendon") add_tendon_coupling(equality);
  }

 private:
  std::string name_of(const Attributes& equality) const {
    const bool couples = equality.element() == "joint" || equality.element() == "tendon";
    return equality.text("name", fmt::format("{}{}", couples ? "coupling" : equality.element(), count_));
  }

  std::pair<Frame, Frame> ends_of(const Attributes& equality) const {
    if (equality.has("site1") || equality.has("site2"))
      return {in_.site(equality, "site1"), in_.site(equality, "site2")};
    const int one = in_.body(equality, "body1"), two = equality.has("body2") ? in_.body(equality, "body2") : 0;
    return {{one, in_.robot.links[static_cast<std::size_t>(one)].pose},
            {two, in_.robot.links[static_cast<std::size_t>(two)].pose}};
  }

  void add_connect(const Attributes& equality) {
    auto [first, second] = ends_of(equality);
    if (!equality.has("site1")) {
      equality.needed("anchor");
      first.pose.translate(equality.vector("anchor", Eigen::Vector3d::Zero()));
      second.pose = first.pose;
    }
    ties_.connect(name_of(equality), equality.place(), first, second);
  }

  /// relpose is the pose of the second body in the axes of the first; none, or a quaternion of zeros: as at the start.
  void add_weld(const Attributes& equality) {
    auto [first, second] = ends_of(equality);
    if (!equality.has("site1")) {
      Eigen::Isometry3d wanted = second.pose;
      if (const auto given = equality.numbers("relpose", 7, 7); !given.empty()) {
        const Eigen::Quaterniond turn(given[3], given[4], given[5], given[6]);
        if (turn.norm() > 0)
          wanted = first.pose * Eigen::Translation3d(given[0], given[1], given[2]) * turn.normalized();
      }
      first.pose = wanted;
    }
    ties_.weld(name_of(equality), equality.place(), first, second);
  }

  static std::array<double, 5> coefficients(const Attributes& equality) {
    std::vector<double> given = equality.numbers("polycoef", 1, 5);
    std::array<double, 5> a{0, 1, 0, 0, 0};
    std::ranges::copy(given, a.begin());
    return a;
  }

  static std::string polynomial(const std::array<double, 5>& a, const std::string& x) {
    std::string sum = text_of(a[0]);
    for (std::size_t k = 1; k < 5; ++k)
      if (a[k] != 0) sum += fmt::format(" + {}*{}{}", text_of(a[k]), x, k > 1 ? fmt::format("^{}", k) : "");
    return sum;
  }

  /// joint1 = a0 + a1 joint2 + …, both counted from where they start.
  void add_joint_coupling(const Attributes& equality) {
    const std::array<double, 5> a = coefficients(equality);
    const int joint1 = in_.coordinate_joint(equality, "joint1");
    const Joint& one = in_.robot.joints[static_cast<std::size_t>(joint1)];
    const Place place = equality.place();
    if (a[0] != 0) ties_.assemble(fmt::format("'{}' does not hold in the zero configuration", name_of(equality)));
    if (!equality.has("joint2")) {
      return ties_.constrain(name_of(equality), place, fmt::format("{} = {}", one.coordinate(), text_of(a[0])));
    }
    const int joint2 = in_.coordinate_joint(equality, "joint2");
    if (joint1 == joint2) equality.refuse("joint2", "a joint is coupled with itself", "name another joint");
    if (a[2] == 0 && a[3] == 0 && a[4] == 0 && a[1] != 0) {
      const std::string label = in_.names.take_joint(name_of(equality), place);
      in_.robot.gears.push_back({label, place, joint2, joint1, a[1], a[0]});
      return;
    }
    const std::string other = in_.robot.joints[static_cast<std::size_t>(joint2)].coordinate();
    ties_.constrain(name_of(equality), place, fmt::format("{} = {}", one.coordinate(), polynomial(a, other)));
  }

  void add_tendon_coupling(const Attributes& equality) {
    if (in_.findings.leaves_out("tendons")) return;
    const std::array<double, 5> a = coefficients(equality);
    const auto stretch = [&](const char* attribute) {
      const MjcfTendon& tendon = in_.tendon(equality, attribute);
      if (tendon.length.empty())
        in_.findings.unsupported("tendons", tendon.unsupported, "a tendon that wraps around a geom is held");
      return fmt::format("({} - {})", tendon.length, text_of(tendon.drawn_length));
    };
    const std::string left = stretch("tendon1");
    std::string right = text_of(a[0]);
    if (equality.has("tendon2")) right = polynomial(a, stretch("tendon2"));
    if (a[0] != 0) ties_.assemble(fmt::format("'{}' does not hold in the zero configuration", name_of(equality)));
    ties_.constrain(name_of(equality), equality.place(), left + " = " + right);
  }

  MjcfReading& in_;
  Ties ties_;
  int count_ = 0;
};

}  // namespace

void read_mjcf_equalities(const Element& root, MjcfReading& in) {
  EqualityReader reader(in);
  in.each(root, "equality", [&](const Element& element) { reader.read(element); });
}

}  // namespace taut::robot
