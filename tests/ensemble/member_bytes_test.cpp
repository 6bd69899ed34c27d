#include "ensemble/member_bytes.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace taut {
namespace {

TEST(MemberBytes, ResultsAreReadAgain) {
  const std::vector<MemberResult> results{{7, false, "", "done", {1.5}, {0.1, -2}},
                                          {8, true, "it \"broke\",\nthere", "", {2.5}, {}}};
  const std::vector<MemberResult> again = read_results(to_bytes(results));
  ASSERT_EQ(again.size(), 2u);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(again[k].member, results[k].member);
    EXPECT_EQ(again[k].failed, results[k].failed);
    EXPECT_EQ(again[k].reason, results[k].reason);
    EXPECT_EQ(again[k].verdict, results[k].verdict);
    EXPECT_EQ(again[k].values, results[k].values);
    EXPECT_EQ(again[k].figures, results[k].figures);
  }
  EXPECT_TRUE(read_results("").empty());
  EXPECT_EQ(read_range(to_bytes(MemberRange{5, 9})), (MemberRange{5, 9}));
}

TEST(MemberBytes, AMessageThatIsCutShortIsRefused) {
  const std::string bytes = to_bytes(std::vector<MemberResult>{{7, false, "why", "done", {1.5}, {0.1, -2}}});
  for (std::size_t size = 1; size < bytes.size(); ++size)
    EXPECT_THROW(read_results(bytes.substr(0, size)), std::runtime_error) << size;
}

}  // namespace
}  // namespace taut
