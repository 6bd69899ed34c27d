#include "simulation/step_figures.hpp"

#include <limits>

namespace taut {

StepFigures::StepFigures(const Shape& shape, bool with_constraints)
    : with_constraints_(with_constraints),
      has_position_(shape.position_rows > 0),
      has_velocity_(shape.rows() > 0),
      has_energy_(shape.has_energy) {
  columns_.push_back("t");
  if (has_position_) columns_.push_back("position");
  if (has_velocity_) columns_.push_back("velocity");
  if (has_energy_) columns_.push_back("energy");
  columns_.insert(columns_.end(), {"step", "rank", "correction"});
  if (with_constraints) {
    for (int i = 0; i < shape.position_rows; ++i) columns_.push_back("position(" + shape.constraints[i] + ")");
    for (const std::string& name : shape.constraints) columns_.push_back("velocity(" + name + ")");
    for (const std::string& name : shape.constraints) columns_.push_back("lambda(" + name + ")");
  }
  row_.resize(columns_.size());
}

const std::vector<double>& StepFigures::row(const Step& step, const Conformance& conformance, const Vector* lambda) {
  auto out = row_.begin();
  *out++ = step.t;
  if (has_position_) *out++ = conformance.position();
  if (has_velocity_) *out++ = conformance.velocity();
  if (has_energy_) *out++ = conformance.energy();
  *out++ = step.h;
  *out++ = step.rank;
  *out++ = step.correction;
  if (!with_constraints_) return row_;
  for (const double value : conformance.Phi()) *out++ = value;
  for (const double value : conformance.chi()) *out++ = value;
  const Vector& chi = conformance.chi();
  for (Eigen::Index i = 0; i < chi.size(); ++i)
    *out++ = lambda ? (*lambda)[i] : std::numeric_limits<double>::quiet_NaN();
  return row_;
}

}  // namespace taut
