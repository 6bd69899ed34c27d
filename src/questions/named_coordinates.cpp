#include "questions/named_coordinates.hpp"

namespace taut {
namespace {

std::vector<Expression> following_formulas(const Equations& eq) {
  return {eq.following.begin(),
          eq.following.begin() + static_cast<std::ptrdiff_t>(eq.shape.following.coordinates.size())};
}

}  // namespace

NamedCoordinates::NamedCoordinates(const Subject& subject)
    : subject_(subject),
      following_names_(subject.shape().following.coordinates),
      following_(*subject.equations().graph, following_formulas(subject.equations())) {}

std::vector<NamedValue> NamedCoordinates::at(const Vector& q, const std::vector<double>& parameters) {
  const Equations& eq = subject_.equations();
  std::vector<NamedValue> all;
  for (std::size_t k = 0; k < eq.q.size(); ++k) {
    all.push_back({eq.shape.coordinates[k], q[static_cast<Eigen::Index>(k)]});
    following_[eq.q[k]] = q[static_cast<Eigen::Index>(k)];
  }
  for (std::size_t k = 0; k < eq.parameters.size(); ++k) following_[eq.parameters[k]] = parameters[k];
  following_[eq.time] = 0;
  std::vector<double> values;
  following_.evaluate(values);
  for (std::size_t k = 0; k < values.size(); ++k) all.push_back({following_names_[k], values[k]});
  return all;
}

}  // namespace taut
