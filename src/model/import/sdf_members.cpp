#include "model/import/sdf_members.hpp"

#include <algorithm>

namespace taut::robot {
namespace {

/// A name inside a model; models inside one another are joined by "::".
std::string inside(const std::string& model, const std::string& name) {
  return model.empty() ? name : model + "::" + name;
}

}  // namespace

SdfMembers::SdfMembers(const Element& root, Findings& findings) : findings_(findings) { collect(root, ""); }

void SdfMembers::collect(const Element& element, const std::string& model) {
  for (const Element& child : element.children) {
    if (child.name == "gravity" && element.name == "world") gravity_ = &child;
    if (child.name == "world") collect(child, "");
    const bool has_frame =
        child.name == "model" || child.name == "link" || child.name == "joint" || child.name == "frame";
    if (has_frame) findings_.attempt([&] { collect_named(child, model); });
  }
}

void SdfMembers::collect_named(const Element& element, const std::string& model) {
  const std::string name = inside(model, Attributes(element).needed("name"));
  frames_.add(name, parent_frame(element, model), sdf_pose(element.find("pose")), element.place());
  attach(element, model, name);
  if (element.name == "link") links_.push_back({&element, model, name});
  if (element.name == "joint") joints_.push_back({&element, model, name});
  if (element.name != "model") return;
  if (first_model_ == nullptr) first_model_ = &element;
  if (const std::string by = element.attribute("placement_frame"); !by.empty())
    frames_.place_by(name, inside(name, by));
  if (flag_in(element.find("static"), false)) static_models_.push_back(name);
  collect(element, name);
}

/// What stands for a link where a joint names it.
void SdfMembers::attach(const Element& element, const std::string& model, const std::string& name) {
  const auto to = [&](const std::string& other, const std::string& in) {
    if (!other.empty()) frames_.attach(name, other == "world" ? "" : other == "__model__" ? in : inside(in, other));
  };
  if (element.name == "frame")
    to(element.attribute("attached_to").empty() ? "__model__" : element.attribute("attached_to"), model);
  if (element.name == "joint") to(text_in(element.find("child")), model);
  if (element.name == "model") to(element.attribute("canonical_link"), name);
}

/// What a pose is given in: what it says, and else the child link of a joint, what a frame is attached to, the model.
std::string SdfMembers::parent_frame(const Element& element, const std::string& model) {
  const Element* pose = element.find("pose");
  std::string in;
  if (pose != nullptr) in = pose->attribute("relative_to");
  if (pose != nullptr && in.empty()) in = pose->attribute("frame");
  if (in.empty() && element.name == "joint") in = text_in(element.find("child"));
  if (in.empty() && element.name == "frame") in = element.attribute("attached_to");
  if (in == "world") return "";
  return in.empty() || in == "__model__" ? model : inside(model, in);
}

bool SdfMembers::stands(const std::string& link) const {
  return std::ranges::any_of(static_models_, [&](const std::string& model) { return link.starts_with(model + "::"); });
}

std::string SdfMembers::link_of(const std::string& model) const {
  const auto found = std::ranges::find(links_, model, &SdfMember::model);
  return found == links_.end() ? "" : found->name;
}

std::string SdfMembers::short_name(const std::string& name) const {
  const std::string prefix = first_model_ == nullptr ? "" : first_model_->attribute("name") + "::";
  const bool is_only = std::ranges::all_of(links_, [&](const SdfMember& m) { return m.name.starts_with(prefix); });
  return is_only && name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

}  // namespace taut::robot
