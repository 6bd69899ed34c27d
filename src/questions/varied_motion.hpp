#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "integration/tableau.hpp"
#include "questions/stage_map.hpp"
#include "questions/varied_state.hpp"

namespace taut {

/// The variational equations on the constraints, beside q̇ = r, v̇ = a of a motion: every stage of a step is put onto the
/// constraints and onto their variation before it is evaluated, as the motion itself is. Which rows count is decided
/// where a step begins, and stays.
class VariedMotion {
 public:
  /// `parameter_slopes` has a column for each parameter that is varied: see Subject::parameter_slopes. `integrated` are
  /// outputs whose integrals are states, too.
  VariedMotion(const Subject& subject, const Matrix& parameter_slopes, const std::vector<std::string>& outputs,
               const std::vector<int>& integrated = {});

  /// Decides which rows count, on the constraints, and puts the slopes onto them. Rows that count are kept where their
  /// number falls for a moment, as at a singular position.
  void begin(VariedState& state);
  /// One step of the eighth order by Dormand and Prince, from where it was begun.
  void step(VariedState& state, double h);
  /// A list of formulas and their slopes.
  struct Shown {
    Vector value;
    Matrix slopes;
    Vector rates;  ///< along the motion, of formulas without accelerations and multipliers
  };
  /// The outputs.
  Shown show(VariedState& state);
  /// Switching functions, where the state stands.
  Shown switching(VariedState& state);
  /// Chooses the side of every kink, from here on; none: as it is where the equations are evaluated.
  void set_branches(const std::vector<System::Branch>& branches);
  /// Rates of the state, one after the other.
  struct Rates {
    Vector all;
    Eigen::Index n_q = 0, n_v = 0;
    Vector switching = {};  ///< and of the switching functions
    Vector speeds = {};     ///< themselves, as constraints have them

    auto q() const { return all.head(n_q); }
    auto v() const { return all.segment(n_q, n_v); }
    auto integrals() const { return all.tail(all.size() - n_q - n_v); }
  };
  Rates rates_at(VariedState state);
  /// Puts in how the start of a run changes, from the slopes of the values given for it. False where these, put onto
  /// the constraints, end up elsewhere than the run starts.
  bool vary_start(VariedState& state);
  /// The first column of slopes that do not meet all constraints, because some depend on each other and contradict each
  /// other; `given` has the slopes before they were put onto them, which say what counts as zero.
  std::optional<Eigen::Index> contradicted(const VariedState& state, const VariedState& given);

  const CountingRows& rows() const { return rows_; }
  void set_rows(const CountingRows& rows) { rows_ = rows; }
  /// Puts a state onto the constraints; the variation stands there, and its map is told.
  StageMap evaluate(VariedState& state);
  const Variation& variation() const { return variation_; }
  /// A stage of a step as a linear map, and how the integrated outputs depend on what changes there.
  struct Stage {
    StageMap map;
    Slopes integrated;
  };
  /// All stages of a step.
  std::vector<Stage> stages(const VariedState& begun, double h);
  const Tableau& tableau() const { return tableau_; }

 private:
  void choose_rows(const VariedState& state);
  void put_on_constraints(VariedState& state);
  void find_accelerations(const VariedState& state);
  /// The rates of a state, which is put onto the constraints; its map is kept where that is asked for.
  Vector rates(VariedState& state, std::vector<Stage>* keep = nullptr);
  Matrix H() const;
  Shown shown(const Slopes& y, const Vector& by_time, VariedState& state);
  /// Changes of the parameters, as many as the state has slopes: all, or none.
  const Matrix& varied(const VariedState& state) const {
    return state.q_slopes.cols() == 0 ? none_ : parameter_slopes_;
  }
  void take_stages(VariedState& state, double h, std::vector<Stage>* keep);

  const Subject& subject_;
  Matrix parameter_slopes_, none_;
  std::vector<int> integrated_;
  Variation variation_;
  std::unique_ptr<System> system_;
  Tableau tableau_;
  Point point_;
  MotionPoint here_;
  CountingRows rows_;
};

}  // namespace taut
