# How everything is compiled: C++20 without extensions, warnings on, arithmetic as written.
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(CCACHE ccache)
  mark_as_advanced(CCACHE)
  if(CCACHE)
    # Precompiled headers are cached only where their times and macros are not looked at; their content still is.
    # Paths count from the checkout's root: another checkout is served what was compiled here from the same text, and
    # never what was compiled from the headers of this one.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} ${CCACHE})
  endif()
endif()

# No -ffast-math, no fused operations the source does not ask for: the same digits on every machine.
function(taut_compile_options target)
  target_compile_features(${target} PRIVATE cxx_std_20)
  # Options are structs named by designated initialisers; what is not named keeps its default.
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wno-missing-field-initializers)
  target_compile_options(${target} PRIVATE $<$<NOT:$<BOOL:${TAUT_NATIVE}>>:-ffp-contract=off>)
endfunction()

# Where nothing is computed again and again, a third of the compiler's time buys nothing that could be measured.
function(taut_compile_quickly target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# The library's objects go into programs and into the Python module, which is a shared one, and are compiled once for
# both. Calls within the library stay as direct as they are in a program: nobody outside may put another in their place.
function(taut_position_independent target)
  if(TAUT_PYTHON OR BUILD_SHARED_LIBS)
    target_compile_options(${target} PRIVATE -fPIC -fno-semantic-interposition)
  endif()
endfunction()
