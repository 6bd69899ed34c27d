#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/repetition.hpp"
#include "model/scope.hpp"
#include "model/yaml_tree.hpp"

namespace taut {

struct ReadingContext;

/// A value in a model file: a node, the words by which messages call it, and the part of the model and the pass of a
/// repetition that it stands in. It owns only the words; the rest outlives it. Whoever reads a section asks it for what
/// the value should be, and it throws InputError, with its place and a remedy, where it is something else.
class Value {
 public:
  Value(const ReadingContext& context, const yaml::Node& node, std::string what, const Part& part)
      : context_(&context), node_(&node), what_(std::move(what)), part_(&part) {}

  const yaml::Node& node() const { return *node_; }
  const std::string& what() const { return what_; }
  const Part& part() const { return *part_; }
  const Model& model() const;
  const ReadingContext& context() const { return *context_; }
  Place place() const;
  bool is_list() const { return node_->kind == yaml::Node::Kind::list; }
  bool is_mapping() const { return node_->kind == yaml::Node::Kind::mapping; }
  /// Is it the text of a vector: point(BODY, [X, Y, Z]) without a component?
  bool is_vector_text() const;

  /// The same under other words.
  Value called(std::string what) const { return {*context_, *node_, std::move(what), *part_}; }
  /// Another value of the same part.
  Value beside(const yaml::Node& node, std::string what) const { return {*context_, node, std::move(what), *part_}; }
  /// What a mapping has under a key, called "'KEY' of …"; none where it has no such key, or is no mapping.
  std::optional<Value> find(const char* key) const;
  [[noreturn]] void refuse(const std::string& message, const std::string& remedy) const;

  /// A single value as it is written.
  const yaml::PlacedText& scalar() const;
  /// The same, with every {...} of a repetition replaced by its number.
  yaml::PlacedText filled() const;
  bool flag() const;
  Expression formula(const Context& context) const;
  std::vector<Expression> vector(const Context& context) const;
  /// Three components, or two in the x-y plane.
  Vector3 vector3(const Context& context) const;
  /// Where a point of a body is, by its name; none where the value is something else.
  std::optional<Vector3> named_point(const Context& context) const;
  /// The name of a body, a joint or a force element, as the whole model has it.
  std::string name() const;
  std::vector<std::string> two_names() const;
  std::vector<Vector3> two_vectors() const;

 private:
  const ReadingContext* context_;
  const yaml::Node* node_;
  std::string what_;
  const Part* part_;
};

}  // namespace taut
