#pragma once

#include <array>

#include "taut/expression.hpp"
#include "taut/visibility.hpp"

/// Vectors, rotations and unit quaternions whose components are formulas.
namespace taut TAUT_PUBLIC {

struct Vector3 {
  Expression x = 0, y = 0, z = 0;

  const Expression& operator[](int k) const { return k == 0 ? x : k == 1 ? y : z; }
  Expression& operator[](int k) { return k == 0 ? x : k == 1 ? y : z; }
};

Vector3 operator-(const Vector3& a);
Vector3 operator+(const Vector3& a, const Vector3& b);
Vector3 operator-(const Vector3& a, const Vector3& b);
Vector3 operator*(const Expression& factor, const Vector3& a);
Vector3& operator+=(Vector3& a, const Vector3& b);
Expression dot(const Vector3& a, const Vector3& b);
Vector3 cross(const Vector3& a, const Vector3& b);
Expression norm(const Vector3& a);
Vector3 normalized(const Vector3& a);
/// The time derivative of each component.
Vector3 dot(const Vector3& a);

/// w + x i + y j + z k.
struct Quaternion {
  Expression w = 1, x = 0, y = 0, z = 0;

  Vector3 vector() const { return {x, y, z}; }
};

Quaternion operator*(const Quaternion& a, const Quaternion& b);
Quaternion conjugate(const Quaternion& a);
Quaternion normalized(const Quaternion& a);
/// The rotation by `angle` about `axis`, which need not be of unit length.
Quaternion rotation_about(const Vector3& axis, const Expression& angle);

/// A rotation as the images of the three axes.
struct Rotation {
  std::array<Vector3, 3> columns{Vector3{1, 0, 0}, Vector3{0, 1, 0}, Vector3{0, 0, 1}};

  Vector3 operator*(const Vector3& a) const;
  /// Rᵀ a.
  Vector3 back(const Vector3& a) const;
};

/// Of a quaternion of unit length.
Rotation rotation_of(const Quaternion& q);

}  // namespace TAUT_PUBLIC
