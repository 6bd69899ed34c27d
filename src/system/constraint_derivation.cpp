#include "model/tree/joint_form.hpp"
#include "system/derivation.hpp"
#include "system/part_blocks.hpp"

namespace taut {
namespace {

class ConstraintDerivation {
 public:
  explicit ConstraintDerivation(Derivation& derivation)
      : d_(derivation), eq_(derivation.eq), model_(derivation.model) {}

  /// χ = [Φ̇; Ψ], H = ∂χ/∂v, b = −χ̇ at v̇ = 0. Position constraints come first.
  void constraints() {
    const std::vector<int> turns = turns_of_parts(model_);
    for (const bool on_velocity : {false, true}) {
      for (const auto& c : model_.constraints) {
        if (c.on_velocity != on_velocity) continue;
        const Expression residual = d_.resolved(c.residual);
        if (!on_velocity) refuse_feedback(c, residual);
        eq_.shape.constraints.push_back(c.name);
        eq_.shape.constraint_places.push_back(c.place);
        if (!turns.empty()) eq_.shape.blocks.push_back(c.part < 0 ? turns.back() : turns[c.part]);
        eq_.softness.push_back(d_.here(c.softness));
        if (!on_velocity) eq_.Phi.push_back(residual);
        const Expression* written = written_row(c) ? &written_row(c)->velocity : nullptr;
        eq_.chi.push_back(written ? d_.resolved(*written) : on_velocity ? residual : d_.flow(residual));
        if (written) eq_.b.push_back(d_.resolved(written_row(c)->bias));
      }
      if (!on_velocity) eq_.shape.position_rows = static_cast<int>(eq_.Phi.size());
    }
    const int rows = static_cast<int>(eq_.chi.size());
    eq_.H.pattern = {rows, eq_.shape.n_v(), {}};
    for (int i = 0; i < rows; ++i) {
      for (const auto& [s, value] : gradient(eq_.chi[i], d_.v_kind)) {
        eq_.H.add(i, d_.index_of_v(s), value);
        if (d_.depends_on(value, d_.v_kind)) eq_.shape.jacobian_of_speeds = true;
      }
      if (!model_.joint_form) eq_.b.push_back(-d_.flow(eq_.chi[i]));
      if (d_.is_of_states(eq_.chi[i])) eq_.shape.state_rows.push_back(i);
    }
  }

 private:
  /// What a mechanism in joint coordinates has written out of a constraint.
  const JointForm::Row* written_row(const Constraint& c) const {
    return model_.joint_form ? &model_.joint_form->rows[&c - model_.constraints.data()] : nullptr;
  }

  /// Nothing acts back on a state that drives. With a rate of the motion in its own, its second derivative would hold
  /// accelerations, and the constraint's force would act on what these belong to.
  void refuse_feedback(const Constraint& c, const Expression& residual) {
    for (const SymbolId s : symbols_of(residual)) {
      if (!d_.is_coordinate(s) || !model_.coordinates[d_.index_of_q(s)].is_state) continue;
      const std::string felt = first_of_kind(eq_.rates[d_.index_of_q(s)], d_.v_kind), name(d_.graph().info(s).name);
      if (felt.empty()) continue;
      throw InputError(c.place,
                       "constraint '" + c.name + "' is driven by state '" + name + "', whose rate depends on " + felt,
                       "let it depend on a state that follows " + felt + ", such as w: {value: 0, rate: (" + felt +
                           " - w)/T} with a short time T");
    }
  }

  /// The name of a symbol of this kind in a formula, or "".
  std::string first_of_kind(const Expression& e, SymbolKind kind) {
    for (const SymbolId s : symbols_of(e))
      if (d_.graph().info(s).kind == kind) return std::string(d_.graph().info(s).name);
    return "";
  }

  Derivation& d_;
  Equations& eq_;
  const Model& model_;
};

}  // namespace

void derive_constraints(Derivation& derivation) { ConstraintDerivation(derivation).constraints(); }

}  // namespace taut
