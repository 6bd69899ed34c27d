#pragma once

#include <string>

namespace taut::cli {

/// A small page in a file of the user's own that leads to an address. A browser is given the file's name: an address on
/// a command line would show its token to everyone who lists processes. The file goes when this does.
class Doorway {
 public:
  /// Throws std::runtime_error if no private folder can be made.
  explicit Doorway(const std::string& address);
  ~Doorway();
  Doorway(const Doorway&) = delete;
  Doorway& operator=(const Doorway&) = delete;

  const std::string& file() const { return file_; }

 private:
  std::string folder_, file_;
};

}  // namespace taut::cli
