#include "exporting/dependencies.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_map>

#include "expression/derivative.hpp"

namespace taut {
namespace {

/// Speeds and rows in groups: M and H connect them, and who is connected accelerates together.
class Groups {
 public:
  explicit Groups(const ExportedModel& model) : eq_(model.equations), n_(model.shape.n_v()) {
    leader_.resize(static_cast<std::size_t>(n_ + model.shape.rows()));
    std::iota(leader_.begin(), leader_.end(), 0);
    for (const auto& [i, j] : eq_.M.pattern.entries) join(i, j);
    for (const auto& [row, j] : eq_.H.pattern.entries) join(n_ + row, j);
  }
  int of_speed(int i) { return find(i); }
  int of_row(int row) { return find(n_ + row); }

 private:
  int find(int i) {
    while (leader_[static_cast<std::size_t>(i)] != i) i = leader_[static_cast<std::size_t>(i)];
    return i;
  }
  void join(int i, int j) { leader_[static_cast<std::size_t>(find(i))] = find(j); }

  const Equations& eq_;
  int n_;
  std::vector<int> leader_;
};

class Search {
 public:
  explicit Search(const ExportedModel& model) : model_(model), eq_(model.equations), groups_(model) {
    const auto know = [&](const std::vector<SymbolId>& symbols, int first) {
      for (std::size_t k = 0; k < symbols.size(); ++k) state_.emplace(symbols[k], first + static_cast<int>(k));
    };
    know(eq_.q, 0);
    know(eq_.v, model.shape.n_q());
    for (const int k : model.inputs) input_.emplace(eq_.parameters[static_cast<std::size_t>(k)], k);
    for (std::size_t k = 0; k < eq_.a.size(); ++k) acceleration_.emplace(eq_.a[k], static_cast<int>(k));
    for (std::size_t k = 0; k < eq_.multipliers.size(); ++k)
      multiplier_.emplace(eq_.multipliers[k], static_cast<int>(k));
    gather_groups();
  }

  Dependencies find() {
    Dependencies found;
    const Shape& s = model_.shape;
    for (int i = 0; i < s.n_q(); ++i) {
      Set set;
      set.states.insert(i);
      add(eq_.rates[static_cast<std::size_t>(i)], set);
      // What constraints connect is evaluated where it has been put onto them.
      close(set);
      found.rates.push_back(listed(set));
    }
    for (int i = 0; i < s.n_v(); ++i) {
      Set set = of_group_[groups_.of_speed(i)];
      set.states.insert(s.n_q() + i);
      close(set);
      found.rates.push_back(listed(set));
    }
    for (std::size_t k = 0; k < s.outputs.size(); ++k) {
      Set set;
      add(eq_.outputs[k], set);
      close(set);
      found.outputs.push_back(listed(set));
    }
    return found;
  }

 private:
  struct Set {
    std::set<int> states, inputs;
  };

  /// What the equations of each group are made of.
  void gather_groups() {
    for (std::size_t k = 0; k < eq_.M.entries.size(); ++k)
      add(eq_.M.entries[k], of_group_[groups_.of_speed(eq_.M.pattern.entries[k].first)]);
    for (std::size_t k = 0; k < eq_.f.size(); ++k) add(eq_.f[k], of_group_[groups_.of_speed(static_cast<int>(k))]);
    for (std::size_t k = 0; k < eq_.H.entries.size(); ++k)
      add(eq_.H.entries[k], of_group_[groups_.of_row(eq_.H.pattern.entries[k].first)]);
    for (std::size_t k = 0; k < eq_.chi.size(); ++k) {
      Set& set = of_group_[groups_.of_row(static_cast<int>(k))];
      add(eq_.b[k], set);
      add(eq_.chi[k], set);
      if (k < eq_.Phi.size()) add(eq_.Phi[k], set);
    }
    // States that a constraint ties together are projected together.
    for (std::size_t k = 0; k < eq_.chi.size(); ++k) {
      Set& tied = ties_.emplace_back(of_group_[groups_.of_row(static_cast<int>(k))]);
      for (int j = 0; j < model_.shape.n_v(); ++j)
        if (groups_.of_speed(j) == groups_.of_row(static_cast<int>(k))) tied.states.insert(model_.shape.n_q() + j);
    }
    for (std::size_t k = 0; k < eq_.retractions.size(); ++k) {
      Set& tied = ties_.emplace_back();
      add(eq_.retractions[k], tied);
      tied.states.insert(eq_.retracted[k]);
    }
  }

  void add(const Expression& formula, Set& set) {
    if (formula.is_constant()) return;
    for (const SymbolId symbol : symbols_of(formula)) {
      if (const auto state = state_.find(symbol); state != state_.end()) set.states.insert(state->second);
      if (const auto input = input_.find(symbol); input != input_.end()) set.inputs.insert(input->second);
      if (const auto a = acceleration_.find(symbol); a != acceleration_.end())
        join(set, of_group_[groups_.of_speed(a->second)]);
      if (const auto row = multiplier_.find(symbol); row != multiplier_.end())
        join(set, of_group_[groups_.of_row(row->second)]);
    }
  }

  static void join(Set& set, const Set& more) {
    set.states.insert(more.states.begin(), more.states.end());
    set.inputs.insert(more.inputs.begin(), more.inputs.end());
  }

  void close(Set& set) const {
    for (bool grew = true; grew;) {
      grew = false;
      for (const Set& tied : ties_) {
        const std::size_t before = set.states.size() + set.inputs.size();
        const bool touches = std::ranges::any_of(tied.states, [&](int k) { return set.states.contains(k); });
        if (touches) join(set, tied);
        grew = grew || set.states.size() + set.inputs.size() > before;
      }
    }
  }

  static Influences listed(const Set& set) {
    return {{set.states.begin(), set.states.end()}, {set.inputs.begin(), set.inputs.end()}};
  }

  const ExportedModel& model_;
  const Equations& eq_;
  Groups groups_;
  std::unordered_map<SymbolId, int> state_, input_, acceleration_, multiplier_;
  std::unordered_map<int, Set> of_group_;
  std::vector<Set> ties_;
};

}  // namespace

Dependencies dependencies_of(const ExportedModel& model) { return Search(model).find(); }

}  // namespace taut
