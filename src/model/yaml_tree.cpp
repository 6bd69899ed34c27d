#include "model/yaml_tree.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string_view>
#include <unordered_map>

#include "base/printable.hpp"

namespace taut::yaml {
namespace {

/// The second and later bytes of a character in UTF-8.
bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

void check_text(std::string_view text, const std::string& file) {
  const std::size_t wrong = first_unprintable(text);
  if (wrong == text.npos) return;
  const std::string_view before = text.substr(0, wrong), line = before.substr(before.rfind('\n') + 1);
  const auto characters = std::ranges::count_if(line, [](char c) { return !is_continuation(c); });
  const auto lines = std::ranges::count(before, '\n');
  const bool broken = utf8_length(text, wrong) == 0;
  throw InputError(
      {file, static_cast<int>(lines) + 1, static_cast<int>(characters) + 1},
      broken ? "this is not a text file in UTF-8" : "this is not a text file: a control character stands here",
      broken ? "give a model as YAML text" : "take it out, or give a model as YAML text");
}

/// YAML forbids tabs in the indentation, but says so in words that help nobody.
void check_tabs(std::string_view text, const std::string& file) {
  int line = 1;
  for (std::size_t start = 0; start < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view row = text.substr(start, end - start);
    const std::size_t first = row.find_first_not_of(" \t\r");
    const std::size_t tab = row.find('\t');
    if (first != row.npos && tab < first) {
      throw InputError({file, line, static_cast<int>(tab) + 1}, "a tab in the indentation", "indent with spaces");
    }
    start = end + 1;
  }
}

/// Pairs each character of a scalar's value with the one in the file that it came from.
class Aligner {
 public:
  Aligner(std::string_view raw, std::size_t offset, Position position)
      : raw_(raw), offset_(offset), position_(position) {}

  PlacedText operator()(const std::string& value) {
    skip_properties();
    enter();
    PlacedText placed;
    for (const char c : value) {
      const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
      if (!blank && !is_continuation(c)) skip_to_visible();
      // A fold is a blank to whoever reads the formula.
      placed.append(c == '\n' ? ' ' : c, position_);
      if (is_continuation(c)) continue;
      if (!blank || peek() == c) step();
      if (c == '\'' && quote_ == '\'' && peek() == '\'') step();
    }
    return placed;
  }

  bool is_quoted() const { return quote_ != '\0'; }

  /// Whether the file ends before the quote does, which the library lets pass.
  bool is_unclosed() {
    while (is_quoted() && at_blank()) step();
    return is_quoted() && offset_ >= raw_.size();
  }

 private:
  char peek() const { return offset_ < raw_.size() ? raw_[offset_] : '\0'; }
  bool at_blank() const { return std::isspace(static_cast<unsigned char>(peek())) != 0; }

  void step() {
    if (offset_ >= raw_.size()) return;
    position_ =
        raw_[offset_] == '\n' ? Position{position_.line + 1, 1} : Position{position_.line, position_.column + 1};
    ++offset_;
    while (is_continuation(peek())) ++offset_;
  }

  /// A tag or an anchor may stand before the scalar itself.
  void skip_properties() {
    while (peek() == '!' || peek() == '&') {
      while (peek() != '\0' && !at_blank()) step();
      while (at_blank()) step();
    }
  }

  void enter() {
    const char c = peek();
    if (c == '"' || c == '\'') {
      quote_ = c;
      step();
    } else if (c == '|' || c == '>') {
      while (peek() != '\0' && peek() != '\n') step();
      while (at_blank()) step();
    }
  }

  /// Goes to what the next visible character of the value came from.
  void skip_to_visible() {
    while (at_blank()) step();
    if (quote_ == '"' && peek() == '\\') step();
  }

