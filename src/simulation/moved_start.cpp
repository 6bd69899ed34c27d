#include "simulation/moved_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>

#include "model/joints/freedoms.hpp"
#include "model/tree/joint_form.hpp"
#include "model/tree/spanning_tree.hpp"
#include "simulation/coordinates.hpp"
#include "simulation/loop_closing.hpp"
#include "simulation/placed_body.hpp"

namespace taut {
namespace {

constexpr std::size_t most_told = 6;

/// Can either body hang on the other by this joint? On the ground anything can.
bool may_join(const Model& model, const Joint& joint) {
  const auto is_planar = [&](int body) { return model.bodies[static_cast<std::size_t>(body)].planar; };
  const bool planar = joint.first == 0 ? is_planar(joint.second) : is_planar(joint.first);
  const bool alike = joint.first == 0 || joint.second == 0 || planar == is_planar(joint.second);
  return joint.drawn && alike && (!planar || keeps_to_plane(*tree_freedoms(joint.type)));
}

/// The branches of the tree, and the joints that were cut although no loop needs it, because of friction or because the
/// user says so: what hangs on them would float, and be led to them by moving whatever is easiest.
std::vector<bool> branches_of_start(const Model& model) {
  std::vector<bool> is_branch = find_spanning_tree(model).is_branch;
  std::vector<std::size_t> group(model.bodies.size());
  std::iota(group.begin(), group.end(), std::size_t{0});
  const auto join = [&](const Joint& joint) {
    const std::size_t from = group[static_cast<std::size_t>(joint.first)],
                      into = group[static_cast<std::size_t>(joint.second)];
    std::ranges::replace(group, from, into);
    return from != into;
  };
  for (std::size_t k = 0; k < model.joints.size(); ++k)
    if (is_branch[k]) join(model.joints[k]);
  for (std::size_t k = 0; k < model.joints.size(); ++k)
    if (!is_branch[k] && may_join(model, model.joints[k])) is_branch[k] = join(model.joints[k]);
  return is_branch;
}

/// Nothing but what moves and what holds it, with the same tree: where a mechanism can start does not depend on forces.
/// What was put somewhere by itself floats as in that tree.
Model without_forces(const Model& model, bool with_placed_bodies) {
  Model bare = model;
  const std::vector<bool> is_branch =
      with_placed_bodies ? find_spanning_tree(model).is_branch : branches_of_start(model);
  bare.mass_matrix.clear();
  for (auto* energy : {&bare.kinetic_energy, &bare.potential_energy, &bare.energy}) energy->reset();
  bare.loads.clear();
  bare.outputs.clear();
  bare.events.clear();
  bare.breakaways.clear();
  bare.rotors.clear();
  bare.gravity = {};
  for (Coordinate& x : bare.coordinates) x.force = 0;
  for (Speed& u : bare.speeds) u.force = 0;
  for (std::size_t k = 0; k < bare.joints.size(); ++k) {
    Joint& joint = bare.joints[k];
    for (auto* part : {&joint.effort, &joint.stop, &joint.friction, &joint.armature}) part->reset();
    if (joint.drawn) joint.cut = !is_branch[k];
  }
  return bare;
}

std::string name_of(const Model& model, const JointStartValue& value) {
  return fmt::format("{}.{}", model.joints[static_cast<std::size_t>(value.joint)].name,
                     value.travels ? "travel" : "angle");
}

LeadingCoordinate leading(const Model& joints, const JointStartValue& value) {
  const Joint& joint = joints.joints[static_cast<std::size_t>(value.joint)];
  const std::string name = name_of(joints, value);
  if (value.travels) return {name, *joint.travel, *joint.travel_rate};
  if (joint.angle) return {name, *joint.angle, *joint.angle_rate, true};
  return {name, atan2(*joint.sine, *joint.cosine), *joint.angle_rate, true, true};
}

class Mover {
 public:
  Mover(const Model& model, const InitialValues& given, const std::vector<Assignment>& set, bool assemble)
      : model_(model),
        placed_(find_placed_bodies(model, given, set)),
        set_(without(placed_, set)),
        given_(placed_.empty() ? given : initial_values(model, set_)),
        assemble_(assemble),
        joints_(in_joint_coordinates(without_forces(model, !placed_.empty()), given.parameters)),
        start_(start_in_joints(model, given_, joints_, {set_, true})) {
    sort();
  }

