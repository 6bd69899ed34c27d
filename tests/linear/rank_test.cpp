#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>

#include "linear/list.hpp"

/// Every kernel must find the same rank at the same point: mechanisms whose rank is known by how they are made.
namespace taut {
namespace {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  /// Between -1 and 1.
  double operator()() { return 2 * (static_cast<double>(engine_()) / 4294967296.0) - 1; }
  /// A power of ten between 10^-exponent and 10^exponent.
  double size(double exponent) { return std::pow(10, exponent * (*this)()); }
  Eigen::Vector3d point() { return {(*this)(), (*this)(), (*this)()}; }
  Eigen::Vector3d direction() { return point().normalized(); }

 private:
  std::mt19937 engine_;
};

struct Mechanism {
  Matrix M, H;
  int rank = 0;
};

SparseValues sparse(const Matrix& A) {
  SparseValues out{{static_cast<int>(A.rows()), static_cast<int>(A.cols()), {}}, {}};
  std::vector<double> values;
  for (int i = 0; i < A.rows(); ++i)
    for (int j = 0; j < A.cols(); ++j)
      if (A(i, j) != 0) {
        out.pattern.entries.emplace_back(i, j);
        values.push_back(A(i, j));
      }
  out.values = Eigen::Map<Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
  return out;
}

Matrix inertia(Random& random, double spread) {
  Matrix M = Matrix::Zero(6, 6);
  M.diagonal().head(3).setConstant(random.size(spread));
  const Eigen::Matrix3d axes = Eigen::Quaterniond(random(), random(), random(), random()).normalized().matrix();
  const double size = random.size(spread);
  M.bottomRightCorner(3, 3) = size * axes * Eigen::Vector3d(1, 1.3, 0.8).asDiagonal() * axes.transpose();
  return M;
}

Eigen::Matrix3d cross(const Eigen::Vector3d& r) {
  Eigen::Matrix3d out;
  out << 0, -r[2], r[1], r[2], 0, -r[0], -r[1], r[0], 0;
  return out;
}

/// The rows of a body's velocity at a point r from its centre, and of its angular velocity, with a sign.
void hold_point(Matrix& rows, int body, const Eigen::Vector3d& r, double sign) {
  if (body < 0) return;
  rows.block(0, 6 * body, 3, 3) = sign * Eigen::Matrix3d::Identity();
  rows.block(0, 6 * body + 3, 3, 3) = -sign * cross(r);
}

Matrix revolute(int n, int a, int b, const Eigen::Vector3d& at, const Eigen::Vector3d& centre_a,
                const Eigen::Vector3d& centre_b, const Eigen::Vector3d& axis) {
  Matrix rows = Matrix::Zero(5, n);
  hold_point(rows, a, at - centre_a, 1);
  hold_point(rows, b, at - centre_b, -1);
  const Eigen::Vector3d first = axis.unitOrthogonal(), second = axis.cross(first);
  for (const auto& [body, sign] : {std::pair{a, 1.0}, std::pair{b, -1.0}}) {
    if (body < 0) continue;
    rows.block(3, 6 * body + 3, 1, 3) = sign * first.transpose();
    rows.block(4, 6 * body + 3, 1, 3) = sign * second.transpose();
  }
  return rows;
}

/// A chain of four-bar loops in space whose axes are all parallel: each loop implies three of its rows, and has one
/// freedom. The next loop stands on the coupler of the one before it.
Mechanism planar_loops_in_space(int loops, unsigned seed) {
  Random random(seed);
  const Eigen::Vector3d axis = random.direction(), e = axis.unitOrthogonal(), f = axis.cross(e);
  const auto in_plane = [&](double x, double y) -> Eigen::Vector3d { return x * e + y * f; };
  const int n = 18 * loops;
  Mechanism made{Matrix::Zero(n, n), Matrix::Zero(20 * loops, n), 17 * loops};
  int base = -1;
  Eigen::Vector3d base_centre = Eigen::Vector3d::Zero();
  for (int k = 0; k < loops; ++k) {
    const Eigen::Vector3d origin = base_centre + 0.3 * random.point();
    const std::array<Eigen::Vector3d, 4> at{origin, origin + in_plane(0.2 + 0.1 * random(), 1 + 0.2 * random()),
                                            origin + in_plane(1.5 + 0.3 * random(), 1.4 + 0.3 * random()),
                                            origin + in_plane(2 + 0.3 * random(), 0.1)};
    std::array<Eigen::Vector3d, 3> centre;
    for (int b = 0; b < 3; ++b) {
      centre[b] = (at[b] + at[b + 1]) / 2 + 0.2 * random.point();
      made.M.block(18 * k + 6 * b, 18 * k + 6 * b, 6, 6) = inertia(random, 1.5);
    }
    for (int j = 0; j < 4; ++j) {
      const int a = j == 0 ? base : 3 * k + j - 1, b = j == 3 ? base : 3 * k + j;
      made.H.middleRows(20 * k + 5 * j, 5) =
          revolute(n, a, b, at[j], j == 0 ? base_centre : centre[j - 1], j == 3 ? base_centre : centre[j], axis);
    }
    base = 3 * k + 1;
    base_centre = centre[1];
  }
  return made;
}

/// Rows that join neighbours in a chain, and further ones that are combinations of some of them, up to an own share.
Mechanism chain_with_copies(int speeds, int copies, double own, unsigned seed) {
  Random random(seed);
  Mechanism made{Matrix::Zero(speeds, speeds), Matrix::Zero(speeds / 2 + copies, speeds), speeds / 2};
  for (int j = 0; j < speeds; ++j) {
    made.M(j, j) = 3 + random();
    if (j > 0) made.M(j, j - 1) = made.M(j - 1, j) = 0.5 * random();
  }
  for (int i = 0; i < speeds / 2; ++i)
    for (int j = std::max(0, 2 * i - 1); j < std::min(speeds, 2 * i + 3); ++j) made.H(i, j) = random();
  for (int k = 0; k < copies; ++k) {
    const int first = static_cast<int>((speeds / 2 - 3) * (0.5 + 0.49 * random()));
    for (int i = first; i < first + 3; ++i) made.H.row(speeds / 2 + k) += random() * made.H.row(i);
    for (int j = 2 * first; j < 2 * first + 4; ++j) made.H(speeds / 2 + k, j) += own * random();
  }
  return made;
}

void scale_rows(Mechanism& mechanism, double exponent, unsigned seed) {
  Random random(seed);
  for (int i = 0; i < mechanism.H.rows(); ++i) mechanism.H.row(i) *= random.size(exponent);
}

/// Singular values of more speeds than this take their time.
bool takes_too_long(const KernelEntry& entry, const Mechanism& mechanism) {
  return mechanism.M.rows() > 60 && (entry.name == "svd" || entry.name == "recursive");
}

void expect_rank(const Mechanism& mechanism, const std::string& what) {
  const SparseValues M = sparse(mechanism.M), H = sparse(mechanism.H);
  const int n = static_cast<int>(mechanism.M.rows()), m = static_cast<int>(mechanism.H.rows());
  for (const KernelEntry& entry : kernels()) {
    if (takes_too_long(entry, mechanism)) continue;
    const auto kernel = entry.make();
    kernel->start(n, m, 1e-10);
    ASSERT_TRUE(kernel->determine_rank(M, H)) << entry.name << ", " << what;
    EXPECT_EQ(kernel->rank(), mechanism.rank) << entry.name << ", " << what;
    EXPECT_TRUE(kernel->is_sure()) << entry.name << ", " << what;
  }
}

TEST(Rank, OfPlanarLoopsInSpaceIsTheSameForEveryKernel) {
  for (const int loops : {1, 2, 3, 10, 20})
    for (unsigned seed = 1; seed <= (loops < 5 ? 10 : 2); ++seed) {
      Mechanism mechanism = planar_loops_in_space(loops, seed);
      expect_rank(mechanism, "loops " + std::to_string(loops) + ", seed " + std::to_string(seed));
      scale_rows(mechanism, 6, seed);
      expect_rank(mechanism, "scaled, loops " + std::to_string(loops) + ", seed " + std::to_string(seed));
    }
}

TEST(Rank, OfRowsThatOthersImplyOrNearlySoIsTheSameForEveryKernel) {
  for (const double own : {0.0, 1e-14, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-2})
    for (unsigned seed = 1; seed <= 8; ++seed) {
      Mechanism mechanism = chain_with_copies(seed % 2 == 0 ? 24 : 200, 5, own, seed);
      if (own > 1e-10) mechanism.rank = static_cast<int>(mechanism.H.rows());
      scale_rows(mechanism, seed % 3 == 0 ? 6 : 0, seed);
      expect_rank(mechanism, "own " + std::to_string(std::log10(own)) + ", seed " + std::to_string(seed));
    }
}

/// Next to a singular position the solution must be that of the kernel that does not square, too.
TEST(Rank, RowsThatHardlyStandOutAreMetByTheSparseKernel) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    const Mechanism mechanism = chain_with_copies(40, 2, 1e-7, seed);
    const SparseValues M = sparse(mechanism.M), H = sparse(mechanism.H);
    const int n = 40, m = static_cast<int>(mechanism.H.rows());
    Random random(seed);
    Vector x0(n), f(n);
    for (int j = 0; j < n; ++j) x0[j] = random(), f[j] = random();
    const Vector c = mechanism.H * x0;
    Vector x(n), lambda(m), expected(n);
    const auto reference = make_cod(), kernel = make_sparse();
    for (LinearKernel* each : {reference.get(), kernel.get()}) {
      each->start(n, m, 1e-10);
      ASSERT_TRUE(each->determine_rank(M, H));
      each->accelerate(f, c, each == kernel.get() ? x : expected, lambda);
    }
    EXPECT_LT((mechanism.H * x - c).cwiseAbs().maxCoeff(), 1e-13) << seed;
    // The condition number, 1e7, times rounding, with a margin.
    EXPECT_LT((x - expected).cwiseAbs().maxCoeff(), 1e-7) << seed;
  }
}

