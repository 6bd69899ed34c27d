#include <fmt/format.h>

#include "model/tree/applied_forces.hpp"
#include "model/tree/body_names.hpp"
#include "model/tree/joint_motion.hpp"
#include "model/tree/loop_rows.hpp"
#include "model/tree/rewritten_model.hpp"
#include "model/tree/rewritten_results.hpp"
#include "model/tree/tree_reactions.hpp"

/// A mechanism in joint coordinates: docs/theory/joint-coordinates.md.
namespace taut {
namespace {

/// Joint coordinates of long chains and large nets have many entries in M; bodies have few.
constexpr std::size_t most_bodies = 1000;

/// Writes a mechanism anew in joint coordinates, section by section; each has a class of its own.
class Rewriting {
 public:
  Rewriting(const Model& model, const std::vector<double>& parameters) : w_(model, parameters) {}
  Model run();

 private:
  void refuse_what_is_not_done() const;
  void describe();

  RewrittenModel w_;
  JointMotion motion_{w_};
  BodyNames names_{w_, motion_};
  LoopRows rows_{w_};
  AppliedForces forces_{w_, motion_};
  TreeReactions reactions_{w_, motion_, rows_, forces_};
  RewrittenResults results_{w_, rows_};
};

Model Rewriting::run() {
  refuse_what_is_not_done();
  describe();
  w_.copy_plain();
  w_.sort_symbols();
  motion_.declare();
  motion_.build();
  names_.bind();
  motion_.write_coordinates();
  rows_.write_constraints();
  forces_.write_forces();
  forces_.write_dynamics();
  results_.write_mechanism();
  reactions_.write_reactions();
  results_.write_results();
  results_.show_bodies();
  w_.out.joint_form = std::make_shared<const JointForm>(std::move(w_.form));
  return std::move(w_.out);
}

void Rewriting::refuse_what_is_not_done() const {
  const Place whole{w_.model.file, 0, 0};
  if (!w_.model.mass_matrix.empty())
    throw InputError(whole, "joint coordinates beside a mass_matrix are not supported", remedy_bodies);
  if (!w_.model.switchables.empty())
    throw InputError(
        whole,
        fmt::format("events switch '{}', which joint coordinates do not support", w_.model.switchables.front().name),
        remedy_bodies);
  for (const Watch& event : w_.model.events)
    if (event.contact)
      throw InputError(event.place,
                       fmt::format("'{}' is a contact, which joint coordinates do not support", event.name),
                       remedy_bodies);
  for (std::size_t k = 0; k < w_.model.joints.size(); ++k) {
    const Joint& joint = w_.model.joints[k];
    if (joint.cut == false && !w_.tree.is_branch[k])
      throw InputError(
          joint.place,
          fmt::format("joint '{}' is not to be cut, and cannot be a branch of a tree of joints: {}", joint.name,
                      joint.drawn ? "others reach its bodies, or it would take a planar body out of "
                                    "its plane"
                                  : "joints of type " + joint.type + " are none"),
          "leave 'cut: false' out");
  }
}

void Rewriting::describe() {
  for (const SpanningTree::Branch& branch : w_.tree.branches)
    if (branch.joint < 0) w_.form.free.push_back(w_.model.bodies[branch.body].name);
  for (std::size_t k = 0; k < w_.model.joints.size(); ++k) {
    (w_.tree.is_branch[k] ? w_.form.branches : w_.form.cuts).push_back(w_.model.joints[k].name);
    if (!w_.tree.is_branch[k]) w_.form.reasons.push_back(why_cut(w_.model, w_.tree, k));
  }
}

}  // namespace

Model in_joint_coordinates(const Model& model, const std::vector<double>& parameters) {
  if (model.bodies.size() < 2)
    throw InputError(Place{model.file, 0, 0}, "joint coordinates are for mechanisms, and this model has no bodies",
                     remedy_bodies);
  if (model.bodies.size() > most_bodies)
    throw InputError(Place{model.file, 0, 0},
                     fmt::format("with {} bodies, joint coordinates would take longer than those of bodies",
                                 model.bodies.size() - 1),
                     remedy_bodies);
  return Rewriting(model, parameters).run();
}

}  // namespace taut
