# Library, headers, CMake package, program, models, documentation, manual page.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/taut)

install(TARGETS taut EXPORT taut-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/taut DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(EXPORT taut-targets NAMESPACE taut:: DESTINATION ${package_dir})

configure_package_config_file(cmake/taut-config.cmake.in ${PROJECT_BINARY_DIR}/taut-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/taut-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/taut-config.cmake ${PROJECT_BINARY_DIR}/taut-config-version.cmake
  DESTINATION ${package_dir})

if(TARGET taut_program)
  install(TARGETS taut_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY models/ DESTINATION ${CMAKE_INSTALL_DATADIR}/taut/models FILES_MATCHING PATTERN "*.yaml" PATTERN "*.book")
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN "taut.1" EXCLUDE)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES docs/taut.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