/// A rod without mass between two bodies with mass, held at its ends by balls: nothing determines its spin. Speeds and
/// rows are measured in units of their own.
Mechanism rod(unsigned seed, bool spin_is_held, double exponent) {
  Random random(seed);
  Mechanism made{Matrix::Zero(18, 18), Matrix::Zero(spin_is_held ? 7 : 6, 18), 0};
  for (int body = 0; body < 2; ++body) made.M.block(6 * body, 6 * body, 6, 6) = inertia(random, 1);
  Eigen::Vector3d ends[2];
  for (int end = 0; end < 2; ++end) {
    ends[end] = random.point();
    Matrix rows = Matrix::Zero(3, 18);
    hold_point(rows, end, 0.3 * random.point(), 1);
    hold_point(rows, 2, ends[end], -1);
    made.H.middleRows(3 * end, 3) = rows;
  }
  if (spin_is_held) {  // by a body's turning about an axis that is not across the rod
    const Eigen::Vector3d along = (ends[1] - ends[0]).normalized();
    made.H.block(6, 15, 1, 3) = (along + 0.5 * random.point()).transpose();
    made.H.block(6, 3, 1, 3) = random.point().transpose();
  }
  made.rank = static_cast<int>(made.H.rows());
  Vector units(18);
  for (double& unit : units) unit = random.size(exponent);
  made.M = units.asDiagonal() * made.M * units.asDiagonal();
  made.H = made.H * units.asDiagonal();
  scale_rows(made, exponent, seed);
  return made;
}

