#pragma once

#include <fmt/format.h>

#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "mujoco_document.hpp"

/// Robots that nobody has built, as MJCF files: every element that acts, in any combination that MuJoCo 2.2.2 reads.
namespace taut::robot {

class RandomMjcf {
 public:
  explicit RandomMjcf(unsigned seed) : random_(seed) {
    is_in_degrees_ = chance(0.5);
    has_loops_ = chance(0.4);
    has_air_ = chance(0.25);
    has_products_ = chance(0.5);
    const std::string bodies = worldbody(3 + pick(4));
    text_ = fmt::format("<mujoco model='random'>\n{}{}{}<worldbody>\n{}</worldbody>\n{}{}{}{}</mujoco>\n", compiler(),
                        option(), defaults(), bodies, tendons(), equality(), actuators(), keyframe());
  }

  const std::string& text() const { return text_; }
  /// Of the actuators, in their order, with the names that the importer gives them.
  const std::vector<std::pair<std::string, double>>& controls() const { return controls_; }
  const std::vector<FullInertia>& full_inertias() const { return full_inertias_; }
  /// Does it say a start of its own, "k"?
  bool has_key() const { return has_key_; }

 private:
  // ---- chance ----

  bool chance(double p) { return std::uniform_real_distribution<>(0, 1)(random_) < p; }
  std::size_t pick(std::size_t below) { return std::uniform_int_distribution<std::size_t>(0, below - 1)(random_); }
  double between(double low, double high) { return std::uniform_real_distribution<>(low, high)(random_); }
  template <class T>
  T one_of(std::initializer_list<T> list) {
    return *(list.begin() + pick(list.size()));
  }
  std::string attribute(const std::string& name, int count, double low, double high) {
    std::string made = " " + name + "='";
    for (int k = 0; k < count; ++k) made += fmt::format("{}{:.6g}", k == 0 ? "" : " ", between(low, high));
    return made + "'";
  }
  std::string perhaps(double p, const std::string& name, int count, double low, double high) {
    return chance(p) ? attribute(name, count, low, high) : "";
  }
  double angle_unit() const { return is_in_degrees_ ? 57.29577951308232 : 1; }

  // ---- settings ----

  std::string compiler() {
    return fmt::format("<compiler autolimits='true' angle='{}' eulerseq='{}'{}/>\n",
                       is_in_degrees_ ? "degree" : "radian", one_of({"xyz", "XYZ", "zyx", "zxz", "YzX"}),
                       perhaps(0.2, "settotalmass", 1, 20, 60));
  }
  std::string option() {
    return "<option" + perhaps(0.5, "gravity", 3, -6, 6) + perhaps(0.25, "viscosity", 1, 0.01, 0.5) +
           (has_air_ ? attribute("density", 1, 0.5, 5) : "") + perhaps(0.25, "wind", 3, -2, 2) + "/>\n";
  }
  static std::string defaults() {
    return "<default><joint armature='0.02' damping='0.1'/><geom density='80'/>\n"
           "  <default class='stiff'><joint stiffness='4' damping='0.3'/><position kp='7'/><motor gear='3'/>\n"
           "    <default class='heavy'><geom density='250' type='capsule' size='0.2 0.3'/></default>\n"
           "  </default>\n</default>\n";
  }

  // ---- bodies ----

  std::string orientation() {
    const double u = angle_unit();
    switch (pick(6)) {
      case 0:
        return attribute("quat", 4, -1, 1);
      case 1:
        return fmt::format(" axisangle='{:.6g} {:.6g} {:.6g} {:.6g}'", between(-1, 1), between(-1, 1), between(0.1, 1),
                           u * between(-2, 2));
      case 2:
        return attribute("euler", 3, -1.5 * u, 1.5 * u);
      case 3:
        return fmt::format(" xyaxes='1 {:.6g} {:.6g} {:.6g} 1 {:.6g}'", between(-0.5, 0.5), between(-0.5, 0.5),
                           between(-0.5, 0.5), between(-0.5, 0.5));
      case 4:
        return attribute("zaxis", 3, -1, 1);
      default:
        return "";
    }
  }
  std::string pose() { return attribute("pos", 3, -0.3, 0.3) + orientation(); }

  std::string worldbody(std::size_t count) {
    children_.resize(count);
    for (std::size_t k = 1; k < count; ++k)
      if (chance(0.75)) children_[pick(k)].push_back(k);
    std::vector<bool> carried(count, false);
    for (const auto& list : children_)
      for (const std::size_t k : list) carried[k] = true;
    std::string made = "  <site name='sw' pos='0.1 0.2 0.9'/>\n";
    sites_.emplace_back("sw");
    for (std::size_t k = 0; k < count; ++k)
      if (!carried[k]) made += body(k, true);
    return made;
  }

  std::string body(std::size_t k, bool on_ground) {
    const std::string name = fmt::format("b{}", k);
    std::string made = fmt::format("<body name='{}'{}{}>\n", name, pose(), chance(0.3) ? " childclass='stiff'" : "");
    made += joints(k, on_ground) + mass(name);
    made += fmt::format("<site name='s{}'{}/>\n", k, pose());
    sites_.push_back(fmt::format("s{}", k));
    moving_.push_back(name);
    for (const std::size_t child : children_[k]) made += body(child, false);
    return made + "</body>\n";
  }

