#pragma once

#include <algorithm>
#include <array>
#include <string>

#include "taut/stepping.hpp"

/// The law of arm-controlled.yaml in C++, operation by operation: so its motion is the same to the last bit.
namespace taut::arm {

inline constexpr int hinges = 7;
inline constexpr double sample_time = 1e-3;

/// One of each for a hinge, as the model has them.
struct Gains {
  std::array<double, hinges> kp{}, kd{}, w{}, goal{};

  explicit Gains(const Model& model) {
    const InitialValues values = initial_values(model);
    const auto number = [&](const std::string& name) {
      const auto found = std::ranges::find(model.parameters, name, &Parameter::name);
      return values.parameters[static_cast<std::size_t>(found - model.parameters.begin())];
    };
    for (std::size_t k = 0; k < hinges; ++k) {
      const std::string hinge = std::to_string(k + 1);
      kp[k] = number("kp" + hinge);
      kd[k] = number("kd" + hinge);
      w[k] = number("w" + hinge);
      goal[k] = number("goal" + hinge);
    }
  }
};

/// In joint coordinates q are the hinges' angles and v their rates.
class Law {
 public:
  explicit Law(const Model& model) : gains_(model) {}

  void operator()(Simulation& sim) {
    const double s = std::min(sim.t() / 2, 1.0), way = s * s * s * (10 + s * (6 * s - 15)),
                 rate = 15 * (s * s * (1 + s * (s - 2))), bend = 15 * (s * (1 + s * (2 * s - 3)));
    for (std::size_t k = 0; k < hinges; ++k) {
      const auto i = static_cast<Eigen::Index>(k);
      torques_[i] = gains_.kp[k] * (gains_.goal[k] * way - sim.q()[i]) +
                    gains_.kd[k] * (gains_.goal[k] * rate - sim.v()[i]) + gains_.w[k] * (gains_.goal[k] * bend);
    }
    sim.set_inputs(torques_);
  }

 private:
  Gains gains_;
  Vector torques_ = Vector::Zero(hinges);
};

}  // namespace taut::arm
