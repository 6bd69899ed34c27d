#include "expression/program.hpp"

#include <algorithm>
#include <cassert>
#include <unordered_map>
#include <utility>

#include "expression/arithmetic.hpp"
#include "expression/derivative.hpp"
#include "expression/interpreter.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

/// How far instructions move to stand among their kind. One lane gains most by it; over many lanes few registers, which
/// stay in the cache, are worth more.
constexpr std::size_t one_lane_window = 4096, lanes_window = 16;

/// Longer programs, which nobody compiles, are kept in the interpreter's order alone.
constexpr std::size_t most_kept_twice = 10'000'000;

/// Distance between registers. Where only a block of each is in use at a time, the distance is made odd in cache lines:
/// at a power of two, all blocks would fall on the same few places of the cache.
std::size_t stride_of(std::size_t lanes) {
  constexpr std::size_t line = 8;
  if (lanes < line) return lanes;
  const std::size_t lines = (lanes + line - 1) / line;
  return (lanes <= block ? lines : lines | 1) * line;
}

/// The exponent of a power that repeated multiplication computes, else 0.
int whole_exponent(const Graph& graph, const Graph::Node& node) {
  if (node.op != Op::power) return 0;
  const Graph::Node& exponent = graph.node(node.b);
  return exponent.op == Op::constant && is_whole_exponent(exponent.value) ? static_cast<int>(exponent.value) : 0;
}

/// The value of an operation whose operands have the values a and b.
double value_of(const Graph& graph, const Graph::Node& node, double a, double b) {
  const int exponent = whole_exponent(graph, node);
  return exponent != 0 ? whole_power(a, exponent) : compute(node.op, a, b);
}

}  // namespace

void CompactFormulas::add(std::span<const Expression> formulas) {
  for (const Expression& formula : formulas) {
    if (formula.graph() == nullptr) {
      nodes_.push_back(number);
      numbers_.push_back(formula.value());
      continue;
    }
    if (graph_ == nullptr) graph_ = formula.graph();
    if (formula.graph() != graph_) throw InputError("a formula of one model is evaluated in another");
    nodes_.push_back(formula.in(*formula.graph()));
  }
}

/// Lays out registers and writes the code of one program.
class Program::Compiler {
 public:
  Compiler(const Graph& graph, std::span<const Input> inputs, const CompactFormulas& outputs)
      : graph_(graph), inputs_(inputs), outputs_(outputs) {
    if (outputs.graph() != nullptr && outputs.graph() != &graph)
      throw InputError("a formula of one model is evaluated in another");
  }

  void compile(Program& program) {
    program.inputs_ = static_cast<int>(inputs_.size());
    find_nodes();
    find_levels();
    find_uses();
    place_constants(program);
    write_code(program);
    place_outputs(program);
  }

 private:
  /// What is known of one node. Level -1 means that it depends on no input; its value is then known, and stands in
  /// values_ at `slot` until it has a register. Small, for large models have millions of them.
  struct Entry {
    int slot = -1;
    std::int8_t level = -1;
    bool used = false;
    bool kept = false;  ///< an output, or read at another level
  };

  double value(const Entry& known) const { return values_[static_cast<std::size_t>(known.slot)]; }
  void set_value(Entry& at, double value) {
    at.slot = static_cast<int>(values_.size());
    values_.push_back(value);
  }

  /// Instructions, by their places in order_.
  using Sequence = std::vector<std::uint32_t>;

  /// Calls use(node) for every output that is no plain number.
  template <class Use>
  void for_roots(const Use& use) const {
    for (std::size_t k = 0; k < outputs_.size(); ++k)
      if (outputs_[k] != CompactFormulas::number) use(outputs_[k]);
  }

  Entry& entry(NodeId id) { return entries_[static_cast<std::size_t>(index_[id])]; }

  void find_nodes() {
    std::vector<NodeId> roots;
    roots.reserve(outputs_.size());
    for_roots([&](NodeId root) { roots.push_back(root); });
    order_ = reachable(graph_, std::move(roots));
    entries_.resize(order_.size());
    if (!order_.empty()) index_.resize(static_cast<std::size_t>(std::ranges::max(order_)) + 1);
    for (std::size_t k = 0; k < order_.size(); ++k) index_[order_[k]] = static_cast<int>(k);
    input_of_.assign(graph_.symbols(), -1);
    for (std::size_t k = 0; k < inputs_.size(); ++k) input_of_[inputs_[k].symbol] = static_cast<int>(k);
  }

  void find_levels() {
    for (std::size_t k = 0; k < order_.size(); ++k) {
      const Graph::Node& node = graph_.node(order_[k]);
      Entry& at = entries_[k];
      if (node.op == Op::constant) {
        set_value(at, node.value);
      } else if (node.op == Op::symbol) {
        at.slot = input_slot(node.a);
        at.level = static_cast<std::int8_t>(inputs_[static_cast<std::size_t>(at.slot)].level);
        assert(at.level >= 0);
      } else {
        const Entry& a = entry(node.a);
        const Entry& b = is_binary(node.op) ? entry(node.b) : a;
        at.level = std::max(a.level, b.level);
        if (at.level < 0) set_value(at, value_of(graph_, node, value(a), value(b)));
      }
    }
  }

