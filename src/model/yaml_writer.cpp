#include "model/yaml_writer.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace taut::yaml {
namespace {

/// An entry longer than this is spread over lines.
constexpr std::size_t longest_line = 110;

bool is_null_word(std::string_view text) {
  constexpr std::array words{std::string_view{"~"}, std::string_view{"null"}, std::string_view{"Null"},
                             std::string_view{"NULL"}};
  return std::ranges::find(words, text) != words.end();
}

/// May it begin a value that stands without quotes? A minus may, where no blank follows.
bool begins_plainly(std::string_view text) {
  if (text.starts_with("---") || text.starts_with("...")) return false;
  if (text.starts_with('-')) return text.size() > 1 && text[1] != ' ';
  return std::string_view("?:,[]{}#&*!|>'\"%@`=").find(text[0]) == text.npos;
}

bool is_plain(std::string_view text) {
  if (text.empty() || is_null_word(text) || !begins_plainly(text)) return false;
  if (text.front() == ' ' || text.back() == ' ' || text.back() == ':') return false;
  return text.find_first_of(",[]{}\t\n\r") == text.npos && text.find(": ") == text.npos && text.find(" #") == text.npos;
}

/// In quotes, where a quote is written twice.
std::string in_quotes(std::string_view text) {
  std::string made = "'";
  for (const char c : text) {
    made += c;
    if (c == '\'') made += c;
  }
  return made + "'";
}

std::string scalar_text(const Node& node) {
  return is_plain(node.text.text) ? node.text.text : in_quotes(node.text.text);
}

/// Everything in one line.
std::string in_line(const Node& node) {
  if (node.kind == Node::Kind::null) return "~";
  if (node.kind == Node::Kind::scalar) return scalar_text(node);
  const bool is_mapping = node.kind == Node::Kind::mapping;
  std::string made(1, is_mapping ? '{' : '[');
  for (std::size_t k = 0; k < node.items.size(); ++k) {
    if (k > 0) made += ", ";
    if (is_mapping) made += scalar_text(node.keys[k]) + ": ";
    made += in_line(node.items[k]);
  }
  return made + (is_mapping ? '}' : ']');
}

bool is_container(const Node& node) { return node.kind == Node::Kind::list || node.kind == Node::Kind::mapping; }

class Writer {
 public:
  std::string text() { return std::move(text_); }

  /// The entries of a list or mapping, one below the other. `depth` counts how deep they stand. The first of what
  /// stands in a list goes on in the line of its dash.
  void write(const Node& node, int depth, bool behind_dash = false) {
    for (std::size_t k = 0; k < node.items.size(); ++k) {
      if (k > 0 || !behind_dash) text_.append(2 * static_cast<std::size_t>(depth), ' ');
      text_ += node.kind == Node::Kind::mapping ? scalar_text(node.keys[k]) + ":" : "-";
      write_value(node.items[k], depth, node.kind == Node::Kind::list);
    }
  }

 private:
  void write_value(const Node& value, int depth, bool behind_dash) {
    const std::string line = in_line(value);
    const bool is_section = depth == 0 && !is_list_of_numbers(value);
    if (is_container(value) && !value.items.empty() && (is_section || line.size() > longest_line)) {
      text_ += behind_dash ? ' ' : '\n';
      write(value, depth + 1, behind_dash);
    } else {
      text_ += " " + line + "\n";
    }
  }

  /// Such as gravity.
  static bool is_list_of_numbers(const Node& node) {
    const auto is_scalar = [](const Node& item) { return item.kind == Node::Kind::scalar; };
    return node.kind == Node::Kind::list && std::ranges::all_of(node.items, is_scalar);
  }

  std::string text_;
};

}  // namespace

std::string write(const Node& root, const std::vector<std::string>& comments) {
  std::string text;
  for (const std::string& comment : comments) text += "# " + comment + "\n";
  if (!is_container(root) || root.items.empty()) return text + in_line(root) + "\n";
  Writer writer;
  writer.write(root, 0);
  return text + writer.text();
}

}  // namespace taut::yaml
