#include "fuzz.hpp"
#include "taut/model.hpp"

/// A formula: of parameters, then of coordinates and rates, with all that is derived from it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string formula = taut::fuzz::text_of(data, size);
  for (char& c : formula)
    if (c == '"' || c == '\\' || c == '\n') c = ' ';
  return taut::fuzz::expect_result_or_refusal([&] {
    taut::read_model(
        "parameters: {a: 1, b: 2}\ncoordinates: {x: [1, 0], y: 2}\nkinetic_energy: x'^2 + y'^2\n"
        "potential_energy: \"" +
            formula + "\"\noutputs: {z: \"" + formula + "\"}\n",
        "/nowhere/fuzz.yaml");
  });
}
