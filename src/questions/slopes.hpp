#pragma once

#include <memory>
#include <vector>

#include "expression/formula_list.hpp"
#include "system/equations.hpp"

namespace taut {

/// Where first derivatives are asked for: a state with its accelerations and multipliers.
struct MotionPoint {
  double t = 0;
  Vector q, v, a, lambda;
};

/// A list of formulas at a point, and their first derivatives there.
struct Slopes {
  Vector value;
  Matrix by_q, by_v, by_a, by_lambda;
  Matrix by_p;  ///< by all parameters of the model; without columns where they are not asked for
};

/// Lists of formulas of a system's graph with all their derivatives, exact and compiled together.
class SlopeFormulas {
 public:
  enum class Parameters { left_out, included };
  SlopeFormulas(const Equations& eq, Parameters parameters);

  /// Adds a list; what it is found by.
  std::size_t add(const std::vector<Expression>& formulas);
  /// Nothing is added afterwards.
  void compile();
  /// The side of each kink, from here on; none, as at first: where the formulas are evaluated.
  void set_branches(const std::vector<System::Branch>& branches);
  /// Values of all parameters, from here on; to be given before the first evaluation.
  void set_parameters(const std::vector<double>& values) { parameters_ = values; }
  const std::vector<double>& parameters() const { return parameters_; }
  void evaluate(const MotionPoint& point);
  const Slopes& operator[](std::size_t list) const { return lists_[list]; }

 private:
  struct Entry {
    std::size_t list;
    Matrix Slopes::*part;
    int row, column;
  };
  void add_partials(const Expression& formula, SymbolKind kind, Entry entry);
  void size(Slopes& slopes, std::size_t rows) const;
  void set(const std::vector<SymbolId>& symbols, const double* values);

  const Equations& eq_;
  bool with_parameters_;
  std::vector<Slopes> lists_;
  std::vector<Expression> formulas_;  ///< values and partials in their order
  std::vector<Entry> entries_;        ///< where each of them goes; a value has no part
  std::vector<int> column_of_;        ///< of each symbol, among its own kind; -1: not one of the system's
  std::unique_ptr<FormulaList> compiled_;
  std::vector<double> parameters_, found_;
};

}  // namespace taut
