#include "model/mesh.hpp"

#include "fuzz.hpp"

/// A mesh; the first byte says which format its name claims.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string file =
      taut::fuzz::file_of(taut::fuzz::text_of(data + 1, size - 1), data[0] % 2 == 0 ? ".obj" : ".stl");
  return taut::fuzz::expect_result_or_refusal([&] { taut::load_mesh(file); });
}
