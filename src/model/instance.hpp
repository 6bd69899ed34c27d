#pragma once

#include <optional>
#include <string>

#include "taut/space.hpp"

/// A model inside another one: what the section `parts:` says of it.
namespace taut {

/// Where a part stands in the world, and how it is turned there.
struct Placement {
  Vector3 at;
  Quaternion turn;
  std::optional<Expression> angle;  ///< about z; none where it turns about anything else

  Vector3 point(const Vector3& in_part) const { return at + direction(in_part); }
  Vector3 direction(const Vector3& in_part) const { return rotation_of(turn) * in_part; }
  /// Where that stands which stands at `inner` in this part.
  Placement operator*(const Placement& inner) const;
};

struct Instance {
  std::string prefix;                  ///< of its names in the whole model: "left.knee."
  std::string file;                    ///< that describes it
  const Instance* around = nullptr;    ///< the part that it is a part of; null: the model itself
  int index = -1;                      ///< in Model::parts
  std::optional<Placement> placement;  ///< in the world; none where nothing moves it

  /// "left.knee".
  std::string name() const { return prefix.substr(0, prefix.size() - 1); }
};

}  // namespace taut
