#include "reproduction/book.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>

#include "base/nearest.hpp"
#include "model/file_text.hpp"
#include "model/scope.hpp"
#include "model/sections.hpp"
#include "taut/choice.hpp"

namespace taut {
namespace {

using yaml::Node;

/// Reads one book; knows the file for the places of errors.
class BookReader {
 public:
  explicit BookReader(std::string file) : file_(std::move(file)) {}

  Book read() {
    const Node root = yaml::read(file_text(file_), file_);
    Book book{file_, {}};
    each(root, "the book",
         [&](const std::string& name, const Node& node) { book.papers.push_back(paper(name, node)); });
    return book;
  }

 private:
  using Entry = std::function<void(const std::string& key, const Node& value)>;

  Place place(const Node& node) const { return place_at(file_, node.position); }
  const std::string& text(const Node& node, const std::string& what) const {
    return expect_scalar(node, what, file_).text;
  }

  void each(const Node& node, const std::string& what, const Entry& entry) const {
    expect_mapping(node, what, file_);
    for (std::size_t k = 0; k < node.keys.size(); ++k) entry(node.keys[k].text.text, node.items[k]);
  }

  [[noreturn]] void refuse(const Node& node, const std::string& key, const std::vector<std::string>& known) const {
    const std::string near = nearest(key, known);
    throw InputError(
        place(node), fmt::format("'{}' means nothing here", key),
        near.empty() ? fmt::format("there are {}", fmt::join(known, ", ")) : "did you mean '" + near + "'?");
  }

  double number(const Node& node, const std::string& what) const {
    double value = 0;
    try {
      read_option(text(node, what), value);
    } catch (const InputError& error) {
      throw InputError(place(node), what + ": " + error.message(), error.remedy());
    }
    return value;
  }

  Paper paper(const std::string& name, const Node& node) const {
    Paper paper{name, "", {}};
    each(node, "paper " + name, [&](const std::string& key, const Node& value) {
      if (key == "title") {
        paper.title = text(value, key);
      } else if (key == "examples") {
        each(value, key, [&](const std::string& id, const Node& body) { paper.examples.push_back(example(id, body)); });
      } else {
        refuse(value, key, {"title", "examples"});
      }
    });
    if (paper.examples.empty())
      throw InputError(place(node), "paper '" + name + "' has no example", "give examples:, or leave the paper out");
    return paper;
  }

  Example example(const std::string& name, const Node& node) const {
    Example example{name, "", {}, {}, {}};
    std::string model = name;
    if (const Node* given = node.find("model")) model = text(*given, "model");
    each(node, "example " + name, [&](const std::string& key, const Node& value) {
      if (key == "about") {
        example.about = text(value, key);
      } else if (key == "runs") {
        each(value, key,
             [&](const std::string& id, const Node& body) { example.runs.push_back(run(id, model, body)); });
      } else if (key == "checks") {
        for (const Node& item : expect_list(value, key, file_).items) example.claims.push_back(claim(item));
      } else if (key == "figures") {
        each(value, key, [&](const std::string& id, const Node& body) { example.figures.push_back(figure(id, body)); });
      } else if (key != "model") {
        refuse(value, key, {"about", "model", "runs", "checks", "figures"});
      }
    });
    if (example.claims.empty() && example.figures.empty())
      throw InputError(place(node), "example '" + name + "' compares nothing", "give checks: or figures:");
    return example;
  }

  RunSpec run(const std::string& name, const std::string& model, const Node& node) const {
    RunSpec run{name, model, {}, {}, false, false};
    each(node, "run " + name, [&](const std::string& key, const Node& value) {
      if (key == "model") {
        run.model = text(value, key);
      } else if (key == "slow") {
        read_option(text(value, key), run.slow);
      } else if (key == "may_fail") {
        read_option(text(value, key), run.may_fail);
      } else if (key == "set") {
        each(value, key, [&](const std::string& id, const Node& given) { run.set.push_back({id, text(given, id)}); });
      } else {
        run.settings.push_back({key, text(value, key), place(value)});
      }
    });
    return run;
  }

  Claim claim(const Node& node) const {
    Claim claim;
    claim.place = place(node);
    each(node, "a check", [&](const std::string& key, const Node& value) {
      if (key == "what")
        claim.what = text(value, key);
      else if (key == "value")
        claim.value = expect_scalar(value, key, file_);
      else if (key == "ascending")
        for (const Node& item : expect_list(value, key, file_).items)
          claim.ascending.push_back(expect_scalar(item, key, file_));
      else if (const auto source = source_of(key); source != Source::none)
        read_published(value, key, source, claim);
      else if (key == "rule")
        claim.rule = read_rule(text(value, key), place(value));
      else if (key == "at_most")
        claim.at_most = number(value, key);
      else if (key == "at_least")
        claim.at_least = number(value, key);
      else if (key == "varies")
        claim.varies = range(value, key);
      else if (key == "reproduced")
        read_option(text(value, key), claim.reproduced);
      else if (key == "why")
        claim.why = text(value, key);
      else
        refuse(value, key,
               {"what", "value", "ascending", "published", "read_off", "claimed", "rule", "at_most", "at_least",
                "varies", "reproduced", "why"});
    });
    check(claim);
    return claim;
  }

