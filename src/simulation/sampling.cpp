#include "simulation/sampling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "expression/program.hpp"
#include "model/controllers.hpp"

namespace taut {
namespace {

std::vector<Expression> formulas_of(const Controller& controller) {
  std::vector<Expression> formulas;
  for (const SampledValue& sample : controller.values) formulas.push_back(sample.value);
  return formulas;
}

}  // namespace

bool is_same_instant(double a, double b) {
  constexpr double roundings = 8 * std::numeric_limits<double>::epsilon();
  return std::abs(a - b) <= roundings * std::max(std::abs(a), std::abs(b));
}

// ---- one controller -------------------------------------------------------------------------------

Sampler::Sampler(const Model& model, System& system, const Controller& controller,
                 const std::vector<double>& parameters)
    : name_(controller.name), formulas_(model, system, formulas_of(controller)) {
  std::vector<double> by_symbol(model.graph->symbols(), 0.0);
  for (std::size_t k = 0; k < parameters.size(); ++k) by_symbol[model.parameters[k].symbol] = parameters[k];
  const auto number = [&](const Expression& e) { return evaluate(e, by_symbol); };
  const auto maybe = [&](const std::optional<Expression>& e) { return e ? std::optional(number(*e)) : std::nullopt; };
  sample_time_ = number(controller.sample_time);
  offset_ = number(controller.offset);
  for (const SampledValue& sample : controller.values) {
    Found& found = found_.emplace_back(Found{sample.name,
                                             static_cast<std::size_t>(sample.parameter),
                                             sample.role,
                                             0,
                                             maybe(sample.quantum),
                                             maybe(sample.lowest),
                                             maybe(sample.highest),
                                             number(sample.delay),
                                             {}});
    if (found.delay > 0) found.waits.assign(static_cast<std::size_t>(std::ceil(found.delay)) + 1, 0.0);
  }
  next_states_.resize(found_.size());
  if (const FunctionalUnit* unit = unit_of(model, controller.name)) {
    unit_ = std::make_unique<UnitInLoop>(*unit, name_);
    given_.resize(unit_->given());
  }
  std::vector<char> waits;
  for (const Found& found : found_) waits.push_back(!found.waits.empty());
  const std::vector<int> stages = stages_of(model, controller, waits);
  for (std::size_t k = 0; k < stages.size(); ++k) {
    found_[k].stage = stages[k];
    stages_ = std::max(stages_, stages[k] + 1);
  }
}

void Sampler::start(double t) {
  if (unit_) unit_->prepare();
  count_samples(t);
}

void Sampler::count_samples(double t) {
  samples_ = std::max(0L, std::lround(std::floor((t - offset_) / sample_time_)));
  while (!is_same_instant(instant(static_cast<double>(samples_)), t) && instant(static_cast<double>(samples_)) < t)
    ++samples_;
  first_ = samples_;
  for (Found& found : found_) found.delivered = samples_;
}

/// What is delayed was recorded, when it was found, by the value before it.
void Sampler::recall(double begun, double ended, const Recorded& recorded) {
  count_samples(begun);
  while (is_sample_due(ended)) ++samples_;
  for (std::size_t k = 0; k < found_.size(); ++k) {
    Found& found = found_[k];
    if (found.waits.empty()) continue;
    found.delivered = first_;
    while (found.delivered < samples_ && !is_after(instant(static_cast<double>(found.delivered) + found.delay), ended))
      ++found.delivered;
    for (long j = found.delivered; j < samples_; ++j)
      found.waits[static_cast<std::size_t>(j) % found.waits.size()] =
          recorded(found_[k - 1].name, instant(static_cast<double>(j)));
  }
}

double Sampler::next() const {
  double next = instant(static_cast<double>(samples_));
  for (const Found& found : found_)
    if (!found.waits.empty() && found.delivered < samples_)
      next = std::min(next, instant(static_cast<double>(found.delivered) + found.delay));
  return next;
}

void Sampler::deliver(double t, std::vector<double>& parameters) {
  for (Found& found : found_) {
    if (found.waits.empty()) continue;
    while (found.delivered < samples_ && !is_after(instant(static_cast<double>(found.delivered) + found.delay), t))
      parameters[found.parameter] = found.waits[static_cast<std::size_t>(found.delivered++) % found.waits.size()];
  }
}

double Sampler::shaped(const Found& found, double value) {
  if (found.quantum) value = *found.quantum * std::round(value / *found.quantum);
  if (found.lowest) value = std::max(value, *found.lowest);
  if (found.highest) value = std::min(value, *found.highest);
  return value;
}

void Sampler::put(Found& found, double value, std::vector<double>& parameters) {
  if (found.waits.empty())
    parameters[found.parameter] = value;
  else
    found.waits[static_cast<std::size_t>(samples_) % found.waits.size()] = value;
}

bool Sampler::sample(const ObservedState& at, std::vector<double>& parameters) {
  if (!(find(at, parameters) && serve_unit(at.t, parameters))) {
    if (unit_ && wrong_.empty()) wrong_ = unit_->wrong();
    return false;
  }
  ++samples_;
  return true;
}

/// What a unit answers to what it was given before.
bool Sampler::take_answers(std::vector<double>& parameters) {
  if (!unit_->ask()) return false;
  auto answer = unit_->answers().begin();
  for (const Found& found : found_) {
    if (found.role != SampledValue::Role::set) continue;
    if (!std::isfinite(*answer)) {
      wrong_ = fmt::format("unit '{}' answers no finite value of '{}'", name_, found.name);
      return false;
    }
    parameters[found.parameter] = *answer++;
  }
  return true;
}

/// Gives it what was measured. In Co-Simulation, answers to that come with the next step, except where it begins.
bool Sampler::serve_unit(double t, std::vector<double>& parameters) {
  if (!unit_) return true;
  auto given = given_.begin();
  for (const Found& found : found_)
    if (found.role == SampledValue::Role::measured) *given++ = parameters[found.parameter];
  const bool begins = !unit_->has_started();
  if (!(begins ? unit_->start(t, given_) : unit_->give(given_))) return false;
  return !(begins || unit_->exchanges_states()) || take_answers(parameters);
}

bool Sampler::find(const ObservedState& at, std::vector<double>& parameters) {
  if (unit_ && unit_->has_started() && !(unit_->advance(at.t) && take_answers(parameters))) return false;
  for (int stage = 0; stage < stages_; ++stage) {
    const std::vector<double>& values = formulas_.evaluate(at, parameters);
    for (std::size_t k = 0; k < found_.size(); ++k) {
      Found& found = found_[k];
      if (found.stage != stage || (unit_ && found.role == SampledValue::Role::set)) continue;
      const double value = shaped(found, values[k]);
      if (!std::isfinite(value)) {
        wrong_ = fmt::format("controller '{}' finds no finite value of '{}' at t = {:.9g}", name_, found.name, at.t);
        return false;
      }
      if (found.role == SampledValue::Role::state)
        next_states_[k] = value;
      else
        put(found, value, parameters);
    }
  }
  for (std::size_t k = 0; k < found_.size(); ++k)
    if (found_[k].role == SampledValue::Role::state) parameters[found_[k].parameter] = next_states_[k];
  return true;
}

namespace {

/// Bytes as numbers: how many, and then eight in each.
constexpr std::size_t bytes_in_number = sizeof(double);
std::size_t numbers_for(std::size_t bytes) { return bytes / bytes_in_number + (bytes % bytes_in_number > 0 ? 1 : 0); }

InputError not_ours() {
  return InputError("what controllers are to remember is not of this model",
                    "restore checkpoints of this simulation, or of one like it");
}

}  // namespace

/// Numbers up to 2⁵³ are counts that a double holds exactly.
long MemoryReader::count() {
  const double number = numbers(1).front();
  if (!(number >= 0 && number <= 0x1p53 && number == std::floor(number))) throw not_ours();
  return static_cast<long>(number);
}

std::span<const double> MemoryReader::numbers(std::size_t size) {
  if (size > left_.size()) throw not_ours();
  const auto read = left_.first(size);
  left_ = left_.subspan(size);
  return read;
}

void MemoryReader::end() const {
  if (!left_.empty()) throw not_ours();
}

std::size_t Sampler::memory_size() const {
  std::size_t size = 2;
  if (unit_) size += 1 + numbers_for(unit_->memory().size());
  for (const Found& found : found_)
    if (!found.waits.empty()) size += 1 + found.waits.size();
  return size;
}

double* Sampler::save(double* memory) const {
  *memory++ = static_cast<double>(samples_);
  *memory++ = static_cast<double>(first_);
  for (const Found& found : found_) {
    if (found.waits.empty()) continue;
    *memory++ = static_cast<double>(found.delivered);
    memory = std::ranges::copy(found.waits, memory).out;
  }
  if (!unit_) return memory;
  const std::vector<unsigned char> bytes = unit_->memory();
  *memory++ = static_cast<double>(bytes.size());
  std::memcpy(memory, bytes.data(), bytes.size());
  return memory + numbers_for(bytes.size());
}

void Sampler::load(MemoryReader& memory) {
  samples_ = memory.count();
  first_ = memory.count();
  for (Found& found : found_) {
    if (found.waits.empty()) continue;
    found.delivered = memory.count();
    std::ranges::copy(memory.numbers(found.waits.size()), found.waits.begin());
  }
  if (!unit_) return;
  const auto size = static_cast<std::size_t>(memory.count());
  const std::span<const double> kept = memory.numbers(numbers_for(size));
  std::vector<unsigned char> bytes(size);
  if (size > 0) std::memcpy(bytes.data(), kept.data(), size);
  unit_->restore(bytes);
}

// ---- all of them ----------------------------------------------------------------------------------

Sampling::Sampling(const Model& model, System& system, const std::vector<double>& parameters) {
  samplers_.reserve(model.controllers.size());
  for (const Controller& controller : model.controllers) samplers_.emplace_back(model, system, controller, parameters);
}

void Sampling::start(double t) {
  for (Sampler& sampler : samplers_) sampler.start(t);
}

void Sampling::recall(double begun, double ended, const Sampler::Recorded& recorded) {
  for (Sampler& sampler : samplers_) sampler.recall(begun, ended, recorded);
}

double Sampling::next() const {
  double next = std::numeric_limits<double>::infinity();
  for (const Sampler& sampler : samplers_) next = std::min(next, sampler.next());
  return next;
}

bool Sampling::is_due(double t) const {
  const double at = next();
  return at <= t || is_same_instant(at, t);
}

bool Sampling::is_sample_due(double t) const {
  return std::ranges::any_of(samplers_, [t](const Sampler& sampler) { return sampler.is_sample_due(t); });
}

bool Sampling::needs_accelerations() const { return std::ranges::any_of(samplers_, &Sampler::needs_accelerations); }

std::string Sampling::act(const ObservedState& at, std::vector<double>& parameters) {
  for (Sampler& sampler : samplers_) sampler.deliver(at.t, parameters);
  for (Sampler& sampler : samplers_)
    if (sampler.is_sample_due(at.t) && !sampler.sample(at, parameters)) return sampler.wrong();
  return {};
}

std::size_t Sampling::memory_size() const {
  std::size_t size = 0;
  for (const Sampler& sampler : samplers_) size += sampler.memory_size();
  return size;
}

std::vector<double> Sampling::memory() const {
  std::vector<double> memory(memory_size());
  double* place = memory.data();
  for (const Sampler& sampler : samplers_) place = sampler.save(place);
  return memory;
}

void Sampling::restore(const std::vector<double>& memory) {
  MemoryReader reader(memory);
  for (Sampler& sampler : samplers_) sampler.load(reader);
  reader.end();
}

}  // namespace taut
