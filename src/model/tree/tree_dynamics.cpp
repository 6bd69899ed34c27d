#include "model/tree/tree_dynamics.hpp"

#include <algorithm>

/// R. Featherstone, Rigid Body Dynamics Algorithms (2008): chapter 5, the recursive Newton–Euler algorithm, and chapter
/// 6, the composite-rigid-body algorithm; here with forces and torques apart, so that zeros stay zeros.
namespace taut {
namespace {

using Motion = Link::Motion;
using Inertia = std::vector<Expression>;  ///< xx, yy, zz, xy, xz, yz

Vector3 times(const Inertia& I, const Vector3& w) {
  return {I[0] * w.x + I[3] * w.y + I[4] * w.z, I[3] * w.x + I[1] * w.y + I[5] * w.z,
          I[4] * w.x + I[5] * w.y + I[2] * w.z};
}

/// Where the entry of a row and a column stands.
int place(int i, int j) { return i == j ? i : i + j + 2; }

/// Turned about one axis, whose neighbours are x and y: with Δ = (xx − yy) s + 2 xy c,
///   xx' = xx − s Δ,   yy' = yy + s Δ,   xy' = c Δ − xy.
Inertia turned_about(const Inertia& I, int axis, const Expression& c, const Expression& s) {
  const int x = (axis + 1) % 3, y = (axis + 2) % 3;
  const Expression& xx = I[place(x, x)];
  const Expression& yy = I[place(y, y)];
  const Expression& xy = I[place(x, y)];
  const Expression& xz = I[place(x, axis)];
  const Expression& yz = I[place(y, axis)];
  const Expression delta = s * (xx - yy) + 2 * (c * xy);
  Inertia turned = I;
  turned[place(x, x)] = xx - s * delta;
  turned[place(y, y)] = yy + s * delta;
  turned[place(x, y)] = c * delta - xy;
  turned[place(x, axis)] = c * xz - s * yz;
  turned[place(y, axis)] = s * xz + c * yz;
  return turned;
}

/// R I Rᵀ.
Inertia turned_by(const Inertia& I, const Rotation& R) {
  Inertia turned(6);
  Rotation IRt;  // columns: I times the rows of R
  for (int j = 0; j < 3; ++j) IRt.columns[j] = times(I, {R.columns[0][j], R.columns[1][j], R.columns[2][j]});
  for (int j = 0; j < 3; ++j) {
    const Vector3 column = R * IRt.columns[j];
    for (int i = 0; i <= j; ++i) turned[place(i, j)] = column[i];
  }
  return turned;
}

/// All that is beyond a joint.
struct Composite {
  Expression mass = 0;
  Vector3 moment;
  Inertia inertia = Inertia(6, Expression(0));
};

/// In the axes of the link before, about the same point.
Composite in_axes_before(const Composite& c, const Link& link) {
  if (link.motion == Motion::travel || link.motion == Motion::none) return c;
  Composite result{c.mass, link.R * c.moment, {}};
  if (link.motion == Motion::ball) {
    result.inertia = turned_by(c.inertia, link.R);
  } else {
    result.inertia = turned_about(c.inertia, link.axis, link.cosine, link.sine);
    if (!link.is_fixed_identity) result.inertia = turned_by(result.inertia, link.fixed);
  }
  return result;
}

/// Adds what stands about a point at r: with h = ∫ρ dm about that point, I += I + 2 (r·h) 1 − r hᵀ − h rᵀ + m (r·r 1 −
/// r rᵀ).
void add_at(Composite& sum, const Composite& part, const Vector3& r) {
  const Vector3& h = part.moment;
  const Vector3 k = h + Expression(0.5) * (part.mass * r);  // so that both terms are of one form
  const Expression trace = 2 * dot(r, k);
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i <= j; ++i) {
      Expression entry = part.inertia[place(i, j)] - (r[i] * k[j] + k[i] * r[j]);
      if (i == j) entry += trace;
      sum.inertia[place(i, j)] += entry;
    }
  sum.moment += h + part.mass * r;
  sum.mass += part.mass;
}

/// What it takes to accelerate a composite by one unit along a freedom, in the axes before, about the link's origin.
std::vector<Wrench> columns(const Link& link, const Composite& c) {
  const Vector3& a = link.direction;
  const auto turn = [&](const Vector3& axis) { return Wrench{cross(axis, c.moment), times(c.inertia, axis)}; };
  const Wrench travel{c.mass * a, cross(c.moment, a)};
  switch (link.motion) {
    case Motion::turn:
      return {turn(a)};
    case Motion::travel:
      return {travel};
    case Motion::thread: {
      const Wrench about = turn(a);
      return {{about.force + link.lead * travel.force, about.torque + link.lead * travel.torque}};
    }
    case Motion::ball:
      return {turn({1, 0, 0}), turn({0, 1, 0}), turn({0, 0, 1})};
    default:
      return {};
  }
}

/// The same along freedoms as along_freedoms, of a wrench in the axes before.
std::vector<Expression> along_before(const Link& link, const Wrench& w) {
  switch (link.motion) {
    case Motion::turn:
      return {dot(link.direction, w.torque)};
    case Motion::travel:
      return {dot(link.direction, w.force)};
    case Motion::thread:
      return {dot(link.direction, w.torque) + link.lead * dot(link.direction, w.force)};
    case Motion::ball:
      return {w.torque.x, w.torque.y, w.torque.z};
    default:
      return {};
  }
}

/// About the origin of the link before, of a wrench in its axes about that of the link.
Wrench about_origin_before(const Link& link, const Wrench& w) { return {w.force, w.torque + cross(link.r, w.force)}; }

Wrench in_axes_before(const Link& link, const Wrench& w) { return {link.R * w.force, link.R * w.torque}; }

/// How a link moves, in its own axes.
struct Moving {
  Vector3 omega, alpha, acceleration;