  static Source source_of(const std::string& key) {
    if (key == "published") return Source::printed;
    if (key == "read_off") return Source::read_off;
    return key == "claimed" ? Source::words : Source::none;
  }

  void read_published(const Node& node, const std::string& key, Source source, Claim& claim) const {
    claim.source = source;
    claim.published = text(node, key);
    if (source != Source::words) number(node, key);  // refuses what is none
  }

  std::array<double, 2> range(const Node& node, const std::string& key) const {
    const auto list = numbers(node, key);
    if (list.size() != 2 || (key != "view" && !(list[0] <= list[1])))
      throw InputError(place(node), key + " takes two numbers", "write [least, most]");
    return {list[0], list[1]};
  }

  /// A check must be able to fail, and a verdict needs its rule.
  static void check(const Claim& claim) {
    const auto require = [&](bool good, const std::string& message, const std::string& remedy) {
      if (!good) throw InputError(claim.place, message, remedy);
    };
    const bool is_number = claim.source == Source::printed || claim.source == Source::read_off;
    const bool bounded = claim.at_most || claim.at_least || !claim.ascending.empty();
    require(!claim.what.empty() && claim.value.text.empty() != claim.ascending.empty(),
            "a check says what it looks at and how its value is found", "give what:, and value: or ascending:");
    require(claim.ascending.size() != 1, "check '" + claim.what + "' compares one value with nothing",
            "give two or more in ascending:");
    require(!is_number || claim.rule, "check '" + claim.what + "' has no rule for its verdict",
            "give rule: equal, within FACTOR, same order, at most or at least");
    require(is_number || !claim.rule, "check '" + claim.what + "' has a rule, and no number to apply it to",
            "give published: or read_off: a number, or bounds in place of the rule");
    require(!claim.at_least || claim.at_most || *claim.at_least > 0,
            "check '" + claim.what + "' is at least what any figure is", "give at_least: a number above zero");
    require(is_number || bounded, "check '" + claim.what + "' cannot fail", "give at_most: or at_least:");
    require(claim.reproduced || (claim.source != Source::none && !claim.why.empty()),
            "check '" + claim.what + "' is not reproduced, and does not say what or why", "give published: and why:");
  }

  Figure figure(const std::string& name, const Node& node) const {
    Figure figure;
    figure.name = name;
    read_figure(node, figure);
    if (const Node* panels = node.find("panels"))
      for (const Node& item : expect_list(*panels, "panels", file_).items) {
        Figure panel = figure;
        panel.panels.clear();
        read_figure(item, panel);
        check_figure(panel);
        figure.panels.push_back(std::move(panel));
      }
    if (figure.panels.empty()) check_figure(figure);
    return figure;
  }

  /// What is not written stays as it is.
  void read_figure(const Node& node, Figure& figure) const {
    figure.place = place(node);
    const auto words = [&](std::string& to) { return Entry([&](auto& key, auto& value) { to = text(value, key); }); };
    const auto lists = [&](auto& to) { return Entry([&](auto& key, auto& value) { to = texts(value, key); }); };
    const std::map<std::string, Entry> known = {
        {"of", words(figure.of)},
        {"shows", words(figure.shows)},
        {"why", words(figure.why)},
        {"title", words(figure.title)},
        {"kind", words(figure.kind)},
        {"x", words(figure.x_label)},
        {"y", words(figure.y_label)},
        {"against", words(figure.against)},
        {"reference", words(figure.reference)},
        {"runs", lists(figure.runs)},
        {"labels", lists(figure.labels)},
        {"columns", lists(figure.columns)},
        {"styles", lists(figure.styles)},
        {"log", [&](auto&, auto& value) { read_log(value, figure); }},
        {"flashes", [&](auto& key, auto& value) { figure.flashes = static_cast<int>(number(value, key)); }},
        {"every", [&](auto& key, auto& value) { figure.every = number(value, key); }},
        {"limit", [&](auto& key, auto& value) { figure.limit = number(value, key); }},
        {"fade", [&](auto& key, auto& value) { read_option(text(value, key), figure.fade); }},
        {"window", [&](auto& key, auto& value) { figure.window = range(value, key); }},
        {"view",
         [&](auto& key, auto& value) {
           const auto [azimuth, elevation] = range(value, key);
           figure.view = {azimuth, elevation};
         }},
        {"divide", [&](auto& key, auto& value) { figure.divide = numbers(value, key); }},
        {"colours",
         [&](auto& key, auto& value) {
           const auto given = numbers(value, key);
           figure.colours.assign(given.begin(), given.end());
         }},
        {"values",
         [&](auto& key, auto& value) {
           figure.values.clear();
           for (const Node& item : expect_list(value, key, file_).items)
             figure.values.push_back(expect_scalar(item, key, file_));
         }},
        {"panels", [](auto&, auto&) {}},
    };
    each(node, "figure " + figure.name, [&](const std::string& key, const Node& value) {
      const auto entry = known.find(key);
      if (entry == known.end()) refuse(value, key, keys_of(known));
      entry->second(key, value);
    });
  }

