#include <memory>

#include "cli/question.hpp"
#include "output/answers/answers.hpp"
#include "output/comparison.hpp"
#include "taut/compare.hpp"
#include "taut/error.hpp"

namespace taut::cli {
namespace {

struct Request {
  std::string model, of, over, data;
  OptionValues settings;
  std::vector<std::string> set;
  int starts = 1, seed = 1, steps = 200;
  double confidence = 0.95;
  bool most = false, json = false;
};

Options run_options(const Model& model, const Request& request) {
  Options run = taut::options_of(model);
  apply_options(request.settings, run, "--");
  const auto set = assignments(request.set);
  run.set.insert(run.set.end(), set.begin(), set.end());
  return run;
}

Status find_best(const Request& request) {
  const Model model = load_model(request.model, assignments(request.set));
  return conclude(
      optimize(model, {run_options(model, request), request.of, request.most, variables(request.over, "--over"),
                       request.starts, static_cast<unsigned>(request.seed), request.steps}),
      request.json);
}

Status follow_data(const Request& request) {
  const Model model = load_model(request.model, assignments(request.set));
  const Trajectory table = read_table(request.data);
  FitOptions options{run_options(model, request),
                     names_between_commas(request.of),
                     table.column("t"),
                     {},
                     variables(request.over, "--over"),
                     request.confidence};
  if (options.columns.empty())
    for (const std::string& name : table.columns)
      if (name != "t") options.columns.push_back(name);
  for (std::size_t k = 0; k < options.times.size(); ++k) {
    options.data.emplace_back();
    for (const std::string& name : options.columns) options.data.back().push_back(table.column(name)[k]);
  }
  return conclude(fit(model, options), request.json);
}

void add_common(Parser& parser, Request& request) {
  add_model(parser, request.model);
  parser.add_option("--over", request.over, "parameters, and initial values as x(0), that may change, with bounds")
      .type_name("P,Q=LEAST:MOST,...")
      .required();
  for (const char* name : {"until", "rtol", "atol", "assemble"})
    add_setting(parser, find_option(name), request.settings);
  add_set(parser, request.set);
  parser.add_flag("--json", request.json, "the answer as one JSON object on standard output, nothing else there");
}

}  // namespace

Command add_optimize(CommandLine& program) {
  Parser parser = program.add_command("optimize", "parameters that make what a run ends with least or largest");
  const auto request = std::make_shared<Request>();
  add_common(parser, *request);
  parser.add_option("--of", request->of, "an output, a coordinate or a rate").type_name("NAME").required();
  parser.add_flag("--most", request->most, "make it largest instead of least");
  parser.add_option("--starts", request->starts, "searches; all but the first begin at random (1)").within(1, 100000);
  parser.add_option("--seed", request->seed, "of the random starts (1)").within(0, 2'000'000'000);
  parser.add_option("--steps", request->steps, "the most steps of a search (200)").within(1, 100000);
  parser.footer("Example:\n  taut optimize pendulum --of x --over \"g=5:15\" --until 1");
  return {parser, [request] { return find_best(*request); }};
}

Command add_fit(CommandLine& program) {
  Parser parser = program.add_command("fit", "parameters that make a run follow measurements, and how sure they are");
  const auto request = std::make_shared<Request>();
  add_common(parser, *request);
  parser.add_option("--data", request->data, "measurements: a column t, others by the names of what was measured")
      .type_name("FILE.csv")
      .required();
  parser.add_option("--of", request->of, "the columns to follow; by default all").type_name("NAME,NAME,...");
  parser.add_option("--confidence", request->confidence, "of the intervals (0.95)").within(0.5, 0.9999);
  parser.footer("Example:\n  taut fit pendulum --data measured.csv --over g,l=0.5:2");
  return {parser, [request] { return follow_data(*request); }};
}

}  // namespace taut::cli
