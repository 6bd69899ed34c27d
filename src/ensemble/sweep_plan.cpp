#include "ensemble/sweep_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "ensemble/counter_random.hpp"
#include "ensemble/sobol.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

constexpr SamplingScheme all_samplings[] = {SamplingScheme::random, SamplingScheme::latin, SamplingScheme::sobol};
/// SQLite counts up to 2^63 − 1.
constexpr std::uint64_t most_members = std::numeric_limits<std::int64_t>::max();

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  if (a != 0 && b > most_members / a) throw InputError("there would be more members than can be counted", "vary less");
  return a * b;
}

/// The middle of one of 2^32 intervals, shifted: a digital shift keeps how evenly the points lie.
double sobol_unit(std::uint64_t member, int dimension, const RandomPlace& shift) {
  const std::uint32_t x = sobol(member, dimension) ^ static_cast<std::uint32_t>(random_bits(shift));
  return (x + 0.5) * 0x1p-32;
}

}  // namespace

std::string to_string(SamplingScheme scheme) {
  return scheme == SamplingScheme::random ? "random" : scheme == SamplingScheme::latin ? "latin" : "sobol";
}

SamplingScheme read_sampling(const std::string& text) {
  for (const SamplingScheme known : all_samplings)
    if (to_string(known) == text) return known;
  throw InputError(fmt::format("there is no sampling '{}'", text), "give random, latin or sobol");
}

// ---- how many -------------------------------------------------------------------------------------

std::uint64_t SweepPlan::grid_size() const {
  std::uint64_t size = 1;
  for (const SweptName& v : variations)
    if (!v.is_drawn()) size = paired ? v.count : product(size, v.count);
  return size;
}

std::uint64_t SweepPlan::samples_each() const {
  const bool draws = std::ranges::any_of(variations, &SweptName::is_drawn);
  const bool counts = !std::ranges::all_of(variations, &SweptName::is_drawn);
  return !draws || (paired && counts) ? 1 : samples;
}

std::uint64_t SweepPlan::size() const { return product(grid_size(), samples_each()); }

void SweepPlan::check() const {
  if (variations.empty()) throw InputError("nothing varies", "give --vary NAME=a:b:n");
  std::set<std::string> names;
  std::uint64_t count = 0;
  int drawn = 0;
  for (const SweptName& v : variations) {
    if (!names.insert(v.name).second)
      throw InputError(fmt::format("'{}' varies twice", v.name), "give each name one --vary");
    drawn += v.is_drawn() ? 1 : 0;
    if (v.is_drawn() || !paired) continue;
    if (count != 0 && count != v.count)
      throw InputError(fmt::format("'{}' has {} values, and what it is paired with has {}", v.name, v.count, count),
                       "give all of them as many values, or leave out --paired for a grid");
    count = v.count;
  }
  const bool by_pairs = paired && count != 0;
  if (drawn > 0 && samples == 0 && !by_pairs) throw InputError("it is not said how often to draw", "give --samples N");
  if (drawn == 0 && samples != 0)
    throw InputError("--samples: nothing is drawn", "vary a name as normal(…) or uniform(…)");
  if (by_pairs && drawn > 0 && samples != 0 && samples != count)
    throw InputError(fmt::format("--samples {} cannot be paired with {} values", samples, count),
                     "leave out --samples");
  if (drawn == 0 && sampling != SamplingScheme::random)
    throw InputError(fmt::format("--sampling {}: nothing is drawn", to_string(sampling)),
                     "vary a name as normal(…) or uniform(…)");
  const std::uint64_t all = first + size();
  if (drawn > 0 && first > 0 && sampling == SamplingScheme::latin)
    throw InputError("a Latin hypercube cannot be added to: its shares are of as many members as it was made for",
                     "begin a sweep with --sampling sobol or random, which go on");
  if (sampling != SamplingScheme::sobol) return;
  if (drawn > most_sobol_dimensions)
    throw InputError(fmt::format("Sobol's sequence is known here for {} names, not {}", most_sobol_dimensions, drawn),
                     "use --sampling latin");
  if (all > most_sobol_points)
    throw InputError(fmt::format("Sobol's sequence has {} points here", most_sobol_points), "use --sampling random");
}

// ---- which values ---------------------------------------------------------------------------------

std::vector<std::string> SweepPlan::names() const {
  std::vector<std::string> list;
  for (const SweptName& v : variations) list.push_back(v.name);
  return list;
}

double SweepPlan::drawn(std::size_t variation, std::uint64_t member) const {
  RandomPlace place{seed, static_cast<std::uint32_t>(variation), member, 0};
  const double unit = random_unit(place);
  if (sampling == SamplingScheme::random) return variations[variation].quantile(unit);
  if (sampling == SamplingScheme::latin) {
    const std::uint64_t all = size();
    const auto share = static_cast<double>(permuted(member - first, all, place));
    return variations[variation].quantile((share + unit) / static_cast<double>(all));
  }
  const auto dimension = std::count_if(variations.begin(), variations.begin() + static_cast<std::ptrdiff_t>(variation),
                                       [](const SweptName& v) { return v.is_drawn(); });
  place.index = 0;
  return variations[variation].quantile(sobol_unit(member, static_cast<int>(dimension), place));
}

std::vector<double> SweepPlan::values(std::uint64_t member) const {
  std::vector<double> list(variations.size());
  std::uint64_t point = (member - first) / samples_each();
  for (std::size_t k = variations.size(); k-- > 0;) {
    const SweptName& v = variations[k];
    if (v.is_drawn()) {
      list[k] = drawn(k, member);
    } else {
      list[k] = v.value(paired ? point : point % v.count);
      if (!paired) point /= v.count;
    }
  }
  return list;
}

// ---- as text --------------------------------------------------------------------------------------

std::string to_json(const SweepPlan& plan) {
  nlohmann::ordered_json json;
  for (const SweptName& v : plan.variations) json["vary"].push_back(to_string(v));
  json["paired"] = plan.paired;
  json["sampling"] = to_string(plan.sampling);
  json["samples"] = plan.samples;
  json["seed"] = plan.seed;
  json["first"] = plan.first;
  return json.dump();
}

SweepPlan read_plan(const std::string& text) {
  const auto json = nlohmann::json::parse(text);
  SweepPlan plan;
  for (const auto& v : json.at("vary")) plan.variations.push_back(read_variation(v.get<std::string>()));
  plan.paired = json.at("paired").get<bool>();
  plan.sampling = read_sampling(json.at("sampling").get<std::string>());
  plan.samples = json.at("samples").get<std::uint64_t>();
  plan.seed = json.at("seed").get<std::uint64_t>();
  plan.first = json.at("first").get<std::uint64_t>();
  return plan;
}

}  // namespace taut
