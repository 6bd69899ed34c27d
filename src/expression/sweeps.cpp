#include "expression/sweeps.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <unordered_map>

#include "expression/interpreter.hpp"

namespace taut {
namespace {

/// So many instructions are sorted at a time: what they compute stays in the cache while the next of them use it.
constexpr std::size_t window = 1u << 15;
/// Fewer instructions than this are not worth a sweep of their own.
constexpr int fewest = 8;

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

/// Shapes of formulas, by number: the operation and the shapes of the operands. Whatever is known before has shape 0.
class Shapes {
 public:
  int operator()(const Step& step, int a, int b) {
    const std::uint64_t operation = static_cast<std::uint64_t>(step.code.op) * 512 +
                                    static_cast<std::uint64_t>(step.code.exponent + 128) * 2 + (step.cosine >= 0);
    return static_cast<int>(
        known_
            .try_emplace({operation, static_cast<std::uint64_t>(a) << 32 | static_cast<std::uint32_t>(b)},
                         known_.size() + 1)
            .first->second);
  }

 private:
  using Key = std::pair<std::uint64_t, std::uint64_t>;
  struct Hash {
    std::size_t operator()(const Key& key) const {
      return (key.first * 0x9e3779b97f4a7c15u) ^ (key.second * 0xbf58476d1ce4e5b9u + (key.second >> 29));
    }
  };
  std::unordered_map<Key, std::size_t, Hash> known_;
};

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
  }
  return best;
}

}  // namespace

/// Sorts the instructions, a window of them after the other, and writes sweeps.
class Sweeps::Maker {
 public:
  Maker(Sweeps& sweeps, int first, int registers, std::vector<int>& renumbered)
      : sweeps_(sweeps), renumbered_(renumbered), next_(first), depth_(registers, 0), shape_(registers, 0) {
    renumbered_.assign(registers, -1);
    std::iota(renumbered_.begin(), renumbered_.begin() + first, 0);
  }

  void add_level(std::span<const Instruction> code) {
    for (std::size_t begin = 0; begin < code.size(); begin += window)
      add_window(code.subspan(begin, std::min(window, code.size() - begin)));
    sweeps_.level_end_.push_back(static_cast<int>(sweeps_.sweeps_.size()));
  }

 private:
  /// Of what is computed in this window, operands come before users by their depth; those of one depth may stand in any
  /// order.
  void add_window(std::span<const Instruction> code) {
    std::vector<Step> steps = steps_of(code);
    Shapes shapes;
    struct Key {
      int depth, shape;
      std::uint32_t step;
    };
    std::vector<Key> keys;
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const Instruction& step = steps[k].code;
      const int depth = 1 + std::max(depth_[step.a], depth_[step.b]);
      const int shape = shapes(steps[k], shape_[step.a], shape_[step.b]);
      for (const int target : {step.target, steps[k].cosine}) {
        if (target < 0) continue;
        depth_[target] = depth;
        shape_[target] = 2 * shape + (target != step.target);
      }
      keys.push_back({depth, shape, static_cast<std::uint32_t>(k)});
    }
    std::ranges::sort(keys, {}, [](const Key& key) { return std::tuple(key.depth, key.shape, key.step); });
    for (std::size_t begin = 0, end = 0; begin < keys.size(); begin = end) {
      group_.clear();
      for (end = begin; end < keys.size() && keys[end].shape == keys[begin].shape; ++end) {
        group_.push_back(steps[keys[end].step]);
        group_.back().code.a = renumbered_[group_.back().code.a];
        group_.back().code.b = renumbered_[group_.back().code.b];
      }
      add_group();
    }
    for (const Step& step : steps)  // for the next window these are known
      for (const int target : {step.code.target, step.cosine})
        if (target >= 0) depth_[target] = shape_[target] = 0;
  }

  /// Steps of one shape, none of which needs another.
  void add_group() {
    const std::size_t lag = period(group_);
    sorted_.clear();
    for (std::size_t first = 0; first < lag; ++first)
      for (std::size_t k = first; k < group_.size(); k += lag) sorted_.push_back(group_[k]);
    const int count = static_cast<int>(sorted_.size());
    const bool paired = sorted_.front().cosine >= 0;
    for (int k = 0; k < count; ++k) {
      renumbered_[sorted_[k].code.target] = next_ + k;
      if (paired) renumbered_[sorted_[k].cosine] = next_ + count + k;
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
    next_ += paired ? 2 * count : count;
  }

  int even_length(int k) const {
    const int count = static_cast<int>(sorted_.size());
    int end = std::min(k + 2, count);
    while (end < count && is_even(sorted_, static_cast<std::size_t>(end) - 1, 1)) ++end;
    return end - k;
  }

  Sweep sweep(int k, int length, int count) const {
    const Step& step = sorted_[k];
    Sweep sweep;
    sweep.kind = static_cast<std::int8_t>(step.cosine >= 0 ? pair_kind : kind_of(step.code));
    sweep.exponent = step.code.exponent;
    sweep.target = next_ + k;
    sweep.count = length;
    if (step.cosine >= 0) sweep.b = {next_ + count + k, 1, -1};
    return sweep;
  }

  void add_even(int k, int length, int count) {
    Sweep made = sweep(k, length, count);
    const Instruction &one = sorted_[k].code, &two = sorted_[k + 1].code;
    made.a = {one.a, two.a - one.a, -1};
    if (made.kind != pair_kind) made.b = {one.b, two.b - one.b, -1};
    sweeps_.sweeps_.push_back(made);
  }

  void add_listed(int k, int length, int count) {
    if (length == 0) return;
    Sweep made = sweep(k, length, count);
    made.a.list = list(k, length, &Instruction::a);
    if (made.kind != pair_kind) made.b.list = list(k, length, &Instruction::b);
    sweeps_.sweeps_.push_back(made);
  }

  std::int64_t list(int k, int length, int Instruction::*operand) {
    const auto at = static_cast<std::int64_t>(sweeps_.listed_.size());
    for (int i = k; i < k + length; ++i) sweeps_.listed_.push_back(sorted_[i].code.*operand);
    return at;
  }

  Sweeps& sweeps_;
  std::vector<int>& renumbered_;
  int next_;                        ///< register
  std::vector<int> depth_, shape_;  ///< of each register, within the window at hand
  std::vector<Step> group_, sorted_;
};

