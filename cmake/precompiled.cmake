# What nearly every file includes from elsewhere is read once and kept: a third of the time of a build went there.
# Headers of our own are not among them, so that a change to one rebuilds only who includes it. Files include what they
# use all the same; TAUT_PCH=OFF shows whether they do.
option(TAUT_PCH "Read headers from elsewhere once for all files" ON)

# TARGET reads them itself, or, with a second argument, takes what that target has read with the same options. Of parts
# of a shared library, whose options are others, a program takes nothing.
function(taut_precompile target)
  if(NOT TAUT_PCH)
    return()
  endif()
  if(ARGC GREATER 1 AND NOT BUILD_SHARED_LIBS)
    target_precompile_headers(${target} REUSE_FROM ${ARGV1})
    # The compiler wants to see the same macros again, and this one comes with a library that only the other links.
    target_compile_definitions(${target} PRIVATE
      $<TARGET_PROPERTY:tinyxml2::tinyxml2,INTERFACE_COMPILE_DEFINITIONS>)
  else()
    target_precompile_headers(${target} PRIVATE
      <fmt/format.h> <Eigen/Core>
      <algorithm> <array> <chrono> <cmath> <filesystem> <fstream> <functional> <limits> <map> <memory> <numeric>
      <optional> <set> <span> <sstream> <string> <unordered_map> <unordered_set> <vector>)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # ccache sees through a precompiled header only if the compiler tells where one is used.
    target_compile_options(${target} PRIVATE -fpch-preprocess)
    # GCC 12 forgets which warnings the standard library's headers have switched off for themselves, and tells of copies
    # in std::string that never happen.
    if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
      target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-restrict -Wno-stringop-overread)
    endif()
  endif()
endfunction()
