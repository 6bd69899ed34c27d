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

SweepDescription fixed_steps(const Model& model, const std::string& vary, double until) {
  Options options = options_of(model);
  options.until = until;
  options.step = 1e-3;
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

TEST(Lane, AMemberInALaneIsTheRunOfItsValues) {
  // Both are rk4 with steps of 1e-3 on the same manifold, corrected in another order: they differ by what a correction
  // of the size of the local error, h⁵ or 1e-15 times derivatives of some 1e3, moves. Redundant rows, singular passages
  // and a driven motor are among them.
  for (const auto& [name, vary] : {std::pair{"two-four-bars", "v0=0.8,1.3"},
                                   {"slider-crank", "m=0.7,1.2"},
                                   {"bricard", "g=9,10"},
                                   {"pendulum", "m=1,2"}}) {
    const Model model = load_model(name);
    const SweepDescription sweep = fixed_steps(model, vary, 0.5);
    LaneMembers members(sweep, model);
    const Twin twin(members.kernel());
    ASSERT_NE(twin.run(), nullptr) << name;
    for (std::uint64_t k = 0; k < 2; ++k) {
      MemberResult result;
      const std::vector<double> in = members.start(k, result);
      ASSERT_FALSE(result.failed) << result.reason;
      std::vector<double> out(static_cast<std::size_t>(members.kernel().out()));
      ASSERT_EQ(twin.run()(in.data(), out.data(), 1, members.step(), members.steps()), 0);
      Options options = options_of(sweep, model);
      options.set = {{sweep.names().front(), sweep.values(k).front()}};
      const Summary alone = simulate(model, options).summary;
      for (std::size_t i = 0; i < alone.final_coordinates.size(); ++i)
        EXPECT_NEAR(out[i], alone.final_coordinates[i].value, 1e-8) << name << " " << alone.final_coordinates[i].name;
      EXPECT_LT(out[out.size() - 4], 1e-13) << name;  // Φ, of coordinates of some metres
      EXPECT_LT(out[out.size() - 3], 1e-12) << name;  // χ
    }
  }
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
