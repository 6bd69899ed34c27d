#pragma once

#include <string>
#include <vector>

#include "model/import/findings.hpp"
#include "model/import/sdf_frames.hpp"
#include "model/import/xml.hpp"

namespace taut::robot {

/// A link or a joint, and the model that it belongs to, by its full name: models inside one another are joined by "::".
struct SdfMember {
  const Element* element;
  std::string model, name;
};

/// What there is in an SDF file: models, links, joints and frames, with the frames that they are given in.
class SdfMembers {
 public:
  SdfMembers(const Element& root, Findings& findings);

  const std::vector<SdfMember>& links() const { return links_; }
  const std::vector<SdfMember>& joints() const { return joints_; }
  const SdfFrames& frames() const { return frames_; }
  /// null: there is none.
  const Element* first_model() const { return first_model_; }
  const Element* gravity() const { return gravity_; }
  /// Does it belong to a model that stands still?
  bool stands(const std::string& link) const;
  /// The first link of a model; "" where it has none.
  std::string link_of(const std::string& model) const;
  /// The one model of a file need not stand before every name.
  std::string short_name(const std::string& name) const;

 private:
  void collect(const Element& element, const std::string& model);
  void collect_named(const Element& element, const std::string& model);
  void attach(const Element& element, const std::string& model, const std::string& name);
  static std::string parent_frame(const Element& element, const std::string& model);

  Findings& findings_;
  SdfFrames frames_;
  std::vector<SdfMember> links_, joints_;
  std::vector<std::string> static_models_;
  const Element* first_model_ = nullptr;
  const Element* gravity_ = nullptr;
};

}  // namespace taut::robot
