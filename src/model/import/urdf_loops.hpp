#pragma once

#include <set>
#include <string>

#include "model/import/closing.hpp"
#include "model/import/loops.hpp"
#include "model/import/ties.hpp"

namespace taut::robot {

/// A link, or the one that the joint of this name carries; -1: there is none.
int frame_called(const Robot& robot, const std::string& name);
/// -1: there is none, or it went with a link that nothing determines.
int joint_called(const Robot& robot, const std::string& name);

/// The links that loops name: these stay, whatever they weigh.
std::set<int> links_of(const Loops& loops, const Robot& robot);

/// Closes the loops of a tree as a file beside it says: leads the joints to where the loops are closed, and ties them
/// there.
class UrdfLoops {
 public:
  UrdfLoops(Robot& robot, Ties& ties, Findings& findings) : robot_(robot), ties_(ties), findings_(findings) {}

  void close(const Loops& loops);

 private:
  void add(const Loop& loop);
  void close();
  void say_relaxed(const std::vector<OpenLoop>& as_written) const;
  void lead(const std::vector<double>& to);

  Robot& robot_;
  Ties& ties_;
  Findings& findings_;
  std::vector<OpenLoop> open_;
};

}  // namespace taut::robot
