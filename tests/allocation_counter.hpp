#pragma once

#include <atomic>
#include <cstdlib>

// Every allocation of the program passes here, those of Eigen and those of operator new, which calls malloc, and is
// counted while `counting` is set. Sanitizers bring a malloc of their own, and other C libraries have no second name
// for theirs: there is nothing to count with then. To be included by one file of a program.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
#define TAUT_COUNTS_ALLOCATIONS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define TAUT_COUNTS_ALLOCATIONS 0
#endif
#endif
#ifndef TAUT_COUNTS_ALLOCATIONS
#define TAUT_COUNTS_ALLOCATIONS 1
#endif

#if TAUT_COUNTS_ALLOCATIONS

namespace taut::test {

inline std::atomic<bool> counting{false};
inline std::atomic<long> allocations{0};

inline void note_allocation() {
  if (counting.load(std::memory_order_relaxed)) allocations.fetch_add(1, std::memory_order_relaxed);
}

/// How many allocations something makes.
template <class Action>
long allocations_in(Action&& action) {
  allocations = 0;
  counting = true;
  action();
  counting = false;
  return allocations;
}

}  // namespace taut::test

// Only the ways in are replaced; what glibc hands out, its own free takes back.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) noexcept {
  taut::test::note_allocation();
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) noexcept {
  taut::test::note_allocation();
  return __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) noexcept {
  taut::test::note_allocation();
  return __libc_realloc(memory, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  taut::test::note_allocation();
  return __libc_memalign(alignment, size);
}
}

#endif
