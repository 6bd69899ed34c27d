#pragma once

#include <set>
#include <string>
#include <vector>

#include "model/joint_reading.hpp"
#include "model/output_reading.hpp"
#include "model/part_reading.hpp"
#include "model/reading_context.hpp"

namespace taut {

/// Turns the tree of a model file into a Model: parameters first, for repetitions count with them; then every name;
/// then every formula. Where a section stands in the file does not matter. Owns the context that the readers of
/// sections share, and those of them that remember something until the end; read_model() makes one, and asks it once.
class Reader {
 public:
  /// The states of the names `driving` drive coordinates, which is known of a model that has been read.
  Reader(const std::string& text, const std::string& file, const std::vector<Assignment>& set,
         std::set<std::string> driving = {})
      : in_(text, file, set, std::move(driving)) {}

  Model read();
  /// After read(): states that stand in a constraint beside coordinates, and were not said to.
  const std::set<std::string>& found_driving() const { return found_driving_; }

 private:
  struct Step;
  static const Step steps[];

  void read_header();
  void check_unknowns() const;
  void check_bodies() const;

  ReadingContext in_;
  PartReader parts_{in_};
  JointReader joints_{in_};
  OutputReader outputs_{in_};
  std::set<std::string> found_driving_;
};

}  // namespace taut
