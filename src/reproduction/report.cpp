#include "reproduction/report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace taut {
namespace {

std::string ours(const Finding& finding) { return finding.left_out ? "–" : fmt::format("{:.3g}", finding.ours); }
std::string verdict(const Finding& finding) { return finding.left_out ? "left out (--quick)" : finding.verdict; }

/// Length in characters, not bytes.
std::size_t length(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width > length(text) ? width - length(text) : 0, ' ');
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else
      out += c;
  }
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
  std::vector<std::vector<std::string>> rows{{"paper", "example", "quantity", "published", "ours", "verdict"}};
  for (const auto& f : reproduction.findings)
    rows.push_back({f.paper, f.example, f.what, f.published, ours(f), verdict(f)});
  std::vector<std::size_t> widths(rows[0].size());
  for (const auto& row : rows)
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], length(row[k]));
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
  out += fmt::format("\n{} figures: {} as the book states, {} failed, {} left out\n", reproduction.findings.size(),
                     count([](const Finding& f) { return f.holds; }),
                     count([](const Finding& f) { return !f.holds && !f.left_out; }),
                     count([](const Finding& f) { return f.left_out; }));
  return out;
}

std::string file_name(const Picture& picture) {
  std::string name = picture.paper + "-" + picture.example + "-" + picture.name + ".svg";
  std::replace(name.begin(), name.end(), ' ', '-');
  std::replace(name.begin(), name.end(), '/', '-');
  return name;
}

std::string to_markdown(const Book& book, const Reproduction& reproduction, const std::string& folder) {
  std::string out;
  std::string last;
  each_example(book, reproduction,
               [&](const Paper& paper, const Example& example, const auto& findings, const auto& pictures) {
                 if (paper.name != last) out += fmt::format("## {}: {}\n\n", paper.name, paper.title);
                 last = paper.name;
                 out += fmt::format("### {}\n\n{}\n\n| quantity | published | ours | verdict |\n|---|---|---|---|\n",
                                    example.name, example.about);
                 for (const Finding& f : findings)
                   out += fmt::format("| {} | {} | {} | {} |\n", f.what, f.published, ours(f), verdict(f));
                 out += "\n";
                 for (const Finding& f : findings)
                   if (!f.why.empty()) out += fmt::format("- *{}*: {}\n", f.what, f.why);
                 out += "\n";
                 for (const Picture& p : pictures)
                   out += fmt::format("![{}]({}/{})\n\n", p.title, folder, file_name(p));
               });
  return out;
}

std::string to_html(const Book& book, const Reproduction& reproduction) {
  std::string out =
      "<!doctype html><html lang='en'><meta charset='utf-8'><meta name='viewport' content='width=device-width'>"
      "<title>The papers' examples, reproduced</title><style>"
      "body{font:16px/1.5 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}"
      "table{border-collapse:collapse;width:100%;margin:1rem 0}td,th{border-bottom:1px solid #ddd;padding:.3rem .5rem;"
      "text-align:left}td:nth-child(2),td:nth-child(3){white-space:nowrap}tr.failed "
      "td{background:#fde8e4}svg{max-width:100%;height:auto}"
      "@media (prefers-color-scheme: dark){body{color:#ddd;background:#1b1b1b}td,th{border-color:#444}"
      "tr.failed td{background:#5a2a22}}</style><h1>The papers' examples, reproduced</h1>";
  out += fmt::format(
      "<p>{} figures; {}.</p>", reproduction.findings.size(),
      reproduction.all_hold() ? "all are as the book states" : "some are not as the book states, marked below");
  std::string last;
  each_example(
      book, reproduction, [&](const Paper& paper, const Example& example, const auto& findings, const auto& pictures) {
        if (paper.name != last) out += fmt::format("<h2>{}: {}</h2>", escaped(paper.name), escaped(paper.title));
        last = paper.name;
        out += fmt::format("<h3>{}</h3><p>{}</p><table><tr><th>quantity<th>published<th>ours<th>verdict</tr>",
                           escaped(example.name), escaped(example.about));
        for (const Finding& f : findings)
          out += fmt::format("<tr{}><td>{}<td>{}<td>{}<td>{}{}</tr>", f.holds || f.left_out ? "" : " class='failed'",
                             escaped(f.what), escaped(f.published), ours(f), escaped(verdict(f)),
                             f.why.empty() ? "" : "<br><small>" + escaped(f.why) + "</small>");
        out += "</table>";
        for (const Picture& p : pictures) out += p.svg;
      });
  return out + "</html>\n";
}

}  // namespace taut
