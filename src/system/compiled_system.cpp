#include <array>
#include <cmath>

#include "expression/native.hpp"
#include "expression/program.hpp"
#include "system/equations.hpp"
#include "taut/system.hpp"

namespace taut {
namespace {

enum Level : int { parameters = 0, position = 1, velocity = 2, acceleration = 3 };

/// A program with its registers and the places of its inputs, which are the same for all programs.
class Compiled {
 public:
  Compiled() = default;
  Compiled(const Equations& eq, std::span<const Program::Input> inputs, std::span<const Expression> formulas,
           std::span<const double> parameter_values)
      : program_(*eq.graph, inputs, formulas), workspace_(program_.workspace()) {
    for (std::size_t i = 0; i < parameter_values.size(); ++i)
      *workspace_.input(static_cast<int>(i)) = parameter_values[i];
    first_ = static_cast<int>(parameter_values.size());
    n_q_ = static_cast<int>(eq.q.size());
    n_v_ = static_cast<int>(eq.v.size());
    program_.run(Level::parameters, workspace_);
  }

  void at_position(double t, const Vector& q) {
    *workspace_.input(first_) = t;
    for (int i = 0; i < n_q_; ++i) *workspace_.input(first_ + 1 + i) = q[i];
    program_.run(Level::position, workspace_);
    has_velocity_ = false;
  }
  void at_velocity(const Vector& v) {
    for (int i = 0; i < n_v_; ++i) *workspace_.input(first_ + 1 + n_q_ + i) = v[i];
    program_.run(Level::velocity, workspace_);
    has_velocity_ = true;
  }
  void at_acceleration(const Vector& a, const Vector& lambda) {
    const int first = first_ + 1 + n_q_ + n_v_;
    for (int i = 0; i < n_v_; ++i) *workspace_.input(first + i) = a[i];
    for (Eigen::Index i = 0; i < lambda.size(); ++i) *workspace_.input(first + n_v_ + static_cast<int>(i)) = lambda[i];
    program_.run(Level::acceleration, workspace_);
  }
  void copy(int first, Vector& out) const {
    program_.copy(first, static_cast<int>(out.size()), workspace_, out.data());
  }
  /// Has everything up to the velocities been computed here?
  bool stands_at(double t, const Vector& q, const Vector& v) {
    if (!has_velocity_ || *workspace_.input(first_) != t) return false;
    for (int i = 0; i < n_q_; ++i)
      if (*workspace_.input(first_ + 1 + i) != q[i]) return false;
    for (int i = 0; i < n_v_; ++i)
      if (*workspace_.input(first_ + 1 + n_q_ + i) != v[i]) return false;
    return true;
  }
  double value(int k) const { return program_.output(k, workspace_); }
  int outputs() const { return program_.outputs(); }
  Program& program() { return program_; }

 private:
  Program program_;
  Program::Workspace workspace_;
  int first_ = 0, n_q_ = 0, n_v_ = 0;
  bool has_velocity_ = false;
};

/// Fewer evaluations than this do not even pay for looking into the cache, which means writing the code out.
constexpr double few_evaluations = 200;

/// Does making machine code take less time than it saves? Measured, for want of something better to go by: a compiler
/// takes 0.05 s and 100 µs an instruction, and each time that an instruction runs, 3 ns are saved.
bool compiling_pays(double instructions, double instructions_per_evaluation, double evaluations) {
  return 0.05 + 100e-6 * instructions < 3e-9 * instructions_per_evaluation * evaluations;
}

/// The equations of a model, compiled.
class CompiledSystem : public System {
 public:
  CompiledSystem(const Equations& eq, std::span<const double> values)
      : M_(eq.M.pattern), H_(eq.H.pattern), N_(eq.N.pattern) {
    shape_ = eq.shape;
    const auto inputs = inputs_of(eq);
    const auto compile = [&](std::initializer_list<std::span<const Expression>> parts) {
      std::vector<Expression> all;
      for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
      return Compiled(eq, inputs, all, values);
    };
    position_ = compile({eq.Phi});
    velocity_ = compile({eq.chi});
    // The power comes along: an integrated work asks for it wherever the equations are evaluated.
    const std::vector<Expression> power(shape_.does_work ? 1 : 0, eq.power);
    dynamics_ = compile({eq.M.entries, eq.Phi, eq.H.entries, eq.f, eq.b, eq.chi, power});
    if (!shape_.plain_rates) {
      rates_ = compile({eq.rates});
      N_program_ = compile({eq.N.entries});
      N_values_.setZero(static_cast<Eigen::Index>(eq.N.entries.size()));
    }
    if (shape_.retracts) {
      retraction_ = compile({eq.retractions});
      retracted_ = eq.retracted;
    }
    if (eq.energy) {
      energy_ = compile({std::array{*eq.energy}});
      gradient_ = compile({eq.energy_gradient});
      slope_ = compile({eq.energy_slope});
      energy_rate_ = compile({std::array{eq.energy_rate}});
      power_ = compile({std::array{eq.power}});
    }
    outputs_ = compile({eq.outputs});
    take_softness(compile({eq.softness}));
  }

