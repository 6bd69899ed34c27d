#pragma once

#include "model/tree/loop_rows.hpp"

namespace taut {

/// Outputs, bodies and joints in joint coordinates, and what is shown of bodies.
class RewrittenResults {
 public:
  RewrittenResults(RewrittenModel& writing, const LoopRows& rows) : w_(writing), rows_(rows) {}

  void write_results();
  /// What is left of bodies and joints.
  void write_mechanism();
  /// Positions of bodies, where they do not stand among the coordinates.
  void show_bodies();

 private:
  void write_event(const Watch& given);
  bool means_the_same(SymbolId set) const;
  void write_controller(const Controller& given);
  void write_joint(std::size_t k);

  RewrittenModel& w_;
  const LoopRows& rows_;
};

}  // namespace taut
