#pragma once

#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "simulation/start_formulas.hpp"
#include "taut/model.hpp"
#include "taut/system.hpp"

namespace taut {

/// The coordinate of a joint by which a mechanism is moved, in the formulas of a model in joint coordinates.
struct LeadingCoordinate {
  std::string name;  ///< crank.angle
  Expression value, rate;
  bool is_angle = false;
  bool wraps = false;  ///< the value is known up to whole turns
};

/// Moves a mechanism, in joint coordinates, by some of its joints, with its loops closed:
/// docs/theory/joint-coordinates.md. Corrections are the smallest changes of the joints, in radians and in parts of the
/// longest arm, so that joints outside of loops stay as they are.
class LoopClosing {
 public:
  LoopClosing(const Model& joints, const InitialValues& start, std::vector<LeadingCoordinate> leading);

  struct Way {
    double share = 0;           ///< how far it went: 1 if it arrived
    std::vector<double> meets;  ///< shares at which ways of closing the loops meet, and it went straight on
    std::vector<int> open;      ///< the constraints that could not be kept beyond, the farthest off first
    bool arrived() const { return share >= 1; }
  };
  /// Leads the first of the leading coordinates from where they are along a straight line, in steps so small that no
  /// other way of closing the loops is taken.
  Way lead(const std::vector<double>& targets);

  /// Closes the loops from another place: `targets` as above, the leading coordinates behind these near `hints`.
  /// Returns whether they can be closed; of the ways found, the one nearest to the hints is taken.
  bool close_near(const std::vector<double>& targets, const std::vector<double>& hints);

  /// The smallest change of speeds by which the leading coordinates have these rates and every constraint holds; false
  /// where there is none, and the nearest is taken.
  bool set_rates(const std::vector<std::optional<double>>& rates, Vector& v);
  /// Of the leading coordinates, with these speeds.
  std::vector<double> rates(const Vector& v);

  const Vector& q() const { return q_; }
  void set_q(const Vector& q);
  /// Of the leading coordinates, turns counted.
  const std::vector<double>& values() const { return values_; }
  const Shape& shape() const { return system_->shape(); }

 private:
  /// Residuals and slopes of the constraints and of the first `led` leading coordinates, each row of length 1.
  struct Rows {
    Vector r;
    Matrix J;
  };
  struct Pose {
    Vector q;
    std::vector<double> values;  ///< of the leading coordinates
    Vector moved;                ///< what it was moved by, in weighted speeds
  };
  /// Where the loops were last closed and no ways of closing them met.
  struct Reference {
    Matrix left, right;  ///< of the singular values that count
    double size = 0;     ///< logarithm of their product
  };

  Pose pose() const { return {q_, values_, Vector::Zero(weights_.size())}; }
  bool is_soft(Eigen::Index row) const;
  void weigh(const InitialValues& start);
  void read_leading(Pose& at);
  void slopes_of_leading(Matrix& G);
  void evaluate(Pose& at, const std::vector<double>& targets, Rows& rows);
  bool correct(Pose& at, const std::vector<double>& targets, int rank, double most);
  void move(Pose& at, const Vector& by);
  bool step(const std::vector<double>& targets, double by, Pose& next);
  void refer(const Matrix& J);
  /// Have the loops come to another side of a position in which ways of closing them meet? 0: it is near such a one.
  int side(const Matrix& J) const;
  void bring(Pose& at, const std::vector<double>& wanted);
  bool close_near_with_rank(const std::vector<double>& targets, const std::vector<double>& hints,
                            const std::vector<bool>& in_loops);
  void scatter(std::mt19937& random, const std::vector<bool>& in_loops, Pose& at);
  double distance(const Pose& at, std::size_t first, const std::vector<double>& hints) const;
  std::vector<int> farthest(Pose at, const std::vector<double>& targets);

  const Model& model_;
  std::unique_ptr<System> system_;
  std::vector<LeadingCoordinate> leading_;
  std::vector<SymbolId> speeds_;
  StartFormulas formulas_;
  Point point_;
  Vector weights_;  ///< of speeds: 1 of those that turn bodies, else the longest arm
  double longest_ = 1;
  Vector q_;
  std::vector<double> values_;
  int rank_ = 0;
  Vector last_;  ///< the step before, by the unit of the share
  Reference reference_;
};

}  // namespace taut