  /// All programs become machine code, in one library, or stay as they are.
  void use_native(Native wish, double evaluations) {
    if (wish == Native::off) {
      native_ = {false, false, "switched off"};
      return;
    }
    if (wish == Native::automatic && evaluations < few_evaluations) {
      native_ = {false, false, "the run is too short"};
      return;
    }
    std::vector<Program*> programs;
    std::size_t instructions = 0;
    for (Compiled* part : parts()) {
      instructions += part->program().instructions();
      programs.push_back(&part->program());
    }
    const double each = static_cast<double>(dynamics_.program().instructions());
    const bool pays = compiling_pays(static_cast<double>(instructions), each, evaluations);
    const bool compile = wish == Native::on || pays;
    const NativeReport report = make_native(programs, compile ? Compiling::allowed : Compiling::not_worth_it);
    native_ = {report.used, compile && !report.used, report.reason};
  }

  Point make_point() const override {
    const auto zero = [](const Pattern& pattern) {
      return SparseValues{pattern, Vector::Zero(static_cast<Eigen::Index>(pattern.entries.size()))};
    };
    const int n = shape_.n_v(), m = shape_.rows();
    return {zero(M_), zero(H_), Vector::Zero(n), Vector::Zero(m), Vector::Zero(m), Vector::Zero(shape_.position_rows)};
  }

  void position(double t, const Vector& q, Vector& Phi) override {
    position_.at_position(t, q);
    position_.copy(0, Phi);
  }

  void velocity(double t, const Vector& q, const Vector& v, Vector& chi) override {
    velocity_.at_position(t, q);
    velocity_.at_velocity(v);
    velocity_.copy(0, chi);
  }

  void at_position(double t, const Vector& q, Point& point) override {
    dynamics_.at_position(t, q);
    dynamics_.copy(0, point.M.values);
    dynamics_.copy(first_Phi(), point.Phi);
    dynamics_.copy(first_H(), point.H.values);
  }

  void at_velocity(double, const Vector&, const Vector& v, Point& point) override {
    dynamics_.at_velocity(v);
    if (shape_.jacobian_of_speeds) dynamics_.copy(first_H(), point.H.values);
    dynamics_.copy(first_f(), point.f);
    dynamics_.copy(first_f() + shape_.n_v(), point.b);
    dynamics_.copy(first_f() + shape_.n_v() + shape_.rows(), point.chi);
  }

  void rates(double t, const Vector& q, const Vector& v, Vector& qdot) override {
    if (shape_.plain_rates) {
      qdot = v;
      return;
    }
    rates_.at_position(t, q);
    rates_.at_velocity(v);
    rates_.copy(0, qdot);
  }

  void spread(double t, const Vector& q, const Vector& dv, Vector& dq) override {
    if (shape_.plain_rates) {
      dq = dv;
      return;
    }
    N_program_.at_position(t, q);
    N_program_.copy(0, N_values_);
    dq.setZero();
    for (std::size_t k = 0; k < N_.entries.size(); ++k)
      dq[N_.entries[k].first] += N_values_[static_cast<Eigen::Index>(k)] * dv[N_.entries[k].second];
  }

