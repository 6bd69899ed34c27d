#include "output/page.hpp"

#include <filesystem>

#include "output/report_page.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

/// JSON for the inside of a script element: nothing in it can end the element or begin a comment. The sign can only
/// stand inside a string there.
std::string inert(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

void require_page(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  if (ending != ".html" && ending != ".htm")
    throw InputError("cannot write '" + file + "': a report is a web page", "use a name that ends in .html");
  if (report_page().empty())
    throw InputError("this build of taut has no report page", "build it anew with -DTAUT_REPORT=ON");
}

std::string filled_page(std::string_view json, std::string_view data) {
  const std::string_view page = report_page();
  const std::string_view json_mark = "@RUN@", data_mark = "@DATA@";
  const auto at_json = page.find(json_mark), at_data = page.find(data_mark);
  std::string out(page.substr(0, at_json));
  out += inert(json);
  out += page.substr(at_json + json_mark.size(), at_data - at_json - json_mark.size());
  out += data;
  out += page.substr(at_data + data_mark.size());
  return out;
}

}  // namespace taut
