#pragma once

#include <string>
#include <utility>

namespace taut {

/// An object of JSON put together from members that are JSON already, as text, so that nothing which was written has to
/// be read again.
class JsonObject {
 public:
  /// `name` needs no escapes; `json` is one value, or "" for null.
  void add(const std::string& name, const std::string& json) {
    if (!members_.empty()) members_ += ',';
    members_ += '"' + name + "\":" + (json.empty() ? "null" : json);
  }
  std::string text() const { return '{' + members_ + '}'; }
  bool empty() const { return members_.empty(); }

 private:
  std::string members_;
};

}  // namespace taut
