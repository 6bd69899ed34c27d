#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/nearest.hpp"
#include "expression/derivative.hpp"
#include "expression/parser.hpp"
#include "linear/eigenvalues.hpp"
#include "questions/constrained_solve.hpp"
#include "questions/matrix_parts.hpp"
#include "questions/variation.hpp"
#include "taut/error.hpp"
#include "taut/stepping.hpp"

namespace taut {
namespace {

constexpr double feasible = 1e-7, default_rows = 100, nearly_singular = 1e-2;
/// Multipliers that friction depends on are found once more until they stay.
constexpr int most_rounds = 50;
constexpr double multipliers_found = 1e-13;
constexpr const char* follow_prefix = "follow.";

/// The meaning of names in a formula of what is followed.
class ModelNames {
 public:
  explicit ModelNames(Model& model) : model_(model) {}

  Expression read(const std::string& text) const {
    Names names;
    names.graph = model_.graph.get();
    names.name = [this](const std::string& name, const Place&) { return meaning(name); };
    names.known = [this] { return known(); };
    return parse(text, names, {});
  }

  Expression meaning(const std::string& name) const {
    if (name == "t") return symbol(model_.time);
    for (const Output& output : model_.outputs)
      if (output.name == name) return output.value;
    for (const Parameter& parameter : model_.parameters)
      if (parameter.name == name) return symbol(parameter.symbol);
    for (const Coordinate& x : model_.coordinates) {
      if (x.name == name) return symbol(x.symbol);
      if (x.name + "'" == name || x.rate_name() == name) return symbol(x.rate);
    }
    for (const Speed& u : model_.speeds)
      if (u.name == name) return symbol(u.symbol);
    const std::string near = nearest(name, known());
    throw InputError("there is no '" + name + "'", near.empty() ? "" : "did you mean '" + near + "'?");
  }

 private:
  Expression symbol(SymbolId id) const { return {*model_.graph, model_.graph->symbol(id)}; }
  std::vector<std::string> known() const {
    std::vector<std::string> list{"t"};
    for (const Output& output : model_.outputs) list.push_back(output.name);
    for (const Parameter& parameter : model_.parameters) list.push_back(parameter.name);
    for (const Coordinate& x : model_.coordinates) list.insert(list.end(), {x.name, x.name + "'"});
    return list;
  }

  Model& model_;
};

/// The model with what is followed as constraints: they determine the motion, and their forces are of no concern.
Model led(Model model, const std::vector<Followed>& follow) {
  const ModelNames names(model);
  std::vector<std::pair<std::string, Expression>> rows;
  for (const Followed& one : follow)
    rows.emplace_back(fmt::format("{}{}", follow_prefix, rows.size() + 1),
                      names.meaning(one.name) - names.read(one.formula));
  for (const auto& [name, residual] : rows) model.constraint(name, residual);
  return model;
}

Options leading_options(const InverseOptions& options) {
  refuse_start_time(options.run);
  Options run = options.run;
  unset_step(run);
  run.coordinates = Coordinates::bodies;
  run.assemble = true;
  run.record = false;
  run.method = {};
  run.energy = Choice("none");
  run.rtol = std::min(run.rtol, 1e-10);
  return run;
}

class InverseQuestion {
 public:
  InverseQuestion(const Model& model, const InverseOptions& options)
      : options_(options),
        run_(leading_options(options)),
        subject_(model, {run_.set, run_.coordinates, true}),
        variation_(subject_, SlopeFormulas::Parameters::included),
        leading_(led(model, options.follow), run_),
        slopes_(subject_.parameter_slopes(options.actuators)) {
    if (!options.kinematic) refuse_what_is_not_linear();
    const int left = leading_.summary().degrees_of_freedom;
    if (left > 0)
      throw InputError(fmt::format("what is followed leaves {} freedoms of the mechanism open", left),
                       "name as many outputs with --follow as the mechanism has freedoms");
  }