  std::string joints(std::size_t k, bool on_ground) {
    if (on_ground && chance(0.25)) {
      key_ += fmt::format(" {:.6g} {:.6g} {:.6g} 0.8 0.2 -0.4 0.4", between(-1, 1), between(-1, 1), between(-1, 1));
      key_rates_ += rates(6);
      return chance(0.5) ? "<freejoint/>\n" : "<joint type='free' armature='0' damping='0' stiffness='0'/>\n";
    }
    if (chance(0.12)) {
      has_balls_ = true;
      return fmt::format("<joint name='j{}' type='ball' stiffness='0' pos='0.1 0 0.05'/>\n", k);
    }
    if (!on_ground && chance(0.1)) return "";  // fixed to what carries it
    std::string made = hinge_or_slide(fmt::format("j{}", k));
    if (chance(0.3)) made += hinge_or_slide(fmt::format("j{}b", k));
    return made;
  }

  std::string hinge_or_slide(const std::string& name) {
    const bool slides = chance(0.3);
    const double u = slides ? 1 : angle_unit(), size = slides ? 0.2 : 0.5;
    joints_.push_back(name);
    const double q = between(-size, size);
    key_ += fmt::format(" {:.9g}", q);
    key_rates_ += rates(1);
    return fmt::format(
        "<joint name='{}'{}{}{}{}{}{}{}{}{}/>\n", name, slides ? " type='slide'" : "", attribute("pos", 3, -0.2, 0.2),
        attribute("axis", 3, -1, 1), perhaps(0.3, "armature", 1, 0.01, 0.1), perhaps(0.3, "damping", 1, 0.1, 1),
        perhaps(0.3, "stiffness", 1, 1, 9), perhaps(0.3, "springref", 1, -0.4 * u, 0.4 * u),
        perhaps(0.3, "ref", 1, -0.4 * u, 0.4 * u), !has_products_ && chance(0.1) ? " springdamper='0.3 0.8'" : "");
  }
  std::string rates(int count) {
    std::string made;
    for (int k = 0; k < count; ++k) made += fmt::format(" {:.6g}", between(-1, 1));
    return made;
  }

  /// One geom for a body: of several, MuJoCo 2.2.2 does not find the principal axes to rounding.
  std::string mass(const std::string& body) {
    if (chance(0.4)) {
      const std::string moments = has_products_ ? full_inertia(body) : " diaginertia='0.4 0.5 0.7'" + orientation();
      return "<inertial mass='9'" + attribute("pos", 3, -0.1, 0.1) + moments + "/>\n";
    }
    return geom();
  }
  /// With products that leave the moments those of a body.
  std::string full_inertia(const std::string& body) {
    FullInertia made{.body = body, .values = {0.5, 0.6, 0.7, 0, 0, 0}};
    for (std::size_t k = 3; k < 6; ++k) made.values[k] = std::round(between(-100, 100)) / 1000;
    full_inertias_.push_back(made);
    return fmt::format(" fullinertia='{}'", fmt::join(made.values, " "));
  }
  std::string geom() {
    const std::string weight = chance(0.3) ? attribute("mass", 1, 5, 20) : perhaps(0.3, "density", 1, 30, 300);
    switch (pick(has_air_ ? 5 : 6)) {
      case 0:
        return "<geom" + weight + pose() + attribute("size", 1, 0.2, 0.4) + "/>\n";
      case 1:
        return "<geom type='" + one_of<std::string>({"capsule", "cylinder"}) + "'" + weight + pose() +
               attribute("size", 2, 0.2, 0.4) + "/>\n";
      case 2:
        return "<geom type='" + one_of<std::string>({"box", "ellipsoid"}) + "'" + weight + pose() +
               attribute("size", 3, 0.2, 0.4) + "/>\n";
      case 5:  // MuJoCo 2.2.2 has their z axis lead to the first end, its documentation to the second: air feels the
               // difference
        return "<geom type='" + one_of<std::string>({"capsule", "cylinder", "box", "ellipsoid"}) + "'" + weight +
               attribute("fromto", 6, -0.5, 0.5) + attribute("size", 1, 0.15, 0.3) + "/>\n";
      case 3:
        return "<geom type='box' size='0.3 0.25 0.2' group='4'" + weight + pose() + "/>\n";
      default:
        return "<geom class='heavy'" + weight + pose() + "/>\n";
    }
  }

  // ---- what acts on them ----

