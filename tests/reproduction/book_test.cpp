#include "reproduction/book.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

namespace taut::test {
namespace {

using testing::HasSubstr;

/// A book of its own, in a file that goes away.
class WrittenBook {
 public:
  explicit WrittenBook(const std::string& text)
      : path_(std::filesystem::temp_directory_path() /
              ("taut_book_" + std::to_string(reinterpret_cast<std::uintptr_t>(this)) + ".book")) {
    std::ofstream(path_) << text;
  }
  ~WrittenBook() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

std::string refusal(const std::string& text) {
  const WrittenBook book(text);
  try {
    read_book(book.path());
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Book, HoldsEveryPaperAndGivesAReasonForWhatCannotBeReproduced) {
  const Book book = read_book(book_path());
  std::set<std::string> papers;
  for (const auto& paper : book.papers) {
    papers.insert(paper.name);
    EXPECT_FALSE(paper.title.empty()) << paper.name;
    for (const auto& example : paper.examples) {
      EXPECT_FALSE(example.about.empty()) << example.name;
      EXPECT_FALSE(example.claims.empty()) << example.name;
      for (const auto& claim : example.claims) {
        if (!claim.reproduced) EXPECT_FALSE(claim.why.empty()) << example.name << ": " << claim.what;
      }
    }
  }
  EXPECT_EQ(papers, (std::set<std::string>{"000", "001", "002", "003", "004"}));
}

TEST(Book, RefusesAClaimThatCannotFail) {
  EXPECT_THAT(
      refusal(
          "a: {title: b, examples: {c: {about: d, runs: {r: {until: 1}}, checks: [{what: e, value: steps(r)}]}}}\n"),
      HasSubstr("cannot fail"));
}

TEST(Book, RefusesAFigureWithoutARuleOrAReason) {
  const auto refusal_of = [](const std::string& check) {
    return refusal(
        "a: {title: b, examples: {c: {about: d, runs: {r: {until: 1}}, checks: [{what: e, value: steps(r), " + check +
        "}]}}}\n");
  };
  EXPECT_EQ(refusal_of("published: 33, rule: within 1.2"), "");
  EXPECT_EQ(refusal_of("read_off: 33, rule: same order"), "");
  EXPECT_EQ(refusal_of("claimed: cheap, at_most: 40"), "");
  EXPECT_EQ(refusal_of("at_most: 40, varies: [30, 35]"), "");
  EXPECT_THAT(refusal_of("published: 33, at_most: 40"), HasSubstr("has no rule for its verdict"));
  EXPECT_THAT(refusal_of("published: few, rule: equal"), HasSubstr("few"));
  EXPECT_THAT(refusal_of("claimed: cheap"), HasSubstr("cannot fail"));
  EXPECT_THAT(refusal_of("claimed: cheap, rule: equal, at_most: 3"), HasSubstr("no number to apply it to"));
  EXPECT_THAT(refusal_of("at_least: -1e30"), HasSubstr("at least what any figure is"));
  EXPECT_THAT(refusal_of("published: 33, rule: within 1e30"), HasSubstr("lets anything pass"));
  EXPECT_THAT(refusal_of("published: 33, rule: equal, reproduced: false"), HasSubstr("what or why"));
  EXPECT_THAT(refusal_of("published: 33, rule: equal, verdict: reproduced"), HasSubstr("verdict"));
}

TEST(Book, RefusesAPaperOrAnExampleThatComparesNothing) {
  EXPECT_THAT(refusal("p:\n  title: t\n  examples: {}\n"), HasSubstr("paper 'p' has no example"));
  EXPECT_THAT(refusal("p:\n  title: t\n  examples:\n    e: {runs: {a: {until: 1}}}\n"),
              HasSubstr("example 'e' compares nothing"));
}

TEST(Book, RefusesAWordItDoesNotKnowAtItsPlace) {
  const std::string message = refusal("a:\n  title: b\n  exampels: {}\n");
  EXPECT_THAT(message, HasSubstr(":3:"));
  EXPECT_THAT(message, HasSubstr("'examples'"));
}

TEST(Book, ReadsRunsWithOptionsAndAssignments) {
  const WrittenBook written(
      "a: {title: b, examples: {pendulum: {about: d, runs: {r: {step: 1e-2, slow: true, set: {l: 2}}}, checks: "
      "[{what: e, value: steps(r), at_most: 3}]}}}\n");
  const Book book = read_book(written.path());
  const RunSpec& run = book.papers[0].examples[0].runs[0];
  EXPECT_EQ(run.model, "pendulum");
  EXPECT_TRUE(run.slow);
  ASSERT_EQ(run.set.size(), 1u);
  EXPECT_EQ(run.set[0].name, "l");
  ASSERT_EQ(run.settings.size(), 1u);
  EXPECT_EQ(run.settings[0].name, "step");
}

/// A book with one figure, written in one line.
std::string refusal_of_figure(const std::string& figure) {
  return refusal("p:\n  title: a paper\n  examples:\n    e:\n      about: it\n      figures:\n        f: " + figure +
                 "\n");
}

TEST(Book, GivesEachPanelWhatItsFigureHas) {
  const WrittenBook written(
      "p: {title: a, examples: {e: {about: it, figures: {f: {panels: [{y: up, columns: [x]}, {y: down, columns: [y], "
      "runs: [b]}], kind: series, runs: [a], window: [1, 2], log: y}}}}}\n");
  const Figure figure = read_book(written.path()).papers[0].examples[0].figures[0];
  ASSERT_EQ(figure.panels.size(), 2u);
  EXPECT_EQ(figure.panels[0].runs, std::vector<std::string>{"a"});
  EXPECT_EQ(figure.panels[1].runs, std::vector<std::string>{"b"});
  EXPECT_EQ(figure.panels[1].y_label, "down");
  EXPECT_EQ((*figure.panels[1].window)[1], 2);
  EXPECT_TRUE(figure.panels[0].log_y);
}

TEST(Book, HasEveryFigureOfEveryPaper) {
  std::map<std::string, std::set<std::string>> figures;
  const Book book = read_book(book_path());
  for (const auto& paper : book.papers)
    for (const auto& example : paper.examples)
      for (const auto& figure : example.figures)
        if (!figure.of.empty()) figures[paper.name].insert(figure.of);
  const auto& numbered = figures["000"];
  for (int k = 1; k <= 10; ++k) EXPECT_TRUE(numbered.contains("Fig. " + std::to_string(k))) << k;
  EXPECT_EQ(figures["001"], (std::set<std::string>{"Fig. 1", "Fig. 2", "Fig. 3", "Fig. 4", "Fig. 5"}));
  EXPECT_EQ(figures["002"], (std::set<std::string>{"Fig. 1(a)", "Fig. 1(b)", "Fig. 2(a)", "Fig. 2(b)", "Fig. 2(c)",
                                                   "Fig. 2(d)", "Fig. 3(a)", "Fig. 3(b)", "Fig. 3(c)"}));
  EXPECT_EQ(figures["003"].size(), 4u);
  EXPECT_TRUE(figures["004"].empty()) << "it has tables only";
}

TEST(Book, RefusesAFigureThatCannotBeDrawnAtItsPlace) {
  EXPECT_EQ(refusal_of_figure("{kind: series, runs: [a], columns: [x]}"), "");
  EXPECT_EQ(refusal_of_figure("{kind: xy, runs: [a], columns: [x, y]}"), "");
  EXPECT_EQ(refusal_of_figure("{kind: study, runs: [a, b], values: [position(RUN)]}"), "");
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"{kind: xyz, runs: [a], columns: [x, y]}", "no kind 'xyz'"},
      {"{kind: xy, runs: [a], columns: [x, y, z]}", "in pairs, and there are 3"},
      {"{kind: phase, runs: [a]}", "in pairs, and there are 0"},
      {"{kind: series, columns: [x]}", "names no run"},
      {"{kind: series, runs: [a]}", "shows no column"},
      {"{kind: strobe, runs: [a], flashes: 0}", "no flashes"},
      {"{kind: study, runs: [a, b, c], values: [position(RUN), position(RUN)]}", "3 runs out among 2 values"},
      {"{kind: study, runs: [a], values: [position(a)]}", "whatever the run"},
      {"{kind: study, runs: [a], values: [position(RUN)], columns: [one, two]}", "2 names for 1 values"},
      {"{kind: study, runs: [a], values: [position(RUN)], against: time}", "against 'time'"},
      {"{kind: series, runs: [a], columns: [x], log: z}", "names no axes"},
      {"{kind: sketch}", "does not say why"},
      {"{of: Fig. 1, kind: series, runs: [a], columns: [x]}", "does not say what that shows"},
      {"{kind: series, runs: [a], columns: [x], window: [1]}", "two numbers"},
      {"{kind: series, runs: [a], columns: [x], every: 0}", "no time between"},
      {"{kind: series, runs: [a], columns: [x], divide: [1, 2]}", "more labels than its 1 runs"},
      {"{kind: series, runs: [a], panels: [{columns: [x]}, {y: no column}]}", "shows no column"},
      {"{kind: study, runs: [a], values: [position(RUN)], colours: [1, 2]}", "2 colours for 1 values"},
  };
  for (const auto& [figure, message] : wrong) {
    const std::string said = refusal_of_figure(figure);
    EXPECT_THAT(said, HasSubstr(message)) << figure;
    EXPECT_THAT(said, HasSubstr(".book:7:")) << figure;
  }
}

}  // namespace
}  // namespace taut::test