  /// ω̇ × r + ω × (ω × r) as a matrix times r.
  Rotation relative_acceleration() const {
    const auto& [x, y, z] = omega;
    const Expression xx = x * x, yy = y * y, zz = z * z, xy = x * y, xz = x * z, yz = y * z;
    return {{Vector3{-(yy + zz), xy + alpha.z, xz - alpha.y}, Vector3{xy - alpha.z, -(xx + zz), yz + alpha.x},
             Vector3{xz + alpha.y, yz - alpha.x, -(xx + yy)}}};
  }
};

Moving moving(const Link& link, const Moving& p, bool accelerated) {
  if (link.motion == Motion::none) return p;  // as a weld: its origin is that of the link before
  const auto in_parent = [&](const std::vector<Expression>& rates) -> Vector3 {
    if (link.motion == Motion::ball) return {rates[0], rates[1], rates[2]};
    return rates[0] * link.direction;
  };
  const Vector3 u = in_parent(link.rates);
  const Vector3 du = accelerated ? in_parent(link.accelerations) : Vector3{};
  const bool turns = link.motion != Motion::travel, travels = !link.lead.is_zero() || !turns;
  const Expression share = turns ? link.lead : Expression(1);
  Vector3 a = p.acceleration + p.relative_acceleration() * link.r;
  if (travels) a += share * (du + Expression(2) * cross(p.omega, u));
  if (!turns) return {p.omega, p.alpha, a};
  const auto& R = link.R;
  if (link.motion == Motion::ball) return {R.back(p.omega + u), R.back(p.alpha + du + cross(p.omega, u)), R.back(a)};
  const Vector3 e = link.own_axis(), before = R.back(p.omega);
  Vector3 alpha = R.back(p.alpha) + link.rates[0] * cross(before, e);
  if (accelerated) alpha += link.accelerations[0] * e;
  return {before + link.rates[0] * e, alpha, R.back(a)};
}

/// Velocities of a link, in its own axes.
struct Gliding {
  Vector3 velocity, omega;
};

Gliding gliding(const Link& link, const Gliding& p) {
  if (link.motion == Motion::none) return p;
  const Vector3 v = p.velocity + cross(p.omega, link.r);
  if (link.motion == Motion::ball) {
    const Vector3 u{link.rates[0], link.rates[1], link.rates[2]};
    return {link.R.back(v), link.R.back(p.omega + u)};
  }
  const Vector3 u = link.rates[0] * link.direction;
  if (link.motion == Motion::travel) return {v + u, p.omega};
  return {link.R.back(v + link.lead * u), link.R.back(p.omega) + link.rates[0] * link.own_axis()};
}

}  // namespace