  void retract(double t, Vector& q) override {
    if (!shape_.retracts) return;
    retraction_.at_position(t, q);
    for (std::size_t k = 0; k < retracted_.size(); ++k) q[retracted_[k]] = retraction_.value(static_cast<int>(k));
  }

  double energy(double t, const Vector& q, const Vector& v) override {
    if (!shape_.has_energy) return 0;
    energy_.at_position(t, q);
    energy_.at_velocity(v);
    return energy_.value(0);
  }

  void energy_gradient(double t, const Vector& q, const Vector& v, Vector& dE) override {
    gradient_.at_position(t, q);
    gradient_.at_velocity(v);
    gradient_.copy(0, dE);
  }

  void energy_slope(double t, const Vector& q, const Vector& v, Vector& dE) override {
    slope_.at_position(t, q);
    slope_.at_velocity(v);
    slope_.copy(0, dE);
  }

  double energy_rate(double t, const Vector& q, const Vector& v) override {
    energy_rate_.at_position(t, q);
    energy_rate_.at_velocity(v);
    return energy_rate_.value(0);
  }

  double power(double t, const Vector& q, const Vector& v, const Vector& a, const Vector& lambda) override {
    if (!shape_.does_work) return 0;
    if (dynamics_.stands_at(t, q, v)) {
      dynamics_.at_acceleration(a, lambda);
      return dynamics_.value(dynamics_.outputs() - 1);
    }
    power_.at_position(t, q);
    power_.at_velocity(v);
    power_.at_acceleration(a, lambda);
    return power_.value(0);
  }

  void outputs(double t, const Vector& q, const Vector& v, const Vector& a, const Vector& lambda,
               Vector& out) override {
    outputs_.at_position(t, q);
    outputs_.at_velocity(v);
    outputs_.at_acceleration(a, lambda);
    outputs_.copy(0, out);
  }

 private:
  static std::vector<Program::Input> inputs_of(const Equations& eq) {
    std::vector<Program::Input> inputs;
    const auto add = [&](const std::vector<SymbolId>& symbols, int level) {
      for (const SymbolId s : symbols) inputs.push_back({s, level});
    };
    add(eq.parameters, Level::parameters);
    add({eq.time}, Level::position);
    add(eq.q, Level::position);
    add(eq.v, Level::velocity);
    add(eq.a, Level::acceleration);
    add(eq.multipliers, Level::acceleration);
    return inputs;
  }

  void take_softness(const Compiled& softness) {
    shape_.softness.clear();
    for (int i = 0; i < shape_.rows(); ++i) {
      const double value = softness.value(i);
      if (!(value >= 0) || std::isinf(value))
        throw InputError(
            shape_.constraint_place(i),
            "the softness of constraint '" + shape_.constraints[i] + "' is not a number that is zero or greater",
            "give σ², such as 1e-4; without it the constraint holds exactly");
      if (value > 0) shape_.softness.resize(shape_.rows(), 0);
      if (value > 0) shape_.softness[i] = value;
    }
  }

  std::vector<Compiled*> parts() {
    return {&position_, &velocity_, &dynamics_,    &rates_, &N_program_, &energy_,
            &gradient_, &slope_,    &energy_rate_, &power_, &outputs_,   &retraction_};
  }

  int first_Phi() const { return static_cast<int>(M_.entries.size()); }
  int first_H() const { return first_Phi() + shape_.position_rows; }
  int first_f() const { return first_H() + static_cast<int>(H_.entries.size()); }

  Pattern M_, H_, N_;
  Compiled position_, velocity_, dynamics_, rates_, N_program_, energy_, gradient_, slope_, energy_rate_, power_,
      outputs_, retraction_;
  std::vector<int> retracted_;
  Vector N_values_;
};

}  // namespace

std::unique_ptr<System> make_system(const Model& model, const std::vector<double>& parameters, Native native,
                                    double evaluations) {
  auto system = std::make_unique<CompiledSystem>(derive(model), parameters);
  system->use_native(native, evaluations);
  return system;
}

}  // namespace taut
