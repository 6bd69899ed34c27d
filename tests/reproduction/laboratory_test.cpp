#include "reproduction/laboratory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "output/report_page.hpp"
#include "reproduction/report.hpp"

namespace taut::test {
namespace {

using testing::HasSubstr;

yaml::PlacedText placed(const std::string& text) {
  yaml::PlacedText result;
  for (const char c : text) result.append(c, {1, 1});
  return result;
}

/// A book with one example: the gallery's pendulum by two methods and in its own angle.
Book small_book(std::vector<Claim> claims) {
  Example example{"pendulum", "a pendulum", {}, std::move(claims), {}};
  const auto run = [](const std::string& name, const std::string& model, const std::string& method, bool slow) {
    RunSpec spec{name, model, {{"until", "2", {}}, {"step", "1e-2", {}}}, {}, slow, false};
    if (!method.empty()) spec.settings.push_back({"method", method, {}});
    return spec;
  };
  example.runs = {run("drifting", "pendulum", "udwadia-kalaba", false), run("kept", "pendulum", "auto", false),
                  run("exact", "papers/independent/pendulum", "", false), run("long", "pendulum", "auto", true)};
  return {"test.book", {{"p", "a paper", {example}}}};
}

Claim claim(const std::string& value, std::optional<double> at_most, std::optional<double> at_least = {}) {
  Claim result;
  result.what = "it";
  result.value = placed(value);
  result.at_most = at_most;
  result.at_least = at_least;
  return result;
}

/// Bounds apart.
double measured(const std::string& value) {
  return reproduce(small_book({claim(value, 1e300, -1e300)}), {}).findings.at(0).ours.value();
}

Finding judged(const Claim& claim) { return reproduce(small_book({claim}), {}).findings.at(0); }

Claim printed(const std::string& value, const std::string& figure, const std::string& rule) {
  Claim result = claim(value, {});
  result.source = Source::printed;
  result.published = figure;
  result.rule = read_rule(rule, {});
  return result;
}

TEST(Laboratory, MeasuresWhatTheSummarySays) {
  const Model model = load_model("pendulum");
  Options options = options_of(model);
  options.until = 2;
  options.step = 1e-2;
  options.method = "udwadia-kalaba";
  const auto run = simulate(model, options);
  EXPECT_EQ(measured("position(drifting)"), *run.summary.max_position_violation);
  EXPECT_EQ(measured("energy(drifting)"), *run.summary.max_energy_error);
  EXPECT_EQ(measured("steps(drifting)"), 200);
  EXPECT_EQ(measured("evaluations(drifting)/steps(drifting)"), static_cast<double>(run.summary.evaluations) / 200);
  EXPECT_EQ(measured("final(drifting, x)"), run.summary.final_coordinates[0].value);
  EXPECT_EQ(measured("max(position(drifting), velocity(drifting)) - violation(drifting)"), 0);
}

TEST(Laboratory, MeasuresTheErrorAgainstAnotherRunAtTheSameTimes) {
  // RK4 with h = 1e-2 over 2 s; the pendulum in its own angle has an error of its own of the same order.
  const double error = measured("error(kept, exact, x, y)");
  EXPECT_GT(error, 1e-9);
  EXPECT_LT(error, 1e-6);
}

TEST(Laboratory, FailsAClaimThatDoesNotHold) {
  const Reproduction good = reproduce(small_book({claim("position(kept)", 1e-12)}), {});
  EXPECT_TRUE(good.all_hold());
  EXPECT_EQ(good.findings[0].verdict, "found");
  const Reproduction bad = reproduce(small_book({claim("position(drifting)", 1e-12)}), {});
  EXPECT_FALSE(bad.all_hold());
  EXPECT_EQ(bad.findings[0].verdict, "FAILED");
  EXPECT_THAT(to_text(bad, Colour::off), HasSubstr("1 failed"));
}

TEST(Laboratory, GivesTheVerdictByTheRuleAndSaysIt) {
  // 200 steps.
  const Finding near = judged(printed("steps(kept)", "180", "within 1.2"));
  EXPECT_EQ(near.verdict, "reproduced");
  EXPECT_EQ(near.rule, "within a factor of 1.2");
  EXPECT_EQ(judged(printed("steps(kept)", "250", "within 1.2")).verdict, "FAILED");
  EXPECT_EQ(judged(printed("steps(kept)", "200", "equal")).verdict, "reproduced");
  EXPECT_EQ(judged(printed("steps(kept)/300", "0.67", "equal")).verdict, "reproduced");
  EXPECT_EQ(judged(printed("steps(kept)/300", "0.6", "equal")).verdict, "FAILED");
  EXPECT_EQ(judged(printed("steps(kept)", "70", "same order")).verdict, "reproduced");
  EXPECT_EQ(judged(printed("steps(kept)", "50", "same order")).verdict, "FAILED");
  EXPECT_EQ(judged(printed("steps(kept)", "300", "at most")).verdict, "reproduced");
  EXPECT_EQ(judged(printed("steps(kept)", "500", "at most")).verdict, "better");
  EXPECT_EQ(judged(printed("steps(kept)", "150", "at least 1.2")).verdict, "reproduced");
}

TEST(Laboratory, AFigureThatIsSaidNotToBeReproducedMustNotBe) {
  Claim other = printed("steps(kept)", "250", "within 1.2");
  other.reproduced = false;
  EXPECT_EQ(judged(other).verdict, "not reproduced");
  EXPECT_TRUE(judged(other).holds);
  other.published = "190";
  EXPECT_EQ(judged(other).verdict, "FAILED");
  EXPECT_THAT(judged(other).trouble, HasSubstr("said not to be reproduced"));
}

TEST(Laboratory, OrdersSeveralFigures) {
  Claim order = claim("", {});
  order.ascending = {placed("position(kept)"), placed("position(drifting)")};
  EXPECT_TRUE(judged(order).holds);
  std::swap(order.ascending[0], order.ascending[1]);
  EXPECT_FALSE(judged(order).holds);
}

// ---- what must not count as reproduced -------------------------------------------------------------

TEST(BrokenBook, ARunThatEndsEarlyIsAFailureWithItsReason) {
  Book book = small_book({claim("position(broken)", 1)});
  // Steps as long as this lose the rod within moments.
  book.papers[0].examples[0].runs.push_back(
      {"broken",
       "pendulum",
       {{"until", "200", {}}, {"step", "0.5", {}}, {"method", "udwadia-kalaba", {}}},
       {},
       false,
       false});
  const Finding broken = reproduce(book, {}).findings.at(0);
  EXPECT_EQ(broken.verdict, "FAILED");
  EXPECT_FALSE(broken.ours.has_value());
  EXPECT_THAT(broken.trouble, HasSubstr("run 'broken' ended at t ="));
  book.papers[0].examples[0].runs.back().may_fail = true;
  book.papers[0].examples[0].claims = {claim("position(broken)", {}, 1)};
  EXPECT_THAT(reproduce(book, {}).findings.at(0).trouble, testing::Not(HasSubstr("ended at")));
}

TEST(BrokenBook, AModelWithoutConstraintsHasNoViolation) {
  const Finding none = judged(claim("position(exact)", 1));
  EXPECT_EQ(none.verdict, "FAILED");
  EXPECT_FALSE(none.ours.has_value());
  EXPECT_THAT(none.trouble, HasSubstr("run 'exact' has no position constraints"));
  EXPECT_THAT(to_text(reproduce(small_book({claim("position(exact)", 1)}), {}), Colour::off), HasSubstr("–"));
}

TEST(BrokenBook, ABoundThatLetsAnythingPassIsAFailure) {
  const Finding vacuous = judged(claim("position(drifting)", 1e30));
  EXPECT_EQ(vacuous.verdict, "FAILED");
  EXPECT_THAT(vacuous.trouble, HasSubstr("a bound of 1e+30 is no test"));
  for (const char* rule : {"within 1e30", "within 0.5", "at most 100", "nearly", "equal 2"})
    EXPECT_THROW(read_rule(rule, {}), InputError) << rule;
}

TEST(BrokenBook, AnErrorNeedsAllRowsOfItsReference) {
  Book book = small_book({claim("error(two four-bars, reference, x3)", 10)});
  const std::vector<Setting> settings{{"until", "10", {}}, {"step", "1e-2", {}}, {"method", "udwadia-kalaba", {}}};
  // Ends at 4.6 s, at a singular position.
  book.papers[0].examples[0].runs.push_back({"two four-bars", "two-four-bars", settings, {}, false, true});
  book.papers[0].examples[0].runs.push_back(
      {"reference", "papers/independent/two-four-bars", {{"until", "10", {}}, {"step", "1e-2", {}}}, {}, false, false});
  const Finding finding = reproduce(book, {}).findings.at(0);
  EXPECT_EQ(finding.verdict, "FAILED");
  EXPECT_THAT(finding.trouble, HasSubstr("rows and its reference 'reference' 1001"));
}

TEST(BrokenBook, ABoundFarBelowWhatItBoundsIsAFailure) {
  const Finding vacuous = judged(claim("position(drifting)", {}, 1e-30));
  EXPECT_EQ(vacuous.verdict, "FAILED");
  EXPECT_THAT(vacuous.trouble, HasSubstr("a bound of 1e-30 is no test"));
}

TEST(BrokenBook, ANumberThatIsTypedInIsNoFinding) {
  for (const char* value : {"3e-7", "3e-7 + 0*position(drifting)", "3e-7*max(1, min(1, steps(kept)))"}) {
    try {
      judged(printed(value, "3e-7", "equal"));
      ADD_FAILURE() << value;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("whatever is measured")) << value;
    }
  }
}

TEST(BrokenBook, ARunIsNotComparedWithItself) {
  EXPECT_THROW(judged(printed("error(kept, kept, x)", "3e-7", "at most")), InputError);
}

TEST(BrokenBook, ASizeOfTheOtherSignIsNotSmaller) {
  EXPECT_EQ(judged(printed("-position(drifting)", "1e-9", "at most")).verdict, "FAILED");
}

TEST(BrokenBook, ARunThatMayEndEarlyBoundsNothingFromAbove) {
  const auto with_early = [](const Claim& claim) {
    Book book = small_book({claim});
    book.papers[0].examples[0].runs.push_back(
        {"early",
         "two-four-bars",
         {{"until", "10", {}}, {"step", "1e-2", {}}, {"method", "udwadia-kalaba", {}}},
         {},
         false,
         true});
    return reproduce(book, {}).findings.at(0);
  };
  EXPECT_THAT(with_early(claim("position(early)", 1e9)).trouble, HasSubstr("run 'early' ended at t ="));
  EXPECT_THAT(with_early(printed("position(early)", "1e9", "at most")).trouble, HasSubstr("bounded from above"));
  EXPECT_EQ(with_early(claim("end(early)", 5)).verdict, "found");
}

TEST(BrokenBook, ARangeThatIsStatedHasToHoldHere) {
  Claim far = claim("position(drifting)", 1e-5);
  far.varies = {1e-15, 1e-14};
  EXPECT_THAT(judged(far).trouble, HasSubstr("which is stated for all machines"));
}

TEST(BrokenBook, NothingComparedIsNothingReproduced) { EXPECT_FALSE(reproduce(small_book({}), {}).all_hold()); }

/// A figure of one run, in a book with nothing else.
Finding drawn(const Figure& figure, std::vector<RunSpec> more = {}) {
  Book book = small_book({});
  auto& example = book.papers[0].examples[0];
  example.runs.insert(example.runs.end(), more.begin(), more.end());
  example.figures = {figure};
  return reproduce(book, {}).findings.at(0);
}

Figure figure_of(const std::string& run, const std::string& column) {
  Figure figure;
  figure.name = "f";
  figure.of = "Fig. 1";
  figure.shows = "a curve";
  figure.runs = {run};
  figure.columns = {column};
  return figure;
}

TEST(BrokenBook, AFigureOfARunThatEndsEarlyIsAFailureWithItsReason) {
  const Finding good = drawn(figure_of("kept", "x"));
  EXPECT_EQ(good.verdict, "drawn");
  EXPECT_EQ(good.what, "Fig. 1");
  EXPECT_FALSE(good.rule.empty());
  const Finding broken =
      drawn(figure_of("broken", "x"), {{"broken",
                                        "pendulum",
                                        {{"until", "200", {}}, {"step", "0.5", {}}, {"method", "udwadia-kalaba", {}}},
                                        {},
                                        false,
                                        false}});
  EXPECT_EQ(broken.verdict, "FAILED");
  EXPECT_THAT(broken.trouble, HasSubstr("run 'broken' ended at t ="));
}

TEST(BrokenBook, AFigureWithNothingInItsWindowIsAFailure) {
  Figure late = figure_of("kept", "x");
  late.window = {{5, 6}};
  EXPECT_EQ(drawn(late).verdict, "FAILED");
  EXPECT_THAT(drawn(late).trouble, HasSubstr("no point in the window"));
}

TEST(Laboratory, ASketchHasNothingToDrawAndSaysSo) {
  Figure sketch;
  sketch.name = "f";
  sketch.of = "Fig. 2";
  sketch.shows = "the model";
  sketch.kind = "sketch";
  sketch.why = "a drawing by hand";
  const Finding finding = drawn(sketch);
  EXPECT_EQ(finding.verdict, "not drawn");
  EXPECT_EQ(finding.why, "a drawing by hand");
  EXPECT_TRUE(finding.holds);
  EXPECT_FALSE(finding.rule.empty());
}

TEST(Laboratory, MeasuresParametersCyclesAndDistances) {
  EXPECT_EQ(measured("parameter(kept, l)"), 1);
  EXPECT_GT(measured("repeat(kept, 0.5, 0)"), 0.1);
  EXPECT_NEAR(measured("repeat(kept, 1e-2, 1.9)"), 0, 0.1);
  // At least as far as the largest component, at most √2 times as far.
  const double ratio = measured("distance(kept, exact, x, y)/error(kept, exact, x, y)");
  EXPECT_GE(ratio, 1);
  EXPECT_LE(ratio, 1.4143);
}

TEST(Laboratory, DrawsEachConstraintByItsName) {
  Figure figure = figure_of("drifting", "position(rod)");
  figure.log_y = true;
  EXPECT_EQ(drawn(figure).verdict, "drawn");
}

TEST(Laboratory, LeavesSlowRunsOutWhenAskedToBeQuick) {
  ReproductionOptions options;
  options.quick = true;
  const Reproduction quick = reproduce(small_book({claim("position(long)", 1e-12)}), options);
  EXPECT_TRUE(quick.findings[0].left_out);
  EXPECT_TRUE(quick.all_hold());
}

TEST(Laboratory, NamesAMeasurementOrARunThatThereIsNot) {
  for (const char* value : {"positon(kept)", "position(kep)", "final(kept, z)", "parameter(kept, z)",
                            "repeat(kept, 10, 0)", "repeat(kept, long, 0)"}) {
    try {
      measured(value);
      FAIL() << value;
    } catch (const InputError& error) {
      EXPECT_FALSE(error.remedy().empty()) << value;
      EXPECT_THAT(error.what(), HasSubstr("test.book:1:1")) << value;
    }
  }
}

TEST(Laboratory, RefusesAPaperThatIsNotInTheBook) {
  ReproductionOptions options;
  options.papers = {"q"};
  EXPECT_THROW(reproduce(small_book({}), options), InputError);
}

TEST(Laboratory, DrawsAPictureThatNamesItsAxes) {
  Book book = small_book({claim("position(kept)", 1)});
  Figure figure;
  figure.name = "drift";
  figure.title = "Drift <of> a pendulum";
  figure.kind = "series";
  figure.x_label = "time in s";
  figure.y_label = "|Phi|";
  figure.log_y = true;
  figure.runs = {"drifting", "kept"};
  figure.columns = {"position"};
  book.papers[0].examples[0].figures = {figure};
  const Reproduction result = reproduce(book, {});
  ASSERT_EQ(result.pictures.size(), 1u);
  const std::string& svg = result.pictures[0].svg;
  for (const char* words : {"time in s", "|Phi|", "Drift &lt;of&gt; a pendulum", "drifting", "kept", "<polyline"})
    EXPECT_THAT(svg, HasSubstr(words));
  if (!report_page().empty()) EXPECT_THAT(to_html(book, result), HasSubstr("\\u003csvg"));  // as text inside a script
  EXPECT_THAT(to_markdown(book, result, "pictures"), HasSubstr("pictures/p-pendulum-drift.svg"));
}

TEST(Laboratory, WritesBarsIntoATableThatDoNotEndItsCells) {
  Claim bars = claim("position(kept)", 1e-12);
  bars.what = "largest |Phi|";
  const Book book = small_book({bars});
  EXPECT_THAT(to_markdown(book, reproduce(book, {}), "pictures"), HasSubstr("| largest \\|Phi\\| |"));
}

TEST(Laboratory, ShowsAPictureBesideWhatThePapersShows) {
  Book book = small_book({});
  book.papers[0].examples[0].figures = {figure_of("kept", "x")};
  EXPECT_THAT(to_markdown(book, reproduce(book, {}), "pictures"),
              HasSubstr("pictures/p-pendulum-f.svg)\n\n*Fig. 1 of the paper*: a curve\n"));
}

TEST(Laboratory, RefusesToDrawAColumnThatIsNotRecorded) {
  Book book = small_book({});
  Figure figure;
  figure.name = "f";
  figure.runs = {"kept"};
  figure.columns = {"height"};
  figure.place = {"test.book", 3, 5};
  book.papers[0].examples[0].figures = {figure};
  try {
    reproduce(book, {});
    ADD_FAILURE() << "drew it";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("test.book:3:5: nothing recorded is named 'height'"));
  }
}

}  // namespace
}  // namespace taut::test
