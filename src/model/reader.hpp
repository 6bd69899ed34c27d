#pragma once

#include <functional>
#include <list>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/repetition.hpp"
#include "model/scope.hpp"
#include "model/yaml_tree.hpp"
#include "taut/model.hpp"

/// Turns the tree of a model file into a Model: parameters first, for repetitions count with them;
/// then every name; then every formula. Where a section stands in the file does not matter.
namespace taut {

class Reader {
 public:
  Reader(const std::string& text, const std::string& file, const std::vector<Assignment>& set);
  Model read();

 private:
  using Node = yaml::Node;
  /// One entry of a mapping, its name filled in.
  struct Entry {
    std::string name;
    Place place;  ///< of the name
    const Node& value;
    const Part& part;
  };

  // reading.cpp: the order of things, and parameters
  void read_header();
  void read_parameters();
  void read_parameter(const std::string& name, const Node& node, const Place& place);
  void explain_parameter(const InputError& error, const Node& parameters, const std::string& name) const;
  double structural_value(const std::string& name, const Place& place);
  void mark_structural(SymbolId symbol);
  std::optional<Expression> assigned(const std::string& name, const Context& context);

  // equations.cpp: what the motion obeys
  void declare_names();
  void read_coordinate(const Entry& entry);
  void read_speed(const Entry& entry);
  void read_definitions();
  void read_rates();
  void read_energies();
  void read_mass_matrix();
  void read_energy();
  void read_forces();
  void read_loads();
  void read_load(const Node& node, const std::string& name, const Part& part);
  void read_constraints();
  const Node& read_softness(const Entry& entry, Constraint& constraint);
  void check_mass() const;

  // results.cpp: what is recorded, watched, drawn, and how it is simulated
  void read_outputs();
  void read_events();
  void read_event(const Entry& entry);
  void read_conserve();
  void read_drawing();
  void read_drawing(const Node& node, const Part& part);
  std::vector<std::vector<Expression>> drawn_points(const Node& node, const std::string& kind, const Part& part) const;
  void read_simulate();

  // common to all
  Place place(const Node& node) const { return place_at(file_, node.position); }
  [[noreturn]] void refuse(const Node& node, const std::string& message, const std::string& remedy) const;
  Expression formula(const Node& node, const std::string& what, const Context& context, const Part& part) const;
  std::vector<Expression> vector(const Node& node, const std::string& what, const Context& context,
                                 const Part& part) const;
  std::optional<Expression> sum(const std::string& section, const Context& context) const;
  /// Does something with each part that has the section; errors say at which index.
  void each_part(const std::string& section, const std::function<void(const Node&, const Part&)>& action) const;
  void each_entry(const std::string& section, const std::function<void(const Entry&)>& action) const;
  const Node* first_of(const std::string& section) const;
  Coordinate* find_coordinate(const std::string& name);
  Speed* find_speed(const std::string& name);

  std::string file_;
  std::list<std::string> files_;  ///< names of the files that were included
  const std::vector<Assignment>& set_;
  Node root_;
  Model model_;
  Scope scope_;
  Repetition repetition_;
  std::vector<Part> parts_;
  std::vector<double> parameter_values_;                               ///< by symbol
  std::unordered_map<std::string, std::size_t> coordinates_, speeds_;  ///< indices by name
};

}  // namespace taut