  std::string_view raw_;
  std::size_t offset_;
  Position position_;
  char quote_ = '\0';
};

/// Whether a parenthesis is open at the end of a plain scalar: a comma cut it in two.
bool is_cut(const Node& node) {
  if (node.kind != Node::Kind::scalar || node.is_quoted) return false;
  const auto count = [&](char c) { return std::ranges::count(node.text.text, c); };
  return count('(') > count(')');
}

void append(Node& node, const Node& rest) {
  node.text.append(',', node.text.at(node.text.text.size()));
  for (std::size_t k = 0; k < rest.text.text.size(); ++k) node.text.append(rest.text.text[k], rest.text.positions[k]);
}

/// To YAML a comma inside brackets ends a value, to a formula it separates arguments: puts together
/// again what belongs together. In a mapping the second half became a name without a value.
void join_arguments(Node& node) {
  const bool is_mapping = node.kind == Node::Kind::mapping;
  std::vector<Node> keys;
  std::vector<Node> items;
  for (std::size_t k = 0; k < node.items.size(); ++k) {
    const Node& piece = is_mapping ? node.keys[k] : node.items[k];
    const bool is_rest =
        piece.kind == Node::Kind::scalar && !piece.is_quoted && (!is_mapping || node.items[k].kind == Node::Kind::null);
    if (!items.empty() && is_rest && is_cut(items.back())) {
      append(items.back(), piece);
      continue;
    }
    if (is_mapping) keys.push_back(std::move(node.keys[k]));
    items.push_back(std::move(node.items[k]));
  }
  node.keys = std::move(keys);
  node.items = std::move(items);
}

/// Builds the tree from the parser's events.
class Builder : public YAML::EventHandler {
 public:
  Builder(const std::string& text, const std::string& file) : text_(text), file_(file) {
    line_starts_.push_back(0);
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') line_starts_.push_back(i + 1);
    }
  }

