#include "model/tree/tree_links.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "model/declare.hpp"
#include "model/joints/freedoms.hpp"

namespace taut {
namespace {

Expression symbol(const Model& model, SymbolId id) { return {*model.graph, model.graph->symbol(id)}; }

TreeCoordinate line(const Model& out, const Coordinate& x) {
  return {symbol(out, x.symbol), symbol(out, x.rate), symbol(out, x.acceleration)};
}

const Coordinate& find(const Model& out, const std::string& name) {
  return *std::ranges::find(out.coordinates, name, &Coordinate::name);
}

/// A ball's quaternion p and its speeds, in the axes of what it hangs on: ṗ = ½ ω∘p.
void declare_ball(Model& out, const Joint& joint, BranchCoordinates& result) {
  const char* const parts[] = {"qw", "qx", "qy", "qz"};
  std::array<Expression, 4> q;
  const std::size_t first = out.coordinates.size();
  for (int k = 0; k < 4; ++k) {
    Coordinate& x = add_part_coordinate(out, joint.name, parts[k], joint.place);
    x.initial = k == 0 ? 1 : 0;
    q[k] = symbol(out, x.symbol);
  }
  for (const char* name : {"omega_x", "omega_y", "omega_z"}) {
    const Speed& u = add_part_speed(out, joint.name, name, joint.place);
    result.lines.push_back({0, symbol(out, u.symbol), symbol(out, u.acceleration)});
  }
  const Quaternion p{q[0], q[1], q[2], q[3]};
  result.quaternion = p;
  const auto w = [&](int k) { return result.lines[k].rate; };
  const Quaternion turning = Quaternion{0, w(0), w(1), w(2)} * p, unit = normalized(p);
  const std::array<Expression, 4> rates{turning.w, turning.x, turning.y, turning.z},
      units{unit.w, unit.x, unit.y, unit.z};
  for (int k = 0; k < 4; ++k) {
    out.coordinates[first + k].kinematics = rates[k] / 2;
    out.retractions.push_back({out.coordinates[first + k].symbol, units[k]});
  }
}

double largest(const Vector3& v) {
  double size = 0;
  for (int k = 0; k < 3; ++k)
    if (v[k].is_constant()) size = std::max(size, std::abs(v[k].value()));
  return size;
}

class LinkBuilder {
  using Freedom = JointFreedom::Kind;

 public:
  LinkBuilder(const Model& model, const SpanningTree& tree, const std::vector<BranchCoordinates>& coordinates,
              Transcript& in_out, const ValueNow& now, bool welds_apart)
      : model_(model), tree_(tree), coordinates_(coordinates), in_out_(in_out), now_(now), welds_apart_(welds_apart) {}

  TreeLinks build() {
    result_.links.emplace_back();
    result_.places.resize(model_.bodies.size());
    for (std::size_t k = 0; k < tree_.branches.size(); ++k) {
      branch_ = &tree_.branches[k];
      given_ = &coordinates_[k];
      used_ = 0;
      const int link = branch_->joint < 0 ? free_link() : joint_link();
      result_.link_of_branch.push_back(link);
      if (branch_->joint >= 0) put_body(link);
      if (branch_->joint >= 0 && joint().armature) links()[link].armature = in_out_(*joint().armature);
    }
    return std::move(result_);
  }

 private:
  const Body& body() const { return model_.bodies[branch_->body]; }
  const Joint& joint() const { return model_.joints[branch_->joint]; }
  std::vector<Link>& links() { return result_.links; }

  /// Gives the link that was added last the next of the branch's freedoms.
  int move_last() {
    const TreeCoordinate& x = given_->lines[used_++];
    links().back().rates = {x.rate};
    links().back().accelerations = {x.acceleration};
    return static_cast<int>(links().size()) - 1;
  }
  const Expression& next() const { return given_->lines[used_].value; }

