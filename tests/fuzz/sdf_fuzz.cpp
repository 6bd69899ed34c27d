#include "fuzz.hpp"
#include "taut/model.hpp"

/// A robot as SDF.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return taut::fuzz::expect_result_or_refusal(
      [&] { taut::read_model(taut::fuzz::text_of(data, size), "/nowhere/fuzz.sdf"); });
}
