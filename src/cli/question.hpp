#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "output/plot.hpp"
#include "taut/questions.hpp"

/// What commands that ask a model have in common.
namespace taut::cli {

struct Question {
  std::string model, coordinates;
  std::vector<std::string> set;
  bool json = false, assemble = false;
};

/// MODEL, --set, --coordinates, --assemble, --json.
void add_question(Parser& parser, Question& question);
/// The model, with what is set.
Model load(const Question& question);
QuestionOptions options_of(const Question& question);

/// What stands between commas, without the spaces around it; commas in brackets do not count.
std::vector<std::string> names_between_commas(const std::string& text);

/// NAME or NAME=LEAST:MOST, of which either bound may be left out, between commas. Errors name the option.
std::vector<Variable> variables(const std::string& text, const std::string& option);

/// NAME=FROM:TO or NAME=FROM:TO:N.
struct Range {
  std::string name;
  double from = 0, to = 0;
  std::optional<int> count = {};

  /// N values, both ends among them.
  std::vector<double> values(int default_count) const;
};
Range range(const std::string& text, const std::string& option);

/// Writes figures below one another, if a file is named.
void draw(const std::string& file, const std::vector<Plot>& plots);

/// The answer on standard output.
template <class Answer>
void show(const Answer& answer, bool json) {
  if (json)
    print(to_json(answer) + "\n");
  else
    tell(to_text(answer));
}

/// The answer, and whether it can be used.
template <class Answer>
Status conclude(const Answer& answer, bool json) {
  show(answer, json);
  if (answer.reason.empty()) return Status::done;
  complain(answer.model + ": " + answer.reason);
  return Status::could_not_go_on;
}

}  // namespace taut::cli
