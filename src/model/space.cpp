#include "taut/space.hpp"

namespace taut {

Vector3 operator-(const Vector3& a) { return {-a.x, -a.y, -a.z}; }
Vector3 operator+(const Vector3& a, const Vector3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Vector3 operator-(const Vector3& a, const Vector3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Vector3 operator*(const Expression& factor, const Vector3& a) { return {factor * a.x, factor * a.y, factor * a.z}; }
Vector3& operator+=(Vector3& a, const Vector3& b) { return a = a + b; }

Expression dot(const Vector3& a, const Vector3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

Expression norm(const Vector3& a) { return sqrt(dot(a, a)); }

Vector3 normalized(const Vector3& a) {
  const Expression length = norm(a);
  return {a.x / length, a.y / length, a.z / length};
}

Vector3 dot(const Vector3& a) { return {dot(a.x), dot(a.y), dot(a.z)}; }

Quaternion operator*(const Quaternion& a, const Quaternion& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

Quaternion conjugate(const Quaternion& a) { return {a.w, -a.x, -a.y, -a.z}; }

Quaternion normalized(const Quaternion& a) {
  const Expression length = sqrt(a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z);
  return {a.w / length, a.x / length, a.y / length, a.z / length};
}

Quaternion rotation_about(const Vector3& axis, const Expression& angle) {
  const Vector3 v = sin(angle / 2) * normalized(axis);
  return {cos(angle / 2), v.x, v.y, v.z};
}

Vector3 Rotation::operator*(const Vector3& a) const { return a.x * columns[0] + a.y * columns[1] + a.z * columns[2]; }

Vector3 Rotation::back(const Vector3& a) const { return {dot(columns[0], a), dot(columns[1], a), dot(columns[2], a)}; }

Rotation rotation_of(const Quaternion& q) {
  const auto& [w, x, y, z] = q;
  return {{Vector3{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
           Vector3{2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
           Vector3{2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}}};
}

}  // namespace taut
