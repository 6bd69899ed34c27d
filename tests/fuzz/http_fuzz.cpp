#include "cli/http_request.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

/// A request as it comes over a socket; the first byte says in pieces of which length.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t piece = data[0] + 1U;
  taut::cli::HttpReader reader;
  for (std::size_t at = 1; at < size; at += piece) {
    const std::size_t length = std::min(piece, size - at);
    reader.take({reinterpret_cast<const char*>(data + at), length});
    if (reader.state() == taut::cli::HttpReader::State::body) reader.begin_body();
  }
  // What is held is never more than what is allowed.
  if (reader.request().body.size() > taut::cli::HttpReader::longest_body) std::abort();
  if (reader.request().headers.size() > taut::cli::HttpReader::most_headers) std::abort();
  reader.request().parameter("token");
  return 0;
}
