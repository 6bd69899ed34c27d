#include <memory>

#include "cli/question.hpp"
#include "output/answers/answers.hpp"
#include "taut/compare.hpp"

namespace taut::cli {
namespace {

struct Request {
  std::string model;
  OptionValues settings;
  std::vector<std::string> set;
  bool json = false;
};

Status find_digits(const Request& request) {
  const auto set = assignments(request.set);
  const Model model = load_model(request.model, set);
  CertifyOptions options{taut::options_of(model)};
  options.run.rtol = options.rtol;
  apply_options(request.settings, options.run, "--");
  options.rtol = options.run.rtol;
  options.run.set.insert(options.run.set.end(), set.begin(), set.end());
  return conclude(certify(model, options), request.json);
}

}  // namespace

Command add_certify(CommandLine& program) {
  Parser parser = program.add_command(
      "certify",
      "how many digits of a result integrators, kernels, coordinates and methods of different kinds agree upon");
  const auto request = std::make_shared<Request>();
  add_model(parser, request->model);
  for (const char* name : {"until", "rtol", "assemble"}) add_setting(parser, find_option(name), request->settings);
  add_set(parser, request->set);
  parser.add_flag("--json", request->json, "the answer as one JSON object on standard output, nothing else there");
  parser.footer(
      "Example:\n  taut certify pendulum --until 10\n\n"
      "Exit status: 0 done; 1 fewer than two runs could be made; 2 the input is wrong.");
  return {parser, [request] { return find_digits(*request); }};
}

}  // namespace taut::cli
