#include "reproduction/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/characters.hpp"
#include "output/page.hpp"

namespace taut {
namespace {

std::string ours(const Finding& finding) { return finding.ours ? fmt::format("{:.3g}", *finding.ours) : "–"; }
std::string verdict(const Finding& finding) { return finding.left_out ? "left out (--quick)" : finding.verdict; }

/// What the paper has, and how it has it.
std::string published(const Finding& finding) {
  switch (finding.source) {
    case Source::printed:
      return finding.published;
    case Source::read_off:
      return finding.published + " (read off)";
    case Source::words:
      return "“" + finding.published + "”";
    case Source::figure:
      return "figure";
    case Source::none:
      break;
  }
  return "";
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width > characters(text) ? width - characters(text) : 0, ' ');
}

/// A text in a table of Markdown, where a bar would end the cell.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '|' ? "\\|" : std::string(1, c);
  return out;
}

template <class Action>
void each_example(const Book& book, const Reproduction& reproduction, Action&& action) {
  for (const auto& paper : book.papers)
    for (const auto& example : paper.examples) {
      std::vector<Finding> findings;
      std::vector<Picture> pictures;
      for (const auto& f : reproduction.findings)
        if (f.paper == paper.name && f.example == example.name) findings.push_back(f);
      for (const auto& p : reproduction.pictures)
        if (p.paper == paper.name && p.example == example.name) pictures.push_back(p);
      if (!findings.empty()) action(paper, example, findings, pictures);
    }
}

}  // namespace

std::string to_text(const Reproduction& reproduction, Colour colour) {
  std::vector<std::vector<std::string>> rows{{"paper", "example", "quantity", "published", "ours", "verdict", "rule"}};
  for (const auto& f : reproduction.findings)
    rows.push_back({f.paper, f.example, f.what, published(f), ours(f), verdict(f),
                    f.trouble.empty() ? f.rule : f.rule + ": " + f.trouble});
  std::vector<std::size_t> widths(rows[0].size());
  for (const auto& row : rows)
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], characters(row[k]));
  std::string out;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string line;
    for (std::size_t k = 0; k < rows[r].size(); ++k) line += padded(rows[r][k], widths[k] + 2);
    while (!line.empty() && line.back() == ' ') line.pop_back();
    const bool failed = r > 0 && !reproduction.findings[r - 1].holds && !reproduction.findings[r - 1].left_out;
    if (colour == Colour::on && (r == 0 || failed)) line = (failed ? "\033[31m" : "\033[1m") + line + "\033[0m";
    out += line + "\n";
  }
  const auto count = [&](auto&& condition) {
    return std::count_if(reproduction.findings.begin(), reproduction.findings.end(), condition);
  };
  out += fmt::format("\n{} rows: {} as the book states, {} failed, {} left out\n", reproduction.findings.size(),
                     count([](const Finding& f) { return f.holds; }),
                     count([](const Finding& f) { return !f.holds && !f.left_out; }),
                     count([](const Finding& f) { return f.left_out; }));
  return out;
}

std::string file_name(const Picture& picture) {
  std::string name = picture.paper + "-" + picture.example + "-" + picture.name + ".svg";
  std::erase(name, ',');
  std::replace(name.begin(), name.end(), ' ', '-');
  std::replace(name.begin(), name.end(), '/', '-');
  return name;
}

std::string to_markdown(const Book& book, const Reproduction& reproduction, const std::string& folder) {
  std::string out;
  std::string last;
  each_example(
      book, reproduction, [&](const Paper& paper, const Example& example, const auto& findings, const auto& pictures) {
        if (paper.name != last) out += fmt::format("## {}: {}\n\n", paper.name, paper.title);
        last = paper.name;
        out += fmt::format("### {}\n\n{}\n\n| quantity | published | ours | verdict | rule |\n|---|---|---|---|---|\n",
                           example.name, example.about);
        for (const Finding& f : findings)
          out += fmt::format("| {} | {} | {}{} | {} | {} |\n", cell(f.what), cell(published(f)), ours(f),
                             f.varies.empty() ? "" : " (" + f.varies + ")", verdict(f), cell(f.rule));
        out += "\n";
        for (const Finding& f : findings)
          if (!f.why.empty()) out += fmt::format("- *{}*: {}\n", f.what, f.why);
        out += "\n";
        for (const Picture& p : pictures)
          out += fmt::format("![{}]({}/{})\n\n{}", p.title, folder, file_name(p),
                             p.of.empty() ? "" : fmt::format("*{} of the paper*: {}\n\n", p.of, p.shows));
      });
  return out;
}

std::string to_html(const Book& book, const Reproduction& reproduction) {
  using Json = nlohmann::ordered_json;
  Json papers = Json::array();
  each_example(book, reproduction,
               [&](const Paper& paper, const Example& example, const auto& findings, const auto& pictures) {
                 if (papers.empty() || papers.back()["name"] != paper.name)
                   papers.push_back({{"name", paper.name}, {"title", paper.title}, {"examples", Json::array()}});
                 Json json{{"name", example.name}, {"about", example.about}};
                 json["findings"] = Json::array();
                 for (const Finding& f : findings)
                   json["findings"].push_back({{"what", f.what},
                                               {"published", published(f)},
                                               {"ours", ours(f)},
                                               {"verdict", verdict(f)},
                                               {"rule", f.rule},
                                               {"varies", f.varies},
                                               {"trouble", f.trouble},
                                               {"why", f.why},
                                               {"holds", f.holds},
                                               {"left_out", f.left_out}});
                 json["pictures"] = Json::array();
                 for (const Picture& p : pictures)
                   json["pictures"].push_back(
                       {{"name", file_name(p)}, {"title", p.title}, {"of", p.of}, {"shows", p.shows}, {"svg", p.svg}});
                 papers.back()["examples"].push_back(std::move(json));
               });
  const Json page{{"format", 1}, {"kind", "reproduce"}, {"version", TAUT_VERSION}, {"papers", std::move(papers)}};
  return filled_page(page.dump(-1, ' ', false, Json::error_handler_t::replace), "");
}

}  // namespace taut