  Node result() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ > 0) refuse(mark, "a second document begins here", "keep one model in one file");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    Node node;
    // The mark is that of whatever comes next; a name without a value is shown by its name.
    const bool is_value = !open_.empty() && open_.back().keys.size() > open_.back().items.size();
    node.position = is_value ? open_.back().keys.back().position : position(mark);
    add(std::move(node));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    refuse(mark, "an alias, '*NAME'", "write the value out, or give it a name under definitions");
  }

  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t, const std::string& value) override {
    Node node;
    node.kind = Node::Kind::scalar;
    Aligner aligner(text_, line_start(mark) + mark.column, position(mark));
    node.text = aligner(value);
    node.is_quoted = aligner.is_quoted();
    if (aligner.is_unclosed()) refuse(mark, "this quote is never closed", "add the quote that is missing");
    node.position = value.empty() ? position(mark) : node.text.at(0);
    // Quotes allow escapes, "\x1b", for what may not stand in the file.
    if (const std::size_t wrong = first_unprintable(node.text.text); wrong != std::string::npos)
      refuse(node.text.at(wrong), "an escape for a control character", "take it out");
    add(std::move(node));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value style) override {
    open(Node::Kind::list, mark, style);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value style) override {
    open(Node::Kind::mapping, mark, style);
  }
  void OnMapEnd() override { close(); }

 private:
  std::size_t line_start(const YAML::Mark& mark) const {
    return line_starts_[std::clamp<std::size_t>(mark.line, 0, line_starts_.size() - 1)];
  }

  /// The library counts bytes from 0. Marks come mostly in order: what was counted of a line is not counted again, or a
  /// model in one line would take quadratic time.
  Position position(const YAML::Mark& mark) {
    const auto column = static_cast<std::size_t>(mark.column);
    if (mark.line != counted_line_ || column < counted_bytes_) {
      counted_line_ = mark.line;
      counted_bytes_ = counted_characters_ = 0;
    }
    const std::string_view rest = std::string_view(text_).substr(
        std::min(line_start(mark) + counted_bytes_, text_.size()), column - counted_bytes_);
    counted_characters_ +=
        static_cast<std::size_t>(std::ranges::count_if(rest, [](char c) { return !is_continuation(c); }));
    counted_bytes_ = column;
    return {mark.line + 1, static_cast<int>(counted_characters_) + 1};
  }

  [[noreturn]] void refuse(const YAML::Mark& mark, const std::string& message, const std::string& remedy) {
    refuse(position(mark), message, remedy);
  }
  [[noreturn]] void refuse(Position position, const std::string& message, const std::string& remedy) const {
    throw InputError({file_, position.line, position.column}, message, remedy);
  }

  void open(Node::Kind kind, const YAML::Mark& mark, YAML::EmitterStyle::value style) {
    if (open_.size() >= deepest_nesting) {
      refuse(mark, fmt::format("lists and mappings stand more than {} deep in one another", deepest_nesting),
             "no model needs that; check the brackets and the indentation");
    }
    Node node;
    node.kind = kind;
    node.position = position(mark);
    open_.push_back(std::move(node));
    is_bracketed_.push_back(style == YAML::EmitterStyle::Flow);
  }

  void close() {
    Node node = std::move(open_.back());
    open_.pop_back();
    if (is_bracketed_.back()) join_arguments(node);
    is_bracketed_.pop_back();
    check_keys(node);
    add(std::move(node));
  }

  /// In a mapping, keys and values take turns.
  void add(Node node) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Node& parent = open_.back();
    const bool is_key = parent.kind == Node::Kind::mapping && parent.keys.size() == parent.items.size();
    (is_key ? parent.keys : parent.items).push_back(std::move(node));
  }

  void check_keys(const Node& node) const {
    std::unordered_map<std::string_view, Position> seen;
    for (const Node& key : node.keys) {
      if (key.kind != Node::Kind::scalar) {
        refuse(key.position, "a name is expected here, before the colon",
               "put quotes around a name that holds brackets");
      }
      const auto [first, is_new] = seen.emplace(key.text.text, key.position);
      if (is_new) continue;
      refuse(key.position, fmt::format("'{}' is given twice; first in line {}", key.text.text, first->second.line),
             "keep one of the two");
    }
  }

  const std::string& text_;
  const std::string& file_;
  std::vector<std::size_t> line_starts_;
  std::vector<Node> open_;
  std::vector<bool> is_bracketed_;  ///< like open_
  Node root_;
  int documents_ = 0;
  int counted_line_ = -1;  ///< how far characters have been counted, and how many there were
  std::size_t counted_bytes_ = 0, counted_characters_ = 0;
};

}  // namespace

Position PlacedText::at(std::size_t k) const {
  if (positions.empty()) return {};
  if (k < positions.size()) return positions[k];
  return {positions.back().line, positions.back().column + 1};
}

Position PlacedText::at_character(std::size_t k) const {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_continuation(text[i]) && k-- == 0) return positions[i];
  }
  return at(text.size());
}

void PlacedText::append(char c, Position position) {
  text.push_back(c);
  positions.push_back(position);
}

const Node* Node::find(const std::string& key) const {
  for (std::size_t k = 0; k < keys.size(); ++k) {
    if (keys[k].text.text == key) return &items[k];
  }
  return nullptr;
}

Node read(const std::string& given, const std::string& file) {
  const bool has_byte_order_mark = given.starts_with("\xef\xbb\xbf");
  const std::string text = has_byte_order_mark ? given.substr(3) : given;
  check_text(text, file);
  check_tabs(text, file);
  Builder builder(text, file);
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    const Place place{file, error.mark.line + 1, error.mark.column + 1};
    throw InputError(place, fmt::format("this is not YAML: {}", error.msg),
                     "check indentation, brackets and quotes here and in the line before; a formula that begins with "
                     "'- ', or holds ': ', ' #', or '[' or '{' inside brackets, needs quotes around it");
  }
  return builder.result();
}

}  // namespace taut::yaml
