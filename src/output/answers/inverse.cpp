#include <fmt/format.h>

#include <algorithm>

#include "output/answers/answers.hpp"
#include "output/answers/members.hpp"

namespace taut {

std::string to_json(const Inverse& answer) {
  using answers::Json;
  Json json;
  json["model"] = answer.model;
  json["t"] = answer.times;
  const auto columns = [](const std::vector<std::string>& names, const Matrix& values) {
    Json object = Json::object();
    for (std::size_t k = 0; k < names.size(); ++k)
      object[names[k]] = answers::list(values.col(static_cast<Eigen::Index>(k)));
    return object;
  };
  if (answer.forces.rows() > 0) {
    json["forces"] = columns(answer.actuators, answer.forces);
    json["multipliers"] = columns(answer.constraints, answer.multipliers);
  }
  json["coordinates"] = columns(answer.coordinates, answer.positions);
  json["rates"] = columns(answer.coordinates, answer.rates);
  json["accelerations"] = columns(answer.speeds, answer.accelerations);
  json["dexterity"] = answer.dexterity;
  json["infeasible"] = answers::number(answer.infeasible);
  json["reason"] = answer.reason.empty() ? Json(nullptr) : Json(answer.reason);
  json["notes"] = answer.notes;
  return answers::print(json);
}

std::string to_text(const Inverse& answer) {
  std::string text = fmt::format("{}: forces at {} times\n", answer.model, answer.times.size());
  for (std::size_t k = 0; k < answer.actuators.size() && answer.forces.rows() > 0; ++k) {
    const auto column = answer.forces.col(static_cast<Eigen::Index>(k));
    text += fmt::format("  {:<16} between {:.8g} and {:.8g}, {:.8g} at the end\n", answer.actuators[k],
                        column.minCoeff(), column.maxCoeff(), column[column.size() - 1]);
  }
  if (answer.forces.rows() == 0 && !answer.dexterity.empty())
    text = fmt::format("{}: positions at {} times, dexterity {:.4g} and more\n", answer.model, answer.times.size(),
                       std::ranges::min(answer.dexterity));
  for (const std::string& note : answer.notes) text += fmt::format("  {:<16} {}\n", "note", note);
  return text;
}

std::string to_csv(const Inverse& answer) {
  std::string text = "t";
  const bool driven = answer.forces.rows() > 0;
  for (const std::string& name : driven ? answer.actuators : answer.coordinates) text += "," + name;
  if (driven)
    for (const std::string& name : answer.constraints) text += ",lambda(" + name + ")";
  else
    for (const std::string& name : answer.coordinates) text += "," + name + "'";
  for (std::size_t row = 0; row < answer.times.size(); ++row) {
    const auto at = static_cast<Eigen::Index>(row);
    text += fmt::format("\n{}", answer.times[row]);
    for (const double value : (driven ? answer.forces : answer.positions).row(at)) text += fmt::format(",{}", value);
    for (const double value : (driven ? answer.multipliers : answer.rates).row(at)) text += fmt::format(",{}", value);
  }
  return text + "\n";
}

}  // namespace taut
