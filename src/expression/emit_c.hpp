#pragma once

#include <string>

#include "expression/program.hpp"

/// Programs as C. Every level of a program becomes one function over the registers of one lane, laid out as in
/// Program::Workspace, that computes bit for bit what the interpreter computes: the same operations in the same order,
/// as long as the compiler neither contracts nor reassociates them.
///
/// Inputs and results of other levels are read from registers, and only what is an output or read elsewhere is written
/// back. Constants stand in the code as hexadecimal floats; sine and cosine of one argument are taken together; whole
/// powers are products. (Divisions by constants have become products before, where that is exact: the graph sees to
/// it.) Long levels are cut into functions of bounded length, because compilers take more than linear time over one
/// function.
namespace taut {

struct CStyle {
  std::string qualifier;               ///< before each function of a level: "static", "__device__", …
  bool strided = false;                ///< register k stands at r[k*stride]: lanes side by side, as on a GPU
  std::size_t longest_function = 500;  ///< operations
  bool inlined = false;                ///< levels of one function are inlined where others call them
  /// Functions are told whether they are to be quick: quotients, roots, sines and cosines are taut_over, taut_inverse,
  /// taut_root, taut_sine_of, taut_cosine_of, taut_pair_of and taut_pairs_of, whose last argument is that.
  bool quick = false;
};

/// What stands once before the functions: includes and helpers.
std::string c_prelude();

/// The name of the function that runs one level: `void NAME_LEVEL(double *r)`, or `(double *r, size_t stride)`.
std::string c_function(const std::string& name, int level);

/// The functions of all levels that have instructions.
std::string emit_c(const Program& program, const std::string& name, const CStyle& style = {});

}  // namespace taut