  std::string tendons() {
    std::string made;
    for (int k = 0; k < 2; ++k) {
      if (!chance(0.5)) continue;
      const std::string acts = perhaps(0.6, "stiffness", 1, 1, 9) + perhaps(0.6, "damping", 1, 0.1, 1) +
                               perhaps(0.4, "springlength", 1, 0.2, 0.6);
      const bool is_fixed = chance(0.5) && !joints_.empty();
      made += fmt::format("<{0} name='t{1}'{2}>{3}</{0}>\n", is_fixed ? "fixed" : "spatial", k, acts,
                          is_fixed ? coefficients() : way());
      tendons_.push_back(fmt::format("t{}", k));
    }
    return made.empty() ? "" : "<tendon>\n" + made + "</tendon>\n";
  }
  std::string coefficients() {
    std::string made;
    for (const std::string& joint : joints_)
      if (made.empty() || chance(0.4)) made += fmt::format("<joint joint='{}' coef='{:.6g}'/>", joint, between(-2, 2));
    return made;
  }
  std::string way() {
    std::string made;
    for (std::size_t k = 0; k < sites_.size(); ++k) {
      if (k > 1 && k + 2 < sites_.size() && chance(0.25)) made += "<pulley divisor='2'/><site site='sw'/>";
      made += fmt::format("<site site='{}'/>", sites_[k]);
    }
    return made;
  }

  std::string equality() {
    if (!has_loops_ || moving_.size() < 2) return "";
    std::string made;
    if (chance(0.5))
      made += fmt::format("<connect body1='{}'{} anchor='0.1 -0.1 0.2'/>\n", moving_.back(),
                          chance(0.5) ? "" : fmt::format(" body2='{}'", moving_.front()));
    else if (joints_.size() > 1)
      made += fmt::format("<joint joint1='{}' joint2='{}' polycoef='0 {:.6g} {:.6g} {:.6g} 0'/>\n", joints_.front(),
                          joints_.back(), between(0.5, 2), chance(0.5) ? 0 : between(-1, 1),
                          chance(0.5) ? 0 : between(-1, 1));
    else
      return "";
    return "<equality>\n" + made + "</equality>\n";
  }

  std::string transmission(const std::string& name) {
    if (!tendons_.empty() && chance(0.25)) return fmt::format(" tendon='{}'", tendons_[pick(tendons_.size())]);
    if (!joints_.empty() && chance(0.7))
      return fmt::format(" {}='{}'", chance(0.8) ? "joint" : "jointinparent", joints_[pick(joints_.size())]);
    return name == "motor" ? fmt::format(" site='s{}'{}", pick(moving_.size()), attribute("gear", 6, -1, 1)) : "";
  }
  /// Those without a state first, as MuJoCo wants them.
  std::string actuators() {
    std::string made;
    for (const char* kind :
         {"motor", "position", "velocity", "damper", "general", "general", "intvelocity", "cylinder"}) {
      if (!chance(0.4)) continue;
      const std::string on = transmission(kind);
      if (on.empty()) continue;
      made += fmt::format("<{} name='a{}'{}{}{}/>\n", kind, controls_.size(), on,
                          on.find("gear") == on.npos ? perhaps(0.5, "gear", 1, -3, 3) : "", law(kind));
      controls_.emplace_back(fmt::format("a{}_ctrl", controls_.size()), between(0.1, 1));
    }
    return made.empty() ? "" : "<actuator>\n" + made + "</actuator>\n";
  }
  std::string law(const std::string& kind) {
    if (kind == "motor") return chance(0.3) ? " ctrlrange='-0.3 0.4'" : "";
    if (kind == "position") return (chance(0.5) ? " class='stiff'" : attribute("kp", 1, 1, 20));
    if (kind == "velocity") return attribute("kv", 1, 0.1, 2);
    if (kind == "damper") return " ctrlrange='0 2'" + attribute("kv", 1, 0.1, 2);
    if (kind == "intvelocity") return " actrange='-1 1'" + attribute("kp", 1, 1, 9);
    if (kind == "cylinder") return " timeconst='0.3'" + attribute("area", 1, 1, 3) + attribute("bias", 3, -1, 0);
    const std::string dynamics = has_states_ ? "integrator" : one_of<std::string>({"none", "filter"});
    has_states_ = dynamics != "none";
    return fmt::format(
        " dyntype='{}' dynprm='0.4' gaintype='{}' gainprm='2 0.3 -0.2' biastype='{}' biasprm='0.5 -1 -0.1'", dynamics,
        one_of({"fixed", "affine"}), one_of({"none", "affine"}));
  }

  std::string keyframe() {
    has_key_ = !has_loops_ && !has_balls_ && chance(0.7);
    if (!has_key_) return "";
    return fmt::format("<keyframe><key name='k' qpos='{}' qvel='{}'/></keyframe>\n", key_, key_rates_);
  }

  std::mt19937 random_;
  /// Products of inertia and springdamper do not go together: MuJoCo 2.2.2 takes the latter's inertia from inexact
  /// axes.
  bool has_air_ = false, has_products_ = false;
  bool is_in_degrees_ = false, has_loops_ = false, has_balls_ = false, has_key_ = false, has_states_ = false;
  std::vector<std::vector<std::size_t>> children_;
  std::vector<std::string> joints_, sites_, moving_, tendons_;
  std::vector<std::pair<std::string, double>> controls_;
  std::vector<FullInertia> full_inertias_;
  std::string key_, key_rates_, text_;
};

}  // namespace taut::robot
