#pragma once

#include <Eigen/Geometry>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "taut/error.hpp"

/// XML in which everything knows its file and line: files may be put together of several.
namespace taut::robot {

struct XmlAttribute {
  std::string name, value;
  int line = 0;
};

struct Element {
  std::string name;
  Word file;
  int line = 0;
  std::vector<XmlAttribute> attributes;
  std::vector<Element> children;
  std::string text;  ///< between its tags, of all pieces together
  int scope = 0;     ///< of several files in one, the one whose settings it follows

  Place place() const { return {file, line, 0}; }
  /// "" where there is none.
  std::string attribute(std::string_view name) const;
  const Element* find(std::string_view child) const;
};

/// The root element. Throws InputError for what is not XML.
Element parse_xml(const std::string& text, const std::string& file);

/// Those children that have this name.
std::vector<const Element*> children(const Element& parent, std::string_view name);

/// The attributes of an element, read as what they should be. Every reading throws InputError at the attribute's line.
class Attributes {
 public:
  explicit Attributes(const Element& element);

  const std::string& element() const { return element_; }
  Place place() const { return place_; }
  int scope() const { return scope_; }
  int line() const { return place_.line; }

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
  std::vector<std::string> names() const;
  Place place_of(const std::string& name) const;

  [[noreturn]] void refuse(const std::string& message, const std::string& remedy) const;
  [[noreturn]] void refuse(const std::string& name, const std::string& message, const std::string& remedy) const;

 private:
  struct Value {
    std::string text;
    Place place;
  };
  std::string element_;
  Place place_;
  int scope_;
  std::map<std::string, Value> values_;
};

/// Numbers that stand as text, such as the content of an element. Throws InputError at the place.
std::vector<double> numbers_of(std::string_view text, const Place& place, const std::string& what, std::size_t least,
                               std::size_t most);

/// "did you mean 'X'?" where a known word is near, and the other remedy where none is.
std::string nearest_or(const std::string& word, const std::vector<std::string>& known, const std::string& otherwise);

}  // namespace taut::robot
