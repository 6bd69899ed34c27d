# Installs the build into a prefix of its own, then configures, builds and runs a foreign project against it: by CMake's
# package, by pkg-config, and from Python. Nothing of the source may be needed: the models are those of the prefix.
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
  run("a gallery model by the installed program" ${work}/prefix/bin/taut run pendulum --until 1 --output ${work}/run.h5)
endif()

run("configuring" ${CMAKE_COMMAND} -S ${source} -B ${work}/build -G ${generator}
  -D CMAKE_PREFIX_PATH=${work}/prefix -D CMAKE_BUILD_TYPE=${config}
  -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_CXX_FLAGS=${flags})
run("building" ${CMAKE_COMMAND} --build ${work}/build)
run("running" ${work}/build/foreign)
message("${output}")

# By pkg-config, as a Makefile would.
find_program(pkg_config pkg-config)
file(GLOB_RECURSE description ${work}/prefix/*/taut.pc)
if(pkg_config AND NOT flags)
  cmake_path(GET description PARENT_PATH folder)
  run("asking pkg-config" ${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${folder} ${pkg_config} --cflags --libs taut)
  separate_arguments(words UNIX_COMMAND "${output}")
  run("compiling with pkg-config" ${compiler} -std=c++20 ${source}/main.cpp -o ${work}/by_pkg_config ${words})
  run("running what pkg-config built" ${work}/by_pkg_config)
endif()

# From Python, where the module was built.
file(GLOB_RECURSE module ${work}/prefix/*/taut/__init__.py)
if(module)
  cmake_path(GET module PARENT_PATH folder)
  cmake_path(GET folder PARENT_PATH folder)
  run("the installed module" ${CMAKE_COMMAND} -E env PYTHONPATH=${folder} PYTHONDONTWRITEBYTECODE=1 TAUT_MODELS=
    ${python} ${source}/installed.py ${work}/prefix)
endif()
