#include "expression/derivative.hpp"
#include "model/bodies/present.hpp"
#include "model/forces/force.hpp"

namespace taut {
namespace {

/// A squared length below every one that a model can mean (1e-100, whatever the unit), and far enough above the
/// smallest number that its product with a velocity does not vanish.
constexpr double no_length = 1e-200;

/// From the first end to the second, and how fast that changes.
struct Span {
  Vector3 d, velocity;
  Expression length, rate;
};

Span span(const ForceBuilder& spring) {
  const Vector3 start = spring.first.carried(spring.given.points[0]);
  const Vector3 end = spring.second.carried(spring.given.points[1]);
  Span span{end - start, spring.second.velocity_at(end) - spring.first.velocity_at(start), 0, 0};
  span.length = norm(span.d);
  span.rate = dot(span.d, span.velocity) / span.length;
  return span;
}

/// Its direction is that from end to end, so there has to be one.
void refuse_ends_together(const ForceBuilder& spring, const Model& model) {
  if (value_now(model, norm(spring.given.points[1] - spring.given.points[0])) > 0) return;
  spring.refuse("starts with its ends together, so that it has no direction",
                spring.given.law ? "let its ends start apart, or give 'stiffness' and 'damping' without 'length'"
                                 : "let its ends start apart, or leave 'length' out: a spring of no free length may");
}

/// V = k/2 d·d, smooth where the ends meet. The damper resists along d; where the ends meet it resists the motion
/// itself, which then is along d a moment later: F = −c (d (d·ḋ) + ε ḋ)/(d·d + ε), which always takes energy out.
void build_without_length(ForceBuilder& spring, Span& span, const Expression& k, const Expression& c) {
  const Expression square = dot(span.d, span.d), room = square + no_length;
  spring.potential(k / 2 * square);
  span.rate = dot(span.d, span.velocity) / sqrt(room);
  if (c.is_zero()) return;
  const Vector3 along = dot(span.d, span.velocity) * span.d + Expression(no_length) * span.velocity;
  spring.load(span.velocity, -(c / room) * along);
}

/// A free length given by parameters that happens to be zero now.
bool has_no_length(Model& model, const Expression& free) {
  for (const SymbolId id : symbols_of(free))
    if (model.graph->info(id).kind != SymbolKind::parameter) return false;
  return value_now(model, free) == 0 && present_value(model, free) == 0;
}

}  // namespace

/// A spring and a damper along the line between two points. The spring has the potential k/2 (L − L₀)²; the damper
/// and any law of the user's work on the rate of the length.
void build_spring(ForceBuilder& spring) {
  const ForceDescription& given = spring.given;
  Span s = span(spring);
  const Expression k = given.stiffness.empty() ? Expression(0) : given.stiffness[0];
  const Expression c = given.damping.empty() ? Expression(0) : given.damping[0];
  const Expression free = given.length.value_or(Expression(0));
  Expression value = 0;
  if (given.law) {
    refuse_ends_together(spring, spring.model());
    value = given.law(s.length, s.rate);
    spring.load(s.rate, value);
  } else if (free.is_zero() || has_no_length(spring.model(), free)) {
    build_without_length(spring, s, k, c);
    value = -k * s.length - c * s.rate;
  } else {
    refuse_ends_together(spring, spring.model());
    const Expression stretch = s.length - free;
    spring.potential(k / 2 * stretch * stretch);
    if (!c.is_zero()) spring.load(s.rate, -c * s.rate);
    value = -k * stretch - c * s.rate;
  }
  spring.acts_at({spring.first.carried(given.points[0]), spring.second.carried(given.points[1])});
  spring.name("length", s.length);
  spring.name("rate", s.rate);
  spring.name("value", value);
}

}  // namespace taut
