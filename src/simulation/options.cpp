#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/nearest.hpp"
#include "enforcement/energy.hpp"
#include "enforcement/list.hpp"
#include "integration/list.hpp"
#include "linear/list.hpp"
#include "model/assignments.hpp"
#include "simulation/control.hpp"
#include "simulation/option_error.hpp"
#include "taut/error.hpp"
#include "taut/simulation.hpp"

namespace taut {
namespace {

// Names are looked up at once, so that an error can point at the place of the name.

Choice known_method(const std::string& text) {
  Choice choice(text);
  find_method(choice).rank_tolerance(choice);
  return choice;
}

Choice known_integrator(const std::string& text) {
  Choice choice(text);
  check_integrator(choice);
  return choice;
}

Choice known_linear(const std::string& text) {
  Choice choice(text);
  std::string chosen;
  make_kernel(choice, chosen);
  return choice;
}

Choice known_energy(const std::string& text) {
  Choice choice(text);
  find_energy_law(choice).make(choice, Shape{});
  return choice;
}

Native known_native(const std::string& text) {
  if (text == "on" || text == "true") return Native::on;  // YAML readers take on for true
  if (text == "off" || text == "false") return Native::off;
  if (text == "auto") return Native::automatic;
  throw InputError("there is no way '" + text + "' to run formulas", "give on, off or auto");
}

Coordinates known_coordinates(const std::string& text) {
  for (const Coordinates known : {Coordinates::automatic, Coordinates::joints, Coordinates::bodies})
    if (to_string(known) == text) return known;
  throw InputError("there are no coordinates '" + text + "'", "give auto, joints or bodies");
}

Choice known_control(const std::string& text) {
  Choice choice(text);
  check_control(choice);
  return choice;
}

const char* word_of(Native native) { return native == Native::on ? "on" : native == Native::off ? "off" : "auto"; }

void forget_source(Options& options, const std::string& name) {
  std::erase_if(options.sources, [&](const OptionSource& source) { return source.name == name; });
}

// ---- rows of the list, by kind ----------------------------------------------------------------------

/// A row before anything is known of its values.
struct Words {
  std::string name, argument, meaning;
};

/// Of a number, and what it may be; `Number` is double, or std::optional<double> where it may be left out.
template <class Number>
OptionEntry number(const Words& words, const std::string& unit, const Range& range, Number Options::*member) {
  OptionEntry entry{words.name, words.argument, words.meaning, unit, range.to_string(), {}, {}};
  entry.set = [=](Options& options, const std::string& text) {
    double value = 0;
    read_option(text, value);
    if (!range.holds(value))
      throw InputError("'" + text + "' is not " + range.to_string(),
                       "give a number " + range.to_string() + (unit.empty() ? "" : ", in " + unit));
    options.*member = value;
  };
  entry.get = [=](const Options& options) -> std::optional<std::string> {
    const std::optional<double> value = options.*member;
    if (!value) return std::nullopt;
    return option_text(*value);
  };
  entry.holds = [=](const Options& options) {
    const std::optional<double> value = options.*member;
    return !value || (std::isfinite(*value) && range.holds(*value));
  };
  return entry;
}

/// Of a choice from a list of its own, with options of its own. Names are looked up when they are set.
OptionEntry choice(const Words& words, Choice (*read)(const std::string&), Choice Options::*member) {
  return {words.name,
          words.argument,
          words.meaning,
          "",
          "",
          [=](Options& options, const std::string& text) { options.*member = read(text); },
          [=](const Options& options) { return (options.*member).to_string(); }};
}

}  // namespace

std::string to_string(Coordinates coordinates) {
  return coordinates == Coordinates::automatic ? "auto" : coordinates == Coordinates::joints ? "joints" : "bodies";
}

const std::vector<OptionEntry>& option_list() {
  using O = Options;
  using S = const std::string&;
  static const std::vector<OptionEntry> list = {
      number({"until", "T", "simulate until this time; 0 evaluates the initial state only"}, "s", at_least(0),
             &O::until),
      number({"start-time", "T", "the time at which the initial state holds and the simulation begins"}, "s",
             at_least(0), &O::start_time),
      number({"step", "H", "fixed step; without it the steps are chosen by error control"}, "s", above(0), &O::step),
      number({"rtol", "R", "relative error allowed in a step"}, "", above(0), &O::rtol),
      number({"atol", "A",
              "absolute error allowed in a step; by default rtol / 100 of the sizes of coordinates and "
              "speeds"},
             "", above(0), &O::atol),
      number({"max-step", "H", "the longest step that error control may choose"}, "s", above(0), &O::max_step),
      number({"accuracy", "X",
              "largest error of the result, not of a step; tolerances are chosen for it, and runs compared"},
             "", above(0), &O::accuracy),
      choice({"method", "NAME", "how constraints are kept: see 'taut list methods'"}, known_method, &O::method),
      choice({"integrator", "NAME", "how time is stepped: see 'taut list integrators'"}, known_integrator,
             &O::integrator),
      choice({"linear", "NAME", "linear-algebra kernel: see 'taut list kernels'"}, known_linear, &O::linear),
      choice({"energy", "LAW", "energy law: see 'taut list energy'"}, known_energy, &O::energy),
      choice({"control", "WAY", "how correction terms are integrated: see 'taut list control'"}, known_control,
             &O::control),
      {"coordinates", "OF",
       "coordinates of a mechanism: those of a tree of its joints, with constraints only where loops close, or those "
       "of "
       "every body, with constraints for every joint; auto: of joints where that can be and pays",
       "", "auto, joints or bodies", [](O& o, S s) { o.coordinates = known_coordinates(s); },
       [](const O& o) { return to_string(o.coordinates); }},
      {"native", "WHEN", "formulas as machine code, made by the system's compiler; auto: where it pays", "",
       "on, off or auto", [](O& o, S s) { o.native = known_native(s); },
       [](const O& o) { return std::string(word_of(o.native)); }},
      {"start", "NAME", "begin at one of the model's starts, a state that its section starts: has under this name", "",
       "", [](O& o, S s) { o.start = s; },
       [](const O& o) { return o.start.empty() ? std::nullopt : std::optional(o.start); }},
      {"assemble", "", "make the initial state satisfy the constraints first", "", "on or off",
       [](O& o, S s) { read_option(s, o.assemble); }, [](const O& o) { return option_text(o.assemble); }},
      {"effort", "",
       "record what keeping the constraints takes: mu(NAME), impulse of the correction, Qc(NAME), constraint force, "
       "and correction, its size",
       "", "on or off", [](O& o, S s) { read_option(s, o.effort); }, [](const O& o) { return option_text(o.effort); }},
      number({"every", "DT", "record a row every DT and the end of the run; by default every step"}, "s", above(0),
             &O::every),
      number({"settle", "T", "count violations only from this time on"}, "s", at_least(0), &O::settle),
      number({"fail-above", "X", "end with status 3 as soon as a constraint is violated by more than X"}, "", above(0),
             &O::fail_above),
  };
  return list;
}

std::string OptionEntry::about() const {
  std::string facts;
  const auto add = [&facts](const std::string& fact) { facts += (facts.empty() ? "" : ", ") + fact; };
  if (!unit.empty()) add("in " + unit);
  if (!range.empty()) add(range);
  if (const auto value = default_value()) add("by default " + *value);
  return facts.empty() ? meaning : meaning + " (" + facts + ")";
}

const OptionEntry& find_option(const std::string& given) {
  std::string name = given;
  std::replace(name.begin(), name.end(), '_', '-');
  std::vector<std::string> names;
  for (const auto& entry : option_list()) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  const std::string near = nearest(name, names);
  std::string all;
  for (const auto& known : names) all += (all.empty() ? "" : ", ") + known;
  throw InputError("there is no option '" + name + "'",
                   near.empty() ? "there are: " + all : "did you mean '" + near + "'?");
}

void unset_step(Options& options) {
  options.step.reset();
  forget_source(options, "step");
}

InputError with_sources(const OptionError& error, const Options& options) {
  std::string words;
  Place place;
  for (const auto& name : error.options())
    for (const auto& source : options.sources) {
      if (source.name != name) continue;
      words += (words.empty() ? "" : " with ") + source.words;
      if (place.line == 0) place = source.place;
    }
  return {place, (words.empty() ? "" : words + ": ") + error.message(), error.remedy()};
}

void check_options(const Options& options) {
  for (const OptionEntry& entry : option_list())
    if (!entry.holds(options))
      throw OptionError({entry.name}, "the option '" + entry.name + "' has no meaning as it is",
                        "give a number " + entry.range + (entry.default_value() ? "" : ", or none"));
  if (options.max_step && options.step.value_or(0) > *options.max_step)
    throw OptionError({"step", "max-step"}, "fixed steps are longer than the longest step allowed",
                      "leave out the step, so that steps are chosen, or give a shorter one");
  if (options.accuracy && options.step)
    throw OptionError({"accuracy", "step"}, "an accuracy of the result takes steps that are chosen",
                      "leave out the step or the accuracy");
  if (options.until > 0 && options.start_time > options.until)
    throw OptionError(
        {"start-time", "until"},
        fmt::format("the simulation would begin at t = {:g}, after its end at {:g}", options.start_time, options.until),
        "times count from t = 0: let it run until a later time");
  if (options.until > 0 && options.settle > options.until)
    throw OptionError({"settle"}, "violations would count from a time on that the run does not reach",
                      "give a time between zero and until");
  if (options.every && *options.every < options.until * std::numeric_limits<double>::epsilon())
    throw OptionError(
        {"every"}, fmt::format("rows every {:g} s cannot be told apart at t = {:g} s", *options.every, options.until),
        fmt::format("give a time above {:.2g}", options.until * std::numeric_limits<double>::epsilon()));
  if (options.max_steps && *options.max_steps <= 0)
    throw OptionError({"max_steps"}, "there would be no steps", "give a number of steps above 0");
}

void set_option(Options& options, const std::string& given, const std::string& value, const std::string& words,
                const Place& place) {
  const OptionEntry& entry = find_option(given);
  entry.set(options, value);
  forget_source(options, entry.name);
  if (!words.empty()) options.sources.push_back({entry.name, words, place});
}

Options options_of(const Model& model, Options options) {
  if (model.conserve_energy) set_option(options, "energy", "project", "conserve: energy");
  for (const auto& setting : model.simulate) {
    try {
      set_option(options, setting.name, setting.value, "simulate: " + setting.name + ": " + setting.value,
                 setting.place);
    } catch (const InputError& error) {
      throw InputError(setting.place, "simulate: " + setting.name + ": " + error.message(), error.remedy());
    }
  }
  return options;
}

std::vector<Assignment> values_of(const Model& model, const Options& options) {
  std::vector<Assignment> list = start_values(model, options.start);
  list.insert(list.end(), options.set.begin(), options.set.end());
  return list;
}

}  // namespace taut
