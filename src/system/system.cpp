#include "taut/system.hpp"

#include "system/formula_solver.hpp"

namespace taut {

void SparseValues::to_dense(Matrix& out) const {
  out.setZero();
  for (std::size_t k = 0; k < pattern.entries.size(); ++k)
    out(pattern.entries[k].first, pattern.entries[k].second) = values[static_cast<Eigen::Index>(k)];
}

void SparseValues::multiply(const Vector& x, Vector& out) const {
  out.setZero();
  for (std::size_t k = 0; k < pattern.entries.size(); ++k)
    out[pattern.entries[k].first] += values[static_cast<Eigen::Index>(k)] * x[pattern.entries[k].second];
}

void SparseValues::multiply_transposed(const Vector& x, Vector& out) const {
  out.setZero();
  for (std::size_t k = 0; k < pattern.entries.size(); ++k)
    out[pattern.entries[k].second] += values[static_cast<Eigen::Index>(k)] * x[pattern.entries[k].first];
}

namespace {

SparseValues dense(int rows, int columns) {
  SparseValues matrix{{rows, columns, {}}, Vector::Zero(rows * columns)};
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) matrix.pattern.entries.emplace_back(i, j);
  return matrix;
}

}  // namespace

Point System::make_point() const {
  const int n = shape_.n_v(), m = shape_.rows();
  return {dense(n, n),     dense(m, n),     Vector::Zero(n),
          Vector::Zero(m), Vector::Zero(m), Vector::Zero(shape_.position_rows)};
}

void System::rates(double, const Vector&, const Vector& v, Vector& qdot) { qdot = v; }
void System::spread(double, const Vector&, const Vector& dv, Vector& dq) { dq = dv; }
void System::retract(double, Vector&) {}
double System::energy(double, const Vector&, const Vector&) { return 0; }
void System::energy_gradient(double, const Vector&, const Vector&, Vector& dE) { dE.setZero(); }
void System::energy_slope(double, const Vector&, const Vector&, Vector& dE) { dE.setZero(); }
double System::energy_rate(double, const Vector&, const Vector&) { return 0; }
double System::power(double, const Vector&, const Vector&, const Vector&, const Vector&) { return 0; }
std::unique_ptr<FormulaSolver> System::make_solver(const Matrix&) { return nullptr; }
void System::outputs(double, const Vector&, const Vector&, const Vector&, const Vector&, Vector&) {}

}  // namespace taut