std::vector<JointForm::Entry> composite_mass_matrix(const std::vector<Link>& links) {
  std::vector<Composite> beyond;
  for (const Link& link : links) beyond.push_back({link.mass, link.moment, link.inertia});
  std::vector<JointForm::Entry> entries;
  const auto add = [&](int i, int j, const Expression& value) {
    if (!value.is_zero()) entries.push_back({std::min(i, j), std::max(i, j), value});
  };
  for (std::size_t k = links.size(); k-- > 1;) {
    const Link& link = links[k];
    const Composite here = in_axes_before(beyond[k], link);
    const std::vector<Wrench> efforts = columns(link, here);
    for (std::size_t c = 0; c < efforts.size(); ++c) {
      const int column = link.first_speed + static_cast<int>(c);
      const std::vector<Expression> own = along_before(link, efforts[c]);
      for (std::size_t r = 0; r <= c; ++r)
        add(link.first_speed + static_cast<int>(r), column, r == c ? own[r] + link.armature : own[r]);
      Wrench w = about_origin_before(link, efforts[c]);
      for (int above = link.parent; links[above].parent >= 0; above = links[above].parent) {
        const Link& other = links[above];
        const std::vector<Expression> rows = along_freedoms(other, w);
        for (std::size_t r = 0; r < rows.size(); ++r) add(other.first_speed + static_cast<int>(r), column, rows[r]);
        w = about_origin_before(other, in_axes_before(other, w));
      }
    }
    add_at(beyond[link.parent], here, link.r);
  }
  return entries;
}

std::vector<Wrench> handed_through(const std::vector<Link>& links, const std::vector<Wrench>& applied,
                                   const Vector3& gravity, bool accelerated) {
  std::vector<Moving> motion(links.size());
  std::vector<Wrench> handed(links.size());
  motion[0].acceleration = -gravity;  // weight is felt as an acceleration of the ground
  for (std::size_t k = 1; k < links.size(); ++k) {
    const Link& link = links[k];
    const Moving& m = motion[k] = moving(link, motion[link.parent], accelerated);
    handed[k].force = link.mass * m.acceleration + m.relative_acceleration() * link.moment - applied[k].force;
    handed[k].torque = times(link.inertia, m.alpha) + cross(m.omega, times(link.inertia, m.omega)) +
                       cross(link.moment, m.acceleration) - applied[k].torque;
  }
  for (std::size_t k = links.size(); k-- > 1;) {
    const Link& link = links[k];
    const Wrench w = about_origin_before(link, in_axes_before(link, handed[k]));
    handed[link.parent].force += w.force;
    handed[link.parent].torque += w.torque;
  }
  return handed;
}

std::vector<Expression> along_freedoms(const Link& link, const Wrench& w) {
  switch (link.motion) {
    case Motion::turn:
      return {link.sign * w.torque[link.axis]};
    case Motion::travel:
      return {dot(link.direction, w.force)};
    case Motion::thread:
      return {link.sign * (w.torque[link.axis] + link.lead * w.force[link.axis])};
    case Motion::ball: {
      const Vector3 torque = link.R * w.torque;
      return {torque.x, torque.y, torque.z};
    }
    default:
      return {};
  }
}

Expression kinetic_energy(const std::vector<Link>& links) {
  std::vector<Gliding> states(links.size());
  Expression T = 0;
  for (std::size_t k = 1; k < links.size(); ++k) {
    const Link& link = links[k];
    const auto& [v, w] = states[k] = gliding(link, states[link.parent]);
    T += link.mass / 2 * dot(v, v) + dot(v, cross(w, link.moment)) + dot(w, times(link.inertia, w)) / 2;
  }
  return T;
}

}  // namespace taut
