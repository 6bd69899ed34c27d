#include "fuzz.hpp"
#include "output/hdf5.hpp"

/// A run in HDF5. The library's own crashes happen in a child and are refusals; what gets past it must be read whole.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string file = taut::fuzz::file_of(taut::fuzz::text_of(data, size), ".h5");
  return taut::fuzz::expect_result_or_refusal([&] {
    const taut::Hdf5Run run(file);
    for (const std::string& name : run.columns()) run.column(name);
  });
}
