# Files that include the same large headers are compiled several at a time, as if they were one: each of them alone would
# take two seconds to read what it uses, and half a second for itself. Names in the anonymous namespaces of a group must
# differ; files whose names clash stay alone. TAUT_UNITY=OFF compiles each file alone.
option(TAUT_UNITY "Compile files that use the same headers several at a time" ON)

# Of a target's sources those whose path matches, in groups of at most so many. One with options of its own stays alone.
function(taut_compile_together target name most pattern)
  set(alone "/(integration/(error_scale|ida|sundials)|output/comparison|reproduction/rule)\\.cpp$")
  get_target_property(files ${target} SOURCES)
  list(FILTER files INCLUDE REGEX "${pattern}")
  list(FILTER files EXCLUDE REGEX "${alone}")
  set(count 0)
  foreach(file IN LISTS files)
    math(EXPR group "${count} / ${most}")
    set_property(SOURCE ${file} PROPERTY UNITY_GROUP ${name}_${group})
    math(EXPR count "${count} + 1")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

if(TAUT_UNITY)
  foreach(room model model/bodies model/forces model/import model/joints model/sketch output reproduction ensemble)
    string(REPLACE "/" "_" name ${room})
    taut_compile_together(taut_around_a_run ${name} 10 "src/${room}/[^/]*$")
  endforeach()
  # Of what computes, files that use the same part of Eigen, and small ones. Their options stay what they are.
  taut_compile_together(taut decompositions 5
    "src/linear/(eigenvalues|null_space|orthogonal_decomposition|pivoted_qr|svd)\\.cpp$")
  taut_compile_together(taut kernels 9
    "src/linear/(augmented|cholesky|cod|completion|dense_kernel|list|qr|recursive|recursive_blocks)\\.cpp$")
  taut_compile_together(taut lu 3 "src/enforcement/(coordinate_partitioning|parametrization|reaction_solver)\\.cpp$")
  taut_compile_together(taut methods 10
    "src/enforcement/(a|b|energy|gradient|option|perturbation|post|recursive|stabilized|state|term|udwadia)[^/]*$")
  taut_compile_together(taut integration 12 "src/integration/[^/]*$")
  taut_compile_together(taut simulation 12 "src/simulation/(ch|com|contr|final|lists|model|opt|redund|verdict)[^/]*$")
  taut_compile_together(taut motion 12
    "src/simulation/(chart_m|correction_t|energy_b|evaluation|formula_s|index_two|motion|projected|speed_j|step_app|unproj)[^/]*$")
  taut_compile_together(taut system 6 "src/system/[^/]*$")
  # Other commands stay alone: each has a Request of its own.
  if(TARGET taut_program)
    taut_compile_together(taut_program bench 12 "src/cli/bench[^/]*$")
    taut_compile_together(taut_program view 3 "src/cli/view_[^/]*$")
  endif()
  # A class of a file may hold one of its anonymous namespace; GCC takes that for a header's, where it would be wrong.
  foreach(target taut_around_a_run taut_program)
    if(TARGET ${target})
      target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
    endif()
  endforeach()
endif()
