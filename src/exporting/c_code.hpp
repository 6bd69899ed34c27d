#pragma once

#include <string>
#include <vector>

#include "exporting/exported_model.hpp"

namespace taut {

enum class Precision { in_double, in_float };

/// How a model's C is written.
struct CodeChoice {
  Precision precision = Precision::in_double;
};

/// One file of an export.
struct CodeFile {
  std::string name, text;
};

/// A model as C that stands by itself: NAME.h and NAME.c.
std::vector<CodeFile> code_of(const ExportedModel& model, const CodeChoice& choice);
/// main.c, which runs the model and compares with what taut's own run ended with, and a Makefile.
std::vector<CodeFile> example_of(const ExportedModel& model, const Model& source, const CodeChoice& choice);

/// What a status of an exported model's functions means.
std::string exported_sentence(int status);

std::string c_header(const ExportedModel& model, const CodeChoice& choice);
std::string c_source(const ExportedModel& model, const CodeChoice& choice);

// Parts of c_source().
bool needs_accelerations(const Program& program);
std::string sizes_of_controllers(const ExportedModel& model);
std::string sizes_of_variation(const ExportedModel& model);
std::string tables_of_controllers(const ExportedModel& model);
struct CodeNames;
std::string start_function(const ExportedModel& model, const CodeNames& names);

/// Names of a model's things in its C.
struct CodeNames {
  explicit CodeNames(const ExportedModel& model);

  std::string file, type, constant;  ///< "slider-crank", slider_crank, SLIDER_CRANK
  std::vector<std::string> parameters, coordinates, speeds, rows, outputs;
};

}  // namespace taut
