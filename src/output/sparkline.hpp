#pragma once

#include <string>
#include <vector>

namespace taut {

/// The violation along a run in one line of text: each sign is the largest of its share of the steps, its height the
/// decade, from the machine's precision (empty) up to one (full).
class DriftHistory {
 public:
  void add(double violation);
  /// "▁▁▂▃ 1e-16 … 3e-12", "" if nothing was added.
  std::string text() const;

 private:
  std::vector<double> largest_;
  long span_ = 1, filled_ = 0;  ///< steps that go into a sign, and that are in the last one
};

}  // namespace taut
