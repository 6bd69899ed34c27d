#include "model/energy_reading.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "expression/derivative.hpp"
#include "model/declare.hpp"
#include "model/sections.hpp"
#include "model/table.hpp"

namespace taut {
namespace {

/// Coordinates, or speeds where the model declares any, that are no states.
std::size_t mechanical_count(const ReadingContext& in) {
  const auto moves = [](const auto& unknown) { return !unknown.is_state; };
  return static_cast<std::size_t>(in.first_of("speeds") == nullptr ? std::ranges::count_if(in.model.coordinates, moves)
                                                                   : std::ranges::count_if(in.model.speeds, moves));
}

/// Energies of parts and of the passes of repetitions add up.
std::optional<Expression> sum(const ReadingContext& in, const std::string& section, const Context& context) {
  std::optional<Expression> total;
  in.each_part(section, [&](const yaml::Node& node, const Part& part) {
    const Expression term = Value(in, node, section, part).formula(context);
    total = total ? *total + term : term;
  });
  return total;
}

/// Bodies and gravity may have brought some.
void add_energy(std::optional<Expression>& total, const std::optional<Expression>& more) {
  if (more) total = total ? *total + *more : *more;
}

}  // namespace

void declare_definitions(ReadingContext& in) {
  in.each_entry("definitions", [&](const Entry& entry) {
    claim_name(in.model, entry.name, "a definition", entry.place);
    in.scope.expect(entry.name, "a definition");
  });
}

void read_definitions(ReadingContext& in) {
  in.each_entry("definitions", [&](const Entry& entry) {
    const Value value = entry.value.called(fmt::format("definition '{}'", entry.name));
    in.scope.add_definition(
        entry.name, value.is_mapping() ? read_table(value, in.model.tables) : value.formula(context::definition));
  });
}

void read_kinetic_energy(ReadingContext& in) {
  add_energy(in.model.kinetic_energy, sum(in, "kinetic_energy", context::kinetic_energy));
}

void read_potential_energy(ReadingContext& in) {
  add_energy(in.model.potential_energy, sum(in, "potential_energy", context::potential_energy));
}

void read_mass_matrix(ReadingContext& in) {
  const yaml::Node* matrix = in.root.find("mass_matrix");
  if (matrix == nullptr) return;
  if (!in.model.bodies.empty())
    in.refuse(*matrix, "mass_matrix cannot stand beside bodies, which bring their own mass",
              "give the kinetic_energy of the coordinates instead");
  const std::size_t n = mechanical_count(in);
  const char* const unknowns = in.first_of("speeds") == nullptr ? "coordinates" : "speeds";
  const std::string size = fmt::format("there are {} {}, so give {} rows of {}", n, unknowns, n, n);
  expect_list(*matrix, "mass_matrix", in.file);
  if (matrix->items.size() != n)
    in.refuse(*matrix, fmt::format("mass_matrix has {}", counted(matrix->items.size(), "row")), size);
  for (const yaml::Node& row : matrix->items) {
    expect_list(row, "a row of mass_matrix", in.file);
    if (row.items.size() != n) {
      in.refuse(row, fmt::format("a row of mass_matrix has {}", counted(row.items.size(), "component")), size);
    }
    in.model.mass_matrix.push_back(Value(in, row, "mass_matrix", in.own_part()).vector(context::mass_matrix));
  }
}

void read_energy(ReadingContext& in) {
  in.model.energy = sum(in, "energy", context::energy);
  if (!in.model.energy || !in.model.mass_matrix.empty()) return;
  in.refuse(*in.first_of("energy"), "the energy is given, but there is no mass_matrix",
            "leave it out: it is the sum of kinetic_energy and potential_energy");
}

void check_mass(const ReadingContext& in) {
  if (!in.model.mass_matrix.empty()) {
    for (const std::string section : {"kinetic_energy", "potential_energy"}) {
      const yaml::Node* node = in.first_of(section);
      if (node == nullptr) continue;
      in.refuse(*node, fmt::format("{} and mass_matrix are both given", section),
                "with mass_matrix, put everything else under forces; 'energy' is for the energy law");
    }
    return;
  }
  if (!in.model.bodies.empty() && in.first_of("kinetic_energy") == nullptr) return;
  if (mechanical_count(in) == 0) return;
  if (!in.model.kinetic_energy) {
    throw InputError({in.file, 1, 1}, "the model has no mass: neither kinetic_energy nor mass_matrix is given",
                     "give one of them, such as 'kinetic_energy: m/2*x'^2'");
  }
  const auto is_rate = [&](SymbolId id) { return in.model.graph->info(id).kind == SymbolKind::rate; };
  if (std::ranges::any_of(symbols_of(*in.model.kinetic_energy), is_rate)) return;
  in.refuse(*in.first_of("kinetic_energy"), "the model has no mass: the kinetic energy depends on no rate",
            "write it in the rates of the coordinates, such as x'");
}

}  // namespace taut
