#include "expression/strided_program.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <unordered_map>

#include "expression/interpreter.hpp"

namespace taut {
namespace {

/// So many instructions are sorted at a time: what they compute stays in the cache while the next of them use it.
constexpr std::size_t window = 1u << 15;
/// Fewer instructions than this are not worth a loop of their own.
constexpr int fewest = 8;
/// Sums of fewer terms than this are not looked upon as sums over many parts.
constexpr int shortest_chain = 64;
/// What a loop can be, beside the interpreter's kinds.
constexpr int sums_kind = kinds, differences_kind = kinds + 1;

/// One instruction, or sine and cosine of one argument.
struct Step {
  Instruction code;
  int cosine = -1;  ///< target of the second of a pair
};

std::vector<Step> steps_of(std::span<const Instruction> code) {
  std::vector<Step> steps;
  for (std::size_t k = 0; k < code.size(); ++k) {
    const bool paired = k + 1 < code.size() && is_pair(code[k], code[k + 1]);
    steps.push_back({code[k], paired ? code[k + 1].target : -1});
    if (paired) ++k;
  }
  return steps;
}

bool is_sum(const Step& step) { return step.code.op == Op::add || step.code.op == Op::subtract; }

/// Long chains of sums and differences in a window, each of which adds a term to the one before.
class Chains {
 public:
  static constexpr int none = -1;

  /// maker(r) is the step that computes register r, or none.
  template <class Maker>
  Chains(std::span<const Step> steps, const Maker& maker) : previous_(steps.size(), none), late_(steps.size()) {
    link(steps, maker);
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const Instruction& code = steps[k].code;
      const auto is_late = [&](int r) { return maker(r) != none && (late_[maker(r)] || is_link(maker(r))); };
      const int before = previous_[k];
      const bool goes_on = is_link(static_cast<int>(k)) && before != none && is_link(before);
      const int term = goes_on && maker(code.a) == before ? code.b : code.a;
      late_[k] = goes_on ? is_late(term) : is_late(code.a) || is_late(code.b);
      // A term that needs a sum of this window, even this one, ends it.
      if (late_[k]) long_[k] = false;
    }
  }

  /// Is a step part of a chain?
  bool is_link(int step) const { return long_[static_cast<std::size_t>(step)]; }
  /// Does it need the result of one? All others can be computed before the chains.
  bool is_late(int step) const { return late_[static_cast<std::size_t>(step)]; }
  /// The step before in its chain, or none.
  int before(int step) const {
    const int before = previous_[static_cast<std::size_t>(step)];
    return before != none && is_link(before) ? before : none;
  }

 private:
  template <class Maker>
  void link(std::span<const Step> steps, const Maker& maker) {
    std::vector<int> length(steps.size(), 0), next(steps.size(), none);
    const auto follow = [&](int k, int before) {
      if (before == none || !is_sum(steps[before]) || next[before] != none || previous_[k] != none) return;
      previous_[k] = before;
      next[before] = k;
      length[k] = length[before] + 1;
    };
    for (int k = 0; k < static_cast<int>(steps.size()); ++k) {
      if (!is_sum(steps[k])) continue;
      follow(k, maker(steps[k].code.a));
      if (steps[k].code.op == Op::add) follow(k, maker(steps[k].code.b));
    }
    long_.assign(steps.size(), false);
    for (int k = static_cast<int>(steps.size()) - 1; k >= 0; --k)
      long_[k] = next[k] != none ? long_[next[k]] : length[k] >= shortest_chain;
  }

