#pragma once

#include <list>
#include <map>
#include <utility>
#include <vector>

#include "model/reading_context.hpp"

namespace taut {

/// Models inside the model: `parts:` makes instances of other files, whose names get the part's before them. A model
/// and its parts are then read as if all stood in one file, inner parts before what they are parts of. Owns the trees
/// of the parts' files, to which the context's parts point, and so lives as long as the model is read.
class PartReader {
 public:
  explicit PartReader(ReadingContext& context) : in_(context) {}

  /// Reads the parameters of a file, then of its parts, and appends to the context's parts what is in the parts and
  /// then the file.
  void expand(const yaml::Node& root, const Instance* around);
  /// Parts that were moved must have something to move. What is given by formulas of coordinates stands where they say,
  /// wherever its part is put.
  void check_placements() const;
  /// Every name that a model sets in its parts has to be there.
  void check_settings() const;

 private:
  void read_parts(const Part& pass);
  const Instance& read_part(const yaml::Node& key, const Value& value, const Part& pass);
  std::string part_file(const Value& value) const;
  void refuse_circle(const Value& value, const Instance& instance) const;
  const yaml::Node& part_tree(const Instance& instance);
  void take_settings(const Value& set, const Instance& instance);

  /// The tree of a file that parts are instances of, and the names that places in it point to.
  struct PartFile {
    std::list<std::string> files;
    yaml::Node tree;
  };

  ReadingContext& in_;
  std::map<std::string, PartFile> part_files_;
  std::vector<std::pair<const Instance*, const yaml::Node*>> placed_;  ///< with what says where
};

}  // namespace taut
