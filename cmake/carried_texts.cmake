# Emitted C carries along the text of headers that the library itself includes: FUNCTION, declared in HEADER, returns it.
function(carry_text name function header)
  set(text ${PROJECT_SOURCE_DIR}/src/${name})
  string(REPLACE "/" "_" source ${name})
  set(source ${PROJECT_BINARY_DIR}/${source}_text.cpp)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${text})
  file(READ ${text} carried)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT [[
#include "@header@"
std::string_view taut::@function@() {
  return R"text(@carried@)text";
}
]])
  target_sources(taut PRIVATE ${source})
endfunction()
carry_text(expression/sine_cosine.h sine_cosine_text expression/sine_cosine.hpp)
carry_text(expression/sine_cosine_four.h sine_cosine_four_text expression/sine_cosine.hpp)
carry_text(system/stage.h stage_text system/stage.hpp)
carry_text(linear/rank_revealing.h rank_revealing_text linear/rank_revealing.hpp)
foreach(part quick arrays regular programs kernels formulas equations projection motion steps start observation changes
        controllers variation fmu fmi2 fmi3)
  carry_text(exporting/c/${part}.h c_${part}_text exporting/c_texts.hpp)
endforeach()
carry_text(ensemble/lane.h lane_text ensemble/lane_kernel.hpp)
carry_text(ensemble/lane_host.h lane_host_text ensemble/lane_kernel.hpp)

# Formulas are never evaluated with fused operations, not even where the rest is (TAUT_NATIVE): one lane and many, which
# compilers fuse differently, would give different digits. Nor is what is done with them both here and in emitted C.
file(GLOB formula_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/expression/*.cpp)
set_source_files_properties(${formula_sources} ${PROJECT_SOURCE_DIR}/src/system/formula_solver.cpp
                            PROPERTIES COMPILE_OPTIONS -ffp-contract=off)
