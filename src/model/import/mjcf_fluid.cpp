#include <fmt/format.h>

#include <array>
#include <cmath>

#include "model/import/body_vectors.hpp"
#include "model/import/mjcf_reading.hpp"
#include "model/import/node.hpp"
#include "model/principal_axes.hpp"

/// What air or water does to a body, which MuJoCo takes for a box with the body's inertia: edges e along its principal
/// axes, d the mean of them. With u the velocity of its centre against the wind, and ω, in those axes:
///   viscosity β   F = −3π d β u            T = −π d³ β ω
///   density ρ     Fᵢ = −ρ/2 eⱼ eₖ |uᵢ| uᵢ    Tᵢ = −ρ/64 eᵢ (eⱼ⁴ + eₖ⁴) |ωᵢ| ωᵢ
namespace taut::robot {
namespace {

using Eigen::Vector3d;

constexpr std::array<char, 3> axis_letters{'x', 'y', 'z'};

struct InertiaBox {
  Eigen::Matrix3d axes;  ///< in those of the body
  Vector3d edges;
};

InertiaBox box_of(const MassProperties& mass) {
  PrincipalAxes found = principal_axes(mass.inertia);
  if (mass.axes) found = {(mass.axes->transpose() * mass.inertia * *mass.axes).diagonal(), *mass.axes};
  InertiaBox box{found.axes, {}};
  for (int k = 0; k < 3; ++k)
    box.edges[k] = std::sqrt(6 * std::max(1e-15, found.moments.sum() - 2 * found.moments[k]) / mass.mass);
  return box;
}

class FluidForces {
 public:
  FluidForces(MjcfReading& in, const Link& link) : in_(in), link_(link), box_(box_of(*link.mass)) {}

  void add() const {
    if (in_.fluid.viscosity != 0) add_viscous();
    if (in_.fluid.density != 0) add_inertial();
  }

 private:
  /// Of the centre of mass against the wind, in the axes of the world.
  Components velocity() const {
    Components made;
    for (std::size_t k = 0; k < 3; ++k) {
      const double wind = in_.fluid.wind[static_cast<int>(k)];
      made[k] = fmt::format("{}.v{}", link_.body, axis_letters[k]);
      if (wind != 0) made[k] = fmt::format("({} - {})", made[k], text_of(wind));
    }
    return made;
  }
  Components spin() const { return {link_.body + ".omega_x", link_.body + ".omega_y", link_.body + ".omega_z"}; }

  void add_viscous() const {
    const double d = box_.edges.mean(), viscosity = in_.fluid.viscosity;
    const auto scaled = [](double factor, Components parts) {
      for (std::string& part : parts) part = times(factor, part);
      return parts;
    };
    put_force("drag_force", "force", scaled(-3 * M_PI * d * viscosity, velocity()), false);
    put_force("drag_torque", "torque", scaled(-M_PI * d * d * d * viscosity, spin()), false);
  }

  void add_inertial() const {
    const Vector3d e = box_.edges, fourth = e.array().pow(4);
    Vector3d push, twist;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      push[i] = -in_.fluid.density / 2 * e[j] * e[k];
      twist[i] = -in_.fluid.density / 64 * e[i] * (fourth[j] + fourth[k]);
    }
    put_force("push", "force", in_body(push, squares("air", velocity())), true);
    put_force("twist", "torque", in_body(twist, squares("spin", spin())), true);
  }

  /// |u| u of each component along the axes of the box. With a root, so that there is no kink for steps to end at, and
  /// with 1e-20, so that it has a slope at 0.
  Components squares(const std::string& name, const Components& in_world) const {
    Components made;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::string part =
          in_.define(fmt::format("{}_{}_{}", link_.body, name, axis_letters[k]), along(k, in_world), link_.place);
      made[k] = fmt::format("{0}*sqrt({0}^2 + 1e-20)", part);
    }
    return made;
  }

  /// A vector's component along an axis of the box, which is where the point one metre along it is from the centre.
  std::string along(std::size_t axis, const Components& in_world) const {
    const Vector3d p = box_.axes.col(static_cast<int>(axis));
    std::string sum;
    for (std::size_t k = 0; k < 3; ++k)
      sum = sum_of(sum, fmt::format("(point({0}, [{1}, {2}, {3}]).{4} - {0}.{4})*{5}", link_.body, p.x(), p.y(), p.z(),
                                    axis_letters[k], in_world[k]));
    return sum;
  }

  /// Components along the axes of the box, each with a factor, as components in the axes of the body.
  Components in_body(const Vector3d& factors, const Components& parts) const {
    Components made;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k) {
        const double factor = box_.axes(static_cast<int>(i), static_cast<int>(k)) * factors[static_cast<int>(k)];
        if (factor != 0) made[i] = sum_of(made[i], times(factor, parts[k]));
      }
    return made;
  }

  void put_force(const std::string& what, const char* type, const Components& parts, bool in_axes_of_body) const {
    yaml::Node value = list(link_.place), made = mapping(link_.place);
    for (const std::string& part : parts) value.items.push_back(scalar(part.empty() ? "0" : part, link_.place));
    put(made, "type", scalar(type, link_.place));
    put(made, "body", scalar(link_.body, link_.place));
    if (in_axes_of_body) put(made, "axes", scalar("body", link_.place));
    put(made, "value", std::move(value));
    in_.add("forces", in_.names.take(fmt::format("{}_{}", link_.body, what), "force", link_.place), std::move(made));
  }

  MjcfReading& in_;
  const Link& link_;
  InertiaBox box_;
};

}  // namespace

void add_fluid_forces(MjcfReading& in) {
  const MjcfFluid& fluid = in.fluid;
  if ((fluid.viscosity == 0 && fluid.density == 0) || in.findings.leaves_out("fluid")) return;
  if (fluid.ellipsoid.line > 0)
    in.findings.unsupported("fluid", fluid.ellipsoid, "air or water around the ellipsoid of a geom");
  for (const Link& link : in.robot.links)
    if (link.mass && link.mass->mass > 0) FluidForces(in, link).add();
}

}  // namespace taut::robot
