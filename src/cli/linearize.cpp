#include <memory>

#include "cli/question.hpp"
#include "output/answers/answers.hpp"
#include "taut/error.hpp"

namespace taut::cli {
namespace {

struct Request : Question {
  std::string at = "start", inputs, outputs;
};

LinearizeOptions options_of_request(const Request& request) {
  LinearizeOptions options{options_of(request)};
  if (request.at != "start" && request.at != "equilibrium")
    throw InputError("--at takes 'start' or 'equilibrium', not '" + request.at + "'", "write --at equilibrium");
  options.at = request.at == "start" ? LinearizedAt::start : LinearizedAt::equilibrium;
  options.inputs = names_between_commas(request.inputs);
  options.outputs = names_between_commas(request.outputs);
  return options;
}

void add_at(Parser& parser, Request& request) {
  parser.add_option("--at", request.at, "where: at the model's start, or where it rests nearest to that")
      .type_name("start|equilibrium");
}

}  // namespace

Command add_linearize(CommandLine& program) {
  Parser parser = program.add_command("linearize", "the equations for small changes: x' = A x + B u, y = C x + D u");
  const auto request = std::make_shared<Request>();
  add_question(parser, *request);
  add_at(parser, *request);
  parser.add_option("--inputs", request->inputs, "inputs or other parameters of the model").type_name("NAME,NAME,...");
  parser
      .add_option("--outputs", request->outputs,
                  "outputs, coordinates, rates as x', accelerations as x'', multipliers as lambda(NAME)")
      .type_name("NAME,NAME,...");
  parser.footer("Example:\n  taut linearize pendulum --at equilibrium --inputs g --outputs angle");
  return {parser, [request] {
            show(linearize(load(*request), options_of_request(*request)), request->json);
            return Status::done;
          }};
}

Command add_modes(CommandLine& program) {
  Parser parser = program.add_command("modes", "how a mechanism swings about its start or a position of rest");
  const auto request = std::make_shared<Request>();
  add_question(parser, *request);
  add_at(parser, *request);
  parser.footer("Example:\n  taut modes pendulum --at equilibrium");
  return {parser, [request] {
            show(find_modes(load(*request), options_of_request(*request)), request->json);
            return Status::done;
          }};
}

}  // namespace taut::cli
