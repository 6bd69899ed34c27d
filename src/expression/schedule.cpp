#include "expression/schedule.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace taut {
namespace {

/// Orders pieces of code: of the instructions whose operands are known, all of one kind, then all of another, the kind
/// with most first. One object for all pieces, so that memory is found once.
class Batcher {
 public:
  Batcher(int registers, Schedule& out) : maker_(static_cast<std::size_t>(registers), none), out_(out) {}

  void write(std::span<const Instruction> code) {
    code_ = code;
    find_users();
    for (std::size_t k = 0; k < code.size(); ++k) {
      if (waits_for_[k] == 0) make_ready(static_cast<int>(k));
    }
    while (true) {
      const auto most = std::ranges::max_element(ready_, {}, &std::vector<int>::size);
      if (most->empty()) return;
      write_batch(static_cast<int>(most - ready_.begin()));
    }
  }

 private:
  static constexpr int none = -1;

  const Instruction& at(int k) const { return code_[static_cast<std::size_t>(k)]; }
  bool is_second(int k) const { return k > 0 && go_together(at(k - 1), at(k)); }
  bool is_first(int k) const { return k + 1 < static_cast<int>(code_.size()) && is_pair(at(k), at(k + 1)); }
  /// Which instruction waits for the operands of instruction k.
  int waiting(int k) const { return k > 0 && is_link(at(k - 1)) ? k - 1 : k; }

  /// Lists of users: use 2k is the first operand of instruction k, use 2k + 1 the second.
  void find_users() {
    waits_for_.assign(code_.size(), 0);
    first_use_.assign(code_.size(), none);
    next_use_.assign(2 * code_.size(), none);
    for (std::size_t k = 0; k < code_.size(); ++k)
      maker_[static_cast<std::size_t>(code_[k].target)] = static_cast<int>(k);
    for (std::size_t k = code_.size(); k-- > 0;) {
      const std::array<int, 2> operands{code_[k].a, code_[k].b};
      for (std::size_t i = 0; i < 2; ++i) {
        const int maker = maker_[static_cast<std::size_t>(operands[i])];
        if (maker == none) continue;
        int& first = first_use_[static_cast<std::size_t>(maker)];
        next_use_[2 * k + i] = std::exchange(first, static_cast<int>(2 * k + i));
        ++waits_for_[static_cast<std::size_t>(waiting(static_cast<int>(k)))];
      }
    }
    for (const Instruction& step : code_) maker_[static_cast<std::size_t>(step.target)] = none;
  }

  /// The second of a pair comes with the first.
  void make_ready(int k) {
    if (is_second(k)) return;
    ready_[static_cast<std::size_t>(is_first(k) ? pair_kind : kind_of(at(k)))].push_back(k);
  }

  /// Also takes what becomes ready meanwhile.
  void write_batch(int kind) {
    std::vector<int>& queue = ready_[static_cast<std::size_t>(kind)];
    const auto begin = static_cast<int>(out_.code.size());
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const int k = queue[i];
      write(k);
      if (together(kind) == 2) write(k + 1);
    }
    queue.clear();
    out_.batches.push_back({kind, begin, static_cast<int>(out_.code.size())});
  }

  void write(int k) {
    out_.code.push_back(at(k));
    for (int use = first_use_[static_cast<std::size_t>(k)]; use != none;
         use = next_use_[static_cast<std::size_t>(use)]) {
      const int user = waiting(use / 2);
      if (--waits_for_[static_cast<std::size_t>(user)] == 0) make_ready(user);
    }
  }

  std::vector<int> maker_;  ///< of each register: the instruction of this piece that writes it
  Schedule& out_;
  std::span<const Instruction> code_;
  std::vector<int> waits_for_;  ///< how many operands are not yet written
  std::vector<int> first_use_, next_use_;
  std::array<std::vector<int>, kinds_and_links> ready_;
};

/// The first `window` instructions, without tearing a pair apart.
std::size_t piece(std::span<const Instruction> code, std::size_t window) {
  if (code.size() <= window) return code.size();
  return go_together(code[window - 1], code[window]) ? window + 1 : window;
}

/// Registers from a certain one on, given out and taken back.
class Pool {
 public:
  explicit Pool(int first) : first_(first), next_(first) {}
  int take() {
    if (free_.empty()) {
      most_ = std::max(most_, next_ + 1);
      return next_++;
    }
    const int slot = free_.back();
    free_.pop_back();
    return slot;
  }
  void give_back(int slot) { free_.push_back(slot); }
  void begin_level() {
    free_.clear();
    next_ = first_;
  }
  int most() const { return most_; }

 private:
  int first_, next_;
  int most_ = first_;
  std::vector<int> free_;  ///< the one given back last is taken first: it is still in the cache
};

/// Replaces registers that are used within one level by those of a pool.
class Reuse {
 public:
  Reuse(Schedule& schedule, int kept, int registers)
      : schedule_(schedule),
        kept_(kept),
        pool_(kept),
        last_use_(static_cast<std::size_t>(registers), -1),
        place_(static_cast<std::size_t>(registers), -1) {
    for (std::size_t k = 0; k < schedule.code.size(); ++k) {
      for (const int slot : {schedule.code[k].a, schedule.code[k].b}) at(last_use_, slot) = static_cast<int>(k);
    }
  }

  int run() {
    for (int level = 0; level < static_cast<int>(schedule_.level_end.size()); ++level) {
      pool_.begin_level();
      for (const Batch& batch : schedule_.level(level)) run(batch);
    }
    return pool_.most();
  }

