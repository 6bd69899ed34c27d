#include <fmt/format.h>

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
  json["forces"] = columns(answer.actuators, answer.forces);
  json["multipliers"] = columns(answer.constraints, answer.multipliers);
  json["coordinates"] = columns(answer.coordinates, answer.positions);
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
  return text;
}

std::string to_csv(const Inverse& answer) {
  std::string text = "t";
  for (const std::string& name : answer.actuators) text += "," + name;
  for (const std::string& name : answer.constraints) text += ",lambda(" + name + ")";
  for (std::size_t row = 0; row < answer.times.size(); ++row) {
    const auto at = static_cast<Eigen::Index>(row);
    text += fmt::format("\n{}", answer.times[row]);
    for (const double value : answer.forces.row(at)) text += fmt::format(",{}", value);
    for (const double value : answer.multipliers.row(at)) text += fmt::format(",{}", value);
  }
  return text + "\n";
}

}  // namespace taut
