#pragma once

#include <map>
#include <string>

#include "model/import/findings.hpp"
#include "model/import/xml.hpp"

namespace taut::robot {

/// Classes of default attributes, each completed by the one it stands in.
class MjcfDefaults {
 public:
  /// Reads a <default> at the top of the file.
  void read(const Element& element, Findings& findings) { read(element, "", findings); }

  /// The attributes of an element, those of its class where it has none itself. `inherited` is the class that the
  /// bodies around it give, "" if none does. Elements of some names share the defaults of one: `as`.
  Attributes completed(const Element& element, const std::string& inherited, const std::string& as = "") const;
  /// The defaults of an actuator, which every kind of actuator may give: from the outermost class to its own, each in
  /// the order of the file.
  std::vector<Attributes> actuators(const Element& element) const;

 private:
  struct Class {
    std::string parent;
    std::map<std::string, Attributes> elements;
    std::vector<Attributes> actuators;
  };
  void read(const Element& element, const std::string& parent, Findings& findings);
  void read_content(const Element& element, const std::string& own, Findings& findings);
  /// Its class and those around it.
  std::vector<const Class*> classes_of(const Attributes& attributes, const std::string& inherited) const;

  std::map<std::string, Class> classes_{{"main", {}}};
};

bool is_actuator(const std::string& element);

}  // namespace taut::robot