  std::vector<int> previous_;
  std::vector<bool> late_, long_;
};

/// Shapes of formulas, by number: the operation and the shapes of the operands. Whatever is known before has shape 0; a
/// cosine has the number after that of its sine.
class Shapes {
 public:
  std::uint16_t operator()(const Step& step, std::uint16_t a, std::uint16_t b) {
    const bool paired = step.cosine >= 0;
    const std::uint64_t operation = static_cast<std::uint64_t>(step.code.op) * 512 +
                                    static_cast<std::uint64_t>(step.code.exponent + 128) * 2 + paired;
    const auto [shape, is_new] = known_.try_emplace(operation << 32 | std::uint64_t{a} << 16 | b, next_);
    if (is_new) next_ += paired ? 2 : 1;
    return static_cast<std::uint16_t>(shape->second);
  }

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> known_;
  std::uint32_t next_ = 1;
};
static_assert(window < 1u << 16, "depths and shapes of a window have numbers of 16 bits");

/// Do the operands of steps k - lag, k, k + lag lie evenly spaced?
bool is_even(std::span<const Step> steps, std::size_t k, std::size_t lag) {
  const auto even = [&](int Instruction::*operand) {
    return steps[k + lag].code.*operand - steps[k].code.*operand ==
           steps[k].code.*operand - steps[k - lag].code.*operand;
  };
  return even(&Instruction::a) && even(&Instruction::b);
}

std::size_t count_even(std::span<const Step> steps, std::size_t lag, std::size_t stride) {
  std::size_t count = 0;
  for (std::size_t k = lag; k + lag < steps.size(); k += stride) count += is_even(steps, k, lag);
  return count;
}

/// The distance at which steps resemble each other: several formulas of one shape may stand in every part of a model. A
/// few of the steps tell which distances are worth a closer look.
std::size_t period(std::span<const Step> steps) {
  constexpr std::size_t longest = 256, looks = 32;
  std::size_t best = 1, most = 0, promising = 0;
  for (std::size_t lag = 1; lag <= longest && 3 * lag <= steps.size(); ++lag) {
    const std::size_t stride = std::max<std::size_t>(1, (steps.size() - 2 * lag) / looks) | 1;
    const std::size_t some = count_even(steps, lag, stride);
    if (10 * some <= 9 * promising) continue;
    promising = std::max(promising, some);
    const std::size_t count = count_even(steps, lag, 1);
    if (10 * count <= 11 * most) continue;  // a longer one must be clearly better
    best = lag;
    most = count;
    if (11 * most >= 10 * steps.size()) break;  // none can be
  }
  return best;
}

}  // namespace

/// Sorts the instructions, a window of them after the other, and writes loops.
class StridedProgram::Maker {
 public:
  Maker(StridedProgram& made, std::span<const std::span<const Instruction>> levels, const Registers& registers,
        std::vector<int>& renumbered)
      : made_(made), renumbered_(renumbered), next_(registers.first) {
    renumbered_.assign(registers.all, -1);
    std::iota(renumbered_.begin(), renumbered_.begin() + registers.first, 0);
    find_kept(levels, registers);
    for (const auto& level : levels) add_level(level);
    made_.registers_ = first_passing_ + most_passing_;
  }

 private:
  static auto windows(std::span<const Instruction> code) {
    std::vector<std::span<const Instruction>> parts;
    for (std::size_t begin = 0; begin < code.size(); begin += window)
      parts.push_back(code.subspan(begin, std::min(window, code.size() - begin)));
    return parts;
  }

  /// What is used in the window alone where it is computed may pass: its register is used again in the next. Many of
  /// the instructions' results do, so that what is kept of a large model is little.
  void find_kept(std::span<const std::span<const Instruction>> levels, const Registers& registers) {
    kept_.assign(registers.all, false);
    std::fill_n(kept_.begin(), registers.kept, true);
    std::vector<int>& window_of = renumbered_;  // not yet in use
    int number = registers.first;               // a window, told from the registers before
    for (const auto& level : levels) {
      for (const auto& code : windows(level)) {
        ++number;
        for (const Instruction& step : code) {
          for (const int operand : {step.a, step.b})
            if (operand >= registers.first && window_of[operand] != number) kept_[operand] = true;
          window_of[step.target] = number;
        }
      }
    }
    for (const auto& level : levels)
      for (const auto& code : windows(level))
        for (std::size_t k = 0; k + 1 < code.size(); ++k)  // pairs stay together
          if (is_pair(code[k], code[k + 1]) && kept_[code[k].target] != kept_[code[k + 1].target])
            kept_[code[k].target] = kept_[code[k + 1].target] = true;
    const auto count = std::count(kept_.begin() + registers.first, kept_.end(), true);
    first_passing_ = registers.first + static_cast<int>(count);
  }

  void add_level(std::span<const Instruction> code) {
    for (const auto& part : windows(code)) {
      next_passing_ = first_passing_;
      add_window(part);
      most_passing_ = std::max(most_passing_, next_passing_ - first_passing_);
    }
    made_.level_end_.push_back(static_cast<int>(made_.loops_.size()));
    made_.kept_.push_back(next_);
  }

