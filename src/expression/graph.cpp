#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <utility>

#include "expression/arithmetic.hpp"
#include "taut/expression.hpp"

namespace taut {
namespace {

/// The constants every graph begins with.
constexpr NodeId zero = 0;
constexpr NodeId one = 1;

/// Of the index of an empty graph.
constexpr std::size_t fewest_places = 64;

/// A formula as factor * rest; the rest of a constant is one.
struct Factored {
  double factor;
  NodeId rest;
};

Factored factored(const Graph& graph, NodeId id) {
  const Graph::Node node = graph.node(id);
  if (node.op == Op::constant) return {node.value, one};
  if (node.op == Op::negate) return {-1, node.a};
  if (node.op == Op::multiply && graph.node(node.a).op == Op::constant) return {graph.node(node.a).value, node.b};
  return {1, id};
}

bool is_exact_quotient(double quotient, double a, double b) {
  return std::isnormal(quotient) && std::fma(quotient, b, -a) == 0;
}

/// A constant over something.
bool is_reciprocal(const Graph& graph, NodeId id) {
  const Graph::Node node = graph.node(id);
  return node.op == Op::divide && graph.node(node.a).op == Op::constant;
}

bool commutes(Op op) { return op == Op::add || op == Op::multiply || op == Op::min || op == Op::max; }

}  // namespace

std::uint64_t Graph::hash(Op op, const Operands& operands) {
  // The finaliser of splitmix64.
  std::uint64_t x =
      (std::uint64_t{operands.a} << 32 | operands.b) + 0x9e3779b97f4a7c15u * (static_cast<std::uint64_t>(op) + 1);
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

Graph::Graph() : own_{std::vector(fewest_places, none)} {
  constant(0);
  constant(1);
}

Graph::Graph(std::shared_ptr<const Graph> base)
    : base_(std::move(base)),
      first_(static_cast<NodeId>(base_->size())),
      first_symbol_(static_cast<SymbolId>(base_->symbols())),
      own_{std::vector(fewest_places, none), first_, first_},
      counts_(base_->counts_) {
  if (!base_->is_findable()) make_findable();
}

NodeId Graph::constant(double value) {
  if (value == 0 && size() > zero) return zero;
  if (value == 1 && size() > one) return one;
  // Adding 0 turns -0 into 0: one zero, one node.
  const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
  return intern(Op::constant, {static_cast<NodeId>(bits >> 32), static_cast<NodeId>(bits)});
}

NodeId Graph::symbol(SymbolId id) { return intern(Op::symbol, {id, 0}); }

SymbolId Graph::declare(std::string_view name, SymbolKind kind) {
  const auto id = static_cast<SymbolId>(symbols());
  names_ += name;
  symbols_.push_back(
      {kind, counts_[static_cast<std::size_t>(kind)]++, no_symbol, static_cast<std::uint32_t>(names_.size())});
  return id;
}

void Graph::set_rate(SymbolId id, SymbolId rate) {
  assert(id >= first_symbol_);
  symbols_[id - first_symbol_].rate = rate;
}

void Graph::shrink() {
  for (Index* index : {&own_, &below_}) index->places = std::vector<NodeId>();
  symbols_.shrink_to_fit();
  names_.shrink_to_fit();
}

/// The places of the index at which a node may stand, in turn. Those who use the same formulas stand close together:
/// new formulas are made of those made a moment ago, so that what is looked at is still in the cache, however large the
/// graph. Formulas with several users have a wider neighbourhood; those with very many find them all over the index.
class Graph::Probe {
 public:
  Probe(const Index& index, Op op, const Operands& operands, std::uint64_t hash)
      : size_(index.places.size()), hash_(hash) {
    const NodeId first = index.first;
    if (op == Op::constant) {
      jump();
    } else if (op == Op::symbol) {
      // A few places for each symbol, since there are fewer of them than of other nodes.
      last_ = operands.a;
      set_place(4 * last_);
    } else if (last_ = std::max(operands.a, operands.b); last_ < first) {
      set_place(last_ * size_ / first + hash % 8);  // the nodes of the base cover all of the index …
    } else {
      last_ -= first;
      set_place(last_ * 4 / 3 + hash % 8);  // … and so do own ones, as many as there can be
    }
  }

  std::size_t place() const { return place_; }
  void go_on() {
    --left_;
    if (left_ > 0 && left_ != nearby) {
      place_ = place_ + 1 == size_ ? 0 : place_ + 1;
    } else if (left_ == nearby) {
      set_place(16 * last_ + hash_ % 16);
    } else {
      jump();
    }
  }

 private:
  static constexpr int nearby = 16;  ///< places in either neighbourhood

  void set_place(std::uint64_t place) { place_ = static_cast<std::size_t>(place % size_); }
  void jump() {
    left_ = 0;
    place_ = static_cast<std::size_t>((hash_ >> 32) * size_ >> 32);
    hash_ = hash_ * 0xd1342543de82ef95u + 1;
  }

  std::size_t size_;
  std::uint64_t hash_, last_ = 0;
  std::size_t place_ = 0;
  int left_ = 2 * nearby;
};

NodeId Graph::find(const Index& index, Op op, const Operands& operands, std::uint64_t hash) const {
  for (Probe probe(index, op, operands, hash); index.places[probe.place()] != none; probe.go_on()) {
    const NodeId id = index.places[probe.place()];
    if (this->operands(id) == operands && this->op(id) == op) return id;
  }
  return none;
}

/// The number of a node, or none if there is no such node yet.
NodeId Graph::find(Op op, const Operands& operands, std::uint64_t hash) const {
  if (base_ && (is_leaf(op) || std::max(operands.a, operands.b) < first_)) {
    // What the base has gained since is not part of this graph.
    const NodeId id = below_.places.empty() ? base_->find(op, operands, hash) : find(below_, op, operands, hash);
    if (id < first_) return id;
  }
  return find(own_, op, operands, hash);
}

NodeId Graph::intern(Op op, const Operands& operands) {
  if (!is_findable()) make_findable();
  const std::uint64_t key = hash(op, operands);
  if (const NodeId known = find(op, operands, key); known != none) return known;
  const auto id = static_cast<NodeId>(size());
  ops_.push_back(op);
  operands_.push_back(operands);
  own_.end = id + 1;
  if (4 * (ops_.size() + 1) > 3 * own_.places.size()) {
    // What grows on top of another is there for a short while; a model's own graph stays, and is to be small.
    fill(own_, base_ ? 2 * own_.places.size() : own_.places.size() + own_.places.size() / 2);
  } else {
    place(own_, id, op, operands, key);
  }
  return id;
}

void Graph::place(Index& index, NodeId id, Op op, const Operands& operands, std::uint64_t hash) const {
  Probe probe(index, op, operands, hash);
  while (index.places[probe.place()] != none) probe.go_on();
  index.places[probe.place()] = id;
}

void Graph::fill(Index& index, std::size_t places) const {
  index.places = std::vector<NodeId>();  // first, so that never both take room
  index.places.assign(places, none);
  for (NodeId id = index.first; id < index.end; ++id)
    place(index, id, op(id), operands(id), hash(op(id), operands(id)));
}

/// The base is not touched: others may read it at the same time.
void Graph::make_findable() {
  const auto places = [](const Index& index) {
    return std::max(fewest_places, 3 * std::size_t{index.end - index.first} / 2);
  };
  if (own_.places.empty()) fill(own_, places(own_));
  if (!base_ || base_->is_findable()) return;
  below_ = {{}, 0, first_};
  fill(below_, places(below_));
}

/// The node op(a, b) as it stands, but for the order of operands that may be exchanged: ascending
/// numbers, a constant before a product and after a sum.
NodeId Graph::ordered(Op op, NodeId a, NodeId b) {
  if (commutes(op)) {
    const bool a_fixed = node(a).op == Op::constant;
    const bool b_fixed = node(b).op == Op::constant;
    const bool constant_first = op == Op::multiply;
    const bool swapped = a_fixed != b_fixed ? a_fixed != constant_first : a > b;
    if (swapped) std::swap(a, b);
  }
  return intern(op, {a, b});
}

NodeId Graph::apply(Op op, NodeId a, NodeId b) {
  if (!is_binary(op)) b = 0;
  const bool constants = node(a).op == Op::constant && (!is_binary(op) || node(b).op == Op::constant);
  if (!constants) return simplified(op, a, b);
  const double x = node(a).value;
  const double y = node(b).value;
  const double value = op == Op::power ? constant_power(x, y) : compute(op, x, y);
  // 1/0 stays 1/0, so that the mistake shows where the formula is used.
  return std::isfinite(value) ? constant(value) : ordered(op, a, b);
}

NodeId Graph::simplified(Op op, NodeId a, NodeId b) {
  switch (op) {
    case Op::negate:
      return negation(a);
    case Op::add:
      return sum(a, b);
    case Op::subtract:
      return difference(a, b);
    case Op::multiply:
      return product(a, b);
    case Op::divide:
      return quotient(a, b);
    case Op::power:
      return raised(a, b);
    case Op::min:
    case Op::max:
      return a == b ? a : ordered(op, a, b);
    case Op::less:
      return a == b ? zero : ordered(op, a, b);
    default:
      return ordered(op, a, b);
  }
}

/// Whether a minus stands before it: -x, -2*x, -2.
bool Graph::is_negative(NodeId id) const { return factored(*this, id).factor < 0; }

NodeId Graph::negation(NodeId a) {
  if (node(a).op == Op::constant) return constant(-node(a).value);
  const auto [factor, rest] = factored(*this, a);
  return scaled(-factor, rest);
}

NodeId Graph::sum(NodeId a, NodeId b) {
  if (a == zero) return b;
  if (b == zero) return a;
  if (a == b) return product(constant(2), a);
  if (a > b) std::swap(a, b);  // so that -x + -y and -y + -x end as one node
  if (is_negative(b)) return difference(a, negation(b));
  if (is_negative(a)) return difference(b, negation(a));
  return ordered(Op::add, a, b);
}

NodeId Graph::difference(NodeId a, NodeId b) {
  if (b == zero) return a;
  if (a == zero) return negation(b);
  if (a == b) return zero;
  if (is_negative(b)) return sum(a, negation(b));
  return ordered(Op::subtract, a, b);
}

/// factor * a, where a has no constant factor of its own.
NodeId Graph::scaled(double factor, NodeId a) {
  if (a == one) return constant(factor);
  if (factor == 1) return a;
  if (factor != -1) return ordered(Op::multiply, constant(factor), a);
  const Node difference_of = node(a);
  return difference_of.op == Op::subtract ? difference(difference_of.b, difference_of.a) : ordered(Op::negate, a, 0);
}

/// Constant factors go to the front, and x*(2/y) becomes 2*(x/y).
NodeId Graph::product(NodeId a, NodeId b) {
  if (a == zero || b == zero) return zero;
  Factored left = factored(*this, a);
  Factored right = factored(*this, b);
  const double factor = left.factor * right.factor;
  // A factor that overflows or underflows would say something else than its two parts did.
  if (!std::isnormal(factor)) return ordered(Op::multiply, a, b);
  if (is_reciprocal(*this, left.rest)) std::swap(left, right);
  if (is_reciprocal(*this, right.rest)) {
    const Node reciprocal = node(right.rest);
    return quotient(product(constant(factor), product(reciprocal.a, left.rest)), reciprocal.b);
  }
  if (left.rest == one) return scaled(factor, right.rest);
  if (right.rest == one) return scaled(factor, left.rest);
  return scaled(factor, ordered(Op::multiply, left.rest, right.rest));
}

/// Constant factors are taken out where their quotient is exact, signs always: x/2 is 0.5*x, but
/// x/3 stays.
NodeId Graph::quotient(NodeId a, NodeId b) {
  if (a == zero || b == one) return a;
  const Factored above = factored(*this, a);
  const Factored below = factored(*this, b);
  const bool minus = (above.factor < 0) != (below.factor < 0);
  const double factor = above.factor / below.factor;
  if (!is_exact_quotient(factor, above.factor, below.factor)) {
    const NodeId size_a = above.factor < 0 ? negation(a) : a;
    const NodeId size = ordered(Op::divide, size_a, below.factor < 0 ? negation(b) : b);
    return minus ? negation(size) : size;
  }
  if (below.rest == one) return product(constant(factor), above.rest);
  if (above.rest != one) return scaled(factor, ordered(Op::divide, above.rest, below.rest));
  const NodeId size = ordered(Op::divide, constant(std::abs(factor)), below.rest);
  return minus ? negation(size) : size;
}

NodeId Graph::raised(NodeId a, NodeId b) {
  if (b == zero || a == one) return one;
  if (b == one) return a;
  return ordered(Op::power, a, b);
}

}  // namespace taut
