// --output FILE.h5, --report, taut report and taut plot, from the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.hpp"

namespace taut::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Kept : public testing::Test {
 protected:
  void SetUp() override {
    model_ = folder_.write("pendulum.yaml", pendulum_text);
    run_ = folder_ / "run.h5";
    ASSERT_EQ(taut({"run", model_, "--output", run_, "--quiet"}).status, 0);
  }
  Folder folder_;
  std::string model_, run_;
};

TEST_F(Kept, ReportWritesAPageBesideTheRun) {
  const Result result = taut({"report", run_});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out, folder_ / "run.html\n");
  EXPECT_THAT(content(folder_ / "run.html"), StartsWith("<!doctype html>"));
}

TEST_F(Kept, ReportOfARunWhoseModelIsGoneIsMadeOfWhatWasKept) {
  ASSERT_EQ(taut({"report", run_, "--out", folder_ / "a.html"}).status, 0);
  std::filesystem::remove(model_);
  ASSERT_EQ(taut({"report", run_, "--out", folder_ / "b.html"}).status, 0);
  EXPECT_EQ(content(folder_ / "a.html"), content(folder_ / "b.html"));
  folder_.write("pendulum.yaml", "model: another\n");
  ASSERT_EQ(taut({"report", run_, "--out", folder_ / "c.html"}).status, 0);
  EXPECT_EQ(content(folder_ / "a.html"), content(folder_ / "c.html"));
}

TEST_F(Kept, ReportRefusesWhatIsNoRun) {
  EXPECT_EQ(taut({"report", folder_ / "none.h5"}).status, 2);
  const Result result = taut({"report", model_});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("no file of HDF5"));
  EXPECT_EQ(taut({"report", run_, "--out", folder_ / "page.pdf"}).status, 2);
  EXPECT_EQ(taut({"report", run_, "--out", folder_ / "none/page.html"}).status, 2);
}

