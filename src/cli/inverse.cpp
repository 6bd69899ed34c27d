#include <charconv>
#include <memory>

#include "cli/question.hpp"
#include "output/answers/answers.hpp"
#include "output/draft.hpp"
#include "taut/compare.hpp"
#include "taut/error.hpp"

namespace taut::cli {
namespace {

struct Request {
  std::string model, actuators, weights, output;
  std::vector<std::string> follow, set;
  OptionValues settings;
  bool json = false, kinematic = false;
};

Followed followed(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw InputError("--follow takes NAME=FORMULA, not '" + text + "'", "write for example --follow 'angle=sin(2*t)'");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

std::vector<double> weights(const std::string& text) {
  std::vector<double> list;
  for (const std::string& one : names_between_commas(text)) {
    double value = 0;
    const auto [end, error] = std::from_chars(one.data(), one.data() + one.size(), value);
    if (error != std::errc() || end != one.data() + one.size() || !(value > 0))
      throw InputError("--weights: '" + one + "' is no number above 0", "write --weights 1,2");
    list.push_back(value);
  }
  return list;
}

Status solve(const Request& request) {
  if (!request.output.empty()) require_writable(request.output, ".csv");
  const auto set = assignments(request.set);
  const Model model = load_model(request.model, set);
  InverseOptions options{taut::options_of(model),
                         {},
                         names_between_commas(request.actuators),
                         weights(request.weights),
                         request.kinematic};
  apply_options(request.settings, options.run, "--");
  options.run.set.insert(options.run.set.end(), set.begin(), set.end());
  for (const std::string& one : request.follow) options.follow.push_back(followed(one));
  const Inverse answer = inverse_dynamics(model, options);
  if (!request.output.empty()) write_whole(request.output, to_csv(answer));
  show(answer, request.json);
  if (answer.reason.empty()) return Status::done;
  complain(answer.model + ": " + answer.reason);
  return Status::could_not_go_on;
}

}  // namespace

Command add_inverse(CommandLine& program) {
  Parser parser = program.add_command("inverse", "forces of actuators that make a mechanism move as asked");
  const auto request = std::make_shared<Request>();
  add_model(parser, request->model);
  parser
      .add_option("--follow", request->follow,
                  "an output, coordinate or rate and the formula of time that it follows; may be repeated")
      .type_name("NAME=FORMULA")
      .one_at_a_time()
      .required();
  parser.add_option("--actuators", request->actuators, "inputs or other parameters that forces are linear in")
      .type_name("NAME,NAME,...");
  parser.add_flag("--kinematic", request->kinematic,
                  "positions, rates and accelerations alone, and how near they come to singular positions");
  parser.add_option("--weights", request->weights, "of the squares of redundant actuators (1)").type_name("W,W,...");
  parser
      .add_option("--output", request->output, "write t, forces and multipliers, or positions and rates, to this file")
      .type_name("FILE.csv");
  for (const char* name : {"until", "every", "rtol"}) add_setting(parser, find_option(name), request->settings);
  add_set(parser, request->set);
  parser.add_flag("--json", request->json, "the answer as one JSON object on standard output, nothing else there");
  parser.footer(
      "Example:\n  taut inverse arm.yaml --follow 'shoulder=sin(t)' --actuators torque --until 2\n\n"
      "Exit status: 0 done; 1 the actuators cannot make the motion, or it cannot be followed; 2 the input is wrong.");
  return {parser, [request] { return solve(*request); }};
}

}  // namespace taut::cli