 private:
  static int& at(std::vector<int>& all, int slot) { return all[static_cast<std::size_t>(slot)]; }

  void run(const Batch& batch) {
    const int count = together(batch.kind);
    for (int k = batch.begin; k < batch.end; k += count) {
      // All results of an instruction have their places before its operands give theirs back.
      const std::span<Instruction> steps = std::span(schedule_.code).subspan(static_cast<std::size_t>(k), count);
      used_.clear();
      if (batch.kind >= first_link) {
        place_target(steps[1]);
        steps[0].target = steps[1].target;
      } else {
        for (Instruction& step : steps) place_target(step);
      }
      for (Instruction& step : steps) place_operands(step);
      give_back(k + count - 1);
    }
  }

  void place_target(Instruction& step) {
    if (step.target < kept_) return;
    const int slot = pool_.take();
    at(place_, step.target) = slot;
    step.target = slot;
  }

  void place_operands(Instruction& step) {
    for (const int slot : {step.a, step.b})
      if (slot >= kept_ && std::ranges::find(used_, slot) == used_.end()) used_.push_back(slot);
    for (int* slot : {&step.a, &step.b}) {
      if (*slot >= kept_) *slot = at(place_, *slot);
    }
  }

  /// The operands of what ends with instruction k, if nobody uses them later.
  void give_back(int k) {
    for (const int slot : used_)
      if (at(last_use_, slot) <= k) pool_.give_back(at(place_, slot));
  }

  Schedule& schedule_;
  int kept_;
  Pool pool_;
  std::vector<int> last_use_, place_;
  std::vector<int> used_;  ///< by what is run at one go, as they were called before
};

/// Finds links, each instruction in one at most.
class Linker {
 public:
  Linker(std::span<const Instruction> code, int kept, int registers)
      : code_(code), kept_(kept), uses_(static_cast<std::size_t>(registers)), maker_(uses_.size(), none) {
    for (const Instruction& step : code_)
      for (const int slot : {step.a, step.b}) ++at(uses_, slot);
  }

  std::vector<Instruction> run() {
    first_.assign(code_.size(), none);
    for (int k = 0; k < static_cast<int>(code_.size()); ++k) {
      at(maker_, step(k).target) = k;
      if (combines(step(k))) find_first(k);
    }
    std::vector<bool> moved(code_.size());
    for (const int k : first_)
      if (k != none) moved[static_cast<std::size_t>(k)] = true;
    std::vector<Instruction> out;
    out.reserve(code_.size());
    for (int k = 0; k < static_cast<int>(code_.size()); ++k) {
      if (moved[static_cast<std::size_t>(k)]) continue;
      if (at(first_, k) == none) {
        out.push_back(step(k));
      } else {
        write(step(at(first_, k)), step(k), out);
      }
    }
    return out;
  }

 private:
  static constexpr int none = -1;

  const Instruction& step(int k) const { return code_[static_cast<std::size_t>(k)]; }
  static int& at(std::vector<int>& all, int slot) { return all[static_cast<std::size_t>(slot)]; }
  static bool is_square(const Instruction& one) { return one.op == Op::power && one.exponent == 2; }
  static bool combines(const Instruction& one) { return std::ranges::find(linked, one.op) != std::end(linked); }

  /// The instruction that makes an operand of instruction k for it alone, if it has not been linked already.
  void find_first(int k) {
    if (step(k).a == step(k).b) return;
    for (const int slot : {step(k).a, step(k).b}) {
      const int maker = at(maker_, slot);
      if (slot < kept_ || at(uses_, slot) != 1 || maker == none || at(first_, maker) != none) continue;
      if (!combines(step(maker)) && !is_square(step(maker))) continue;
      at(first_, k) = maker;
      return;
    }
  }

  static void write(Instruction first, Instruction second, std::vector<Instruction>& out) {
    const bool on_the_left = second.a == first.target;
    const int other = on_the_left ? second.b : second.a;
    const Use use = second.op == Op::add        ? Use::plus
                    : second.op == Op::multiply ? Use::times
                    : on_the_left               ? Use::minus
                                                : Use::taken_from;
    if (is_square(first)) {
      first.op = Op::multiply;
      first.b = first.a;
    }
    first.exponent = static_cast<std::int8_t>(static_cast<int>(use) + 1);
    first.target = second.target;
    second.a = second.b = other;
    out.push_back(first);
    out.push_back(second);
  }

  std::span<const Instruction> code_;
  int kept_;
  std::vector<int> uses_, maker_, first_;
};

}  // namespace

std::span<const Batch> Schedule::level(int k) const {
  const auto at = static_cast<std::size_t>(k);
  const int first = k == 0 ? 0 : level_end[at - 1];
  return std::span(batches).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(level_end[at] - first));
}

Schedule make_schedule(std::span<const std::span<const Instruction>> levels, int registers, std::size_t window) {
  Schedule schedule;
  std::size_t instructions = 0;
  for (const auto& level : levels) instructions += level.size();
  schedule.code.reserve(instructions);
  Batcher batcher(registers, schedule);
  for (std::span<const Instruction> left : levels) {
    while (!left.empty()) {
      const std::size_t size = piece(left, window);
      batcher.write(left.first(size));
      left = left.subspan(size);
    }
    schedule.level_end.push_back(static_cast<int>(schedule.batches.size()));
  }
  return schedule;
}

std::vector<Instruction> link(std::span<const Instruction> level, int kept, int registers) {
  return Linker(level, kept, registers).run();
}

int reuse_registers(Schedule& schedule, int kept, int registers) { return Reuse(schedule, kept, registers).run(); }

}  // namespace taut
