#include "linear/completion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "linear/pivoted_qr.hpp"

namespace taut {
namespace {

/// Directions that are held less than this by M and all rows, each of length 1, are held by nothing: what rounding
/// leaves of nought is some 1e-15 of it, and an angle of 1e-10 between rows is nobody's design.
constexpr double held_by_nothing = 1e-10;
/// What rounding leaves of a mass that is all another speed's, relative to its entry of M.
constexpr double shadow = 1e-12;
/// A mass below this share of the largest that it is coupled with, by M or by rows, is what rounding, or half of the
/// digits of an axis, leaves of none: of rotors whose axes are next to parallel, the speeds beside these see the square
/// of the angle.
constexpr double no_mass = 1e-16;
/// Speeds that M couples, more of them than this, are looked at one by one beside their neighbours: their square would
/// be felt.
constexpr std::size_t largest_block = 200;
/// Each sweep halves the orders of size by which rows and columns of H still differ.
constexpr int equilibrating_sweeps = 6;
/// Speeds that are linked less than this, compared with the best linked, wait for others to have their unit.
constexpr double well_linked = 1e-2;
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
  mass_.setZero(speeds);
  heaviest_.setZero(speeds);
  speed_scale_.setOnes(speeds);
  linked_.setZero(speeds);
  row_scale_.setOnes(rows);
  strongest_.setZero(rows);
  entries_.clear();
  blocks_.clear();
}

void Completion::find(MatrixView M, MatrixView H, std::span<const char> takes_part) {
  find_blocks(M.pattern);
  equilibrate(H, takes_part);
  find_units_of_mass(M, H, takes_part);
  for (int pass = 0; pass < longest_chain && spread_units(H, takes_part); ++pass) {
  }
  for (double& unit : units_)  // linked to nothing that has mass
    if (unit == 0) unit = 1;
  find_weights(H, takes_part);
}

void Completion::find_blocks(const Pattern& M) {
  if (!blocks_.empty() && M.entries.list() == entries_) return;
  entries_.assign(M.entries.begin(), M.entries.end());
  const auto n = static_cast<int>(units_.size());
  std::vector<int> block_of(n);
  std::iota(block_of.begin(), block_of.end(), 0);
  const auto root = [&](int i) {
    while (block_of[i] != i) i = block_of[i] = block_of[block_of[i]];
    return i;
  };
  for (const auto& [i, j] : entries_) block_of[root(std::max(i, j))] = root(std::min(i, j));
  std::vector<std::vector<int>> coupled(n);
  for (int i = 0; i < n; ++i) coupled[root(i)].push_back(i);
  blocks_.clear();
  for (std::vector<int>& speeds : coupled) {
    if (speeds.size() > largest_block)
      add_neighbourhoods(speeds);
    else if (!speeds.empty())
      blocks_.push_back({std::move(speeds), {}});
  }
  place_entries();
}

/// Of very many neighbours, the nearest in number: those of the same body come first.
void Completion::add_neighbourhoods(const std::vector<int>& speeds) {
  std::vector<std::vector<int>> neighbours(static_cast<std::size_t>(units_.size()));
  for (const auto& [i, j] : entries_) neighbours[i].push_back(j);
  for (const int own : speeds) {
    std::vector<int>& near = neighbours[own];
    near.push_back(own);
    std::ranges::sort(near, {}, [&](int j) { return std::pair(std::abs(j - own), j); });
    near.erase(std::unique(near.begin(), near.end()), near.end());
    if (near.size() > largest_block) near.resize(largest_block);
    std::ranges::sort(near);
    blocks_.push_back({std::move(near), {}, own});
  }
}

/// Where the entries of M stand in each block.
void Completion::place_entries() {
  std::vector<std::vector<std::pair<int, std::size_t>>> rows(static_cast<std::size_t>(units_.size()));
  for (std::size_t k = 0; k < entries_.size(); ++k) rows[entries_[k].first].emplace_back(entries_[k].second, k);
  std::vector<int> position(rows.size(), -1);
  std::size_t largest = 0;
  for (Block& block : blocks_) {
    largest = std::max(largest, block.speeds.size());
    for (std::size_t k = 0; k < block.speeds.size(); ++k) position[block.speeds[k]] = static_cast<int>(k);
    for (const int i : block.speeds)
      for (const auto& [j, entry] : rows[i])
        if (position[j] >= 0) block.places.push_back({position[i], position[j], entry});
    for (const int i : block.speeds) position[i] = -1;
  }
  square_.assign(largest * largest, 0);
  order_.reserve(largest);
}

/// Scales rows and columns of H so that the largest entry of each is about 1, whatever their units (Ruiz 2001). What is
/// small then is small in any unit: rounding, or a speed that a row hardly feels.
void Completion::equilibrate(MatrixView H, std::span<const char> takes_part) {
  row_scale_.setOnes();
  speed_scale_.setOnes();
  for (int sweep = 0; sweep < equilibrating_sweeps; ++sweep) {
    largest_.setZero();
    wanted_.setZero();
    for_entries(H, takes_part, [&](int row, int column, double value) {
      const double size = std::abs(value) * row_scale_[row] * speed_scale_[column];
      largest_[row] = std::max(largest_[row], size);
      wanted_[column] = std::max(wanted_[column], size);
    });
    for (Eigen::Index i = 0; i < largest_.size(); ++i)
      if (largest_[i] > 0) row_scale_[i] /= std::sqrt(largest_[i]);
    for (Eigen::Index j = 0; j < wanted_.size(); ++j)
      if (wanted_[j] > 0) speed_scale_[j] /= std::sqrt(wanted_[j]);
  }
}

void Completion::find_masses(MatrixView M) {
  mass_.setZero();
  const MatrixPlaces::List& places = M.pattern.entries;
  for (std::size_t k = 0; k < places.size(); ++k)
    if (places[k].first == places[k].second) mass_[places[k].first] = M.values[static_cast<Eigen::Index>(k)];
}

bool Completion::hides_rows(MatrixView M, MatrixView H, std::span<const char> takes_part) {
  if (!has_light_masses(M)) return false;
  find_masses(M);
  equilibrate(H, takes_part);
  find_heaviest(H, takes_part);
  linked_.setZero();  // in so many rows
  for_entries(H, takes_part, [&](int row, int column, double value) {
    if (std::abs(value) * row_scale_[row] * speed_scale_[column] >= well_linked) linked_[column] += 1;
  });
  for (int j = 0; j < static_cast<int>(mass_.size()); ++j)
    if (linked_[j] > 1 && felt_mass(j) < no_mass * heaviest_[j]) return true;
  return false;
}

bool Completion::has_light_masses(MatrixView M) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (std::size_t k = 0; k < M.pattern.entries.size(); ++k) {
    if (M.pattern.entries[k].first != M.pattern.entries[k].second) continue;
    const double mass = M.values[static_cast<Eigen::Index>(k)];
    if (mass > 0) least = std::min(least, mass);
    most = std::max(most, mass);
  }
  return least < no_mass * most;
}