  Inverse answer() {
    result_.model = subject_.model().name;
    result_.actuators = options_.actuators;
    result_.constraints = subject_.shape().constraints;
    result_.coordinates = subject_.shape().coordinates;
    result_.speeds = subject_.shape().speeds;
    const double every = run_.every.value_or(run_.until / default_rows);
    const long rows = run_.until > 0 ? std::lround(std::floor(run_.until / every * (1 + 1e-12))) : 0;
    Rows rows_of;
    for (long k = 0; k <= rows && result_.reason.empty(); ++k) {
      const double t = std::min(run_.until, static_cast<double>(k) * every);
      if (t > leading_.t() && !leading_.advance(t)) {
        result_.reason = fmt::format("the motion cannot be followed beyond t = {:.6g}: {}", leading_.t(),
                                     leading_.summary().verdict_reason);
        break;
      }
      move_here(rows_of);
      if (!options_.kinematic) solve_here(rows_of);
    }
    result_.forces = table(rows_of.forces, slopes_.cols());
    result_.multipliers = table(rows_of.multipliers, subject_.shape().rows());
    result_.positions = table(rows_of.positions, subject_.shape().n_q());
    result_.rates = table(rows_of.rates, subject_.shape().n_q());
    result_.accelerations = table(rows_of.accelerations, subject_.shape().n_v());
    look_for_singular();
    if (result_.reason.empty() && result_.infeasible_at)
      result_.reason = fmt::format(
          "the actuators cannot make this motion: from t = {:.6g} on up to {:.2g} of the forces needed are missing",
          *result_.infeasible_at, result_.infeasible);
    return std::move(result_);
  }

 private:
  /// What is found at each time.
  struct Rows {
    std::vector<Vector> forces, multipliers, positions, rates, accelerations;
  };

  /// Along free directions W, the rates of what is followed are J = H_follow W: where J is singular, what is followed
  /// leaves a motion open. Rows count by their lengths, so that units do not.
  void move_here(Rows& rows) {
    const StateEquations& here = leading_.equations();
    result_.times.push_back(leading_.t());
    rows.positions.push_back(leading_.q());
    rows.rates.push_back(here.qdot);
    rows.accelerations.push_back(here.acceleration);
    result_.dexterity.push_back(dexterity(here.H));
  }

  double dexterity(const Matrix& H) const {
    std::vector<int> own, followed;
    const auto& names = leading_.shape().constraints;
    for (std::size_t k = 0; k < names.size(); ++k)
      (names[k].starts_with(follow_prefix) ? followed : own).push_back(static_cast<int>(k));
    Matrix J = rows_of(H, followed) * FreeDirections(rows_of(H, own)).basis();
    if (J.size() == 0) return 1;
    for (Eigen::Index i = 0; i < J.rows(); ++i)
      if (const double length = H.row(followed[static_cast<std::size_t>(i)]).norm(); length > 0) J.row(i) /= length;
    SymmetricEigenvalues squares(J.cols());
    squares.compute(J.transpose() * J);
    const Vector& values = squares.values();
    return std::sqrt(std::max(0.0, values[0]) / std::max(values[values.size() - 1], 1e-300));
  }

  void look_for_singular() {
    if (result_.dexterity.empty()) return;
    const auto least = std::ranges::min_element(result_.dexterity);
    if (*least < nearly_singular)
      result_.notes.push_back(
          fmt::format("what is followed comes near a singular position, where it leaves a motion open: dexterity "
                      "{:.2g} at t = {:.6g}",
                      *least, result_.times[static_cast<std::size_t>(least - result_.dexterity.begin())]));
  }

  /// ∂F/∂u has no u in it.
  void refuse_what_is_not_linear() const {
    const Equations& eq = subject_.equations();
    for (const std::string& name : options_.actuators) {
      const auto at = std::ranges::find(subject_.model().parameters, name, &Parameter::name);
      const SymbolId u = at->symbol;
      for (const Expression& f : eq.f) {
        if (!f.graph()) continue;
        const Expression slope = derivative(f, u);
        if (slope.graph() && std::ranges::binary_search(symbols_of(slope), u))
          throw InputError("forces are not linear in '" + name + "'", "name an input or a parameter that is a force");
      }
    }
  }

