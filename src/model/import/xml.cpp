#include "model/import/xml.hpp"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/nearest.hpp"
#include "base/printable.hpp"

namespace taut::robot {
namespace {

constexpr std::string_view blanks = " \t\r\n";

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t start = text.find_first_not_of(blanks); start != text.npos;) {
    const std::size_t end = std::min(text.find_first_of(blanks, start), text.size());
    words.push_back(text.substr(start, end - start));
    start = text.find_first_not_of(blanks, end);
  }
  return words;
}

/// False for what is no number, or not a finite one.
bool to_number(std::string_view word, double& value) {
  if (word.starts_with('+')) word.remove_prefix(1);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc{} && end == word.data() + word.size() && std::isfinite(value);
}

std::string count_of(std::size_t least, std::size_t most) {
  if (least != most) return fmt::format("{} to {} numbers", least, most);
  return least == 1 ? "a number" : fmt::format("{} numbers", least);
}

/// The library says "XML_ERROR_…": the name without its decoration is what it has to say.
std::string complaint(const tinyxml2::XMLDocument& document) {
  std::string name = document.Error() ? document.ErrorName() : "NO_ELEMENT";
  if (name.starts_with("XML_")) name.erase(0, 4);
  if (name.starts_with("ERROR_")) name.erase(0, 6);
  std::ranges::transform(name, name.begin(), [](char c) {
    return c == '_' ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  });
  return name;
}

Element copied(const tinyxml2::XMLElement& given, const Word& file) {
  Element made{.name = given.Name(), .file = file, .line = given.GetLineNum()};
  for (const auto* a = given.FirstAttribute(); a != nullptr; a = a->Next())
    made.attributes.push_back({a->Name(), a->Value(), a->GetLineNum()});
  for (const auto* node = given.FirstChild(); node != nullptr; node = node->NextSibling()) {
    if (const auto* child = node->ToElement()) made.children.push_back(copied(*child, file));
    if (const auto* text = node->ToText()) made.text += text->Value();
  }
  return made;
}

}  // namespace

std::string Element::attribute(std::string_view wanted) const {
  const auto found = std::ranges::find(attributes, wanted, &XmlAttribute::name);
  return found == attributes.end() ? "" : found->value;
}

const Element* Element::find(std::string_view child) const {
  const auto found = std::ranges::find(children, child, &Element::name);
  return found == children.end() ? nullptr : &*found;
}

Element parse_xml(const std::string& text, const std::string& file) {
  if (const std::size_t wrong = first_unprintable(text); wrong != text.npos) {
    const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(wrong), '\n');
    throw InputError({file, static_cast<int>(lines) + 1, 0}, "what stands here is no text in UTF-8",
                     "take control characters out, and save the file as UTF-8");
  }
  tinyxml2::XMLDocument document;
  if (document.Parse(text.data(), text.size()) == tinyxml2::XML_SUCCESS && document.RootElement() != nullptr)
    return copied(*document.RootElement(), file);
  throw InputError({file, std::max(document.ErrorLineNum(), 1), 0},
                   fmt::format("this is not XML: {}", complaint(document)),
                   "check the tags and quotes here and in the lines before");
}

std::vector<const Element*> children(const Element& parent, std::string_view name) {
  std::vector<const Element*> list;
  for (const Element& child : parent.children)
    if (child.name == name) list.push_back(&child);
  return list;
}

std::vector<double> numbers_of(std::string_view text, const Place& place, const std::string& what, std::size_t least,
                               std::size_t most) {
  std::vector<double> list;
  for (const std::string_view word : words_of(text)) {
    double value = 0;
    if (!to_number(word, value))
      throw InputError(place, fmt::format("{}: '{}' is not a number", what, word),
                       fmt::format("give {}", count_of(least, most)));
    list.push_back(value);
  }
  if (list.size() >= least && list.size() <= most) return list;
  throw InputError(place, fmt::format("{}: {} are given", what, list.size()),
                   fmt::format("give {}", count_of(least, most)));
}

std::string nearest_or(const std::string& word, const std::vector<std::string>& known, const std::string& otherwise) {
  const std::string near = nearest(word, known);
  return near.empty() ? otherwise : fmt::format("did you mean '{}'?", near);
}

Attributes::Attributes(const Element& element)
    : element_(element.name), place_(element.place()), scope_(element.scope) {
  for (const XmlAttribute& a : element.attributes) {
    const bool is_new = values_.emplace(a.name, Value{a.value, {element.file, a.line, 0}}).second;
    if (first_unprintable(a.value) != std::string_view::npos)
      refuse(a.name, "a control character stands here", "take it out");
    if (!is_new) refuse(a.name, fmt::format("{} is given twice", a.name), "keep one of the two");
  }
}

std::string Attributes::text(const std::string& name, const std::string& otherwise) const {
  const auto found = values_.find(name);
  return found == values_.end() ? otherwise : found->second.text;
}

std::string Attributes::needed(const std::string& name) const {
  if (text(name).empty()) {
    refuse(fmt::format("<{}> has no {}", element_, name), fmt::format("add {}=\"…\"", name));
  }
  return text(name);
}

double Attributes::number(const std::string& name, double otherwise) const {
  return has(name) ? numbers(name, 1, 1).front() : otherwise;
}

bool Attributes::flag(const std::string& name, bool otherwise) const {
  if (!has(name)) return otherwise;
  return choice(name, {"true", "false"}) == "true";
}

Eigen::Vector3d Attributes::vector(const std::string& name, const Eigen::Vector3d& otherwise) const {
  const std::vector<double> list = numbers(name, 3, 3);
  return list.empty() ? otherwise : Eigen::Vector3d(list[0], list[1], list[2]);
}

std::vector<double> Attributes::numbers(const std::string& name, std::size_t least, std::size_t most) const {
  if (!has(name)) return {};
  return numbers_of(text(name), place_of(name), fmt::format("<{} {}>", element_, name), least, most);
}

std::string Attributes::choice(const std::string& name, const std::vector<std::string>& words) const {
  std::string word = text(name, words.front());
  if (std::ranges::find(words, word) != words.end()) return word;
  refuse(name, fmt::format("'{}' is not known", word),
         nearest_or(word, words, fmt::format("give one of {}", fmt::join(words, ", "))));
}

void Attributes::complete(const Attributes& others) { values_.insert(others.values_.begin(), others.values_.end()); }

std::vector<std::string> Attributes::names() const {
  std::vector<std::string> list;
  for (const auto& [name, value] : values_) list.push_back(name);
  return list;
}

Place Attributes::place_of(const std::string& name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? place_ : found->second.place;
}

void Attributes::refuse(const std::string& message, const std::string& remedy) const {
  throw InputError(place_, message, remedy);
}

void Attributes::refuse(const std::string& name, const std::string& message, const std::string& remedy) const {
  throw InputError(place_of(name), fmt::format("<{} {}>: {}", element_, name, message), remedy);
}

}  // namespace taut::robot