/// Passed on from row to row, until it is known everywhere.
void Completion::find_heaviest(MatrixView H, std::span<const char> takes_part) {
  for (int j = 0; j < static_cast<int>(mass_.size()); ++j) heaviest_[j] = felt_mass(j);
  largest_.setZero();
  bool changed = true;
  const auto pass_on = [&](double& to, double from) {
    changed |= from > to;
    to = std::max(to, from);
  };
  for (int pass = 0; pass < longest_chain && std::exchange(changed, false); ++pass)
    for_entries(H, takes_part, [&](int row, int column, double value) {
      if (std::abs(value) * row_scale_[row] * speed_scale_[column] < well_linked) return;
      pass_on(largest_[row], heaviest_[column]);
      pass_on(heaviest_[column], largest_[row]);
    });
}

void Completion::find_units_of_mass(MatrixView M, MatrixView H, std::span<const char> takes_part) {
  find_masses(M);
  heaviest_.setZero();
  if (has_light_masses(M)) find_heaviest(H, takes_part);
  units_.setZero();
  for (const Block& block : blocks_) {
    load(block, M);
    find_units_of_mass(block);
  }
}

/// M over the block, and the order of elimination: the speed with most mass first, in the unit in which the constraints
/// feel them alike.
void Completion::load(const Block& block, MatrixView M) {
  const std::size_t size = block.speeds.size();
  std::fill(square_.begin(), square_.begin() + static_cast<std::ptrdiff_t>(size * size), 0);
  for (const Block::Place& place : block.places)
    square_[place.row * size + place.column] = M.values[static_cast<Eigen::Index>(place.entry)];
  order_.resize(size);
  std::iota(order_.begin(), order_.end(), 0);
  std::sort(order_.begin(), order_.end(), [&](int i, int j) {
    const double left = felt_mass(block.speeds[i]), right = felt_mass(block.speeds[j]);
    return left != right ? left > right : i < j;
  });
}

/// M = LLᵀ over the block. Of speeds that share a mass the first keeps it.
void Completion::find_units_of_mass(const Block& block) {
  const std::size_t size = block.speeds.size();
  const auto entry = [&](int i, int j) -> double& { return square_[i * size + j]; };
  const double largest = felt_mass(block.speeds[order_.front()]);
  for (auto k = order_.begin(); k != order_.end(); ++k) {
    const int speed = block.speeds[*k];
    const double mass = mass_[speed], pivot = entry(*k, *k);
    const double beside = std::max(largest, heaviest_[speed]);
    const bool is_own = mass > 0 && felt_mass(speed) > no_mass * beside && pivot > shadow * mass;
    if (is_own && (block.only < 0 || block.only == speed)) units_[speed] = 1 / std::sqrt(mass);
    if (block.only == speed) return;
    for (auto i = k + 1; is_own && i != order_.end(); ++i) {
      const double part = entry(*i, *k) / pivot;
      if (part != 0)
        for (auto j = k + 1; j != order_.end(); ++j) entry(*i, *j) -= part * entry(*j, *k);
    }
  }
}

/// Gives units to speeds that share a row with those that have one: of such rows, the one that links them best tells,
/// not one in which either is next to nothing. False if there are none.
bool Completion::spread_units(MatrixView H, std::span<const char> takes_part) {
  largest_.setZero();
  strongest_.setZero();
  wanted_.setZero();
  linked_.setZero();
  for_entries(H, takes_part, [&](int row, int column, double value) {
    if (units_[column] == 0) return;
    largest_[row] = std::max(largest_[row], std::abs(value) * units_[column]);
    strongest_[row] = std::max(strongest_[row], std::abs(value) * row_scale_[row] * speed_scale_[column]);
  });
  for_entries(H, takes_part, [&](int row, int column, double value) {
    if (units_[column] != 0 || largest_[row] == 0) return;
    const double link = std::abs(value) * row_scale_[row] * speed_scale_[column] * strongest_[row];
    if (link <= linked_[column]) return;
    linked_[column] = link;
    wanted_[column] = largest_[row] / std::abs(value);
  });
  const double best = linked_.maxCoeff();
  if (best == 0) return false;
  for (Eigen::Index j = 0; j < units_.size(); ++j)
    if (linked_[j] > well_linked * best) units_[j] = wanted_[j];
  return true;
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
  return PivotedQr(both).R().diagonal().cwiseAbs().minCoeff() > held_by_nothing;
}

}  // namespace taut
