#pragma once

#include <memory>

#include "../protocol.hpp"

/// The suite's problems as somebody writes them by hand for SUNDIALS: Cartesian coordinates q, rates v = q̇, sizes
/// fixed where they are known, nothing allocated once it runs.
namespace peer {

class Mechanism {
 public:
  virtual ~Mechanism() = default;
  virtual int coordinates() const = 0;
  virtual int constraints() const = 0;
  virtual void start(double* q, double* v) const = 0;

  /// M a + Hᵀλ = f, H a = b; λ only where there is a place for it. False where the matrix is singular.
  virtual bool accelerate(const double* q, const double* v, double* a, double* lambda) = 0;
  /// Brings q onto Φ = 0 and then v onto H v = 0, in the norm of M. False where Newton's method does not converge.
  virtual bool project(double* q, double* v) = 0;
  /// Gear, Gupta & Leimkuhler's form, of index 2: q̇ − v + Hᵀμ, M v̇ − f + Hᵀλ, Φ, H v.
  virtual void residual(const double* q, const double* v, const double* lambda, const double* mu, const double* qdot,
                        const double* vdot, double* kinematic, double* dynamic, double* Phi, double* chi) = 0;

  virtual void observe(const double* q, Values& values) const = 0;
  /// Is a joint coupled to its neighbours only? Then the rows of joint i are the coordinates 2i, 2i + 1 and the
  /// constraints 2i, 2i + 1, the last of which the last joint does not have.
  virtual bool chain() const { return false; }
};

/// Has Newton's method come as near as rounding allows? Next to a singular position that is not very near.
inline bool is_done(double change, double change_before) {
  return change <= 1e-13 || (change <= 1e-8 && change >= change_before / 2);
}

/// Throws std::runtime_error for a problem that it does not know. `safe`: by a complete orthogonal decomposition, where
/// that is possible, instead of the cheaper Cholesky factor of H M⁻¹Hᵀ.
std::unique_ptr<Mechanism> make_mechanism(const Request& request, bool safe);

/// N four-bar loops in a row with a banded matrix.
std::unique_ptr<Mechanism> make_chain(int loops);

}  // namespace peer
