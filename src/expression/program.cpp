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

/// What an instruction does to a block of lanes.
using Kernel = void (*)(double* target, const double* a, const double* b, std::size_t lanes);
using Raise = void (*)(double* target, const double* a, int exponent, std::size_t lanes);
constexpr std::size_t operations = static_cast<std::size_t>(Op::less) + 1;

template <Op op>
[[gnu::always_inline]] inline void over_lanes(double* __restrict target, const double* a, const double* b,
                                              std::size_t lanes) {
  for (std::size_t k = 0; k < lanes; ++k) target[k] = compute(op, a[k], b[k]);
}

/// whole_power lane by lane, the squaring outside so that the loops over lanes are plain products.
[[gnu::always_inline]] inline void raise_lanes(double* __restrict target, const double* a, int exponent,
                                               std::size_t lanes) {
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

/// The same kernels for every processor of the family and for those with wider registers: more lanes in one
/// instruction, the same results.
struct Plain {
  template <Op op>
  static void apply(double* target, const double* a, const double* b, std::size_t lanes) {
    over_lanes<op>(target, a, b, lanes);
  }
  static void raise(double* target, const double* a, int exponent, std::size_t lanes) {
    raise_lanes(target, a, exponent, lanes);
  }
};

#ifdef __x86_64__
struct Wide {
  template <Op op>
  [[gnu::target("avx2")]] static void apply(double* target, const double* a, const double* b, std::size_t lanes) {
    over_lanes<op>(target, a, b, lanes);
  }
  [[gnu::target("avx2")]] static void raise(double* target, const double* a, int exponent, std::size_t lanes) {
    raise_lanes(target, a, exponent, lanes);
  }
};

bool is_wide() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2");
}
#else
using Wide = Plain;
bool is_wide() { return false; }
#endif

struct Kernels {
  std::array<Kernel, operations> apply;
  Raise raise;
};

template <class Width, std::size_t... ops>
constexpr Kernels all_kernels(std::index_sequence<ops...>) {
  return {{Width::template apply<static_cast<Op>(ops)>...}, Width::raise};
}

const Kernels kernels = is_wide() ? all_kernels<Wide>(std::make_index_sequence<operations>{})
                                  : all_kernels<Plain>(std::make_index_sequence<operations>{});

/// Distance between registers. Where only a block of each is in use at a time, the distance is made odd in cache lines:
/// at a power of two, all blocks would fall on the same few places of the cache.
std::size_t stride_of(std::size_t lanes) {
  constexpr std::size_t line = 8;
  if (lanes <= block) return lanes;
  return ((lanes + line - 1) / line | 1) * line;
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
    pair_up(sequence);
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

  /// Puts sine and cosine of one argument side by side, so that they can be computed together.
  void pair_up(std::vector<std::size_t>& sequence) const {
    constexpr std::size_t none = ~std::size_t{0};
    struct Pair {
      std::size_t sine = none, cosine = none;
      bool placed = false;
    };
    std::unordered_map<NodeId, Pair> pairs;
    const auto op = [this](std::size_t k) { return graph_.node(order_[k]).op; };
    for (const std::size_t k : sequence) {
      if (op(k) == Op::sin) pairs[graph_.node(order_[k]).a].sine = k;
      if (op(k) == Op::cos) pairs[graph_.node(order_[k]).a].cosine = k;
    }
    std::vector<std::size_t> paired;
    paired.reserve(sequence.size());
    for (const std::size_t k : sequence) {
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
  const std::size_t width = stride_of(static_cast<std::size_t>(lanes));
  workspace.stride_ = width;
  workspace.registers_.resize(static_cast<std::size_t>(registers_) * width);
  double* place = workspace.registers_.data() + static_cast<std::size_t>(inputs_) * width;
  for (const double value : constants_) place = std::fill_n(place, width, value);
  return workspace;
}

void Program::use_native(std::vector<Native> levels, std::shared_ptr<const void> owner) {
  assert(levels.size() == level_end_.size());
  native_ = std::move(levels);
  native_owner_ = std::move(owner);
}

std::span<const Program::Instruction> Program::code(int level) const {
  if (level < 0 || level >= levels()) return {};
  const auto at = static_cast<std::size_t>(level);
  const int first = level == 0 ? 0 : level_end_[at - 1];
  return std::span(code_).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(level_end_[at] - first));
}

void Program::run(int level, Workspace& workspace) const {
  if (level < 0 || level >= levels()) return;
  double* registers = workspace.registers_.data();
  if (workspace.lanes_ > 1) {
    run_lanes(code(level), registers, static_cast<std::size_t>(workspace.lanes_), workspace.stride_);
  } else if (native_.empty()) {
    run_one(code(level), registers);
  } else if (const Native native = native_[static_cast<std::size_t>(level)]) {
    native(registers);
  }
}

/// Are the instructions k and k + 1 sine and cosine of one argument?
bool Program::is_pair(std::span<const Instruction> code, std::size_t k) {
  return code[k].op == Op::sin && k + 1 < code.size() && code[k + 1].op == Op::cos && code[k + 1].a == code[k].a;
}

void Program::run_one(std::span<const Instruction> code, double* registers) {
  for (std::size_t k = 0; k < code.size(); ++k) {
    const Instruction& step = code[k];
    const double a = registers[step.a];
    const double b = registers[step.b];
    if (is_pair(code, k)) {
      sine_and_cosine(a, registers[step.target], registers[code[++k].target]);
    } else {
      registers[step.target] = step.exponent != 0 ? whole_power(a, step.exponent) : compute(step.op, a, b);
    }
  }
}

void Program::run_lanes(std::span<const Instruction> code, double* registers, std::size_t lanes, std::size_t stride) {
  for (std::size_t begin = 0; begin < lanes; begin += block) {
    const std::size_t width = std::min(block, lanes - begin);
    const auto at = [=](int slot) { return registers + static_cast<std::size_t>(slot) * stride + begin; };
    for (std::size_t k = 0; k < code.size(); ++k) {
      const Instruction& step = code[k];
      if (step.exponent != 0) {
        kernels.raise(at(step.target), at(step.a), step.exponent, width);
      } else if (is_pair(code, k)) {
        const double* a = at(step.a);
        double* sine = at(step.target);
        double* cosine = at(code[++k].target);
        for (std::size_t i = 0; i < width; ++i) sine_and_cosine(a[i], sine[i], cosine[i]);
      } else {
        kernels.apply[static_cast<std::size_t>(step.op)](at(step.target), at(step.a), at(step.b), width);
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
