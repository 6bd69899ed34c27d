#include "questions/slopes.hpp"

#include <utility>

#include "expression/derivative.hpp"
#include "system/branches.hpp"

namespace taut {
namespace {

std::vector<int> columns(const Equations& eq) {
  std::vector<int> column(eq.graph->symbols(), -1);
  for (const auto* list : {&eq.parameters, &eq.q, &eq.v, &eq.a, &eq.multipliers})
    for (std::size_t k = 0; k < list->size(); ++k) column[(*list)[k]] = static_cast<int>(k);
  return column;
}

}  // namespace

SlopeFormulas::SlopeFormulas(const Equations& eq, Parameters parameters)
    : eq_(eq), with_parameters_(parameters == Parameters::included), column_of_(columns(eq)) {}

void SlopeFormulas::size(Slopes& slopes, std::size_t rows) const {
  const auto zero = [&](std::size_t many) {
    return Matrix::Zero(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(many));
  };
  slopes.value = Vector::Zero(static_cast<Eigen::Index>(rows));
  slopes.by_q = zero(eq_.q.size());
  slopes.by_v = slopes.by_a = zero(eq_.v.size());
  slopes.by_lambda = zero(eq_.multipliers.size());
  slopes.by_p = zero(with_parameters_ ? eq_.parameters.size() : 0);
}

void SlopeFormulas::add_partials(const Expression& formula, SymbolKind kind, Entry entry) {
  for (const auto& [symbol, value] : gradient(formula, kind)) {
    entry.column = column_of_[symbol];
    if (entry.column < 0) continue;  // chooses a branch
    formulas_.push_back(value);
    entries_.push_back(entry);
  }
}

std::size_t SlopeFormulas::add(const std::vector<Expression>& formulas) {
  const std::size_t list = lists_.size();
  size(lists_.emplace_back(), formulas.size());
  const SymbolKind speeds = eq_.shape.plain_rates ? SymbolKind::rate : SymbolKind::speed;
  for (std::size_t row = 0; row < formulas.size(); ++row) {
    Entry entry{list, nullptr, static_cast<int>(row), 0};
    formulas_.push_back(formulas[row]);
    entries_.push_back(entry);
    if (!formulas[row].graph()) continue;
    for (const auto& [kind, part] : {std::pair{SymbolKind::coordinate, &Slopes::by_q},
                                     {speeds, &Slopes::by_v},
                                     {SymbolKind::acceleration, &Slopes::by_a},
                                     {SymbolKind::multiplier, &Slopes::by_lambda},
                                     {SymbolKind::parameter, &Slopes::by_p},
                                     {SymbolKind::input, &Slopes::by_p}}) {
      if (part == &Slopes::by_p && !with_parameters_) continue;
      entry.part = part;
      add_partials(formulas[row], kind, entry);
    }
  }
  return list;
}

void SlopeFormulas::compile() {
  compiled_ = std::make_unique<FormulaList>(*eq_.graph, formulas_);
  set_branches(std::vector<System::Branch>(eq_.switching.size()));
}

void SlopeFormulas::set_branches(const std::vector<System::Branch>& branches) {
  std::vector<double> inputs(BranchInput::count);
  for (std::size_t k = 0; k < branches.size(); ++k) {
    choose_branch(branches[k], inputs);
    set({eq_.branches.begin() + static_cast<std::ptrdiff_t>(k * inputs.size()),
         eq_.branches.begin() + static_cast<std::ptrdiff_t>((k + 1) * inputs.size())},
        inputs.data());
  }
}

void SlopeFormulas::set(const std::vector<SymbolId>& symbols, const double* values) {
  for (std::size_t k = 0; k < symbols.size(); ++k) (*compiled_)[symbols[k]] = values[k];
}

void SlopeFormulas::evaluate(const MotionPoint& point) {
  (*compiled_)[eq_.time] = point.t;
  set(eq_.parameters, parameters_.data());
  set(eq_.q, point.q.data());
  set(eq_.v, point.v.data());
  set(eq_.a, point.a.data());
  set(eq_.multipliers, point.lambda.data());
  compiled_->evaluate(found_);
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    const auto& [list, part, row, column] = entries_[k];
    (part == nullptr ? lists_[list].value[row] : (lists_[list].*part)(row, column)) = found_[k];
  }
}

}  // namespace taut
