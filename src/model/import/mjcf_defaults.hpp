#pragma once

#include <map>
#include <string>

#include "model/import/xml.hpp"

namespace taut::robot {

/// Classes of default attributes, each completed by the one it stands in.
class MjcfDefaults {
 public:
  explicit MjcfDefaults(std::string file) : file_(std::move(file)) {}

  /// Reads a <default> at the top of the file.
  void read(const XMLElement& element) { read(element, ""); }

  /// The attributes of an element, those of its class where it has none itself. `inherited` is the class that the
  /// bodies around it give, "" if none does.
  Attributes completed(const XMLElement& element, const std::string& inherited) const;

 private:
  struct Class {
    std::string parent;
    std::map<std::string, Attributes> elements;
  };
  void read(const XMLElement& element, const std::string& parent);

  std::string file_;
  std::map<std::string, Class> classes_{{"main", {}}};
};

}  // namespace taut::robot
