#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "linear/completion.hpp"
#include "linear/doubtful_rows.hpp"
#include "linear/sparse_arrangement.hpp"

namespace taut {

/// Both arrangements of one pattern, and room to work in, shared by the kernels of one system. The second arrangement
/// is made when it is needed. The vectors hold nothing from one call to the next.
struct SparseRoom {
  Pattern M, H;
  std::shared_ptr<Arrangement> plain, completed;
  Vector sizes, top, right, mu, solution, none, mass_solution;
  bool divide_by_mass = false;  ///< they are to be ready for that
  DoubtfulRows doubtful;
  Vector no_rows, missing;
};

/// M and H of a sparse system: the values last given, where each goes in a factor, and M completed by rows of H where
/// it is singular (Completion). Multiplies by them, and divides by M. What it works in is shared; see SparseRoom.
class SparseMatrices {
 public:
  /// For so many speeds, constraints, and further rows of H; `takes_part` says which of all rows may complete M.
  void resize(int speeds, int rows, int further, std::vector<char> takes_part);
  /// Takes what another one of the same sizes has made of the patterns.
  void share(const SparseMatrices& other);
  void reserve_patterns(const Pattern& M, const Pattern& H);
  bool has_patterns() const { return arrangement_ != nullptr; }
  /// M is completed from now on, or is not. True where values then go to other places than before.
  bool arrange(bool completed);
  void load(const SparseValues& M, const SparseValues& H);

  int speeds() const { return n_; }
  int rows() const { return m_; }
  bool is_completed() const { return completed_; }
  const Arrangement& arrangement() const { return *arrangement_; }
  SparseRoom& room() const { return *room_; }

  /// M, completed where it must be, and the constraints beside it, into a factor of both.
  void fill(SparseFactor& whole) const;
  /// out = M x, completed.
  void multiply(const Vector& x, Vector& out) const;
  /// out += Hᵀ rows.
  void add_transposed(const Vector& rows, Vector& out) const;
  /// out += HᵀW rows, where M is completed. Spoils the rows.
  void add_completion(Vector& rows, Vector& out) const;
  /// f −= M x + Hᵀμ and c −= H x, both completed as M is.
  void subtract_products(const Vector& x, const Vector& mu, Vector& f, Vector& c) const;
  /// Of each constraint, hᵀD⁻¹h with the diagonal D of the matrix that a factor has been filled with.
  void measure_rows(const SparseFactor& whole, Vector& squares) const;
  /// The most that M and the rows, all in their own units, resist a direction, which is then in those units.
  double largest_resistance(Vector& direction) const;
  /// See Completion::hides_rows.
  bool hides_rows() const;

  /// What dividing by M takes is made now.
  void reserve_mass_division();
  /// out = M⁻¹x. M is factored when it is asked for: hardly any method does.
  void divide_by_mass(const Vector& x, Vector& out) const;

 private:
  void fill_mass(SparseFactor& factor, const std::vector<FactorPattern::Slot>& slots,
                 FactorPattern::Slot Product::*slot) const;
  void reserve_mass() const;
  void factor_mass() const;

  int n_ = 0, m_ = 0, further_ = 0;
  bool completed_ = false;
  std::shared_ptr<SparseRoom> room_;
  std::shared_ptr<Arrangement> arrangement_;
  Vector M_, H_;                  ///< values last given
  std::vector<char> takes_part_;  ///< which rows complete M
  mutable Completion completion_;
  mutable bool mass_factored_ = false;
};

}  // namespace taut
