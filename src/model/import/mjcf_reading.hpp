#pragma once

#include <array>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/import/elements.hpp"
#include "model/import/findings.hpp"
#include "model/import/joint_inertia.hpp"
#include "model/import/mjcf_compiler.hpp"
#include "model/import/mjcf_defaults.hpp"
#include "model/import/mjcf_geom.hpp"
#include "model/import/names.hpp"
#include "model/import/robot.hpp"
#include "model/import/ties.hpp"

/// What the readers of the sections of an MJCF file share. Each section has a file of its own (mjcf_….cpp).
namespace taut::robot {

using MjcfSite = Frame;

/// A tendon as formulas, and where its tension acts.
struct MjcfTendon {
  std::string length, rate;                    ///< names of definitions; "" of one that cannot be simulated
  double drawn_length = 0;                     ///< in the zero configuration
  std::vector<std::pair<int, double>> joints;  ///< of a fixed one: joint and coefficient
  struct Segment {
    MjcfSite from, to;
    double divisor = 1;
  };
  std::vector<Segment> segments;    ///< of a spatial one
  std::string tension;              ///< a formula: the force that lengthens it, so far
  std::string actuation;            ///< the same of its actuators, which
  std::vector<double> force_range;  ///< bounds
  Place place;
  Place unsupported;  ///< what it wraps around, if anything
};

/// The parameter that drives an actuator, "" if it was left out, and its state, if it has one.
struct MjcfControl {
  std::string parameter, state;
};

/// The parameters that put a mocap body where it is: x, y, z, and w, x, y, z of a quaternion.
struct MjcfMocap {
  std::array<std::string, 7> parameters;
};

/// Of <option>: what is around the robot.
struct MjcfFluid {
  double density = 0, viscosity = 0;
  Eigen::Vector3d wind = Eigen::Vector3d::Zero();
  Place ellipsoid = {};  ///< where a geom asks for another law of forces, if one does
};

struct MjcfReading {
  std::string file;
  Findings& findings;
  std::map<int, MjcfCompiler> compilers = {{0, {}}};  ///< by scope
  MjcfDefaults defaults = {};
  MjcfAssets assets = {};
  ModelNames names = {};
  Robot robot = {};
  std::map<std::string, int> links = {}, joints = {};  ///< by the file's names
  std::map<std::string, MjcfSite> sites = {};
  std::map<std::string, MjcfTendon> tendons = {};
  std::map<int, std::pair<double, double>> ranges = {};    ///< of joints
  std::vector<int> joint_order = {};                       ///< of those that move, as positions list them
  std::map<int, std::vector<double>> force_ranges = {};    ///< of what all actuators do to joints
  std::vector<MjcfControl> controls = {};                  ///< of actuators, in their order
  std::vector<MjcfMocap> mocaps = {};                      ///< in the order of their bodies
  std::vector<int> mocap_links = {};                       ///< the same
  std::map<int, std::vector<double>> spring_dampers = {};  ///< of joints: time constant and ratio
  double standing_mass = 0;                                ///< of bodies that no joint moves
  bool clamps_controls = true;
  MjcfFluid fluid = {};
  std::set<int> disabled_groups = {};  ///< of actuators

  /// What the file of an element says of angles and masses.
  const MjcfCompiler& compiler(const Attributes& attributes) const { return compilers.at(attributes.scope()); }
  /// Reads every child of every section of this name that the list admits; faults are kept and the rest is read.
  void each(const Element& root, std::string_view section, const std::function<void(const Element&)>& read);
  void add(const std::string& section, const std::string& name, yaml::Node value) {
    robot.entries.push_back({section, name, std::move(value)});
  }
  /// Is there anything that ties joints to each other?
  bool has_loops() const;
  /// A formula that others may use, under a name like this one. Returns the name.
  std::string define(const std::string& name, const std::string& formula, const Place& place);

  /// Each throws InputError at the attribute for a name that there is not.
  int body(const Attributes& attributes, const std::string& attribute) const;
  int coordinate_joint(const Attributes& attributes, const std::string& attribute) const;
  int any_joint(const Attributes& attributes, const std::string& attribute) const;
  const MjcfSite& site(const Attributes& attributes, const std::string& attribute) const;
  MjcfTendon& tendon(const Attributes& attributes, const std::string& attribute);

  /// The coordinate of a joint as the file counts it, and its rate.
  std::string coordinate(int joint) const;
  std::string rate(int joint) const { return robot.joints[static_cast<std::size_t>(joint)].label + ".rate"; }
};

void read_mjcf_assets(const Element& root, MjcfReading& in);
void read_mjcf_bodies(const Element& root, MjcfReading& in);
void read_mjcf_equalities(const Element& root, MjcfReading& in);
void read_mjcf_tendons(const Element& root, MjcfReading& in);
void read_mjcf_actuators(const Element& root, MjcfReading& in);
void read_mjcf_keyframes(const Element& root, MjcfReading& in);
/// What a mocap body is put by.
void add_mocap(MjcfReading& in, int link);
void add_fluid_forces(MjcfReading& in);
/// What acts in tendons, when all that acts is known.
void add_tendon_forces(MjcfReading& in);

}  // namespace taut::robot
