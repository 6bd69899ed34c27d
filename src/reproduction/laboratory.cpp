#include "reproduction/laboratory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reproduction/drawing.hpp"

namespace taut {
namespace {

// ---- verdicts -----------------------------------------------------------------------------------

/// A bound that is so far from what it bounds would let anything pass; next to rounding errors it may be.
constexpr double far_off = 1e4, next_to_rounding = 1e-11;
/// What another machine prints may be beyond the range that is stated for it by this factor.
constexpr double beyond_range = 10;

std::string rule_in_words(const Claim& claim) {
  if (claim.rule) return in_words(*claim.rule);
  if (!claim.ascending.empty()) return "each larger than the one before";
  if (claim.at_most && claim.at_least && *claim.at_most == *claim.at_least) return fmt::format("{:g}", *claim.at_most);
  if (claim.at_most && claim.at_least) return fmt::format("from {:g} to {:g}", *claim.at_least, *claim.at_most);
  return claim.at_most ? fmt::format("at most {:g}", *claim.at_most) : fmt::format("at least {:g}", *claim.at_least);
}

/// What is wrong with ours, beside the rule; "" if nothing is.
std::string trouble_with_bounds(const Claim& claim, double ours) {
  if (!std::isfinite(ours)) return "there is no such figure";
  if (claim.at_most && !(ours <= *claim.at_most)) return fmt::format("{:.3g} is above {:g}", ours, *claim.at_most);
  if (claim.at_least && !(ours >= *claim.at_least)) return fmt::format("{:.3g} is below {:g}", ours, *claim.at_least);
  if (claim.at_most && *claim.at_most > next_to_rounding && *claim.at_most > far_off * std::abs(ours))
    return fmt::format("a bound of {:g} is no test of {:.3g}", *claim.at_most, ours);
  const double least = claim.varies ? std::min(ours, (*claim.varies)[0]) : ours;
  if (claim.at_least && !claim.at_most && far_off * *claim.at_least < least)
    return fmt::format("a bound of {:g} is no test of {:.3g}", *claim.at_least, ours);
  return "";
}

/// Is a range stated for other machines, and this one far beyond it?
std::string trouble_with_range(const Claim& claim, double ours) {
  if (!claim.varies) return "";
  const auto [least, most] = *claim.varies;
  if (ours >= least / beyond_range && ours <= most * beyond_range) return "";
  return fmt::format("{:.3g} is far from {:g} to {:g}, which is stated for all machines", ours, least, most);
}

/// Is the figure to be no larger than something?
bool is_bounded_above(const Claim& claim) {
  return claim.at_most || !claim.ascending.empty() || (claim.rule && claim.rule->kind != Rule::Kind::at_least);
}

/// What was largest before a run ended early says nothing of how large it would have become.
void refuse_early_ends(const Claim& claim, Bench& bench) {
  if (!is_bounded_above(claim)) return;
  std::vector<yaml::PlacedText> values = claim.ascending;
  if (values.empty()) values.push_back(claim.value);
  for (const yaml::PlacedText& value : values)
    if (const std::string early = bench.early_run(value); !early.empty())
      throw Missing{early + ", and is bounded from above by nothing that happened until then"};
}

/// The verdict on a figure, given by the rule alone.
std::string verdict_on(const Claim& claim, double ours, bool good) {
  if (claim.source == Source::none) return "found";
  if (claim.source == Source::words) return good ? "holds" : "does not hold";
  if (!good) return "not reproduced";
  const bool one_sided = claim.rule->kind == Rule::Kind::at_most;
  return one_sided && holds({Rule::Kind::at_most, 0.5}, claim.published, ours) ? "better" : "reproduced";
}

/// The smallest ratio of neighbours where several values are to ascend; else the value.
double find_ours(const Claim& claim, Bench& bench) {
  if (claim.ascending.empty()) return bench.value(claim.value);
  double least = std::numeric_limits<double>::infinity(), before = bench.value(claim.ascending.front());
  for (std::size_t k = 1; k < claim.ascending.size(); ++k) {
    const double next = bench.value(claim.ascending[k]);
    least = std::min(least, next / before);
    before = next;
  }
  return least;
}

/// Does the rule hold? Where words are claimed, the bounds are the rule.
bool rule_holds(const Claim& claim, double ours, const std::string& bounds) {
  if (claim.rule) return holds(*claim.rule, claim.published, ours);
  return bounds.empty() && (claim.ascending.empty() || ours > 1);
}

void judge(const Claim& claim, double ours, Finding& finding) {
  finding.ours = ours;
  const std::string bounds = trouble_with_bounds(claim, ours);
  const bool good = rule_holds(claim, ours, bounds);
  finding.verdict = verdict_on(claim, ours, good);
  const bool bounds_are_rule = claim.source == Source::words;
  if (good != claim.reproduced)
    finding.trouble = good             ? "it is said not to be reproduced, and is"
                      : bounds.empty() ? "not " + finding.rule
                                       : bounds;
  else if (!bounds_are_rule)
    finding.trouble = bounds;
  if (finding.trouble.empty()) finding.trouble = trouble_with_range(claim, ours);
  finding.holds = finding.trouble.empty();
}

/// A row of the table, as far as it is known before anything is run.
Finding row_of(const Paper& paper, const Example& example, const std::string& what) {
  Finding finding;
  finding.paper = paper.name;
  finding.example = example.name;
  finding.what = what;
  return finding;
}

/// Does what gives the verdict, and says what became of it.
template <class Action>
void conclude(Finding& finding, Action&& action) {
  try {
    action();
  } catch (const LeftOut&) {
    finding.left_out = true;
  } catch (const Missing& missing) {
    finding.trouble = missing.what;
  }
  if (!finding.holds && !finding.left_out) finding.verdict = "FAILED";
}

Finding judge(const Paper& paper, const Example& example, const Claim& claim, Bench& bench) {
  Finding finding = row_of(paper, example, claim.what);
  finding.source = claim.source;
  finding.published = claim.published;
  finding.rule = rule_in_words(claim);
  finding.why = claim.why;
  if (claim.varies) finding.varies = fmt::format("{:.3g} to {:.3g}", (*claim.varies)[0], (*claim.varies)[1]);
  conclude(finding, [&] {
    refuse_early_ends(claim, bench);
    judge(claim, find_ours(claim, bench), finding);
  });
  return finding;
}

// ---- figures ------------------------------------------------------------------------------------

/// A figure is drawn of what was computed, or it is not drawn.
Finding draw(const Paper& paper, const Example& example, const Figure& figure, Bench& bench,
             std::vector<Picture>& pictures) {
  Finding finding = row_of(paper, example, figure.of.empty() ? figure.title : figure.of);
  finding.source = figure.of.empty() ? Source::none : Source::figure;
  finding.why = figure.why;
  if (figure.kind == "sketch") {
    finding.rule = "a sketch: nothing in it is computed";
    finding.verdict = "not drawn";
    finding.holds = true;
    return finding;
  }
  finding.rule = "its runs do as the book expects, and each curve has points";
  conclude(finding, [&] {
    pictures.push_back(
        {paper.name, example.name, figure.name, figure.of, figure.title, figure.shows, to_svg(draw(figure, bench))});
    finding.verdict = "drawn";
    finding.holds = true;
  });
  return finding;
}

}  // namespace

bool Reproduction::all_hold() const {
  return !findings.empty() &&
         std::all_of(findings.begin(), findings.end(), [](const Finding& f) { return f.holds || f.left_out; });
}

Reproduction reproduce(const Book& book, const ReproductionOptions& options) {
  std::vector<std::string> known;
  for (const auto& paper : book.papers) known.push_back(paper.name);
  for (const auto& name : options.papers)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw InputError("there is no paper '" + name + "'", fmt::format("there are {}", fmt::join(known, ", ")));
  Reproduction result;
  for (const auto& paper : book.papers) {
    const bool wanted = options.papers.empty() ||
                        std::find(options.papers.begin(), options.papers.end(), paper.name) != options.papers.end();
    if (!wanted) continue;
    for (const auto& example : paper.examples) {
      if (options.progress && !options.progress(paper.name + " " + example.name)) return result;
      Bench bench(example, book.file, options.quick);
      for (const auto& claim : example.claims) result.findings.push_back(judge(paper, example, claim, bench));
      for (const auto& figure : example.figures)
        result.findings.push_back(draw(paper, example, figure, bench, result.pictures));
    }
  }
  return result;
}

}  // namespace taut
