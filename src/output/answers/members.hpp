#pragma once

#include <complex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "taut/simulation.hpp"

/// Parts that the JSON of several answers is made of.
namespace taut::answers {

using Json = nlohmann::ordered_json;

/// A figure that is not finite is null.
Json number(double value);
Json list(const Vector& values);
/// Rows of a matrix.
Json rows(const Matrix& A);
/// [re, im].
Json complex(const std::complex<double>& value);
/// Values by name; a list where several bear the same.
Json by_name(const std::vector<NamedValue>& values);
std::string print(const Json& json);

}  // namespace taut::answers
