#include "model/coordinate_reading.hpp"

#include <fmt/format.h>

#include "model/declare.hpp"
#include "model/keys.hpp"

namespace taut {
namespace {

/// {value: …, rate: …, fixed: true}: fixed is what stands beside it.
struct GivenStart {
  std::optional<Value> value, rate, fixed;
  /// Said of it, is it true?
  bool is_fixed() const { return fixed && fixed->flag(); }
};

void keep_start_value(const Value& v, GivenStart& start) { start.value = v; }
void keep_fixed(const Value& v, GivenStart& start) { start.fixed = v; }

const Keys<GivenStart> coordinate_keys{{
    {"value", keep_start_value},
    {"rate", [](const Value& v, GivenStart& start) { start.rate = v; }},
    {"fixed", keep_fixed},
}};
const Keys<GivenStart> speed_keys{{
    {"value", keep_start_value, "write {value: NUMBER, fixed: true}"},
    {"fixed", keep_fixed},
}};

/// A value alone, [value, rate], or a mapping.
GivenStart given_start(const Value& value) {
  GivenStart given;
  const auto& items = value.node().items;
  if (value.is_mapping()) {
    read_keys(value, coordinate_keys, given);
  } else if (value.is_list()) {
    if (items.empty() || items.size() > 2)
      value.refuse(fmt::format("{} has {}", value.what(), counted(items.size(), "initial value")),
                   "give a value, or [value, rate]");
    given.value = value.beside(items[0], "");
    if (items.size() == 2) given.rate = value.beside(items[1], "");
  } else {
    given.value = value;
  }
  return given;
}

void read_coordinate(ReadingContext& in, const Entry& entry) {
  Coordinate& x = add_coordinate(in.model, entry.name, entry.place);
  const Value value = entry.value.called(fmt::format("coordinate '{}'", x.name));
  const std::string what = fmt::format("the initial value of '{}'", x.name);
  const GivenStart given = given_start(value);
  x.initial_claim = given.value ? InitialClaim::given : InitialClaim::none;
  if (given.value) x.initial = given.value->called(what).formula(context::initial);
  if (given.rate) {
    if (in.first_of("speeds") != nullptr)
      given.rate->refuse(fmt::format("{} has an initial rate, but the model declares speeds", value.what()),
                         "give the initial values of the speeds instead");
    x.initial_rate = given.rate->called(what).formula(context::initial);
    x.rate_claim = InitialClaim::given;
  }
  if (given.is_fixed()) {
    if (!given.value && !given.rate)
      given.fixed->refuse(fmt::format("{} is fixed without a value", value.what()),
                          "give value:, rate: or both beside it");
    if (given.value) x.initial_claim = InitialClaim::fixed;
    if (given.rate) x.rate_claim = InitialClaim::fixed;
  }
  if (const auto set = in.assigned(x.name + "(0)", context::initial)) x.initial = *set;
  if (const auto set = in.assigned(x.name + "'(0)", context::initial)) x.initial_rate = *set;
  in.scope.add(x);
  in.index_coordinates(in.model.coordinates.size() - 1);
}

void read_speed(ReadingContext& in, const Entry& entry) {
  Speed& u = add_speed(in.model, entry.name, entry.place);
  GivenStart given;
  if (entry.value.is_mapping())
    read_keys(entry.value.called(fmt::format("speed '{}'", u.name)), speed_keys, given);
  else
    given.value = entry.value;
  u.claim = given.is_fixed() ? InitialClaim::fixed : InitialClaim::given;
  u.initial = given.value->called(fmt::format("the initial value of '{}'", u.name)).formula(context::initial);
  if (const auto set = in.assigned(u.name + "(0)", context::initial)) u.initial = *set;
  in.scope.add(u);
  in.index_speeds(in.model.speeds.size() - 1);
}

}  // namespace

void read_coordinates(ReadingContext& in) {
  in.each_entry("coordinates", [&](const Entry& entry) { read_coordinate(in, entry); });
  in.given_coordinates = in.model.coordinates.size();
}

void read_speeds(ReadingContext& in) {
  in.each_entry("speeds", [&](const Entry& entry) { read_speed(in, entry); });
  if (const yaml::Node* speeds = in.first_of("speeds"); speeds != nullptr && in.model.speeds.empty())
    in.refuse(*speeds, "the section 'speeds' declares none", "declare speeds, or leave the section out");
}

void read_rates(ReadingContext& in) {
  const yaml::Node* section = in.first_of("rates");
  if (in.first_of("speeds") == nullptr) {
    if (section == nullptr) return;
    in.refuse(*section, "rates are given, but the model declares no speeds", "declare the speeds under 'speeds'");
  }
  in.each_entry("rates", [&](const Entry& entry) {
    Coordinate* x = in.find_coordinate(entry.name);
    if (x == nullptr) {
      std::vector<std::string> names;
      for (const Coordinate& known : in.model.coordinates) names.push_back(known.name);
      throw InputError(entry.place, fmt::format("a rate is given for '{}', which is no coordinate", entry.name),
                       did_you_mean(entry.name, names));
    }
    x->kinematics = entry.value.called(fmt::format("the rate of '{}'", entry.name)).formula(context::rate);
  });
  for (std::size_t k = 0; k < in.given_coordinates; ++k) {
    const Coordinate& x = in.model.coordinates[k];
    if (x.kinematics) continue;
    throw InputError(x.place, fmt::format("the model declares speeds, but the rate of '{}' is not given", x.name),
                     fmt::format("give it under 'rates', such as '{}: {}'", x.name, in.model.speeds[0].name));
  }
}

}  // namespace taut