  int turn(int parent, const Vector3& axis, const Expression& lead = 0) {
    add_turn(links(), parent, {at(), axis, sense()}, next(), lead, now_);
    return move_last();
  }
  int travel(int parent, const Vector3& axis) {
    add_travel(links(), parent, axis, sense(), next());
    return move_last();
  }
  int ball(int parent, const Vector3& point) {
    add_ball(links(), parent, point, *given_->quaternion);
    for (; used_ < given_->lines.size(); ++used_) {
      links().back().rates.push_back(given_->lines[used_].rate);
      links().back().accelerations.push_back(given_->lines[used_].acceleration);
    }
    return static_cast<int>(links().size()) - 1;
  }

  double sense() const { return branch_->joint >= 0 && branch_->reversed ? -1 : 1; }
  Vector3 at() { return in_out_(joint().drawn->at); }

  Vector3 direction(std::size_t k) { return snapped(in_out_(joint().drawn->axes[k])); }

  /// A link for each freedom of the joint. Where its first body hangs on its second one, what it turns about comes in
  /// the other order: of a cross the arm that the link before holds, then the one that this link holds.
  int joint_link() {
    int link = result_.places[branch_->parent].link;
    const JointFreedoms& freedoms = *tree_freedoms(joint().type);
    if (freedoms.empty()) return welds_apart_ ? add_weld(links(), link) : link;
    const std::vector<Vector3> along = directions(freedoms);
    for (std::size_t k = 0; k < freedoms.size(); ++k) {
      if (freedoms[k].kind == Freedom::travel)
        link = travel(link, along[k]);
      else if (freedoms[k].kind == Freedom::ball && !body().planar)
        link = ball(link, at());
      else
        link = turn(link, along[k], freedoms[k].leads ? pitch() : Expression(0));
    }
    return link;
  }

  Expression pitch() { return in_out_(joint().drawn->pitch) / (2 * std::numbers::pi); }

  std::vector<Vector3> directions(const JointFreedoms& freedoms) {
    std::vector<Vector3> axes, along;
    for (std::size_t k = 0; k < joint().drawn->axes.size(); ++k) axes.push_back(direction(k));
    if (axes.empty()) axes.push_back({0, 0, 1});  // of a ball between planar bodies
    for (const JointFreedom& freedom : freedoms) along.push_back(direction(freedom.along, axes));
    if (!branch_->reversed) return along;
    std::vector<std::size_t> turns;
    for (std::size_t k = 0; k < freedoms.size(); ++k)
      if (freedoms[k].kind == Freedom::turn) turns.push_back(k);
    std::vector<Vector3> result = along;
    for (std::size_t k = 0; k < turns.size(); ++k) result[turns[k]] = along[turns[turns.size() - 1 - k]];
    return result;
  }

  Vector3 direction(JointFreedom::Along along, const std::vector<Vector3>& axes) const {
    const Vector3& a = axes[0];
    switch (along) {
      case JointFreedom::Along::axis:
        return a;
      case JointFreedom::Along::second_axis:
        return snapped(normalized(axes[1] - dot(a, axes[1]) * a));
      case JointFreedom::Along::across1:
        return snapped(square_to(a, now_).first);
      case JointFreedom::Along::across2:
        return snapped(square_to(a, now_).second);
    }
    return a;
  }

  /// A body that hangs on no joint moves in its own coordinates, along and about the axes of the world.
  int free_link() {
    int link = 0;
    const Vector3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < (body().planar ? 2 : 3); ++k) link = travel(link, axes[k]);
    if (body().planar) {
      add_turn(links(), link, {{0, 0, in_out_(body().initial_position.z)}, axes[2], 1}, next(), 0, now_);
      link = move_last();
    } else {
      link = ball(link, {});
    }
    Link& last = links()[link];
    last.drawn_axes = drawn_axes();
    last.drawn_origin = in_out_(body().initial_position);
    const Quaternion& q = body().initial_orientation;
    last.drawn_turn = {in_out_(q.w), in_out_(q.x), in_out_(q.y), in_out_(q.z)};
    BodyPlace& place = result_.places[branch_->body];
    place.link = link;
    place.is_link = true;
    add_mass(place);
    return link;
  }

