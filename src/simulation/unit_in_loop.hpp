#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/fmu/instance.hpp"
#include "model/functional_unit.hpp"

namespace taut {

/// A functional mock-up unit in a run: an instance that goes on from one instant to the next. Its functions return
/// false where the unit fails; wrong() then says how.
class UnitInLoop {
 public:
  UnitInLoop(const FunctionalUnit& unit, std::string name);

  /// Loads the unit, which begins anew at its next instant. Throws InputError where it cannot be used.
  void prepare();
  bool has_started() const { return has_started_; }
  /// Inputs, and behind them parameters, of which only the first count.
  std::size_t given() const { return unit_.inputs.size() + unit_.parameters.size(); }
  /// At its first instant it starts with these.
  bool start(double t, const std::vector<double>& given);
  bool advance(double t);
  bool give(const std::vector<double>& given);
  /// Reads into its answers.
  bool ask();
  const std::vector<double>& answers() const { return answers_; }
  bool exchanges_states() const { return unit_.exchanges_states; }
  const std::string& wrong() const { return instance_->wrong(); }

  /// All that it remembers. Throws InputError where the unit cannot tell.
  std::vector<unsigned char> memory() const;
  void restore(const std::vector<unsigned char>& memory);

 private:
  const fmu::Variable& variable(const std::string& name) const;
  std::vector<fmu::Port> ports(const std::vector<std::string>& names) const;
  std::vector<fmu::Setting> settings(const std::vector<double>& given) const;
  fmu::Interface interface() const;

  FunctionalUnit unit_;
  std::string name_;
  std::vector<double> answers_;
  std::shared_ptr<fmu::Library> library_;
  std::unique_ptr<fmu::Instance> instance_;
  std::vector<fmu::Port> input_ports_, parameter_ports_, answer_ports_;
  bool has_started_ = false;
};

}  // namespace taut
