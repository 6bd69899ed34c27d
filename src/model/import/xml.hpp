#pragma once

#include <tinyxml2.h>

#include <Eigen/Geometry>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "taut/error.hpp"

/// XML in which everything knows its line.
namespace taut::robot {

using tinyxml2::XMLElement;

/// Throws InputError for what is not XML.
void parse_xml(const std::string& text, const std::string& file, tinyxml2::XMLDocument& document);

std::vector<const XMLElement*> children(const XMLElement& parent);
std::vector<const XMLElement*> children(const XMLElement& parent, const char* name);

/// The attributes of an element, read as what they should be. Every reading throws InputError at the attribute's line.
class Attributes {
 public:
  Attributes(const XMLElement& element, std::string file);

  const std::string& element() const { return element_; }
  int line() const { return line_; }

  bool has(const std::string& name) const { return values_.contains(name); }
  std::string text(const std::string& name, const std::string& otherwise = "") const;
  /// Of an attribute that has to be there.
  std::string needed(const std::string& name) const;
  double number(const std::string& name, double otherwise) const;
  /// "true" or "false".
  bool flag(const std::string& name, bool otherwise) const;
  Eigen::Vector3d vector(const std::string& name, const Eigen::Vector3d& otherwise) const;
  /// Between `least` and `most` numbers; none where the attribute is not there.
  std::vector<double> numbers(const std::string& name, std::size_t least, std::size_t most) const;
  /// One of these words, or the first if the attribute is not there.
  std::string choice(const std::string& name, const std::vector<std::string>& words) const;

  /// Takes what is not there from `others`.
  void complete(const Attributes& others);
  /// Refuses any attribute that is not among these, by name.
  void allow(const std::vector<std::string_view>& names) const;
  /// Refuses an attribute that is there and does not have this value.
  void expect(const std::string& name, double value, const std::string& why) const;

  [[noreturn]] void refuse(const std::string& message, const std::string& remedy) const;
  [[noreturn]] void refuse(const std::string& name, const std::string& message, const std::string& remedy) const;

 private:
  struct Value {
    std::string text;
    int line;
  };
  std::string file_, element_;
  int line_;
  std::map<std::string, Value> values_;
};

}  // namespace taut::robot
