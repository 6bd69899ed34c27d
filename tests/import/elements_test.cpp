#include "model/import/elements.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>

#include "places.hpp"
#include "robots.hpp"

namespace taut::robot {
namespace {

const std::vector<const FormatRows*> formats{&urdf_rows(), &mjcf_rows(), &sdf_rows()};

TEST(Elements, TheDocumentationHasTheTablesOfTheLists) {
  const std::string page = places::source("docs/import.md");
  std::string text = file_text(page);
  for (const FormatRows* format : formats) {
    const std::string begin = "<!-- table " + std::string(format->name) + " -->\n", end = "<!-- end -->";
    const std::size_t from = text.find(begin);
    ASSERT_NE(from, std::string::npos) << format->name;
    const std::size_t start = from + begin.size(), stop = text.find(end, start);
    const std::string table = table_of(*format);
    // TAUT_WRITE_TABLES=1 writes the page anew, where a list has changed.
    if (std::getenv("TAUT_WRITE_TABLES") != nullptr) text.replace(start, stop - start, table);
    EXPECT_EQ(text.substr(start, table.size()), table) << format->name;
  }
  if (std::getenv("TAUT_WRITE_TABLES") != nullptr) std::ofstream(page) << text;
}

TEST(Elements, NoElementIsListedTwiceAndNoAttributeBothWays) {
  for (const FormatRows* format : formats) {
    for (const ElementRow& row : format->rows) {
      for (const std::string_view within : {row.within.substr(0, row.within.find(' '))})
        EXPECT_EQ(find_row(*format, within, row.name.substr(0, row.name.find(' '))), &row) << row.within << row.name;
      EXPECT_EQ(row.treatment == Treatment::refused, !row.subject.empty()) << row.name;
    }
  }
}

TEST(Elements, EverySubjectOfARefusalCanBeIgnored) {
  for (const FormatRows* format : formats)
    for (const ElementRow& row : format->rows)
      if (!row.subject.empty())
        EXPECT_TRUE(std::ranges::any_of(subjects(), [&](const Subject& s) { return s.name == row.subject; }))
            << row.subject;
}

TEST(ImportOptions, AreReadFromTextAndRefusedByName) {
  const ImportOptions options =
      import_options({{"import.ignore", "friction, actuators"}, {"import.mend_inertia", "on"}});
  EXPECT_TRUE(options.ignore.contains("friction") && options.ignore.contains("actuators"));
  EXPECT_TRUE(options.mend_inertia);
  try {
    import_options({{"import.ignore", "frction"}});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("did you mean 'friction'?"));
  }
}

}  // namespace
}  // namespace taut::robot
