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
              same(taut_at_trial_position, Level::trial_position) &&
              same(taut_at_trial_acceleration, Level::trial_acceleration) && same(taut_at_look, Level::look));

/// C has no empty arrays.
std::string list(const char* name, const int* values, int count) {
  return fmt::format(
      "static const int {}[] = {{{}}};\n", name,
      count > 0 ? fmt::format("{}", fmt::join(std::span(values, static_cast<std::size_t>(count)), ", ")) : "0");
}

}  // namespace

std::string stage_driver(const taut_stage_plan& p) {
  std::string text(stage_text());
  text += list("retracted_coordinates", p.retracted_coordinates, p.retracted);
  text += list("mass_pivots", p.mass_pivots, p.speeds);
  text += list("pivots", p.pivots, p.rows);
  text += list("exchange", p.exchange, 1);
  text += list("b", p.b, p.rows);
  text += list("acceleration", p.acceleration, p.speeds);
  text += list("multipliers", p.multipliers, p.rows);
  text += list("missing_acceleration", p.missing_acceleration, p.rows);
  text += list("power", p.power, 1);
  text += list("rates", p.rates, p.coordinates);
  text += list("correction", p.correction, p.speeds);
  text += list("correction_multipliers", p.correction_multipliers, p.rows);
  text += list("position_correction", p.position_correction, p.coordinates);
  text += list("missing_velocity", p.missing_velocity, p.rows);
  text += list("retraction", p.retraction, p.retracted);
  text += list("missing_position", p.missing_position, p.position_rows);
  text += fmt::format(
      "int taut_drive(const void *call) {{\n"
      "  const struct taut_stage_plan plan = {{{}, {}, {}, {}, {}, {}, {}, {}, "
      "{},\n"
      "    {}, {}, {}, {}, {}, {}, {}, {}, {}, retracted_coordinates,\n"
      "    mass_pivots, pivots, exchange, b, acceleration, multipliers, "
      "missing_acceleration, power, rates,\n"
      "    correction, correction_multipliers, position_correction, "
      "missing_velocity, retraction,\n"
      "    missing_position}};\n"
      "  return taut_stage(&plan, call);\n"
      "}}\n",
      p.coordinates, p.speeds, p.rows, p.position_rows, p.stresses, p.retracted, p.works, p.squared, p.constant_mass,
      p.position, p.velocity, p.demanded, p.residual, p.position_residual, p.trial_velocity, p.trial_position,
      p.trial_acceleration, p.stress);
  return text;
}

}  // namespace taut
