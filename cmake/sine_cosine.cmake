# Emitted C carries sine and cosine along: the text of the header that the interpreter includes.
set(sine_cosine_header ${PROJECT_SOURCE_DIR}/src/expression/sine_cosine.h)
set(sine_cosine_source ${PROJECT_BINARY_DIR}/sine_cosine_text.cpp)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sine_cosine_header})
file(READ ${sine_cosine_header} sine_cosine)
file(CONFIGURE OUTPUT ${sine_cosine_source} @ONLY CONTENT [[
#include "expression/sine_cosine.hpp"
std::string_view taut::sine_cosine_text() {
  return R"text(@sine_cosine@)text";
}
]])
target_sources(taut PRIVATE ${sine_cosine_source})

# Formulas are never evaluated with fused operations, not even where the rest is (TAUT_NATIVE): one lane and many, which
# compilers fuse differently, would give different digits.
file(GLOB formula_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/expression/*.cpp)
set_source_files_properties(${formula_sources} PROPERTIES COMPILE_OPTIONS -ffp-contract=off)
