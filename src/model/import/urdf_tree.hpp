#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/import/findings.hpp"
#include "model/import/xml.hpp"

namespace taut::robot {

/// The links and joints of a URDF by their names, and that they are one tree: every name once, every joint between
/// links that are there, one root that carries all. What is not so is found as a fault.
class UrdfTree {
 public:
  using Named = std::map<std::string, const Element*>;

  UrdfTree(const Element& root, Findings& findings);

  const Named& links() const { return links_; }
  const Named& joints() const { return joints_; }
  const std::string& root() const { return root_link_; }
  /// What a joint says of another element, which has to be there: the attribute of a child element.
  static std::string reference(const std::string& joint, const Element& element, const char* child_name,
                               const char* attribute, const Named& list);
  static std::vector<std::string> names_of(const Named& list);

 private:
  void list(const Element& root, const char* what, Named& to, Findings& findings);
  void check_joint(const std::string& name, const Element& joint);
  bool reaches_root(const std::string& link);
  void check_tree();

  Named links_, joints_;
  std::map<std::string, std::string> parents_, carried_by_;
  std::set<std::string> reaching_;
  std::string root_link_;
};

}  // namespace taut::robot
