#include "hunt/mechanism_motion.hpp"

#include <cmath>
#include <stdexcept>

#include "hunt/extrapolation.hpp"
#include "hunt/quadruple.hpp"

namespace taut::hunt {
namespace {

Triple<Real> triple(const State& y, std::size_t from) { return {y[from], y[from + 1], y[from + 2]}; }
Quadruple quaternion(const State& y, int body) {
  return normal({y[13 * body + 3], y[13 * body + 4], y[13 * body + 5], y[13 * body + 6]});
}

Triple<Real> elementwise(const std::array<double, 3>& a, const Triple<Real>& b) {
  return {a[0] * b[0], a[1] * b[1], a[2] * b[2]};
}

/// Of numbers along the motion: how they are, and how they change.
MechanismMotion::Column values(const Row<Dual<Real>>& row) {
  MechanismMotion::Column out(row.h.size());
  for (std::size_t i = 0; i < row.h.size(); ++i) out(i) = row.h[i].value;
  return out;
}
MechanismMotion::Column slopes(const Row<Dual<Real>>& row) {
  MechanismMotion::Column out(row.h.size());
  for (std::size_t i = 0; i < row.h.size(); ++i) out(i) = row.h[i].slope;
  return out;
}

}  // namespace

Frame<Real> drawn_frame(const Solid& solid) {
  const Quadruple q = normal({solid.turn[0], solid.turn[1], solid.turn[2], solid.turn[3]});
  Frame<Real> frame;
  frame.place = wide(solid.place);
  for (int i = 0; i < 3; ++i) {
    Triple<Real> e{0, 0, 0};
    e[i] = 1;
    frame.columns[i] = rotated(q, e);
  }
  return frame;
}

/// Everything is in the columns that bodies have; rows have the size 1 in the metric of the whole mass.
struct MechanismMotion::Instant {
  Matrix mass, rows;
  Column force, target, c, scale, acceleration, multipliers;
  Matrix response;  ///< (M + HᵀH)⁻¹ Hᵀ
  Eigen::LLT<Matrix> metric, tied;
};

MechanismMotion::MechanismMotion(const Mechanism& mechanism)
    : mechanism_(mechanism), count_(static_cast<int>(mechanism.solids.size())) {
  for (int k = 0; k < count_; ++k) {
    const Solid& solid = mechanism.solids[k];
    weight_ += solid.mass;
    for (int i = 0; i < 6; ++i)
      if (!solid.planar || i < 2 || i == 5) active_.push_back(6 * k + i);
    const Quadruple q = normal({solid.turn[0], solid.turn[1], solid.turn[2], solid.turn[3]});
    start_.insert(start_.end(), {solid.place[0], solid.place[1], solid.place[2], q[0], q[1], q[2], q[3]});
    start_.insert(start_.end(), 6, 0);
  }
  start_.insert(start_.end(), mechanism.ties.size(), 0);
  drawn_ = frames(start_);
  choose();
  set_off();
}

/// From where it is drawn to where joints lead it, or with the speeds of its bodies.
void MechanismMotion::set_off() {
  if (mechanism_.led) {
    start_ = integrate([this](Real, const State& y) { return along(y, led_speeds(y, false)); }, 0, 1, start_, 1e-16L);
    const Column u = led_speeds(start_, true);
    for (int i = 0; i < 6 * count_; ++i) start_[13 * (i / 6) + 7 + i % 6] = u(i);
    return;
  }
  Column z = Column::Zero(active_.size());
  for (std::size_t i = 0; i < active_.size(); ++i) z(i) = mechanism_.motion[active_[i]];
  const Column u = allowed(0, start_, z, true);
  for (std::size_t i = 0; i < active_.size(); ++i) start_[13 * (active_[i] / 6) + 7 + active_[i] % 6] = u(i);
}

MechanismMotion::Column MechanismMotion::led_speeds(const State& y, bool rates) const {
  const auto still = frames(y);
  const Rows<Real> rows(mechanism_, drawn_, still, 0);
  std::vector<const Row<Real>*> list;
  std::vector<Real> wanted;
  const bool tree = freedoms_ > 1;
  for (const int k : kept_) list.push_back(&rows.rows[k]), wanted.push_back(0);
  for (std::size_t k = 0; k < mechanism_.ties.size(); ++k) {
    const Tie& tie = mechanism_.ties[k];
    const auto& given = rates ? tie.rates : tie.led;
    for (const int i : {0, 1}) {
      const Row<Real>& row = i == 0 ? rows.angles[k] : rows.travels[k];
      if (row.h.empty() || (!tree && !given) || (tie.type == "screw" && i == 1)) continue;
      list.push_back(&row);
      wanted.push_back(given ? (*given)[i] : 0);
    }
  }
  Matrix J(list.size(), active_.size());
  Column right(list.size());
  for (std::size_t r = 0; r < list.size(); ++r) {
    right(r) = wanted[r];
    for (std::size_t i = 0; i < active_.size(); ++i) J(r, i) = list[r]->h[active_[i]];
  }
  const Eigen::ColPivHouseholderQR<Matrix> qr(J);
  const Column diagonal = qr.matrixQR().diagonal().cwiseAbs();
  if (J.rows() < J.cols() || !(diagonal.minCoeff() > 0.02L * diagonal.maxCoeff()))
    throw std::runtime_error("near a singular position, or not led alone");
  const Column u = qr.solve(right);
  Column out = Column::Zero(6 * count_);
  for (std::size_t i = 0; i < active_.size(); ++i) out(active_[i]) = u(i);
  return out;
}

/// How a state changes with these speeds; speeds themselves stay.
State MechanismMotion::along(const State& y, const Column& u) const {
  State out(y.size(), 0);
  const auto still = frames(y);
  const Rows<Real> rows(mechanism_, drawn_, still, 0);
  for (int k = 0; k < count_; ++k) {
    const Quadruple q{y[13 * k + 3], y[13 * k + 4], y[13 * k + 5], y[13 * k + 6]};
    const Quadruple change = product({0, u(6 * k + 3) / 2, u(6 * k + 4) / 2, u(6 * k + 5) / 2}, q);
    for (int i = 0; i < 3; ++i) out[13 * k + i] = u(6 * k + i);
    for (int i = 0; i < 4; ++i) out[13 * k + 3 + i] = change[i];
  }
  for (std::size_t k = 0; k < mechanism_.ties.size(); ++k)
    for (std::size_t i = 0; i < rows.angles[k].h.size(); ++i) out[13 * count_ + k] += rows.angles[k].h[i] * u(i);
  return out;
}

std::vector<Frame<Real>> MechanismMotion::frames(const State& y) const {
  std::vector<Frame<Real>> list(count_);
  for (int k = 0; k < count_; ++k) {
    list[k].place = triple(y, 13 * k);
    for (int i = 0; i < 3; ++i) {
      Triple<Real> e{0, 0, 0};
      e[i] = 1;
      list[k].columns[i] = rotated(quaternion(y, k), e);
    }
  }
  return list;
}

std::vector<Frame<MechanismMotion::Number>> MechanismMotion::moving(const State& y) const {
  const std::vector<Frame<Real>> still = frames(y);
  std::vector<Frame<Number>> list(count_);
  for (int k = 0; k < count_; ++k) {
    const Triple<Real> spin = triple(y, 13 * k + 10);
    for (int i = 0; i < 3; ++i) {
      list[k].place[i] = {still[k].place[i], y[13 * k + 7 + i]};
      const Triple<Real> change = cross(spin, still[k].columns[i]);
      for (int j = 0; j < 3; ++j) list[k].columns[i][j] = {still[k].columns[i][j], change[j]};
    }
  }
  return list;
}

MechanismMotion::Column MechanismMotion::twists(const State& y) const {
  Column u(6 * count_);
  for (int k = 0; k < count_; ++k)
    for (int i = 0; i < 6; ++i) u(6 * k + i) = y[13 * k + 7 + i];
  return u;
}

Real MechanismMotion::travel(const State& y, int tie) const {
  const Tie& given = mechanism_.ties[tie];
  const auto now = frames(y);
  const Rows<Real> rows({.solids = mechanism_.solids}, drawn_, now, 0);
  const Triple<Real> apart =
      difference(rows.carried(given.second, wide(given.at)), rows.carried(given.first, wide(given.at)));
  return dot(rows.turned(given.first, unit_along(given.axis)), apart);
}

Real MechanismMotion::effort(Real t, int tie, Real coordinate, Real rate) const {
  const Tie& given = mechanism_.ties[tie];
  Real out = 0;
  if (given.motor == Tie::Motor::torque) out += given.size * std::sin(Real(given.w) * t);
  if (given.lower) {
    const Real depth = Real(*given.lower) - coordinate;
    out += stop_force(given, depth) - given.stop_damping * stop_hold(given, depth) * rate;
  }
  if (given.upper) {
    const Real depth = coordinate - Real(*given.upper);
    out -= stop_force(given, depth) + given.stop_damping * stop_hold(given, depth) * rate;
  }
  return out;
}

MechanismMotion::Column MechanismMotion::pull(Real t, const State& y, const Pull& given) const {
  const auto still = frames(y);
  const Column u = twists(y);
  const Rows<Real> here({.solids = mechanism_.solids}, drawn_, still, 0);
  Row<Real> row = here.empty();
  const auto axes = [&](int body, int i) {
    Triple<Real> e{0, 0, 0};
    e[i] = 1;
    return body < 0 ? e : still[body].columns[i];
  };
  const auto act = [&](Row<Real>& direction, Real size) {
    Column out(6 * count_);
    for (int i = 0; i < out.size(); ++i) out(i) = size * direction.h[i];
    return out;
  };
  const auto rate_of = [&](const Row<Real>& direction) {
    Real rate = 0;
    for (int i = 0; i < u.size(); ++i) rate += direction.h[i] * u(i);
    return rate;
  };
  if (given.type == "spring") {
    const Triple<Real> from = here.carried(given.first, wide(given.at)),
                       to = here.carried(given.second, wide(given.to));
    const Triple<Real> d = difference(to, from);
    const Real length = std::sqrt(dot(d, d));
    const Triple<Real> n = times(1 / length, d);
    here.push(row, given.second, to, n, 1);
    here.push(row, given.first, from, n, -1);
    return act(row, -given.stiffness[0] * (length - given.length) - given.damping[0] * rate_of(row));
  }
  Column out = Column::Zero(6 * count_);
  const Triple<Real> point = here.carried(given.second, wide(given.at));
  if (given.type == "force" || given.type == "torque") {
    Triple<Real> value = times(std::cos(Real(given.w) * t), wide(given.value));
    if (given.in_body) value = still[given.second].turned(value);
    if (given.type == "force") {
      here.push(row, given.second, point, value, 1);
      if (given.first >= 0) here.push(row, given.first, point, value, -1);
    } else {
      here.twist(row, given.second, value, 1);
      here.twist(row, given.first, value, -1);
    }
    return act(row, 1);
  }
  // A bushing: along and about the first body's axes.
  const Quadruple one{1, 0, 0, 0};
  const auto turn = [&](const State& at, int body) { return body < 0 ? one : quaternion(at, body); };
  const Quadruple relative = product(conjugate(turn(y, given.first)), turn(y, given.second)),
                  before = product(conjugate(turn(start_, given.first)), turn(start_, given.second)),
                  e = product(relative, conjugate(before));
  const Triple<Real> v{e[1], e[2], e[3]}, s = times(Real(4), elementwise(given.torsion, v));
  const Triple<Real> torque = times(Real(-0.5L), sum(times(e[0], s), cross(v, s)));
  const Triple<Real> apart = difference(point, here.carried(given.first, wide(given.at)));
  for (int i = 0; i < 3; ++i) {
    const Triple<Real> n = axes(given.first, i);
    Row<Real> along = here.empty(), about = here.empty();
    here.push(along, given.second, point, n, 1);
    here.push(along, given.first, point, n, -1);
    here.twist(about, given.second, n, 1);
    here.twist(about, given.first, n, -1);
    out += act(along, -given.stiffness[i] * dot(n, apart) - given.damping[i] * rate_of(along));
    out += act(about, torque[i] - given.torsion_damping[i] * rate_of(about));
  }
  return out;
}

/// Mass and force in all columns.
void MechanismMotion::push_bodies(Real t, const State& y, const Rows<Number>& rows, Instant& now) const {
  const auto still = frames(y);
  const Column u = twists(y);
  now.mass = Matrix::Zero(6 * count_, 6 * count_);
  now.force = Column::Zero(6 * count_);
  for (int k = 0; k < count_; ++k) {
    const Solid& solid = mechanism_.solids[k];
    const auto& j = solid.inertia;
    Eigen::Matrix<Real, 3, 3> own, axes;
    own << j[0], j[3], j[4], j[3], j[1], j[5], j[4], j[5], j[2];
    for (int i = 0; i < 3; ++i)
      for (int l = 0; l < 3; ++l) axes(l, i) = still[k].columns[i][l];
    const Eigen::Matrix<Real, 3, 3> about = axes * own * axes.transpose();
    now.mass.block(6 * k + 3, 6 * k + 3, 3, 3) = about;
    const Eigen::Matrix<Real, 3, 1> spin = u.segment(6 * k + 3, 3), momentum = about * spin;
    now.force.segment(6 * k + 3, 3) = -spin.cross(momentum);
    for (int i = 0; i < 3; ++i) {
      now.mass(6 * k + i, 6 * k + i) = solid.mass;
      now.force(6 * k + i) = solid.mass * Real(mechanism_.gravity[i]);
    }
  }
  for (const Pull& given : mechanism_.pulls) now.force += pull(t, y, given);
  for (std::size_t k = 0; k < mechanism_.ties.size(); ++k) {
    const Tie& tie = mechanism_.ties[k];
    if (!tie.has_coordinate() || !tie.acts()) continue;
    const Column g = values(rows.coordinate(k)), change = slopes(rows.coordinate(k));
    const Real rate = g.dot(u), c = tie.turns() ? angle(y, k) : travel(y, k);
    now.force += g * (effort(t, k, c, rate) - tie.stiffness * (c - tie.rest) - tie.damping * rate);
    if (tie.armature > 0) {
      now.mass += tie.armature * g * g.transpose();
      now.force -= tie.armature * change.dot(u) * g;
    }
  }
}

MechanismMotion::Instant MechanismMotion::at(Real t, const State& y) const {
  const auto frames_now = moving(y);
  const Rows<Number> rows(mechanism_, drawn_, frames_now, Number(t, 1));
  Instant now;
  push_bodies(t, y, rows, now);
  const Column u = twists(y);
  const int n = static_cast<int>(active_.size()), m = static_cast<int>(kept_.size());
  now.rows.resize(m, n);
  now.target.resize(m), now.c.resize(m), now.scale.resize(m);
  for (int k = 0; k < m; ++k) {
    const Row<Number>& row = rows.rows[kept_[k]];
    Real size = 0;
    for (int i = 0; i < n; ++i) {
      const Real h = row.h[active_[i]].value, metric = active_[i] % 6 < 3 ? 1 : Real(mechanism_.size) * mechanism_.size;
      size += h * h / (metric * weight_);
    }
    now.scale(k) = std::sqrt(size);
    for (int i = 0; i < n; ++i) now.rows(k, i) = row.h[active_[i]].value / now.scale(k);
    now.target(k) = -(slopes(row).dot(u) + row.c.slope) / now.scale(k);
    now.c(k) = row.c.value / now.scale(k);
  }
  Matrix metric(n, n);
  Column force(n);
  for (int i = 0; i < n; ++i) {
    force(i) = now.force(active_[i]);
    for (int j = 0; j < n; ++j) metric(i, j) = now.mass(active_[i], active_[j]);
  }
  metric += now.rows.transpose() * now.rows;
  now.metric.compute(metric);
  now.response = now.metric.solve(now.rows.transpose());
  const Matrix pivots = now.metric.matrixL();
  for (int i = 0; i < n; ++i)
    if (!(pivots(i, i) * pivots(i, i) > 1e-13L * metric(i, i)))
      throw std::runtime_error("a body without inertia moves freely");
  now.tied.compute(now.rows * now.response);
  const Matrix factor = now.tied.matrixL();
  for (int k = 0; k < m; ++k)
    if (!(factor(k, k) > 1e-2L)) throw std::runtime_error("near a singular position");
  const Column free = now.metric.solve(force + now.rows.transpose() * now.target);
  now.multipliers = now.tied.solve(now.target - now.rows * free);
  now.acceleration = free + now.response * now.multipliers;
  return now;
}

/// Rows that touch what bodies have; of these, those that no others imply, the most independent first.
void MechanismMotion::choose() {
  const auto frames_now = moving(start_);
  const Rows<Number> rows(mechanism_, drawn_, frames_now, Number(0, 1));
  std::vector<Column> list;
  for (std::size_t k = 0; k < rows.rows.size(); ++k) {
    Column row(active_.size());
    for (std::size_t i = 0; i < active_.size(); ++i)
      row(i) = rows.rows[k].h[active_[i]].value / (active_[i] % 6 < 3 ? Real(1) : Real(mechanism_.size));
    if (row.norm() < 1e-12L) continue;
    list.push_back(row / row.norm());
    tied_.push_back(static_cast<int>(k));
  }
  std::vector<bool> used(list.size(), false);
  for (;;) {
    int best = -1;
    Real largest = 0;
    for (std::size_t k = 0; k < list.size(); ++k)
      if (!used[k] && list[k].norm() > largest) largest = list[k].norm(), best = static_cast<int>(k);
    if (best < 0 || largest < 1e-14L) break;
    if (largest < 0.02L) throw std::runtime_error("near a singular position");
    used[best] = true;
    kept_.push_back(tied_[best]);
    const Column e = list[best] / largest;
    for (std::size_t k = 0; k < list.size(); ++k)
      if (!used[k]) list[k] -= e * e.dot(list[k]);
  }
  freedoms_ = static_cast<int>(active_.size() - kept_.size());
  if (freedoms_ < mechanism_.least_freedoms) throw std::runtime_error("too few freedoms");
  if (!independent() && !mechanism_.redundant) throw std::runtime_error("dependent ties");
}

MechanismMotion::Column MechanismMotion::allowed(Real t, const State& y, const Column& z, bool driven) const {
  const Instant now = at(t, y);
  const Column missing = now.rows * z + (driven ? now.c : Column::Zero(now.c.size()).eval());
  return z - now.response * now.tied.solve(missing);
}

/// Stiff motions take a formula of high order too long; they are not what is looked for.
constexpr long most_evaluations = 30'000;

State MechanismMotion::rates(Real t, const State& y) const {
  if (++evaluations_ > most_evaluations) throw std::runtime_error("the truth takes too long");
  const Instant now = at(t, y);
  State out = along(y, twists(y));
  for (std::size_t i = 0; i < active_.size(); ++i)
    out[13 * (active_[i] / 6) + 7 + active_[i] % 6] = now.acceleration(i);
  return out;
}

State MechanismMotion::end(const State& from, Real until, Real tolerance) const {
  const State y = integrate([this](Real t, const State& at) { return rates(t, at); }, 0, until, from, tolerance);
  // What was left out still holds, or it says something of its own.
  const auto still = frames(y);
  const Rows<Real> rows(mechanism_, drawn_, still, until);
  const Column u = twists(y);
  for (const int k : tied_) {
    Real rest = rows.rows[k].c, size = 0;
    for (int i = 0; i < u.size(); ++i) rest += rows.rows[k].h[i] * u(i), size += std::abs(rows.rows[k].h[i] * u(i));
    if (std::abs(rest) > 1e-7L * (size + 1e-3L)) throw std::runtime_error("ties are dependent at the start alone");
  }
  return y;
}

State MechanismMotion::moved(const Column& way, const Column& push, Real share) const {
  const auto stepped = [&](const Column& u, Real size) {
    State y = start_;
    for (std::size_t i = 0; i < active_.size(); ++i) {
      const int body = active_[i] / 6, column = active_[i] % 6;
      if (column < 3) y[13 * body + column] += size * u(i);
    }
    for (int k = 0; k < count_; ++k) {
      Triple<Real> w{0, 0, 0};
      for (std::size_t i = 0; i < active_.size(); ++i)
        if (active_[i] / 6 == k && active_[i] % 6 >= 3) w[active_[i] % 6 - 3] = size * u(i);
      const Quadruple turn = normal({1, w[0] / 2, w[1] / 2, w[2] / 2}), q = product(turn, quaternion(start_, k));
      for (int i = 0; i < 4; ++i) y[13 * k + 3 + i] = q[i];
    }
    const auto still = frames(start_);
    const Rows<Real> rows(mechanism_, drawn_, still, 0);
    for (std::size_t k = 0; k < mechanism_.ties.size(); ++k)
      for (std::size_t i = 0; i < active_.size() && !rows.angles[k].h.empty(); ++i)
        y[13 * count_ + k] += size * rows.angles[k].h[active_[i]] * u(i);
    return y;
  };
  Column z(active_.size()), v(active_.size());
  for (std::size_t i = 0; i < active_.size(); ++i) z(i) = way(active_[i]), v(i) = push(active_[i]);
  const State middle = stepped(allowed(0, start_, z, false), share / 2);
  State y = stepped(allowed(0, middle, z, false), share);
  Column u(active_.size());
  for (std::size_t i = 0; i < active_.size(); ++i)
    u(i) = start_[13 * (active_[i] / 6) + 7 + active_[i] % 6] + share * v(i);
  u = allowed(0, y, u, true);
  for (std::size_t i = 0; i < active_.size(); ++i) y[13 * (active_[i] / 6) + 7 + active_[i] % 6] = u(i);
  return y;
}

MechanismMotion::Figures MechanismMotion::figures(Real t, const State& y) const {
  const Instant now = at(t, y);
  const auto still = frames(y);
  const auto frames_now = moving(y);
  const Rows<Number> rows(mechanism_, drawn_, frames_now, Number(t, 1));
  const Column u = twists(y);
  Column a = Column::Zero(6 * count_);
  for (std::size_t i = 0; i < active_.size(); ++i) a(active_[i]) = now.acceleration(i);
  Figures out;
  for (int k = 0; k < count_; ++k) {
    out.place.push_back(still[k].place);
    out.tip.push_back(sum(still[k].place, times(Real(mechanism_.size), still[k].columns[0])));
    out.velocity.push_back(triple(y, 13 * k + 7));
    out.spin.push_back(triple(y, 13 * k + 10));
    out.acceleration.push_back({a(6 * k), a(6 * k + 1), a(6 * k + 2)});
    out.turn.push_back({a(6 * k + 3), a(6 * k + 4), a(6 * k + 5)});
  }
  for (std::size_t k = 0; k < mechanism_.ties.size(); ++k) {
    const Tie& tie = mechanism_.ties[k];
    const auto rate = [&](const Row<Number>& row) { return row.h.empty() ? Real(0) : values(row).dot(u); };
    out.angle.push_back(angle(y, k));
    out.angle_rate.push_back(rate(rows.angles[k]));
    out.travel.push_back(rows.travels[k].h.empty() ? Real(0) : travel(y, k));
    out.travel_rate.push_back(rate(rows.travels[k]));
    // What the tie does to all bodies; the wrench on the second about its point, or the other way round on the first.
    Column on = Column::Zero(6 * count_);
    Real driven = 0;
    if (tie.motor == Tie::Motor::torque) driven = tie.size * std::sin(Real(tie.w) * t);
    for (std::size_t r = 0; r < kept_.size(); ++r) {
      const int row = kept_[r];
      if (rows.ties[row] != static_cast<int>(k)) continue;
      const Real lambda = now.multipliers(r) / now.scale(r);
      on += lambda * values(rows.rows[row]);
      // A motor's row is the last of its tie.
      const bool is_last = row + 1 == static_cast<int>(rows.ties.size()) || rows.ties[row + 1] != rows.ties[row];
      if (is_last && tie.is_driven()) driven = lambda;
    }
    if (tie.has_coordinate()) {
      const Column g = values(rows.coordinate(k));
      const Real c = tie.turns() ? out.angle[k] : out.travel[k];
      on += g * (effort(t, k, c, g.dot(u)) - tie.armature * (g.dot(a) + slopes(rows.coordinate(k)).dot(u)));
    }
    const int body = tie.second >= 0 ? tie.second : tie.first;
    const Real sign = tie.second >= 0 ? 1 : -1;
    const Triple<Real> point{rows.points[k][0].value, rows.points[k][1].value, rows.points[k][2].value};
    Wrench wrench;
    for (int i = 0; i < 3; ++i)
      wrench.force[i] = sign * on(6 * body + i), wrench.torque[i] = sign * on(6 * body + 3 + i);
    wrench.torque = difference(wrench.torque, cross(difference(point, still[body].place), wrench.force));
    out.reaction.push_back(wrench);
    out.effort.push_back(driven);
  }
  return out;
}

}  // namespace taut::hunt
