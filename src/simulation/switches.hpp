#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "simulation/motion.hpp"

namespace taut {

/// A switching function s, and the branch that its kinks are on.
struct Switch {
  enum class Side {
    free,     ///< formulas decide by themselves
    held,     ///< on one side of zero
    sliding,  ///< the motion slides along s = 0
  };
  enum class Arrival {
    none,
    arrived,  ///< the last step ended where it is zero, or where its sign has come to its bounds, …
    leaving,  ///< … which is to say that the motion leaves the surface
  };

  Side side = Side::free;
  double sign = 0;        ///< that stands in for the function's own, unless it is free
  double reach = 1;       ///< the most that the sign may be where the function is held at zero
  bool deciding = false;  ///< whether it will be
  double offset = 0;      ///< of the function from zero where the step began at a zero
  double room = 1;        ///< that the sign has, or those have that bear what it cannot
  Arrival arrival = Arrival::none;
  bool rests = false;  ///< has come to zero with others, and stays there as long as they are held

  bool is_held() const { return side == Side::held; }
  bool is_free() const { return side == Side::free; }
  bool is_sliding() const { return side == Side::sliding; }
  bool has_arrived() const { return arrival == Arrival::arrived; }
  bool is_leaving() const { return arrival == Arrival::leaving; }
  /// The sign in force.
  double value() const { return is_sliding() || deciding ? reach * sign : sign; }
};

/// The branches that the equations are on: a Switch for each switching function. What is changed here comes into force
/// with apply(), which tells the system, and the motion that its equations have changed.
class Switches {
 public:
  Switches(Motion& motion, System& system);

  std::size_t size() const { return all_.size(); }
  Switch& operator[](std::size_t which) { return all_[which]; }
  const Switch& operator[](std::size_t which) const { return all_[which]; }
  std::vector<Switch>& all() { return all_; }

  /// All are on the sides of these values of their functions; those at zero are free.
  void start(const Vector& values);
  void hold(std::size_t which, double sign);
  void release(std::size_t which, double t);
  void set_sliding(std::size_t which, bool slides, double t);
  /// Those that the motion slides along, and whether there are any.
  const std::vector<int>& sliding() const { return sliding_; }
  bool slides() const { return !sliding_.empty(); }
  /// Those whose sides are to be chosen where a step has arrived at zeros: what slides, and what has arrived.
  void gather_arrived(std::vector<int>& at_zero);

  /// Signs of some of them, in the order of the list.
  void get_signs(const std::vector<int>& which, Vector& signs) const;
  void set_signs(const std::vector<int>& which, const Vector& signs);

  void apply();
  /// With all of them free for a while.
  void apply_freely(const std::function<void()>& action);

  /// Where the motion began to slide, or ceased to.
  struct Change {
    double t;
    int which;
    bool slides;
  };
  /// Since this was last asked.
  std::vector<Change> take_changes() { return std::exchange(changes_, {}); }

 private:
  Motion& motion_;
  System& system_;
  std::vector<Switch> all_;
  std::vector<System::Branch> branches_;
  std::vector<int> sliding_;
  std::vector<Change> changes_;
};

}  // namespace taut
