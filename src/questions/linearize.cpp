#include <fmt/format.h>

#include <cmath>

#include "questions/matrix_parts.hpp"
#include "questions/rest_search.hpp"
#include "questions/state_space.hpp"
#include "questions/steadiness.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

constexpr double inconsistent = 1e-6, nearly_singular = 1e-4;
/// Beside the largest of the state, a switching function below this is zero.
constexpr double at_kink = 1e-12;

/// Kinks, as of abs(x) or of dry friction's sign(x'), at which the state stands.
std::vector<std::string> kinks_at(const Variation& variation) {
  const MotionPoint& point = variation.point();
  const Vector& s = variation.switching().value;
  const double size = std::max({1.0, point.q.norm(), point.v.norm()});
  std::vector<std::string> names;
  for (Eigen::Index k = 0; k < s.size(); ++k)
    if (std::abs(s[k]) <= at_kink * size) names.push_back(variation.shape().switches[static_cast<std::size_t>(k)]);
  return names;
}

void refuse_singular(const Linearization& at) {
  if (!at.has_inertia())
    throw InputError("there is a motion that nothing gives inertia to, or that friction makes undetermined",
                     "give every body that can move a mass, or hold it by a joint");
  if (at.inconsistency() > inconsistent)
    throw InputError(
        "the constraints change their rank at this position, where several motions meet: there is no linearisation",
        "ask at a position to the side of it, such as --set 'NAME(0)=VALUE'");
}

void note(const Linearization& at, const Variation& variation, StateSpace& result) {
  if (at.smallest_pivot() < nearly_singular)
    result.notes.push_back(fmt::format("the position is nearly singular: smallest pivot {:.2g}", at.smallest_pivot()));
  if (!result.steady)
    result.notes.push_back(
        "the motion is not steady there: A is that of this moment, and its eigenvalues tell nothing of what comes");
  if (const auto kinks = kinks_at(variation); !kinks.empty())
    result.notes.push_back(fmt::format(
        "forces have a kink at this state, where {} is zero: their slopes are the mean of both sides, and dry "
        "friction that holds counts as none",
        fmt::join(kinks, ", ")));
  for (const int i : at.undetermined())
    result.notes.push_back(
        fmt::format("output '{}' depends on multipliers that redundant constraints leave undetermined",
                    result.outputs[static_cast<std::size_t>(i)]));
  for (const std::string& text : variation.subject().notes()) result.notes.push_back(text);
}

void name(const Linearization& at, const Variation& variation, StateSpace& result) {
  const Shape& shape = variation.shape();
  for (const int k : at.choice().pi) result.states.push_back(variation.frame().names()[static_cast<std::size_t>(k)]);
  for (const int k : at.choice().v) result.states.push_back(shape.speeds[static_cast<std::size_t>(k)]);
  result.positions = at.positions();
  result.coordinates = shape.coordinates;
  for (int k = 0; k < shape.n_q(); ++k)
    result.at.push_back({shape.coordinates[static_cast<std::size_t>(k)], variation.point().q[k]});
  const auto asked = static_cast<Eigen::Index>(result.outputs.size());
  for (const std::string& name : shape.following.coordinates) {
    const auto k = asked + static_cast<Eigen::Index>(result.coordinates.size()) - shape.n_q();
    result.coordinates.push_back(name);
    result.at.push_back({name, variation.outputs().value[k]});
  }
}

/// What was asked for, and then places of bodies that follow from joint coordinates: their shapes are told, too.
std::vector<std::string> outputs_with_places(const Subject& subject, const std::vector<std::string>& outputs) {
  std::vector<std::string> all = outputs;
  const auto& places = subject.shape().following.coordinates;
  all.insert(all.end(), places.begin(), places.end());
  return all;
}

}  // namespace

StateSpace linearized_at(const Subject& subject, const MotionPoint& point, const LinearizeOptions& options) {
  const auto parameters =
      options.inputs.empty() ? SlopeFormulas::Parameters::left_out : SlopeFormulas::Parameters::included;
  const Matrix slopes = subject.parameter_slopes(options.inputs);
  Variation variation(subject, parameters, outputs_with_places(subject, options.outputs));
  variation.evaluate(point);
  const Linearization at(variation, slopes);
  refuse_singular(at);
  const Matrix C = at.C();
  const auto asked = static_cast<Eigen::Index>(options.outputs.size());
  StateSpace result{subject.model().name, at.A(), at.B(), C.topRows(asked), at.D().topRows(asked)};
  result.inputs = options.inputs;
  result.outputs = options.outputs;
  result.coordinate_shapes = stacked(at.coordinate_shapes(), C.bottomRows(C.rows() - asked));
  result.steady = is_steady(variation, at);
  name(at, variation, result);
  note(at, variation, result);
  if (!result.A.allFinite() || !result.B.allFinite() || !result.C.allFinite() || !result.D.allFinite())
    throw InputError("the equations have no finite slopes at this state", "ask at another one");
  return result;
}

StateSpace linearize(const Model& model, const LinearizeOptions& options) {
  QuestionOptions asked = options;
  asked.assemble = asked.assemble || options.at == LinearizedAt::equilibrium;
  const Subject subject(model, asked);
  return linearized_at(subject, options.at == LinearizedAt::start ? subject.start() : nearest_rest(subject), options);
}

}  // namespace taut
