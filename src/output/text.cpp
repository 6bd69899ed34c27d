#include "output/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string_view>

namespace taut {
namespace {

constexpr std::size_t events_shown = 5;
constexpr std::size_t values_shown = 12;

// ---- words ------------------------------------------------------------------------------------

std::string paint(Colour colour, std::string_view code, const std::string& text) {
  return colour == Colour::on ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
}
std::string bold(Colour colour, const std::string& text) { return paint(colour, "1", text); }
std::string green(Colour colour, const std::string& text) { return paint(colour, "32", text); }
std::string yellow(Colour colour, const std::string& text) { return paint(colour, "33", text); }
std::string red(Colour colour, const std::string& text) { return paint(colour, "31", text); }

std::string count(long n, const std::string& one, const std::string& many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}
std::string count(long n, const std::string& one) { return count(n, one, one + "s"); }

std::string degrees_of_freedom(int n) { return count(n, "degree of freedom", "degrees of freedom"); }

/// One aligned line, "  label       text".
std::string line(const std::string& label, const std::string& text) {
  return fmt::format("  {:<12} {}\n", label, text);
}

// ---- violations -------------------------------------------------------------------------------

using Level = std::optional<double> Violation::*;

/// The constraint that is worst at a level, none if no constraint has a figure there. A figure that is not
/// a number is worse than any.
const Violation* worst(const std::vector<Violation>& violations, Level level) {
  const auto size = [&](const Violation& v) { return std::isnan(*(v.*level)) ? HUGE_VAL : *(v.*level); };
  const Violation* found = nullptr;
  for (const Violation& violation : violations) {
    if (!(violation.*level)) continue;
    if (!found || size(violation) > size(*found)) found = &violation;
  }
  return found;
}

std::string level_text(const std::string& level, double value, const Violation* violation) {
  const bool name_it = violation && value != 0;
  return fmt::format("{} {:.2g}{}", level, value, name_it ? " (" + violation->name + ")" : "");
}

std::string levels_text(const std::optional<double>& position, const std::optional<double>& velocity,
                        const std::vector<Violation>& violations) {
  std::string text;
  if (position) text += level_text("position", *position, worst(violations, &Violation::position));
  if (position && velocity) text += ", ";
  if (velocity) text += level_text("velocity", *velocity, worst(violations, &Violation::velocity));
  return text;
}

// ---- parts of a summary -----------------------------------------------------------------------

std::string headline(const Summary& summary, Colour colour) {
  const std::string at = fmt::format(" at t = {:.6g}", summary.t);
  if (summary.outcome == Outcome::interrupted) return yellow(colour, "interrupted" + at);
  if (summary.verdict == Verdict::contradictory) return red(colour, "contradictory constraints" + at);
  if (summary.outcome == Outcome::failed) return red(colour, "could not go on" + at);
  if (summary.limit_broken) return red(colour, "limit broken; ended" + at);
  if (summary.verdict == Verdict::lost) return red(colour, "not to be trusted; ended" + at);
  if (summary.verdict == Verdict::drifted) return yellow(colour, "drifted; done" + at);
  return green(colour, to_string(summary.verdict) + at);
}

/// Held is what tolerance and rounding explain.
std::string kept_text(const Summary& summary) {
  if (summary.verdict == Verdict::done || summary.verdict == Verdict::stopped) return "held to ";
  return summary.verdict == Verdict::drifted ? "drifted to " : "off by ";
}

std::string constraints_text(const Summary& summary) {
  if (summary.constraints == 0) return summary.violations.empty() ? "none" : "held by construction";
  const std::string levels =
      levels_text(summary.max_position_violation, summary.max_velocity_violation, summary.violations);
  return levels.empty() ? "not measured" : kept_text(summary) + levels;
}

std::string energy_text(const Summary& summary) {
  if (!summary.max_energy_error) return "no balance to check";
  return fmt::format("{} {:.2g}", summary.verdict == Verdict::lost ? "off by" : "kept to", *summary.max_energy_error);
}

/// Of an accuracy that was asked for.
std::string accuracy_text(const ResultAccuracy& accuracy) {
  const std::string runs = fmt::format(", by {} runs", accuracy.runs);
  if (accuracy.reached)
    return fmt::format("errors of about {:.2g}, {:g} was asked{}", accuracy.estimate, accuracy.asked, runs);
  return fmt::format("{:g} is not reached: errors of about {:.2g}; it holds until t = {:.6g}{}", accuracy.asked,
                     accuracy.estimate, accuracy.holds_until, runs);
}

std::string rank_text(const Summary& summary) {
  const std::string rank = summary.rank_min == summary.rank_max
                               ? fmt::format("{}", summary.rank_max)
                               : fmt::format("{} to {}", summary.rank_min, summary.rank_max);
  return fmt::format("{} of {}, {}", rank, count(summary.constraints, "constraint"),
                     degrees_of_freedom(summary.degrees_of_freedom));
}

std::string method_text(const Summary& summary) {
  std::string text = fmt::format("{}, {}", summary.method, summary.integrator);
  if (summary.step) text += fmt::format(" with step {:g}", *summary.step);
  if (!summary.step && summary.rtol) text += fmt::format(" to rtol {:g}", *summary.rtol);
  if (!summary.step && summary.rtol && !summary.atol)
    text += fmt::format(", atol {:g} of the sizes", 0.01 * *summary.rtol);
  text += ", " + summary.linear;
  if (summary.energy != "none" && !summary.energy.empty()) text += ", energy " + summary.energy;
  return text;
}

std::string cost_text(const Summary& summary) {
  const std::string rejected = summary.rejected_steps > 0 ? fmt::format(" ({} rejected)", summary.rejected_steps) : "";
  return fmt::format("{}{}, {}, {:.3g} s after {:.3g} s of setting up", count(summary.steps, "step"), rejected,
                     count(summary.evaluations, "evaluation"), summary.wall_seconds, summary.setup_seconds);
}

std::string events_text(const std::vector<Event>& events) {
  if (events.empty()) return "";
  std::string text = line("events", fmt::format("{}", events.size()));
  for (std::size_t i = 0; i < std::min(events.size(), events_shown); ++i) {
    const Event& event = events[i];
    const std::string name = event.name.empty() ? "" : event.name + ": ";
    text += fmt::format("    t = {:<10.6g} {:<12} {}{}\n", event.t, event.kind, name, event.message);
  }
  if (events.size() > events_shown) {
    text += fmt::format("    and {} more; --json shows them all\n", events.size() - events_shown);
  }
  return text;
}

/// So many digits hold of a value with this error.
int digits_that_hold(double value, double error) {
  if (!(error > 0) || value == 0) return 15;
  return std::clamp(static_cast<int>(std::floor(std::log10(std::abs(value) / error))), 1, 15);
}

/// With six digits, or with those that hold where errors are known.
std::string value_text(const NamedValue& value, const std::optional<ResultAccuracy>& accuracy) {
  if (accuracy)
    for (const auto& [name, error] : accuracy->errors)
      if (name == value.name) return fmt::format("{:.{}g}", value.value, digits_that_hold(value.value, error));
  return fmt::format("{:.6g}", value.value);
}

std::string values_text(const std::string& label, const std::vector<NamedValue>& values,
                        const std::optional<ResultAccuracy>& accuracy = std::nullopt) {
  if (values.empty()) return "";
  if (values.size() > values_shown) return line(label, fmt::format("{} values; --json shows them", values.size()));
  std::string text;
  for (const NamedValue& value : values)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", value.name, value_text(value, accuracy));
  return line(label, text);
}

/// The rates under their coordinates' names with a prime, as in the model file.
std::vector<NamedValue> primed(std::vector<NamedValue> rates) {
  for (NamedValue& rate : rates) {
    if (!rate.name.ends_with('\'')) rate.name += '\'';
  }
  return rates;
}

std::vector<NamedValue> without(std::vector<NamedValue> values, const std::vector<NamedValue>& others) {
  std::erase_if(values, [&](const NamedValue& value) {
    return std::ranges::find(others, value.name, &NamedValue::name) != others.end();
  });
  return values;
}

std::string state_text(const Summary& summary) {
  const auto& states = summary.final_states;
  const auto& accuracy = summary.accuracy;
  return values_text("coordinates", without(summary.final_coordinates, states), accuracy) +
         values_text("rates", primed(without(summary.final_rates, states)), accuracy) +
         values_text("states", states, accuracy) + values_text("outputs", summary.final_outputs, accuracy) +
         values_text("multipliers", summary.final_multipliers);
}

std::string vector_text(const std::array<double, 3>& a) {
  return fmt::format("[{:.5g}, {:.5g}, {:.5g}]", a[0], a[1], a[2]);
}

std::string joint_value(const char* name, const std::optional<double>& value) {
  return value ? fmt::format(", {} {:.5g}", name, *value) : "";
}

/// Force and torque of each joint, where they are few enough to read.
std::string reactions_text(const std::vector<JointState>& joints) {
  constexpr std::size_t joints_shown = 20;
  if (joints.empty()) return "";
  if (joints.size() > joints_shown)
    return line("reactions", fmt::format("{} joints; --json shows them", joints.size()));
  std::size_t width = 0;
  for (const JointState& joint : joints) width = std::max(width, joint.name.size());
  std::string text;
  for (const JointState& joint : joints) {
    const std::string values = joint_value("angle", joint.angle) + joint_value("travel", joint.travel) +
                               joint_value("effort", joint.effort) +
                               (joint.unique.value_or(true) ? "" : ", not unique");
    text +=
        line(text.empty() ? "reactions" : "", fmt::format("{:<{}}  force {}, torque {}{}", joint.name, width,
                                                          vector_text(joint.force), vector_text(joint.torque), values));
  }
  return text;
}

std::string notes_text(const std::vector<std::string>& notes) {
  std::string text;
  for (const std::string& note : notes) text += line(text.empty() ? "notes" : "", note);
  return text;
}

std::string dependent_text(const std::vector<std::string>& dependent) {
  return dependent.empty() ? ""
                           : line("implied", fmt::format("{} (by the other constraints)", fmt::join(dependent, ", ")));
}

// ---- parts of a check -------------------------------------------------------------------------

std::optional<double> largest(const std::vector<Violation>& violations, Level level) {
  const Violation* found = worst(violations, level);
  return found ? found->*level : std::nullopt;
}

/// A mechanism that cannot move at all: what holds it.
std::string locked_text(const Check& check) {
  std::vector<std::string> joints;
  for (const auto& loop : check.loops)
    for (const std::string& joint : loop)
      if (std::ranges::find(joints, joint) == joints.end()) joints.push_back(joint);
  if (joints.empty()) return "nothing can move: the joints leave no freedom; remove one, or let a motor go";
  return fmt::format("nothing can move: {} hold each other; remove one, or let it turn or slide",
                     fmt::join(joints, ", "));
}

/// What a mechanism's parts add up to, beside what they leave it.
std::string mechanism_text(const Check& check, Colour colour) {
  if (check.bodies == 0) return "";
  std::string text =
      line("mechanism", fmt::format("{}, {}", count(check.bodies, "body", "bodies"), count(check.joints, "joint")));
  if (check.mobility && *check.mobility != check.degrees_of_freedom)
    text += line("mobility",
                 fmt::format("{} by counting, {} in fact: {} redundant", *check.mobility, check.degrees_of_freedom,
                             count(check.degrees_of_freedom - *check.mobility, "constraint is", "constraints are")));
  if (check.degrees_of_freedom == 0 && check.joints > 0) text += line(yellow(colour, "locked"), locked_text(check));
  if (!check.dependent_joints.empty())
    text += line("redundant", fmt::format("{} (in part or whole)", fmt::join(check.dependent_joints, ", ")));
  for (const auto& loop : check.loops)
    text += line(
        "loop", fmt::format("{} are over-constrained together: their reactions are not unique", fmt::join(loop, ", ")));
  for (const std::string& tree : check.tree) text += line("tree", tree);
  for (const std::string& remark : check.remarks) text += line(yellow(colour, "look at"), remark);
  return text;
}

/// The tree of parts, the constraints of each beside it.
std::string parts_text(const Check& check) {
  if (check.parts.empty()) return "";
  std::string text;
  for (std::size_t k = 0; k < std::min(check.parts.size(), values_shown); ++k) {
    const PartCheck& part = check.parts[k];
    const std::string file = std::filesystem::path(part.file).filename().string();
    text += line(k == 0 ? "parts" : "", fmt::format("{:{}}{} ({}): {}", "", 2 * part.depth, part.name, file,
                                                    count(part.constraints, "constraint")));
  }
  if (check.parts.size() > values_shown)
    text += line("", fmt::format("and {} more", check.parts.size() - values_shown));
  return text + line("", fmt::format("joined by {}", count(check.joining, "constraint")));
}

std::string inputs_text(const std::vector<InputCheck>& inputs) {
  std::string text;
  for (const InputCheck& input : inputs) {
    const std::string value = input.value ? fmt::format("{:.6g}", *input.value) : input.formula;
    const std::string unit = input.unit.empty() ? "" : " " + input.unit;
    const std::string about = input.description.empty() ? "" : ": " + input.description;
    text += line(text.empty() ? "inputs" : "", fmt::format("{} = {}{}{}", input.name, value, unit, about));
  }
  return text;
}

std::string controller_text(const ControllerCheck& told) {
  std::string text = fmt::format("{}: every {:.6g} s", told.name, told.sample_time);
  if (told.offset > 0) text += fmt::format(" from t = {:.6g} on", told.offset);
  const auto add = [&](const char* what, const std::vector<std::string>& names) {
    if (!names.empty()) text += fmt::format("; {} {}", what, fmt::join(names, ", "));
  };
  add("measures", told.measured);
  add("remembers", told.states);
  add("sets", told.sets);
  for (const auto& [name, delay] : told.delays) text += fmt::format("; {} {:.6g} samples late", name, delay);
  return text;
}

std::string controllers_text(const std::vector<ControllerCheck>& controllers) {
  std::string text;
  for (const ControllerCheck& told : controllers)
    text += line(text.empty() ? "controllers" : "", controller_text(told));
  return text;
}

std::string controllers_text(const std::vector<ControllerRecord>& controllers) {
  std::string text;
  for (const auto& [name, sample_time, samples] : controllers)
    text += line(text.empty() ? "controllers" : "",
                 fmt::format("{}: {} every {:.6g} s", name, count(samples, "sample"), sample_time));
  return text;
}

std::string initial_text(const Check& check, Colour colour) {
  if (check.constraints == 0) return "";
  const auto position = largest(check.initial, &Violation::position);
  const auto velocity = largest(check.initial, &Violation::velocity);
  const std::string levels = levels_text(position, velocity, check.initial);
  // Typing errors and figures rounded in print lie above this, rounding of the arithmetic below.
  constexpr double consistent = 1e-9;
  if (std::max(position.value_or(0), velocity.value_or(0)) <= consistent) return line("start", "consistent: " + levels);
  return line("start", yellow(colour, "off the constraints: ") + levels + "; --assemble mends it");
}

}  // namespace

std::string to_text(const Summary& summary, Colour colour) {
  std::string text = fmt::format("{}: {}\n", bold(colour, summary.model), headline(summary, colour));
  if (!summary.reason.empty()) text += line("reason", summary.reason);
  if (!summary.verdict_reason.empty() && summary.verdict_reason != summary.reason)
    text += line("verdict", summary.verdict_reason);
  text += line("constraints", constraints_text(summary));
  text += line("energy", energy_text(summary));
  if (summary.accuracy) text += line("accuracy", accuracy_text(*summary.accuracy));
  text += line("rank", rank_text(summary));
  text += dependent_text(summary.dependent);
  text += events_text(summary.events);
  text += controllers_text(summary.controllers);
  text += state_text(summary);
  if (!summary.multipliers_unique)
    text += line("", "multipliers are not unique: redundant constraints share their load");
  text += reactions_text(summary.final_joints);
  text += line("method", method_text(summary));
  text += line("cost", cost_text(summary));
  return text + notes_text(summary.notes);
}

std::string to_text(const Check& check, Colour colour) {
  std::string text = fmt::format("{}: {}\n", bold(colour, check.model), degrees_of_freedom(check.degrees_of_freedom));
  text += line("coordinates", fmt::format("{}, {}", check.coordinates, count(check.speeds, "speed")));
  text += line("constraints", fmt::format("{}, rank {}", check.constraints, check.rank));
  if (!check.soft.empty())
    text += line("soft", fmt::format("{}: gives way to force, takes no freedom away", fmt::join(check.soft, ", ")));
  text += dependent_text(check.dependent);
  text += inputs_text(check.inputs);
  text += controllers_text(check.controllers);
  text += parts_text(check);
  text += mechanism_text(check, colour);
  text += initial_text(check, colour);
  if (check.energy) text += line("energy", fmt::format("{:.6g} at the start", *check.energy));
  for (const std::string& sentence : check.not_smooth) text += line("not smooth", sentence);
  return text + notes_text(check.notes);
}

// ---- lists ------------------------------------------------------------------------------------

namespace {

std::string field_text(const Field& option) {
  const std::string unit = option.unit.empty() || option.unit == "1" ? "" : " " + option.unit;
  return fmt::format("{} = {}{}", option.name, option.default_value, unit);
}

/// What an option means, and which values it may have.
std::string meaning_text(const Field& option) {
  return option.meaning + (option.range.empty() ? "" : " (" + option.range + ")");
}

/// Its name, and what it takes.
std::string label(const ListEntry& entry) {
  return entry.argument.empty() ? entry.name : entry.name + " " + entry.argument;
}

std::size_t label_width(const std::vector<ListEntry>& entries) {
  std::size_t width = 0;
  for (const ListEntry& entry : entries) width = std::max(width, label(entry).size());
  return width;
}

/// Text inside a cell of a Markdown table.
std::string cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c == '\n' ? ' ' : c;
  }
  return escaped;
}

