#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "places.hpp"
#include "taut/model.hpp"
#include "values.hpp"

namespace taut {
namespace {

namespace fs = std::filesystem;
using testing_values::values;

class Gallery : public testing::Test {
 protected:
  void SetUp() override {
    const fs::path models = places::source("models");
    setenv("TAUT_MODELS", models.c_str(), 1);
  }
  void TearDown() override { unsetenv("TAUT_MODELS"); }
};

TEST_F(Gallery, HoldsTheModelsOfThePapers) {
  std::vector<std::string> names;
  for (const GalleryModel& model : gallery()) names.push_back(model.name);
  for (const std::string name : {"andrews", "bricard", "four-bar-redundant", "knife-edge", "n-four-bar", "pendulum",
                                 "rolling-disk", "slider-crank", "two-four-bars"}) {
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
  }
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
}

TEST_F(Gallery, EachModelSaysWhatItShowsAndCanBeRead) {
  for (const GalleryModel& entry : gallery()) {
    EXPECT_GT(entry.about.size(), 20U) << entry.name;
    const Model model = load_model(entry.name);
    EXPECT_EQ(model.name, fs::path(entry.name).filename().string());
    EXPECT_FALSE(model.simulate.empty()) << entry.name;
    EXPECT_FALSE(model.outputs.empty()) << entry.name;
    // Bodies are drawn even where nothing says how.
    EXPECT_FALSE(model.drawing.empty() && model.bodies.empty()) << entry.name;
  }
}

/// How far from its constraints a model may start. The initial values carry 16 digits or are exact, except in the
/// papers' own examples: those carry the digits that the papers print, and the biped in real time is started off its
/// constraints on purpose, by 1.3e-2. Mechanisms begin where formulas put them, at speeds of some 10 m/s, which leaves
/// a few rounding errors of those.
double inexactness(const std::string& name) {
  if (name.starts_with("papers/")) return 2e-2;
  return name.starts_with("mechanisms/") ? 1e-13 : 1e-15;
}

TEST_F(Gallery, EachModelStartsOnItsConstraints) {
  for (const GalleryModel& entry : gallery()) {
    const Model model = load_model(entry.name);
    auto all = values(model);
    for (const Coordinate& coordinate : model.coordinates) {
      if (coordinate.kinematics) all[coordinate.rate] = evaluate(*coordinate.kinematics, all);
    }
    for (const Constraint& constraint : model.constraints) {
      EXPECT_NEAR(evaluate(constraint.residual, all), 0, inexactness(entry.name))
          << entry.name << " " << constraint.name;
      if (constraint.on_velocity) continue;
      EXPECT_NEAR(evaluate(dot(constraint.residual), all), 0, inexactness(entry.name))
          << entry.name << " " << constraint.name;
    }
  }
}

TEST_F(Gallery, NFourBarsWithTwoLoopsAreTwoFourBars) {
  const Model two = load_model("two-four-bars");
  const Model n = load_model("n-four-bar");
  ASSERT_EQ(n.coordinates.size(), two.coordinates.size());
  auto of_two = values(two);
  auto of_n = values(n);
  for (std::size_t k = 0; k < two.coordinates.size(); ++k) {
    EXPECT_EQ(n.coordinates[k].name, two.coordinates[k].name);
    of_n[n.coordinates[k].symbol] = of_two[two.coordinates[k].symbol] = 0.1 + 0.2 * static_cast<double>(k);
    of_n[n.coordinates[k].rate] = of_two[two.coordinates[k].rate] = 1.3 - 0.3 * static_cast<double>(k);
  }
  // Ten terms of order one, summed in another order.
  EXPECT_NEAR(evaluate(*n.kinetic_energy, of_n), evaluate(*two.kinetic_energy, of_two), 1e-14);
  EXPECT_NEAR(evaluate(*n.potential_energy, of_n), evaluate(*two.potential_energy, of_two), 1e-13);
}

TEST_F(Gallery, NFourBarsGrowWithN) {
  const Model model = load_model("n-four-bar", {{"N", "40"}});
  EXPECT_EQ(model.coordinates.size(), 82U);
  EXPECT_EQ(model.constraints.size(), 81U);
  // 41 posts turn at 1 rad/s about an end, 40 couplers move at 1 m/s.
  EXPECT_NEAR(evaluate(*model.kinetic_energy, values(model)), 41.0 / 6 + 40.0 / 2, 1e-13);
}

TEST_F(Gallery, TheSlidersKineticEnergyIsThatOfItsIndependentCoordinate) {
  const Model model = load_model("slider-crank");
  auto all = values(model);
  const double th = 0.7;
  const double w = 1.3;
  all[model.coordinates[2].symbol] = th;
  all[model.coordinates[3].symbol] = -th;
  all[model.coordinates[2].rate] = w;
  all[model.coordinates[3].rate] = -w;
  const double s = std::sin(th);
  const double c = std::cos(th);
  // Braun & Goldfarb 2009, example 5.2, reduced to th1 with th2 = -th1
  const double inertia = 1.0 / 3 + 2.25 * s * s + 0.25 * c * c + 1.0 / 12 + 4 * s * s;
  EXPECT_NEAR(evaluate(*model.kinetic_energy, all), inertia * w * w / 2, 1e-14);
}

TEST_F(Gallery, ANameThatIsNeitherFileNorModelGetsTheNearest) {
  try {
    load_model("pendulm");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.remedy(), "did you mean 'pendulum'?");
  }
  EXPECT_THROW(load_model("no/such/file.yaml"), InputError);
  EXPECT_THROW(load_model(""), InputError);
}

TEST_F(Gallery, ADirectoryIsNoModel) {
  try {
    load_model(fs::temp_directory_path().string());
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.message(), "this is a directory");
  }
}

TEST_F(Gallery, AFileIsReadByItsPath) {
  const fs::path path = fs::temp_directory_path() / "taut_gallery_test.yaml";
  std::ofstream(path) << "coordinates: {x: 1}\nkinetic_energy: x'^2\n";
  const Model model = load_model(path.string());
  EXPECT_EQ(model.name, "taut_gallery_test");
  EXPECT_EQ(model.file, path.string());
  fs::remove(path);
}

}  // namespace
}  // namespace taut