  MovedStart run() {
    LoopClosing loops(joints_, start_, leading_);
    drawn_ = loops.q();
    const std::vector<double> drawn_rates = rates_as_drawn(loops);
    lead(loops);
    if (!hints_.empty()) close_near(loops);
    set_rates(loops, drawn_rates);
    tell(loops);
    return result(loops);
  }

 private:
  const Place& place(std::size_t k) const { return model_.joints[static_cast<std::size_t>(order_[k].joint)].place; }

  /// Positions first, then hints, then rates.
  void sort() {
    for (const JointStartValue& value : given_.joints)
      if (value.position) {
        order_.push_back(value);
        targets_.push_back(*value.position);
      }
    for (const JointStartValue& value : given_.joints)
      if (value.near && !value.position) {
        order_.push_back(value);
        hints_.push_back(*value.near);
      }
    for (const JointStartValue& value : given_.joints)
      if (!value.position && !value.near) order_.push_back(value);
    for (const JointStartValue& value : order_) leading_.push_back(leading(joints_, value));
  }

  std::vector<double> rates_as_drawn(LoopClosing& loops) {
    v_ = Eigen::Map<const Vector>(start_.speeds.data(), static_cast<Eigen::Index>(start_.speeds.size()));
    return loops.rates(v_);
  }

  void lead(LoopClosing& loops) {
    if (targets_.empty()) return;
    const std::vector<double> from = loops.values();
    const LoopClosing::Way way = loops.lead(targets_);
    if (!way.arrived()) {
      if (hints_.empty()) stop_short(loops, way);
      return;
    }
    for (const double share : way.meets) {
      const double at = from[0] + share * (targets_[0] - from[0]);
      notes_.push_back(
          fmt::format("on the way of '{}' to {:.6g}, near {:.6g}, ways of closing the loops meet: it went straight on, "
                      "as the mechanism would move; 'near' at another joint chooses between them",
                      leading_[0].name, targets_[0], at));
    }
  }

  /// Out of reach.
  void stop_short(LoopClosing& loops, const LoopClosing::Way& way) {
    std::string asked, reached;
    bool fixed = false;
    for (std::size_t k = 0; k < targets_.size(); ++k) {
      asked += fmt::format("{}'{}' {:.6g}", k > 0 ? ", " : "", leading_[k].name, targets_[k]);
      reached += fmt::format("{}{:.6g}", k > 0 ? ", " : "", loops.values()[k]);
      fixed = fixed || order_[k].position_claim == InitialClaim::fixed;
    }
    std::string open;
    for (std::size_t k = 0; k < std::min<std::size_t>(2, way.open.size()); ++k)
      open +=
          fmt::format("{}'{}'", k > 0 ? ", " : "", loops.shape().constraints[static_cast<std::size_t>(way.open[k])]);
    const std::string text =
        way.share > 0
            ? fmt::format("a start at {} is out of reach: with the loops closed ({}) it can be led to {}", asked, open,
                          reached)
            : fmt::format("a start at {} is out of reach from where it is drawn: there the loops ({}) hold it at {}",
                          asked, open, reached);
    if (!assemble_ || fixed)
      throw InputError(place(0), text,
                       way.share > 0 ? "choose a start within reach, on the way of closing the loops that is drawn, or "
                                       "let --assemble take the nearest on this way"
                                     : "say with 'near' at another joint which way of closing the loops is meant");
    notes_.push_back(text + ", where it starts");
    for (std::size_t k = 0; k < targets_.size(); ++k) targets_[k] = loops.values()[k];
  }

