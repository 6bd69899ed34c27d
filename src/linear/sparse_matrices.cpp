#include "linear/sparse_matrices.hpp"

#include <algorithm>

namespace taut {

void SparseMatrices::resize(int speeds, int rows, int further, std::vector<char> takes_part) {
  n_ = speeds;
  m_ = rows;
  further_ = further;
  takes_part_ = std::move(takes_part);
  completed_ = false;
  room_.reset();
  arrangement_.reset();
  completion_ = {};
}

void SparseMatrices::share(const SparseMatrices& other) {
  if (other.n_ == n_ && other.m_ == m_ && other.further_ == further_) room_ = other.room_;
}

void SparseMatrices::reserve_patterns(const Pattern& M, const Pattern& H) {
  M_.setZero(static_cast<Eigen::Index>(M.entries.size()));
  H_.setZero(static_cast<Eigen::Index>(H.entries.size()));
  if (room_) return;
  room_ = std::make_shared<SparseRoom>();
  room_->M = M;
  room_->H = H;
  for (Vector* rows : {&room_->sizes, &room_->right, &room_->mu}) rows->setZero(m_ + further_);
  for (Vector* speeds : {&room_->top, &room_->none}) speeds->setZero(n_);
  room_->solution.setZero(n_ + m_);
  room_->doubtful.resize(n_, m_);
  room_->no_rows.setZero(m_);
}

bool SparseMatrices::arrange(bool completed) {
  completed_ = completed;
  if (!room_) return false;
  auto& wanted = completed ? room_->completed : room_->plain;
  if (!wanted) wanted = std::make_shared<Arrangement>(n_, m_, m_ + further_, room_->M, room_->H, completed);
  if (arrangement_ == wanted) return false;
  arrangement_ = wanted;
  if (completed) {
    completion_.resize(n_, m_ + further_);
    room_->missing.setZero(n_);
  }
  if (room_->divide_by_mass) reserve_mass();
  return true;
}

void SparseMatrices::load(const SparseValues& M, const SparseValues& H) {
  M_ = M.values;
  H_ = H.values;
  mass_factored_ = false;
}

/// Where masses are alike, nothing is made for it: of large systems that would take much room.
bool SparseMatrices::hides_rows() const {
  if (!Completion::has_light_masses({room_->M, M_})) return false;
  if (completion_.units().size() == 0) completion_.resize(n_, m_ + further_);
  return completion_.hides_rows({room_->M, M_}, {room_->H, H_}, takes_part_);
}

// ---- into factors ---------------------------------------------------------------------------------

void SparseMatrices::fill(SparseFactor& whole) const {
  const MatrixPlaces::List& H_places = room_->H.entries;
  fill_mass(whole, arrangement_->M_whole, &Product::whole);
  for (std::size_t e = 0; e < H_places.size(); ++e)
    if (H_places[e].first < m_) whole.add(arrangement_->H_whole[e], H_[static_cast<Eigen::Index>(e)]);
}

/// M, completed where it must be.
void SparseMatrices::fill_mass(SparseFactor& factor, const std::vector<FactorPattern::Slot>& slots,
                               FactorPattern::Slot Product::*slot) const {
  const MatrixPlaces::List& M_places = room_->M.entries;
  factor.clear();
  std::size_t next = 0;
  for (std::size_t e = 0; e < M_places.size(); ++e) {
    const auto [i, j] = M_places[e];
    if (i < j) continue;
    const double value = M_[static_cast<Eigen::Index>(e)];
    i == j ? factor.add_diagonal(static_cast<int>(slots[next++]), value) : factor.add(slots[next++], value);
  }
  if (!completed_) return;
  completion_.find({room_->M, M_}, {room_->H, H_}, takes_part_);
  for (const Product& product : arrangement_->products) {
    const double value = completion_.weights()[product.row] * H_[product.first] * H_[product.second];
    product.first == product.second ? factor.add_diagonal(static_cast<int>(product.*slot), value)
                                    : factor.add(product.*slot, value);
  }
}

void SparseMatrices::measure_rows(const SparseFactor& whole, Vector& squares) const {
  const MatrixPlaces::List& H_places = room_->H.entries;
  squares.setZero();
  for (std::size_t e = 0; e < H_places.size(); ++e) {
    const auto [row, column] = H_places[e];
    const double h = H_[static_cast<Eigen::Index>(e)];
    const double inertia = whole.diagonal(arrangement_->whole->position(column));
    if (row < m_ && inertia > 0) squares[row] += h * h / inertia;
  }
}

// ---- products -------------------------------------------------------------------------------------

void SparseMatrices::multiply(const Vector& x, Vector& out) const {
  const MatrixPlaces::List& M_places = room_->M.entries;
  const MatrixPlaces::List& H_places = room_->H.entries;
  out.setZero();
  for (std::size_t e = 0; e < M_places.size(); ++e) {
    const auto [i, j] = M_places[e];
    out[i] += M_[static_cast<Eigen::Index>(e)] * x[j];
  }
  if (!completed_) return;
  Vector& rows = room_->sizes;
  rows.setZero();
  for (std::size_t e = 0; e < H_places.size(); ++e) {
    const auto [row, column] = H_places[e];
    if (row < m_ + further_) rows[row] += H_[static_cast<Eigen::Index>(e)] * x[column];
  }
  add_completion(rows, out);
}

void SparseMatrices::add_transposed(const Vector& rows, Vector& out) const {
  const MatrixPlaces::List& H_places = room_->H.entries;
  for (std::size_t e = 0; e < H_places.size(); ++e) {
    const auto [row, column] = H_places[e];
    if (row < rows.size()) out[column] += H_[static_cast<Eigen::Index>(e)] * rows[row];
  }
}

void SparseMatrices::add_completion(Vector& rows, Vector& out) const {
  if (!completed_) return;
  rows.array() *= completion_.weights().array();
  add_transposed(rows, out);
}

void SparseMatrices::subtract_products(const Vector& x, const Vector& mu, Vector& f, Vector& c) const {
  const MatrixPlaces::List& M_places = room_->M.entries;
  const MatrixPlaces::List& H_places = room_->H.entries;
  for (std::size_t e = 0; e < M_places.size(); ++e) {
    const auto [i, j] = M_places[e];
    f[i] -= M_[static_cast<Eigen::Index>(e)] * x[j];
  }
  c.tail(further_).setZero();
  for (std::size_t e = 0; e < H_places.size(); ++e) {
    const auto [row, column] = H_places[e];
    if (row >= m_ + further_) continue;
    const double h = H_[static_cast<Eigen::Index>(e)];
    if (row < m_) f[column] -= h * mu[row];
    c[row] -= h * x[column];
  }
  if (!completed_) return;
  room_->sizes = c;
  add_completion(room_->sizes, f);
}

double SparseMatrices::largest_resistance(Vector& direction) const {
  const MatrixPlaces::List& M_places = room_->M.entries;
  const MatrixPlaces::List& H_places = room_->H.entries;
  const Vector& units = completion_.units();
  Vector &forces = room_->top, &rows = room_->sizes;
  direction.array() /= units.array();
  direction /= direction.norm();
  forces.setZero();
  rows.setZero();
  for (std::size_t e = 0; e < M_places.size(); ++e) {
    const auto [i, j] = M_places[e];
    forces[i] += M_[static_cast<Eigen::Index>(e)] * units[i] * units[j] * direction[j];
  }
  for (std::size_t e = 0; e < H_places.size(); ++e) {
    const auto [row, column] = H_places[e];
    if (row < m_ + further_) rows[row] += H_[static_cast<Eigen::Index>(e)] * units[column] * direction[column];
  }
  rows.array() *= completion_.weights().array().sqrt();
  return std::max(forces.cwiseAbs().maxCoeff(), rows.size() > 0 ? rows.cwiseAbs().maxCoeff() : 0);
}

// ---- dividing by the mass -------------------------------------------------------------------------

void SparseMatrices::reserve_mass() const {
  arrangement_->reserve_mass(n_, room_->M, room_->H);
  room_->mass_solution.resize(n_);
}

void SparseMatrices::reserve_mass_division() {
  if (!room_) return;
  room_->divide_by_mass = true;
  reserve_mass();
}

void SparseMatrices::factor_mass() const {
  reserve_mass();
  fill_mass(arrangement_->mass_factor, arrangement_->M_mass, &Product::mass);
  arrangement_->mass_owner = this;
  arrangement_->mass_factor.factor(
      [](int, double d, double) { return d > 0 ? SparseFactor::Pivot::use : SparseFactor::Pivot::leave_out; });
  mass_factored_ = true;
}

void SparseMatrices::divide_by_mass(const Vector& x, Vector& out) const {
  if (!mass_factored_ || arrangement_->mass_owner != this) factor_mass();
  const FactorPattern& pattern = *arrangement_->mass;
  Vector& solution = room_->mass_solution;
  for (int k = 0; k < n_; ++k) solution[k] = x[pattern.at(k)];
  arrangement_->mass_factor.solve(solution);
  for (int k = 0; k < n_; ++k) out[pattern.at(k)] = solution[k];
}

}  // namespace taut
