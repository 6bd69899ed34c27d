#pragma once

#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/terminal.hpp"
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

/// The answer on standard output.
template <class Answer>
void show(const Answer& answer, bool json) {
  if (json)
    print(to_json(answer) + "\n");
  else
    tell(to_text(answer));
}

}  // namespace taut::cli
