#include "model/functional_unit.hpp"

#include <deque>
#include <mutex>

namespace taut {
namespace {

struct Units {
  std::mutex lock;
  std::deque<FunctionalUnit> list;  ///< which does not move what it holds
};

Units& units() {
  static Units all;
  return all;
}

constexpr const char* kind = "a unit";

}  // namespace

void make_unit(Model& model, const std::string& controller, FunctionalUnit unit) {
  const std::scoped_lock guard(units().lock);
  Declaration& declared = model.names.at(controller);
  declared.what = kind;
  declared.index = static_cast<int>(units().list.size());
  units().list.push_back(std::move(unit));
}

const FunctionalUnit* unit_of(const Model& model, const std::string& controller) {
  const auto declared = model.names.find(controller);
  if (declared == model.names.end() || !(declared->second.what == kind)) return nullptr;
  const std::scoped_lock guard(units().lock);
  return &units().list[static_cast<std::size_t>(declared->second.index)];
}

}  // namespace taut
