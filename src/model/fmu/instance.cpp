#include "model/fmu/instance.hpp"

#include <fmt/format.h>

#include <cstring>

#include "model/fmu/exchange_steps.hpp"

namespace taut::fmu {
namespace {

constexpr const char* status_words[] = {"ok", "a warning", "discard", "an error", "a fatal error"};
/// Events that bring about others without end are none of a unit that works.
constexpr int most_rounds = 1000;

}  // namespace

Status Calls::too_large(double value) {
  log(fmt::format("the value {:g} is none that an input of its type can have", value));
  return Status::error;
}

Port port_of(const Variable& variable) { return {variable.reference, variable.type}; }

Instance::Instance(std::shared_ptr<Library> library, Interface interface, const std::string& name)
    : library_(std::move(library)), interface_(interface) {
  library_->load(interface);
  calls_ = description().version == 2 ? make_calls_2(*library_) : make_calls_3(*library_);
  if (!calls_->instantiate(description(), interface, name, library_->resources()))
    throw InputError(Place{description().file},
                     fmt::format("the unit makes no instance for {}{}", name_of(interface),
                                 calls_->logged().empty() ? "" : ": " + calls_->logged()),
                     "check what it needs, such as a licence or the tool it was made by");
  x_.resize(description().derivatives.size());
}

/// After a fatal error nothing may be called any more.
Instance::~Instance() {
  if (!is_dead_) calls_->free();
}

bool Instance::accept(Status status, const char* what) {
  if (status <= Status::warning) return true;
  if (status == Status::fatal) is_dead_ = true;
  wrong_ =
      fmt::format("{} of unit '{}' returns {} at t = {:.9g}{}{}", what, description().name,
                  status_words[static_cast<int>(status)], t_, calls_->logged().empty() ? "" : ": ", calls_->logged());
  return false;
}

bool Instance::apply(const Setting& setting) {
  const auto status = std::visit([&](const auto& value) { return calls_->set(setting.port, value); }, setting.value);
  return accept(status, "setting a value");
}

bool Instance::start(double t, std::optional<double> stop, const std::vector<Setting>& before,
                     const std::vector<Setting>& inputs) {
  t_ = t;
  for (const Setting& setting : before)
    if (!apply(setting)) return false;
  if (!accept(calls_->enter_initialisation(t, stop, std::nullopt), "entering the initialisation")) return false;
  for (const Setting& setting : inputs)
    if (!apply(setting)) return false;
  if (!accept(calls_->exit_initialisation(), "the initialisation")) return false;
  return interface_ == Interface::co_simulation || settle();
}

bool Instance::set(const Port& port, double value) { return accept(calls_->set(port, value), "setting a value"); }
bool Instance::get(const Port& port, double& value) { return accept(calls_->get(port, value), "reading a value"); }

bool Instance::advance(double until, double tolerance) {
  if (!(until > t_)) return true;
  if (interface_ == Interface::model_exchange) return ExchangeSteps(*this, tolerance).advance(until);
  bool terminates = false;
  const Status status = calls_->step(t_, until - t_, terminates);
  if (terminates) {
    wrong_ = fmt::format("unit '{}' asks to end the simulation at t = {:.9g}", description().name, t_);
    return false;
  }
  if (!accept(status, "a step")) return false;
  t_ = until;
  return true;
}

/// Events one after the other, until there is none; then continuous time.
bool Instance::settle() {
  EventOutcome outcome;
  outcome.again = true;
  for (int round = 0; outcome.again; ++round) {
    outcome = {};
    if (!accept(calls_->update_discrete_states(outcome), "an event")) return false;
    if (outcome.terminates)
      wrong_ = fmt::format("unit '{}' asks to end the simulation at t = {:.9g}", description().name, t_);
    if (!outcome.terminates && round == most_rounds)
      wrong_ = fmt::format("events of unit '{}' bring about others without end at t = {:.9g}", description().name, t_);
    if (outcome.terminates || round == most_rounds) return false;
  }
  next_event_ = outcome.next_time;
  return accept(calls_->enter_continuous_time(), "continuous time") && accept(calls_->get_states(x_), "reading states");
}

bool Instance::begin_event() {
  return interface_ == Interface::co_simulation || accept(calls_->enter_events(), "entering an event");
}
bool Instance::end_event() { return interface_ == Interface::co_simulation || settle(); }

bool Instance::finish() { return is_dead_ || accept(calls_->terminate(), "terminating"); }

/// Where it stands goes before what the unit itself remembers.
bool Instance::save(std::vector<unsigned char>& bytes) {
  if (!accept(calls_->save(bytes), "keeping the state")) return false;
  const double clock[] = {t_, h_, next_event_ ? 1.0 : 0.0, next_event_.value_or(0)};
  const auto* first = reinterpret_cast<const unsigned char*>(clock);
  bytes.insert(bytes.begin(), first, first + sizeof clock);
  return true;
}

bool Instance::load(const std::vector<unsigned char>& bytes) {
  double clock[4];
  if (bytes.size() < sizeof clock) return false;
  std::memcpy(clock, bytes.data(), sizeof clock);
  t_ = clock[0];
  h_ = clock[1];
  next_event_ = clock[2] != 0 ? std::optional(clock[3]) : std::nullopt;
  return accept(calls_->load({bytes.begin() + sizeof clock, bytes.end()}), "restoring the state") &&
         (interface_ == Interface::co_simulation || accept(calls_->get_states(x_), "reading states"));
}

}  // namespace taut::fmu
