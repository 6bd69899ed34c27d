#pragma once

#include <functional>
#include <list>
#include <map>
#include <memory_resource>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/model_tree.hpp"
#include "model/repetition.hpp"
#include "model/scope.hpp"
#include "model/value.hpp"
#include "model/yaml_tree.hpp"
#include "taut/model.hpp"

namespace taut {

/// One entry of a mapping, its name filled in.
struct Entry {
  std::string name;
  Place place;  ///< of the name
  Value value;

  const Part& part() const { return value.part(); }
};

/// What the readers of sections share while a model is read: the tree of its file, the model as far as it has come,
/// what names mean by now, and the parts and passes of repetitions that the sections stand in. It owns all of these;
/// `Reader` makes it, hands it to every section's reader in turn, and takes the model out of it at the end.
struct ReadingContext {
  /// The states of the names `driving` drive coordinates, which is known of a model that has been read.
  ReadingContext(const std::string& text, const std::string& file, const std::vector<Assignment>& set,
                 std::set<std::string> driving);
  ReadingContext(const ReadingContext&) = delete;
  ReadingContext& operator=(const ReadingContext&) = delete;

  Place place(const yaml::Node& node) const { return place_at(file, node.position); }
  [[noreturn]] void refuse(const yaml::Node& node, const std::string& message, const std::string& remedy) const;

  /// Does something with each part that has the section; errors say at which index.
  void each_part(const std::string& section, const std::function<void(const yaml::Node&, const Part&)>& action) const;
  /// The same with each entry of a section that is a mapping.
  void each_entry(const std::string& section, const std::function<void(const Entry&)>& action) const;
  /// The model file itself, after all its parts.
  const Part& own_part() const;
  /// The section where it stands first; null where there is none.
  const yaml::Node* first_of(const std::string& section) const;

  /// What was set from outside, on the command line or by a model around this part.
  std::optional<Expression> assigned(const std::string& name, const Context& context) const;

  /// Lets sections that follow find coordinates and speeds by name, from these indices on.
  void index_coordinates(std::size_t first);
  void index_speeds(std::size_t first);
  Coordinate* find_coordinate(const std::string& name);
  Speed* find_speed(const std::string& name);
  /// Constraints from the first one on belong to this part.
  void give_rows(std::size_t first, const Part& part);

  /// A value that a model gives to a parameter or an initial value of one of its parts.
  struct Given {
    const yaml::Node* key;
    const yaml::Node* value;
    Part scope;  ///< where its formula stands
    const Instance* part;
  };

  const std::set<std::string> driving;
  std::string file;
  RobotReading robots;           ///< how robot files are read, and what was found in them
  std::list<std::string> files;  ///< names of the files that were included
  const std::vector<Assignment>& set;
  yaml::Node root;
  Model model;
  Scope scope;
  Repetition repetition;
  std::vector<Part> parts;  ///< the models inside the model first, inner ones before outer ones
  std::list<Instance> instances;
  std::map<std::string, Given> settings;  ///< by the name in the whole model
  std::vector<double> parameter_values;   ///< by symbol
  std::size_t given_coordinates = 0;      ///< by the section of that name; those of bodies follow

 private:
  void refuse_name_of_part(const std::string& name, const Place& place, const Part& part) const;

  mutable std::unordered_map<std::string, const yaml::Node*> firsts_;  ///< what first_of() has found
  std::pmr::monotonic_buffer_resource memory_;
  NameTable<std::size_t> coordinates_{&memory_}, speeds_{&memory_};  ///< indices by name
};

}  // namespace taut
