#pragma once

#include "model/reading_context.hpp"

/// The sections `definitions`, `kinetic_energy`, `potential_energy`, `mass_matrix` and `energy`.
namespace taut {

void declare_definitions(ReadingContext& in);
void read_definitions(ReadingContext& in);
void read_kinetic_energy(ReadingContext& in);
void read_potential_energy(ReadingContext& in);
void read_mass_matrix(ReadingContext& in);
/// The energy of a model that has a mass matrix.
void read_energy(ReadingContext& in);
/// Mass comes from the kinetic energy or from a matrix, and from one of them only.
void check_mass(const ReadingContext& in);

}  // namespace taut
