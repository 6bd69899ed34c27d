# How everything is compiled: C++20 without extensions, warnings on, arithmetic as written.
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(CCACHE ccache)
  mark_as_advanced(CCACHE)
  if(CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
  endif()
endif()

# No -ffast-math, no fused operations the source does not ask for: the same digits on every machine.
function(taut_compile_options target)
  target_compile_features(${target} PRIVATE cxx_std_20)
  # Options are structs named by designated initialisers; what is not named keeps its default.
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wno-missing-field-initializers)
  target_compile_options(${target} PRIVATE $<$<NOT:$<BOOL:${TAUT_NATIVE}>>:-ffp-contract=off>)
endfunction()
