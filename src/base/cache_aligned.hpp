#pragma once

#include <cstddef>
#include <new>

namespace taut {

/// Memory that begins with a line of the cache: what is read many numbers at a time then stands in as few lines as can
/// be.
template <class T>
struct CacheAligned {
  using value_type = T;
  static constexpr std::align_val_t line{64};

  CacheAligned() = default;
  template <class U>
  CacheAligned(const CacheAligned<U>&) {}  // NOLINT(google-explicit-constructor): as allocators do

  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), line)); }
  void deallocate(T* place, std::size_t) { ::operator delete(place, line); }
  bool operator==(const CacheAligned&) const = default;
};

}  // namespace taut
