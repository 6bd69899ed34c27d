// The rooms of the house and the arrow between them: an include against the arrow is a defect.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "places.hpp"

namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

/// What each room may include beside itself: a room, or one public header of a room ("taut/NAME.hpp").
const std::map<std::string, Names> allowed = {
    {"base", {}},
    {"expression", {"base"}},
    {"model", {"base", "expression"}},
    {"system", {"base", "expression", "model"}},
    {"linear", {"base", "taut/system.hpp"}},
    {"enforcement", {"base", "system", "linear"}},
    {"integration", {"base"}},  // knows nothing of mechanics
    {"simulation", {"base", "expression", "model", "system", "linear", "enforcement", "integration"}},
    {"questions", {"base", "expression", "model", "system", "linear", "integration", "simulation"}},
    {"output", {"base", "expression", "model", "system", "simulation", "questions"}},
    {"reproduction", {"base", "expression", "model", "system", "simulation", "output"}},
    {"ensemble", {"base", "expression", "model", "system", "linear", "simulation", "output", "exporting"}},
    {"exporting", {"base", "expression", "model", "system", "linear", "simulation"}},
    {"umbrella",
     {"base", "expression", "model", "system", "simulation", "questions", "output", "ensemble", "exporting"}},
    {"cli",
     {"base", "expression", "model", "system", "simulation", "questions", "output", "reproduction", "ensemble",
      "exporting", "umbrella"}},
};

/// Public headers whose name is not that of their room.
const std::map<std::string, std::string> public_headers = {
    {"error", "base"},      {"choice", "base"},         {"methods", "base"},          {"compare", "simulation"},
    {"vector", "base"},     {"taut", "umbrella"},       {"space", "model"},           {"mechanism", "model"},
    {"visibility", "base"}, {"stepping", "simulation"}, {"first_order", "questions"}, {"control", "model"}};

struct Include {
  int line;
  std::string path;
};

std::vector<Include> includes_of(const std::string& text) {
  static const std::regex pattern(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])");
  std::vector<Include> found;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::smatch match;
    if (std::regex_search(line, match, pattern)) found.push_back({number, match[1]});
  }
  return found;
}

std::string room_of_public(const fs::path& header) {
  const std::string name = header.stem();
  const auto exception = public_headers.find(name);
  return exception == public_headers.end() ? name : exception->second;
}

/// The room of a file, given by its path from the top of the tree: src/ROOM/… or include/taut/NAME.hpp.
std::string room_of_file(const fs::path& file) {
  auto part = file.begin();
  return *part++ == "src" ? part->string() : room_of_public(file);
}

/// The room that an include leads to, "" for one that leads out of the tree, and the public header's name if it is one.
struct Target {
  std::string room, public_name;
};
Target target_of(const fs::path& file, const std::string& include) {
  if (include.starts_with("taut/")) return {room_of_public(include), include};
  const fs::path path = include.starts_with(".")
                            ? (file.parent_path() / include).lexically_normal().lexically_relative("src")
                            : fs::path(include);
  const std::string first = path.begin()->string();
  return {path.has_parent_path() && allowed.contains(first) ? first : "", ""};
}

/// One sentence for every include of `text` that goes against the arrow.
std::vector<std::string> offences(const fs::path& file, const std::string& text) {
  std::vector<std::string> list;
  const std::string room = room_of_file(file);
  if (!allowed.contains(room)) return {file.string() + ": belongs to no room of the table"};
  for (const auto& [line, include] : includes_of(text)) {
    const auto [target, public_name] = target_of(file, include);
    const Names& may = allowed.at(room);
    if (target.empty() || target == room || may.contains(target) || may.contains(public_name)) continue;
    list.push_back(file.string() + ":" + std::to_string(line) + ": " + room + " must not include " + include);
  }
  return list;
}

/// Third-party headers other than Eigen. Headers of the standard library have neither a folder nor an ending.
std::vector<std::string> foreign_headers(const fs::path& file, const std::string& text) {
  std::vector<std::string> list;
  for (const auto& [line, include] : includes_of(text)) {
    const bool standard = include.find_first_of("/.") == std::string::npos;
    if (standard || include.starts_with("Eigen/") || include.starts_with("taut/")) continue;
    list.push_back(file.string() + ":" + std::to_string(line) + ": " + include);
  }
  return list;
}

std::string read(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<fs::path> sources_below(const std::string& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(taut::places::source("")) / folder)) {
    const auto ending = entry.path().extension();
    if (ending == ".cpp" || ending == ".hpp")
      files.push_back(entry.path().lexically_relative(taut::places::source("")));
  }
  return files;
}

TEST(Layers, NoIncludeGoesAgainstTheArrow) {
  int files = 0;
  for (const std::string folder : {"src", "include"}) {
    for (const auto& file : sources_below(folder)) {
      ++files;
      for (const auto& offence : offences(file, read(taut::places::source("") / file))) ADD_FAILURE() << offence;
    }
  }
  EXPECT_GT(files, 0);
}

TEST(Layers, PublicHeadersIncludeNothingForeignButEigen) {
  for (const auto& file : sources_below("include")) {
    for (const auto& offence : foreign_headers(file, read(taut::places::source("") / file))) ADD_FAILURE() << offence;
  }
}

TEST(Layers, TheTableHasNoCircle) {
  // Rooms whose every edge leads to a removed room are removed, until none is left or a circle remains.
  Names removed;
  for (bool progress = true; progress;) {
    progress = false;
    for (const auto& [room, edges] : allowed) {
      bool free = !removed.contains(room);
      for (const auto& edge : edges) free &= removed.contains(edge.starts_with("taut/") ? room_of_public(edge) : edge);
      if (free) progress = removed.insert(room).second;
    }
  }
  EXPECT_EQ(removed.size(), allowed.size());
}

TEST(Layers, ForgedIncludesAreFound) {
  EXPECT_EQ(offences("src/integration/rk4.cpp", "#include \"linear/kernel.hpp\"\n").size(), 1u);
  EXPECT_EQ(offences("src/integration/rk4.cpp", "#include <taut/system.hpp>\n").size(), 1u);
  EXPECT_EQ(offences("src/linear/cod.cpp", "#include \"system/derived.hpp\"\n").size(), 1u);
  EXPECT_EQ(offences("src/model/joints/gear.cpp", "#include \"../../simulation/loop.hpp\"\n").size(), 1u);
  EXPECT_EQ(offences("include/taut/expression.hpp", "\n#  include \"taut/model.hpp\"\n").size(), 1u);
  EXPECT_EQ(offences("src/attic/box.cpp", "").size(), 1u);
  EXPECT_EQ(foreign_headers("include/taut/model.hpp", "#include <fmt/core.h>\n#include <yaml.h>\n").size(), 2u);
}

TEST(Layers, HonestIncludesAreLetThrough) {
  EXPECT_TRUE(offences("src/linear/cod.cpp", "#include \"taut/system.hpp\"\n#include <Eigen/QR>\n").empty());
  EXPECT_TRUE(offences("src/model/joints/gear.cpp", "#include \"model/joints/joint.hpp\"\n").empty());
  EXPECT_TRUE(offences("src/model/joints/gear.cpp", "#include \"../reader.hpp\"\n#include \"joint.hpp\"\n").empty());
  EXPECT_TRUE(foreign_headers("include/taut/system.hpp", "#include <Eigen/Core>\n#include <vector>\n").empty());
}

}  // namespace
