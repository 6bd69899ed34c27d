#include "simulation/step_figures.hpp"

#include <limits>

namespace taut {

StepFigures::StepFigures(const Shape& shape, bool with_constraints) : with_constraints_(with_constraints) {
  if (shape.position_rows > 0) figures_.push_back({"position", &Conformance::position});
  if (shape.rows() > 0) figures_.push_back({"velocity", &Conformance::velocity});
  if (shape.has_energy) figures_.push_back({"energy", &Conformance::energy});
  columns_.emplace_back("t");
  for (const Figure& figure : figures_) columns_.emplace_back(figure.name);
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
  for (const Figure& figure : figures_) *out++ = (conformance.*figure.value)();
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
