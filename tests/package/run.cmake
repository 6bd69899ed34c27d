# Installs the build into a prefix of its own, then configures, builds and runs a foreign project against it.
function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${what} failed (${status}):\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${work})
run("installing" ${CMAKE_COMMAND} --install ${build} --prefix ${work}/prefix --config ${config})
foreach(path IN ITEMS include/taut/taut.hpp share/taut/models share/man/man1/taut.1)
  if(NOT EXISTS ${work}/prefix/${path})
    message(FATAL_ERROR "the installation lacks ${path}")
  endif()
endforeach()
if(EXISTS ${build}/bin/taut)
  run("the installed program" ${work}/prefix/bin/taut --version)
endif()

run("configuring" ${CMAKE_COMMAND} -S ${source} -B ${work}/build -G ${generator}
  -D CMAKE_PREFIX_PATH=${work}/prefix -D CMAKE_BUILD_TYPE=${config}
  -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_CXX_FLAGS=${flags})
run("building" ${CMAKE_COMMAND} --build ${work}/build)
run("running" ${work}/build/foreign)
message("${output}")
