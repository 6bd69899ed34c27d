#include "cli/question.hpp"

#include <charconv>
#include <cmath>

#include "cli/picture.hpp"
#include "taut/error.hpp"

namespace taut::cli {

void add_question(Parser& parser, Question& question) {
  add_model(parser, question.model);
  add_set(parser, question.set);
  parser
      .add_option("--coordinates", question.coordinates,
                  "how bodies and joints become coordinates: of a tree of joints, or of each body")
      .type_name("auto|joints|bodies");
  parser.add_flag("--assemble", question.assemble, "make the initial state consistent first");
  parser.add_flag("--json", question.json, "the answer as one JSON object on standard output, nothing else there");
}

Model load(const Question& question) { return load_model(question.model, assignments(question.set)); }

QuestionOptions options_of(const Question& question) {
  Options run;
  run.coordinates = QuestionOptions().coordinates;
  if (!question.coordinates.empty()) set_option(run, "coordinates", question.coordinates, "--coordinates");
  return {assignments(question.set), run.coordinates, question.assemble};
}

std::vector<std::string> names_between_commas(const std::string& text) {
  std::vector<std::string> names;
  std::string name;
  int depth = 0;
  const auto take = [&] {
    const auto begin = name.find_first_not_of(" \t");
    if (begin == std::string::npos) throw InputError("'" + text + "' has an empty name", "write NAME,NAME");
    names.push_back(name.substr(begin, name.find_last_not_of(" \t") - begin + 1));
    name.clear();
  };
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0)
      take();
    else
      name += c;
  }
  if (!text.empty()) take();
  return names;
}

namespace {

double number(const std::string& text, const std::string& whole, const std::string& option) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size())
    throw InputError(option + ": '" + whole + "' has bounds that are no numbers", "write NAME=0.5:2");
  return value;
}

Variable variable(const std::string& text, const std::string& option) {
  const auto equals = text.find('=');
  if (equals == std::string::npos) return {text, {}, {}};
  const std::string bounds = text.substr(equals + 1);
  const auto colon = bounds.find(':');
  if (colon == std::string::npos)
    throw InputError(option + ": '" + text + "' has one bound", "write NAME or NAME=LEAST:MOST");
  Variable one{text.substr(0, equals), {}, {}};
  if (colon > 0) one.least = number(bounds.substr(0, colon), text, option);
  if (colon + 1 < bounds.size()) one.most = number(bounds.substr(colon + 1), text, option);
  return one;
}

}  // namespace

std::vector<Variable> variables(const std::string& text, const std::string& option) {
  std::vector<Variable> list;
  for (const std::string& one : names_between_commas(text)) list.push_back(variable(one, option));
  return list;
}

std::vector<double> Range::values(int default_count) const {
  const int n = count.value_or(default_count);
  std::vector<double> list;
  for (int k = 0; k < n; ++k) list.push_back(n == 1 ? from : from + (to - from) * k / (n - 1));
  return list;
}

Range range(const std::string& text, const std::string& option) {
  const auto equals = text.find('=');
  const auto first = text.find(':', equals == std::string::npos ? 0 : equals);
  if (equals == std::string::npos || equals == 0 || first == std::string::npos)
    throw InputError(option + " takes NAME=FROM:TO, not '" + text + "'", "write for example " + option + " v=0:10");
  const auto second = text.find(':', first + 1);
  Range one{text.substr(0, equals), number(text.substr(equals + 1, first - equals - 1), text, option),
            number(text.substr(first + 1, second == std::string::npos ? second : second - first - 1), text, option)};
  if (second == std::string::npos) return one;
  const double count = number(text.substr(second + 1), text, option);
  if (!(count >= 1 && count <= 1e6) || count != std::floor(count))
    throw InputError(option + ": '" + text + "' has no count of values", "write NAME=FROM:TO:N");
  one.count = static_cast<int>(count);
  return one;
}

void draw(const std::string& file, const std::vector<Plot>& plots) {
  constexpr double dots = 2;
  if (!file.empty() && !plots.empty()) write_picture(file, to_svg(plots), dots);
}

}  // namespace taut::cli
