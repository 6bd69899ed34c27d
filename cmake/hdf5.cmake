# HDF5's C library. Debian keeps a serial and parallel ones beside each other; the serial one is meant.
find_path(HDF5_INCLUDE hdf5.h PATH_SUFFIXES hdf5/serial)
find_library(HDF5_LIBRARY NAMES hdf5_serial hdf5)
mark_as_advanced(HDF5_INCLUDE HDF5_LIBRARY)
if(NOT HDF5_INCLUDE OR NOT HDF5_LIBRARY)
  message(FATAL_ERROR "HDF5 is missing: install libhdf5-dev.")
endif()
