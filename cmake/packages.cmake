# Debian packages, by `make deb`: what the components of an installation depend on.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME taut)
set(CPACK_PACKAGE_CONTACT "the authors of taut")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL program development documentation)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME taut)
# Formulas as machine code need a compiler, figures as PNG a library that is loaded when one is written.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "g++, librsvg2-2")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libtaut-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "libeigen3-dev, libyaml-cpp-dev, libfmt-dev, libsundials-dev, libtinyxml2-dev, libsqlite3-dev, libhdf5-dev")

set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_NAME taut-doc)
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_SHLIBDEPS OFF)

if(TARGET taut_python)
  list(APPEND CPACK_COMPONENTS_ALL python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-taut)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  math(EXPR next "${Python_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "taut (= ${PROJECT_VERSION}), python3-numpy, \
python3 (>= ${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}), python3 (<< ${Python_VERSION_MAJOR}.${next})")
endif()
if(TARGET taut_mpi)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_NAME taut-mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "taut (= ${PROJECT_VERSION})")
endif()
include(CPack)
