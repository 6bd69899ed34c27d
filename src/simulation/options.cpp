#include <algorithm>
#include <cmath>

#include "base/nearest.hpp"
#include "enforcement/energy.hpp"
#include "enforcement/list.hpp"
#include "integration/list.hpp"
#include "linear/list.hpp"
#include "simulation/control.hpp"
#include "simulation/option_error.hpp"
#include "taut/error.hpp"
#include "taut/simulation.hpp"

namespace taut {
namespace {

double number(const std::string& text) {
  double value = 0;
  read_option(text, value);
  return value;
}

double positive(const std::string& text) {
  const double value = number(text);
  if (!(value > 0)) throw InputError("'" + text + "' is not greater than zero", "give a number such as 1e-3");
  return value;
}

double not_negative(const std::string& text) {
  const double value = number(text);
  if (value < 0) throw InputError("'" + text + "' is negative", "give zero or more");
  return value;
}

// Names are looked up at once, so that an error can point at the place of the name.

Choice known_method(const std::string& text) {
  const Choice choice(text);
  find_method(choice).rank_tolerance(choice);
  return choice;
}

Choice known_integrator(const std::string& text) {
  const Choice choice(text);
  check_integrator(choice);
  return choice;
}

Choice known_linear(const std::string& text) {
  const Choice choice(text);
  std::string chosen;
  make_kernel(choice, chosen);
  return choice;
}

Choice known_energy(const std::string& text) {
  const Choice choice(text);
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
  const Choice choice(text);
  check_control(choice);
  return choice;
}

void forget_source(Options& options, const std::string& name) {
  std::erase_if(options.sources, [&](const OptionSource& source) { return source.name == name; });
}

}  // namespace

std::string to_string(Coordinates coordinates) {
  return coordinates == Coordinates::automatic ? "auto" : coordinates == Coordinates::joints ? "joints" : "bodies";
}

const std::vector<OptionEntry>& option_list() {
  using O = Options;
  using S = const std::string&;
  static const std::vector<OptionEntry> list = {
      {"until", "T", "simulate until this time, in s; 0 evaluates the initial state only",
       [](O& o, S s) { o.until = not_negative(s); }},
      {"step", "H", "fixed step, in s; without it the steps are chosen by error control",
       [](O& o, S s) { o.step = positive(s); }},
      {"rtol", "R", "relative error allowed in a step", [](O& o, S s) { o.rtol = positive(s); }},
      {"atol", "A", "absolute error allowed in a step; by default rtol / 100 of the sizes of coordinates and speeds",
       [](O& o, S s) { o.atol = positive(s); }},
      {"max-step", "H", "the longest step that error control may choose, in s",
       [](O& o, S s) { o.max_step = positive(s); }},
      {"method", "NAME", "how constraints are kept: see 'taut list methods'",
       [](O& o, S s) { o.method = known_method(s); }},
      {"integrator", "NAME", "how time is stepped: see 'taut list integrators'",
       [](O& o, S s) { o.integrator = known_integrator(s); }},
      {"linear", "NAME", "linear-algebra kernel: see 'taut list kernels'",
       [](O& o, S s) { o.linear = known_linear(s); }},
      {"energy", "LAW", "energy law: see 'taut list energy'", [](O& o, S s) { o.energy = known_energy(s); }},
      {"control", "WAY", "how correction terms are integrated: see 'taut list control'",
       [](O& o, S s) { o.control = known_control(s); }},
      {"coordinates", "OF", "coordinates of a mechanism: joints, bodies, or auto: of joints where that can be",
       [](O& o, S s) { o.coordinates = known_coordinates(s); }},
      {"native", "WHEN", "formulas as machine code, made by the system's compiler: on, off, or auto where it pays",
       [](O& o, S s) { o.native = known_native(s); }},
      {"assemble", "", "make the initial state satisfy the constraints first",
       [](O& o, S s) { read_option(s, o.assemble); }},
      {"every", "DT", "record a row every DT, in s, and the end of the run; by default every step",
       [](O& o, S s) { o.every = positive(s); }},
      {"settle", "T", "count violations only from this time on, in s", [](O& o, S s) { o.settle = not_negative(s); }},
      {"fail-above", "X", "end with status 3 as soon as a constraint is violated by more than X",
       [](O& o, S s) { o.fail_above = positive(s); }},
  };
  return list;
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
  const auto require = [](bool good, const char* name, const char* remedy) {
    if (!good) throw OptionError({name}, std::string("the option '") + name + "' has no meaning as it is", remedy);
  };
  const auto positive = [](const std::optional<double>& value) {
    return !value || (*value > 0 && std::isfinite(*value));
  };
  require(options.until >= 0 && std::isfinite(options.until), "until", "give a time of zero or more");
  require(positive(options.step), "step", "give a step greater than zero, or none");
  require(positive(options.rtol), "rtol", "give a tolerance greater than zero");
  require(positive(options.atol), "atol", "give a tolerance greater than zero, or none");
  require(positive(options.max_step), "max-step", "give a step greater than zero, or none");
  if (options.max_step && options.step.value_or(0) > *options.max_step)
    throw OptionError({"step", "max-step"}, "fixed steps are longer than the longest step allowed",
                      "leave out the step, so that steps are chosen, or give a shorter one");
  require(positive(options.every), "every", "give a time greater than zero, or none");
  require(options.settle >= 0 && (options.until == 0 || options.settle <= options.until), "settle",
          "give a time between zero and until");
  require(positive(options.fail_above), "fail-above", "give a limit greater than zero, or none");
  require(!options.max_steps || *options.max_steps > 0, "max_steps", "give a number of steps greater than zero");
}

void set_option(Options& options, const std::string& given, const std::string& value, const std::string& words,
                const Place& place) {
  std::string name = given;
  std::replace(name.begin(), name.end(), '_', '-');
  std::vector<std::string> names;
  for (const auto& entry : option_list()) {
    if (entry.name == name) {
      entry.set(options, value);
      forget_source(options, name);
      if (!words.empty()) options.sources.push_back({name, words, place});
      return;
    }
    names.push_back(entry.name);
  }
  const std::string near = nearest(name, names);
  std::string all;
  for (const auto& known : names) all += (all.empty() ? "" : ", ") + known;
  throw InputError("there is no option '" + name + "'",
                   near.empty() ? "there are: " + all : "did you mean '" + near + "'?");
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

}  // namespace taut
