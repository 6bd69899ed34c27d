#pragma once

#include <Eigen/Cholesky>

#include "linear/completion.hpp"
#include "linear/kernel.hpp"

namespace taut {

/// A kernel for systems that are small enough to be full: factors M = LLᵀ and leaves Cᵀ = L⁻¹Hᵀ, its columns scaled,
/// to the kernel proper.
class DenseKernel : public LinearKernel {
 public:
  bool determine_rank(const SparseValues& M, const SparseValues& H) final;
  bool factor(const SparseValues& M, const SparseValues& H) final;
  void accelerate(const Vector& f, const Vector& c, Vector& x, Vector& lambda) final;
  void correct(const Vector& r, Vector& x) final;
  void divide_by_mass(const Vector& x, Vector& out) const final;
  Vector missing_direction() const final;

 protected:
  /// A pivot below this is rounding error, whatever was decided.
  static constexpr double noise = 1e-14;

  /// Ct_ := L⁻¹Hᵀ, from rows of H.
  virtual void divide_rows(const Eigen::Ref<const Matrix>& rows);
  /// Makes room for the factors of Ct_.
  virtual void resize_rows() = 0;
  /// Factors Ct_ (n × m: L⁻¹Hᵀ with columns scaled), deciding order_ and rank_ first if asked.
  virtual void factor_rows(bool deciding) = 0;
  /// y = C⁺ r and lambda with Cᵀlambda = y, both for scaled rows. Entries of lambda that do not
  /// count are zero, except where the kernel spreads it over all rows.
  virtual void solve_rows(const Vector& r, Vector& y, Vector& lambda) = 0;

  const Matrix& mass_factor() const { return mass_.matrixLLT(); }
  /// Have rows been added to M, so that it couples whatever they do?
  bool adds_rows_to_mass() const { return mass_completed_ || W_.size() > 0; }

  Matrix Ct_;

 private:
  void resize() final;
  bool prepare(const SparseValues& M, const SparseValues& H, bool deciding);
  void take_weights();
  bool factor_mass(const SparseValues& M, const SparseValues& H);
  bool factor_weighted_mass(const SparseValues& M, const SparseValues& H);
  double least_mass_pivot() const;

  Eigen::LLT<Matrix> mass_;
  Matrix M_, H_;       ///< H with the further rows
  Matrix W_, WH_;      ///< the weights given; empty if there are none
  Matrix plain_mass_;  ///< the M that mass_ is made of, if of it alone
  bool mass_is_plain_ = false;
  Vector scaled_, y_, free_, residual_;
  std::vector<char> takes_part_;  ///< which rows complete M
  Completion completion_;
};

}  // namespace taut
