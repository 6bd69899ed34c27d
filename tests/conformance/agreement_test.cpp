#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "expression/program.hpp"
#include "own_cache.hpp"
#include "system/equations.hpp"
#include "taut/simulation.hpp"

/// However formulas are evaluated - interpreted, as native code, in one lane among others - a run is the same to the
/// last bit, and so is the next: on every model of the gallery, over ten seconds. Models whose own time is a second or
/// less keep it: they are fast (Andrews' mechanism, driven ever faster) or large (chain, ring, net), so that it is as
/// many steps.
namespace taut {
namespace {

struct Agreement : ::testing::TestWithParam<std::string>, test::OwnCache<Agreement> {
  using test::OwnCache<Agreement>::SetUpTestSuite;
  using test::OwnCache<Agreement>::TearDownTestSuite;

  const Model model = load_model(GetParam());
  const InitialValues initial = initial_values(model);

  Options options() const {
    Options all = options_of(model);
    if (all.until > 1) all.until = 10;
    all.every = all.until / 20;
    return all;
  }
  taut::Run run(Native native) const {
    Options all = options();
    all.native = native;
    return simulate(model, all);
  }
  taut::Run run(System& system) const {
    const auto vector = [](const std::vector<double>& values) {
      return Vector(Vector::Map(values.data(), static_cast<Eigen::Index>(values.size())));
    };
    return simulate(system, vector(initial.coordinates), vector(initial.speeds), options());
  }
};

/// Same rows, and so the same states, outputs and times, bit for bit.
void expect_same_bits(const Run& a, const Run& b) {
  EXPECT_EQ(a.summary.steps, b.summary.steps);
  ASSERT_EQ(a.trajectory.rows.size(), b.trajectory.rows.size());
  ASSERT_GE(a.trajectory.rows.size(), 20u);
  for (std::size_t i = 0; i < a.trajectory.rows.size(); ++i)
    for (std::size_t k = 0; k < a.trajectory.columns.size(); ++k)
      ASSERT_EQ(std::bit_cast<std::uint64_t>(a.trajectory.rows[i][k]),
                std::bit_cast<std::uint64_t>(b.trajectory.rows[i][k]))
          << a.trajectory.columns[k] << " in row " << i << ": " << a.trajectory.rows[i][k] << ", "
          << b.trajectory.rows[i][k];
}

/// A model whose M, Φ, H, f, b, χ, q̇ and N are computed in the last of several lanes. Neighbours stand elsewhere.
class LaneSystem : public System {
 public:
  LaneSystem(const Model& model, const std::vector<double>& parameters, int lanes)
      : lanes_(lanes), plain_(make_system(model, parameters)), equations_(derive(model)) {
    shape_ = plain_->shape();
    program_ = Program(*equations_.graph, inputs(), outputs());
    workspace_ = program_.workspace(lanes_);
    for (std::size_t i = 0; i < parameters.size(); ++i)
      std::fill_n(workspace_.input(static_cast<int>(i)), lanes_, parameters[i]);
    program_.run(0, workspace_);
    first_ = static_cast<int>(parameters.size());
  }

  Point make_point() const override { return plain_->make_point(); }
  void position(double t, const Vector& q, Vector& Phi) override {
    stand(t, q);
    copy(size(equations_.M.entries), Phi);
  }
  void velocity(double t, const Vector& q, const Vector& v, Vector& chi) override {
    stand(t, q);
    move(v);
    copy(first_f() + shape_.n_v() + shape_.rows(), chi);
  }
  void at_position(double t, const Vector& q, Point& point) override {
    stand(t, q);
    copy(0, point.M.values);
    copy(size(equations_.M.entries), point.Phi);
    copy(first_H(), point.H.values);
  }
  void at_velocity(double, const Vector&, const Vector& v, Point& point) override {
    move(v);
    if (shape_.jacobian_of_speeds) copy(first_H(), point.H.values);
    copy(first_f(), point.f);
    copy(first_f() + shape_.n_v(), point.b);
    copy(first_f() + shape_.n_v() + shape_.rows(), point.chi);
  }
  void rates(double t, const Vector& q, const Vector& v, Vector& qdot) override {
    stand(t, q);
    move(v);
    copy(first_rate(), qdot);
  }
  void spread(double t, const Vector& q, const Vector& dv, Vector& dq) override {
    stand(t, q);
    Vector N(size(equations_.N.entries));
    copy(first_rate() + shape_.n_q(), N);
    dq.setZero();
    for (Eigen::Index k = 0; k < N.size(); ++k) {
      const auto [row, column] = equations_.N.pattern.entries[static_cast<std::size_t>(k)];
      dq[row] += N[k] * dv[column];
    }
  }

