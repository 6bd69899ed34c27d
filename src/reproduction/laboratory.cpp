#include "reproduction/laboratory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/nearest.hpp"
#include "expression/parser.hpp"
#include "model/scope.hpp"
#include "output/stroboscope.hpp"

namespace taut {
namespace {

/// Thrown where a check needs a run that --quick leaves out.
struct LeftOut {};

/// Thrown where a run or a figure that a check needs is not there: the check has failed.
struct Missing {
  std::string what;
};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',') {
      parts.emplace_back();
    } else if (c != ' ' || !parts.back().empty()) {
      parts.back() += c;
    }
  }
  for (auto& part : parts)
    while (!part.empty() && part.back() == ' ') part.pop_back();
  return parts;
}

/// The larger of two; what is no number is larger than all.
double larger(double a, double b) { return std::isnan(b) ? std::numeric_limits<double>::infinity() : std::max(a, b); }

std::size_t column(const Trajectory& trajectory, const std::string& name, const Place& place) {
  const auto found = std::find(trajectory.columns.begin(), trajectory.columns.end(), name);
  if (found != trajectory.columns.end()) return static_cast<std::size_t>(found - trajectory.columns.begin());
  throw InputError(place, fmt::format("nothing recorded is named '{}'", name),
                   fmt::format("there are {}", fmt::join(trajectory.columns, ", ")));
}

/// A run that has been made, with what is needed to look at it again.
struct Made {
  Model model;
  Options options;
  std::vector<double> parameters;
  Run run;
  std::string trouble;  ///< why nothing may be measured of it; "" if all is well
};

/// A run that ended early, or lost its constraints, says nothing of what its whole motion would have been.
std::string trouble_of(const std::string& name, const Summary& summary) {
  if (is_trusted(summary.verdict) && summary.outcome != Outcome::stopped) return "";
  const std::string& reason = summary.verdict_reason.empty() ? summary.reason : summary.verdict_reason;
  return fmt::format("run '{}' ended at t = {:g}: {}", name, summary.t_end, reason);
}

/// One example: makes each run once, when it is first asked for.
class Bench {
 public:
  Bench(const Example& example, const std::string& file, bool quick) : example_(example), file_(file), quick_(quick) {}

  /// The value of a formula of measurements.
  double value(const yaml::PlacedText& text) {
    Graph graph;
    Names names;
    names.graph = &graph;
    names.call = [this](const Call& called, const Place& place) -> Expression {
      const auto& [function, argument, component] = called;
      return measure(function, split(argument), place);
    };
    const Expression result =
        with_places(text, file_, [&](const Place& place) { return parse(text.text, names, place); });
    if (!result.is_constant())
      throw InputError(place_at(file_, text.at(0)), "this has no value", "check the measurements in it");
    return result.value();
  }

  const Made& made(const std::string& name, const Place& place) {
    if (const auto known = made_.find(name); known != made_.end()) return *known->second;
    const RunSpec& spec = find(name, place);
    if (quick_ && spec.slow) throw LeftOut{};
    auto made = std::make_unique<Made>();
    made->model = load_model(spec.model, spec.set);
    made->options = options_of(made->model);
    for (const auto& setting : spec.settings) apply(setting, made->options);
    made->options.set = spec.set;
    made->options.diagnose = true;
    made->parameters = initial_values(made->model, spec.set).parameters;
    made->run = simulate(made->model, made->options);
    made->trouble = spec.may_fail ? "" : trouble_of(name, made->run.summary);
    return *made_.emplace(name, std::move(made)).first->second;
  }

 private:
  const RunSpec& find(const std::string& name, const Place& place) const {
    std::vector<std::string> known;
    for (const auto& run : example_.runs) {
      if (run.name == name) return run;
      known.push_back(run.name);
    }
    const std::string near = nearest(name, known);
    throw InputError(
        place, fmt::format("example '{}' has no run '{}'", example_.name, name),
        near.empty() ? fmt::format("its runs are {}", fmt::join(known, ", ")) : "did you mean '" + near + "'?");
  }

  /// A step in the book means fixed steps, a tolerance none.
  static void apply(const Setting& setting, Options& options) {
    if (setting.name == "rtol" || setting.name == "atol") unset_step(options);
    try {
      set_option(options, setting.name, setting.value, setting.name + ": " + setting.value, setting.place);
    } catch (const InputError& error) {
      throw InputError(setting.place, setting.name + ": " + error.message(), error.remedy());
    }
  }