  int input_slot(SymbolId symbol) const {
    if (input_of_[symbol] >= 0) return input_of_[symbol];
    throw InputError("'" + std::string(graph_.info(symbol).name) + "' has no value where this formula is evaluated");
  }

  bool is_instruction(std::size_t k) const { return entries_[k].level >= 0 && graph_.node(order_[k]).op != Op::symbol; }

  /// Marks what instructions and outputs read: a whole exponent, say, needs no register.
  void find_uses() {
    for (std::size_t k = 0; k < order_.size(); ++k) {
      if (!is_instruction(k)) continue;
      const Graph::Node& node = graph_.node(order_[k]);
      use(entry(node.a), entries_[k].level);
      if (is_binary(node.op) && whole_exponent(graph_, node) == 0) use(entry(node.b), entries_[k].level);
    }
    constexpr int after_all_levels = -2;
    for_roots([&](NodeId root) { use(entry(root), after_all_levels); });
  }

  static void use(Entry& what, int level) {
    what.used = true;
    what.kept = what.kept || what.level != level;
  }

  void place_constants(Program& program) {
    for (Entry& at : entries_) {
      if (at.level >= 0 || !at.used) continue;
      at.slot = new_constant(program, value(at));
    }
    first_number_ = program.inputs_ + static_cast<int>(program.constants_.size());
    for (const double number : outputs_.numbers()) new_constant(program, number);
  }

  int new_constant(Program& program, double value) const {
    program.constants_.push_back(value);
    return program.inputs_ + static_cast<int>(program.constants_.size()) - 1;
  }

  void write_code(Program& program) {
    for (const Input& input : inputs_) {
      const auto levels = static_cast<std::size_t>(input.level) + 1;
      if (levels > program.level_end_.size()) program.level_end_.resize(levels);
    }
    Sequence sequence = by_level(program.level_end_);
    pair_up(sequence);
    place_results(program, sequence);
    program.code_.reserve(sequence.size());
    for (const std::uint32_t k : sequence) program.code_.push_back(instruction(k));
  }

  /// The instructions, those of a level together; level_end becomes what it says.
  Sequence by_level(std::vector<int>& level_end) const {
    for (std::size_t k = 0; k < order_.size(); ++k)
      if (is_instruction(k)) ++level_end[static_cast<std::size_t>(entries_[k].level)];
    std::vector<std::size_t> next;
    int count = 0;
    for (int& end : level_end) {
      next.push_back(static_cast<std::size_t>(count));
      end = count += end;
    }
    Sequence sequence(static_cast<std::size_t>(count));
    for (std::size_t k = 0; k < order_.size(); ++k)
      if (is_instruction(k))
        sequence[next[static_cast<std::size_t>(entries_[k].level)]++] = static_cast<std::uint32_t>(k);
    return sequence;
  }

  /// Outputs first, in their order, so that they are copied from one place; then what else is kept; then the rest.
  void place_results(Program& program, const Sequence& sequence) {
    int next = program.inputs_ + static_cast<int>(program.constants_.size());
    const auto place = [&next](Entry& at) {
      if (at.slot < 0) at.slot = next++;
    };
    for_roots([&](NodeId root) { place(entry(root)); });
    for (const std::uint32_t k : sequence) {
      if (entries_[k].kept) place(entries_[k]);
    }
    program.kept_ = next;
    for (const std::uint32_t k : sequence) place(entries_[k]);
    program.registers_ = next;
  }

  /// Puts sine and cosine of one argument side by side, so that they can be computed together.
  void pair_up(Sequence& sequence) const {
    constexpr std::uint32_t none = ~std::uint32_t{0};
    struct Pair {
      std::uint32_t sine = none, cosine = none;
      bool placed = false;
    };
    std::unordered_map<NodeId, Pair> pairs;
    const auto op = [this](std::uint32_t k) { return graph_.node(order_[k]).op; };
    for (const std::uint32_t k : sequence) {
      if (op(k) == Op::sin) pairs[graph_.node(order_[k]).a].sine = k;
      if (op(k) == Op::cos) pairs[graph_.node(order_[k]).a].cosine = k;
    }
    if (pairs.empty()) return;
    Sequence paired;
    paired.reserve(sequence.size());
    for (const std::uint32_t k : sequence) {
      Pair* pair = op(k) == Op::sin || op(k) == Op::cos ? &pairs[graph_.node(order_[k]).a] : nullptr;
      if (pair == nullptr || pair->sine == none || pair->cosine == none) {
        paired.push_back(k);
      } else if (!std::exchange(pair->placed, true)) {
        paired.insert(paired.end(), {pair->sine, pair->cosine});
      }
    }
    sequence = std::move(paired);
  }

