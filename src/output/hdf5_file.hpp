#pragma once

#include <string>

#include "output/hdf5_table.hpp"
#include "output/run_writer.hpp"

namespace taut::hdf5 {

/// A file that is being written, claimed for this program for as long as it is open.
class OutputFile {
 public:
  /// A draft can be read even if it is never closed; what is final is smaller.
  enum class Form { draft, final };

  /// Makes the file anew, with what is known of a run before it starts. Throws Trouble.
  OutputFile(const std::string& path, const RunDescription& run, Form form);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  hid_t top() const { return file_; }
  /// The group of the figures of steps, made where it is not there.
  hid_t steps();
  /// Claims room on the disk before the library is asked to write there, since a write that fails half-way leaves a
  /// file that cannot be opened.
  void claim(std::size_t bytes) const;
  void flush() const;
  /// Flushes and gives back what was claimed and not used. Throws Trouble if not all could be written.
  void close();

 private:
  int descriptor_ = -1;
  Handle file_, steps_;
};

}  // namespace taut::hdf5