  double measure(const std::string& what, const std::vector<std::string>& arguments, const Place& place) {
    const Made& run = made(arguments[0], place);
    if (!run.trouble.empty()) throw Missing{run.trouble};
    const Summary& summary = run.run.summary;
    const auto given = [&](const std::optional<double>& figure, const char* whose) {
      if (!figure) throw Missing{fmt::format("run '{}' has no {}", arguments[0], whose)};
      return *figure;
    };
    if (what == "position") return given(summary.max_position_violation, "position constraints");
    if (what == "velocity") return given(summary.max_velocity_violation, "velocity constraints");
    if (what == "violation")
      return std::max(given(summary.max_velocity_violation, "constraints"), summary.max_position_violation.value_or(0));
    if (what == "energy") return given(summary.max_energy_error, "energy");
    if (what == "steps") return static_cast<double>(summary.steps);
    if (what == "evaluations") return static_cast<double>(summary.evaluations);
    if (what == "rejected") return static_cast<double>(summary.rejected_steps);
    if (what == "passages") return static_cast<double>(summary.passages);
    if (what == "rank") return summary.rank_max;
    if (what == "end") return summary.t_end;
    if (what == "final" && arguments.size() == 2) return final_value(arguments, place);
    if (what == "drift" && arguments.size() == 2) return drift(arguments, place);
    if (what == "error" && arguments.size() >= 3) return error(arguments, place);
    throw InputError(
        place, fmt::format("there is no measurement {}({})", what, fmt::join(arguments, ", ")),
        "there are position, velocity, violation, energy, steps, evaluations, rejected, passages, rank and "
        "end of a run, final(run, name), drift(run, name), error(run, reference, name, …)");
  }

  double final_value(const std::vector<std::string>& arguments, const Place& place) {
    const Trajectory& trajectory = made(arguments[0], place).run.trajectory;
    return trajectory.rows.back()[column(trajectory, arguments[1], place)];
  }

  /// The largest change of a recorded quantity that should be constant.
  double drift(const std::vector<std::string>& arguments, const Place& place) {
    const Trajectory& trajectory = made(arguments[0], place).run.trajectory;
    const std::size_t k = column(trajectory, arguments[1], place);
    double largest = 0;
    for (const auto& row : trajectory.rows) largest = larger(largest, std::abs(row[k] - trajectory.rows.front()[k]));
    return largest;
  }

  /// The largest difference to a reference run, over the rows of the run: the reference is recorded at the same times.
  double error(const std::vector<std::string>& arguments, const Place& place) {
    const Made& ours = made(arguments[0], place);
    const Trajectory& reference = reference_for(arguments[1], ours, place);
    const auto& rows = ours.run.trajectory.rows;
    if (rows.size() != reference.rows.size())
      throw Missing{fmt::format("run '{}' has {} rows and its reference '{}' {}", arguments[0], rows.size(),
                                arguments[1], reference.rows.size())};
    double largest = 0;
    for (std::size_t a = 2; a < arguments.size(); ++a) {
      const std::size_t k = column(ours.run.trajectory, arguments[a], place),
                        r = column(reference, arguments[a], place);
      for (std::size_t i = 0; i < rows.size(); ++i)
        largest = larger(largest, std::abs(rows[i][k] - reference.rows[i][r]));
    }
    return largest;
  }

  const Trajectory& reference_for(const std::string& name, const Made& ours, const Place& place) {
    const double every = ours.options.every ? *ours.options.every : ours.options.step.value_or(0);
    if (!(every > 0))
      throw InputError(place, "an error is measured at even times, and this run chooses its own",
                       "give the run every:");
    const auto key = std::make_pair(name, std::make_pair(every, ours.options.until));
    if (const auto known = references_.find(key); known != references_.end()) return known->second;
    const Made& like = made(name, place);
    Options options = like.options;
    options.every = every;
    options.until = ours.options.until;
    options.diagnose = false;
    if (!like.trouble.empty()) throw Missing{like.trouble};
    Run reference = simulate(like.model, options);
    if (const std::string trouble = trouble_of(name, reference.summary); !trouble.empty()) throw Missing{trouble};
    return references_.emplace(key, std::move(reference.trajectory)).first->second;
  }

  const Example& example_;
  const std::string& file_;
  bool quick_;
  std::map<std::string, std::unique_ptr<Made>> made_;
  std::map<std::pair<std::string, std::pair<double, double>>, Trajectory> references_;
};

// ---- verdicts -----------------------------------------------------------------------------------

/// A bound that is so far from what it bounds would let anything pass; next to rounding errors it may be.
constexpr double far_off = 1e4, next_to_rounding = 1e-9;

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
  return "";
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
  finding.holds = finding.trouble.empty();
}

