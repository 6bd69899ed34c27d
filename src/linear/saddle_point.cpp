#include "linear/saddle_point.hpp"

#include <cmath>
#include <limits>

namespace taut {
namespace {

/// A pivot whose square is below this, relative to its speed, may be rounding and what growth makes of it.
constexpr double doubtful_square = 1e-8;
/// Where nobody looks more closely, it is below this.
constexpr double finest_square = 1e-14;
/// See Completion: in units of their own, M and H resist a direction by more than this or not at all.
constexpr double held_by_nothing = 1e-10;
/// Each wins the digits that a factor of squares leaves: four at least.
constexpr int most_refinements = 5;

}  // namespace

void SaddlePoint::resize(int speeds, int rows, int further, std::vector<double> softness,
                         std::vector<char> takes_part) {
  matrices_.resize(speeds, rows, further, std::move(takes_part));
  softness_ = std::move(softness);
}

void SaddlePoint::arrange(bool completed) {
  if (matrices_.arrange(completed)) whole_ = SparseFactor(matrices_.arrangement().whole, matrices_.arrangement().room);
}

// ---- factoring ------------------------------------------------------------------------------------

void SaddlePoint::fill() {
  matrices_.fill(whole_);
  for (std::size_t i = 0; i < softness_.size(); ++i)
    if (softness_[i] > 0)
      whole_.add_diagonal(whole_.pattern().position(matrices_.speeds() + static_cast<int>(i)), -softness_[i]);
}

bool SaddlePoint::is_resisted(int k, double d) {
  const double size = whole_.diagonal(k);
  return d > finest_square * size &&
         (!matrices_.is_completed() || d > doubtful_square * size || is_direction_resisted(k));
}

/// Do M and H resist the direction that belongs to the k-th pivot by more than rounding errors?
bool SaddlePoint::is_direction_resisted(int k) {
  Vector &all = room().solution, &x = room().missing;
  whole_.null_vector(k, all);
  for (int j = 0; j < matrices_.speeds(); ++j) x[j] = all[whole_.pattern().position(j)];
  return matrices_.largest_resistance(x) > held_by_nothing;
}

Vector SaddlePoint::missing_direction() const {
  const int n = matrices_.speeds();
  Vector direction = Vector::Zero(n), all = Vector::Zero(n + matrices_.rows());
  whole_.null_vector(whole_.failed_at(), all);
  for (int j = 0; j < n; ++j) direction[j] = all[whole_.pattern().position(j)];
  return direction.normalized();
}

// ---- solving --------------------------------------------------------------------------------------

/// Solves for what stands in `top` and `right`.
void SaddlePoint::solve_loaded() {
  const FactorPattern& pattern = whole_.pattern();
  const int n = matrices_.speeds(), m = matrices_.rows();
  Vector& solution = room().solution;
  for (int j = 0; j < n; ++j) solution[pattern.position(j)] = room().top[j];
  for (int i = 0; i < m; ++i) solution[pattern.position(n + i)] = room().right[i];
  whole_.solve(solution);
}

void SaddlePoint::unload(Vector& x) {
  const FactorPattern& pattern = whole_.pattern();
  const int n = matrices_.speeds(), m = matrices_.rows();
  for (int j = 0; j < n; ++j) x[j] = room().solution[pattern.position(j)];
  for (int i = 0; i < m; ++i) room().mu[i] = room().solution[pattern.position(n + i)];
}

void SaddlePoint::solve(const Vector& f, const Vector& c, Vector& x) {
  const int m = matrices_.rows();
  room().top = f;
  room().right.head(m) = c.head(m);
  matrices_.add_completion(room().right, room().top);
  room().right.head(m) = c.head(m);
  solve_loaded();
  unload(x);
  refine(f, c, x);
}

void SaddlePoint::solve_rows(const Vector& c, Vector& x) {
  const int m = matrices_.rows();
  room().top.setZero();
  room().right.head(m) = c.head(m);
  solve_loaded();
  unload(x);
}

void SaddlePoint::refine(const Vector& f, const Vector& c, Vector& x) {
  const FactorPattern& pattern = whole_.pattern();
  const int n = matrices_.speeds(), m = matrices_.rows();
  Vector &top = room().top, &right = room().right, &mu = room().mu;
  top = f;
  for (int i = 0; i < m; ++i) right[i] = c[i] + (softness_.empty() ? 0 : softness_[i]) * mu[i];
  matrices_.subtract_products(x, mu, top, right);
  solve_loaded();
  for (int j = 0; j < n; ++j) x[j] += room().solution[pattern.position(j)];
  for (int i = 0; i < m; ++i) mu[i] += room().solution[pattern.position(n + i)];
}

void SaddlePoint::begin_refinement(Vector& x) {
  x.setZero();
  room().mu.setZero();
}

// ---- what is left of other rows -------------------------------------------------------------------

double FactoredComplement::project(const Vector& b, Vector& x) {
  equations_.begin_refinement(x);
  double last = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < most_refinements; ++pass) {
    equations_.refine(b, equations_.matrices().room().no_rows, x);
    const double size = x.norm();
    if (!(size < 0.5 * last)) break;
    last = size;
  }
  double terms = 1;
  for (int i = 0; i < equations_.matrices().rows(); ++i)
    if (row_scale_[i] > 0) terms += std::abs(equations_.multipliers()[i]) / row_scale_[i];
  return std::numeric_limits<double>::epsilon() * terms;
}

void FactoredComplement::combine(const Vector& factors, Vector& b) {
  b.setZero();
  equations_.matrices().add_transposed(factors, b);
}

}  // namespace taut