TEST(MasslessBody, IsRefusedByEveryKernelExactlyWhereNothingHoldsItsSpin) {
  for (const double exponent : {0.0, 3.0, 9.0})
    for (unsigned seed = 1; seed <= 60; ++seed)
      for (const bool held : {false, true}) {
        const Mechanism made = rod(seed, held, exponent);
        for (const KernelEntry& entry : kernels()) {
          const auto kernel = entry.make();
          kernel->start(18, static_cast<int>(made.H.rows()), 1e-10);
          const std::string what = entry.name + ", seed " + std::to_string(seed) + ", " + std::to_string(exponent);
          ASSERT_EQ(kernel->determine_rank(sparse(made.M), sparse(made.H)), held) << what;
          if (held) {
            EXPECT_EQ(kernel->rank(), made.rank) << what;
          }
          if (!held) {
            Eigen::Index named = 0;
            kernel->missing_direction().cwiseAbs().maxCoeff(&named);
            EXPECT_GE(named, 12) << what << ": it is the rod whose spin nothing determines";
          }
        }
      }
}

TEST(MasslessBody, IsNoneWhereAMassIsSmallAlone) {
  for (const double small : {1e-9, 1e-18, 1e-30}) {
    Matrix M = Matrix::Identity(3, 3), H = Matrix::Ones(1, 3);
    M(1, 1) = small;
    for (const KernelEntry& entry : kernels()) {
      const auto kernel = entry.make();
      kernel->start(3, 1, 1e-10);
      ASSERT_TRUE(kernel->determine_rank(sparse(M), sparse(H))) << entry.name;
      EXPECT_FALSE(kernel->mass_completed()) << entry.name << ", " << small;
    }
  }
}

}  // namespace
}  // namespace taut