  /// Where the next results go.
  int& next(bool kept) { return kept ? next_ : next_passing_; }

  /// How many operations of this window lead to a result, and which.
  struct Known {
    std::uint16_t depth = 0, shape = 0;
  };

  /// Until a result of this window has its new register, that of its step stands there: one table serves for both.
  static int mark(std::size_t step) { return -2 - static_cast<int>(step); }
  /// The step of this window that computes a register, or none.
  int step_of(int r) const { return renumbered_[r] <= mark(0) ? -2 - renumbered_[r] : Chains::none; }
  Known known(int r) const {
    const int step = step_of(r);
    return step == Chains::none ? Known{} : known_[step];
  }

  /// Of what is computed in this window, operands come before users by their depth; those of one depth may stand in any
  /// order.
  void add_window(std::span<const Instruction> code) {
    std::vector<Step> steps = steps_of(code);
    for (std::size_t k = 0; k < steps.size(); ++k)
      for (const int target : {steps[k].code.target, steps[k].cosine})
        if (target >= 0) renumbered_[target] = mark(k);
    const Chains chains(steps, [this](int r) { return step_of(r); });
    find_keys(steps, chains);
    const auto late = std::ranges::find_if(keys_, &Key::is_late);
    add_groups(steps, {keys_.begin(), late});
    add_chains(steps, chains);
    add_groups(steps, {late, keys_.end()});
  }

  /// How steps are sorted: by whether they need a chain, depth, shape, whether they are kept, and as they stand.
  class Key {
   public:
    Key(bool late, Known known, bool kept, std::size_t step)
        : value_(std::uint64_t{late} << 49 | std::uint64_t{known.depth} << 33 | std::uint64_t{known.shape} << 17 |
                 std::uint64_t{kept} << 16 | step) {}
    bool is_late() const { return (value_ >> 49) != 0; }
    std::size_t step() const { return value_ & 0xffff; }
    bool is_like(Key other) const { return value_ >> 16 == other.value_ >> 16; }
    bool operator<(Key other) const { return value_ < other.value_; }

   private:
    std::uint64_t value_;
  };

  bool is_kept(const Step& step) const { return kept_[step.code.target] || (step.cosine >= 0 && kept_[step.cosine]); }

  /// Of all steps but those in chains: those that need none of these first, then by depth and shape.
  void find_keys(std::span<const Step> steps, const Chains& chains) {
    Shapes shapes;
    keys_.clear();
    known_.assign(steps.size(), {});
    for (std::size_t k = 0; k < steps.size(); ++k) {
      if (chains.is_link(static_cast<int>(k))) continue;
      const Instruction& step = steps[k].code;
      const Known a = known(step.a), b = known(step.b);
      const auto depth = static_cast<std::uint16_t>(1 + std::max(a.depth, b.depth));
      known_[k] = {depth, shapes(steps[k], a.shape, b.shape)};
      keys_.emplace_back(chains.is_late(static_cast<int>(k)), known_[k], is_kept(steps[k]), k);
    }
    std::sort(keys_.begin(), keys_.end());
  }

  void add_groups(std::span<const Step> steps, std::span<const Key> keys) {
    for (std::size_t begin = 0, end = 0; begin < keys.size(); begin = end) {
      group_.clear();
      for (end = begin; end < keys.size() && keys[end].is_like(keys[begin]); ++end) {
        group_.push_back(steps[keys[end].step()]);
        group_.back().code.a = renumbered_[group_.back().code.a];
        group_.back().code.b = renumbered_[group_.back().code.b];
      }
      add_group();
    }
  }

  void add_chains(std::span<const Step> steps, const Chains& chains) {
    std::vector<int> ends;  // of chains; a step that another one continues is none
    std::vector<bool> continued(steps.size());
    for (int k = static_cast<int>(steps.size()) - 1; k >= 0; --k) {
      if (!chains.is_link(k)) continue;
      if (!continued[k]) ends.push_back(k);
      if (chains.before(k) != Chains::none) continued[chains.before(k)] = true;
    }
    for (const int end : ends) {
      group_.clear();
      for (int k = end; k != Chains::none; k = chains.before(k)) {
        Instruction code = steps[k].code;
        const int before = chains.before(k);
        if (before != Chains::none && code.a != steps[before].code.target) std::swap(code.a, code.b);
        group_.push_back({code, -1});
      }
      std::ranges::reverse(group_);
      add_chain();
    }
  }

