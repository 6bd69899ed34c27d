#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/fmu/description.hpp"

namespace taut::fmu {

/// A value by its reference.
struct Port {
  unsigned reference;
  Type type;
};
Port port_of(const Variable& variable);

/// A value to be set; text where the variable is one.
struct Setting {
  Port port;
  std::variant<double, std::string> value;
};

/// What a unit says at an event.
struct EventOutcome {
  bool again = false, terminates = false, states_changed = false;
  std::optional<double> next_time;
};

/// What a unit says after a step of Model Exchange.
struct StepOutcome {
  bool enters_events = false, terminates = false;
};

enum class Status { ok, warning, discard, error, fatal };

/// What a binary's functions are called, and how they are called: one class for each version of the interface.
class Calls {
 public:
  virtual ~Calls() = default;
  virtual bool instantiate(const Description& description, Interface interface, const std::string& name,
                           const std::string& resources) = 0;
  virtual void free() = 0;
  virtual Status enter_initialisation(double t, std::optional<double> stop, std::optional<double> tolerance) = 0;
  virtual Status exit_initialisation() = 0;
  virtual Status set(const Port& port, double value) = 0;
  virtual Status set(const Port& port, const std::string& value) = 0;
  virtual Status get(const Port& port, double& value) = 0;
  virtual Status step(double t, double h, bool& terminates) = 0;
  virtual Status terminate() = 0;
  // Model Exchange
  virtual Status set_time(double t) = 0;
  virtual Status set_states(const std::vector<double>& x) = 0;
  virtual Status get_states(std::vector<double>& x) = 0;
  virtual Status get_rates(std::vector<double>& rates) = 0;
  virtual Status get_indicators(std::vector<double>& z) = 0;
  virtual Status complete_step(StepOutcome& outcome) = 0;
  virtual Status enter_events() = 0;
  virtual Status update_discrete_states(EventOutcome& outcome) = 0;
  virtual Status enter_continuous_time() = 0;
  // the whole state
  virtual Status save(std::vector<unsigned char>& bytes) = 0;
  virtual Status load(const std::vector<unsigned char>& bytes) = 0;

  /// What the unit has logged last.
  const std::string& logged() const { return logged_; }
  void log(const std::string& text) { logged_ = text; }
  /// For its type; so is what is no number.
  Status too_large(double value);

 private:
  std::string logged_;
};

/// A unit that is loaded: its archive unpacked into a folder of its own, its binary linked. Throws InputError where
/// there is none for this machine, or it cannot be loaded.
class Library {
 public:
  explicit Library(const std::string& file);
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  const Description& description() const { return description_; }
  const std::vector<Finding>& findings() const { return findings_; }
  const std::string& resources() const { return resources_; }
  /// Loads the binary, once. Throws InputError where the unit has not this interface.
  void load(Interface interface);
  /// Null where it is not there.
  void* function(const std::string& name) const;

 private:
  std::string file_, folder_, resources_, loaded_;
  Description description_;
  std::vector<Finding> findings_;
  void* handle_ = nullptr;
};

std::unique_ptr<Calls> make_calls_2(const Library& library);
std::unique_ptr<Calls> make_calls_3(const Library& library);

/// One instance of a unit. Its functions return false where the unit refuses or fails; wrong() then says which did, and
/// what the unit had to say.
class Instance {
 public:
  Instance(std::shared_ptr<Library> library, Interface interface, const std::string& name);
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  const Description& description() const { return library_->description(); }
  Interface interface() const { return interface_; }
  double t() const { return t_; }
  const std::string& wrong() const { return wrong_; }

  /// Initialises at a time: `before` are set before that, `inputs` while it happens.
  bool start(double t, std::optional<double> stop, const std::vector<Setting>& before,
             const std::vector<Setting>& inputs);
  bool set(const Port& port, double value);
  bool get(const Port& port, double& value);
  /// Goes on to a time. Of Model Exchange its states are integrated at this tolerance.
  bool advance(double until, double tolerance);
  /// Values that are set change what follows: an event of Model Exchange.
  bool begin_event();
  bool end_event();
  bool finish();
  bool save(std::vector<unsigned char>& bytes);
  bool load(const std::vector<unsigned char>& bytes);

 private:
  friend class ExchangeSteps;
  bool accept(Status status, const char* what);
  bool apply(const Setting& setting);
  bool settle();

  std::shared_ptr<Library> library_;
  Interface interface_;
  std::unique_ptr<Calls> calls_;
  std::string wrong_;
  double t_ = 0;
  bool is_dead_ = false;
  std::optional<double> next_event_;
  std::vector<double> x_;
  double h_ = 0;  ///< of the integration of states
};

}  // namespace taut::fmu