  Instruction instruction(std::size_t k) {
    const Graph::Node& node = graph_.node(order_[k]);
    const int exponent = whole_exponent(graph_, node);
    const int a = entry(node.a).slot;
    const int b = is_binary(node.op) && exponent == 0 ? entry(node.b).slot : a;
    return {node.op, static_cast<std::int8_t>(exponent), entries_[k].slot, a, b};
  }

  void place_outputs(Program& program) {
    program.output_slots_.reserve(outputs_.size());
    program.output_levels_.reserve(outputs_.size());
    int next_number = first_number_;
    for (std::size_t k = 0; k < outputs_.size(); ++k) {
      const bool is_number = outputs_[k] == CompactFormulas::number;
      program.output_slots_.push_back(is_number ? next_number++ : entry(outputs_[k]).slot);
      program.output_levels_.push_back(is_number ? std::int8_t{-1} : entry(outputs_[k]).level);
    }
  }

  const Graph& graph_;
  std::span<const Input> inputs_;
  const CompactFormulas& outputs_;
  std::vector<NodeId> order_;
  std::vector<int> index_;      ///< where a node stands in order_
  std::vector<Entry> entries_;  ///< of the nodes in order_
  std::vector<double> values_;  ///< of those that depend on no input
  std::vector<int> input_of_;   ///< by symbol; -1 for those that are no input
  int first_number_ = 0;        ///< the first register of outputs that are plain numbers
};

Program::Program(const Graph& graph, std::span<const Input> inputs, const CompactFormulas& outputs, Purpose purpose) {
  Compiler(graph, inputs, outputs).compile(*this);
  if (purpose == Purpose::run) schedule();
}

void Program::schedule() {
  schedule_ = make_schedule(code_by_level(), registers_, one_lane_window);
  if (code_.size() > most_kept_twice) code_ = std::vector<Instruction>();
}

Program::Workspace Program::workspace(int lanes) const {
  assert(lanes >= 1);
  Workspace workspace;
  workspace.lanes_ = lanes;
  int registers = registers_;
  if (lanes > 1) {
    std::vector<std::vector<Instruction>> linked;
    for (const auto& level : code_by_level()) linked.push_back(link(level, kept_, registers_));
    Schedule plan = make_schedule(std::vector<std::span<const Instruction>>(linked.begin(), linked.end()), registers_,
                                  lanes_window);
    registers = reuse_registers(plan, kept_, registers_);
    workspace.plan_ = std::make_shared<const Schedule>(std::move(plan));
    workspace.stride_ = stride_of(static_cast<std::size_t>(lanes));
  }
  workspace.registers_.resize(static_cast<std::size_t>(registers) * workspace.stride_);
  double* place = workspace.registers_.data() + static_cast<std::size_t>(inputs_) * workspace.stride_;
  for (const double value : constants_) place = std::fill_n(place, workspace.stride_, value);
  return workspace;
}

void Program::use_native(std::vector<Native> levels, std::shared_ptr<const void> owner) {
  assert(levels.size() == level_end_.size());
  native_ = std::move(levels);
  native_owner_ = std::move(owner);
}

std::span<const Instruction> Program::code(int level) const {
  if (level < 0 || level >= levels()) return {};
  const auto at = static_cast<std::size_t>(level);
  const int first = level == 0 ? 0 : level_end_[at - 1];
  const std::vector<Instruction>& all = code_.empty() ? schedule_.code : code_;
  return std::span(all).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(level_end_[at] - first));
}

std::vector<std::span<const Instruction>> Program::code_by_level() const {
  std::vector<std::span<const Instruction>> all;
  for (int level = 0; level < levels(); ++level) all.push_back(code(level));
  return all;
}

void Program::interpret(int level, Workspace& workspace) const {
  if (level < 0 || level >= levels()) return;
  double* registers = workspace.registers_.data();
  if (workspace.plan_) {
    run_lanes(*workspace.plan_, level, registers, static_cast<std::size_t>(workspace.lanes_), workspace.stride_);
  } else {
    run_one_lane(schedule_, level, registers);
  }
}

double evaluate(const Expression& a, std::span<const double> values_by_symbol) {
  if (a.is_constant()) return a.value();
  const Graph& graph = *a.graph();
  const std::vector<NodeId> order = reachable(graph, {a.in(*a.graph())});
  const Positions position(order);
  std::vector<double> values(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Graph::Node& node = graph.node(order[k]);
    if (node.op == Op::constant) {
      values[k] = node.value;
    } else if (node.op == Op::symbol) {
      if (node.a >= values_by_symbol.size())
        throw InputError("'" + std::string(graph.info(node.a).name) + "' has no value here");
      values[k] = values_by_symbol[node.a];
    } else {
      const double first = values[position(node.a)];
      values[k] = value_of(graph, node, first, is_binary(node.op) ? values[position(node.b)] : first);
    }
  }
  return values.back();
}

}  // namespace taut
