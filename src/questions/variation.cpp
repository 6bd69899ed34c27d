#include "questions/variation.hpp"

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

}  // namespace

Variation::Variation(const Subject& subject, SlopeFormulas::Parameters parameters,
                     const std::vector<std::string>& outputs)
    : subject_(subject),
      eq_(subject.equations()),
      formulas_(eq_, parameters),
      retraction_(*eq_.graph, eq_.retractions) {
  rates_ = formulas_.add(eq_.rates);
  position_ = formulas_.add(eq_.Phi);
  velocity_ = formulas_.add(eq_.chi);
  dynamics_ = formulas_.add(dynamics_formulas());
  accelerations_ = formulas_.add(acceleration_formulas());
  std::vector<Expression> shown;
  for (const std::string& name : outputs) shown.push_back(subject.quantity(name));
  outputs_ = formulas_.add(shown);
  outputs_by_time_ = add_by_time(shown);
  switching_ = formulas_.add(eq_.switching);
  switching_by_time_ = add_by_time(eq_.switching);
  add_frame();
  formulas_.compile();
  evaluate(subject.start());
}

std::size_t Variation::add_by_time(const std::vector<Expression>& formulas) {
  std::vector<Expression> slopes;
  for (const Expression& formula : formulas)
    slopes.push_back(formula.graph() ? derivative(formula, eq_.time) : Expression(0));
  return formulas_.add(slopes);
}

void Variation::add_frame() {
  DirectionalDerivative flow(*eq_.graph, [this](SymbolId s) -> Expression {
    if (s == eq_.time) return 1;
    const auto found = std::ranges::find(eq_.q, s);
    return found == eq_.q.end() ? Expression(0) : eq_.rates[static_cast<std::size_t>(found - eq_.q.begin())];
  });
  std::vector<Expression> N_rate;
  for (const Expression& entry : eq_.N.entries) N_rate.push_back(flow(entry));
  N_ = formulas_.add(eq_.N.entries);
  N_rate_ = formulas_.add(N_rate);
  retractions_ = formulas_.add(eq_.retractions);
}

std::vector<Expression> Variation::dynamics_formulas() const {
  Graph& graph = *eq_.graph;
  const auto symbol = [&](SymbolId id) { return Expression(graph, graph.symbol(id)); };
  std::vector<Expression> F;
  for (std::size_t i = 0; i < eq_.f.size(); ++i)
    F.push_back(-eq_.f[i] - (eq_.reactions.empty() ? Expression(0) : eq_.reactions[i]));
  for (std::size_t k = 0; k < eq_.M.entries.size(); ++k) {
    const auto [i, j] = eq_.M.pattern.entries[k];
    F[static_cast<std::size_t>(i)] += eq_.M.entries[k] * symbol(eq_.a[static_cast<std::size_t>(j)]);
  }
  for (std::size_t k = 0; k < eq_.H.entries.size(); ++k) {
    const auto [row, i] = eq_.H.pattern.entries[k];
    F[static_cast<std::size_t>(i)] -= eq_.H.entries[k] * symbol(eq_.multipliers[static_cast<std::size_t>(row)]);
  }
  return F;
}

std::vector<Expression> Variation::acceleration_formulas() const {
  Graph& graph = *eq_.graph;
  std::vector<Expression> G;
  for (const Expression& b : eq_.b) G.push_back(-b);
  for (std::size_t k = 0; k < eq_.H.entries.size(); ++k) {
    const auto [row, i] = eq_.H.pattern.entries[k];
    G[static_cast<std::size_t>(row)] +=
        eq_.H.entries[k] * Expression(graph, graph.symbol(eq_.a[static_cast<std::size_t>(i)]));
  }
  return G;
}

void Variation::evaluate(const MotionPoint& point) {
  point_ = point;
  formulas_.evaluate(point, subject_.parameters());
  if (names_.empty()) choose_frame();
  if (!along_speeds_ || eq_.shape.plain_rates) return;
  E_ = frame_along_speeds();
  inverse_ = OrthogonalDecomposition(E_, rank_threshold).pseudo_inverse();
}

