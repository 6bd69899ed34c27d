#include <fmt/format.h>

#include "output/answers/answers.hpp"
#include "output/answers/members.hpp"

namespace taut {
namespace {

using answers::Json;

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

}  // namespace

std::string to_json(const Optimum& answer) {
  Json json;
  json["model"] = answer.model;
  json["variables"] = answers::by_name(answer.variables);
  json["value"] = answers::number(answer.value);
  json["slope"] = answers::number(answer.slope);
  json["converged"] = answer.converged;
  json["runs"] = answer.runs;
  json["by_start"] = Json::array();
  for (const NamedValue& start : answer.by_start) json["by_start"].push_back(answers::number(start.value));
  json["history"] = Json::array();
  for (const SearchStep& step : answer.history)
    json["history"].push_back({{"value", answers::number(step.value)}, {"variables", answers::list(step.variables)}});
  json["reason"] = text_or_null(answer.reason);
  json["notes"] = answer.notes;
  return answers::print(json);
}

std::string to_text(const Optimum& answer) {
  std::string text = fmt::format("{}: {:.10g} after {} runs{}\n", answer.model, answer.value, answer.runs,
                                 answer.converged ? "" : ", not converged");
  for (const auto& [name, value] : answer.variables) text += fmt::format("  {:<16} {:.12g}\n", name, value);
  if (answer.by_start.size() > 1)
    for (const auto& [name, value] : answer.by_start) text += fmt::format("  {:<16} {:.10g}\n", name, value);
  for (const std::string& note : answer.notes) text += fmt::format("  {:<16} {}\n", "note", note);
  return text;
}

std::string to_json(const Fit& answer) {
  Json json;
  json["model"] = answer.model;
  json["variables"] = Json::object();
  for (const FittedVariable& one : answer.variables)
    json["variables"][one.name] = {{"value", answers::number(one.value)},
                                   {"deviation", answers::number(one.deviation)},
                                   {"interval", {answers::number(one.least), answers::number(one.most)}}};
  json["residual"] = answers::number(answer.residual);
  json["measurements"] = answer.measurements;
  json["converged"] = answer.converged;
  json["runs"] = answer.runs;
  json["reason"] = text_or_null(answer.reason);
  json["notes"] = answer.notes;
  return answers::print(json);
}

std::string to_text(const Fit& answer) {
  std::string text =
      fmt::format("{}: {} measurements followed to {:.4g} after {} runs{}\n", answer.model, answer.measurements,
                  answer.residual, answer.runs, answer.converged ? "" : ", not converged");
  for (const FittedVariable& one : answer.variables)
    text += fmt::format("  {:<16} {:.9g}, between {:.9g} and {:.9g}\n", one.name, one.value, one.least, one.most);
  for (const std::string& note : answer.notes) text += fmt::format("  {:<16} {}\n", "note", note);
  return text;
}

}  // namespace taut
