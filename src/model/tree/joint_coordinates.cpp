#include "model/tree/rewriting.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "expression/program.hpp"

/// A mechanism in joint coordinates: docs/theory/joint-coordinates.md.
namespace taut {
namespace {

/// Joint coordinates of long chains and large nets have many entries in M; bodies have few.
constexpr std::size_t most_bodies = 1000;

}  // namespace

std::optional<SymbolId> symbol_of(const Expression& e) {
  if (e.graph() == nullptr) return std::nullopt;
  const Graph::Node node = e.graph()->node(e.in(*e.graph()));
  return node.op == Op::symbol ? std::optional(SymbolId{node.a}) : std::nullopt;
}

bool has_kind(const Expression& e, SymbolKind kind) {
  return std::ranges::any_of(symbols_of(e), [&](SymbolId s) { return e.graph()->info(s).kind == kind; });
}

Rewriting::Rewriting(const Model& model, const std::vector<double>& parameters)
    : model_(model),
      numbers_(parameters),
      tree_(find_spanning_tree(model)),
      pose_(model, tree_),
      full_(pose_.graph(), *out_.graph, [this](SymbolId s) { return unbound(s); }),
      bias_(pose_.graph(), *out_.graph, [this](SymbolId s) { return unbound(s); }) {}

Model Rewriting::run() {
  refuse_what_is_not_done();
  describe();
  copy_plain();
  sort_symbols();
  declare();
  build();
  bind();
  write_coordinates();
  write_constraints();
  write_forces();
  write_dynamics();
  write_mechanism();
  write_reactions();
  write_results();
  show_bodies();
  out_.joint_form = std::make_shared<const JointForm>(std::move(form_));
  return std::move(out_);
}

void Rewriting::refuse_what_is_not_done() const {
  const Place whole{model_.file, 0, 0};
  if (!model_.mass_matrix.empty())
    throw InputError(whole, "joint coordinates beside a mass_matrix are not supported", remedy_bodies);
  if (!model_.switchables.empty())
    throw InputError(
        whole,
        fmt::format("events switch '{}', which joint coordinates do not support", model_.switchables.front().name),
        remedy_bodies);
  for (const Watch& event : model_.events)
    if (event.contact)
      throw InputError(event.place,
                       fmt::format("'{}' is a contact, which joint coordinates do not support", event.name),
                       remedy_bodies);
  for (std::size_t k = 0; k < model_.joints.size(); ++k) {
    const Joint& joint = model_.joints[k];
    if (joint.cut == false && !tree_.is_branch[k])
      throw InputError(
          joint.place,
          fmt::format("joint '{}' is not to be cut, and cannot be a branch of a tree of joints: {}", joint.name,
                      joint.drawn ? "others reach its bodies, or it would take a planar body out of "
                                    "its plane"
                                  : "joints of type " + joint.type + " are none"),
          "leave 'cut: false' out");
  }
}

Expression Rewriting::unbound(SymbolId s) const {
  const std::string name(pose_graph().info(s).name);
  for (std::size_t k = 0; k < model_.joints.size(); ++k) {
    if (!tree_.is_branch[k]) continue;
    for (const std::size_t row : model_.joints[k].rows)
      if (model_.constraints[row].multiplier == s)
        throw InputError(where_place_,
                         fmt::format("{} depends on {}: joint '{}' is a branch of the tree in joint coordinates, and "
                                     "is held by no constraint",
                                     where_, name, model_.joints[k].name),
                         fmt::format("write 'cut: true' at the joint, or {}", remedy_bodies));
  }
  throw InputError(where_place_, fmt::format("{} uses '{}', which joint coordinates do not know", where_, name),
                   remedy_bodies);
}

void Rewriting::at(std::string where, const Place& place) {
  where_ = std::move(where);
  where_place_ = place;
}

void Rewriting::describe() {
  for (const SpanningTree::Branch& branch : tree_.branches)
    if (branch.joint < 0) form_.free.push_back(model_.bodies[branch.body].name);
  for (std::size_t k = 0; k < model_.joints.size(); ++k) {
    (tree_.is_branch[k] ? form_.branches : form_.cuts).push_back(model_.joints[k].name);
    if (!tree_.is_branch[k]) form_.reasons.push_back(why_cut(model_, tree_, k));
  }
}

void Rewriting::copy_plain() {
  out_.name = model_.name;
  out_.file = model_.file;
  out_.text = model_.text;
  out_.parts = model_.parts;
  out_.simulate = model_.simulate;
  out_.conserve_energy = model_.conserve_energy;
  out_.notes = model_.notes;
  out_.names = model_.names;
  for (Transcript* to : {&full_, &bias_}) to->bind(model_.time, out_.t());
  for (const Parameter& given : model_.parameters) {
    Parameter& parameter = out_.parameters.emplace_back(given);
    parameter.symbol = out_.graph->declare(given.name, model_.graph->info(given.symbol).kind);
    at(fmt::format("parameter '{}'", given.name), given.place);
    parameter.value = write(given.value);
    for (Transcript* to : {&full_, &bias_}) to->bind(given.symbol, symbol(parameter.symbol));
    by_symbol_.resize(out_.graph->symbols());
    const std::size_t k = out_.parameters.size() - 1;
    if (numbers_.size() <= k) numbers_.push_back(evaluate(parameter.value, by_symbol_));
    by_symbol_[parameter.symbol] = numbers_[k];
  }
  for (const Input& given : model_.inputs) {
    at(fmt::format("input '{}'", given.name), given.place);
    out_.inputs.emplace_back(given).value = write(given.value);
  }
}

void Rewriting::sort_symbols() {
  for (std::size_t b = 1; b < model_.bodies.size(); ++b) {
    const Body& body = model_.bodies[b];
    const auto own = [&](const Expression& e) {
      if (const auto s = symbol_of(e)) body_of_[*s] = b;
    };
    for (const Vector3* v : {&body.position, &body.velocity, &body.omega, &body.acceleration, &body.alpha})
      for (int k = 0; k < 3; ++k) own((*v)[k]);
    for (const Expression* e :
         {&body.orientation.w, &body.orientation.x, &body.orientation.y, &body.orientation.z, &body.angle})
      own(*e);
  }
  for (const SpanningTree::Branch& branch : tree_.branches)
    if (branch.joint < 0) free_.insert(static_cast<std::size_t>(branch.body));
  for (std::size_t k = 0; k < model_.joints.size(); ++k)
    if (tree_.is_branch[k] && model_.joints[k].angle)
      if (const auto s = symbol_of(*model_.joints[k].angle); s && !body_of_.contains(*s)) angles_of_tree_.insert(*s);
}

bool Rewriting::stays(SymbolId s) const {
  const auto body = body_of_.find(s);
  return body == body_of_.end() ? !angles_of_tree_.contains(s) : free_.contains(body->second);
}

std::optional<Expression> Rewriting::write(const std::optional<Expression>& e) {
  return e ? std::optional(write(*e)) : std::nullopt;
}

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
