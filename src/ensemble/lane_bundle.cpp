#include "ensemble/lane_bundle.hpp"

#include <filesystem>

#include "ensemble/lane_members.hpp"
#include "output/draft.hpp"
#include "taut/error.hpp"

namespace taut {

void write_lane_bundle(const SweepDescription& sweep, const Model& model, const std::string& folder) {
  const LaneMembers members(sweep, model);
  const std::size_t count = sweep.size(), each = static_cast<std::size_t>(members.kernel().in());
  std::vector<double> numbers{static_cast<double>(count), static_cast<double>(members.steps()),
                              static_cast<double>(each), members.step()};
  RepeatedRuns starts = members.starts();
  const std::size_t first = numbers.size();
  numbers.resize(first + each * count);
  for (std::size_t k = 0; k < count; ++k) {
    MemberResult result;
    const std::vector<double> in = members.start(starts, k, result);
    if (result.failed) throw InputError("member " + std::to_string(k) + ": " + result.reason, "vary other values");
    for (std::size_t i = 0; i < each; ++i) numbers[first + i * count + k] = in[i];
  }
  std::filesystem::create_directories(folder);
  const std::string name = (std::filesystem::path(folder) / model.name).string();
  write_whole(name + ".cu", members.kernel().text);
  write_whole(name + ".in", {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double)});
}

}  // namespace taut
