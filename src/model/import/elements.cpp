#include "model/import/elements.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.hpp"

namespace taut::robot {
namespace {

constexpr const char* of_others = "passed over, for other programs read it";

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> list(1);
  for (const char c : text) {
    if (c != ' ') list.back() += c;
    if (c == ' ' && !list.back().empty()) list.emplace_back();
  }
  if (list.back().empty()) list.pop_back();
  return list;
}

bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != text.npos && !word.empty(); at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || text[at - 1] == ' ') && (end == text.size() || text[end] == ' ')) return true;
  }
  return false;
}

bool is_foreign(std::string_view name) { return name.find(':') != name.npos || name == "xmlns"; }

void admit_attributes(const FormatRows& format, const ElementRow& row, const Element& element, Findings& findings) {
  for (const XmlAttribute& a : element.attributes) {
    if (row.passed == "*" || has_word(row.taken, a.name) || has_word(row.passed, a.name)) continue;
    std::vector<std::string> known = words(row.taken);
    std::ranges::copy(words(row.passed), std::back_inserter(known));
    const std::string near = nearest(a.name, known);
    if (is_foreign(a.name) || (format.open && near.empty())) {
      findings.pass(of_others, fmt::format("<{} {}>", element.name, a.name));
      continue;
    }
    findings.add(InputError({element.file, a.line, 0},
                            fmt::format("<{}>: the attribute {} is not known", element.name, a.name),
                            near.empty() ? "take it out" : fmt::format("did you mean '{}'?", near)));
  }
}

void judge_unknown(const FormatRows& format, std::string_view within, const Element& element, Findings& findings) {
  std::vector<std::string> known;
  for (const ElementRow& row : format.rows)
    if (has_word(row.within, within)) std::ranges::copy(words(row.name), std::back_inserter(known));
  const std::string near = nearest(element.name, known);
  if (is_foreign(element.name) || (format.open && near.empty())) {
    findings.pass(of_others, fmt::format("<{}>", element.name));
    return;
  }
  findings.add(InputError(element.place(), fmt::format("<{}> in <{}> is not known", element.name, within),
                          near.empty() ? "take it out" : fmt::format("did you mean <{}>?", near)));
}

std::string cell(std::string_view text) {
  std::string made;
  for (const std::string& word : words(text)) made += fmt::format("{}`{}`", made.empty() ? "" : ", ", word);
  return text == "*" ? "any" : made;
}

}  // namespace

const ElementRow* find_row(const FormatRows& format, std::string_view within, std::string_view name) {
  for (const ElementRow& row : format.rows)
    if (has_word(row.name, name) && has_word(row.within, within)) return &row;
  return nullptr;
}

bool admit(const FormatRows& format, std::string_view within, const Element& element, Findings& findings) {
  const ElementRow* row = find_row(format, within, element.name);
  if (row == nullptr) {
    judge_unknown(format, within, element, findings);
    return false;
  }
  switch (row->treatment) {
    case Treatment::simulated:
      admit_attributes(format, *row, element, findings);
      return true;
    case Treatment::passed:
      findings.pass(fmt::format("passed over, for {}", row->remark), fmt::format("<{}>", element.name));
      return false;
    case Treatment::refused:
      findings.unsupported(std::string(row->subject), element.place(),
                           fmt::format("<{}> cannot be simulated: {}", element.name, row->remark));
  }
  return false;
}

std::string table_of(const FormatRows& format) {
  std::string text =
      "| in | element | | attributes that count | attributes passed over | |\n|---|---|---|---|---|---|\n";
  for (const ElementRow& row : format.rows) {
    const std::string what = row.treatment == Treatment::simulated ? "taken"
                             : row.treatment == Treatment::passed
                                 ? "passed over"
                                 : fmt::format("refused, or `--ignore {}`", row.subject);
    text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", cell(row.within), cell(row.name), what, cell(row.taken),
                        cell(row.passed), row.remark);
  }
  return text;
}

}  // namespace taut::robot
