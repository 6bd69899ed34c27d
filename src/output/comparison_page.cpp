#include "output/comparison_page.hpp"

#include <nlohmann/json.hpp>

#include "output/comparison.hpp"
#include "output/page.hpp"

namespace taut {

std::string comparison_page(const Comparison& comparison, const RunDescription& description,
                            const std::vector<RecordedRun>& runs) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  for (const RecordedRun& run : runs) {
    Json json = run.json.empty() ? Json(nullptr) : Json::parse(run.json);
    if (!json.is_null()) json["data"] = run.data;
    list.push_back(std::move(json));
  }
  const Json page{{"format", 1},
                  {"kind", "compare"},
                  {"version", description.version},
                  {"command", description.command},
                  {"model", {{"name", description.model}, {"file", description.file}, {"text", description.text}}},
                  {"comparison", Json::parse(to_json(comparison))},
                  {"runs", std::move(list)}};
  return filled_page(page.dump(-1, ' ', false, Json::error_handler_t::replace), "");
}

}  // namespace taut
