#pragma once

#include <memory>

#include "taut/system.hpp"

namespace taut {

/// Where the position constraints come nearest to meeting themselves.
///
/// At a singular position a combination w of the rows vanishes, Hᵀw = 0. If it lies on the constraints, two branches of
/// them cross there, and a motion may go straight through. If the constraints only come close to it, their branches
/// avoid each other like those of a hyperbola, and a motion turns a sharp bend. Both are critical points of w·Φ on the
/// surface where all else of Φ vanishes, and the critical value w·Φ tells them apart.
struct CriticalPoint {
  enum class Kind {
    none,       ///< the search did not end at one
    passage,    ///< on the constraints, as far as rounding lets one see
    near_miss,  ///< off them by `value`
    blurred     ///< off them by so little that rounding blurs the bend, or what the motion itself is off them by
  };
  Kind kind = Kind::none;
  double value = 0;       ///< the largest |w·Φ|, of rows of length 1 where the search was asked for
  double rounding = 0;    ///< how much of it rounding explains
  double off = 0;         ///< by how much rows are off zero where the search was asked for
  double bend = 0;        ///< how long the bend is and …
  double distance = 0;    ///< … how far away, in the time that the motion takes for such a way
  bool is_plane = false;  ///< two branches in a plane: nothing passes by without turning
  /// The motion is so near that what it is off the constraints by itself says how it passes, and not the constraints.
  bool within_error = false;
};

/// Newton's method for critical points: (q, w) with Hᵀw = 0, |w| = 1, (1 − wwᵀ)Φ = 0, where several w may vanish at
/// once and critical points need not be isolated: steps are the shortest that serve. Second derivatives are differences
/// of H. For systems that are small enough for dense matrices; time counts as one more coordinate where constraints
/// depend on it.
class CriticalPointSearch {
 public:
  explicit CriticalPointSearch(System& system);
  ~CriticalPointSearch();

  /// Is the system small enough?
  bool serves() const { return work_ != nullptr; }
  /// The critical point near a state on the constraints, whose position rows have this rank.
  CriticalPoint search(double t, const Vector& q, const Vector& v, int rank) { return search(t, q, v, rank, t, q); }
  /// As that, begun at a guess of where the motion will be at a later time.
  CriticalPoint search(double t, const Vector& q, const Vector& v, int rank, double guess_t, const Vector& guess_q);

 private:
  class Workspace;
  struct Found;
  CriticalPoint judge(const Found& found, double off);

  std::unique_ptr<Workspace> work_;
};

}  // namespace taut
