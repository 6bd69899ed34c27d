#pragma once

#include "model/value.hpp"

/// A definition by a table of numbers: {table: FILE.csv, of: t, kind: linear | cubic, periodic: true}.
namespace taut {

/// Rows of a table: places, which ascend, and values.
struct TableRows {
  std::vector<double> x, y;
};

/// What goes through the rows, as a formula of the argument; before the first row and after the last it keeps their
/// values. Each piece is a polynomial of the argument; steps end where pieces meet.
Expression piecewise(const TableRows& rows, const Expression& of, bool cubic);
/// The same over and over: the first row and the last are one.
Expression periodic_piecewise(const TableRows& rows, const Expression& of, bool cubic);

/// Adds the file it reads, if any, to `files`.
Expression read_table(const Value& value, std::vector<std::string>& files);

}  // namespace taut
