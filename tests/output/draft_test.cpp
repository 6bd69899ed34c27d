#include "output/draft.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "taut/error.hpp"

namespace taut {
namespace {

namespace fs = std::filesystem;

std::string content(const std::string& file) {
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

class Drafts : public testing::Test {
 protected:
  Drafts() : folder_(testing::TempDir() + "taut_draft_" + std::to_string(getpid())) { fs::create_directory(folder_); }
  ~Drafts() override { fs::remove_all(folder_); }
  std::string operator/(const std::string& name) const { return folder_ + "/" + name; }
  std::string folder_;
};

TEST_F(Drafts, TakeTheirPlaceWhenTheyAreKept) {
  std::ofstream(*this / "a.csv") << "earlier";
  {
    Draft draft(*this / "a.csv");
    EXPECT_EQ(draft.path(), *this / "a.part.csv");
    EXPECT_EQ(draft.write("new"), 3u);
    EXPECT_EQ(content(*this / "a.csv"), "earlier");
    draft.keep();
  }
  EXPECT_EQ(content(*this / "a.csv"), "new");
  EXPECT_FALSE(fs::exists(*this / "a.part.csv"));
}

TEST_F(Drafts, GoWithoutATraceIfNobodyKeepsThem) {
  std::ofstream(*this / "a.csv") << "earlier";
  { EXPECT_EQ(Draft(*this / "a.csv").write("new"), 3u); }
  EXPECT_EQ(content(*this / "a.csv"), "earlier");
  EXPECT_FALSE(fs::exists(*this / "a.part.csv"));
}

TEST_F(Drafts, ThatAreNotWholeReplaceNothing) {
  std::ofstream(*this / "a.csv") << "earlier";
  {
    Draft draft(*this / "a.csv");
    draft.write("half");
    EXPECT_EQ(draft.keep_unfinished(), *this / "a.part.csv");
  }
  EXPECT_EQ(content(*this / "a.csv"), "earlier");
  EXPECT_EQ(content(*this / "a.part.csv"), "half");
  Draft first(*this / "b.csv");
  EXPECT_EQ(first.keep_unfinished(), *this / "b.csv") << "there was nothing to lose";
}

TEST_F(Drafts, OfProgramsThatWereKilledMayStayUntilTheirNameIsGivenAway) {
  std::ofstream(*this / "a.part.csv") << "whole";
  {
    Draft draft(*this / "a.csv", Draft::Earlier::left);
    EXPECT_EQ(content(draft.path()), "whole");
  }
  std::ofstream(*this / "a.part.csv") << "whole";
  Draft draft(*this / "a.csv");
  EXPECT_EQ(content(draft.path()), "");
}

TEST_F(Drafts, HaveOneWriter) {
  const Draft first(*this / "a.csv");
  EXPECT_THROW(Draft(*this / "a.csv"), InputError);
  fs::create_symlink(*this / "a.csv", *this / "link.csv");
  EXPECT_THROW(Draft(*this / "link.csv"), InputError);
}

TEST_F(Drafts, FollowLinksAndKeepThem) {
  fs::create_directory(*this / "elsewhere");
  std::ofstream(*this / "elsewhere/a.csv") << "earlier";
  fs::create_symlink("elsewhere/a.csv", *this / "link.csv");
  write_whole(*this / "link.csv", "new");
  EXPECT_TRUE(fs::is_symlink(*this / "link.csv"));
  EXPECT_EQ(content(*this / "elsewhere/a.csv"), "new");
  fs::create_symlink("elsewhere/not-yet.csv", *this / "dangling.csv");
  write_whole(*this / "dangling.csv", "new");
  EXPECT_EQ(content(*this / "elsewhere/not-yet.csv"), "new");
}

TEST_F(Drafts, KeepTheRightsOfTheEarlierFile) {
  std::ofstream(*this / "a.csv") << "earlier";
  ASSERT_EQ(chmod((*this / "a.csv").c_str(), 0640), 0);
  write_whole(*this / "a.csv", "new");
  struct stat status = {};
  ASSERT_EQ(stat((*this / "a.csv").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

TEST_F(Drafts, AreNotMadeForDevices) {
  const Draft draft("/dev/null");
  EXPECT_TRUE(draft.is_device());
  EXPECT_EQ(draft.write("gone"), 4u);
  EXPECT_TRUE(fs::exists("/dev/null"));
}

/// Opening waited for a reader, and no signal ended that.
TEST_F(Drafts, DoNotWaitForAReaderOfAPipe) {
  ASSERT_EQ(mkfifo((*this / "pipe.csv").c_str(), 0600), 0);
  EXPECT_THROW(Draft(*this / "pipe.csv"), InputError);
  const int reader = open((*this / "pipe.csv").c_str(), O_RDONLY | O_NONBLOCK);
  EXPECT_EQ(Draft(*this / "pipe.csv").write("row"), 3u);
  close(reader);
}

TEST_F(Drafts, AreRefusedWhereNothingCanBeWritten) {
  EXPECT_THROW(Draft("/no/such/folder/a.csv"), InputError);
  EXPECT_THROW(Draft{folder_}, InputError);
}

TEST(SameFile, IsSeenThroughLinks) {
  const std::string folder = testing::TempDir() + "taut_same_" + std::to_string(getpid());
  fs::create_directory(folder);
  std::ofstream(folder + "/a") << "a";
  std::ofstream(folder + "/b") << "a";
  fs::create_hard_link(folder + "/a", folder + "/hard");
  fs::create_symlink("a", folder + "/soft");
  EXPECT_TRUE(is_same_file(folder + "/a", folder + "/hard"));
  EXPECT_TRUE(is_same_file(folder + "/a", folder + "/soft"));
  EXPECT_FALSE(is_same_file(folder + "/a", folder + "/b"));
  EXPECT_FALSE(is_same_file(folder + "/a", folder + "/none"));
  fs::remove_all(folder);
}

}  // namespace
}  // namespace taut