  void close_near(LoopClosing& loops) {
    const Vector before = loops.q();
    if (!loops.close_near(targets_, hints_)) {
      std::string asked;
      for (std::size_t k = 0; k < targets_.size(); ++k)
        asked += fmt::format("{}'{}' {:.6g}", k > 0 ? ", " : "", leading_[k].name, targets_[k]);
      throw InputError(place(0), fmt::format("the loops cannot be closed with {}", asked),
                       "choose a start within reach of the loops");
    }
    count_turns(loops);
    for (std::size_t k = 0; k < std::min(hints_.size(), most_told); ++k) {
      const std::size_t at = targets_.size() + k;
      notes_.push_back(
          fmt::format("of the ways of closing the loops the one with '{}' at {:.6g} was taken, nearest to {:g}{}",
                      leading_[at].name, loops.values()[at], hints_[k],
                      (loops.q() - before).isZero(1e-6) ? ": the one that is drawn" : ""));
    }
    if (hints_.size() > most_told)
      notes_.push_back(fmt::format("… and {} more joints near where they were wanted", hints_.size() - most_told));
  }

  /// A hinge may have been turned round while the loops were closed: its angle counts from where it is drawn, or from
  /// where it was wanted.
  void count_turns(LoopClosing& loops) const {
    Vector q = loops.q();
    for (std::size_t k = 0; k < joints_.coordinates.size(); ++k) {
      const std::string& name = joints_.coordinates[k].name;
      const auto hinge = std::ranges::find_if(joints_.joints, [&](const Joint& joint) {
        return joint.type != "screw" &&
               (name == joint.name + ".angle" || name == joint.name + ".angle1" || name == joint.name + ".angle2");
      });
      if (hinge == joints_.joints.end()) continue;
      const auto at = static_cast<Eigen::Index>(k);
      const auto led = std::ranges::find(leading_, name, &LeadingCoordinate::name);
      double near = drawn_[at];
      if (const auto i = static_cast<std::size_t>(led - leading_.begin()); led != leading_.end())
        near = i < targets_.size()                   ? targets_[i]
               : i < targets_.size() + hints_.size() ? hints_[i - targets_.size()]
                                                     : near;
      constexpr double turn = 2 * std::numbers::pi;
      q[at] += turn * std::round((near - q[at]) / turn);
    }
    loops.set_q(q);
  }

  /// A joint that is led keeps the rate that it has as drawn, unless another is given.
  void set_rates(LoopClosing& loops, const std::vector<double>& drawn) {
    std::vector<std::optional<double>> rates;
    for (std::size_t k = 0; k < order_.size(); ++k)
      rates.push_back(order_[k].rate || !order_[k].position ? order_[k].rate : std::optional(drawn[k]));
    if (loops.set_rates(rates, v_)) return;
    const std::vector<double> found = loops.rates(v_);
    std::string text;
    bool fixed = false;
    for (std::size_t k = 0; k < rates.size(); ++k) {
      if (!rates[k] || std::abs(found[k] - *rates[k]) <= 1e-9 * (1 + std::abs(*rates[k]))) continue;
      text += fmt::format("{}'{}' would have the rate {:.6g}, not {:.6g}", text.empty() ? "" : ", ", leading_[k].name,
                          found[k], *rates[k]);
      fixed = fixed || (order_[k].rate && order_[k].rate_claim == InitialClaim::fixed);
    }
    if (text.empty()) text = "the constraints are not met";
    if (!assemble_ || fixed)
      throw InputError(place(0), "these rates do not go with the loops: " + text,
                       "give fewer rates, or let --assemble take the nearest");
    notes_.push_back("the rates given do not go with the loops: " + text);
  }

  void tell(const LoopClosing& loops) {
    std::string led, followed;
    for (std::size_t k = 0; k < targets_.size(); ++k)
      led += fmt::format("{}'{}' at {:.6g}", k > 0 ? ", " : "", leading_[k].name, loops.values()[k]);
    if (led.empty()) return;
    std::size_t others = 0;
    for (std::size_t k = 0; k < joints_.coordinates.size(); ++k) {
      const std::string& name = joints_.coordinates[k].name;
      const double by = loops.q()[static_cast<Eigen::Index>(k)] - drawn_[static_cast<Eigen::Index>(k)];
      if (std::abs(by) < 1e-9 || std::ranges::find(leading_, name, &LeadingCoordinate::name) != leading_.end())
        continue;
      if (++others <= most_told) followed += fmt::format("{}'{}' by {:.4g}", others > 1 ? ", " : "", name, by);
    }
    if (others > most_told) followed += fmt::format(" and {} more", others - most_told);
    notes_.push_back(fmt::format("the mechanism starts elsewhere than it is drawn: {}{}", led,
                                 followed.empty() ? "" : "; to keep its loops closed moved " + followed));
  }

