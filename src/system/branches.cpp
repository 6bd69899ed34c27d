#include "system/branches.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "expression/arithmetic.hpp"
#include "expression/derivative.hpp"
#include "system/signs.hpp"

namespace taut {
namespace {

bool has_kink(Op op) { return op == Op::abs || op == Op::sign || op == Op::min || op == Op::max || op == Op::less; }

bool compares(Op op) { return op == Op::min || op == Op::max || op == Op::less; }

class Opening {
 public:
  Opening(Equations& eq, const std::function<Expression(const Expression&)>& flow, KinksOfTime of_time)
      : eq_(eq), graph_(*eq.graph), flow_(flow), signs_(graph_), of_time_(of_time) {}

  void run() {
    const auto order = reachable(graph_, roots());
    if (std::ranges::none_of(order, [this](NodeId id) { return has_kink(graph_.node(id).op); })) return;
    for (const NodeId id : order) opened_[id] = open(id);
    for_formulas([this](Expression& formula) {
      if (formula.graph()) formula = Expression(graph_, opened_.at(formula.in(graph_)));
    });
    for (Expression& output : eq_.outputs)
      if (output.graph())
        output = Expression(
            graph_, shows_forces(output) ? on_known_sides(output.in(graph_)) : with_known_signs(output.in(graph_)));
  }

  void set_reach(const std::vector<Breakaway>& breakaways) {
    eq_.reach.assign(eq_.switching.size(), Expression(1));
    eq_.shape.switch_names.resize(eq_.switching.size());
    for (const Breakaway& b : breakaways) {
      const NodeId argument = signs_.simplest_of_same(b.slip.in(graph_));
      auto known = found_.find(argument);
      if (known == found_.end()) known = found_.find(graph_.apply(Op::negate, argument));
      if (known == found_.end()) continue;
      Expression& reach = eq_.reach[known->second];
      std::string& names = eq_.shape.switch_names[known->second];
      if (!names.empty() && !(reach == b.ratio))
        throw InputError(b.place, "two frictions of the same slip hold differently at rest",
                         "give them the same ratio of 'static' to 'coefficient'");
      reach = b.ratio;
      names += (names.empty() ? "" : ", ") + b.name;
    }
  }

 private:
  /// One of the switching functions, and whether it stands for the argument or for its negative.
  struct Side {
    std::size_t which;
    bool reversed;
  };

  template <class Use>
  void for_formulas(Use&& use) {
    for (auto* list : {&eq_.rates, &eq_.N.entries, &eq_.M.entries, &eq_.f, &eq_.Phi, &eq_.chi, &eq_.H.entries, &eq_.b,
                       &eq_.reactions, &eq_.reaction_slopes.entries})
      for (Expression& formula : *list) use(formula);
    use(eq_.power);
  }

  std::vector<NodeId> roots() {
    std::vector<NodeId> list;
    for_formulas([&](const Expression& formula) {
      if (formula.graph()) list.push_back(formula.in(graph_));
    });
    return list;
  }

  NodeId open(NodeId id) {
    const Graph::Node node = graph_.node(id);
    if (is_leaf(node.op)) return id;
    const NodeId a = opened_.at(node.a), b = is_binary(node.op) ? opened_.at(node.b) : 0;
    if (has_kink(node.op) && switches(node)) {
      const int sign = signs_.of(argument_of(node));
      return sign != 0 ? on_one_side(node.op, a, b, sign) : branched(node.op, a, b, side_of(node));
    }
    return a == node.a && b == (is_binary(node.op) ? node.b : 0) ? id : graph_.apply(node.op, a, b);
  }

  /// An output of forces is to show the friction in force, which at rest is what holds. Reactions depend on
  /// multipliers, and in coordinates of joints on accelerations.
  bool shows_forces(const Expression& output) {
    return std::ranges::any_of(symbols_of(output), [this](SymbolId s) {
      const SymbolKind kind = graph_.info(s).kind;
      return kind == SymbolKind::multiplier || kind == SymbolKind::acceleration;
    });
  }

  /// A formula on the branches of those switching functions that the equations have.
  NodeId on_known_sides(NodeId root) {
    for (const NodeId id : reachable(graph_, {root})) {
      if (opened_.contains(id)) continue;
      const Graph::Node node = graph_.node(id);
      const bool known = has_kink(node.op) && switches(node) && has_side(node);
      opened_[id] = is_leaf(node.op) ? id
                    : known          ? open(id)
                            : graph_.apply(node.op, opened_.at(node.a), is_binary(node.op) ? opened_.at(node.b) : 0);
    }
    return opened_.at(root);
  }

  /// A formula with the signs that the equations have in force: where a slip is held at zero, its own sign would be
  /// that of rounding. Other kinks are continuous, and stay as they are: a branch may have no value beyond its zero.
  NodeId with_known_signs(NodeId root) {
    for (const NodeId id : reachable(graph_, {root})) {
      if (signed_.contains(id)) continue;
      const Graph::Node node = graph_.node(id);
      if (is_leaf(node.op)) {
        signed_[id] = id;
        continue;
      }
      const NodeId a = signed_.at(node.a), b = is_binary(node.op) ? signed_.at(node.b) : 0;
      const bool known = node.op == Op::sign && switches(node) && has_side(node);
      signed_[id] = known ? branched(node.op, a, b, side_of(node)) : graph_.apply(node.op, a, b);
    }
    return signed_.at(root);
  }

  bool has_side(const Graph::Node& node) {
    const NodeId argument = signs_.simplest_of_same(argument_of(node));
    return found_.contains(argument) || found_.contains(graph_.apply(Op::negate, argument));
  }