TEST_F(Kept, PlotsTheDriftByDefaultAndColumnsByName) {
  ASSERT_EQ(taut({"plot", run_}).status, 0);
  EXPECT_THAT(content(folder_ / "run.svg"), HasSubstr("velocity"));
  const Result result = taut({"plot", run_, "--what", "x,y,angle", "--out", folder_ / "a.svg"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(content(folder_ / "a.svg"), HasSubstr("angle"));
  EXPECT_EQ(taut({"plot", run_, "--what", "lambda(rod)", "--out", folder_ / "b.svg"}).status, 0);
  EXPECT_EQ(taut({"plot", run_, "--what", "y", "--against", "x", "--from", "0.1", "--out", folder_ / "c.svg"}).status,
            0);
  EXPECT_THAT(content(folder_ / "c.svg"), Not(HasSubstr("nan")));
}

TEST_F(Kept, PlotsAsPng) {
  const Result result = taut({"plot", run_, "--what", "x", "--out", folder_ / "a.png", "--scale", "1"});
  ASSERT_EQ(result.status, 0) << result.err;
  const std::string png = content(folder_ / "a.png");
  ASSERT_GT(png.size(), 2000u);
  EXPECT_EQ(png.substr(1, 3), "PNG");
  // Width and height, big-endian, stand in the first chunk.
  EXPECT_EQ(static_cast<unsigned char>(png[18]) * 256 + static_cast<unsigned char>(png[19]), 760);
  EXPECT_EQ(static_cast<unsigned char>(png[22]) * 256 + static_cast<unsigned char>(png[23]), 420);
}

TEST_F(Kept, PlotsPanelsOverOneAxis) {
  const Result result = taut(
      {"plot", run_, "--panel", "x,y", "--panel", "angle", "--panel", "position,velocity", "--out", folder_ / "a.svg"});
  ASSERT_EQ(result.status, 0) << result.err;
  const std::string svg = content(folder_ / "a.svg");
  for (const char* words : {">x<", ">y<", ">angle<", ">position<", ">velocity<"}) EXPECT_THAT(svg, HasSubstr(words));
  // The time is labelled once, below the last panel.
  EXPECT_NE(svg.find("t in s"), std::string::npos);
  EXPECT_EQ(svg.find("t in s"), svg.rfind("t in s"));
  EXPECT_EQ(taut({"plot", run_, "--panel", "x", "--what", "y"}).status, 2);
  EXPECT_EQ(taut({"plot", run_, "--panel", "x", "--panel", "angel"}).status, 2);
}

TEST_F(Kept, PlotsTheMechanismUnderAStroboscope) {
  const Result bare = taut({"plot", run_, "--strobe", "5"});
  EXPECT_EQ(bare.status, 2);
  EXPECT_THAT(bare.err, HasSubstr("draws nothing"));

  const std::string model =
      folder_.write("drawn.yaml", std::string(pendulum_text) + "draw: [{line: [[0, 0], [x, y]]}]\n");
  const std::string run = folder_ / "drawn.h5";
  ASSERT_EQ(taut({"run", model, "--output", run, "--quiet"}).status, 0);
  const Result result = taut({"plot", run, "--strobe", "5", "--out", folder_ / "a.svg"});
  ASSERT_EQ(result.status, 0) << result.err;
  const std::string svg = content(folder_ / "a.svg");
  std::size_t rods = 0;
  for (auto at = svg.find("<polyline"); at != std::string::npos; at = svg.find("<polyline", at + 1)) ++rods;
  EXPECT_EQ(rods, 5u);
  std::filesystem::remove(model);
  ASSERT_EQ(taut({"plot", run, "--strobe", "5", "--out", folder_ / "b.svg"}).status, 0);
  EXPECT_EQ(content(folder_ / "b.svg"), svg);
  EXPECT_EQ(taut({"plot", run, "--strobe", "5", "--elevation", "30", "--out", folder_ / "c.svg"}).status, 0);
  EXPECT_NE(content(folder_ / "c.svg"), svg);
  const Result late = taut({"plot", run, "--strobe", "5", "--from", "1e6"});
  EXPECT_EQ(late.status, 2);
  EXPECT_THAT(late.err, HasSubstr("nothing between"));
  EXPECT_EQ(taut({"plot", run, "--strobe", "0"}).status, 2);
  EXPECT_EQ(taut({"plot", run, "--strobe", "5", "--what", "x"}).status, 2);
}

TEST_F(Kept, PlotNamesTheNearestColumnAndListsThemAll) {
  const Result wrong = taut({"plot", run_, "--what", "angel"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean 'angle'?"));
  const Result list = taut({"plot", run_, "--list"});
  EXPECT_THAT(list.out, HasSubstr("x'\n"));
  EXPECT_THAT(list.out, HasSubstr("position(rod)\n"));
  EXPECT_EQ(taut({"plot", run_, "--out", folder_ / "a.gif"}).status, 2);
  EXPECT_EQ(taut({"plot", run_, "--out", folder_ / "none/a.svg"}).status, 2);
  EXPECT_EQ(taut({"plot", run_, "--out", folder_ / "none/a.png"}).status, 2);
}

TEST_F(Kept, ARunThatCannotGoOnIsKeptWithItsReason) {
  std::string text = pendulum_text;
  text.replace(text.find("constraints:"), 0, "forces: {x: sqrt(0.2 - t)}\n");
  const std::string model = folder_.write("early.yaml", text);
  const Result result =
      taut({"run", model, "--output", folder_ / "early.h5", "--report", folder_ / "early.html", "--quiet"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("rows are kept in"));
  EXPECT_THAT(content(folder_ / "early.html"), HasSubstr("\"outcome\":\"failed\""));
  ASSERT_EQ(taut({"report", folder_ / "early.h5", "--out", folder_ / "again.html"}).status, 0);
  EXPECT_EQ(content(folder_ / "early.html"), content(folder_ / "again.html"));
}

TEST_F(Kept, OutputThatCannotBeWrittenIsRefusedBeforeTheRun) {
  for (const char* file : {"none/a.h5", "none/a.csv", "a.xls"}) {
    const Result result = taut({"run", model_, "--output", folder_ / file});
    EXPECT_EQ(result.status, 2) << file;
    EXPECT_THAT(result.err, HasSubstr("cannot write")) << file;
  }
  EXPECT_EQ(taut({"run", model_, "--report", folder_ / "none/a.html"}).status, 2);
  EXPECT_EQ(taut({"run", model_, "--report", folder_ / "a.txt"}).status, 2);
}

}  // namespace
}  // namespace taut::test
