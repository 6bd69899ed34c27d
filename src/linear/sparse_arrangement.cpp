#include "linear/sparse_arrangement.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>

namespace taut {
namespace {

/// The columns of each row of H.
std::vector<std::vector<int>> columns_of_rows(const Pattern& H, int rows) {
  std::vector<std::vector<int>> columns(rows);
  for (const auto& [row, column] : H.entries)
    if (row < rows) columns[row].push_back(column);
  for (auto& row : columns) std::ranges::sort(row);
  return columns;
}

/// Which speeds M and H link: the pattern of M + HᵀH. A row with very many entries would make it full; it takes no
/// part.
using Links = Eigen::SparseMatrix<char, Eigen::ColMajor>;

Links links_of_speeds(int n, const Pattern& M, const std::vector<std::vector<int>>& rows) {
  const double many = 16 + 10 * std::sqrt(n);
  std::vector<Eigen::Triplet<char>> places;
  for (const auto& [i, j] : M.entries)
    if (i != j) places.emplace_back(i, j, 1);
  const std::vector<int>* last = nullptr;
  for (const auto& row : rows) {
    if (static_cast<double>(row.size()) > many || (last && std::ranges::includes(*last, row))) continue;
    for (const int i : row)
      for (const int j : row)
        if (i != j) places.emplace_back(i, j, 1);
    last = &row;
  }
  Links links(n, n);
  links.setFromTriplets(places.begin(), places.end(), [](char, char) { return char{1}; });
  return links;
}

/// An order of the speeds for which the factor stays sparse: approximate minimum degree.
std::vector<int> by_minimum_degree(const Links& links) {
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation(links.cols());
  Eigen::AMDOrdering<int>()(links, permutation);
  return {permutation.indices().data(), permutation.indices().data() + links.cols()};
}

/// Unknowns in the order of elimination: the speeds as given, each row (number n + i) right after the last of its
/// speeds. Its pivot is then what is left of the row after those before it, and zero just where they imply it.
std::vector<int> order_of_all(const std::vector<int>& speeds, const std::vector<std::vector<int>>& rows, int m) {
  const int n = static_cast<int>(speeds.size());
  std::vector<int> position(n);
  for (int k = 0; k < n; ++k) position[speeds[k]] = k;
  std::vector<std::vector<int>> after(n + 1);
  for (int i = 0; i < m; ++i) {
    int last = rows[i].empty() ? n : 0;
    for (const int j : rows[i]) last = std::max(last, position[j]);
    after[last].push_back(n + i);
  }
  std::vector<int> order;
  order.reserve(n + m);
  for (int k = 0; k <= n; ++k) {
    if (k < n) order.push_back(speeds[k]);
    order.insert(order.end(), after[k].begin(), after[k].end());
  }
  return order;
}

}  // namespace

Arrangement::Arrangement(int n, int m, int all_rows, const Pattern& M, const Pattern& H, bool completed) {
  const auto rows = columns_of_rows(H, all_rows);
  if (completed) find_products(H, all_rows);
  Places both = places_of_mass(M, H);
  for (const auto& [row, column] : H.entries)
    if (row < m) both.emplace_back(n + row, column);
  const Links links = links_of_speeds(n, M, rows);
  const std::vector<int> speeds = by_minimum_degree(links);
  whole = std::make_shared<FactorPattern>(both, order_of_all(speeds, rows, m));
  take_slots(n, m, M, H);
  room = std::make_shared<FactorRoom>(*whole);
}

void Arrangement::reserve_mass(int n, const Pattern& M, const Pattern& H) {
  if (mass) return;
  std::vector<int> speeds;
  speeds.reserve(n);
  for (int k = 0; k < whole->size(); ++k)
    if (whole->at(k) < n) speeds.push_back(whole->at(k));
  mass = std::make_shared<FactorPattern>(places_of_mass(M, H), std::move(speeds));
  for (const auto& [i, j] : M.entries)
    if (i >= j) M_mass.push_back(i == j ? mass->position(i) : mass->slot(i, j));
  for (Product& product : products) {
    const int i = H.entries[product.first].second, j = H.entries[product.second].second;
    product.mass = product.first == product.second ? mass->position(i) : mass->slot(i, j);
  }
  mass_factor = SparseFactor(mass, std::make_shared<FactorRoom>(*mass));
}

/// Below the diagonal of M, completed where it must be.
Arrangement::Places Arrangement::places_of_mass(const Pattern& M, const Pattern& H) const {
  Places places;
  for (const auto& [i, j] : M.entries)
    if (i > j) places.emplace_back(i, j);
  for (const Product& product : products)
    if (product.first != product.second)
      places.emplace_back(H.entries[product.first].second, H.entries[product.second].second);
  return places;
}

void Arrangement::find_products(const Pattern& H, int all_rows) {
  std::vector<std::vector<int>> entries(all_rows);
  for (std::size_t k = 0; k < H.entries.size(); ++k)
    if (H.entries[k].first < all_rows) entries[H.entries[k].first].push_back(static_cast<int>(k));
  for (int row = 0; row < all_rows; ++row)
    for (const int a : entries[row])
      for (const int b : entries[row]) {
        const int i = H.entries[a].second, j = H.entries[b].second;
        if (i < j) continue;
        products.push_back({row, a, b, 0, 0});
      }
}

void Arrangement::take_slots(int n, int m, const Pattern& M, const Pattern& H) {
  const auto lower = static_cast<std::size_t>(
      std::ranges::count_if(M.entries, [](const auto& entry) { return entry.first >= entry.second; }));
  M_whole.reserve(lower);
  for (const auto& [i, j] : M.entries) {
    if (i < j) continue;
    M_whole.push_back(i == j ? whole->position(i) : whole->slot(i, j));
  }
  for (Product& product : products) {
    const int i = H.entries[product.first].second, j = H.entries[product.second].second;
    product.whole = product.first == product.second ? whole->position(i) : whole->slot(i, j);
  }
  H_whole.reserve(H.entries.size());
  for (const auto& [row, column] : H.entries) H_whole.push_back(row < m ? whole->slot(n + row, column) : 0);
}

}  // namespace taut
