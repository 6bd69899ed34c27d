#include "output/comparison_page.hpp"

#include <nlohmann/json.hpp>

#include "output/comparison.hpp"
#include "output/page.hpp"

namespace taut {

std::string comparison_page(const Comparison& comparison, const RunDescription& description,
                            const std::vector<RecordedRun>& runs) {
  using Json = nlohmann::ordered_json;
  std::string list;
  for (const RecordedRun& run : runs) {
    JsonObject json = run.json;
    if (!json.empty()) json.add("data", '"' + run.data + '"');  // base64 needs no escapes
    list += (list.empty() ? "" : ",") + (json.empty() ? "null" : json.text());
  }
  JsonObject page;
  const auto add = [&page](const char* name, const Json& json) {
    page.add(name, json.dump(-1, ' ', false, Json::error_handler_t::replace));
  };
  add("format", 1);
  add("kind", "compare");
  add("version", description.version);
  add("command", description.command);
  add("model", {{"name", description.model}, {"file", description.file}, {"text", description.text}});
  page.add("comparison", to_json(comparison));
  page.add("runs", '[' + list + ']');
  return filled_page(page.text(), "");
}

}  // namespace taut