Sweeps::Sweeps(std::span<const std::span<const Instruction>> levels, int first, int registers,
               std::vector<int>& renumbered) {
  Maker maker(*this, first, registers, renumbered);
  for (const auto& level : levels) maker.add_level(level);
  sweeps_.shrink_to_fit();
  listed_.shrink_to_fit();
}

int Sweeps::place(const Operands& operands, int k) const {
  return operands.list < 0 ? operands.first + k * operands.stride
                           : listed_[static_cast<std::size_t>(operands.list + k)];
}

/// Operands side by side: where they stand, if they do so already.
double* Sweeps::gathered(const Operands& operands, int begin, int count, double* registers, double* room) const {
  if (operands.list < 0 && operands.stride == 1) return registers + operands.first + begin;
  if (operands.list < 0) {
    const double* from = registers + operands.first + static_cast<std::ptrdiff_t>(begin) * operands.stride;
    for (int k = 0; k < count; ++k) room[k] = from[static_cast<std::ptrdiff_t>(k) * operands.stride];
  } else {
    const int* places = listed_.data() + operands.list + begin;
    for (int k = 0; k < count; ++k) room[k] = registers[places[k]];
  }
  return room;
}

void Sweeps::run(int level, double* registers) const {
  std::array<double, block> room_a, room_b;
  const int first = level == 0 ? 0 : level_end_[static_cast<std::size_t>(level) - 1];
  for (int s = first; s < level_end_[static_cast<std::size_t>(level)]; ++s) {
    const Sweep& sweep = sweeps_[static_cast<std::size_t>(s)];
    const bool paired = sweep.kind == pair_kind;
    for (int begin = 0; begin < sweep.count; begin += static_cast<int>(block)) {
      const int count = std::min(static_cast<int>(block), sweep.count - begin);
      const double* a = gathered(sweep.a, begin, count, registers, room_a.data());
      double* last =
          paired ? registers + sweep.b.first + begin : gathered(sweep.b, begin, count, registers, room_b.data());
      run_side_by_side(sweep.kind, registers + sweep.target + begin, a, last, sweep.exponent,
                       static_cast<std::size_t>(count));
    }
  }
}

std::vector<Instruction> Sweeps::instructions(int level) const {
  std::vector<Instruction> code;
  const int first = level == 0 ? 0 : level_end_[static_cast<std::size_t>(level) - 1];
  for (int s = first; s < level_end_[static_cast<std::size_t>(level)]; ++s) {
    const Sweep& sweep = sweeps_[static_cast<std::size_t>(s)];
    for (int k = 0; k < sweep.count; ++k) {
      const int a = place(sweep.a, k);
      if (sweep.kind == pair_kind) {
        code.push_back({Op::sin, 0, sweep.target + k, a, a});
        code.push_back({Op::cos, 0, sweep.b.first + k, a, a});
      } else {
        const Op op = sweep.kind < operations ? static_cast<Op>(sweep.kind) : Op::power;
        code.push_back({op, sweep.exponent, sweep.target + k, a, place(sweep.b, k)});
      }
    }
  }
  return code;
}

}  // namespace taut
