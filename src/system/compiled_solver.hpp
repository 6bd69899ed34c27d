#pragma once

#include <memory>
#include <span>
#include <vector>

#include "expression/native.hpp"
#include "expression/program.hpp"
#include "system/equations.hpp"
#include "system/stage.hpp"
#include "taut/system.hpp"

namespace taut {

/// The equations and their solution in one program: what all solvers of a system share.
struct SolverProgram {
  Program program;
  Program::Workspace begun;      ///< parameters are in it
  Matrix start;                  ///< the self-stresses it was made for, see dependent_rows
  std::vector<int> stress_rows;  ///< those that V has entries in
  int stresses = 0;              ///< columns of V
  int parameters = 0, n_q = 0, n_v = 0, rows = 0, position_rows = 0;
  bool does_work = false, squared = false;
  std::vector<int> retracted;        ///< coordinates
  std::span<const double> branches;  ///< the system's choice at each kink, which may change
  // Where outputs begin, in their order.
  int Phi = 0, mass_pivots = 0, sizes = 0, pivots = 0, self_stress = 0, remainders = 0, exchange = 0, f = 0, b = 0,
      chi = 0, acceleration = 0, multipliers = 0, power = 0, missing_acceleration = 0, rates = 0, correction = 0,
      correction_multipliers = 0, position_correction = 0, missing_velocity = 0, retraction = 0, missing_position = 0;
  taut_stage_plan plan = {};  ///< its lists are those of this program
  NativeDriver driver;        ///< runs a stage of that plan
};

/// None where the solution would be too long, or H depends on speeds. `stress`: see dependent_rows.
std::shared_ptr<SolverProgram> make_solver_program(const Equations& eq, const Matrix& stress,
                                                   const std::vector<double>& parameters);

/// A solver with a workspace of its own.
std::unique_ptr<Solver> make_solver(std::shared_ptr<const SolverProgram> program);

}  // namespace taut