  /// Does the kink's argument change with the state, and is it known as soon as that is? What depends on time alone is
  /// known before the run, for those who do not vary it; beside an input it is not. What a function of the program
  /// computes has no rate to be known.
  bool switches(const Graph::Node& node) {
    bool moves = false, with_time = false, with_input = false;
    for (const NodeId operand : {node.a, is_binary(node.op) ? node.b : node.a})
      for (const SymbolId s : symbols_of(Expression(graph_, operand))) {
        const SymbolKind kind = graph_.info(s).kind;
        if (kind == SymbolKind::acceleration || kind == SymbolKind::multiplier) return false;
        if (kind == SymbolKind::input && is_driven(eq_, s)) return false;
        with_time = with_time || kind == SymbolKind::time;
        with_input = with_input || kind == SymbolKind::input;
        moves = moves || kind == SymbolKind::coordinate || kind == SymbolKind::rate || kind == SymbolKind::speed;
      }
    return moves || (with_time && (with_input || of_time_ == KinksOfTime::opened));
  }

  /// The function at whose zeros the kink is.
  NodeId argument_of(const Graph::Node& node) {
    return compares(node.op) ? graph_.apply(Op::subtract, node.a, node.b) : node.a;
  }

  /// The one branch of a kink whose argument has one sign throughout.
  NodeId on_one_side(Op op, NodeId a, NodeId b, int sign) {
    switch (op) {
      case Op::sign:
        return graph_.constant(sign);
      case Op::abs:
        return sign > 0 ? a : graph_.apply(Op::negate, a);
      case Op::less:
        return graph_.constant(sign < 0 ? 1 : 0);
      case Op::max:
        return sign > 0 ? a : b;
      default:
        return sign > 0 ? b : a;
    }
  }

  Side side_of(const Graph::Node& node) {
    const NodeId argument = signs_.simplest_of_same(argument_of(node));
    const NodeId opposite = graph_.apply(Op::negate, argument);
    if (const auto known = found_.find(argument); known != found_.end()) return {known->second, false};
    if (const auto known = found_.find(opposite); known != found_.end()) return {known->second, true};
    const std::size_t which = eq_.switching.size();
    found_[argument] = which;
    declare(to_string(Expression(graph_, argument)), Expression(graph_, opened(argument)));
    return {which, false};
  }

  /// A formula with its own kinks on the branches that are in force: operands have been opened before.
  NodeId opened(NodeId id) {
    if (const auto known = opened_.find(id); known != opened_.end()) return known->second;
    const Graph::Node node = graph_.node(id);
    if (is_leaf(node.op)) return id;
    return graph_.apply(node.op, opened(node.a), is_binary(node.op) ? opened(node.b) : 0);
  }

  void declare(const std::string& text, const Expression& s) {
    for (int k = 0; k < BranchInput::count; ++k)
      eq_.branches.push_back(graph_.declare(text + ":" + std::to_string(k), SymbolKind::parameter));
    eq_.shape.switches.push_back(text);
    eq_.switching.push_back(s);
    eq_.switching_rates.push_back(flow_(s));
  }

  Expression input(const Side& side, int k) {
    return {graph_, graph_.symbol(eq_.branches[side.which * BranchInput::count + static_cast<std::size_t>(k)])};
  }

  NodeId branched(Op op, NodeId first, NodeId second, const Side& side) {
    const Expression a(graph_, first), b(graph_, second), own = input(side, BranchInput::free);
    const auto value = [&](BranchInput::Which k, BranchInput::Which mirrored) {
      return input(side, side.reversed ? mirrored : k);
    };
    const Expression sign = side.reversed ? -input(side, BranchInput::sign) : input(side, BranchInput::sign);
    const Expression below = value(BranchInput::shut_below, BranchInput::shut_above),
                     above = value(BranchInput::shut_above, BranchInput::shut_below);
    switch (op) {
      case Op::sign:
        return (own * taut::sign(a) + sign).in(graph_);
      case Op::abs:
        return (own * taut::abs(a) + sign * a).in(graph_);
      case Op::less:
        return (own * apply(Op::less, a, b) + value(BranchInput::below, BranchInput::above)).in(graph_);
      case Op::max:
        return taut::max(a - below, b - above).in(graph_);
      default:
        return taut::min(a + above, b + below).in(graph_);
    }
  }

  Equations& eq_;
  Graph& graph_;
  const std::function<Expression(const Expression&)>& flow_;
  Signs signs_;
  KinksOfTime of_time_;
  std::unordered_map<NodeId, NodeId> opened_, signed_;
  std::unordered_map<NodeId, std::size_t> found_;  ///< switching functions by their arguments
};

}  // namespace

void choose_branch(std::optional<double> sign, std::span<double> inputs) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::ranges::fill(inputs, 0);
  inputs[BranchInput::free] = sign ? 0 : 1;
  if (!sign) return;
  inputs[BranchInput::sign] = *sign;
  inputs[BranchInput::below] = 0.5 * (1 - *sign);
  inputs[BranchInput::above] = 0.5 * (1 + *sign);
  inputs[BranchInput::shut_below] = *sign == -1 ? infinity : 0;
  inputs[BranchInput::shut_above] = *sign == 1 ? infinity : 0;
}

void open_branches(Equations& eq, const std::function<Expression(const Expression&)>& flow,
                   const std::vector<Breakaway>& breakaways, KinksOfTime of_time) {
  Opening opening(eq, flow, of_time);
  opening.run();
  opening.set_reach(breakaways);
}

}  // namespace taut