  static std::vector<std::string> keys_of(const std::map<std::string, Entry>& known) {
    std::vector<std::string> keys;
    for (const auto& [key, entry] : known) keys.push_back(key);
    return keys;
  }

  std::vector<double> numbers(const Node& node, const std::string& key) const {
    std::vector<double> list;
    for (const Node& item : expect_list(node, key, file_).items) list.push_back(number(item, key));
    return list;
  }

  void read_log(const Node& node, Figure& figure) const {
    const std::string& axes = text(node, "log");
    if (axes.empty() || axes.find_first_not_of("xy") != std::string::npos)
      throw InputError(place(node), fmt::format("log: '{}' names no axes", axes), "write x, y or xy");
    figure.log_x = axes.find('x') != std::string::npos;
    figure.log_y = axes.find('y') != std::string::npos;
  }

  std::vector<std::string> texts(const Node& node, const std::string& what) const {
    std::vector<std::string> list;
    for (const Node& item : expect_list(node, what, file_).items) list.push_back(text(item, what));
    return list;
  }

  std::string file_;
};

}  // namespace

void check_figure(const Figure& figure) {
  const auto require = [&](bool good, const std::string& message, const std::string& remedy) {
    if (!good) throw InputError(figure.place, fmt::format("figure '{}' {}", figure.name, message), remedy);
  };
  const std::vector<std::string> kinds{"series", "change", "xy", "phase", "strobe", "study", "sketch"};
  const auto is = [&](const char* kind) { return figure.kind == kind; };
  require(std::find(kinds.begin(), kinds.end(), figure.kind) != kinds.end(),
          fmt::format("is of no kind '{}'", figure.kind), fmt::format("there are {}", fmt::join(kinds, ", ")));
  require(figure.of.empty() || !figure.shows.empty(), "is one of the paper's, and does not say what that shows",
          "give shows: a sentence");
  if (is("sketch")) return require(!figure.why.empty(), "is not drawn, and does not say why", "give why:");
  require(!figure.runs.empty(), "names no run", "give runs:");
  const std::size_t runs = figure.runs.size(), columns = figure.columns.size(), values = figure.values.size();
  require(figure.labels.size() <= runs && figure.divide.size() <= runs,
          fmt::format("has more labels than its {} runs", runs), "give one to a run");
  require(!figure.every || *figure.every > 0, "has no time between marks or flashes",
          "give every: a number above zero");
  if (is("series") || is("change")) require(columns > 0, "shows no column", "give columns:");
  if (is("xy") || is("phase"))
    require(columns > 0 && columns % 2 == 0, fmt::format("takes columns in pairs, and there are {}", columns),
            "give columns: [x, y, …]");
  if (is("strobe")) require(figure.flashes > 0, "has no flashes", "give flashes: 12, or leave it out");
  if (!is("study")) return;
  require(values > 0 && runs % values == 0, fmt::format("cannot share {} runs out among {} values", runs, values),
          "give as many runs to every value");
  require(columns == 0 || columns == values, fmt::format("has {} names for {} values", columns, values),
          "name every value in columns:, or none");
  require(figure.colours.empty() || figure.colours.size() == values,
          fmt::format("has {} colours for {} values", figure.colours.size(), values), "give one to a value, or none");
  for (const auto& value : figure.values)
    require(value.text.find("RUN") != std::string::npos, fmt::format("measures '{}', whatever the run", value.text),
            "write RUN where the name of the run belongs");
  require(figure.against == "step" || figure.against == "evaluations",
          fmt::format("cannot be drawn against '{}'", figure.against), "write step or evaluations");
}

Book read_book(const std::string& file) { return BookReader(file).read(); }

std::string book_path() {
  for (const auto& directory : gallery_folders()) {
    const auto path = std::filesystem::path(directory) / "papers" / "reproduction.book";
    if (std::filesystem::is_regular_file(path)) return path.string();
  }
  throw InputError("the papers' examples are not installed with this program",
                   "set TAUT_MODELS to the folder of the models");
}

}  // namespace taut