  /// Steps each of which has the one before as its first operand.
  void add_chain() {
    sorted_ = group_;
    const int count = static_cast<int>(sorted_.size());
    for (Step& step : sorted_) {
      step.code.a = renumbered_[step.code.a];  // of the first of them; the others' is their neighbour
      step.code.b = renumbered_[step.code.b];
    }
    int before = sorted_[0].code.a;
    for (int k = 0, length = 0; k < count; k += length) {
      const bool kept = is_kept(sorted_[k]);
      const auto is_like = [&](const Step& step) {
        return step.code.op == sorted_[k].code.op && is_kept(step) == kept;
      };
      length = 1;
      while (k + length < count && is_like(sorted_[k + length])) ++length;
      StridedLoop made;
      made.kind = static_cast<std::int8_t>(sorted_[k].code.op == Op::add ? sums_kind : differences_kind);
      made.target = next(kept);
      made.count = length;
      made.a = {before, 1};
      made.b = terms(k, length);
      made_.loops_.push_back(made);
      for (int i = k; i < k + length; ++i) renumbered_[sorted_[i].code.target] = next(kept)++;
      before = next(kept) - 1;
    }
  }

  Operands terms(int k, int length) {
    const int stride = length > 1 ? sorted_[k + 1].code.b - sorted_[k].code.b : 0;
    for (int i = k + 1; i < k + length; ++i)
      if (sorted_[i].code.b - sorted_[i - 1].code.b != stride) return list(k, length, &Instruction::b);
    return {sorted_[k].code.b, stride};
  }

  /// Steps of one shape, none of which needs another.
  void add_group() {
    const std::size_t lag = period(group_);
    sorted_.clear();
    for (std::size_t first = 0; first < lag; ++first)
      for (std::size_t k = first; k < group_.size(); k += lag) sorted_.push_back(group_[k]);
    const int count = static_cast<int>(sorted_.size());
    const bool paired = sorted_.front().cosine >= 0;
    first_target_ = next(is_kept(sorted_.front()));
    next(is_kept(sorted_.front())) += paired ? 2 * count : count;
    for (int k = 0; k < count; ++k) {
      renumbered_[sorted_[k].code.target] = first_target_ + k;
      if (paired) renumbered_[sorted_[k].cosine] = first_target_ + count + k;
    }
    int waiting = 0;  // how many steps before this one are not yet written
    for (int k = 0, length = 0; k < count; k += length) {
      length = even_length(k);
      if (length < fewest) {
        waiting += length;
        continue;
      }
      add_listed(k - waiting, waiting, count);
      add_even(k, length, count);
      waiting = 0;
    }
    add_listed(count - waiting, waiting, count);
  }

  int even_length(int k) const {
    const int count = static_cast<int>(sorted_.size());
    int end = std::min(k + 2, count);
    while (end < count && is_even(sorted_, static_cast<std::size_t>(end) - 1, 1)) ++end;
    return end - k;
  }

  StridedLoop loop(int k, int length, int count) const {
    const Step& step = sorted_[k];
    StridedLoop loop;
    loop.kind = static_cast<std::int8_t>(step.cosine >= 0 ? pair_kind : kind_of(step.code));
    loop.exponent = step.code.exponent;
    loop.target = first_target_ + k;
    loop.count = length;
    if (step.cosine >= 0) loop.b = {first_target_ + count + k, 1};
    return loop;
  }

  void add_even(int k, int length, int count) {
    StridedLoop made = loop(k, length, count);
    const Instruction &one = sorted_[k].code, &two = sorted_[length > 1 ? k + 1 : k].code;
    made.a = {one.a, two.a - one.a};
    if (made.kind != pair_kind) made.b = {one.b, two.b - one.b};
    made_.loops_.push_back(made);
  }

  void add_listed(int k, int length, int count) {
    if (length == 0) return;
    if (length <= 2) return add_even(k, length, count);  // as any two are
    StridedLoop made = loop(k, length, count);
    made.a = list(k, length, &Instruction::a);
    if (made.kind != pair_kind) made.b = list(k, length, &Instruction::b);
    made_.loops_.push_back(made);
  }

  Operands list(int k, int length, int Instruction::*operand) {
    const auto at = static_cast<int>(made_.listed_.size());
    for (int i = k; i < k + length; ++i) made_.listed_.push_back(sorted_[i].code.*operand);
    return {at, Operands::listed};
  }

