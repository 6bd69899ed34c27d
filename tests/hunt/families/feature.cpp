// Formulas of the state with features that long steps could leap over: bumps of a potential, patches of drag, a ridge
// in a guide, events that are short. Truths by quadrature over the way that is gone, and closed forms.
#include <cmath>

#include "hunt/families.hpp"
#include "hunt/quadrature.hpp"

namespace taut::hunt {
namespace {

/// A shape of height 1 around a place, some widths wide, and its slope; as a formula of u = (x − place)/width.
struct Shape {
  const char* formula;
  Real (*value)(Real u);
  Real (*slope)(Real u);
};

constexpr Shape shapes[] = {
    {"exp(-({0})^2)", [](Real u) { return std::exp(-u * u); }, [](Real u) { return -2 * u * std::exp(-u * u); }},
    {"1/(1 + ({0})^2)", [](Real u) { return 1 / (1 + u * u); },
     [](Real u) { return -2 * u / ((1 + u * u) * (1 + u * u)); }},
    {"(1 + ({0})^2)^-2", [](Real u) { return 1 / ((1 + u * u) * (1 + u * u)); },
     [](Real u) { return -4 * u / ((1 + u * u) * (1 + u * u) * (1 + u * u)); }},
    {"(1 - tanh({0})^2)", [](Real u) { return 1 / (std::cosh(u) * std::cosh(u)); },
     [](Real u) { return -2 * std::tanh(u) / (std::cosh(u) * std::cosh(u)); }},
};

const Shape& draw_shape(Dice& dice) { return shapes[dice.whole(0, 3)]; }

struct Way {
  double v, until, place, width;
};

Way draw_way(Dice& dice) {
  const double v = dice.between(0.5, 3), until = dice.between(5, 20);
  return {v, until, v * until * dice.between(0.2, 0.7), dice.scaled(1e-4, 0.1)};
}

std::string at(const Shape& shape, const std::string& x, double place, double width) {
  return fmt::format(fmt::runtime(shape.formula), fmt::format("({} - {})/{}", x, text_of(place), text_of(width)));
}

OneWay one_way(const Way& way, std::function<Real(Real)> pace) {
  OneWay out;
  out.pace = std::move(pace);
  out.bend = way.place;
  out.period = 1e6;
  out.width = way.width / 4;
  return out;
}

Case finished(Dice& dice, const Way& way, std::string model, std::vector<Expected> expected, const Wish& wish = {}) {
  Case out;
  out.model = std::move(model);
  out.plan = draw_plan(dice, wish);
  out.until = way.until;
  out.expected = std::move(expected);
  // What a feature does to the motion is known as well as the speed there is.
  out.least_share = 1e-9;
  return out;
}

/// A free particle meets a hill or a dip: t = ∫ dx / √(v² − 2U).
Case bump(Dice& dice) {
  const Way way = draw_way(dice);
  const Shape& shape = draw_shape(dice);
  const double height = dice.sign() * dice.between(0.1, 0.4) * way.v * way.v;
  const auto speed = [=, &shape](Real x) {
    return std::sqrt(Real(way.v) * way.v - 2 * height * shape.value((x - way.place) / way.width) +
                     2 * height * shape.value(-Real(way.place) / way.width));
  };
  const Real x = one_way(way, [=](Real at) { return 1 / speed(at); }).at(way.until);
  return finished(dice, way,
                  fmt::format("coordinates: {{x: [0, {}]}}\nkinetic_energy: x'^2/2\npotential_energy: {}*{}\n",
                              text_of(way.v), text_of(height), at(shape, "x", way.place, way.width)),
                  {{"x", x, 3 * way.v * way.until}, {"x'", speed(x), 3 * way.v}},
                  // Looser ones let places be off by a share of the bump's width, and so energies.
                  {.loosest = 1e-6});
}

/// A patch of drag between two steps of tanh: dv/dx = −k p(x).
Case patch(Dice& dice) {
  const Way way = draw_way(dice);
  const double length = dice.scaled(0.01, 1) * way.v, k = dice.between(0.1, 0.5) * way.v / length;
  const Real a = way.place, b = way.place + length, w = way.width;
  const auto rise = [=](Real x, Real from) {  // ∫ (1 + tanh((x − from)/w))/2
    const Real u = (x - from) / w;
    return u > 40 ? x - from : u < -40 ? Real(0) : w / 2 * std::log1p(std::exp(2 * u));
  };
  const auto speed = [=](Real x) { return way.v - k * (rise(x, a) - rise(x, b) - rise(0, a) + rise(0, b)); };
  OneWay out = one_way(way, [=](Real at) { return 1 / speed(at); });
  out.coarse = std::min<Real>(0.1L, way.width);
  const Real x = out.at(way.until);
  const std::string p = fmt::format("(tanh((x - {0})/{2}) - tanh((x - {1})/{2}))/2", text_of(way.place),
                                    text_of(double(b)), text_of(way.width));
  return finished(dice, way,
                  fmt::format("coordinates: {{x: [0, {}]}}\nkinetic_energy: x'^2/2\nforces: {{x: \"-{}*x'*{}\"}}\n",
                              text_of(way.v), text_of(k), p),
                  {{"x", x, 3 * way.v * way.until}, {"x'", speed(x), 3 * way.v}});
}

/// A bead runs round a ring, over a bump at one place of it.
Case ring(Dice& dice) {
  const double v = dice.between(0.5, 2), until = dice.between(3, 15), width = dice.scaled(1e-3, 0.1);
  const double place = dice.between(0.5, 5.5), height = dice.sign() * dice.between(0.1, 0.4) * v * v;
  const double px = std::cos(place), py = std::sin(place);
  const auto potential = [=](Real u) {
    const Real dx = std::cos(u) - px, dy = std::sin(u) - py;
    return height * std::exp(-(dx * dx + dy * dy) / (Real(width) * width));
  };
  OneWay way;
  way.pace = [=](Real u) { return 1 / std::sqrt(Real(v) * v - 2 * potential(u) + 2 * potential(0)); };
  way.bend = std::atan2(Real(py), Real(px));
  way.period = 2 * pi;
  way.width = width / 4;
  const Real u = way.at(until);
  Case out;
  out.model = fmt::format(
      "coordinates: {{x: [1, 0], y: [0, {}]}}\nkinetic_energy: (x'^2 + y'^2)/2\n"
      "potential_energy: {}*exp(-((x - {})^2 + (y - {})^2)/{}^2)\nconstraints: {{ring: x^2 + y^2 = 1}}\n",
      text_of(v), text_of(height), text_of(px), text_of(py), text_of(width));
  out.plan = draw_plan(dice, {.drifting = false});
  out.until = until;
  out.expected = {{"x", std::cos(u), 5 * v * until}, {"y", std::sin(u), 5 * v * until}};
  out.least_share = 1e-8;
  return out;
}

/// A guide y = h s((x − c)/w): the speed along it stays, so that dt/dx = √(1 + y'²)/v.
Case guide(Dice& dice) {
  const Way way = draw_way(dice);
  const Shape& shape = draw_shape(dice);
  const double height = dice.sign() * dice.between(0.3, 3) * way.width;
  const auto slope = [=, &shape](Real x) { return height / way.width * shape.slope((x - way.place) / way.width); };
  const auto steep = [=](Real x) { return std::sqrt(1 + slope(x) * slope(x)); };
  const Real speed = way.v * steep(0);
  const Real x = one_way(way, [=](Real at) { return steep(at) / speed; }).at(way.until);
  const Real y0 = height * shape.value(-Real(way.place) / way.width);
  return finished(dice, way,
                  fmt::format("coordinates: {{x: [0, {}], y: [{}, {}]}}\nkinetic_energy: (x'^2 + y'^2)/2\n"
                              "constraints: {{guide: y = {}*{}}}\n",
                              text_of(way.v), text_of(double(y0)), text_of(double(way.v * slope(0))), text_of(height),
                              at(shape, "x", way.place, way.width)),
                  {{"x", x, 3 * way.v * way.until}, {"x'", speed / steep(x), 3 * way.v}}, {.drifting = false});
}

/// Events that begin and end within a long step: all of their zeros are found.
Case short_events(Dice& dice) {
  const Way way = draw_way(dice);
  const double share = dice.between(0.2, 0.8);
  struct Kind {
    std::string formula;
    Real half;  ///< distance of the zeros from the place, in widths
  };
  const std::string u = fmt::format("(x - {})/{}", text_of(way.place), text_of(way.width));
  const Kind kinds[] = {
      {fmt::format("exp(-({})^2) - {}", u, text_of(share)), std::sqrt(-std::log(Real(share)))},
      {fmt::format("1/(1 + ({})^2) - {}", u, text_of(share)), std::sqrt(1 / Real(share) - 1)},
      {fmt::format("max({} - abs({}), -0.001)", text_of(share), u), share},
      {fmt::format("sqrt(({})^2 + 1e-6) - {}", u, text_of(share)), std::sqrt(Real(share) * share - 1e-6L)},
      {fmt::format("abs({}) - {}", u, text_of(share)), share},
  };
  const Kind& kind = kinds[dice.whole(0, 4)];
  const Real first = (way.place - kind.half * way.width) / way.v, second = (way.place + kind.half * way.width) / way.v;
  const bool stops = dice.chance(0.5);
  const std::string model =
      fmt::format("coordinates: {{x: [0, {}]}}\nkinetic_energy: x'^2/2\nevents:\n  short: {{when: \"{}\", stop: {}}}\n",
                  text_of(way.v), kind.formula, stops);
  if (stops) return finished(dice, way, model, {{"t", first, way.until}});
  return finished(
      dice, way, model,
      {{"event(short, 0)", first, way.until}, {"event(short, 1)", second, way.until}, {"events(short)", 2, 1}});
}

}  // namespace

std::vector<Family> feature_families() {
  return {
      {"feature-bump", "a narrow hill or dip of the potential on a long free way", bump},
      {"feature-patch", "a short patch of drag on a long free way", patch},
      {"feature-ring", "a bead on a ring with a narrow bump", ring},
      {"feature-guide", "a guide with a narrow ridge", guide},
      {"feature-event", "events that begin and end within a long step", short_events},
  };
}

}  // namespace taut::hunt
