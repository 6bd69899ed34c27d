#include "linear/completion.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

namespace taut {
namespace {

/// Directions that are held less than this by M and all rows, each of length 1, are held by nothing: what rounding
/// leaves of nought is some 1e-15 of it, and an angle of 1e-10 between rows is nobody's design.
constexpr double held_by_nothing = 1e-10;
/// Along a chain of speeds without mass units pass from one to the next; a longer one is as well off with any.
constexpr int longest_chain = 100;

template <class Use>
void for_entries(MatrixView H, std::span<const char> takes_part, Use&& use) {
  const MatrixPlaces::List& places = H.pattern.entries;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const auto [row, column] = places[k];
    const double value = H.values[static_cast<Eigen::Index>(k)];
    if (row < static_cast<int>(takes_part.size()) && takes_part[row] && value != 0) use(row, column, value);
  }
}

}  // namespace

void Completion::resize(int speeds, int rows) {
  weights_.setZero(rows);
  largest_.setZero(rows);
  units_.setZero(speeds);
  wanted_.setZero(speeds);
}

void Completion::find(MatrixView M, MatrixView H, std::span<const char> takes_part) {
  find_units_of_mass(M);
  for (int pass = 0; pass < longest_chain && spread_units(H, takes_part); ++pass) {
  }
  for (double& unit : units_)  // linked to nothing that has mass
    if (unit == 0) unit = 1;
  find_weights(H, takes_part);
}

void Completion::find_units_of_mass(MatrixView M) {
  units_.setZero();
  const MatrixPlaces::List& places = M.pattern.entries;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const double mass = M.values[static_cast<Eigen::Index>(k)];
    if (places[k].first == places[k].second && mass > 0) units_[places[k].first] = 1 / std::sqrt(mass);
  }
}

/// Gives units to speeds that share a row with those that have one. False if there are none.
bool Completion::spread_units(MatrixView H, std::span<const char> takes_part) {
  largest_.setZero();
  wanted_.setZero();
  for_entries(H, takes_part, [&](int row, int column, double value) {
    largest_[row] = std::max(largest_[row], std::abs(value) * units_[column]);
  });
  for_entries(H, takes_part, [&](int row, int column, double value) {
    if (units_[column] != 0 || largest_[row] == 0) return;
    wanted_[column] = std::max(wanted_[column], std::abs(value) / largest_[row]);
  });
  bool any = false;
  for (Eigen::Index j = 0; j < units_.size(); ++j) {
    if (wanted_[j] == 0) continue;
    units_[j] = 1 / wanted_[j];
    any = true;
  }
  return any;
}

/// Rows of length 1.
void Completion::find_weights(MatrixView H, std::span<const char> takes_part) {
  weights_.setZero();
  for_entries(H, takes_part, [&](int row, int column, double value) {
    const double scaled = value * units_[column];
    weights_[row] += scaled * scaled;
  });
  for (double& weight : weights_)
    if (weight > 0) weight = 1 / weight;
}

bool completes(MatrixView M, MatrixView H, std::span<const char> takes_part, const Vector& units) {
  const Eigen::Index n = units.size();
  Matrix rows = Matrix::Zero(static_cast<Eigen::Index>(takes_part.size()), n), mass = Matrix::Zero(n, n);
  for_entries(H, takes_part, [&](int row, int column, double value) { rows(row, column) = value * units[column]; });
  for (Eigen::Index i = 0; i < rows.rows(); ++i)
    if (const double length = rows.row(i).norm(); length > 0) rows.row(i) /= length;
  for (std::size_t k = 0; k < M.pattern.entries.size(); ++k) {
    const auto [i, j] = M.pattern.entries[k];
    mass(i, j) = M.values[static_cast<Eigen::Index>(k)] * units[i] * units[j];
  }
  Matrix both(n + rows.rows(), n);
  both << mass, rows;
  const Eigen::ColPivHouseholderQR<Matrix> factor(both);
  return factor.matrixR().diagonal().cwiseAbs().minCoeff() > held_by_nothing;
}

}  // namespace taut
