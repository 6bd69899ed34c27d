#pragma once

#include "taut/model.hpp"

/// What every kind of force element is written in. A kind is one function that says, by formulas, what acts on
/// which motion; it stands in a file of its own and in the list of list.cpp.
namespace taut {

class ForceBuilder {
 public:
  ForceBuilder(Model& model, const ForceDescription& description, Force& force);

  const ForceDescription& given;
  const Body& first;
  const Body& second;

  /// The unit vector along a direction that was given; refuses one of no length.
  Vector3 unit(const Vector3& direction, const char* what) const;
  /// The vector that acts on the second body, in world axes: `value`, or `value` along `axis`.
  Vector3 acting() const;
  /// What was given for each of the three axes, or once for all of them; zero where it was not.
  static Vector3 in_each_axis(const std::vector<Expression>& given);

  /// Components of a force, each with the velocity on which it does work: a force between two bodies works on
  /// the velocity of the second's point against the first's, and so reacts on the first by itself.
  void load(const Vector3& velocity, const Vector3& force);
  void load(const Expression& velocity, const Expression& force);
  void potential(const Expression& energy);

  /// Where it acts, for drawing.
  void acts_at(std::vector<Vector3> points) { force_.points = std::move(points); }
  /// Lets formulas use FORCE.PART.
  void name(const std::string& part, const Expression& value) { force_.parts.emplace_back(part, value); }
  void name(const char* letter, const Vector3& value);

  [[noreturn]] void refuse(const std::string& message, const std::string& remedy) const;

  Model& model() { return model_; }

 private:
  void add_load(std::vector<Expression> velocity, std::vector<Expression> force);

  Model& model_;
  Force& force_;
};

/// One kind of force element.
struct ForceKind {
  PartType type;
  void (*build)(ForceBuilder& force);
};
const std::vector<ForceKind>& force_kinds();

// One file each.
void build_force(ForceBuilder& force);
void build_torque(ForceBuilder& force);
void build_spring(ForceBuilder& spring);
void build_torsion_spring(ForceBuilder& spring);
void build_bushing(ForceBuilder& bushing);

}  // namespace taut
