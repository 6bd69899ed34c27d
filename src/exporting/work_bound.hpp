#pragma once

#include "exporting/exported_model.hpp"

namespace taut {

/// Operations of one step of what is written out: sums, products, roots, sines, one each.
struct StepWork {
  double usual;  ///< formulas serve, and one correction of each stage is enough
  double most;   ///< whatever happens: every loop as long as its bound
};

StepWork work_of_step(const ExportedModel& model);

}  // namespace taut
