#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "cli/program.hpp"

namespace taut::test {
namespace {

using testing::HasSubstr;

class SweepCommand : public testing::Test {
 protected:
  Result sweep(std::vector<std::string> words) const {
    words.insert(words.begin(), {"sweep", "--ledger", ledger_});
    return taut(words);
  }
  std::string trajectory(int member) const {
    return folder_ / "study.trajectories" + "/0000000" + std::to_string(member) + ".h5";
  }

  Folder folder_;
  std::string model_ = folder_.write("pendulum.yaml", pendulum_text);
  std::string ledger_ = folder_ / "study.db";
};

TEST_F(SweepCommand, WritesAScriptForSlurmThatRunsWhatWaits) {
  const std::string script = folder_ / "job.sh";
  const Result begun = sweep({model_, "--vary", "l=1,1.5,2", "--assemble", "--until", "1", "--slurm", script});
  ASSERT_EQ(begun.status, 0) << begun.err;
  EXPECT_EQ(sweep({"--status", "--json"}).json()["waiting"], 3);
  EXPECT_THAT(content(script), HasSubstr("#SBATCH --requeue"));
  // What the script does, with a launcher that starts one process.
  std::filesystem::create_directory(folder_ / "bin");
  folder_.write("bin/mpirun", "#!/bin/sh\nexec \"$@\"\n");
  std::filesystem::permissions(folder_ / "bin/mpirun", std::filesystem::perms::owner_all);
  ASSERT_EQ(std::system(("PATH='" + folder_ / "bin" + "':$PATH bash " + script + " 2>/dev/null").c_str()), 0);
  EXPECT_EQ(sweep({"--status", "--json"}).json()["done"], 3);
}

TEST_F(SweepCommand, KeepsTrajectoriesThatPlotAndReportRead) {
  const Result done =
      sweep({model_, "--vary", "l=1,1.5", "--assemble", "--until", "1", "--keep", "summary,trajectories"});
  ASSERT_EQ(done.status, 0) << done.err;
  for (const int member : {0, 1}) {
    const Result page = taut({"report", trajectory(member), "--out", folder_ / "page.html"});
    EXPECT_EQ(page.status, 0) << page.err;
  }
}

TEST_F(SweepCommand, KilledWhileItWritesTrajectoriesLosesNoneThatTheLedgerTellsOf) {
  const std::vector<std::string> words{"sweep",
                                       model_,
                                       "--ledger",
                                       ledger_,
                                       "--vary",
                                       "l=1:2:400",
                                       "--assemble",
                                       "--until",
                                       "2",
                                       "--keep",
                                       "summary,trajectories"};
  Program killed(words);
  while (!std::filesystem::exists(trajectory(5))) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  killed.signal(SIGKILL);
  killed.wait();
  EXPECT_LT(sweep({"--status", "--json"}).json()["done"], 400);
  const Result resumed = sweep({"--resume", "--json"});
  ASSERT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_EQ(resumed.json()["done"], 400);
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "study.trajectories"))
    files += entry.path().stem().extension() != ".part";
  EXPECT_EQ(files, 400);
}

TEST_F(SweepCommand, EndsWhereTrajectoriesCannotBeWritten) {
  folder_.write("study.trajectories", "a file where the folder should be");
  const Result result = sweep({model_, "--vary", "l=1,1.5", "--assemble", "--until", "1", "--keep", "trajectories"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("study.trajectories"));
  EXPECT_EQ(sweep({"--status", "--json"}).json()["waiting"], 2);
}

}  // namespace
}  // namespace taut::test
