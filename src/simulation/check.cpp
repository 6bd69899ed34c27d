#include <fmt/format.h>

#include "enforcement/list.hpp"
#include "expression/derivative.hpp"
#include "linear/list.hpp"
#include "simulation/assembly.hpp"
#include "taut/error.hpp"
#include "taut/simulation.hpp"

namespace taut {
namespace {

std::string op_name(Op op) {
  switch (op) {
    case Op::abs:
      return "abs";
    case Op::sign:
      return "sign";
    case Op::min:
      return "min";
    case Op::max:
      return "max";
    default:
      return "a comparison";
  }
}

void note_kinks(const std::string& where, const Expression& e, std::vector<std::string>& list) {
  for (const Op op : not_smooth(e)) list.push_back(fmt::format("{} contains {}, which has a kink", where, op_name(op)));
}

void note_kinks(const Model& model, std::vector<std::string>& list) {
  if (model.kinetic_energy) note_kinks("kinetic_energy", *model.kinetic_energy, list);
  if (model.potential_energy) note_kinks("potential_energy", *model.potential_energy, list);
  for (const auto& c : model.coordinates) note_kinks("the force on '" + c.name + "'", c.force, list);
  for (const auto& u : model.speeds) note_kinks("the force on '" + u.name + "'", u.force, list);
  for (const auto& load : model.loads)
    for (const auto& f : load.force) note_kinks("load '" + load.name + "'", f, list);
  for (const auto& c : model.constraints) note_kinks("constraint '" + c.name + "'", c.residual, list);
}

Vector vector(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
}

}  // namespace

Check check(const Model& model, const std::vector<Assignment>& set) {
  const InitialValues initial = initial_values(model, set);
  const auto system = make_system(model, initial.parameters);
  const Shape& shape = system->shape();
  Check result;
  result.model = model.name;
  result.coordinates = shape.n_q();
  result.speeds = shape.n_v();
  result.constraints = shape.rows();
  Vector q = vector(initial.coordinates), v = vector(initial.speeds);
  Vector Phi = Vector::Zero(shape.position_rows), chi = Vector::Zero(shape.rows());
  system->position(0, q, Phi);
  system->velocity(0, q, v, chi);
  for (int i = 0; i < shape.rows(); ++i) {
    Violation violation{shape.constraints[i], std::nullopt, std::abs(chi[i])};
    if (i < shape.position_rows) violation.position = std::abs(Phi[i]);
    result.initial.push_back(violation);
  }
  if (shape.has_energy) result.energy = system->energy(0, q, v);
  note_kinks(model, result.not_smooth);

  constexpr double rank_tolerance = 1e-10;
  std::string chosen;
  Manifold manifold(
      *system, [&chosen] { return make_kernel("cod", chosen); }, rank_tolerance);
  try {
    const Assembly assembly = assemble(manifold, 0, q, v, rank_tolerance);
    if (assembly.change > 1e-9)
      result.notes.push_back(
          fmt::format("the initial state is not on the constraints; --assemble would move '{}' by {:.3g}",
                      assembly.name, assembly.change));
    if (!manifold.evaluate(0, q, v)) throw no_start(manifold);
  } catch (const InputError& error) {
    if (error.place().line > 0 || model.file.empty()) throw;
    throw InputError(Place{model.file, 1, 1}, error.message(), error.remedy());
  }
  manifold.decide_afresh(rank_tolerance);
  result.rank = manifold.rank();
  result.degrees_of_freedom = shape.n_v() - result.rank;
  result.dependent = manifold.dependent();
  if (manifold.kernel().mass_completed())
    result.notes.push_back("the mass matrix alone is singular; the constraints complete it");
  const double pivot = manifold.kernel().smallest_pivot();
  if (shape.rows() > 0 && pivot < 1e-6)
    result.notes.push_back(fmt::format("the initial position is nearly singular: smallest pivot {:.2g}", pivot));
  return result;
}

}  // namespace taut
