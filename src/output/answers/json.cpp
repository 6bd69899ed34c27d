#include "output/answers/answers.hpp"
#include "output/answers/members.hpp"

namespace taut {
namespace {

using answers::Json;

Json to_members(const Equilibrium& one) {
  Json json;
  json["coordinates"] = answers::by_name(one.coordinates);
  if (!one.states.empty()) json["states"] = answers::by_name(one.states);
  json["stable"] = one.stable;
  json["neutral"] = one.neutral;
  json["multipliers"] = answers::by_name(one.multipliers);
  json["multipliers_unique"] = one.multipliers_unique;
  json["distance"] = answers::number(one.distance);
  json["imbalance"] = answers::number(one.imbalance);
  json["eigenvalues"] = Json::array();
  for (const auto& value : one.eigenvalues) json["eigenvalues"].push_back(answers::complex(value));
  return json;
}

Json optional_number(const std::optional<double>& value) { return value ? answers::number(*value) : Json(nullptr); }

}  // namespace

std::string to_json(const Equilibria& answer) {
  Json json;
  json["model"] = answer.model;
  json["found"] = Json::array();
  for (const Equilibrium& one : answer.found) json["found"].push_back(to_members(one));
  json["reason"] = answer.reason.empty() ? Json(nullptr) : Json(answer.reason);
  json["notes"] = answer.notes;
  return answers::print(json);
}

std::string to_json(const StateSpace& answer) {
  Json json;
  json["model"] = answer.model;
  json["A"] = answers::rows(answer.A);
  json["B"] = answers::rows(answer.B);
  json["C"] = answers::rows(answer.C);
  json["D"] = answers::rows(answer.D);
  json["states"] = answer.states;
  json["inputs"] = answer.inputs;
  json["outputs"] = answer.outputs;
  json["steady"] = answer.steady;
  json["at"] = answers::by_name(answer.at);
  json["notes"] = answer.notes;
  return answers::print(json);
}

std::string to_json(const Modes& answer) {
  Json json;
  json["model"] = answer.model;
  json["eigenvalues"] = Json::array();
  for (const Mode& mode : answer.modes) json["eigenvalues"].push_back(answers::complex(mode.eigenvalue));
  json["modes"] = Json::array();
  for (const Mode& mode : answer.modes) {
    Json shape = Json::object();
    for (std::size_t k = 0; k < mode.shape.size(); ++k) shape[answer.coordinates[k]] = answers::complex(mode.shape[k]);
    json["modes"].push_back({{"eigenvalue", answers::complex(mode.eigenvalue)},
                             {"frequency", optional_number(mode.frequency)},
                             {"damping", optional_number(mode.damping)},
                             {"shape", shape}});
  }
  json["steady"] = answer.steady;
  json["freedoms"] = {{"positions", answer.positions}, {"speeds", answer.speeds}};
  json["at"] = answers::by_name(answer.at);
  json["notes"] = answer.notes;
  return answers::print(json);
}

}  // namespace taut
