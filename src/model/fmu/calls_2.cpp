#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "model/fmu/instance.hpp"

/// Version 2.0 of the interface, by the names and types of the standard.
namespace taut::fmu {
namespace {

using Component = void*;
using Reference = unsigned;

struct Callbacks {
  void (*logger)(void* environment, const char* instance, int status, const char* category, const char* message, ...);
  void* (*allocate)(std::size_t count, std::size_t size);
  void (*free)(void* memory);
  void (*step_finished)(void* environment, int status);
  void* environment;
};

struct EventInfo {
  int again, terminates, nominals_changed, states_changed, has_next_time;
  double next_time;
};

extern "C" void log_2(void* environment, const char*, int, const char*, const char* message, ...) {
  if (environment == nullptr || message == nullptr) return;
  char text[512];
  va_list values;
  va_start(values, message);
  std::vsnprintf(text, sizeof text, message, values);
  va_end(values);
  static_cast<Calls*>(environment)->log(text);
}

Status status_of(int status) { return status >= 0 && status <= 4 ? static_cast<Status>(status) : Status::error; }

class Calls2 : public Calls {
 public:
  explicit Calls2(const Library& library) : library_(library) {}

  bool instantiate(const Description& d, Interface interface, const std::string& name,
                   const std::string& resources) override {
    using Function = Component(const char*, int, const char*, const char*, const Callbacks*, int, int);
    const auto make = function<Function>("fmi2Instantiate");
    if (make == nullptr) return false;
    callbacks_ = {log_2, std::calloc, std::free, nullptr, this};
    uri_ = "file://" + resources;
    component_ = make(name.c_str(), interface == Interface::co_simulation ? 1 : 0, d.token.c_str(), uri_.c_str(),
                      &callbacks_, 0, 0);
    return component_ != nullptr;
  }
  void free() override {
    if (const auto function_ = function<void(Component)>("fmi2FreeInstance")) function_(component_);
  }
  Status enter_initialisation(double t, std::optional<double> stop, std::optional<double> tolerance) override {
    const Status status = call<int, double, double, int, double>(
        "SetupExperiment", tolerance ? 1 : 0, tolerance.value_or(0), t, stop ? 1 : 0, stop.value_or(0));
    if (status > Status::warning) return status;
    return call("EnterInitializationMode");
  }
  Status exit_initialisation() override { return call("ExitInitializationMode"); }

  Status set(const Port& port, double value) override {
    if (port.type == Type::real) return set_as<double>("SetReal", port, value);
    if (port.type == Type::boolean) return set_as<int>("SetBoolean", port, value != 0 ? 1 : 0);
    const double whole = std::round(value);
    if (!(std::abs(whole) <= std::numeric_limits<int>::max())) return too_large(value);
    return set_as<int>("SetInteger", port, static_cast<int>(whole));
  }
  Status set(const Port& port, const std::string& value) override {
    const char* text = value.c_str();
    return set_as<const char*>("SetString", port, text);
  }
  Status get(const Port& port, double& value) override {
    if (port.type == Type::real) return get_as<double>("GetReal", port, value);
    return get_as<int>(port.type == Type::boolean ? "GetBoolean" : "GetInteger", port, value);
  }

  Status step(double t, double h, bool& terminates) override {
    const Status status = call<double, double, int>("DoStep", t, h, 1);
    if (status != Status::discard) return status;
    // A unit that has come to its end says so when it is asked.
    int ended = 0;
    constexpr int terminated = 3;
    if (call<int, int*>("GetBooleanStatus", terminated, &ended) <= Status::warning && ended != 0) terminates = true;
    return status;
  }
  Status terminate() override { return call("Terminate"); }

  Status set_time(double t) override { return call<double>("SetTime", t); }
  Status set_states(const std::vector<double>& x) override {
    return call<const double*, std::size_t>("SetContinuousStates", x.data(), x.size());
  }
  Status get_states(std::vector<double>& x) override {
    return call<double*, std::size_t>("GetContinuousStates", x.data(), x.size());
  }
  Status get_rates(std::vector<double>& rates) override {
    return call<double*, std::size_t>("GetDerivatives", rates.data(), rates.size());
  }
  Status get_indicators(std::vector<double>& z) override {
    return call<double*, std::size_t>("GetEventIndicators", z.data(), z.size());
  }
  Status complete_step(StepOutcome& outcome) override {
    int enters = 0, terminates = 0;
    const Status status = call<int, int*, int*>("CompletedIntegratorStep", 1, &enters, &terminates);
    outcome = {enters != 0, terminates != 0};
    return status;
  }
  Status enter_events() override { return call("EnterEventMode"); }
  Status update_discrete_states(EventOutcome& outcome) override {
    EventInfo info{};
    const Status status = call<EventInfo*>("NewDiscreteStates", &info);
    outcome = {info.again != 0, info.terminates != 0, info.states_changed != 0, std::nullopt};
    if (info.has_next_time != 0) outcome.next_time = info.next_time;
    return status;
  }
  Status enter_continuous_time() override { return call("EnterContinuousTimeMode"); }

  Status save(std::vector<unsigned char>& bytes) override {
    void* state = nullptr;
    std::size_t size = 0;
    Status status = call<void**>("GetFMUstate", &state);
    if (status <= Status::warning) status = call<void*, std::size_t*>("SerializedFMUstateSize", state, &size);
    bytes.resize(size);
    if (status <= Status::warning)
      status = call<void*, unsigned char*, std::size_t>("SerializeFMUstate", state, bytes.data(), size);
    if (state != nullptr) call<void**>("FreeFMUstate", &state);
    return status;
  }
  Status load(const std::vector<unsigned char>& bytes) override {
    void* state = nullptr;
    Status status =
        call<const unsigned char*, std::size_t, void**>("DeSerializeFMUstate", bytes.data(), bytes.size(), &state);
    if (status <= Status::warning) status = call<void*>("SetFMUstate", state);
    if (state != nullptr) call<void**>("FreeFMUstate", &state);
    return status;
  }

 private:
  template <class Function>
  Function* function(const std::string& name) const {
    return reinterpret_cast<Function*>(library_.function(name));
  }
  template <class... Arguments>
  Status call(const char* name, Arguments... arguments) {
    const auto called = function<int(Component, Arguments...)>(std::string("fmi2") + name);
    if (called == nullptr) {
      log(std::string("the binary has no function fmi2") + name);
      return Status::error;
    }
    return status_of(called(component_, arguments...));
  }
  template <class Value>
  Status set_as(const char* name, const Port& port, Value value) {
    return call<const Reference*, std::size_t, const Value*>(name, &port.reference, std::size_t{1}, &value);
  }
  template <class Value>
  Status get_as(const char* name, const Port& port, double& value) {
    Value found{};
    const Status status = call<const Reference*, std::size_t, Value*>(name, &port.reference, std::size_t{1}, &found);
    value = static_cast<double>(found);
    return status;
  }

  const Library& library_;
  Callbacks callbacks_{};
  std::string uri_;
  Component component_ = nullptr;
};

}  // namespace

std::unique_ptr<Calls> make_calls_2(const Library& library) { return std::make_unique<Calls2>(library); }

}  // namespace taut::fmu
