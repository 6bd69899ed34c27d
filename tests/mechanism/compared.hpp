#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>
#include <vector>

#include "taut/model.hpp"
#include "taut/simulation.hpp"

/// Runs in one kind of coordinates, compared with those in the other.
namespace taut::testing {

inline Summary run_in(Coordinates coordinates, const Model& model, Options options) {
  options.coordinates = coordinates;
  options.record = false;
  return simulate(model, options).summary;
}

inline double largest(const std::vector<NamedValue>& values) {
  double most = 0;
  for (const NamedValue& value : values) most = std::max(most, std::abs(value.value));
  return most;
}

/// Every value of the first list is in the second, and the same but for `tolerance` of the largest, or of 1.
inline void expect_same(const std::vector<NamedValue>& bodies, const std::vector<NamedValue>& joints, double tolerance,
                        const std::string& what) {
  std::unordered_map<std::string, double> values;
  for (const NamedValue& value : joints) values[value.name] = value.value;
  const double allowed = tolerance * std::max(1.0, largest(bodies));
  for (const NamedValue& value : bodies) {
    ASSERT_TRUE(values.contains(value.name)) << what << " has no " << value.name;
    EXPECT_NEAR(value.value, values[value.name], allowed) << what << ": " << value.name;
  }
}

inline void expect_same_reactions(const Summary& bodies, const Summary& joints, double tolerance) {
  ASSERT_EQ(bodies.final_joints.size(), joints.final_joints.size());
  double most = 1;
  for (const JointState& joint : bodies.final_joints)
    for (int k = 0; k < 3; ++k)
      if (joint.unique == true) most = std::max({most, std::abs(joint.force[k]), std::abs(joint.torque[k])});
  for (std::size_t j = 0; j < bodies.final_joints.size(); ++j) {
    const JointState &a = bodies.final_joints[j], &b = joints.final_joints[j];
    EXPECT_EQ(a.unique, b.unique) << a.name;
    if (a.unique != true) continue;
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(a.force[k], b.force[k], tolerance * most) << a.name << ", force " << k;
      EXPECT_NEAR(a.torque[k], b.torque[k], tolerance * most) << a.name << ", torque " << k;
    }
  }
}

}  // namespace taut::testing
