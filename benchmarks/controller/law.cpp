#include <cstdio>
#include <ctime>

#include "law.hpp"

/// Runs the arm under its law in C++: taut_bench_controller ARM.yaml. Prints seconds of the processor, then the final
/// state.
int main(int count, char** words) {
  if (count != 2) return std::fprintf(stderr, "usage: taut_bench_controller ARM.yaml\n"), 2;
  const taut::Model model = taut::load_model(words[1]);
  taut::Simulation sim(model, taut::options_of(model));
  sim.control(taut::arm::sample_time, taut::arm::Law(model));
  const std::clock_t begun = std::clock();
  sim.advance(2);
  std::printf("%.9g", static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC);
  for (const auto* part : {&sim.q(), &sim.v()})
    for (const double value : *part) std::printf(" %.17g", value);
  std::printf("\n");
}
