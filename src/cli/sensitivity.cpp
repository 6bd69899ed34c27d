#include <memory>

#include "cli/question.hpp"
#include "output/answers/answers.hpp"
#include "taut/compare.hpp"
#include "taut/error.hpp"

namespace taut::cli {
namespace {

struct Request {
  std::string model, of, to, by = "forward";
  OptionValues settings;
  std::vector<std::string> set;
  bool json = false;
};

SensitivityBy way_of(const std::string& name) {
  if (name == "forward") return SensitivityBy::forward;
  if (name == "adjoint") return SensitivityBy::adjoint;
  if (name == "both") return SensitivityBy::both;
  throw InputError("--by takes 'forward', 'adjoint' or 'both', not '" + name + "'", "write --by adjoint");
}

Status differentiate(const Request& request) {
  const auto set = assignments(request.set);
  const Model model = load_model(request.model, set);
  SensitivityOptions options{taut::options_of(model), names_between_commas(request.of),
                             names_between_commas(request.to)};
  options.by = way_of(request.by);
  apply_options(request.settings, options.run, "--");
  options.run.set.insert(options.run.set.end(), set.begin(), set.end());
  const Sensitivity answer = find_sensitivity(model, options);
  show(answer, request.json);
  if (answer.reason.empty()) return Status::done;
  complain(answer.model + ": " + answer.reason);
  return Status::could_not_go_on;
}

}  // namespace

Command add_sensitivity(CommandLine& program) {
  Parser parser =
      program.add_command("sensitivity", "how what a run ends with changes with parameters and initial values");
  const auto request = std::make_shared<Request>();
  add_model(parser, request->model);
  parser
      .add_option(
          "--of", request->of,
          "outputs, coordinates, rates as x', accelerations as x'', lambda(NAME); integral(NAME), max(NAME), min(NAME)")
      .type_name("NAME,NAME,...")
      .required();
  parser.add_option("--to", request->to, "parameters, and initial values as x(0) or x'(0)")
      .type_name("NAME,NAME,...")
      .required();
  parser
      .add_option(
          "--by", request->by,
          "forward along the motion, or adjoint, backwards through it, for many parameters and few results (forward)")
      .type_name("forward|adjoint|both");
  for (const char* name : {"until", "rtol", "atol", "assemble"})
    add_setting(parser, find_option(name), request->settings);
  add_set(parser, request->set);
  parser.add_flag("--json", request->json, "the answer as one JSON object on standard output, nothing else there");
  parser.footer(
      "Example:\n  taut sensitivity pendulum --of x,angle --to g,l --until 2\n\n"
      "Exit status: 0 done; 1 the motion could not be followed, or the derivatives cannot be trusted; 2 the input is\n"
      "wrong.");
  return {parser, [request] { return differentiate(*request); }};
}

}  // namespace taut::cli
