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
              same(taut_at_trial_acceleration, Level::trial_acceleration) &&
              same(taut_at_self_stress, Level::self_stress));

/// Compilers that optimise little keep loops over lists of places as they stand; unrolled, the places are addresses.
constexpr const char* unrolling =
    "#ifdef __GNUC__\n"
    "#define TAUT_UNROLL _Pragma(\"GCC unroll 128\")\n"
    "#define TAUT_NO_UNROLL\n"
    "#endif\n";

/// C has no empty arrays.
std::string list(const char* name, const int* values, int count) {
  return fmt::format(
      "static const int {}[] = {{{}}};\n", name,
      count > 0 ? fmt::format("{}", fmt::join(std::span(values, static_cast<std::size_t>(count)), ", ")) : "0");
}

}  // namespace

std::string stage_driver(const taut_stage_plan& p) {
  std::string text = unrolling;
  text += stage_text();
  std::string outputs;
  text += list("retracted_coordinates", p.retracted_coordinates, p.retracted);
#define TAUT_TELL(name, count)          \
  text += list(#name, p.name, p.count); \
  outputs += ", " #name;
  TAUT_SOLVER_OUTPUTS(TAUT_TELL)
#undef TAUT_TELL
  text += fmt::format(
      "int taut_drive(const void *call) {{\n"
      "  const struct taut_stage_plan plan = {{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},\n"
      "    {}, {}, {}, {}, {}, {}, {}, {}, {}, retracted_coordinates{}}};\n"
      "  return taut_stage(&plan, call);\n"
      "}}\n",
      p.one, p.coordinates, p.speeds, p.rows, p.position_rows, p.stresses, p.stress_entries, p.retracted, p.works,
      p.squared, p.constant_mass, p.position, p.velocity, p.demanded, p.residual, p.position_residual, p.trial_velocity,
      p.trial_position, p.trial_acceleration, p.stress, outputs);
  return text;
}

}  // namespace taut