  static Matrix table(const std::vector<Vector>& rows, Eigen::Index columns) {
    Matrix out(static_cast<Eigen::Index>(rows.size()), columns);
    for (std::size_t k = 0; k < rows.size(); ++k) out.row(static_cast<Eigen::Index>(k)) = rows[k];
    return out;
  }

  /// Along the directions that reactions leave: Wᵀ(F₀ + F_u u) = 0 with the least Σ w u².
  void solve_here(Rows& rows) {
    const StateEquations& here = leading_.equations();
    MotionPoint point{leading_.t(), leading_.q(), leading_.v(), here.acceleration,
                      Vector::Zero(subject_.shape().rows())};
    if (!subject_.shape().forces_need_multipliers) return keep(share_forces(point), rows);
    point.lambda = multipliers_to_begin_with(variation_, point);
    for (int k = 0; k < most_rounds; ++k) {
      const Shares found = share_forces(point);
      const double change = (found.multipliers - point.lambda).norm();
      if (change <= multipliers_found * found.multipliers.norm()) return keep(found, rows);
      point.lambda = found.multipliers;
    }
    result_.reason = fmt::format("at t = {:.6g} no reactions were found that go with the friction they make", point.t);
  }

  /// What actuators and reactions have to be at a point, by the slopes of forces at its multipliers.
  struct Shares {
    Vector u, multipliers;
    double missing = 0;  ///< of the forces needed
  };

  Shares share_forces(const MotionPoint& point) {
    variation_.evaluate(point);
    const ConstrainedSolve solver(variation_);
    const Slopes& F = variation_.dynamics();
    const Matrix by_u = F.by_p * slopes_;
    const Vector without = F.value - F.by_lambda * point.lambda - by_u * present();
    const Matrix W = solver.unresisted();
    const Vector scale = root_weights().cwiseInverse();
    const Matrix asked = W.transpose() * by_u * scale.asDiagonal();
    const Vector u = scale.cwiseProduct(pseudo_inverse(asked, 1e-10) * -(W.transpose() * without));
    const Vector left = W.transpose() * (without + by_u * u);
    const double size = std::max(without.lpNorm<Eigen::Infinity>(), 1e-300);
    return {u, solver.multipliers(without + by_u * u), left.size() > 0 ? left.lpNorm<Eigen::Infinity>() / size : 0};
  }

  void keep(const Shares& found, Rows& rows) {
    if (found.missing > feasible && !result_.infeasible_at) result_.infeasible_at = leading_.t();
    result_.infeasible = std::max(result_.infeasible, found.missing);
    rows.forces.push_back(found.u);
    rows.multipliers.push_back(found.multipliers);
  }

  /// The values that the actuators have in the model.
  Vector present() const {
    Vector u(slopes_.cols());
    for (std::size_t k = 0; k < options_.actuators.size(); ++k) {
      const auto& list = subject_.model().parameters;
      const auto at = std::ranges::find(list, options_.actuators[k], &Parameter::name);
      u[static_cast<Eigen::Index>(k)] = subject_.parameters()[static_cast<std::size_t>(at - list.begin())];
    }
    return u;
  }

  Vector root_weights() const {
    if (options_.weights.empty()) return Vector::Ones(slopes_.cols());
    return Eigen::Map<const Vector>(options_.weights.data(), slopes_.cols()).cwiseSqrt();
  }

  const InverseOptions& options_;
  Options run_;
  Subject subject_;
  Variation variation_;
  Simulation leading_;
  Matrix slopes_;
  Inverse result_;
};

}  // namespace

Inverse inverse_dynamics(Model model, const InverseOptions& options) {
  if (options.follow.empty() || (options.actuators.empty() && !options.kinematic))
    throw InputError("nothing is to be followed, or nothing drives", "give --follow NAME=FORMULA and --actuators U,V");
  if (!options.weights.empty() && options.weights.size() != options.actuators.size())
    throw InputError("there are not as many weights as actuators", "give one for each");
  return InverseQuestion(model, options).answer();
}

}  // namespace taut
