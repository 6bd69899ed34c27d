#pragma once

#include <Eigen/Core>

namespace taut {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

}  // namespace taut
