# Library, headers, CMake package, program, models, documentation, manual page; what CPack makes packages of.
#   development  library, headers, CMake package, pkg-config file        program  program, models, manual page
#   python       the Python module                                       documentation
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/taut)

install(TARGETS taut EXPORT taut-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT development)
install(DIRECTORY include/taut DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
  FILES_MATCHING PATTERN "*.hpp")
install(EXPORT taut-targets NAMESPACE taut:: DESTINATION ${package_dir} COMPONENT development)

configure_package_config_file(cmake/taut-config.cmake.in ${PROJECT_BINARY_DIR}/taut-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/taut-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/taut-config.cmake ${PROJECT_BINARY_DIR}/taut-config-version.cmake
  DESTINATION ${package_dir} COMPONENT development)

# For those who build without CMake. The folder of the file says where the rest is, so that an installation can be moved.
list(JOIN sundials_parts " -lsundials_" sundials_names)
cmake_path(GET HDF5_LIBRARY STEM hdf5_name)
string(REGEX REPLACE "^lib" "" hdf5_name ${hdf5_name})
set(others "-lsundials_${sundials_names} -l${hdf5_name} -ldl -pthread")
set(packages "yaml-cpp fmt tinyxml2 sqlite3 zlib")
if(BUILD_SHARED_LIBS)
  set(requires "Requires: eigen3\nRequires.private: ${packages}")
  set(libraries "Libs: -L\${libdir} -ltaut\nLibs.private: ${others}")
else()
  set(requires "Requires: eigen3 ${packages}")
  set(libraries "Libs: -L\${libdir} -ltaut ${others}")
endif()
file(RELATIVE_PATH to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/taut.pc.in ${PROJECT_BINARY_DIR}/taut.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/taut.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

if(TARGET taut_program)
  install(TARGETS taut_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
endif()
set(models_dir ${CMAKE_INSTALL_DATADIR}/taut/models)
install(DIRECTORY models/ DESTINATION ${models_dir} COMPONENT program FILES_MATCHING PATTERN "*.yaml" PATTERN "*.book")
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documentation
  PATTERN "taut.1" EXCLUDE PATTERN "site" EXCLUDE)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documentation)
install(FILES docs/taut.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)

# The way to the models from the folder of what runs: a wheel's module, the program, the shared library, the module.
set(ways "\"models\"")
foreach(folder ${CMAKE_INSTALL_BINDIR} ${CMAKE_INSTALL_LIBDIR} ${TAUT_PYTHON_FOLDER}/taut)
  if(NOT IS_ABSOLUTE ${folder} AND NOT IS_ABSOLUTE ${models_dir})
    file(RELATIVE_PATH way /prefix/${folder} /prefix/${models_dir})
    list(APPEND ways "\"${way}\"")
  endif()
endforeach()
list(JOIN ways "," ways)
set_property(SOURCE src/model/gallery.cpp APPEND PROPERTY COMPILE_DEFINITIONS "TAUT_MODELS_BESIDE=${ways}")

include(cmake/packages.cmake)
