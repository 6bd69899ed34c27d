#pragma once

#include <Eigen/Geometry>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/import/mass_properties.hpp"
#include "model/yaml_tree.hpp"
#include "taut/error.hpp"

/// What robot files have in common, whatever their format: links in a tree, joints that carry them, loops that
/// close it. An importer fills a Robot; tree_of() writes it as the sections of a model file.
namespace taut::robot {

struct Shape {
  enum class Kind { box, cylinder, sphere, mesh };
  Kind kind = Kind::box;
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();  ///< in the world
  Eigen::Vector3d size =
      Eigen::Vector3d::Ones();  ///< box: its edges; cylinder: radius, length; sphere: radius; mesh: scale
  std::string file;             ///< of a mesh
  std::string label;
  std::string color = {};  ///< #rrggbb, "" if the file says none
  Place place = {};
};

/// "#rrggbb" of three parts between 0 and 1.
std::string color_text(double red, double green, double blue);

/// What puts a link where it stands, without a joint: formulas of x, y, z and of w, x, y, z of a quaternion of
/// length 1.
struct Driver {
  std::array<std::string, 7> parts = {};
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();  ///< that they give in the zero configuration
};

/// A frame that may have mass. One without is part of whatever it is fixed to; where a joint moves it, it is a body
/// without mass, which only carries others.
struct Link {
  std::string name;  ///< as in the file
  std::string body;  ///< as in the model
  Place place = {};
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();  ///< in the world, in the zero configuration
  std::optional<MassProperties> mass = {};                 ///< in the link's frame
  std::vector<Shape> shapes = {};
  int parent_joint = -1;  ///< that carries it; -1: nothing does
  double lifted = 0;      ///< the part of its weight that is taken off it
  std::optional<Driver> driver = {};
};

enum class JointKind { revolute, prismatic, spherical, planar, fixed, free, screw, universal };

/// How a joint is stopped at the ends of its range.
struct Stop {
  double stiffness = 0, damping = 0;
};

struct Joint {
  std::string name;   ///< as in the file
  std::string label;  ///< as in the model; "" where nothing in the file names it
  Place place = {};
  JointKind kind = JointKind::fixed;
  int first = 0, second = 0;                                                      ///< links
  Eigen::Vector3d at = Eigen::Vector3d::Zero(), axis = Eigen::Vector3d::UnitZ();  ///< in the world
  Eigen::Vector3d other_axis = Eigen::Vector3d::UnitX();                          ///< on the second link: universal
  double pitch = 0;                                                               ///< of a screw: travel in a full turn
  double zero = 0;                                      ///< what the file's coordinate is where the model's is 0
  double stiffness = 0, damping = 0, rest = 0;          ///< of a spring on its coordinate
  double armature = 0;                                  ///< inertia that turns or travels with its coordinate
  double friction = 0;                                  ///< dry, a torque or force of constant size
  double start = 0;                                     ///< away from the zero configuration
  std::optional<std::pair<double, double>> range = {};  ///< of its coordinate, counted as the model counts
  std::optional<Stop> stop = {};                        ///< at the ends of its range
  std::string torque = {};                              ///< of motors, a formula
  std::optional<double> position = {};                  ///< at which it is held
  bool closes = false;                                  ///< a loop; it carries nothing

  /// Does it have one coordinate of its own?
  bool has_coordinate() const {
    return kind == JointKind::revolute || kind == JointKind::prismatic || kind == JointKind::screw;
  }
  /// Name of that coordinate in formulas.
  std::string coordinate() const { return label + (kind == JointKind::prismatic ? ".travel" : ".angle"); }
};

/// second = ratio * first + offset, in the coordinates of two joints.
struct Gear {
  std::string label;
  Place place = {};
  int first = 0, second = 0;
  double ratio = 1, offset = 0;
};

struct Parameter {
  std::string name;
  Place place = {};
  double value = 0;
};

/// An entry of another section of the model: definitions, states, constraints, forces, starts, simulate.
struct Entry {
  std::string section, name;
  yaml::Node value;
};

struct Robot {
  std::string name;
  std::string file;
  std::string link_word, mass_word;  ///< what the format calls a link, and what gives it mass
  std::string range_word = "<limit>";
  Eigen::Vector3d gravity = {0, 0, -9.81};
  Place gravity_place = {};
  std::vector<Link> links = {Link{"ground", "ground"}};  ///< the ground first
  std::vector<Joint> joints;
  std::vector<Gear> gears;
  std::vector<Parameter> parameters;
  std::vector<Entry> entries;
};

/// A robot file as the tree of a model file, and what of it was left out.
struct Imported {
  yaml::Node tree;
  std::vector<std::string> notes;
};

/// For each link, the one whose body it belongs to: itself if it has mass, otherwise the link that it is rigidly
/// fixed to, and where that has none either, the first of them that a joint moves.
std::vector<int> carriers(const Robot& robot);

yaml::Node tree_of(const Robot& robot);

}  // namespace taut::robot
