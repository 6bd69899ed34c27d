#include "questions/frame.hpp"

#include <algorithm>
#include <cmath>

#include "expression/derivative.hpp"
#include "linear/orthogonal_decomposition.hpp"

namespace taut {
namespace {

constexpr double rank_threshold = 1e-10;

/// b.omega_x is the rate at which b turns about x, b.vx that of b.x, x' that of x.
std::string name_of_integral(const std::string& speed, const std::string& other_name) {
  const std::string& name = other_name.empty() ? speed : other_name;
  if (name.ends_with('\'')) return name.substr(0, name.size() - 1);
  const std::size_t omega = name.find("omega_");
  if (omega != std::string::npos) return name.substr(0, omega) + "turn_" + name.substr(omega + 6);
  return "integral(" + name + ")";
}

/// Columns with an entry.
std::vector<int> used_columns(const Pattern& pattern) {
  std::vector<int> used;
  for (const auto& [row, column] : pattern.entries) used.push_back(column);
  std::ranges::sort(used);
  used.erase(std::unique(used.begin(), used.end()), used.end());
  return used;
}

std::vector<Expression> rates_of_N(const Equations& eq) {
  DirectionalDerivative flow(*eq.graph, [&eq](SymbolId s) -> Expression {
    if (s == eq.time) return 1;
    const auto found = std::ranges::find(eq.q, s);
    return found == eq.q.end() ? Expression(0) : eq.rates[static_cast<std::size_t>(found - eq.q.begin())];
  });
  std::vector<Expression> rates;
  for (const Expression& entry : eq.N.entries) rates.push_back(flow(entry));
  return rates;
}

Matrix filled(const Equations& eq, const Vector& entries) {
  Matrix N = Matrix::Zero(static_cast<Eigen::Index>(eq.q.size()), static_cast<Eigen::Index>(eq.v.size()));
  for (std::size_t k = 0; k < eq.N.entries.size(); ++k) {
    const auto [i, j] = eq.N.pattern.entries[k];
    N(i, j) = entries[static_cast<Eigen::Index>(k)];
  }
  return N;
}

}  // namespace

Frame::Frame(const Subject& subject, SlopeFormulas& formulas)
    : subject_(subject),
      eq_(subject.equations()),
      formulas_(formulas),
      N_(formulas.add(eq_.N.entries)),
      N_rate_(formulas.add(rates_of_N(eq_))),
      retractions_(formulas.add(eq_.retractions)),
      retracting_(*eq_.graph, eq_.retractions) {}

void Frame::update() {
  if (names_.empty()) choose();
  if (!along_speeds_ || eq_.shape.plain_rates) return;
  E_ = along_speeds();
  inverse_ = OrthogonalDecomposition(E_, rank_threshold).pseudo_inverse();
}

Matrix Frame::N() const { return filled(eq_, formulas_[N_].value); }

Matrix Frame::along_speeds() const {
  const Matrix N = this->N();
  Matrix E = Matrix::Zero(N.rows(), size());
  for (std::size_t k = 0; k < mechanical_; ++k) E.col(static_cast<Eigen::Index>(k)) = N.col(speeds_[k]);
  for (std::size_t k = 0; k < states_.size(); ++k) E(states_[k], static_cast<Eigen::Index>(mechanical_ + k)) = 1;
  return E;
}

Matrix Frame::rate() const {
  Matrix rate = Matrix::Zero(E_.rows(), E_.cols());
  if (!along_speeds_) return rate;
  const Matrix N_rate = filled(eq_, formulas_[N_rate_].value);
  for (std::size_t k = 0; k < mechanical_; ++k) rate.col(static_cast<Eigen::Index>(k)) = N_rate.col(speeds_[k]);
  return rate;
}

Matrix Frame::retraction() const {
  const auto n_q = static_cast<Eigen::Index>(eq_.q.size());
  Matrix slopes = Matrix::Identity(n_q, n_q);
  for (std::size_t k = 0; k < eq_.retracted.size(); ++k)
    slopes.row(eq_.retracted[k]) = formulas_[retractions_].by_q.row(static_cast<Eigen::Index>(k));
  return slopes;
}

Matrix Frame::retraction_by_p() const {
  const Matrix& by_p = formulas_[retractions_].by_p;
  Matrix slopes = Matrix::Zero(static_cast<Eigen::Index>(eq_.q.size()), by_p.cols());
  for (std::size_t k = 0; k < eq_.retracted.size(); ++k)
    slopes.row(eq_.retracted[k]) = by_p.row(static_cast<Eigen::Index>(k));
  return slopes;
}

/// The speeds reach every neighbouring position if they are as many as the coordinates that can be chosen, which is the
/// trace of the retraction's slopes, a projector.
void Frame::choose() {
  for (const Shape::State& state : eq_.shape.states)
    if (!state.is_speed) states_.push_back(state.index);
  use_speeds();
  E_ = along_speeds();
  const OrthogonalDecomposition factored(E_, rank_threshold);
  inverse_ = factored.pseudo_inverse();
  if (factored.rank() != E_.cols() || factored.rank() != std::lround(retraction().trace())) use_coordinates();
}

void Frame::use_speeds() {
  const auto& own = subject_.model().speeds;
  const int first_own = eq_.shape.own_speeds();
  for (const int j : used_columns(eq_.N.pattern)) {
    const auto k = static_cast<std::size_t>(j);
    const std::string other = j < first_own ? "" : own[static_cast<std::size_t>(j - first_own)].other_name;
    names_.push_back(name_of_integral(eq_.shape.speeds[k], other));
    speeds_.push_back(j);
  }
  mechanical_ = names_.size();
  for (const int state : states_) {
    names_.push_back(eq_.shape.coordinates[static_cast<std::size_t>(state)]);
    speeds_.push_back(-1);
  }
}

void Frame::use_coordinates() {
  along_speeds_ = false;
  names_ = eq_.shape.coordinates;
  mechanical_ = names_.size();
  speeds_.assign(names_.size(), -1);
  for (std::size_t k = 0; k < names_.size(); ++k)
    if (const auto rate = std::ranges::find(eq_.shape.speeds, names_[k] + "'"); rate != eq_.shape.speeds.end())
      speeds_[k] = static_cast<int>(rate - eq_.shape.speeds.begin());
  const auto n_q = static_cast<Eigen::Index>(eq_.q.size());
  E_ = inverse_ = Matrix::Identity(n_q, n_q);
}

Matrix Frame::retained() const {
  if (along_speeds_ || eq_.retracted.empty()) return Matrix(0, E_.cols());
  return Matrix::Identity(E_.rows(), E_.rows()) - retraction();
}

void Frame::move(Vector& q, const Vector& dpi) {
  q += E_ * dpi;
  retract(q);
}

void Frame::retract(Vector& q) {
  for (std::size_t k = 0; k < eq_.parameters.size(); ++k) retracting_[eq_.parameters[k]] = formulas_.parameters()[k];
  for (std::size_t k = 0; k < eq_.q.size(); ++k) retracting_[eq_.q[k]] = q[static_cast<Eigen::Index>(k)];
  std::vector<double> anew;
  retracting_.evaluate(anew);
  for (std::size_t k = 0; k < eq_.retracted.size(); ++k) q[eq_.retracted[k]] = anew[k];
}

}  // namespace taut
