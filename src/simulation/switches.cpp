#include "simulation/switches.hpp"

#include <algorithm>
#include <cmath>

namespace taut {

Switches::Switches(Motion& motion, System& system)
    : motion_(motion), system_(system), all_(system.shape().switches.size()), branches_(all_.size()) {
  const auto& reach = system.shape().switch_reach;
  for (std::size_t k = 0; k < reach.size(); ++k) all_[k].reach = reach[k];
}

void Switches::start(const Vector& values) {
  for (std::size_t k = 0; k < all_.size(); ++k) {
    const double s = values[static_cast<Eigen::Index>(k)];
    all_[k] = Switch{.reach = all_[k].reach};
    if (s != 0 && std::isfinite(s)) hold(k, s > 0 ? 1 : -1);
  }
  apply();
}

void Switches::hold(std::size_t which, double sign) {
  all_[which].side = Switch::Side::held;
  all_[which].sign = sign;
}

void Switches::release(std::size_t which, double t) {
  set_sliding(which, false, t);
  all_[which].side = Switch::Side::free;
}

void Switches::set_sliding(std::size_t which, bool slides, double t) {
  Switch& s = all_[which];
  const int index = static_cast<int>(which);
  const bool slid = std::ranges::find(sliding_, index) != sliding_.end();
  s.side = slides ? Switch::Side::sliding : Switch::Side::held;
  if (!slides) s.sign = s.sign < 0 ? -1 : 1;
  if (slides == slid) return;
  if (slides) sliding_.push_back(index);
  if (!slides) std::erase(sliding_, index);
  changes_.push_back({t, index, slides});
}

void Switches::gather_arrived(std::vector<int>& at_zero) {
  at_zero = sliding_;
  for (std::size_t k = 0; k < all_.size(); ++k) {
    Switch& s = all_[k];
    const bool arrived = s.has_arrived();
    s.arrival = arrived && s.is_sliding() ? Switch::Arrival::leaving : Switch::Arrival::none;
    if (arrived && !s.is_leaving()) at_zero.push_back(static_cast<int>(k));
  }
}

void Switches::get_signs(const std::vector<int>& which, Vector& signs) const {
  signs.resize(static_cast<Eigen::Index>(which.size()));
  for (std::size_t i = 0; i < which.size(); ++i)
    signs[static_cast<Eigen::Index>(i)] = all_[static_cast<std::size_t>(which[i])].sign;
}

void Switches::set_signs(const std::vector<int>& which, const Vector& signs) {
  for (std::size_t i = 0; i < which.size(); ++i)
    all_[static_cast<std::size_t>(which[i])].sign = signs[static_cast<Eigen::Index>(i)];
  apply();
}

void Switches::apply() {
  for (std::size_t k = 0; k < all_.size(); ++k)
    branches_[k] = all_[k].is_free() ? System::Branch() : System::Branch(all_[k].value());
  system_.set_branches(branches_);
  motion_.forget();
}

void Switches::apply_freely(const std::function<void()>& action) {
  std::ranges::fill(branches_, System::Branch());
  system_.set_branches(branches_);
  motion_.forget();
  action();
  apply();
}

}  // namespace taut
