#include "simulation/unit_in_loop.hpp"

#include <fmt/format.h>

namespace taut {

UnitInLoop::UnitInLoop(const FunctionalUnit& unit, std::string name)
    : unit_(unit), name_(std::move(name)), answers_(unit.answers.size()) {}

fmu::Interface UnitInLoop::interface() const {
  return unit_.exchanges_states ? fmu::Interface::model_exchange : fmu::Interface::co_simulation;
}

void UnitInLoop::prepare() {
  instance_.reset();
  has_started_ = false;
  if (!library_) library_ = std::make_shared<fmu::Library>(unit_.file);
  instance_ = std::make_unique<fmu::Instance>(library_, interface(), name_);
  input_ports_ = ports(unit_.inputs);
  parameter_ports_ = ports(unit_.parameters);
  answer_ports_ = ports(unit_.answers);
}

/// The model was read with a description that may have changed since.
const fmu::Variable& UnitInLoop::variable(const std::string& name) const {
  const fmu::Variable* found = library_->description().find(name);
  if (found == nullptr)
    throw InputError(Place{unit_.file}, fmt::format("the unit has no '{}' any more", name), "read the model anew");
  return *found;
}

std::vector<fmu::Port> UnitInLoop::ports(const std::vector<std::string>& names) const {
  std::vector<fmu::Port> ports;
  for (const std::string& name : names) ports.push_back(fmu::port_of(variable(name)));
  return ports;
}

std::vector<fmu::Setting> UnitInLoop::settings(const std::vector<double>& given) const {
  std::vector<fmu::Setting> list;
  for (std::size_t k = 0; k < parameter_ports_.size(); ++k)
    list.push_back({parameter_ports_[k], given[input_ports_.size() + k]});
  for (const FunctionalUnit::Text& text : unit_.texts) list.push_back({fmu::port_of(variable(text.name)), text.value});
  return list;
}

bool UnitInLoop::start(double t, const std::vector<double>& given) {
  std::vector<fmu::Setting> inputs;
  for (std::size_t k = 0; k < input_ports_.size(); ++k) inputs.push_back({input_ports_[k], given[k]});
  has_started_ = true;
  return instance_->start(t, std::nullopt, settings(given), inputs);
}

bool UnitInLoop::advance(double t) { return instance_->advance(t, unit_.tolerance); }

bool UnitInLoop::give(const std::vector<double>& given) {
  if (input_ports_.empty()) return true;
  if (!instance_->begin_event()) return false;
  for (std::size_t k = 0; k < input_ports_.size(); ++k)
    if (!instance_->set(input_ports_[k], given[k])) return false;
  return instance_->end_event();
}

bool UnitInLoop::ask() {
  for (std::size_t k = 0; k < answers_.size(); ++k)
    if (!instance_->get(answer_ports_[k], answers_[k])) return false;
  return true;
}

std::vector<unsigned char> UnitInLoop::memory() const {
  std::vector<unsigned char> bytes;
  if (has_started_ && !instance_->save(bytes))
    throw InputError(Place{unit_.file}, fmt::format("unit '{}' cannot be kept with a checkpoint: {}", name_, wrong()),
                     "use a unit that serialises its state");
  return bytes;
}

void UnitInLoop::restore(const std::vector<unsigned char>& memory) {
  prepare();
  if (memory.empty()) return;
  has_started_ = true;
  if (!instance_->start(0, std::nullopt, {}, {}) || !instance_->load(memory))
    throw InputError(Place{unit_.file}, fmt::format("unit '{}' cannot be restored: {}", name_, wrong()), "begin anew");
}

}  // namespace taut
