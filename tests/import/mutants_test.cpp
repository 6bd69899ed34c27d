// Robot files with something broken: each is refused with a word, or runs; none may crash or hang.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <random>

#include "model/import/xml.hpp"
#include "places.hpp"
#include "robots.hpp"
#include "taut/simulation.hpp"

namespace taut::robot {
namespace {

namespace fs = std::filesystem;

void collect(Element& element, std::vector<Element*>& list) {
  list.push_back(&element);
  for (Element& child : element.children) collect(child, list);
}

std::string escaped(const std::string& text) {
  std::string made;
  for (const char c : text) made += c == '<' ? "&lt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
  return made;
}

void write(const Element& element, std::string& text) {
  text += "<" + element.name;
  for (const XmlAttribute& a : element.attributes) text += " " + a.name + "=\"" + escaped(a.value) + "\"";
  text += ">" + escaped(element.text);
  for (const Element& child : element.children) write(child, text);
  text += "</" + element.name + ">\n";
}

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  std::string mutant(const std::string& text, const std::string& file) {
    Element root = parse_xml(text, file);
    for (std::size_t k = 0; k <= pick(3); ++k) mutate(root);
    std::string made;
    write(root, made);
    return pick(20) == 0 ? made.substr(0, pick(made.size())) : made;
  }

 private:
  std::size_t pick(std::size_t below) {
    return below == 0 ? 0 : std::uniform_int_distribution<std::size_t>(0, below - 1)(random_);
  }

  void mutate(Element& root) {
    std::vector<Element*> all;
    collect(root, all);
    Element& chosen = *all[pick(all.size())];
    switch (pick(7)) {
      case 0:
        if (!chosen.children.empty())
          chosen.children.erase(chosen.children.begin() + static_cast<long>(pick(chosen.children.size())));
        return;
      case 1:
        if (!chosen.children.empty()) chosen.children.push_back(chosen.children[pick(chosen.children.size())]);
        return;
      case 2:
        if (!chosen.attributes.empty())
          chosen.attributes.erase(chosen.attributes.begin() + static_cast<long>(pick(chosen.attributes.size())));
        return;
      case 3:
        chosen.name = all[pick(all.size())]->name;
        return;
      case 4:
        chosen.text = broken(chosen.text);
        return;
      default:
        if (!chosen.attributes.empty()) {
          XmlAttribute& a = chosen.attributes[pick(chosen.attributes.size())];
          const Element& other = *all[pick(all.size())];
          a.value = pick(3) == 0 && !other.attributes.empty() ? other.attributes[pick(other.attributes.size())].value
                                                              : broken(a.value);
        }
    }
  }

  std::string broken(const std::string& value) {
    static const std::vector<std::string> values{"",  "0",   "-1",    "nan", "1e400", "x",        "0 0 0",
                                                 "1", "1 2", "1e-30", "inf", "1e30",  "-1 -1 -1", "true"};
    return pick(2) == 0 ? values[pick(values.size())] : value + "7";
  }

  std::mt19937 random_;
};

void read_and_start(const std::string& text, const std::string& file) {
  try {
    const Model model = read_model(text, file);
    simulate(model, options_of(model, {.until = 0, .record = false}));
  } catch (const InputError& error) {
    EXPECT_FALSE(error.message().empty());
    EXPECT_FALSE(error.place().file.empty()) << error.what();
    EXPECT_GT(error.place().line, 0) << error.what();
    // Of several faults at once each has its own behind a semicolon.
    EXPECT_TRUE(!error.remedy().empty() || error.message().find("; ") != std::string::npos) << error.what();
  }
}

/// Files of the tests; with TAUT_MUTANTS=N, N mutants of these and of those that lie beside the checkout.
TEST(Mutants, AreRefusedOrRun) {
  const char* const more = std::getenv("TAUT_MUTANTS");
  const int count = more != nullptr ? std::atoi(more) : 150;
  std::vector<std::string> files;
  for (const char* name : {"arm.urdf", "gripper.urdf", "leg.urdf", "five_bar.urdf", "four_bar.xml",
                           "geared_pendulums.xml", "machine.xml", "rig.sdf"})
    files.push_back(robot_path(name));
  const fs::path shared = std::filesystem::path(places::source("../shared/robots"));
  if (more != nullptr && fs::is_directory(shared))
    for (const auto& entry : fs::recursive_directory_iterator(shared)) {
      const std::string end = entry.path().extension().string();
      if (end == ".xml" || end == ".urdf" || end == ".sdf") files.push_back(entry.path().string());
    }
  std::ranges::sort(files);
  for (int k = 0; k < count; ++k) {
    const std::string& file = files[static_cast<std::size_t>(k) % files.size()];
    SCOPED_TRACE(file + ", mutant " + std::to_string(k));
    read_and_start(Mutator(static_cast<unsigned>(k)).mutant(file_text(file), file), file);
  }
}

}  // namespace
}  // namespace taut::robot
