#include "model/import/xml.hpp"

#include <fmt/format.h>

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

}  // namespace

void parse_xml(const std::string& text, const std::string& file, tinyxml2::XMLDocument& document) {
  if (const std::size_t wrong = first_unprintable(text); wrong != text.npos) {
    const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(wrong), '\n');
    throw InputError({file, static_cast<int>(lines) + 1, 0}, "what stands here is no text in UTF-8",
                     "take control characters out, and save the file as UTF-8");
  }
  if (document.Parse(text.data(), text.size()) == tinyxml2::XML_SUCCESS && document.RootElement() != nullptr) return;
  // The library says "Error=XML_ERROR_…": the name without its decoration is what it has to say.
  std::string name = document.Error() ? document.ErrorName() : "NO_ELEMENT";
  if (name.starts_with("XML_")) name.erase(0, 4);
  if (name.starts_with("ERROR_")) name.erase(0, 6);
  std::ranges::transform(name, name.begin(), [](char c) {
    return c == '_' ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  });
  throw InputError({file, std::max(document.ErrorLineNum(), 1), 0}, fmt::format("this is not XML: {}", name),
                   "check the tags and quotes here and in the lines before");
}

std::vector<const XMLElement*> children(const XMLElement& parent) {
  std::vector<const XMLElement*> list;
  for (auto* e = parent.FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) list.push_back(e);
  return list;
}

std::vector<const XMLElement*> children(const XMLElement& parent, const char* name) {
  std::vector<const XMLElement*> list;
  for (auto* e = parent.FirstChildElement(name); e != nullptr; e = e->NextSiblingElement(name)) list.push_back(e);
  return list;
}

Attributes::Attributes(const XMLElement& element, std::string file)
    : file_(std::move(file)), element_(element.Name()), line_(element.GetLineNum()) {
  for (const auto* a = element.FirstAttribute(); a != nullptr; a = a->Next()) {
    const bool is_new = values_.emplace(a->Name(), Value{a->Value(), a->GetLineNum()}).second;
    if (first_unprintable(a->Value()) != std::string_view::npos)
      refuse(a->Name(), "a control character stands here", "take it out");
    if (!is_new) refuse(a->Name(), fmt::format("{} is given twice", a->Name()), "keep one of the two");
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
  std::vector<double> list;
  if (!has(name)) return list;
  const std::string content = text(name);
  for (const std::string_view word : words_of(content)) {
    double value = 0;
    if (!to_number(word, value)) {
      refuse(name, fmt::format("'{}' is not a number", word), fmt::format("give {}", count_of(least, most)));
    }
    list.push_back(value);
  }
  if (list.size() < least || list.size() > most) {
    refuse(name, fmt::format("{} are given", list.size()), fmt::format("give {}", count_of(least, most)));
  }
  return list;
}

std::string Attributes::choice(const std::string& name, const std::vector<std::string>& words) const {
  const std::string word = text(name, words.front());
  if (std::ranges::find(words, word) != words.end()) return word;
  const std::string near = nearest(word, words);
  refuse(
      name, fmt::format("'{}' is not known", word),
      near.empty() ? fmt::format("give one of {}", fmt::join(words, ", ")) : fmt::format("did you mean '{}'?", near));
}

void Attributes::complete(const Attributes& others) { values_.insert(others.values_.begin(), others.values_.end()); }

void Attributes::allow(const std::vector<std::string_view>& names) const {
  for (const auto& [name, value] : values_) {
    if (std::ranges::find(names, name) != names.end()) continue;
    const std::string near = nearest(name, {names.begin(), names.end()});
    throw InputError({file_, value.line, 0}, fmt::format("<{}>: the attribute {} cannot be imported", element_, name),
                     near.empty() ? "take it out" : fmt::format("did you mean '{}'?", near));
  }
}

void Attributes::expect(const std::string& name, double value, const std::string& why) const {
  if (number(name, value) != value) {
    refuse(name, why, fmt::format("set it to {}", value));
  }
}

void Attributes::refuse(const std::string& message, const std::string& remedy) const {
  throw InputError({file_, line_, 0}, message, remedy);
}

void Attributes::refuse(const std::string& name, const std::string& message, const std::string& remedy) const {
  const auto found = values_.find(name);
  throw InputError({file_, found == values_.end() ? line_ : found->second.line, 0},
                   fmt::format("<{} {}>: {}", element_, name, message), remedy);
}

}  // namespace taut::robot
