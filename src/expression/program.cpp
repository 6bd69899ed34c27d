#include "expression/program.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <unordered_map>
#include <utility>

#include "expression/arithmetic.hpp"
#include "expression/derivative.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

/// Lanes worked on at a time: enough to share the cost of interpreting, few enough that the
/// registers of a block stay in the cache.
constexpr std::size_t block = 64;

using Kernel = void (*)(double* target, const double* a, const double* b, std::size_t lanes);

template <Op op>
void over_lanes(double* __restrict target, const double* a, const double* b, std::size_t lanes) {
  for (std::size_t k = 0; k < lanes; ++k) target[k] = compute(op, a[k], b[k]);
}

template <std::size_t... ops>
constexpr std::array<Kernel, sizeof...(ops)> all_kernels(std::index_sequence<ops...>) {
  return {over_lanes<static_cast<Op>(ops)>...};
}

constexpr auto kernels = all_kernels(std::make_index_sequence<static_cast<std::size_t>(Op::less) + 1>{});

/// whole_power lane by lane, the squaring outside so that the loops over lanes are plain products.
void raise(double* __restrict target, const double* a, int exponent, std::size_t lanes) {
  double square[block];
  std::copy_n(a, lanes, square);
  std::fill_n(target, lanes, 1.0);
  for (int left = std::abs(exponent); left != 0; left /= 2) {
    if (left % 2 != 0) {
      for (std::size_t k = 0; k < lanes; ++k) target[k] *= square[k];
    }
    for (std::size_t k = 0; k < lanes; ++k) square[k] *= square[k];
  }
  if (exponent > 0) return;
  for (std::size_t k = 0; k < lanes; ++k) target[k] = 1 / target[k];
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

/// Lays out registers and writes the code of one program.
class Program::Compiler {
 public:
  Compiler(const Graph& graph, std::span<const Input> inputs, std::span<const Expression> outputs)
      : graph_(graph), inputs_(inputs), outputs_(outputs) {}

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
  /// What is known of one node. Level -1 means that it depends on no input; its value is then known.
  struct Entry {
    int level = -1;
    int slot = -1;
    bool used = false;
    double value = 0;
  };

  NodeId root(const Expression& output) const {
    if (output.graph() != &graph_) throw InputError("a formula of one model is evaluated in another");
    return output.in(*output.graph());
  }

  Entry& entry(NodeId id) { return entries_[position(order_, id)]; }

  void find_nodes() {
    std::vector<NodeId> roots;
    for (const Expression& output : outputs_) {
      if (output.graph() != nullptr) roots.push_back(root(output));
    }
    order_ = reachable(graph_, roots);
    entries_.resize(order_.size());
    for (std::size_t k = 0; k < inputs_.size(); ++k) input_of_[inputs_[k].symbol] = static_cast<int>(k);
  }

  void find_levels() {
    for (std::size_t k = 0; k < order_.size(); ++k) {
      const Graph::Node& node = graph_.node(order_[k]);
      Entry& at = entries_[k];
      if (node.op == Op::constant) {
        at.value = node.value;
      } else if (node.op == Op::symbol) {
        at.slot = input_slot(node.a);
        at.level = inputs_[static_cast<std::size_t>(at.slot)].level;
        assert(at.level >= 0);
      } else {
        const Entry& a = entry(node.a);
        const Entry& b = is_binary(node.op) ? entry(node.b) : a;
        at.level = std::max(a.level, b.level);
        if (at.level < 0) at.value = value_of(graph_, node, a.value, b.value);
      }
    }
  }

  int input_slot(SymbolId symbol) const {
    const auto found = input_of_.find(symbol);
    if (found != input_of_.end()) return found->second;
    throw InputError("'" + graph_.info(symbol).name + "' has no value where this formula is evaluated");
  }

  bool is_instruction(std::size_t k) const { return entries_[k].level >= 0 && graph_.node(order_[k]).op != Op::symbol; }

  /// Marks what instructions and outputs read: a whole exponent, say, needs no register.
  void find_uses() {
    for (std::size_t k = 0; k < order_.size(); ++k) {
      if (!is_instruction(k)) continue;
      const Graph::Node& node = graph_.node(order_[k]);
      entry(node.a).used = true;
      if (is_binary(node.op) && whole_exponent(graph_, node) == 0) entry(node.b).used = true;
    }
    for (const Expression& output : outputs_) {
      if (output.graph() != nullptr) entry(root(output)).used = true;
    }
  }

  void place_constants(Program& program) {
    for (Entry& at : entries_) {
      if (at.level >= 0 || !at.used) continue;
      at.slot = new_constant(program, at.value);
    }
    for (std::size_t k = 0; k < outputs_.size(); ++k) {
      if (outputs_[k].graph() == nullptr) number_slots_[k] = new_constant(program, outputs_[k].value());
    }
  }

  int new_constant(Program& program, double value) const {
    program.constants_.push_back(value);
    return program.inputs_ + static_cast<int>(program.constants_.size()) - 1;
  }

  void write_code(Program& program) {
    std::vector<std::size_t> sequence;
    for (std::size_t k = 0; k < order_.size(); ++k) {
      if (is_instruction(k)) sequence.push_back(k);
    }
    std::stable_sort(sequence.begin(), sequence.end(), [this](std::size_t left, std::size_t right) {
      return entries_[left].level < entries_[right].level;
    });
    program.registers_ = program.inputs_ + static_cast<int>(program.constants_.size());
    for (const Input& input : inputs_) {
      const auto levels = static_cast<std::size_t>(input.level) + 1;
      if (levels > program.level_end_.size()) program.level_end_.resize(levels);
    }
    program.code_.reserve(sequence.size());
    for (const std::size_t k : sequence) {
      entries_[k].slot = program.registers_++;
      program.code_.push_back(instruction(k));
      ++program.level_end_[static_cast<std::size_t>(entries_[k].level)];
    }
    for (std::size_t k = 1; k < program.level_end_.size(); ++k) program.level_end_[k] += program.level_end_[k - 1];
  }

  Instruction instruction(std::size_t k) {
    const Graph::Node& node = graph_.node(order_[k]);
    const int exponent = whole_exponent(graph_, node);
    const int a = entry(node.a).slot;
    const int b = is_binary(node.op) && exponent == 0 ? entry(node.b).slot : a;
    return {node.op, entries_[k].slot, a, b, exponent};
  }

  void place_outputs(Program& program) {
    for (std::size_t k = 0; k < outputs_.size(); ++k) {
      const bool is_number = outputs_[k].graph() == nullptr;
      program.output_slots_.push_back(is_number ? number_slots_.at(k) : entry(root(outputs_[k])).slot);
      program.output_levels_.push_back(is_number ? -1 : entry(root(outputs_[k])).level);
    }
  }

  const Graph& graph_;
  std::span<const Input> inputs_;
  std::span<const Expression> outputs_;
  std::vector<NodeId> order_;
  std::vector<Entry> entries_;  ///< of the nodes in order_
  std::unordered_map<SymbolId, int> input_of_;
  std::unordered_map<std::size_t, int> number_slots_;  ///< of outputs that are plain numbers
};

Program::Program(const Graph& graph, std::span<const Input> inputs, std::span<const Expression> outputs) {
  Compiler(graph, inputs, outputs).compile(*this);
}

Program::Workspace Program::workspace(int lanes) const {
  assert(lanes >= 1);
  Workspace workspace;
  workspace.lanes_ = lanes;
  const auto width = static_cast<std::size_t>(lanes);
  workspace.registers_.resize(static_cast<std::size_t>(registers_) * width);
  double* place = workspace.registers_.data() + static_cast<std::size_t>(inputs_) * width;
  for (const double value : constants_) place = std::fill_n(place, width, value);
  return workspace;
}

void Program::run(int level, Workspace& workspace) const {
  if (level < 0 || level >= levels()) return;
  const auto at = static_cast<std::size_t>(level);
  const auto first = static_cast<std::size_t>(level == 0 ? 0 : level_end_[at - 1]);
  const auto last = static_cast<std::size_t>(level_end_[at]);
  if (workspace.lanes_ == 1) {
    run_one(first, last, workspace.registers_.data());
  } else {
    run_lanes(first, last, workspace.registers_.data(), static_cast<std::size_t>(workspace.lanes_));
  }
}

void Program::run_one(std::size_t first, std::size_t last, double* registers) const {
  for (std::size_t k = first; k < last; ++k) {
    const Instruction& step = code_[k];
    const double a = registers[step.a];
    const double b = registers[step.b];
    registers[step.target] = step.exponent != 0 ? whole_power(a, step.exponent) : compute(step.op, a, b);
  }
}

void Program::run_lanes(std::size_t first, std::size_t last, double* registers, std::size_t lanes) const {
  const auto at = [registers, lanes](int slot) { return registers + static_cast<std::size_t>(slot) * lanes; };
  for (std::size_t begin = 0; begin < lanes; begin += block) {
    const std::size_t width = std::min(block, lanes - begin);
    for (std::size_t k = first; k < last; ++k) {
      const Instruction& step = code_[k];
      double* target = at(step.target) + begin;
      if (step.exponent != 0) {
        raise(target, at(step.a) + begin, step.exponent, width);
      } else {
        kernels[static_cast<std::size_t>(step.op)](target, at(step.a) + begin, at(step.b) + begin, width);
      }
    }
  }
}

double evaluate(const Expression& a, std::span<const double> values_by_symbol) {
  if (a.is_constant()) return a.value();
  const Graph& graph = *a.graph();
  const std::vector<NodeId> order = reachable(graph, {a.in(*a.graph())});
  std::vector<double> values(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Graph::Node& node = graph.node(order[k]);
    if (node.op == Op::constant) {
      values[k] = node.value;
    } else if (node.op == Op::symbol) {
      if (node.a >= values_by_symbol.size()) throw InputError("'" + graph.info(node.a).name + "' has no value here");
      values[k] = values_by_symbol[node.a];
    } else {
      const double first = values[position(order, node.a)];
      values[k] = value_of(graph, node, first, is_binary(node.op) ? values[position(order, node.b)] : first);
    }
  }
  return values.back();
}

}  // namespace taut
