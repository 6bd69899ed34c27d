#pragma once

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "model/file_text.hpp"
#include "model/import/list.hpp"
#include "places.hpp"
#include "taut/error.hpp"

/// The robots written for these tests, and reading them as far as the tree of a model.
namespace taut::robot {

inline std::string robot_path(const std::string& name) { return places::source("tests/import/robots/") + name; }

inline Imported imported_file(const std::string& name) { return import_robot(file_text(robot_path(name)), name); }

/// Node at a way of keys, or of indices of lists, from the root.
inline const yaml::Node& at(const yaml::Node& root, const std::vector<std::string>& way) {
  const yaml::Node* node = &root;
  for (const std::string& step : way) {
    node = node->kind == yaml::Node::Kind::list ? &node->items.at(std::stoul(step)) : node->find(step);
    if (node == nullptr) throw std::out_of_range("no " + step);
  }
  return *node;
}

inline std::string text_at(const yaml::Node& root, const std::vector<std::string>& way) {
  return at(root, way).text.text;
}

inline std::vector<double> numbers_at(const yaml::Node& root, const std::vector<std::string>& way) {
  std::vector<double> list;
  for (const yaml::Node& item : at(root, way).items) list.push_back(std::stod(item.text.text));
  return list;
}

inline std::string refusal(const std::string& text, const std::string& file) {
  try {
    import_robot(text, file);
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was refused in\n" << text;
  return "";
}

}  // namespace taut::robot
