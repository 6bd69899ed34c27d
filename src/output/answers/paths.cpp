#include <fmt/format.h>

#include "output/answers/answers.hpp"
#include "output/answers/members.hpp"

namespace taut {
namespace {

using answers::Json;

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

std::string notes_text(const std::vector<std::string>& notes) {
  std::string text;
  for (const std::string& note : notes) text += fmt::format("  {:<12} {}\n", "note", note);
  return text;
}

std::string complex_text(const std::complex<double>& value) {
  return fmt::format("{:.8g} {} {:.8g} i", value.real(), value.imag() < 0 ? '-' : '+', std::abs(value.imag()));
}

}  // namespace

std::string to_json(const Trim& answer) {
  Json one;
  one["trimmed"] = answers::by_name(answer.variables);
  one["coordinates"] = answers::by_name(answer.coordinates);
  one["rates"] = answers::by_name(answer.speeds);
  one["stable"] = answer.stable ? Json(*answer.stable) : Json(nullptr);
  one["multipliers"] = answers::by_name(answer.multipliers);
  one["left"] = answers::number(answer.left);
  one["eigenvalues"] = Json::array();
  for (const auto& value : answer.eigenvalues) one["eigenvalues"].push_back(answers::complex(value));
  Json json;
  json["model"] = answer.model;
  json["found"] = Json::array();
  if (answer.reason.empty()) json["found"].push_back(one);
  json["reason"] = text_or_null(answer.reason);
  json["notes"] = answer.notes;
  return answers::print(json);
}

std::string to_text(const Trim& answer) {
  std::string text = fmt::format("{}: {}\n", answer.model,
                                 !answer.reason.empty() ? answer.reason
                                 : !answer.stable       ? "steady"
                                 : *answer.stable       ? "steady and stable"
                                                        : "steady, not stable");
  for (const auto& [name, value] : answer.variables) text += fmt::format("  {:<16} {:.12g}\n", name, value);
  text += fmt::format("  {:<16} {:.2g}\n", "left", answer.left);
  return text + notes_text(answer.notes);
}

std::string to_json(const RestPath& answer) {
  Json json;
  json["model"] = answer.model;
  json["over"] = answer.over;
  json["path"] = Json::array();
  for (const RestPathPoint& point : answer.points)
    json["path"].push_back({{"branch", point.branch},
                            {"parameter", answers::number(point.parameter)},
                            {"stable", point.stable},
                            {"coordinates", answers::by_name(point.coordinates)}});
  json["special"] = Json::array();
  for (const SpecialPoint& point : answer.special)
    json["special"].push_back({{"kind", point.kind},
                               {"branch", point.branch},
                               {"parameter", answers::number(point.parameter)},
                               {"coordinates", answers::by_name(point.coordinates)}});
  json["reason"] = text_or_null(answer.reason);
  json["notes"] = answer.notes;
  return answers::print(json);
}

std::string to_text(const RestPath& answer) {
  if (!answer.reason.empty()) return fmt::format("{}: {}\n", answer.model, answer.reason);
  std::string text =
      fmt::format("{}: {} positions of rest on {} over {}\n", answer.model, answer.points.size(),
                  answer.branches == 1 ? "1 branch" : fmt::format("{} branches", answer.branches), answer.over);
  for (const SpecialPoint& point : answer.special)
    text += fmt::format("  {:<12} {} = {:.10g}: branch {} {}\n", point.kind, answer.over, point.parameter, point.branch,
                        point.kind == "fold" ? "turns back there" : "is crossed there");
  for (std::size_t k = 0; k < answer.points.size(); ++k) {
    const RestPathPoint& point = answer.points[k];
    const bool last = k + 1 == answer.points.size() || answer.points[k + 1].branch != point.branch;
    const bool changed =
        k == 0 || answer.points[k - 1].branch != point.branch || answer.points[k - 1].stable != point.stable;
    if (changed || last)
      text += fmt::format("  branch {:<5} {} = {:.8g}, {}\n", point.branch, answer.over, point.parameter,
                          point.stable ? "stable" : "not stable");
  }
  return text + notes_text(answer.notes);
}

std::string to_json(const RootLocus& answer) {
  Json json;
  json["model"] = answer.model;
  json["over"] = answer.over;
  json["values"] = answer.values;
  json["eigenvalues"] = Json::array();
  for (const auto& row : answer.eigenvalues) {
    Json values = Json::array();
    for (const auto& value : row) values.push_back(answers::complex(value));
    json["eigenvalues"].push_back(values);
  }
  json["crossings"] = Json::array();
  for (const LocusCrossing& one : answer.crossings)
    json["crossings"].push_back(
        {{"value", answers::number(one.value)}, {"eigenvalue", answers::complex(one.eigenvalue)}});
  json["notes"] = answer.notes;
  return answers::print(json);
}

std::string to_text(const RootLocus& answer) {
  std::string text =
      fmt::format("{}: eigenvalues at {} values of {}\n", answer.model, answer.values.size(), answer.over);
  for (const LocusCrossing& one : answer.crossings)
    text +=
        fmt::format("  {:<12} {} = {:.12g}, with {}\n", "limit", answer.over, one.value, complex_text(one.eigenvalue));
  for (std::size_t k = 0; k < answer.values.size(); ++k) {
    text += fmt::format("  {:<12.6g}", answer.values[k]);
    for (const auto& value : answer.eigenvalues[k])
      if (value.imag() >= 0) text += "  " + complex_text(value);
    text += '\n';
  }
  return text + notes_text(answer.notes);
}

std::string to_json(const FrequencyResponse& answer) {
  Json json;
  json["model"] = answer.model;
  json["frequencies"] = answer.frequencies;
  json["response"] = Json::object();
  for (std::size_t i = 0; i < answer.outputs.size(); ++i)
    for (std::size_t k = 0; k < answer.inputs.size(); ++k) {
      Json values = Json::array();
      for (const auto& at : answer.response)
        values.push_back(answers::complex(at(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k))));
      json["response"][answer.outputs[i]][answer.inputs[k]] = values;
    }
  json["notes"] = answer.notes;
  return answers::print(json);
}

