#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "model/mesh.hpp"
#include "taut/error.hpp"
#include "taut/model.hpp"

// Files that mean no good: names that would speak to a terminal, pipes that never end, sizes that take forever.
namespace taut {
namespace {

namespace fs = std::filesystem;

constexpr const char* rest = "coordinates: {x: [1, 0]}\nkinetic_energy: x'^2/2\n";

std::string refusal(const std::string& text) {
  try {
    read_model(text, "hostile.yaml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

class Hostile : public testing::Test {
 protected:
  Hostile() : folder_(testing::TempDir() + "taut_hostile_" + std::to_string(getpid())) {
    fs::create_directory(folder_);
  }
  ~Hostile() override { fs::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ + "/" + name) << text;
    return folder_ + "/" + name;
  }
  std::string folder_;
};

TEST_F(Hostile, ControlCharactersAreRefusedWhereTheyStand) {
  EXPECT_TRUE(refusal(std::string("model: \"a\\x1b[2Jb\"\n") + rest).starts_with("hostile.yaml:1:11: an escape"));
  EXPECT_TRUE(refusal(std::string("model: a\x1b[2Jb\n") + rest).starts_with("hostile.yaml:1:9: "));
  EXPECT_TRUE(refusal(std::string(rest) + "outputs: {\"a\\u202eb\": x}\n").starts_with("hostile.yaml:3:"));
  EXPECT_TRUE(refusal("model: a\xed\xa0\x80\n").starts_with("hostile.yaml:1:9: ")) << "a surrogate";
  EXPECT_EQ(refusal(std::string("model: \"Größe \\u00e9 🙂\"\n") + rest), "");
}

TEST_F(Hostile, PipesAndDevicesAreNoModelsAndNoMeshes) {
  const std::string pipe = folder_ + "/pipe.yaml", mesh = folder_ + "/pipe.stl";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  ASSERT_EQ(mkfifo(mesh.c_str(), 0600), 0);
  EXPECT_THROW(load_model(pipe), InputError);
  EXPECT_THROW(load_model("/dev/zero"), InputError);
  EXPECT_THROW(load_mesh(mesh), InputError);
  fs::create_symlink("/dev/zero", folder_ + "/zero.obj");
  EXPECT_THROW(load_mesh(folder_ + "/zero.obj"), InputError);
  EXPECT_THROW(load_model(write("model.yaml", std::string("include: pipe.yaml\n") + rest)), InputError);
}

/// Seconds of this process, the least of three attempts.
template <class Work>
double cost(Work work) {
  double least = 1e9;
  for (int k = 0; k < 3; ++k) {
    const std::clock_t begin = std::clock();
    work();
    least = std::min(least, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  return least;
}

/// Four times the size takes four times the time where that is linear, and sixteen times where it is quadratic.
template <class Make>
void expect_linear(Make make) {
  const auto small = make(3000), large = make(12'000);
  EXPECT_LT(cost(large), 9 * cost(small) + 0.05);
}

TEST_F(Hostile, OneLineIsReadInLinearTime) {
  expect_linear([](int n) {
    std::string text = "parameters: {p: 1";
    for (int k = 0; k < n; ++k) text += ", p" + std::to_string(k) + ": 1";
    return [text = text + "}\n" + rest] { read_model(text, "one-line.yaml"); };
  });
}

TEST_F(Hostile, ManyDefinitionsAreReadInLinearTime) {
  expect_linear([](int n) {
    std::string text = "parameters: {a: 1}\ndefinitions:\n  d0: a\n";
    for (int k = 1; k < n; ++k) text += "  d" + std::to_string(k) + ": a + " + std::to_string(k) + "\n";
    return [text = text + rest] { read_model(text, "definitions.yaml"); };
  });
}

TEST_F(Hostile, ManyFilesAreIncludedInLinearTime) {
  expect_linear([this](int size) {
    const int n = size / 8;
    std::string list;
    for (int k = 0; k < n; ++k) {
      write("part" + std::to_string(k) + ".yaml", "parameters: {q" + std::to_string(k) + ": 1}\n");
      list += (k > 0 ? ", part" : "part") + std::to_string(k) + ".yaml";
    }
    const std::string file = write("model" + std::to_string(n) + ".yaml", "include: [" + list + "]\n" + rest);
    return [file] { load_model(file); };
  });
}

}  // namespace
}  // namespace taut
