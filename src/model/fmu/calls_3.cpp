#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "model/fmu/instance.hpp"

/// Version 3.0 of the interface, by the names and types of the standard.
namespace taut::fmu {
namespace {

using Component = void*;
using Reference = std::uint32_t;
using LogFunction = void(void* environment, int status, const char* category, const char* message);
using UpdateFunction = void(void*, double, bool, bool, bool, bool, bool*, double*);

extern "C" void log_3(void* environment, int, const char*, const char* message) {
  if (environment != nullptr && message != nullptr) static_cast<Calls*>(environment)->log(message);
}

Status status_of(int status) { return status >= 0 && status <= 4 ? static_cast<Status>(status) : Status::error; }

class Calls3 : public Calls {
 public:
  explicit Calls3(const Library& library) : library_(library) {}

  bool instantiate(const Description& d, Interface interface, const std::string& name,
                   const std::string& resources) override {
    path_ = resources + "/";
    if (interface == Interface::model_exchange) {
      using Function = Component(const char*, const char*, const char*, bool, bool, void*, LogFunction*);
      const auto make = function<Function>("fmi3InstantiateModelExchange");
      if (make != nullptr) component_ = make(name.c_str(), d.token.c_str(), path_.c_str(), false, false, this, log_3);
    } else {
      using Function = Component(const char*, const char*, const char*, bool, bool, bool, bool, const Reference*,
                                 std::size_t, void*, LogFunction*, UpdateFunction*);
      const auto make = function<Function>("fmi3InstantiateCoSimulation");
      if (make != nullptr)
        component_ = make(name.c_str(), d.token.c_str(), path_.c_str(), false, false, false, false, nullptr, 0, this,
                          log_3, nullptr);
    }
    return component_ != nullptr;
  }
  void free() override {
    if (const auto function_ = function<void(Component)>("fmi3FreeInstance")) function_(component_);
  }
  Status enter_initialisation(double t, std::optional<double> stop, std::optional<double> tolerance) override {
    return call<bool, double, double, bool, double>("EnterInitializationMode", tolerance.has_value(),
                                                    tolerance.value_or(0), t, stop.has_value(), stop.value_or(0));
  }
  Status exit_initialisation() override { return call("ExitInitializationMode"); }

  Status set(const Port& port, double value) override {
    switch (port.type) {
      case Type::real:
        return set_as<double>("SetFloat64", port, value);
      case Type::float32:
        return set_as<float>("SetFloat32", port, value);
      case Type::int8:
        return set_as<std::int8_t>("SetInt8", port, std::round(value));
      case Type::uint8:
        return set_as<std::uint8_t>("SetUInt8", port, std::round(value));
      case Type::int16:
        return set_as<std::int16_t>("SetInt16", port, std::round(value));
      case Type::uint16:
        return set_as<std::uint16_t>("SetUInt16", port, std::round(value));
      case Type::int32:
        return set_as<std::int32_t>("SetInt32", port, std::round(value));
      case Type::uint32:
        return set_as<std::uint32_t>("SetUInt32", port, std::round(value));
      case Type::int64:
        return set_as<std::int64_t>("SetInt64", port, std::round(value));
      case Type::uint64:
        return set_as<std::uint64_t>("SetUInt64", port, std::round(value));
      case Type::boolean:
        return set_as<bool>("SetBoolean", port, value != 0 ? 1 : 0);
      default:
        return Status::error;
    }
  }
  Status set(const Port& port, const std::string& value) override {
    const char* text = value.c_str();
    return call<const Reference*, std::size_t, const char* const*, std::size_t>("SetString", &port.reference,
                                                                                std::size_t{1}, &text, std::size_t{1});
  }
  Status get(const Port& port, double& value) override {
    switch (port.type) {
      case Type::real:
        return get_as<double>("GetFloat64", port, value);
      case Type::float32:
        return get_as<float>("GetFloat32", port, value);
      case Type::int8:
        return get_as<std::int8_t>("GetInt8", port, value);
      case Type::uint8:
        return get_as<std::uint8_t>("GetUInt8", port, value);
      case Type::int16:
        return get_as<std::int16_t>("GetInt16", port, value);
      case Type::uint16:
        return get_as<std::uint16_t>("GetUInt16", port, value);
      case Type::int32:
        return get_as<std::int32_t>("GetInt32", port, value);
      case Type::uint32:
        return get_as<std::uint32_t>("GetUInt32", port, value);
      case Type::int64:
        return get_as<std::int64_t>("GetInt64", port, value);
      case Type::uint64:
        return get_as<std::uint64_t>("GetUInt64", port, value);
      case Type::boolean:
        return get_as<bool>("GetBoolean", port, value);
      default:
        return Status::error;
    }
  }

