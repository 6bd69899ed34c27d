#pragma once

#include "hunt/mechanism.hpp"

/// What ties say of the bodies' twists, in whatever numbers: with dual numbers along the motion, the values are the
/// rows and the slopes how they change.
namespace taut::hunt {

template <class T>
Triple<T> difference(const Triple<T>& a, const Triple<T>& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
template <class T>
Triple<T> lifted(const Triple<Real>& a) {
  return {T(a[0]), T(a[1]), T(a[2])};
}
inline Triple<Real> wide(const std::array<double, 3>& a) { return {a[0], a[1], a[2]}; }
inline Triple<Real> unit_along(const std::array<double, 3>& a) {
  const Triple<Real> x = wide(a);
  return times(1 / std::sqrt(dot(x, x)), x);
}
/// A direction square to a unit vector.
inline Triple<Real> square_to(const Triple<Real>& a) {
  const int least = std::abs(a[0]) < 0.6L ? 0 : 1;
  Triple<Real> e{0, 0, 0};
  e[least] = 1;
  const Triple<Real> out = cross(a, e);
  return times(1 / std::sqrt(dot(out, out)), out);
}

/// Where a body is.
template <class T>
struct Frame {
  Triple<T> place{};
  std::array<Triple<T>, 3> columns{};

  Triple<T> turned(const Triple<T>& x) const {
    Triple<T> out{};
    for (int i = 0; i < 3; ++i) out[i] = columns[0][i] * x[0] + columns[1][i] * x[1] + columns[2][i] * x[2];
    return out;
  }
  Triple<T> back(const Triple<T>& x) const { return {dot(columns[0], x), dot(columns[1], x), dot(columns[2], x)}; }
};

/// h · u + c, with u the bodies' velocities and spins in world axes.
template <class T>
struct Row {
  std::vector<T> h;
  T c{};
};

template <class T>
class Rows {
 public:
  /// `drawn`: where bodies are in the drawing; `now`: where they are.
  Rows(const Mechanism& mechanism, const std::vector<Frame<Real>>& drawn, const std::vector<Frame<T>>& now, const T& t)
      : mechanism_(mechanism), drawn_(drawn), now_(now), t_(t) {
    for (std::size_t k = 0; k < mechanism.ties.size(); ++k) add(static_cast<int>(k));
  }

  std::vector<Row<T>> rows;
  std::vector<int> ties;                ///< of each row; those of motors count too
  std::vector<Row<T>> angles, travels;  ///< rates of a tie's coordinates; empty where it has none
  std::vector<Triple<T>> points;        ///< where its reaction acts

  /// The rate of a tie's one coordinate.
  const Row<T>& coordinate(int tie) const { return mechanism_.ties[tie].turns() ? angles[tie] : travels[tie]; }

  Triple<T> carried(int body, const Triple<Real>& point) const {
    if (body < 0) return lifted<T>(point);
    return sum(now_[body].place, turned(body, difference(point, drawn_[body].place)));
  }
  Triple<T> turned(int body, const Triple<Real>& direction) const {
    if (body < 0) return lifted<T>(direction);
    return now_[body].turned(lifted<T>(drawn_[body].back(direction)));
  }
  Row<T> empty() const { return {std::vector<T>(6 * now_.size(), T(0)), T(0)}; }
  /// factor × the velocity of the body's point along d.
  void push(Row<T>& row, int body, const Triple<T>& point, const Triple<T>& d, int factor) const {
    if (body < 0) return;
    const Triple<T> turn = cross(difference(point, now_[body].place), d);
    for (int i = 0; i < 3; ++i) {
      row.h[6 * body + i] = row.h[6 * body + i] + factor * d[i];
      row.h[6 * body + 3 + i] = row.h[6 * body + 3 + i] + factor * turn[i];
    }
  }
  void twist(Row<T>& row, int body, const Triple<T>& d, int factor) const {
    if (body < 0) return;
    for (int i = 0; i < 3; ++i) row.h[6 * body + 3 + i] = row.h[6 * body + 3 + i] + factor * d[i];
  }

 private:
  Row<T> slide(const Tie& tie, const Triple<T>& point, const Triple<T>& d) const {
    Row<T> row = empty();
    push(row, tie.second, point, d, 1);
    push(row, tie.first, point, d, -1);
    return row;
  }
  Row<T> turn(const Tie& tie, const Triple<T>& d) const {
    Row<T> row = empty();
    twist(row, tie.second, d, 1);
    twist(row, tie.first, d, -1);
    return row;
  }
  static Row<T> combined(const Row<T>& a, Real factor, const Row<T>& b) {
    Row<T> row = a;
    for (std::size_t i = 0; i < row.h.size(); ++i) row.h[i] = row.h[i] + factor * b.h[i];
    return row;
  }
  void keep(int tie, Row<T> row) {
    rows.push_back(std::move(row));
    ties.push_back(tie);
  }

  void add(int k) {
    using std::cos, std::sin;
    const Tie& tie = mechanism_.ties[k];
    angles.push_back({});
    travels.push_back({});
    points.push_back(carried(tie.second, wide(tie.type == "distance" ? tie.other : tie.at)));
    if (tie.type == "gear" || tie.type == "rack-pinion") {
      keep(k, combined(coordinate(tie.two), -tie.ratio, coordinate(tie.one)));
      points.back() = points[tie.two];
      return;
    }
    if (tie.type == "distance") {
      const Triple<T> from = carried(tie.first, wide(tie.at)), d = difference(points.back(), from);
      Row<T> row = empty();
      push(row, tie.second, points.back(), d, 1);
      push(row, tie.first, from, d, -1);
      keep(k, row);
      return;
    }
    const Triple<Real> axis = unit_along(tie.axis), across = square_to(axis);
    const Triple<T> n = turned(tie.first, axis), e1 = turned(tie.first, across),
                    e2 = turned(tie.first, cross(axis, across)), point = points.back();
    const auto held = [&](std::initializer_list<Triple<T>> slides, std::initializer_list<Triple<T>> turns) {
      for (const auto& d : slides) keep(k, slide(tie, point, d));
      for (const auto& d : turns) keep(k, turn(tie, d));
    };
    const std::string& type = tie.type;
    if (tie.rolls()) return roll(k, n, e1, e2);
    if (tie.turns()) angles.back() = turn(tie, n);
    if (tie.slides() || type == "screw") travels.back() = slide(tie, point, n);
    if (type == "revolute") held({n, e1, e2}, {e1, e2});
    if (type == "prismatic") held({e1, e2}, {n, e1, e2});
    if (type == "cylindrical" || type == "screw") held({e1, e2}, {e1, e2});
    if (type == "screw") keep(k, combined(travels.back(), -tie.ratio / (2 * pi), angles.back()));
    if (type == "spherical") held({n, e1, e2}, {});
    if (type == "planar") held({n}, {e1, e2});
    if (type == "fixed") held({n, e1, e2}, {n, e1, e2});
    if (type == "point-on-line") held({e1, e2}, {});
    if (type == "point-on-plane") held({n}, {});
    if (type == "parallel") held({}, {e1, e2});
    if (type == "universal" || type == "perpendicular" || type == "constant-velocity") {
      const Triple<T> m = turned(tie.second, unit_along(tie.other));
      if (type != "perpendicular") held({n, e1, e2}, {});
      // Shafts that turn alike do not turn against each other about the line half way between them.
      held({}, {type == "constant-velocity" ? sum(n, m) : cross(n, m)});
    }
    if (!tie.is_driven()) return;
    Row<T> row = coordinate(k);
    row.c = -(tie.motor == Tie::Motor::position ? Real(tie.size) * tie.w : Real(tie.size)) * sin(tie.w * t_);
    keep(k, row);
  }

  /// What is in contact does not slip; a blade not sideways.
  void roll(int k, const Triple<T>& n, const Triple<T>& e1, const Triple<T>& e2) {
    using std::sqrt;
    const Tie& tie = mechanism_.ties[k];
    Triple<T> point = points.back();
    const Triple<T> own = turned(tie.second, unit_along(tie.other));
    if (tie.type == "knife-edge") {
      const Triple<T> side = cross(n, own);
      keep(k, slide(tie, point, n));
      keep(k, slide(tie, point, times(T(1) / sqrt(dot(side, side)), side)));
      return;
    }
    const T along = tie.type == "rolling-disk" ? dot(n, own) : T(0), upright = sqrt(T(1) - along * along);
    const Triple<T> down = difference(n, times(along, own));
    point = difference(point, times(T(tie.ratio) / upright, down));
    for (const auto& d : {n, e1, e2}) keep(k, slide(tie, point, d));
  }

  const Mechanism& mechanism_;
  const std::vector<Frame<Real>>& drawn_;
  const std::vector<Frame<T>>& now_;
  T t_;
};

}  // namespace taut::hunt
