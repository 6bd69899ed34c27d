#include "cli/question.hpp"

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

}  // namespace taut::cli
