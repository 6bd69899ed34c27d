#include "expression/interpreter.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "expression/arithmetic.hpp"

namespace taut {
namespace {

// ---- one lane -----------------------------------------------------------------------------------

using Steps = std::span<const Instruction>;

template <int kind>
void run_steps(Steps steps, double* registers) {
  if constexpr (kind == pair_kind) {
    for (std::size_t k = 0; k < steps.size(); k += 2) {
      const taut_pair both = taut_sincos(registers[steps[k].a]);
      registers[steps[k].target] = both.sine;
      registers[steps[k + 1].target] = both.cosine;
    }
  } else {
    for (const Instruction& step : steps) {
      const double a = registers[step.a];
      if constexpr (kind == square_kind) {
        registers[step.target] = a * a;
      } else if constexpr (kind == whole_power_kind) {
        registers[step.target] = whole_power(a, step.exponent);
      } else {
        registers[step.target] = compute(static_cast<Op>(kind), a, registers[step.b]);
      }
    }
  }
}

template <int... all>
constexpr std::array<void (*)(Steps, double*), kinds> all_runners(std::integer_sequence<int, all...>) {
  return {run_steps<all>...};
}
constexpr auto runners = all_runners(std::make_integer_sequence<int, kinds>{});

// ---- many lanes ---------------------------------------------------------------------------------

/// What to compute of one argument.
enum class Turn { sine, cosine, both };

/// All lanes as if they were easy, then those that are not by the library, as one lane has it.
template <Turn turn>
[[gnu::always_inline]] inline void turn_lanes(double* __restrict sine, double* __restrict cosine, const double* a,
                                              std::size_t lanes) {
  taut_word hard = 0;
  for (std::size_t k = 0; k < lanes; ++k) {
    const taut_reduced at = taut_reduce(a[k]);
    const double even = taut_sine_near_zero(at.r, at.lack), odd = taut_cosine_near_zero(at.r, at.lack);
    if constexpr (turn != Turn::cosine) sine[k] = taut_turned(at.n, even, odd);
    if constexpr (turn != Turn::sine) cosine[k] = taut_turned(at.n + 1, even, odd);
    hard |= taut_is_hard(a[k], at.r) ? ~taut_word{0} : 0;
  }
  if (hard == 0) return;
  for (std::size_t k = 0; k < lanes; ++k) {
    if (!taut_is_hard(a[k], taut_reduce(a[k]).r)) continue;
    if constexpr (turn != Turn::cosine) sine[k] = std::sin(a[k]);
    if constexpr (turn != Turn::sine) cosine[k] = std::cos(a[k]);
  }
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

/// What a link's second instruction makes of the first one's result.
[[gnu::always_inline]] inline double linked_with(Use use, double x, double c) {
  switch (use) {
    case Use::plus:
      return x + c;
    case Use::minus:
      return x - c;
    case Use::taken_from:
      return c - x;
    case Use::times:
      return x * c;
  }
  return 0;
}

/// What an instruction does to a block of lanes. `last` is its second operand, or for a pair the place of the cosine;
/// `third` is that of a link.
template <int kind>
[[gnu::always_inline]] inline void over_lanes(double* __restrict target, const double* a, double* last,
                                              const double* third, int exponent, std::size_t lanes) {
  if constexpr (kind >= first_link) {
    constexpr Op first = linked[(kind - first_link) / uses];
    constexpr Use use = static_cast<Use>((kind - first_link) % uses);
    for (std::size_t k = 0; k < lanes; ++k) target[k] = linked_with(use, compute(first, a[k], last[k]), third[k]);
  } else if constexpr (kind == pair_kind) {
    turn_lanes<Turn::both>(target, last, a, lanes);
  } else if constexpr (kind == static_cast<int>(Op::sin)) {
    turn_lanes<Turn::sine>(target, nullptr, a, lanes);
  } else if constexpr (kind == static_cast<int>(Op::cos)) {
    turn_lanes<Turn::cosine>(nullptr, target, a, lanes);
  } else if constexpr (kind == square_kind) {
    for (std::size_t k = 0; k < lanes; ++k) target[k] = a[k] * a[k];
  } else if constexpr (kind == whole_power_kind) {
    raise_lanes(target, a, exponent, lanes);
  } else {
    for (std::size_t k = 0; k < lanes; ++k) target[k] = compute(static_cast<Op>(kind), a[k], last[k]);
  }
}

/// A whole block has a length that the compiler knows.
template <int kind>
[[gnu::always_inline]] inline void by_blocks(double* target, const double* a, double* last, const double* third,
                                             int exponent, std::size_t lanes) {
  if (lanes == block) {
    over_lanes<kind>(target, a, last, third, exponent, block);
  } else {
    over_lanes<kind>(target, a, last, third, exponent, lanes);
  }
}

/// The same kernels for every processor of the family and for those with wider registers: more lanes in one
/// instruction, the same results.
using Kernel = void (*)(double* target, const double* a, double* last, const double* third, int exponent,
                        std::size_t lanes);

struct Plain {
  template <int kind>
  static void apply(double* target, const double* a, double* last, const double* third, int exponent,
                    std::size_t lanes) {
    by_blocks<kind>(target, a, last, third, exponent, lanes);
  }
};

#ifdef __x86_64__
struct Wide {
  template <int kind>
  [[gnu::target("avx2")]] static void apply(double* target, const double* a, double* last, const double* third,
                                            int exponent, std::size_t lanes) {
    by_blocks<kind>(target, a, last, third, exponent, lanes);
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

template <class Width, int... all>
constexpr std::array<Kernel, kinds_and_links> all_kernels(std::integer_sequence<int, all...>) {
  return {Width::template apply<all>...};
}

using All = std::make_integer_sequence<int, kinds_and_links>;
const std::array<Kernel, kinds_and_links> kernels = is_wide() ? all_kernels<Wide>(All{}) : all_kernels<Plain>(All{});

}  // namespace

void run_one_lane(const Schedule& schedule, int level, double* registers) {
  for (const Batch& batch : schedule.level(level)) {
    const auto begin = static_cast<std::size_t>(batch.begin), end = static_cast<std::size_t>(batch.end);
    runners[static_cast<std::size_t>(batch.kind)](std::span(schedule.code).subspan(begin, end - begin), registers);
  }
}

void run_lanes(const Schedule& schedule, int level, double* registers, std::size_t lanes, std::size_t stride) {
  for (std::size_t begin = 0; begin < lanes; begin += block) {
    const std::size_t width = std::min(block, lanes - begin);
    const auto at = [=](int slot) { return registers + static_cast<std::size_t>(slot) * stride + begin; };
    for (const Batch& batch : schedule.level(level)) {
      const Kernel kernel = kernels[static_cast<std::size_t>(batch.kind)];
      const int count = together(batch.kind);
      for (int k = batch.begin; k < batch.end; k += count) {
        const Instruction *step = &schedule.code[static_cast<std::size_t>(k)], *next = step + count - 1;
        const int last = batch.kind == pair_kind ? next->target : step->b;
        kernel(at(step->target), at(step->a), at(last), at(next->a), step->exponent, width);
      }
    }
  }
}

void run_side_by_side(int kind, double* target, const double* a, double* last, int exponent, std::size_t count) {
  kernels[static_cast<std::size_t>(kind)](target, a, last, nullptr, exponent, count);
}

}  // namespace taut