  void retract(double t, Vector& q) override { plain_->retract(t, q); }
  double energy(double t, const Vector& q, const Vector& v) override { return plain_->energy(t, q, v); }
  void energy_gradient(double t, const Vector& q, const Vector& v, Vector& dE) override {
    plain_->energy_gradient(t, q, v, dE);
  }
  void energy_slope(double t, const Vector& q, const Vector& v, Vector& dE) override {
    plain_->energy_slope(t, q, v, dE);
  }
  double energy_rate(double t, const Vector& q, const Vector& v) override { return plain_->energy_rate(t, q, v); }
  double power(double t, const Vector& q, const Vector& v, const Vector& a, const Vector& lambda) override {
    return plain_->power(t, q, v, a, lambda);
  }
  void outputs(double t, const Vector& q, const Vector& v, const Vector& a, const Vector& lambda,
               Vector& out) override {
    plain_->outputs(t, q, v, a, lambda, out);
  }

 private:
  static int size(const std::vector<Expression>& formulas) { return static_cast<int>(formulas.size()); }
  int first_H() const { return size(equations_.M.entries) + shape_.position_rows; }
  int first_f() const { return first_H() + size(equations_.H.entries); }
  int first_rate() const { return first_f() + shape_.n_v() + 2 * shape_.rows(); }

  std::vector<Program::Input> inputs() const {
    std::vector<Program::Input> all;
    const auto add = [&](const std::vector<SymbolId>& symbols, int level) {
      for (const SymbolId symbol : symbols) all.push_back({symbol, level});
    };
    add(equations_.parameters, 0);
    add({equations_.time}, 1);
    add(equations_.q, 1);
    add(equations_.v, 2);
    return all;
  }
  std::vector<Expression> outputs() const {
    std::vector<Expression> all;
    for (const auto& part : {equations_.M.entries, equations_.Phi, equations_.H.entries, equations_.f, equations_.b,
                             equations_.chi, equations_.rates, equations_.N.entries})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }

  void set(int input, double value) {
    for (int lane = 0; lane < lanes_; ++lane) workspace_.input(input)[lane] = value + 0.1 * (lane - (lanes_ - 1));
  }
  void stand(double t, const Vector& q) {
    set(first_, t);
    for (int i = 0; i < shape_.n_q(); ++i) set(first_ + 1 + i, q[i]);
    program_.run(1, workspace_);
  }
  void move(const Vector& v) {
    for (int i = 0; i < shape_.n_v(); ++i) set(first_ + 1 + shape_.n_q() + i, v[i]);
    program_.run(2, workspace_);
  }
  void copy(int first, Vector& out) const {
    program_.copy(first, static_cast<int>(out.size()), workspace_, out.data(), lanes_ - 1);
  }

  int lanes_;
  std::unique_ptr<System> plain_;
  Equations equations_;
  Program program_;
  Program::Workspace workspace_;
  int first_ = 0;
};

TEST_P(Agreement, OfNativeCodeAndInterpreter) {
  const taut::Run interpreted = run(Native::off), native = run(Native::on), again = run(Native::on);
  EXPECT_FALSE(interpreted.summary.native.used);
  EXPECT_TRUE(native.summary.native.used) << native.summary.native.reason;
  EXPECT_EQ(again.summary.native.reason, "found in the cache");
  expect_same_bits(native, interpreted);
  expect_same_bits(native, again);
}

TEST_P(Agreement, OfOneLaneAndOneAmongOthers) {
  LaneSystem several(model, initial.parameters, 5), alone(model, initial.parameters, 1);
  const taut::Run among_others = run(several);
  expect_same_bits(among_others, run(alone));
  expect_same_bits(among_others, run(several));
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& model : gallery()) all.push_back(model.name);
  return all;
}

std::string title(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& letter : name)
    if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Gallery, Agreement, ::testing::ValuesIn(names()), title);

}  // namespace
}  // namespace taut
