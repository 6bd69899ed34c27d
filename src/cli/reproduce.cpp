#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/signals.hpp"
#include "cli/terminal.hpp"
#include "output/draft.hpp"
#include "output/page.hpp"
#include "reproduction/report.hpp"
#include "taut/error.hpp"

namespace taut::cli {
namespace {

struct Request {
  std::vector<std::string> papers;
  std::string report, docs, figures;
  bool quick = false;
};

void write_figures(const std::filesystem::path& folder, const Reproduction& reproduction) {
  std::filesystem::create_directories(folder);
  for (const auto& picture : reproduction.pictures) write_whole(folder / file_name(picture), picture.svg);
}

/// The page of the documentation: what a person wrote above the mark stays, what follows is made anew.
void write_docs(const std::filesystem::path& page, const Book& book, const Reproduction& reproduction) {
  const std::string mark = "<!-- what follows is written by `taut reproduce --docs` -->\n";
  std::string head;
  if (std::ifstream before(page); before) {
    const std::string text((std::istreambuf_iterator<char>(before)), std::istreambuf_iterator<char>());
    head = text.substr(0, text.find(mark));
  }
  const std::filesystem::path folder = "pictures/reproduction";
  write_figures(page.parent_path() / folder, reproduction);
  write_whole(page, head + mark + "\n" + to_markdown(book, reproduction, folder.string()));
}

Status reproduce_papers(const Request& request) {
  if (!request.report.empty()) {
    require_page(request.report);
    require_writable(request.report, ".html");
  }
  if (!request.docs.empty()) require_writable(request.docs, ".md");
  const Book book = read_book(book_path());
  ReproductionOptions options;
  options.papers = request.papers;
  options.quick = request.quick;
  watch_interrupts();
  options.progress = [](const std::string& what) {
    if (errors_go_to_terminal()) std::fputs(fmt::format("\r\033[K{}", what).c_str(), stderr);
    return !interrupted();
  };
  const Reproduction result = reproduce(book, options);
  if (errors_go_to_terminal()) std::fputs("\r\033[K", stderr);
  print(to_text(result, output_colour()));
  if (!request.report.empty()) write_whole(request.report, to_html(book, result));
  if (!request.figures.empty()) write_figures(request.figures, result);
  if (!request.docs.empty()) write_docs(request.docs, book, result);
  if (interrupted()) complain("interrupted: the table holds what was done until then");
  return result.all_hold() && !interrupted() ? Status::done : Status::could_not_go_on;
}

}  // namespace

Command add_reproduce(CommandLine& program) {
  auto request = std::make_shared<Request>();
  Parser parser =
      program.add_command("reproduce", "every example of the papers: published figure, our figure, verdict");
  parser.add_option("PAPER", request->papers, "papers by number, such as 000 001; all if none is given");
  parser.add_flag("--quick", request->quick, "leave out what takes long");
  parser.add_option("--report", request->report, "write one self-contained page with all pictures")
      .type_name("FILE.html");
  parser.add_option("--figures", request->figures, "write every figure as SVG into this folder").type_name("DIR");
  parser.add_option("--docs", request->docs, "write the page of the documentation, pictures beside it")
      .type_name("FILE.md");
  parser.footer("Exit status: 0 every figure is as the book states; 1 one that should reproduce does not.");
  return {parser, [request] { return reproduce_papers(*request); }};
}

}  // namespace taut::cli
