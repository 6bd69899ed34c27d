#include "simulation/named_values.hpp"

#include <fmt/format.h>

#include "base/nearest.hpp"

namespace taut {

NamedValues::NamedValues(const Model* given, const Model* simulated, System& system) : system_(system) {
  const Shape& shape = system.shape();
  qdot_ = Vector::Zero(shape.n_q());
  following_ = Vector::Zero(static_cast<Eigen::Index>(shape.following.size()));
  outputs_ = Vector::Zero(static_cast<Eigen::Index>(shape.outputs.size() + shape.watches.size()));
  none_ = Vector::Zero(shape.n_v());
  know_shape();
  if (given != nullptr) know_other_names(*given);
  if (simulated != nullptr) know_joints(*simulated);
}

/// The first meaning of a name counts.
void NamedValues::know(const std::string& name, Kind kind, std::size_t index) {
  if (name.empty()) return;
  if (sources_.try_emplace(name, Source{kind, static_cast<Eigen::Index>(index)}).second) names_.push_back(name);
}

void NamedValues::know_shape() {
  const Shape& shape = system_.shape();
  const Shape::Following& also = shape.following;
  for (std::size_t k = 0; k < shape.coordinates.size(); ++k) know(shape.coordinates[k], Kind::coordinate, k);
  for (std::size_t k = 0; k < shape.speeds.size(); ++k) know(shape.speeds[k], Kind::speed, k);
  for (std::size_t k = 0; k < shape.coordinates.size(); ++k) know(shape.coordinates[k] + "'", Kind::rate, k);
  std::size_t at = 0;
  for (const std::string& name : also.coordinates) know(name, Kind::following, at++);
  for (const std::string& name : also.coordinates) know(name + "'", Kind::following, at++);
  for (const std::string& name : also.speeds) know(name, Kind::following, at++);
  for (std::size_t k = 0; k < shape.outputs.size(); ++k) know(shape.outputs[k], Kind::output, k);
}

/// crank.vx and crank.x' are one.
void NamedValues::know_other_names(const Model& given) {
  const auto same = [this](const std::string& name, const std::string& other) {
    if (const auto known = sources_.find(name); known != sources_.end() && !other.empty())
      know(other, known->second.kind, static_cast<std::size_t>(known->second.index));
  };
  for (const Coordinate& x : given.coordinates) same(x.name + "'", x.rate_name());
  for (const Speed& u : given.speeds) same(u.name, u.other_name);
}

void NamedValues::know_joints(const Model& simulated) {
  const auto add = [&](const Joint& joint, const char* word, const std::optional<Expression>& formula) {
    const std::string name = fmt::format("{}.{}", joint.name, word);
    if (!formula || sources_.contains(name)) return;
    know(name, Kind::formula, formulas_.size());
    formulas_.push_back(std::make_unique<StateFormulas>(simulated, system_, std::vector<Expression>{*formula}));
  };
  for (const Joint& joint : simulated.joints) {
    if (!joint.has_coordinate()) continue;
    add(joint, "angle", joint.angle);
    add(joint, "travel", joint.travel);
    add(joint, "rate", joint.angle_rate ? joint.angle_rate : joint.travel_rate);
  }
}

const NamedValues::Source& NamedValues::source(const std::string& name) const {
  if (const auto known = sources_.find(name); known != sources_.end()) return known->second;
  throw InputError(fmt::format("there is no value '{}' of the state", name), did_you_mean(name, names_));
}

bool NamedValues::needs_accelerations(const std::string& name) const {
  return source(name).kind == Kind::output && system_.shape().outputs_need_accelerations;
}

double NamedValues::find(const std::string& name, const State& at) {
  const auto [kind, index] = source(name);
  switch (kind) {
    case Kind::coordinate:
      return at.q[index];
    case Kind::speed:
      return at.v[index];
    case Kind::rate:
      system_.rates(at.t, at.q, at.v, qdot_);
      return qdot_[index];
    case Kind::following:
      system_.following(at.t, at.q, at.v, none_, following_);
      return following_[index];
    case Kind::output:
      system_.outputs(at.t, at.q, at.v, at.a, at.lambda, outputs_);
      return outputs_[index];
    case Kind::formula:
      system_.rates(at.t, at.q, at.v, qdot_);
      return formulas_[static_cast<std::size_t>(index)]
          ->evaluate({at.t, at.q, qdot_, at.v, none_, at.lambda}, at.parameters)
          .front();
  }
  return 0;
}

}  // namespace taut