  MovedStart result(const LoopClosing& loops) {
    MovedStart moved{given_, {}, std::move(notes_)};
    const Vector& q = loops.q();
    std::unordered_map<std::string, double> speeds;
    std::vector<Expression> formulas;
    const JointForm& form = *joints_.joint_form;
    for (const auto& x : form.coordinates) formulas.insert(formulas.end(), {x.value, x.rate});
    for (const auto& u : form.speeds) formulas.push_back(u.value);
    for (std::size_t k = 0; k < joints_.coordinates.size(); ++k)
      start_.coordinates[k] = q[static_cast<Eigen::Index>(k)];
    StartFormulas shown(joints_, start_, formulas);
    const std::vector<SymbolId> symbols = speeds_of(joints_);
    for (std::size_t k = 0; k < symbols.size(); ++k) shown.set(symbols[k], v_[static_cast<Eigen::Index>(k)]);
    const Vector all = shown();
    for (std::size_t k = 0; k < joints_.coordinates.size(); ++k)
      moved.coordinates[joints_.coordinates[k].name] = q[static_cast<Eigen::Index>(k)];
    std::size_t own = 0;
    for (const Coordinate& x : joints_.coordinates)
      if (!x.kinematics) speeds[x.name + "'"] = v_[static_cast<Eigen::Index>(own++)];
    for (const Speed& u : joints_.speeds) speeds[u.name] = v_[static_cast<Eigen::Index>(own++)];
    std::unordered_map<std::string, double> places = moved.coordinates;
    Eigen::Index at = 0;
    for (const auto& x : form.coordinates) {
      places[x.name] = all[at++];
      speeds[x.name + "'"] = all[at++];
    }
    for (const auto& u : form.speeds) speeds[u.name] = all[at++];
    for (const PlacedBody& body : placed_) move_along(body, places, speeds);
    for (auto& [name, value] : moved.coordinates) value = places.at(name);
    // Bodies that float where the motion is found, and hang on a joint here.
    for (const auto& x : form.coordinates) moved.coordinates.try_emplace(x.name, places.at(x.name));
    set_bodies(places, speeds, moved.bodies);
    return moved;
  }

  void set_bodies(const std::unordered_map<std::string, double>& places,
                  const std::unordered_map<std::string, double>& speeds, InitialValues& bodies) const {
    std::size_t own = 0;
    const auto copy_if_known = [](const std::unordered_map<std::string, double>& from, const std::string& name,
                                  double& value) {
      if (const auto found = from.find(name); found != from.end()) value = found->second;
    };
    for (std::size_t k = 0; k < model_.coordinates.size(); ++k) {
      const Coordinate& x = model_.coordinates[k];
      copy_if_known(places, x.name, bodies.coordinates[k]);
      if (!x.kinematics) copy_if_known(speeds, x.name + "'", bodies.speeds[own++]);
    }
    for (const Speed& u : model_.speeds) copy_if_known(speeds, u.name, bodies.speeds[own++]);
    bodies.joints.clear();
  }

  const Model& model_;
  std::vector<PlacedBody> placed_;
  std::vector<Assignment> set_;  ///< but for those of placed bodies
  InitialValues given_;
  bool assemble_;
  Model joints_;
  InitialValues start_;
  std::vector<JointStartValue> order_;
  std::vector<LeadingCoordinate> leading_;
  std::vector<double> targets_, hints_;
  Vector drawn_, v_;
  std::vector<std::string> notes_;
};

}  // namespace

bool is_moved(const Model& model, const InitialValues& given, const std::vector<Assignment>& set) {
  return !given.joints.empty() || !find_placed_bodies(model, given, set).empty();
}

MovedStart move_start(const Model& model, const InitialValues& given, const std::vector<Assignment>& set,
                      bool assemble) {
  return Mover(model, given, set, assemble).run();
}

}  // namespace taut
