#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "taut/error.hpp"
#include "taut/questions.hpp"

namespace taut {
namespace {

using Complex = std::complex<double>;
constexpr int most_refinements = 80;
/// Beside the largest, eigenvalues below this are those of directions that nothing acts along.
constexpr double zero = 1e-6;
/// Beside the largest, an eigenvalue that is well apart from them, and still near.
constexpr double away = 1e-4;

/// The values in the order in which they continue the last ones: the nearest pairs first.
std::vector<Complex> continued(const std::vector<Complex>& last, std::vector<Complex> values) {
  if (last.size() != values.size()) return values;
  struct Pair {
    double distance;
    std::size_t from, to;
  };
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < last.size(); ++i)
    for (std::size_t j = 0; j < values.size(); ++j) pairs.push_back({std::abs(last[i] - values[j]), i, j});
  std::ranges::stable_sort(pairs, {}, &Pair::distance);
  std::vector<Complex> ordered(values.size());
  std::vector<bool> is_left(values.size(), true), is_open(values.size(), true);
  for (const auto& [distance, from, to] : pairs) {
    if (!is_left[to] || !is_open[from]) continue;
    ordered[from] = values[to];
    is_left[to] = is_open[from] = false;
  }
  return ordered;
}

class Locus {
 public:
  Locus(const Model& model, const LocusOptions& options) : model_(model), options_(options) {}

  RootLocus answer() {
    RootLocus result{model_.name, options_.over, {}, {}, {}, {}};
    for (const double value : options_.values) {
      const Modes modes = at(value);
      std::vector<Complex> eigenvalues = all(modes);
      if (!result.eigenvalues.empty()) eigenvalues = continued(result.eigenvalues.back(), eigenvalues);
      if (!modes.steady)
        result.notes.push_back(fmt::format("the motion is not steady for {} = {:g}", options_.over, value));
      if (!result.values.empty()) look_between(result, value, eigenvalues);
      result.values.push_back(value);
      result.eigenvalues.push_back(std::move(eigenvalues));
    }
    return result;
  }

 private:
  Modes at(double value) const {
    LinearizeOptions options = options_;
    std::erase_if(options.set, [&](const Assignment& one) { return one.name == options_.over; });
    options.set.emplace_back(options_.over, value);
    return find_modes(model_, options);
  }
  static std::vector<Complex> all(const Modes& modes) {
    std::vector<Complex> values;
    for (const Mode& mode : modes.modes) values.push_back(mode.eigenvalue);
    return values;
  }
  static double largest(const std::vector<Complex>& values) {
    double size = 0;
    for (const Complex& value : values) size = std::max(size, std::abs(value));
    return size;
  }

  /// Real parts that change their sign between two values of the parameter, each pair once.
  void look_between(RootLocus& result, double value, const std::vector<Complex>& there) const {
    const std::vector<Complex>& here = result.eigenvalues.back();
    if (here.size() != there.size()) return;
    const double small = zero * std::max(largest(here), largest(there));
    const auto zeros = std::ranges::count_if(here, [&](const Complex& one) { return std::abs(one) <= small; });
    for (std::size_t k = 0; k < here.size(); ++k) {
      if (std::abs(here[k]) <= small || std::abs(there[k]) <= small || here[k].imag() < 0) continue;
      if (std::abs(here[k].real()) <= small || std::abs(there[k].real()) <= small) continue;
      if ((here[k].real() > 0) != (there[k].real() > 0))
        result.crossings.push_back(located({result.values.back(), here[k]}, {value, there[k]}, zeros));
    }
  }

  /// The eigenvalue that continues; none where it cannot be told from those that are always zero.
  std::optional<Complex> continuing(double value, Complex expected, double way, std::ptrdiff_t zeros) const {
    std::vector<Complex> values = all(at(value));
    std::ranges::sort(values, {}, [](const Complex& one) { return std::abs(one); });
    Complex found{std::numeric_limits<double>::infinity(), 0};
    for (auto k = static_cast<std::size_t>(zeros); k < values.size(); ++k)
      if (std::abs(values[k] - expected) < std::abs(found - expected)) found = values[k];
    return std::abs(found - expected) <= way ? std::optional(found) : std::nullopt;
  }

  /// By regula falsi (Illinois) on the real part of the eigenvalue that continues.
  LocusCrossing located(LocusCrossing left, LocusCrossing right, std::ptrdiff_t zeros) const {
    double f_left = left.eigenvalue.real(), f_right = right.eigenvalue.real();
    LocusCrossing best = left;
    for (int k = 0; k < most_refinements; ++k) {
      const double middle = (left.value * f_right - right.value * f_left) / (f_right - f_left);
      const Complex change = right.eigenvalue - left.eigenvalue;
      const Complex expected = left.eigenvalue + change * ((middle - left.value) / (right.value - left.value));
      best = {middle, expected};
      const auto found = continuing(middle, expected, std::abs(change), zeros);
      if (!found) break;
      best.eigenvalue = *found;
      if (std::abs(found->real()) <= 1e-14 * std::max(std::abs(*found), 1.0)) break;
      if (std::abs(right.value - left.value) <= 1e-14 * std::abs(middle)) break;
      const bool goes_left = (found->real() > 0) == (f_right > 0);
      (goes_left ? right : left) = best;
      (goes_left ? f_right : f_left) = found->real();
      (goes_left ? f_left : f_right) /= 2;
    }
    return zeros > 0 && left.eigenvalue.imag() == 0 ? sharpened(best, left, right, zeros) : best;
  }

  /// Where a real eigenvalue crosses zero among others that are zero, these disturb it; so it is looked at to both
  /// sides.
  LocusCrossing sharpened(const LocusCrossing& rough, const LocusCrossing& left, const LocusCrossing& right,
                          std::ptrdiff_t zeros) const {
    const double slope = (right.eigenvalue.real() - left.eigenvalue.real()) / (right.value - left.value);
    const double wanted = away * largest(all(at(rough.value)));
    std::vector<double> values, at_value;
    for (const double k : {-3.0, -2.0, -1.0, 1.0, 2.0, 3.0}) {
      const auto found = continuing(rough.value + k * wanted / slope, k * wanted, std::abs(k) * wanted, zeros);
      if (!found) return rough;
      values.push_back(rough.value + k * wanted / slope);
      at_value.push_back(found->real());
    }
    double crossing = 0;  // Lagrange's polynomial of the value over the eigenvalue, at 0
    for (std::size_t i = 0; i < values.size(); ++i) {
      double weight = 1;
      for (std::size_t j = 0; j < values.size(); ++j)
        if (j != i) weight *= at_value[j] / (at_value[j] - at_value[i]);
      crossing += weight * values[i];
    }
    return {crossing, 0};
  }

  const Model& model_;
  const LocusOptions& options_;
};

}  // namespace

RootLocus root_locus(const Model& model, const LocusOptions& options) {
  if (options.values.empty())
    throw InputError("no values are given for '" + options.over + "'", "write --over NAME=FROM:TO:N");
  return Locus(model, options).answer();
}

}  // namespace taut
