#include "model/tree/loop_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace taut {

void LoopRows::write_constraints() {
  std::vector<int> joint_of(w_.model.constraints.size(), -1);
  for (std::size_t k = 0; k < w_.model.joints.size(); ++k)
    for (const std::size_t row : w_.model.joints[k].rows) joint_of[row] = static_cast<int>(k);
  std::vector<PoseRow> left;
  std::vector<RowTerms> terms;
  std::vector<bool> candidates;  // rows that may say nothing new
  for (std::size_t k = 0; k < w_.model.constraints.size(); ++k) {
    const Constraint& given = w_.model.constraints[k];
    if (joint_of[k] >= 0 && w_.tree.is_branch[joint_of[k]]) {
      w_.form.by_construction.push_back(given.name);
      continue;
    }
    const Expression residual = w_.pose(given.residual);
    left.push_back({k, residual, given.on_velocity ? residual : w_.pose.rate_of(residual)});
    const bool may_vanish = joint_of[k] >= 0 && !given.on_velocity;
    if (may_vanish) terms.push_back(terms_of(left.back()));
    candidates.push_back(may_vanish);
  }
  const std::vector<bool> vanishes = find_vanishing_rows(w_.out, w_.numbers, terms);
  w_.form.decisions.rows = terms;
  w_.form.decisions.vanishes = vanishes;
  w_.form.undetermined.assign(w_.model.joints.size(), false);
  std::size_t term = 0;
  for (std::size_t k = 0; k < left.size(); ++k) {
    if (candidates[k] && vanishes[term++])
      leave_out(left[k], joint_of[left[k].given]);
    else
      declare_row(left[k]);
  }
  for (const PoseRow& row : rows) write_row(row);
}

RowTerms LoopRows::terms_of(const PoseRow& row) {
  w_.at(fmt::format("constraint '{}'", w_.model.constraints[row.given].name), w_.model.constraints[row.given].place);
  RowTerms terms{w_.full(row.residual), {}};
  for (const SymbolKind kind : {SymbolKind::rate, SymbolKind::speed})
    for (const auto& [s, value] : gradient(row.velocity, kind))
      terms.rate.emplace_back(w_.full(value), w_.full(Expression(w_.pose.graph(), w_.pose.graph().symbol(s))));
  return terms;
}

void LoopRows::leave_out(const PoseRow& row, int joint) {
  const Constraint& given = w_.model.constraints[row.given];
  w_.form.implied.push_back(given.name);
  for (Transcript* to : {&w_.full, &w_.bias}) to->bind(given.multiplier, 0);
  w_.form.undetermined[joint] = true;
  for (const int branch : loop_of(w_.model.joints[joint])) w_.form.undetermined[branch] = true;
}

std::vector<int> LoopRows::loop_of(const Joint& joint) const {
  std::vector<const SpanningTree::Branch*> branch_of(w_.model.bodies.size(), nullptr);
  for (const SpanningTree::Branch& branch : w_.tree.branches) branch_of[branch.body] = &branch;
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

void LoopRows::declare_row(const PoseRow& row) {
  new_row[row.given] = w_.out.constraints.size();
  rows.push_back(row);
  Constraint& constraint = w_.out.constraints.emplace_back(w_.model.constraints[row.given]);
  const std::string name(w_.model.graph->info(constraint.multiplier).name);
  const SymbolId multiplier = w_.out.graph->declare(name, SymbolKind::multiplier);
  for (Transcript* to : {&w_.full, &w_.bias}) to->bind(constraint.multiplier, w_.symbol(multiplier));
  constraint.multiplier = multiplier;
}

void LoopRows::write_row(const PoseRow& row) {
  Constraint& constraint = w_.out.constraints[new_row.at(row.given)];
  w_.at(fmt::format("constraint '{}'", constraint.name), constraint.place);
  constraint.residual = w_.full(row.residual);
  constraint.softness = w_.write(constraint.softness);
  w_.form.rows.push_back({w_.full(row.velocity), -w_.bias(w_.pose.rate_of(row.velocity))});
}

}  // namespace taut
