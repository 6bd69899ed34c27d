#include <memory>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "model/assignments.hpp"
#include "output/json.hpp"
#include "output/text.hpp"
#include "taut/simulation.hpp"

namespace taut::cli {
namespace {

struct Request {
  std::string model;
  std::string start;
  std::vector<std::string> set;
  bool json = false;
};

Status check(const Request& request) {
  auto set = assignments(request.set);
  const Model model = load_model(request.model, set);
  const auto start = start_values(model, request.start);
  set.insert(set.begin(), start.begin(), start.end());
  const Check result = taut::check(model, set);
  if (request.json)
    print(to_json(result) + "\n");
  else
    tell(to_text(result, output_colour()));
  return Status::done;
}

}  // namespace

Command add_check(CommandLine& program) {
  Parser parser = program.add_command("check", "read and analyse a model without simulating it");
  const auto request = std::make_shared<Request>();
  add_model(parser, request->model);
  add_set(parser, request->set);
  parser.add_option("--start", request->start, find_option("start").meaning).type_name("NAME");
  parser.add_flag("--json", request->json, "the result as one JSON object");
  parser.footer("Example:\n  taut check pendulum --set l=2");
  return {parser, [request] { return check(*request); }};
}

}  // namespace taut::cli
