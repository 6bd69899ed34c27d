#pragma once

#include "model/reading_context.hpp"

/// Constraints and joints that events switch on and off: engaged·(Φ − offset) = 0.
namespace taut {

/// Makes something switchable, under a name that a constraint or a joint has or will have. It is engaged at the start
/// unless something else is said first. Returns its place in Model::switchables.
std::size_t declare_switchable(ReadingContext& in, const std::string& name, const Place& place, bool engaged = true);
/// Those whose constraint or joint says so itself, by `engaged:`.
void declare_given_switchables(ReadingContext& in);

/// Gives all of them their rows, and the rows their factor.
class SwitchedRows {
 public:
  explicit SwitchedRows(ReadingContext& in) : in_(in) {}

  void connect(Switchable& switchable, const Place& place);
  /// What has to change so that a switchable holds where it is. Throws InputError for velocity constraints.
  std::vector<Action::Change> held(const Switchable& switchable, const Place& place);
  /// When all of it is known.
  void write_factors();

 private:
  Expression symbol(int parameter) const;
  int offset_of(const Switchable& switchable, std::size_t row, const Place& place);

  ReadingContext& in_;
  std::map<std::size_t, int> offsets_;  ///< by row, the parameter
};

/// A held input that nobody but events sets; its place in Model::parameters.
int add_event_value(ReadingContext& in, const std::string& name, double value, const Place& place);

}  // namespace taut
