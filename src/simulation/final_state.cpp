#include "simulation/final_state.hpp"

#include "simulation/names.hpp"

namespace taut {

void FinalState::find(double t, const Vector& y) {
  const Shape& shape = run_.parts.shape;
  Motion& motion = *run_.parts.motion;
  impulses_ = Vector::Zero(shape.position_rows);
  if (!run_.find_impulses(impulses_)) impulses_ = Vector();
  run_.parts.observe_at(t, y, [&] {
    values_.find_accelerations(t, y);
    values_.find_state(t, y);
    if (run_.parts.switched) values_.complete(t);
    is_complete_ = run_.parts.switched.has_value();
    if (shape.rows() == 0) return;
    forces_ = Vector::Zero(shape.n_v());
    motion.observe().constraint_forces(t, y, forces_);
  });
}

void FinalState::fill(double t, Summary& summary) {
  if (!is_complete_) values_.complete(t);
  fill_coordinates(summary);
  fill_speeds(summary);
  fill_following(summary);
  fill_states(summary);
  fill_multipliers(summary);
  fill_forces(summary);
  fill_outputs(summary);
}

void FinalState::fill_coordinates(Summary& summary) const {
  const auto& names = run_.parts.shape.coordinates;
  summary.final_coordinates.reserve(names.size());
  summary.final_rates.reserve(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    summary.final_coordinates.push_back({names[i], values_.q()[static_cast<Eigen::Index>(i)]});
    summary.final_rates.push_back({names[i], values_.qdot()[static_cast<Eigen::Index>(i)]});
  }
}

void FinalState::fill_speeds(Summary& summary) const {
  const Shape& shape = run_.parts.shape;
  summary.final_accelerations.reserve(static_cast<std::size_t>(shape.n_v()));
  for (int i = 0; i < shape.n_v(); ++i) {
    const bool is_rate = i < shape.own_speeds();
    const std::string& name = shape.plain_rates ? shape.coordinates[i] : shape.speeds[i];
    if (!is_rate) summary.final_rates.push_back({name, values_.v()[i]});
    summary.final_accelerations.push_back({acceleration_name(shape, i), values_.a()[i]});
  }
}

/// What follows from the state, behind it.
void FinalState::fill_following(Summary& summary) const {
  if (values_.following().size() == 0) return;
  const double* value = values_.following().data();
  const Shape::Following& names = run_.parts.shape.following;
  for (const auto& name : names.coordinates) summary.final_coordinates.push_back({name, *value++});
  for (const auto& name : names.coordinates) summary.final_rates.push_back({name, *value++});
  for (const auto& name : names.speeds) summary.final_rates.push_back({name, *value++});
  for (const auto& name : names.accelerations) summary.final_accelerations.push_back({name, *value++});
}

void FinalState::fill_states(Summary& summary) const {
  for (const Shape::State& z : run_.parts.shape.states) {
    summary.final_states.push_back({z.name, z.is_speed ? values_.v()[z.index] : values_.q()[z.index]});
    summary.final_state_rates.push_back({z.name, z.is_speed ? values_.a()[z.index] : values_.qdot()[z.index]});
  }
}

void FinalState::fill_multipliers(Summary& summary) const {
  const Shape& shape = run_.parts.shape;
  const Manifold& manifold = run_.parts.manifold;
  summary.final_multipliers.reserve(static_cast<std::size_t>(shape.rows()));
  for (int i = 0; i < shape.rows(); ++i)
    summary.final_multipliers.push_back({shape.constraints[i], values_.lambda()[i]});
  summary.multipliers_unique = manifold.rank() == shape.rows();
  if (summary.multipliers_unique) return;
  if (shape.forces_need_multipliers)
    summary.notes.emplace_back(
        "forces depend on multipliers of which not all are unique, since constraints imply one another: "
        "another kernel may find other forces");
  if (!manifold.kernel().gives_smallest_multipliers())
    summary.notes.emplace_back(
        "multipliers are not unique, and not the smallest: constraints that others imply have none");
}

void FinalState::fill_forces(Summary& summary) const {
  const Shape& shape = run_.parts.shape;
  summary.final_impulses.assign(impulses_.begin(), impulses_.end());
  summary.final_constraint_forces.assign(forces_.begin(), forces_.end());
  if (const Vector* coupling = run_.parts.law ? run_.parts.law->coupling() : nullptr)
    for (int i = 0; i < shape.rows(); ++i) summary.coupling.push_back({shape.constraints[i], (*coupling)[i]});
}

void FinalState::fill_outputs(Summary& summary) const {
  const auto& names = run_.parts.shape.outputs;
  for (std::size_t i = 0; i < names.size(); ++i)
    summary.final_outputs.push_back({names[i], values_.outputs()[static_cast<Eigen::Index>(i)]});
}

}  // namespace taut
