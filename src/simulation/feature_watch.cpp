#include "simulation/feature_watch.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "expression/arithmetic.hpp"
#include "expression/derivative.hpp"
#include "model/functions.hpp"
#include "simulation/model_parts.hpp"

namespace taut {
namespace {

/// Where a step is looked at in any case.
constexpr std::array first_looks{0.0, 0.3, 0.65, 1.0};
/// A formula is steep between two samples that differ by more than this share of all its values in the step, …
constexpr double steep = 0.05;
/// … and looked at closely unless the middle is off the straight line by less than this share of the difference.
constexpr double straight = 0.25;
/// One look in the middle of so large a change may fall on the middle of a jump.
constexpr double large_change = 0.45;
/// A formula whose values differ by less, relative to their size, has no feature; nor has one that is as good as
/// nought.
constexpr double significant = 1e-3, nought = 1e-30;
/// A feature is hidden if the flat stretches around it are longer than this share of it: nearer by, tails show.
constexpr double long_against = 0.25;
/// A stretch needs no closer look if its values are those at its ends, and not more than this share of all beside.
constexpr double explained = 0.25;
/// A step is looked at no more closely than this, …
constexpr int deepest = 24, most_looks = 200;
/// … and a formula not any more whose enclosure in a short stretch was so many times in vain: its intervals are too
/// wide.
constexpr int most_vain_steps = 20;
constexpr double short_stretch = 1e-2;
/// Longer formulas cost more to enclose than to integrate.
constexpr std::size_t longest_formula = 300, longest_of_all = 1000;
/// cos(x)^100 is a row of bumps.
constexpr double high_power = 8;
/// Steps within a feature are this share of it at most.
constexpr double share_of_feature = 0.125;
/// A step that is still refused after so many attempts is taken.
constexpr int most_refusals = 12;

/// Can the operation have values, for arguments in between, far from those for arguments around them?
bool can_hide(const Graph& graph, const Graph::Node& node) {
  if (node.op == Op::exp || node.op == Op::tanh || node.op == Op::divide) return true;
  if (node.op != Op::power) return false;
  const Graph::Node exponent = graph.node(node.b);
  return exponent.op != Op::constant || exponent.value < 0 || exponent.value >= high_power;
}

double significant_change(const Interval& values) { return significant * values.magnitude() + nought; }

double middle(const Interval& value) { return 0.5 * (value.lo + value.hi); }

}  // namespace

std::unique_ptr<FeatureWatch> FeatureWatch::make(const Model& model, std::span<const double> parameters) {
  Graph graph(model.graph);
  std::vector<NodeId> nodes, sources;
  std::vector<std::string> where, too_long;
  for (const auto& [name, formula, acts] : parts_of(model)) {
    if (!acts) continue;  // an event's zeros are looked for by themselves
    for (const NodeId id : reachable(graph, {formula.in(*model.graph)})) {
      const Graph::Node node = graph.node(id);
      if (!can_hide(graph, node)) continue;
      const bool divides = node.op == Op::divide;
      const NodeId argument = divides ? node.b : node.a;
      if (!depends_on_state(Expression(graph, argument)) || std::ranges::find(nodes, id) != nodes.end()) continue;
      // Nobody can tell what a function of the program does between two states.
      if (depends_on_functions(model, Expression(graph, argument))) continue;
      if (reachable(graph, {argument}).size() > longest_formula) {
        too_long.push_back(name);
        continue;
      }
      // What stands below makes a quotient large, and what stands above has features of its own.
      nodes.push_back(id);
      sources.push_back(divides ? graph.apply(Op::divide, graph.constant(1), node.b) : id);
      where.push_back(name);
    }
  }
  if (reachable(graph, nodes).size() > longest_of_all) {
    too_long.insert(too_long.end(), where.begin(), where.end());
    nodes.clear();
    sources.clear();
    where.clear();
  }
  if (nodes.empty() && too_long.empty()) return nullptr;
  return std::unique_ptr<FeatureWatch>(
      new FeatureWatch(model, graph, {nodes, sources, std::move(where), std::move(too_long)}, parameters));
}

FeatureWatch::FeatureWatch(const Model& model, const Graph& graph, Watched watched, std::span<const double> parameters)
    : formulas_(graph, watched.nodes, numbers_of(model, parameters)),
      sources_(graph, watched.sources, numbers_of(model, parameters)),
      symbols_(*model.graph, formulas_.symbols(), own_speeds(model)),
      source_symbols_(*model.graph, sources_.symbols(), own_speeds(model)),
      where_(std::move(watched.where)),
      too_long_(std::move(watched.too_long)),
      values_of_(where_.size()),
      muted_(where_.size()),
      wide_(where_.size()),
      vain_steps_(where_.size()),
      follow_inputs_(depend_on_inputs(graph, watched.nodes)) {
  const std::size_t most_samples = first_looks.size() + 2 * most_looks;
  shares_.reserve(most_samples);
  order_.reserve(most_samples);
  values_.reserve(most_samples * where_.size());
}

// ---- looking at a step ----------------------------------------------------------------------------

bool FeatureWatch::leaps_over() {
  if (where_.empty() || !(end_.t > start_.t)) return false;
  for (std::size_t k = 0; k < muted_.size(); ++k) muted_[k] = vain_steps_[k] >= most_vain_steps;
  return looks_show_leap();
}

bool FeatureWatch::looks_show_leap() {
  const StepPath path(start_, end_);
  if (changes_little(path)) return false;
  shares_.clear();
  values_.clear();
  looks_ = 0;
  for (const double share : first_looks) sample(path, share);
  for (std::size_t k = 0; k + 1 < first_looks.size(); ++k) refine(path, k, k + 1, 0);
  if (looks_ == most_looks && mute_what_is_wide(path)) return looks_show_leap();
  if (shares_.size() == first_looks.size() || !find_hidden(path)) return false;
  return ++refusals_ <= most_refusals;
}

/// As a rule no formula changes in a step by more than its own size, and one look at all of the step shows it.
bool FeatureWatch::changes_little(const StepPath& path) {
  const auto change_little = [](const Interval& values) {
    const double least = values.contains(0) ? 0 : std::min(std::abs(values.lo), std::abs(values.hi));
    return values.width() <= least || values.magnitude() <= nought;
  };
  return std::ranges::all_of(sources_.over(source_symbols_.box(path, 0, 1)), change_little);
}

void FeatureWatch::sample(const StepPath& path, double share) {
  const auto results = formulas_.over(symbols_.box(path, share, share));
  for (std::size_t k = 0; k < results.size(); ++k) {
    const double value = middle(results[k]);
    values_.push_back(value);
    Interval& all = values_of_[k];
    if (shares_.empty() || !all.is_finite()) all = value;
    if (std::isfinite(value)) all = hull(all, value);
  }
  shares_.push_back(share);
}

/// Looks between the samples a and b, as closely as the formulas' enclosures ask for, and their own changes.
void FeatureWatch::refine(const StepPath& path, std::size_t a, std::size_t b, int depth) {
  if (depth == deepest || looks_ == most_looks) return;
  ++looks_;
  const double from = shares_[a], to = shares_[b];
  const bool enclosed = is_enclosed(formulas_.over(symbols_.box(path, from, to)), a, b);
  if (enclosed && is_flat(a, b)) return;
  const std::size_t inside = shares_.size();
  sample(path, 0.5 * (from + to));
  if (enclosed && is_straight(a, inside, b)) return;
  refine(path, a, inside, depth + 1);
  refine(path, inside, b, depth + 1);
}

/// Looks were used up. Formulas whose enclosures in short stretches, here and there, are as wide as all their values
/// use them up for nothing, and are left out of this step; one that does so again and again, of all.
bool FeatureWatch::mute_what_is_wide(const StepPath& path) {
  std::ranges::fill(wide_, 0);
  for (const double at : {0.1, 0.4, 0.8}) {
    const auto enclosures = formulas_.over(symbols_.box(path, at, at + short_stretch));
    for (std::size_t k = 0; k < enclosures.size(); ++k)
      wide_[k] += !(enclosures[k].width() <= explained * values_of_[k].width() + significant_change(values_of_[k]));
  }
  bool any = false;
  for (std::size_t k = 0; k < wide_.size(); ++k) {
    if (muted_[k] || wide_[k] < 3) continue;
    ++vain_steps_[k];
    muted_[k] = any = true;
  }
  return any;
}

/// Has every formula, between two samples, values of about these samples alone?
bool FeatureWatch::is_enclosed(std::span<const Interval> enclosures, std::size_t a, std::size_t b) const {
  const std::size_t count = enclosures.size();
  for (std::size_t k = 0; k < count; ++k) {
    const double va = values_[a * count + k], vb = values_[b * count + k];
    if (muted_[k] || !std::isfinite(va) || !std::isfinite(vb)) continue;
    const Interval& all = values_of_[k];
    const double room = explained * all.width() + significant_change(all);
    const double low = std::min(va, vb) - room, high = std::max(va, vb) + room;
    if (!(enclosures[k].lo >= low && enclosures[k].hi <= high)) return false;
  }
  return true;
}

bool FeatureWatch::is_flat(std::size_t a, std::size_t b) const {
  const std::size_t count = values_of_.size();
  for (std::size_t k = 0; k < count; ++k) {
    const Interval& all = values_of_[k];
    const double change = std::abs(values_[b * count + k] - values_[a * count + k]);
    if (change > steep * all.width() && change > significant_change(all)) return false;
  }
  return true;
}

/// Do formulas change from a to b as much before the middle as after it, or hardly at all?
bool FeatureWatch::is_straight(std::size_t a, std::size_t middle, std::size_t b) const {
  const std::size_t count = values_of_.size();
  for (std::size_t k = 0; k < count; ++k) {
    const double va = values_[a * count + k], vm = values_[middle * count + k], vb = values_[b * count + k];
    const Interval& all = values_of_[k];
    const double off = std::abs(vm - 0.5 * (va + vb));
    if (std::abs(vb - va) > large_change * all.width() && all.width() > significant_change(all)) return false;
    if (off > straight * std::abs(vb - va) && off > steep * all.width() && off > significant_change(all)) return false;
  }
  return true;
}

bool FeatureWatch::find_hidden(const StepPath& path) {
  order_.resize(shares_.size());
  for (std::size_t k = 0; k < order_.size(); ++k) order_[k] = k;
  std::ranges::sort(order_, {}, [this](std::size_t k) { return shares_[k]; });
  bool any = false;
  for (std::size_t k = 0; k < values_of_.size(); ++k) any = is_hidden(k, path) || any;
  return any;
}

/// Looks for a stretch of steep changes, with flat ones on both sides that are long against it: at the ends of the
/// step, and so for the error test, nothing shows of it.
bool FeatureWatch::is_hidden(std::size_t node, const StepPath& path) {
  const Interval& all = values_of_[node];
  if (!(all.width() > significant_change(all))) return false;
  const auto share = [this](std::size_t at) { return shares_[order_[at]]; };
  const std::size_t last = order_.size() - 1;
  const auto next_steep = [&](std::size_t from) {
    while (from < last && std::abs(value_at(node, from + 1) - value_at(node, from)) <= steep * all.width()) ++from;
    return from;
  };
  double flat_from = 0;
  for (std::size_t first = next_steep(0); first < last;) {
    std::size_t end = first + 1, next = next_steep(end);
    while (next < last && share(next) - share(end) <= share(end) - share(first)) {
      end = next + 1;
      next = next_steep(end);
    }
    const double hidden = long_against * (share(end) - share(first));
    if (share(first) - flat_from > hidden && share(next) - share(end) > hidden) {
      mark(node, path, first, end);
      return true;
    }
    flat_from = share(end);
    first = next;
  }
  return false;
}

double FeatureWatch::value_at(std::size_t node, std::size_t place) const {
  return values_[order_[place] * values_of_.size() + node];
}

/// A feature between two samples, in the order of time; the first on the way counts.
void FeatureWatch::mark(std::size_t node, const StepPath& path, std::size_t first, std::size_t last) {
  const double from = path.time(shares_[order_[first]]), to = path.time(shares_[order_[last]]);
  if (!ahead_ || ahead_->to <= start_.t || from < ahead_->from) ahead_ = Feature{from, to, where_[node]};
}

// ---- what follows for steps -----------------------------------------------------------------------

void FeatureWatch::accept() {
  std::swap(start_, end_);
  refusals_ = 0;
  if (ahead_ && start_.t >= ahead_->to) ahead_.reset();
}

double FeatureWatch::longest_step() const {
  if (!ahead_) return std::numeric_limits<double>::infinity();
  const double within = share_of_feature * (ahead_->to - ahead_->from);
  return std::max(ahead_->from - start_.t, within);
}

std::vector<std::string> FeatureWatch::unwatched() const {
  std::vector<std::string> parts = too_long_;
  for (std::size_t k = 0; k < muted_.size(); ++k)
    if (vain_steps_[k] >= most_vain_steps) parts.push_back(where_[k]);
  std::ranges::sort(parts);
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  return parts;
}

void FeatureWatch::note_missed() {
  if (!missed_ || ahead_->to - ahead_->from < missed_->to - missed_->from) missed_ = ahead_;
  ahead_.reset();
}

}  // namespace taut
