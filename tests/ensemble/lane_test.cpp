#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "ensemble/lane_members.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

namespace fs = std::filesystem;

SweepDescription fixed_steps(const Model& model, const std::string& vary, double until,
                             const std::string& method = "auto", double step = 1e-3) {
  Options options = options_of(model);
  options.method = Choice(method);
  options.integrator = Choice("rk4");
  options.until = until;
  options.step = step;
  SweepPlan plan;
  plan.variations = {read_variation(vary)};
  return describe_sweep(model, options, plan);
}

/// The kernel's text as this machine's C++ compiler takes it.
class Twin {
 public:
  explicit Twin(const LaneKernel& kernel)
      : folder_(fs::temp_directory_path() / ("taut-lane-" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
    std::ofstream(folder_ / "kernel.cpp") << kernel.text;
    const std::string command = "c++ -w -O1 -ffp-contract=off -shared -fPIC -o '" + (folder_ / "kernel.so").string() +
                                "' '" + (folder_ / "kernel.cpp").string() + "'";
    if (std::system(command.c_str()) == 0) library_ = dlopen((folder_ / "kernel.so").c_str(), RTLD_NOW);
  }
  ~Twin() {
    if (library_ != nullptr) dlclose(library_);
    fs::remove_all(folder_);
  }
  using Run = int(const double*, double*, long, double, long);
  Run* run() const { return library_ == nullptr ? nullptr : reinterpret_cast<Run*>(dlsym(library_, "lane_run")); }

 private:
  fs::path folder_;
  void* library_ = nullptr;
};

/// What the lanes of a sweep's members leave behind, and the runs of their values.
struct Comparison {
  std::vector<double> out;
  Summary alone;
  double difference = 0;  ///< the largest, of coordinates

