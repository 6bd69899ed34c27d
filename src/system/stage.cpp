#include "system/stage.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <span>

#include "system/levels.hpp"

namespace taut {
namespace {

constexpr bool same(int level, Level other) { return level == static_cast<int>(other); }
static_assert(same(taut_at_position, Level::position) && same(taut_at_velocity, Level::velocity) &&
              same(taut_at_acceleration, Level::acceleration) && same(taut_at_correction, Level::correction) &&
              same(taut_at_position_correction, Level::position_correction) &&
              same(taut_at_trial_velocity, Level::trial_velocity) &&
              same(taut_at_trial_position, Level::trial_position));

/// C has no empty arrays.
std::string list(const char* name, const int* values, int count) {
  return fmt::format(
      "static const int {}[] = {{{}}};\n", name,
      count > 0 ? fmt::format("{}", fmt::join(std::span(values, static_cast<std::size_t>(count)), ", ")) : "0");
}

}  // namespace

std::string stage_driver(const taut_stage_plan& p) {
  std::string text(stage_text());
  text += list("independent_rows", p.independent_rows, p.independent);
  text += list("mass_pivots", p.mass_pivots, p.speeds);
  text += list("pivots", p.pivots, p.rows);
  text += list("exchange", p.exchange, p.implied);
  text += list("b", p.b, p.rows);
  text += list("acceleration", p.acceleration, p.speeds);
  text += list("power", p.power, 1);
  text += list("rates", p.rates, p.coordinates);
  text += list("correction", p.correction, p.speeds);
  text += list("position_correction", p.position_correction, p.coordinates);
  text += list("missing_velocity", p.missing_velocity, p.rows);
  text += list("missing_position", p.missing_position, p.position_rows);
  text += fmt::format(
      "int taut_drive(const void *call) {{\n"
      "  const struct taut_stage_plan plan = {{{}, {}, {}, {}, {}, {}, {}, {},\n"
      "    {}, {}, {}, {}, {}, {}, {}, independent_rows,\n"
      "    mass_pivots, pivots, exchange, b, acceleration, power, rates, correction, position_correction, "
      "missing_velocity,\n"
      "    missing_position}};\n"
      "  return taut_stage(&plan, call);\n"
      "}}\n",
      p.coordinates, p.speeds, p.rows, p.position_rows, p.independent, p.implied, p.works, p.constant_mass, p.position,
      p.velocity, p.demanded, p.residual, p.position_residual, p.trial_velocity, p.trial_position);
  return text;
}

}  // namespace taut
