#include <memory>

#include "cli/picture.hpp"
#include "cli/question.hpp"
#include "output/answers/answers.hpp"

namespace taut::cli {
namespace {

struct Request : Question {
  bool all = false;
  int starts = 100, seed = 1;
  std::string trim, steady, over, plot, coordinate;
};

Status find_trim(const Request& request) {
  return conclude(trim(load(request),
                       {options_of(request), variables(request.trim, "--trim"), names_between_commas(request.steady)}),
                  request.json);
}

Status find_path(const Request& request) {
  if (!request.plot.empty()) check_picture_name(request.plot);
  const Range over = range(request.over, "--over");
  const RestPath path = follow_equilibria(load(request), {options_of(request), over.name, over.from, over.to});
  draw(request.plot, to_plots(path, request.coordinate));
  return conclude(path, request.json);
}

Status find_rest(const Request& request) {
  if (!request.trim.empty()) return find_trim(request);
  if (!request.over.empty()) return find_path(request);
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
  const Argument trim =
      parser
          .add_option("--trim", request->trim,
                      "inputs, parameters, initial values as x(0) that are found so that the start is steady")
          .type_name("P,Q=LEAST:MOST,...");
  parser.add_option("--steady", request->steady, "what --trim makes zero; by default all accelerations")
      .type_name("NAME,NAME,...");
  parser
      .add_option("--over", request->over,
                  "follow the position of rest as this parameter changes, where it turns back and branches, too")
      .type_name("NAME=FROM:TO")
      .excludes(trim);
  parser.add_option("--plot", request->plot, "with --over: a figure of the path").type_name("FILE.svg|FILE.png");
  parser.add_option("--show", request->coordinate, "the coordinate in the figure; by default the one that moves most")
      .type_name("NAME");
  parser.footer(
      "Examples:\n  taut equilibrium pendulum --all\n  taut equilibrium robot.yaml --trim torque\n"
      "  taut equilibrium truss.yaml --over load=0:20 --plot path.svg\n\n"
      "Exit status: 0 found; 1 none was found; 2 the input is wrong.");
  return {parser, [request] { return find_rest(*request); }};
}

}  // namespace taut::cli