  Rotation drawn_axes() {
    const auto& columns = body().initial_axes.columns;
    return snapped(Rotation{{in_out_(columns[0]), in_out_(columns[1]), in_out_(columns[2])}});
  }

  void put_body(int link) {
    BodyPlace& place = result_.places[branch_->body];
    const Link& l = links()[link];
    const Vector3 center = in_out_(body().initial_position);
    place.link = link;
    place.axes = between(l.drawn_axes, drawn_axes());
    place.center =
        snapped(l.drawn_axes.back(center - l.drawn_origin), std::max(largest(center), largest(l.drawn_origin)));
    add_mass(place);
  }

  /// About the link's origin: I = A J Aᵀ + m (c·c 1 − c cᵀ).
  void add_mass(const BodyPlace& place) {
    Link& link = links()[place.link];
    const Expression m = in_out_(body().mass);
    std::vector<Expression> J;
    for (const Expression& entry : body().inertia) J.push_back(in_out_(entry));
    if (body().planar) J = {0, 0, J[2], 0, 0, 0};  // it turns about no other axis
    const auto& [A, c] = std::pair<const Rotation&, const Vector3&>(place.axes, place.center);
    const auto at = [&](int i, int j) { return J[i == j ? i : i + j + 2]; };
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i <= j; ++i) {
        Expression entry = i == j ? m * dot(c, c) - m * (c[i] * c[i]) : -(m * (c[i] * c[j]));
        for (int r = 0; r < 3; ++r)
          for (int s = 0; s < 3; ++s) entry += A.columns[r][i] * at(r, s) * A.columns[s][j];
        link.inertia[i == j ? i : i + j + 2] += entry;
      }
    link.mass += m;
    link.moment += m * c;
  }

  const Model& model_;
  const SpanningTree& tree_;
  const std::vector<BranchCoordinates>& coordinates_;
  Transcript& in_out_;
  const ValueNow& now_;
  bool welds_apart_;
  TreeLinks result_;
  const SpanningTree::Branch* branch_ = nullptr;
  const BranchCoordinates* given_ = nullptr;
  std::size_t used_ = 0;
};

}  // namespace

BranchCoordinates declare_branch(Model& out, const Model& model, const SpanningTree::Branch& branch) {
  BranchCoordinates result;
  const Joint& joint = model.joints[branch.joint];
  const bool planar = model.bodies[branch.body].planar;
  for (const JointFreedom& freedom : *tree_freedoms(joint.type)) {
    if (freedom.kind == JointFreedom::Kind::ball && !planar)
      declare_ball(out, joint, result);
    else
      result.lines.push_back(line(out, add_part_coordinate(out, joint.name, freedom.name, joint.place)));
  }
  return result;
}

BranchCoordinates coordinates_of_free_body(const Model& out, const Body& body) {
  BranchCoordinates result;
  const auto named = [&](const char* part) -> const Coordinate& { return find(out, body.name + "." + part); };
  if (body.planar) {
    for (const char* part : {"x", "y", "angle"}) result.lines.push_back(line(out, named(part)));
    return result;
  }
  const char* const places[] = {"x", "y", "z"};
  const char* const speeds[] = {"vx", "vy", "vz", "omega_x", "omega_y", "omega_z"};
  for (int k = 0; k < 6; ++k) {
    const Speed& u = *std::ranges::find(out.speeds, body.name + "." + speeds[k], &Speed::name);
    const Expression at = k < 3 ? symbol(out, named(places[k]).symbol) : Expression(0);
    result.lines.push_back({at, symbol(out, u.symbol), symbol(out, u.acceleration)});
  }
  const auto q = [&](const char* part) { return symbol(out, named(part).symbol); };
  result.quaternion = Quaternion{q("qw"), q("qx"), q("qy"), q("qz")};
  return result;
}

TreeLinks make_links(const Model& model, const SpanningTree& tree, const std::vector<BranchCoordinates>& coordinates,
                     Transcript& in_out, const ValueNow& now, bool welds_apart) {
  return LinkBuilder(model, tree, coordinates, in_out, now, welds_apart).build();
}

}  // namespace taut
