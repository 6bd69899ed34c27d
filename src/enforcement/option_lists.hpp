#pragma once

#include <string>
#include <vector>

#include "taut/system.hpp"

/// Options of methods that hold several numbers, with colons between.
namespace taut {

/// "1:1:4" as so many positive numbers. Throws InputError about `what`, "perturbation has no metric".
Vector read_weights(const std::string& text, int count, const std::string& what, const std::string& remedy);

/// W of the rows of a system, "2", "1:1:4" or the lower triangle of a symmetric matrix row by row, "1:0.5:2". Throws
/// InputError for anything else, and for a W that is not positive definite.
Matrix read_row_weights(const std::string& text, const Shape& shape);

/// One entry of "rod:40:pin:20".
struct RowValue {
  int row;
  double value;
};
/// The rows of the constraints named, with the values that follow their names: a name stands for all the rows of its
/// constraint, those of a vector equation among them. Throws InputError for a name that no constraint has, one given
/// twice, or what is no number of at least 0; `option` says where, "the option 'gains' of 'gradient-feedback'".
std::vector<RowValue> read_row_values(const std::string& text, const Shape& shape, const std::string& option);

}  // namespace taut