  double position() const { return out[out.size() - 6]; }
  double velocity() const { return out[out.size() - 5]; }
  double energy_error() const { return out[out.size() - 4]; }
  double general_steps() const { return out[out.size() - 3]; }
  double outcome() const { return out[out.size() - 2]; }
};

std::vector<Comparison> compare(const Model& model, const SweepDescription& sweep) {
  const LaneMembers members(sweep, model);
  RepeatedRuns starts = members.starts();
  const Twin twin(members.kernel());
  if (twin.run() == nullptr) throw std::runtime_error("the kernel of " + model.name + " was not compiled");
  std::vector<Comparison> all(sweep.size());
  for (std::uint64_t k = 0; k < all.size(); ++k) {
    MemberResult result;
    const std::vector<double> in = members.start(starts, k, result);
    if (result.failed) throw std::runtime_error(result.reason);
    Comparison& one = all[k];
    one.out.resize(static_cast<std::size_t>(members.kernel().out()));
    twin.run()(in.data(), one.out.data(), 1, members.step(), members.steps());
    Options options = options_of(sweep, model);
    options.set = {{sweep.names().front(), sweep.values(k).front()}};
    one.alone = simulate(model, options).summary;
    for (std::size_t i = 0; i < one.alone.final_coordinates.size(); ++i)
      one.difference = std::max(one.difference, std::abs(one.out[i] - one.alone.final_coordinates[i].value));
  }
  return all;
}

// A lane does the arithmetic of the run, but for parameters that do not vary: they are numbers in its formulas, which
// rounds once less or once more. Rounding of 1e-16 over 2,000 steps of these motions stays below 1e-11.
TEST(Lane, AMemberInALaneIsTheRunOfItsValues) {
  for (const char* method : {"auto", "braun-goldfarb"})
    for (const auto& [name, vary] : {std::pair{"pendulum", "m=1,2"}, {"four-bar-redundant", "g=9,10"}}) {
      const Model model = load_model(name);
      for (const Comparison& one : compare(model, fixed_steps(model, vary, 2, method))) {
        EXPECT_EQ(one.outcome(), 0) << name << " " << method;
        EXPECT_LT(one.difference, 1e-11) << name << " " << method;
        EXPECT_NEAR(one.energy_error(), *one.alone.max_energy_error, 1e-11) << name << " " << method;
        EXPECT_LT(one.position(), 1e-13) << name << " " << method;
        EXPECT_LT(one.velocity(), 1e-9) << name << " " << method;
      }
    }
}

TEST(Lane, RowsThatOthersImplyAreLeftToTheFormulasInSpaceToo) {
  const Model model = load_model("bricard");
  for (const Comparison& one : compare(model, fixed_steps(model, "g=9,10", 0.5))) {
    EXPECT_EQ(one.outcome(), 0);
    EXPECT_LT(one.difference, 1e-11);
    EXPECT_LT(one.position(), 1e-13);
  }
}

// At a passage the pivot falls to some h²: what rounding leaves there, 1e-16, is multiplied by up to 1e6.
TEST(Lane, PassesSingularPositionsAsTheRunDoes) {
  for (const char* method : {"auto", "braun-goldfarb"})
    for (const auto& [name, vary] : {std::pair{"two-four-bars", "v0=0.8,1.3"}, {"slider-crank", "m=0.7,1.2"}}) {
      const Model model = load_model(name);
      for (const Comparison& one : compare(model, fixed_steps(model, vary, 5, method))) {
        EXPECT_EQ(one.outcome(), 0) << name << " " << method;
        EXPECT_LT(one.difference, 1e-9) << name << " " << method;
        EXPECT_NEAR(one.energy_error(), *one.alone.max_energy_error, 1e-9) << name << " " << method;
        EXPECT_LT(one.position(), 1e-12) << name << " " << method;
      }
    }
}

TEST(Lane, TheExportedModelsOwnGeneralStepServesWhereFormulasDoNot) {
  const Model model = load_model("two-four-bars");
  for (const Comparison& one : compare(model, fixed_steps(model, "v0=0.8,1.3", 5))) {
    EXPECT_GT(one.general_steps(), 0);
    EXPECT_LT(one.general_steps(), 100);
  }
}

/// Every step is far too good to be doubted, and all of them lose a hundredth of the energy.
TEST(Lane, WhatAllStepsLoseTogetherIsNotDone) {
  const Model model = load_model("pendulum");
  const SweepDescription sweep = fixed_steps(model, "m=1,2", 25'000, "auto", 0.025);
  const LaneMembers members(sweep, model);
  RepeatedRuns starts = members.starts();
  const Twin twin(members.kernel());
  ASSERT_NE(twin.run(), nullptr);
  MemberResult result;
  const std::vector<double> in = members.start(starts, 0, result);
  Comparison one;
  one.out.resize(static_cast<std::size_t>(members.kernel().out()));
  twin.run()(in.data(), one.out.data(), 1, members.step(), members.steps());
  EXPECT_LT(one.general_steps(), 0.01 * static_cast<double>(members.steps()));
  EXPECT_GT(one.energy_error(), 0.01 * 9);
  EXPECT_NE(one.outcome(), 0);
}

TEST(Lane, MembersStartInTheCoordinatesThatLanesAreMadeFor) {
  const Model model = load_model("mechanisms/slider-crank");
  const SweepDescription sweep = fixed_steps(model, "m=1,2", 0.5);
  Options single = options_of(sweep, model);
  single.until = 0;
  ASSERT_EQ(simulate(model, single).summary.coordinates_used, "joints");
  const LaneMembers members(sweep, model);
  RepeatedRuns starts = members.starts();
  MemberResult result;
  const std::vector<double> in = members.start(starts, 1, result);
  ASSERT_FALSE(result.failed) << result.reason;
  ASSERT_EQ(in.size(), static_cast<std::size_t>(members.kernel().in()));
  EXPECT_EQ(in[0], 2);  // m, and what depends on it; then three planar bodies with a speed for each coordinate
  ASSERT_GT(in.size(), 18U);
  EXPECT_EQ(in[in.size() - 18], 0.5);  // crank.x
}

TEST(Lane, WhatCannotGoInLanesIsRefused) {
  const Model model = load_model("pendulum");
  SweepDescription sweep = fixed_steps(model, "m=1,2", 0.5);
  sweep.run.options.emplace_back("integrator", "dopri5");
  EXPECT_THROW(LaneMembers(sweep, model), InputError);
  SweepDescription chosen_steps = fixed_steps(model, "m=1,2", 0.5);
  std::erase_if(chosen_steps.run.options, [](const auto& option) { return option.first == "step"; });
  EXPECT_THROW(LaneMembers(chosen_steps, model), InputError);
  const Model rough = read_model(R"yaml(
model: rough
coordinates: {x: [0, 1]}
kinetic_energy: x'^2/2
forces: {x: -sign(x')}
)yaml",
                                 "rough.yaml");
  EXPECT_THROW(LaneMembers(fixed_steps(rough, "x(0)=1,2", 0.5), rough), InputError);
}

}  // namespace
}  // namespace taut