Matrix Variation::N_now() const {
  const auto n_q = static_cast<Eigen::Index>(eq_.q.size());
  Matrix N = Matrix::Zero(n_q, static_cast<Eigen::Index>(eq_.v.size()));
  for (std::size_t k = 0; k < eq_.N.entries.size(); ++k) {
    const auto [i, j] = eq_.N.pattern.entries[k];
    N(i, j) = formulas_[N_].value[static_cast<Eigen::Index>(k)];
  }
  return N;
}

Matrix Variation::frame_along_speeds() const {
  const Matrix N = N_now();
  Matrix E = Matrix::Zero(N.rows(), static_cast<Eigen::Index>(names_.size()));
  for (std::size_t k = 0; k < mechanical_; ++k) E.col(static_cast<Eigen::Index>(k)) = N.col(speeds_[k]);
  for (std::size_t k = 0; k < states_.size(); ++k) E(states_[k], static_cast<Eigen::Index>(mechanical_ + k)) = 1;
  return E;
}

Matrix Variation::retraction_slopes() const {
  const auto n_q = static_cast<Eigen::Index>(eq_.q.size());
  Matrix slopes = Matrix::Identity(n_q, n_q);
  for (std::size_t k = 0; k < eq_.retracted.size(); ++k)
    slopes.row(eq_.retracted[k]) = formulas_[retractions_].by_q.row(static_cast<Eigen::Index>(k));
  return slopes;
}

/// The speeds reach every neighbouring position if they are as many as the coordinates that can be chosen, which is the
/// trace of the retraction's slopes, a projector.
void Variation::choose_frame() {
  for (const Shape::State& state : eq_.shape.states)
    if (!state.is_speed) states_.push_back(state.index);
  use_speeds();
  const Matrix E = frame_along_speeds();
  const auto reached = OrthogonalDecomposition(E, rank_threshold).rank();
  if (reached == E.cols() && reached == std::lround(retraction_slopes().trace())) {
    E_ = E;
    inverse_ = OrthogonalDecomposition(E_, rank_threshold).pseudo_inverse();
    return;
  }
  use_coordinates();
}

void Variation::use_speeds() {
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

void Variation::use_coordinates() {
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

Matrix Variation::retracted(const Matrix& dq) const {
  return eq_.retracted.empty() ? dq : Matrix(retraction_slopes() * dq);
}

Matrix Variation::retained() const {
  if (along_speeds_ || eq_.retracted.empty()) return Matrix(0, E_.cols());
  return Matrix::Identity(E_.rows(), E_.rows()) - retraction_slopes();
}

Matrix Variation::rates_by_pi() const {
  Matrix change = rates().by_q * E_;
  if (along_speeds_) {
    for (std::size_t k = 0; k < eq_.N.entries.size(); ++k) {
      const auto [i, j] = eq_.N.pattern.entries[k];
      const auto column = std::ranges::find(speeds_, j) - speeds_.begin();
      change(i, column) -= formulas_[N_rate_].value[static_cast<Eigen::Index>(k)];
    }
  }
  return inverse_ * change;
}

void Variation::move(Vector& q, const Vector& dpi) {
  q += E_ * dpi;
  retract(q);
}

void Variation::retract(Vector& q) {
  for (std::size_t k = 0; k < eq_.parameters.size(); ++k) retraction_[eq_.parameters[k]] = subject_.parameters()[k];
  for (std::size_t k = 0; k < eq_.q.size(); ++k) retraction_[eq_.q[k]] = q[static_cast<Eigen::Index>(k)];
  std::vector<double> anew;
  retraction_.evaluate(anew);
  for (std::size_t k = 0; k < eq_.retracted.size(); ++k) q[eq_.retracted[k]] = anew[k];
}

}  // namespace taut
