#include <memory>

#include "cli/question.hpp"
#include "output/answers/answers.hpp"

namespace taut::cli {
namespace {

struct Request : Question {
  bool all = false;
  int starts = 100, seed = 1;
};

Status find_rest(const Request& request) {
  const EquilibriumOptions options{options_of(request), request.all, request.starts,
                                   static_cast<unsigned>(request.seed)};
  const Equilibria answer = find_equilibria(load(request), options);
  show(answer, request.json);
  if (!answer.found.empty()) return Status::done;
  complain(answer.model + ": " + answer.reason);
  return Status::could_not_go_on;
}

}  // namespace

Command add_equilibrium(CommandLine& program) {
  Parser parser =
      program.add_command("equilibrium", "where a mechanism rests under its loads, and whether it stays there");
  const auto request = std::make_shared<Request>();
  add_question(parser, *request);
  parser.add_flag("--all", request->all, "look from random positions, too");
  parser.add_option("--starts", request->starts, "how many of them (100)").type_name("N").within(1, 1'000'000);
  parser.add_option("--seed", request->seed, "of the random positions (1)").type_name("N").within(0, 2'000'000'000);
  parser.footer(
      "Example:\n  taut equilibrium pendulum --all\n\n"
      "Exit status: 0 found; 1 none was found; 2 the input is wrong.");
  return {parser, [request] { return find_rest(*request); }};
}

}  // namespace taut::cli