std::string options_cell(const std::vector<Field>& options) {
  std::string text;
  for (const Field& option : options) {
    text += fmt::format("{}`{}`: {}", text.empty() ? "" : "<br>", cell(field_text(option)), cell(meaning_text(option)));
  }
  return text;
}

bool any_options(const std::vector<ListEntry>& entries) {
  return std::any_of(entries.begin(), entries.end(), [](const ListEntry& entry) { return !entry.options.empty(); });
}
bool any_source(const std::vector<ListEntry>& entries) {
  return std::any_of(entries.begin(), entries.end(), [](const ListEntry& entry) { return !entry.source.empty(); });
}

}  // namespace

std::string to_text(const std::string& heading, const std::vector<ListEntry>& entries, Colour colour) {
  std::string text = bold(colour, heading) + "\n";
  const std::size_t width = label_width(entries);
  for (const ListEntry& entry : entries) {
    const std::string source = entry.source.empty() ? "" : " [" + entry.source + "]";
    text += fmt::format("  {:<{}}  {}{}\n", label(entry), width, entry.about, source);
    for (const Field& option : entry.options) {
      text += fmt::format("  {:<{}}    {:<26} {}\n", "", width, field_text(option), meaning_text(option));
    }
  }
  return text;
}

std::string to_markdown(const std::string& heading, const std::vector<ListEntry>& entries) {
  const bool options = any_options(entries), source = any_source(entries);
  std::string text = fmt::format("## {}\n\n| name | about |{}{}\n|---|---|{}{}\n", heading, options ? " options |" : "",
                                 source ? " source |" : "", options ? "---|" : "", source ? "---|" : "");
  for (const ListEntry& entry : entries) {
    text += fmt::format("| `{}` | {} |", cell(label(entry)), cell(entry.about));
    if (options) text += fmt::format(" {} |", options_cell(entry.options));
    if (source) text += fmt::format(" {} |", cell(entry.source));
    text += '\n';
  }
  return text;
}

std::string to_manual(const std::vector<ListEntry>& options) {
  std::string text;
  for (const ListEntry& option : options) {
    text += ".TP\n";
    text += option.argument.empty() ? fmt::format(".B --{}\n", option.name)
                                    : fmt::format(".BI --{} \" {}\"\n", option.name, option.argument);
    text += option.about + "\n";
  }
  return text;
}

}  // namespace taut
