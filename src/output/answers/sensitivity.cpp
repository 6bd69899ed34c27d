#include <fmt/format.h>

#include "output/answers/answers.hpp"
#include "output/answers/members.hpp"

namespace taut {

std::string to_json(const Sensitivity& answer) {
  using answers::Json;
  Json json;
  json["model"] = answer.model;
  json["derivatives"] = Json::object();
  json["values"] = Json::object();
  for (std::size_t i = 0; i < answer.of.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    Json& slopes = json["derivatives"][answer.of[i]] = Json::object();
    for (std::size_t k = 0; k < answer.to.size(); ++k)
      slopes[answer.to[k]] = answers::number(answer.derivatives(row, static_cast<Eigen::Index>(k)));
    json["values"][answer.of[i]] = answers::number(answer.values[row]);
  }
  json["t"] = answers::number(answer.t);
  if (answer.disagreement) json["disagreement"] = answers::number(*answer.disagreement);
  json["reason"] = answer.reason.empty() ? Json(nullptr) : Json(answer.reason);
  json["notes"] = answer.notes;
  return answers::print(json);
}

std::string to_text(const Sensitivity& answer) {
  std::string text = fmt::format("{}: at t = {:.6g}\n", answer.model, answer.t);
  for (std::size_t i = 0; i < answer.of.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    text += fmt::format("  {} = {:.12g}\n", answer.of[i], answer.values[row]);
    for (std::size_t k = 0; k < answer.to.size(); ++k)
      text += fmt::format("    by {:<16} {:>20.12g}\n", answer.to[k],
                          answer.derivatives(row, static_cast<Eigen::Index>(k)));
  }
  if (answer.disagreement)
    text += fmt::format("  {:<12} forward and adjoint differ by {:.2g}\n", "check", *answer.disagreement);
  for (const std::string& note : answer.notes) text += fmt::format("  {:<12} {}\n", "note", note);
  return text;
}

}  // namespace taut
