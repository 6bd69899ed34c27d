#include "model/tree/rewriting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

/// The constraints that are left in joint coordinates.
namespace taut {

void Rewriting::write_constraints() {
  std::vector<int> joint_of(model_.constraints.size(), -1);
  for (std::size_t k = 0; k < model_.joints.size(); ++k)
    for (const std::size_t row : model_.joints[k].rows) joint_of[row] = static_cast<int>(k);
  std::vector<PoseRow> rows;
  std::vector<RowTerms> terms;
  std::vector<bool> candidates;  // rows that may say nothing new
  for (std::size_t k = 0; k < model_.constraints.size(); ++k) {
    const Constraint& given = model_.constraints[k];
    if (joint_of[k] >= 0 && tree_.is_branch[joint_of[k]]) {
      form_.by_construction.push_back(given.name);
      continue;
    }
    const Expression residual = pose_(given.residual);
    rows.push_back({k, residual, given.on_velocity ? residual : pose_.rate_of(residual)});
    const bool may_vanish = joint_of[k] >= 0 && !given.on_velocity;
    if (may_vanish) terms.push_back(terms_of(rows.back()));
    candidates.push_back(may_vanish);
  }
  const std::vector<bool> vanishes = find_vanishing_rows(out_, numbers_, terms);
  form_.undetermined.assign(model_.joints.size(), false);
  std::size_t term = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (candidates[k] && vanishes[term++])
      leave_out(rows[k], joint_of[rows[k].given]);
    else
      declare_row(rows[k]);
  }
  for (const PoseRow& row : rows_) write_row(row);
}

RowTerms Rewriting::terms_of(const PoseRow& row) {
  at(fmt::format("constraint '{}'", model_.constraints[row.given].name), model_.constraints[row.given].place);
  RowTerms terms{full_(row.residual), {}};
  for (const SymbolKind kind : {SymbolKind::rate, SymbolKind::speed})
    for (const auto& [s, value] : gradient(row.velocity, kind))
      terms.rate.emplace_back(full_(value), full_(Expression(pose_.graph(), pose_.graph().symbol(s))));
  return terms;
}

void Rewriting::leave_out(const PoseRow& row, int joint) {
  const Constraint& given = model_.constraints[row.given];
  form_.implied.push_back(given.name);
  for (Transcript* to : {&full_, &bias_}) to->bind(given.multiplier, 0);
  form_.undetermined[joint] = true;
  for (const int branch : loop_of(model_.joints[joint])) form_.undetermined[branch] = true;
}

std::vector<int> Rewriting::loop_of(const Joint& joint) const {
  std::vector<const SpanningTree::Branch*> branch_of(model_.bodies.size(), nullptr);
  for (const SpanningTree::Branch& branch : tree_.branches) branch_of[branch.body] = &branch;
  const auto way = [&](int body) {
    std::vector<int> joints;
    for (; branch_of[body] != nullptr && branch_of[body]->joint >= 0; body = branch_of[body]->parent)
      joints.push_back(branch_of[body]->joint);
    return joints;
  };
  std::vector<int> loop, first = way(joint.first), second = way(joint.second);
  std::ranges::sort(first);
  std::ranges::sort(second);
  std::ranges::set_symmetric_difference(first, second, std::back_inserter(loop));
  return loop;
}

void Rewriting::declare_row(const PoseRow& row) {
  new_row_[row.given] = out_.constraints.size();
  rows_.push_back(row);
  Constraint& constraint = out_.constraints.emplace_back(model_.constraints[row.given]);
  const std::string name(model_.graph->info(constraint.multiplier).name);
  const SymbolId multiplier = out_.graph->declare(name, SymbolKind::multiplier);
  for (Transcript* to : {&full_, &bias_}) to->bind(constraint.multiplier, symbol(multiplier));
  constraint.multiplier = multiplier;
}

void Rewriting::write_row(const PoseRow& row) {
  Constraint& constraint = out_.constraints[new_row_.at(row.given)];
  at(fmt::format("constraint '{}'", constraint.name), constraint.place);
  constraint.residual = full_(row.residual);
  constraint.softness = write(constraint.softness);
  form_.rows.push_back({full_(row.velocity), -bias_(pose_.rate_of(row.velocity))});
}

}  // namespace taut
