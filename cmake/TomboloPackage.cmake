# cpack -G DEB, in a build folder in which everything is built: one Debian package of what cmake --install installs. There
# is none for Open MPI or simulated platforms, as most of it would be the same files.
if(TOMBOLO_SIMULATED OR NOT TOMBOLO_MPI STREQUAL "mpich")
  return()
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ${PROJECT_NAME})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)  # the command; libraries to link to keep their symbols
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian_documents.cmake)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)  # NAME_VERSION_ARCHITECTURE.deb
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
# Debian demands an address, and Tombolo has none. A name below .invalid is nobody's and says so.
set(TOMBOLO_MAINTAINER "Tombolo developers <nobody@tombolo.invalid>" CACHE STRING
  "Who answers for the Debian package: NAME <ADDRESS> of whoever hands it on")
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${TOMBOLO_MAINTAINER})
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Tombolo measures processors and links, gives each processor a share of the
work in proportion to its speed, and moves the data with collectives that it
plans, proves and predicts before it runs them.
.
This package contains the command, which multiplies and transposes matrices
under MPICH, the C++20 libraries to link to with their headers, for CMake and
pkg-config, tombolo-grid, which makes a grid of one machine for any MPI
program, tombolo-simulate, which runs programs on simulated platforms, and the
documentation.")

# What the command is linked to, found in it; what starts ranks; and what programs with these headers and static
# libraries are compiled and linked with: of what scripts/setup installs to build Tombolo.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(needs mpich libmpich-dev libfmt-dev libglpk-dev libhwloc-dev libopenblas-pthread-dev libpugixml-dev
  "python3 (>= 3.11)")
list(JOIN needs ", " CPACK_DEBIAN_PACKAGE_DEPENDS)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++, gnuplot-nox, iproute2, pkg-config")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, libsimgrid-dev, patchelf")

include(CPack)