std::string to_text(const FrequencyResponse& answer) {
  std::string text = fmt::format("{}: response at {} frequencies\n", answer.model, answer.frequencies.size());
  for (std::size_t i = 0; i < answer.outputs.size(); ++i)
    for (std::size_t k = 0; k < answer.inputs.size(); ++k) {
      text += fmt::format("  {} to {}\n    {:>12} {:>14} {:>12}\n", answer.outputs[i], answer.inputs[k], "Hz",
                          "amplitude", "phase, deg");
      for (std::size_t f = 0; f < answer.frequencies.size(); ++f) {
        const auto value = answer.response[f](static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k));
        text += fmt::format("    {:>12.6g} {:>14.8g} {:>12.4f}\n", answer.frequencies[f], std::abs(value),
                            std::arg(value) * 57.29577951308232);
      }
    }
  return text + notes_text(answer.notes);
}

std::string to_json(const Certificate& answer) {
  Json json;
  json["model"] = answer.model;
  json["t"] = answers::number(answer.t);
  json["digits"] = answers::number(answer.digits);
  json["values"] = Json::object();
  for (const CertifiedValue& one : answer.values)
    json["values"][one.name] = {{"value", answers::number(one.value)},
                                {"spread", answers::number(one.spread)},
                                {"digits", answers::number(one.digits)}};
  json["runs"] = Json::array();
  for (const CertifyingRun& run : answer.runs)
    json["runs"].push_back({{"name", run.name},
                            {"difference", run.reason.empty() ? answers::number(run.difference) : Json(nullptr)},
                            {"reason", text_or_null(run.reason)}});
  json["reason"] = text_or_null(answer.reason);
  json["notes"] = answer.notes;
  return answers::print(json);
}

std::string to_text(const Certificate& answer) {
  std::string text = answer.reason.empty()
                         ? fmt::format("{}: {:.1f} digits agree at t = {:.6g}\n", answer.model, answer.digits, answer.t)
                         : fmt::format("{}: {}\n", answer.model, answer.reason);
  for (const CertifyingRun& run : answer.runs)
    text += run.reason.empty() ? fmt::format("  {:<16} differs by {:.2g}\n", run.name, run.difference)
                               : fmt::format("  {:<16} left out: {}\n", run.name, run.reason);
  for (const CertifiedValue& one : answer.values)
    text += fmt::format("  {:<16} {:.{}g}\n", one.name, one.value, std::max(1, static_cast<int>(one.digits)));
  return text + notes_text(answer.notes);
}

}  // namespace taut
