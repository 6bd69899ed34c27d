#include "output/report.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "output/kept_model.hpp"
#include "taut/error.hpp"

namespace taut::cli {
namespace {

struct Request {
  std::string run, out;
};

Status write_report(const Request& request) {
  const Hdf5Run run(request.run);
  const std::string out =
      request.out.empty() ? std::filesystem::path(request.run).replace_extension(".html").string() : request.out;
  require_distinct({out}, {request.run});
  ReportWriter report(out);
  std::optional<Model> model;
  try {
    model = kept_model(run.description());
    report.describe(run.description(), *model);
  } catch (const InputError& error) {
    complain(fmt::format("the page has no animation: {}", error.what()));
    report.describe(run.description(), std::string(error.what()));
  }
  run.replay(report);
  report.finish(run.summary());
  if (!report.failure().empty()) {
    complain(report.failure());
    return Status::could_not_go_on;
  }
  print(fmt::format("{}\n", out));
  return Status::done;
}

}  // namespace

Command add_report(CommandLine& program) {
  auto request = std::make_shared<Request>();
  Parser parser = program.add_command("report", "a self-contained web page of a finished run");
  parser.add_option("RUN", request->run, "a run that was kept with taut run --output FILE.h5")
      .required()
      .type_name("FILE.h5");
  parser.add_option("--out", request->out, "where the page goes; by default beside the run, as .html")
      .type_name("FILE.html");
  parser.footer("Example:\n  taut run slider-crank --output crank.h5\n  taut report crank.h5");
  return {parser, [request] { return write_report(*request); }};
}

}  // namespace taut::cli