Finding judge(const Paper& paper, const Example& example, const Claim& claim, Bench& bench) {
  Finding finding;
  finding.paper = paper.name;
  finding.example = example.name;
  finding.what = claim.what;
  finding.source = claim.source;
  finding.published = claim.published;
  finding.rule = rule_in_words(claim);
  finding.why = claim.why;
  if (claim.varies) finding.varies = fmt::format("{:.3g} to {:.3g}", (*claim.varies)[0], (*claim.varies)[1]);
  try {
    judge(claim, find_ours(claim, bench), finding);
  } catch (const LeftOut&) {
    finding.left_out = true;
  } catch (const Missing& missing) {
    finding.trouble = missing.what;
  }
  if (!finding.holds && !finding.left_out) finding.verdict = "FAILED";
  return finding;
}

// ---- pictures -----------------------------------------------------------------------------------

Curve column_against(const std::string& label, const Trajectory& trajectory, const std::string& x, const std::string& y,
                     bool absolute, const Place& place) {
  Curve curve{label, {}, {}};
  const std::size_t a = column(trajectory, x, place), b = column(trajectory, y, place);
  for (const auto& row : trajectory.rows) {
    curve.x.push_back(row[a]);
    curve.y.push_back(absolute ? std::abs(row[b]) : row[b]);
  }
  return curve;
}

bool is_diagnostic(const std::string& column) {
  return column == "position" || column == "velocity" || column == "energy" || column == "step" ||
         column == "correction";
}

/// kind series: columns over time; xy: pairs of columns against each other, one unit as long on both axes;
/// phase: the same with axes of their own; strobe: the mechanism at several moments; study: a value against the
/// step or the evaluations of each run.
Plot draw(const Figure& figure, Bench& bench) {
  check_figure(figure);
  Plot plot{figure.title, figure.x_label, figure.y_label, figure.log_x, figure.log_y, false, {}};
  if (figure.kind == "strobe") {
    const Made& made = bench.made(figure.runs.at(0), figure.place);
    plot.curves = stroboscope(made.model, made.parameters, made.run.trajectory, figure.flashes);
    plot.equal_axes = true;
  } else if (figure.kind == "study") {
    // Runs stand in groups of one size, a group to a value.
    const std::size_t size = figure.runs.size() / std::max<std::size_t>(1, figure.values.size());
    for (std::size_t g = 0; g < figure.values.size(); ++g) {
      Curve curve{g < figure.columns.size() ? figure.columns[g] : "", {}, {}, true};
      for (std::size_t k = g * size; k < (g + 1) * size; ++k) {
        yaml::PlacedText value = figure.values[g];
        const auto at = value.text.find("RUN");
        value.text.replace(at, 3, figure.runs[k]);
        value.positions.resize(value.text.size(), value.positions.back());
        const Made& made = bench.made(figure.runs[k], figure.place);
        curve.x.push_back(figure.against == "evaluations" ? static_cast<double>(made.run.summary.evaluations)
                                                          : made.options.step.value_or(0));
        curve.y.push_back(bench.value(value));
      }
      plot.curves.push_back(std::move(curve));
    }
  } else {
    const bool pairs = figure.kind == "xy" || figure.kind == "phase";
    plot.equal_axes = figure.kind == "xy";
    for (const auto& name : figure.runs) {
      const Made& made = bench.made(name, figure.place);
      for (std::size_t c = 0; c < figure.columns.size(); c += pairs ? 2 : 1) {
        const std::string& y = figure.columns[pairs ? c + 1 : c];
        const bool diagnostic = is_diagnostic(y);
        const Trajectory& from = diagnostic ? made.run.diagnostics : made.run.trajectory;
        const std::string label = figure.columns.size() > (pairs ? 2u : 1u) && figure.runs.size() > 1 ? name + ", " + y
                                  : figure.runs.size() > 1                                            ? name
                                                                                                      : y;
        plot.curves.push_back(
            column_against(label, from, pairs ? figure.columns[c] : "t", y, diagnostic, figure.place));
      }
    }
  }
  if (figure.limit)
    for (auto& curve : plot.curves)
      for (double& y : curve.y)
        if (y > *figure.limit) y = std::numeric_limits<double>::quiet_NaN();
  if (plot.curves.size() == 1) plot.curves[0].label.clear();
  return plot;
}

}  // namespace

bool Reproduction::all_hold() const {
  return std::all_of(findings.begin(), findings.end(), [](const Finding& f) { return f.holds || f.left_out; });
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
      if (!options.pictures) continue;
      for (const auto& figure : example.figures) {
        try {
          result.pictures.push_back({paper.name, example.name, figure.name, figure.title, to_svg(draw(figure, bench))});
        } catch (const LeftOut&) {
          continue;  // made by a full run only
        }
      }
    }
  }
  return result;
}

}  // namespace taut