  StridedProgram& made_;
  std::vector<int>& renumbered_;
  std::vector<bool> kept_;  ///< is a register used after its window?
  int next_;                ///< register of what is kept
  int first_passing_ = 0, next_passing_ = 0, most_passing_ = 0;
  int first_target_ = 0;      ///< of the group at hand
  std::vector<Known> known_;  ///< of each step of the window at hand
  std::vector<Key> keys_;
  std::vector<Step> group_, sorted_;
};

StridedProgram::StridedProgram(std::span<const std::span<const Instruction>> levels, const Registers& registers,
                               std::vector<int>& renumbered) {
  Maker(*this, levels, registers, renumbered);
  loops_.shrink_to_fit();
  listed_.shrink_to_fit();
}

int StridedProgram::place(const Operands& operands, int k) const {
  return operands.is_listed() ? listed_[static_cast<std::size_t>(operands.first) + static_cast<std::size_t>(k)]
                              : operands.first + k * operands.stride;
}

/// Operands side by side: where they stand, if they do so already.
double* StridedProgram::gathered(const Operands& operands, int begin, int count, double* registers,
                                 double* room) const {
  if (operands.stride == 1) return registers + operands.first + begin;
  if (!operands.is_listed()) {
    const double* from = registers + operands.first + static_cast<std::ptrdiff_t>(begin) * operands.stride;
    for (int k = 0; k < count; ++k) room[k] = from[static_cast<std::ptrdiff_t>(k) * operands.stride];
  } else {
    const int* places = listed_.data() + operands.first + begin;
    for (int k = 0; k < count; ++k) room[k] = registers[places[k]];
  }
  return room;
}

void StridedProgram::run(int level, double* registers) const {
  std::array<double, block> room_a, room_b;
  const int first = level == 0 ? 0 : level_end_[static_cast<std::size_t>(level) - 1];
  for (int s = first; s < level_end_[static_cast<std::size_t>(level)]; ++s) {
    const StridedLoop& loop = loops_[static_cast<std::size_t>(s)];
    if (loop.kind >= kinds) {
      run_chain(loop, registers);
      continue;
    }
    const bool paired = loop.kind == pair_kind;
    for (int begin = 0; begin < loop.count; begin += static_cast<int>(block)) {
      const int count = std::min(static_cast<int>(block), loop.count - begin);
      const double* a = gathered(loop.a, begin, count, registers, room_a.data());
      double* last =
          paired ? registers + loop.b.first + begin : gathered(loop.b, begin, count, registers, room_b.data());
      run_side_by_side(loop.kind, registers + loop.target + begin, a, last, loop.exponent,
                       static_cast<std::size_t>(count));
    }
  }
}

void StridedProgram::run_chain(const StridedLoop& loop, double* registers) const {
  double sum = registers[loop.a.first];
  for (int k = 0; k < loop.count; ++k) {
    const double term = registers[place(loop.b, k)];
    sum = loop.kind == sums_kind ? sum + term : sum - term;
    registers[loop.target + k] = sum;
  }
}

std::vector<Instruction> StridedProgram::instructions(int level) const {
  std::vector<Instruction> code;
  const int first = level == 0 ? 0 : level_end_[static_cast<std::size_t>(level) - 1];
  for (int s = first; s < level_end_[static_cast<std::size_t>(level)]; ++s) {
    const StridedLoop& loop = loops_[static_cast<std::size_t>(s)];
    for (int k = 0; k < loop.count; ++k) {
      const bool chained = loop.kind >= kinds;
      const int a = chained && k > 0 ? loop.target + k - 1 : place(loop.a, k);
      if (chained) {
        code.push_back({loop.kind == sums_kind ? Op::add : Op::subtract, 0, loop.target + k, a, place(loop.b, k)});
      } else if (loop.kind == pair_kind) {
        code.push_back({Op::sin, 0, loop.target + k, a, a});
        code.push_back({Op::cos, 0, loop.b.first + k, a, a});
      } else {
        const Op op = loop.kind < operations ? static_cast<Op>(loop.kind) : Op::power;
        code.push_back({op, loop.exponent, loop.target + k, a, place(loop.b, k)});
      }
    }
  }
  return code;
}

}  // namespace taut