  Status step(double t, double h, bool& terminates) override {
    bool events = false, ended = false, early = false;
    double reached = t;
    const Status status = call<double, double, bool, bool*, bool*, bool*, double*>("DoStep", t, h, true, &events,
                                                                                   &ended, &early, &reached);
    if (ended) terminates = true;
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
    return call<double*, std::size_t>("GetContinuousStateDerivatives", rates.data(), rates.size());
  }
  Status get_indicators(std::vector<double>& z) override {
    return call<double*, std::size_t>("GetEventIndicators", z.data(), z.size());
  }
  Status complete_step(StepOutcome& outcome) override {
    return call<bool, bool*, bool*>("CompletedIntegratorStep", true, &outcome.enters_events, &outcome.terminates);
  }
  Status enter_events() override { return call("EnterEventMode"); }
  Status update_discrete_states(EventOutcome& outcome) override {
    bool nominals = false, has_next = false;
    double next = 0;
    const Status status =
        call<bool*, bool*, bool*, bool*, bool*, double*>("UpdateDiscreteStates", &outcome.again, &outcome.terminates,
                                                         &nominals, &outcome.states_changed, &has_next, &next);
    if (has_next) outcome.next_time = next;
    return status;
  }
  Status enter_continuous_time() override { return call("EnterContinuousTimeMode"); }

  Status save(std::vector<unsigned char>& bytes) override {
    void* state = nullptr;
    std::size_t size = 0;
    Status status = call<void**>("GetFMUState", &state);
    if (status <= Status::warning) status = call<void*, std::size_t*>("SerializedFMUStateSize", state, &size);
    bytes.resize(size);
    if (status <= Status::warning)
      status = call<void*, unsigned char*, std::size_t>("SerializeFMUState", state, bytes.data(), size);
    if (state != nullptr) call<void**>("FreeFMUState", &state);
    return status;
  }
  Status load(const std::vector<unsigned char>& bytes) override {
    void* state = nullptr;
    Status status =
        call<const unsigned char*, std::size_t, void**>("DeserializeFMUState", bytes.data(), bytes.size(), &state);
    if (status <= Status::warning) status = call<void*>("SetFMUState", state);
    if (state != nullptr) call<void**>("FreeFMUState", &state);
    return status;
  }

 private:
  template <class Function>
  Function* function(const std::string& name) const {
    return reinterpret_cast<Function*>(library_.function(name));
  }
  template <class... Arguments>
  Status call(const char* name, Arguments... arguments) {
    const auto called = function<int(Component, Arguments...)>(std::string("fmi3") + name);
    if (called == nullptr) {
      log(std::string("the binary has no function fmi3") + name);
      return Status::error;
    }
    return status_of(called(component_, arguments...));
  }
  template <class Value>
  Status set_as(const char* name, const Port& port, double value) {
    // The largest integers of 64 bits have no double of their own; what is at or above them does not fit.
    using Limits = std::numeric_limits<Value>;
    constexpr double beyond = static_cast<double>(Limits::max() / 2 + 1) * 2;
    if (Limits::is_integer && !std::is_same_v<Value, bool> &&
        !(value >= static_cast<double>(Limits::lowest()) && value < beyond))
      return too_large(value);
    const Value given = static_cast<Value>(value);
    return call<const Reference*, std::size_t, const Value*, std::size_t>(name, &port.reference, std::size_t{1}, &given,
                                                                          std::size_t{1});
  }
  template <class Value>
  Status get_as(const char* name, const Port& port, double& value) {
    Value found{};
    const Status status = call<const Reference*, std::size_t, Value*, std::size_t>(
        name, &port.reference, std::size_t{1}, &found, std::size_t{1});
    value = static_cast<double>(found);
    return status;
  }

  const Library& library_;
  std::string path_;
  Component component_ = nullptr;
};

}  // namespace

std::unique_ptr<Calls> make_calls_3(const Library& library) { return std::make_unique<Calls3>(library); }

}  // namespace taut::fmu
