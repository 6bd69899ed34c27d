#include <cmath>
#include <memory>

#include "cli/picture.hpp"
#include "cli/question.hpp"
#include "output/answers/answers.hpp"
#include "taut/error.hpp"

namespace taut::cli {
namespace {

struct Request : Question {
  std::string at = "start", inputs, outputs, over, frequencies, plot;
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

/// FROM:TO or FROM:TO:N in Hz, evenly on a logarithmic scale.
std::vector<double> frequencies(const std::string& text) {
  constexpr int default_count = 100;
  const Range asked = range("f=" + text, "--frequencies");
  if (!(asked.from > 0 && asked.to > asked.from))
    throw InputError("--frequencies takes FROM:TO above 0, not '" + text + "'",
                     "write for example --frequencies 0.1:100");
  std::vector<double> list = Range{"f", std::log(asked.from), std::log(asked.to), asked.count}.values(default_count);
  for (double& f : list) f = std::exp(f);
  return list;
}

Status linearize_model(const Request& request) {
  if (!request.plot.empty()) check_picture_name(request.plot);
  const StateSpace space = linearize(load(request), options_of_request(request));
  if (request.frequencies.empty()) {
    show(space, request.json);
    return Status::done;
  }
  if (space.inputs.empty() || space.outputs.empty())
    throw InputError("a frequency response needs inputs and outputs", "name them with --inputs and --outputs");
  const FrequencyResponse response = frequency_response(space, frequencies(request.frequencies));
  draw(request.plot, to_plots(response));
  show(response, request.json);
  return Status::done;
}

Status find_model_modes(const Request& request) {
  if (!request.plot.empty()) check_picture_name(request.plot);
  if (request.over.empty()) {
    show(find_modes(load(request), options_of_request(request)), request.json);
    return Status::done;
  }
  constexpr int default_count = 50;
  const Range over = range(request.over, "--over");
  const RootLocus locus =
      root_locus(load(request), {options_of_request(request), over.name, over.values(default_count)});
  draw(request.plot, to_plots(locus));
  show(locus, request.json);
  return Status::done;
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
  parser.add_option("--frequencies", request->frequencies, "how outputs answer inputs that swing, in Hz (N = 100)")
      .type_name("FROM:TO[:N]");
  parser.add_option("--plot", request->plot, "with --frequencies: amplitudes and phases (Bode)")
      .type_name("FILE.svg|FILE.png");
  parser.footer(
      "Examples:\n  taut linearize pendulum --at equilibrium --inputs g --outputs angle\n"
      "  taut linearize arm.yaml --inputs torque --outputs tip --frequencies 0.1:100 --plot bode.svg");
  return {parser, [request] { return linearize_model(*request); }};
}

Command add_modes(CommandLine& program) {
  Parser parser = program.add_command("modes", "how a mechanism swings about its start or a position of rest");
  const auto request = std::make_shared<Request>();
  add_question(parser, *request);
  add_at(parser, *request);
  parser
      .add_option("--over", request->over,
                  "eigenvalues as this parameter changes, and where they cross into growing (N = 50)")
      .type_name("NAME=FROM:TO[:N]");
  parser.add_option("--plot", request->plot, "with --over: the root locus").type_name("FILE.svg|FILE.png");
  parser.footer(
      "Examples:\n  taut modes pendulum --at equilibrium\n"
      "  taut modes bicycle --set nudge=0 --over v=0.5:10 --plot locus.svg");
  return {parser, [request] { return find_model_modes(*request); }};
}

}  // namespace taut::cli
