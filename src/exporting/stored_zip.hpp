#pragma once

#include <string>
#include <vector>

namespace taut {

/// A file of an archive.
struct ZipEntry {
  std::string name, content;
};

/// An archive of files that are stored as they are, without compression: the smallest part of the ZIP format (PKWARE's
/// APPNOTE, 4.3) that every reader knows. The same files give the same bytes.
std::string stored_zip(const std::vector<ZipEntry>& entries);

}  // namespace taut
