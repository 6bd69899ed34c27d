#pragma once

#include <limits>
#include <string>
#include <vector>

#include "simulation/event_watch.hpp"
#include "simulation/motion.hpp"
#include "simulation/sliding_signs.hpp"

namespace taut {

/// A motion whose equations have kinks in the state. Within a step every kink stays on the branch where the step began,
/// so that the right-hand side is smooth for all stages; steps end where a switching function s becomes zero, and the
/// next begins on the other branch (docs/theory/switching.md).
///
/// Where the motion of both branches leads to s = 0, it slides along that surface (Filippov 1960): the sign that stands
/// in for that of s becomes the one between −1 and 1 that keeps ṡ = 0, until it leaves these bounds.
class SwitchedMotion : public Ode {
 public:
  SwitchedMotion(Motion& motion, System& system, double resolution);

  /// Chooses branches where a run starts, before anything is evaluated there; …
  void start(double t, const Vector& q, const Vector& v);
  /// … of functions that are zero there, by what follows from either choice.
  void settle(double t, const Vector& y);

  int size() const override { return motion_.size(); }
  void begin_step(double t, const Vector& y, double h) override;
  bool derivative(double t, const Vector& y, double h, Vector& ydot) override;
  Correction correct(double t, Vector& y) override;
  bool correct_error(double t, const Vector& y, Vector& error) override { return motion_.correct_error(t, y, error); }
  bool has_norm() const override { return motion_.has_norm(); }
  double norm(const Vector& error) override { return motion_.norm(error); }
  Acceptance accept(double t, Vector& y) override;
  bool depends_on_step() const override { return motion_.depends_on_step(); }
  bool all_slopes(const Tableau& tableau, double t, const Vector& y, double h, std::vector<Vector>& k) override {
    return !slides() && motion_.all_slopes(tableau, t, y, h, k);
  }
  void leave_stop(double before, double after, Vector& y) override;
  Passage passage(double t) const override { return motion_.passage(t); }
  bool approves(double t, const Vector& y) override;
  std::string objection() const override { return motion_.objection(); }
  double longest_step() const override { return motion_.longest_step(); }
  void correct_all_results() override { motion_.correct_all_results(); }
  void leave_out_held_terms() override { motion_.leave_out_held_terms(); }
  bool held(double t, const Vector& y, double h, Vector& rate) override { return motion_.held(t, y, h, rate); }
  bool switches() const override { return true; }
  double step_end(double t0, double t1, const Vector& y1, const Between& between) override;

  /// Since this was last asked: where the motion began to slide, or ceased to.
  struct Change {
    double t;
    int which;
    bool slides;
  };
  std::vector<Change> take_changes() { return std::exchange(changes_, {}); }
  /// How often steps have ended for a change of branch.
  long changes() const { return changes_made_; }
  /// Why the motion cannot go on; "" if it can.
  const std::string& trouble() const { return trouble_; }

 private:
  enum class Side { free, held, sliding };
  struct Switch {
    Side side = Side::free;
    double sign = 0;        ///< that stands in for the function's own, unless it is free
    double reach = 1;       ///< the most that the sign may be where the function is held at zero
    bool deciding = false;  ///< whether it will be
    double offset = 0;      ///< of the function from zero where the step began at a zero
    double room = 1;        ///< that the sign has, or those have that bear what it cannot
    bool arrived = false;
    bool leaves = false;  ///< its sign has come to its bounds

    /// The sign in force.
    double value() const { return side == Side::sliding || deciding ? reach * sign : sign; }
  };

  bool slides() const { return !sliding_.empty(); }
  void apply();
  void let_go_while(const std::function<void()>& action);
  void values(double t, const Vector& y, Vector& g);
  void find_offsets(double t, const Between& between);
  double resolution(double t0, double t1) const;
  double nearest_turn(double t0, double t1) const;
  double aim(double t0, double t1, int which, double at);
  double arrive(double t0, double t1);
  double distance(std::size_t which) const;
  bool ends_at_zero(double tolerance);
  void set_arrived(int which);
  double pass_by(double t1);
  double change_at_start(double t0, double t1, int which);
  double let_go(double t0, double t1, int which);
  double let_all_go(double t0, double t1);
  bool rates(double t, const Vector& y, Vector& rates);
  void change(double t, const Vector& y);
  void look_behind(double t, const Vector& y);
  bool follow_jumps(double t, const Vector& y);
  bool choose_signs(double t, const Vector& y);
  void choose_side(int which, double sign, double t);
  void hold(int which, double sign);
  void set_sliding(int which, bool slides, double t);
  bool linearize(const std::vector<int>& which, double t, const Vector& y);
  void gather(const std::vector<int>& which, Vector& signs, Vector& rates) const;
  double update_signs();
  bool solve_signs(double t, const Vector& y);
  bool search_signs(double t, const Vector& y);
  double largest_rate() const;
  void set_signs(const std::vector<int>& which, const Vector& signs);
  Correction return_to_surfaces(double t, Vector& y, Correction correction);
  void count_change(double t);
  bool rests(const Vector& y, const Vector& ydot) const;
  void come_to_rest(Vector& y);

  Motion& motion_;
  System& system_;
  double least_step_;  ///< steps of this length, one after the other, lead nowhere
  std::vector<Switch> switches_;
  std::vector<System::Branch> branches_;
  std::vector<int> sliding_, at_zero_;
  std::vector<Change> changes_;
  long changes_made_ = 0;
  std::string trouble_;
  EventWatch watch_;
  const Between* between_ = nullptr;
  double from_ = 0, width_ = 1;
  bool arrived_ = false, leaving_ = false;
  int last_ = 0;  ///< that arrived at zero
  int aimed_ = -1, attempts_ = 0, repetitions_ = 0, short_steps_ = 0;
  double aimed_from_ = 0, changed_at_ = -1, looked_at_ = -1;
  double many_changes_ago_ = -std::numeric_limits<double>::infinity();  ///< when that was
  Vector q_, v_, a_, lambda_, s_, sizes_, rates_, y_, g_, before_, found_, kept_, unpulled_;
  double largest_speed_ = 0;
  double pull_ = 0;  ///< of the signs on accelerations
  SlidingSigns signs_;
  Vector start_signs_;  ///< of those that slide, where the step began
  Vector good_signs_, signs_now_, rates_now_;
  Matrix pulls_;  ///< of each sign that slides on accelerations, where the step began
};

}  // namespace taut
