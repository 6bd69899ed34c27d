#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <map>

#include "taut/compare.hpp"
#include "taut/error.hpp"
#include "taut/methods.hpp"
#include "taut/simulation.hpp"

namespace taut {
namespace {

/// A value that an option takes, and what it then is.
struct Setting {
  std::string value;
  std::function<bool(const Options&)> holds;
};

/// Those of the contract.
const std::map<std::string, Setting> settings{
    {"until", {"2.5", [](const Options& o) { return o.until == 2.5; }}},
    {"start-time", {"1.5", [](const Options& o) { return o.start_time == 1.5; }}},
    {"step", {"1e-3", [](const Options& o) { return o.step == 1e-3; }}},
    {"rtol", {"1e-9", [](const Options& o) { return o.rtol == 1e-9; }}},
    {"atol", {"1e-11", [](const Options& o) { return o.atol == 1e-11; }}},
    {"max-step", {"0.1", [](const Options& o) { return o.max_step == 0.1; }}},
    {"accuracy", {"1e-7", [](const Options& o) { return o.accuracy == 1e-7; }}},
    {"start", {"raised", [](const Options& o) { return o.start == "raised"; }}},
    {"method", {"perturbation(metric=identity)", [](const Options& o) { return o.method.name == "perturbation"; }}},
    {"integrator", {"dopri5", [](const Options& o) { return o.integrator.name == "dopri5"; }}},
    {"linear", {"svd", [](const Options& o) { return o.linear.name == "svd"; }}},
    {"energy", {"project(tolerance=1e-9)", [](const Options& o) { return o.energy.name == "project"; }}},
    {"coordinates", {"joints", [](const Options& o) { return o.coordinates == Coordinates::joints; }}},
    {"native", {"off", [](const Options& o) { return o.native == Native::off; }}},
    {"control", {"euler", [](const Options& o) { return o.control.name == "euler"; }}},
    {"assemble", {"on", [](const Options& o) { return o.assemble; }}},
    {"effort", {"on", [](const Options& o) { return o.effort; }}},
    {"every", {"0.1", [](const Options& o) { return o.every == 0.1; }}},
    {"settle", {"1.5", [](const Options& o) { return o.settle == 1.5; }}},
    {"fail-above", {"1e-6", [](const Options& o) { return o.fail_above == 1e-6; }}},
};

/// Of any option; of those beside the contract the first word that its row takes and tells back.
Setting setting_of(const OptionEntry& entry) {
  if (const auto known = settings.find(entry.name); known != settings.end()) return known->second;
  for (const char* word : {"on", "off", "1.5", "1e-7", "7", "none", "auto"}) {
    Options options;
    try {
      entry.set(options, word);
    } catch (const InputError&) {
      continue;
    }
    const auto told = entry.get(options);
    if (told && told != entry.default_value())
      return {word, [entry, told](const Options& o) { return entry.get(o) == told; }};
  }
  ADD_FAILURE() << "option '" << entry.name << "' takes none of the words that are tried: add one of its values";
  return {"", [](const Options&) { return false; }};
}

std::string refusal(const std::string& name, const std::string& value) {
  Options options;
  try {
    set_option(options, name, value);
  } catch (const InputError& error) {
    EXPECT_FALSE(error.remedy().empty()) << name << ": " << error.what();
    return error.what();
  }
  return "";
}

TEST(OptionList, HasNoOptionTwiceAndExplainsEach) {
  std::map<std::string, int> count;
  for (const auto& entry : option_list()) {
    EXPECT_EQ(++count[entry.name], 1) << entry.name;
    EXPECT_FALSE(entry.meaning.empty()) << entry.name;
  }
}

TEST(OptionList, EveryOptionCanBeSet) {
  for (const auto& entry : option_list()) {
    const Setting setting = setting_of(entry);
    Options options;
    EXPECT_FALSE(setting.holds(options)) << entry.name;
    set_option(options, entry.name, setting.value);
    EXPECT_TRUE(setting.holds(options)) << entry.name;
  }
}

TEST(OptionList, HasEveryOptionOfTheContract) {
  for (const auto& [name, setting] : settings) EXPECT_EQ(refusal(name, setting.value), "");
}

TEST(OptionList, TellsEveryValueAsItReadsIt) {
  for (const auto& entry : option_list()) {
    const Setting setting = setting_of(entry);
    Options options;
    set_option(options, entry.name, setting.value);
    const auto told = entry.get(options);
    ASSERT_TRUE(told.has_value()) << entry.name;
    EXPECT_NE(told, entry.default_value()) << entry.name;
    Options again;
    entry.set(again, *told);
    EXPECT_TRUE(setting.holds(again)) << entry.name << " is told as " << *told;
    EXPECT_EQ(entry.get(again), told) << entry.name;
  }
}

TEST(OptionList, HasDefaultsThatCanBeSetAndAreWithinTheirRanges) {
  EXPECT_NO_THROW(check_options(Options{}));
  for (const auto& entry : option_list()) {
    EXPECT_TRUE(entry.holds(Options{})) << entry.name;
    const auto value = entry.default_value();
    if (!value) continue;
    Options options;
    EXPECT_NO_THROW(set_option(options, entry.name, *value)) << entry.name;
    EXPECT_EQ(entry.get(options), value) << entry.name;
  }
}

TEST(OptionList, ShowsUnitRangeAndDefaultOfEach) {
  for (const auto& entry : option_list()) {
    const std::string about = entry.about();
    EXPECT_EQ(about.find(entry.meaning), 0U) << entry.name;
    const auto shows = [&](const std::string& words) { return about.find(words) != std::string::npos; };
    EXPECT_TRUE(entry.unit.empty() || shows("in " + entry.unit)) << about;
    EXPECT_TRUE(shows(entry.range)) << about;
    const auto value = entry.default_value();
    EXPECT_TRUE(!value || shows("by default " + *value)) << about;
  }
  EXPECT_EQ(find_option("until").about(),
            "simulate until this time; 0 evaluates the initial state only (in s, at least 0, by default 10)");
}

TEST(OptionList, IsWhatTheSectionSimulateTakes) {
  for (const auto& entry : option_list()) {
    const Setting setting = setting_of(entry);
    const Model model = read_model(
        "coordinates: {x: 1}\nkinetic_energy: x'^2\nsimulate: {" + entry.name + ": \"" + setting.value + "\"}\n",
        "test.yaml");
    EXPECT_TRUE(setting.holds(options_of(model))) << entry.name;
  }
}

TEST(OptionList, ChecksValuesThatAProgramSets) {
  const auto refused = [](const Options& options) {
    try {
      check_options(options);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(refused({.until = -1}).find("'until'"), std::string::npos);
  EXPECT_NE(refused({.until = nothing}).find("'until'"), std::string::npos);
  EXPECT_NE(refused({.step = 0}).find("above 0, or none"), std::string::npos);
  EXPECT_NE(refused({.rtol = std::numeric_limits<double>::infinity()}).find("'rtol'"), std::string::npos);
  EXPECT_NE(refused({.until = 1, .settle = 2}).find("between zero and until"), std::string::npos);
  EXPECT_NE(refused({.step = 1, .max_step = 0.5}).find("longest step"), std::string::npos);
}

TEST(WrongValue, IsRefusedWithARemedy) {
  for (const char* name : {"until", "step", "rtol", "atol", "max-step", "every", "fail-above"}) {
    EXPECT_NE(refusal(name, "soon"), "") << name;
    EXPECT_NE(refusal(name, ""), "") << name;
    EXPECT_NE(refusal(name, "1e-3s"), "") << name;
    EXPECT_NE(refusal(name, "nan"), "") << name;
    EXPECT_NE(refusal(name, "inf"), "") << name;
    EXPECT_NE(refusal(name, "-1"), "") << name;
  }
  for (const char* name : {"step", "rtol", "atol", "max-step", "every", "fail-above"})
    EXPECT_NE(refusal(name, "0"), "") << name;
  EXPECT_EQ(refusal("until", "0"), "");
  EXPECT_NE(refusal("assemble", "perhaps"), "");
  for (const char* name : {"method", "integrator", "linear", "energy", "control"}) {
    EXPECT_NE(refusal(name, ""), "") << name;
    EXPECT_NE(refusal(name, "name(a=1"), "") << name;
    EXPECT_NE(refusal(name, "name(a)"), "") << name;
    EXPECT_NE(refusal(name, "name(a=1) more"), "") << name;
  }
}

TEST(WrongName, IsRefusedWithTheNearestOne) {
  EXPECT_NE(refusal("untill", "1").find("'until'"), std::string::npos);
  EXPECT_NE(refusal("metod", "auto").find("'method'"), std::string::npos);
  EXPECT_NE(refusal("quite-another-thing", "1").find("until, start-time, step"), std::string::npos);
}

TEST(Assemble, IsReadFromEveryWordForYesAndNo) {
  for (const char* yes : {"on", "true", "yes", "1"}) {
    Options options;
    set_option(options, "assemble", yes);
    EXPECT_TRUE(options.assemble);
  }
  for (const char* no : {"off", "false", "no", "0"}) {
    Options options{.assemble = true};
    set_option(options, "assemble", no);
    EXPECT_FALSE(options.assemble);
  }
}

// ---- choices ----------------------------------------------------------------------------------------

TEST(ChoiceText, IsReadWithItsOptions) {
  const Choice choice("baumgarte(alpha=1, beta=2)");
  EXPECT_EQ(choice.name, "baumgarte");
  ASSERT_EQ(choice.options.size(), 2U);
  EXPECT_EQ(choice.options[0], (std::pair<std::string, std::string>{"alpha", "1"}));
  EXPECT_EQ(choice.options[1], (std::pair<std::string, std::string>{"beta", "2"}));
}

TEST(ChoiceText, SurvivesWritingAndReading) {
  for (const char* text :
       {"auto", "baumgarte(alpha=1, beta=2)", "perturbation(metric=identity)", "a(b=c, d=e, f=1e-3)"}) {
    EXPECT_EQ(Choice(text).to_string(), text);
    EXPECT_EQ(Choice(Choice(text).to_string()).to_string(), text);
  }
  EXPECT_EQ(Choice("  baumgarte ( alpha = 1 ,beta=2 ) ").to_string(), "baumgarte(alpha=1, beta=2)");
  EXPECT_EQ(Choice("rk4()").to_string(), "rk4");
}

TEST(ChoiceText, ComesFromAStructWithWhatDiffersFromItsDefaults) {
  EXPECT_EQ(Choice(Perturbation{}).to_string(), "perturbation");
  EXPECT_EQ(Choice(Perturbation{.metric = "identity"}).to_string(), "perturbation(metric=identity)");
  EXPECT_EQ(Choice(Auto{.rank_tolerance = 1e-8, .tolerance = 1e-13}).to_string(),
            "auto(rank_tolerance=1e-08, tolerance=1e-13)");
}

TEST(ChoiceText, OfAStructReadsBackAsTheSameStruct) {
  // Written with as many digits as it takes to read the same number again.
  const Perturbation given{.metric = "identity", .tolerance = 1.0 / 3, .rank_tolerance = 2e-7};
  const auto read = read_options<Perturbation>(Choice(Choice(given).to_string()));
  EXPECT_EQ(read.metric, given.metric);
  EXPECT_EQ(read.tolerance, given.tolerance);
  EXPECT_EQ(read.rank_tolerance, given.rank_tolerance);
}

TEST(ChoiceText, WithAnUnknownOptionIsRefusedNamingThoseThereAre) {
  try {
    read_options<Perturbation>(Choice("perturbation(metrix=mass)"));
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("metrix"), std::string::npos);
    EXPECT_NE(error.remedy().find("metric"), std::string::npos);
  }
  EXPECT_THROW(read_options<Auto>(Choice("auto(tolerance=small)")), InputError);
}

// ---- the lists and the model's own section ------------------------------------------------------------

TEST(Lists, ShowEveryOptionOfEveryEntryReadableByItsOwnDefault) {
  for (const auto& list : {list_methods(), list_integrators(), list_kernels(), list_energy_laws(), list_controls()}) {
    EXPECT_FALSE(list.empty());
    for (const auto& entry : list) {
      EXPECT_FALSE(entry.about.empty()) << entry.name;
      for (const auto& field : entry.options) {
        EXPECT_FALSE(field.meaning.empty()) << entry.name << " " << field.name;
        const Choice choice(entry.name + "(" + field.name + "=" + field.default_value + ")");
        EXPECT_EQ(choice.options[0].second, field.default_value);
      }
    }
  }
}

TEST(Lists, HoldOnlyMethodsThatRunWithTheirDefaultsWrittenOut) {
  const Model model = read_model(
      "coordinates: {x: 1, y: 0}\nkinetic_energy: x'^2 + y'^2\npotential_energy: y\nconstraints: {rod: x^2 + y^2 = "
      "1}\n",
      "test.yaml");
  for (const auto& entry : list_methods()) {
    std::string inside;
    for (const auto& field : entry.options)
      inside += (inside.empty() ? "" : ", ") + field.name + "=" + field.default_value;
    Options options{.until = 0.1};
    options.method = Choice(entry.name + "(" + inside + ")");
    EXPECT_EQ(simulate(model, options).summary.outcome, Outcome::done) << entry.name;
  }
}

TEST(OptionsOfAModel, ComeFromItsSectionSimulate) {
  const Model model = read_model(R"(coordinates: {x: 1}
kinetic_energy: x'^2
simulate: {until: 3, step: 1e-2, method: {name: perturbation, metric: identity}, assemble: true, every: 0.5}
)",
                                 "test.yaml");
  const Options options = options_of(model);
  EXPECT_EQ(options.until, 3);
  EXPECT_EQ(options.step, 1e-2);
  EXPECT_EQ(options.method.to_string(), "perturbation(metric=identity)");
  EXPECT_TRUE(options.assemble);
  EXPECT_EQ(options.every, 0.5);
}

TEST(OptionsOfAModel, MayBeSpeltAsTheDocumentationSpellsThem) {
  for (const char* name : {"fail_above", "fail-above"}) {
    const Model model = read_model(
        std::string("coordinates: {x: 1}\nkinetic_energy: x'^2\nsimulate: {") + name + ": 1e-6}\n", "test.yaml");
    EXPECT_EQ(options_of(model).fail_above, 1e-6) << name;
  }
}

TEST(OptionsOfAModel, LeaveTheDefaultsTheyDoNotMention) {
  const Model model = read_model("coordinates: {x: 1}\nkinetic_energy: x'^2\nsimulate: {until: 3}\n", "test.yaml");
  Options defaults;
  defaults.rtol = 1e-5;
  defaults.until = 1;
  const Options options = options_of(model, defaults);
  EXPECT_EQ(options.until, 3);
  EXPECT_EQ(options.rtol, 1e-5);
  EXPECT_EQ(options.energy.name, "none");
}

TEST(OptionsOfAModel, ThatAreWrongAreRefusedWithTheirPlace) {
  const Model model =
      read_model("coordinates: {x: 1}\nkinetic_energy: x'^2\nsimulate: {until: 3, step: -1}\n", "test.yaml");
  try {
    options_of(model);
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_EQ(error.place().line, 3);
    EXPECT_NE(std::string(error.what()).find("step"), std::string::npos);
    EXPECT_FALSE(error.remedy().empty());
  }
}

TEST(AnOptionOfAMethod, OutOfItsRangeIsRefusedWithNameValueAndRange) {
  struct Wrong {
    const char *kind, *text, *name, *value, *range;
  };
  for (const auto& [kind, text, name, value, range] :
       {Wrong{"method", "augmented-lagrangian(iterations=0)", "'iterations' of 'augmented-lagrangian'", "cannot be 0",
              "at least 1"},
        Wrong{"method", "auto(rank_tolerance=2)", "'rank_tolerance' of 'auto'", "cannot be 2",
              "at least 0 and below 1"},
        Wrong{"method", "recursive-least-squares(block=0)", "'block'", "cannot be 0", "at least 1"},
        Wrong{"method", "recursive-least-squares(sweeps=-1)", "'sweeps'", "cannot be -1", "at least 0"},
        Wrong{"method", "recursive-least-squares(order=best)", "'order'", "cannot be best",
              "threshold, greedy, natural or hierarchy"},
        Wrong{"method", "gradient-feedback(gain=-1)", "'gain'", "cannot be -1", "at least 0"},
        Wrong{"method", "gradient-feedback(metric=maas)", "'metric'", "cannot be maas", "mass or identity"},
        Wrong{"method", "perturbation(tolerance=0)", "'tolerance'", "cannot be 0", "above 0 and below 1"},
        Wrong{"method", "parametrization(restart=0)", "'restart'", "cannot be 0", "above 0"},
        Wrong{"energy", "multiplier(gain=-40)", "'gain' of 'multiplier'", "cannot be -40", "at least 0"},
        Wrong{"energy", "project(form=half)", "'form'", "cannot be half", "step or terms"}}) {
    Options options;
    try {
      set_option(options, kind, text);
      ADD_FAILURE() << text << " was taken";
    } catch (const InputError& error) {
      const std::string said = error.what();
      for (const char* words : {name, value, range}) EXPECT_NE(said.find(words), std::string::npos) << said;
    }
  }
}

TEST(AnOptionOfAMethod, IsWithinItsRangeByDefault) {
  for (const auto& [kind, list] : {std::pair{"method", list_methods()}, std::pair{"energy", list_energy_laws()}})
    for (const auto& entry : list)
      for (const auto& field : entry.options) {
        Options options;
        const std::string text = entry.name + "(" + field.name + "=" + field.default_value + ")";
        EXPECT_NO_THROW(set_option(options, kind, text)) << text;
      }
}

/// What a run of a pendulum says of its options.
std::string refusal_of_run(const std::string& simulate_section,
                           const std::vector<std::pair<std::string, std::string>>& line) {
  const Model model = read_model(
      "coordinates: {x: 1, y: 0}\nkinetic_energy: x'^2 + y'^2\nconstraints: {rod: x^2 + y^2 = 1}\n" + simulate_section,
      "test.yaml");
  Options options = options_of(model);
  apply_options(line, options, "--");
  try {
    simulate(model, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(OptionsThatDoNotGoTogether, AreNamedAsTheCommandLineGaveThem) {
  const std::string said =
      refusal_of_run("", {{"method", "stabilized-index-2"}, {"integrator", "rk4"}, {"step", "1e-2"}});
  EXPECT_EQ(said.find("--method stabilized-index-2 with --integrator rk4: method"), 0) << said;
  EXPECT_EQ(refusal_of_run("", {{"until", "1"}, {"settle", "2"}}).find("--settle 2: "), 0);
}

TEST(OptionsThatDoNotGoTogether, ArePlacedWhereTheModelGivesThem) {
  const std::string both = refusal_of_run("simulate: {step: 0.01, integrator: rk4, method: stabilized-index-2}\n", {});
  EXPECT_EQ(both.find("test.yaml:4:"), 0) << both;
  EXPECT_NE(both.find("simulate: method: stabilized-index-2 with simulate: integrator: rk4: "), std::string::npos)
      << both;
  const std::string one =
      refusal_of_run("simulate: {step: 0.01, integrator: rk4}\n", {{"method", "stabilized-index-2"}});
  EXPECT_EQ(one.find("test.yaml:4:"), 0) << one;
  EXPECT_NE(one.find("--method stabilized-index-2 with simulate: integrator: rk4: "), std::string::npos) << one;
}

TEST(OptionsThatDoNotGoTogether, HaveNoPlaceWhereOnlyTheProgramGaveThem) {
  const Model model = read_model("coordinates: {x: 1}\nkinetic_energy: x'^2\n", "test.yaml");
  Options options;
  options.integrator = "rk4";
  try {
    simulate(model, options);
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_EQ(error.place().line, 0);
    EXPECT_EQ(std::string(error.what()).find("integrator 'rk4'"), 0) << error.what();
  }
}

TEST(OptionsThatDoNotGoTogether, AreNotBlamedOnAStepThatATolerancePutAside) {
  const std::string said = refusal_of_run("simulate: {step: 0.01, integrator: rk4}\n", {{"rtol", "1e-3"}});
  EXPECT_EQ(said.find("test.yaml:4:"), 0) << said;
  EXPECT_NE(said.find(": simulate: integrator: rk4: integrator 'rk4' takes fixed steps"), std::string::npos) << said;
}

}  // namespace
}  // namespace taut
