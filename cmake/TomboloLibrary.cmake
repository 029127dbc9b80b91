# One folder, one pure target; its subfolder mpi/, one target that may call MPI.
#
# Each target has an include folder of its own in the build tree that holds links to its own headers and nothing else,
# so <tombolo/FOLDER/x.hpp> is found only by a target that says it uses FOLDER: the compiler enforces the layers. Its
# public headers, <tombolo/x.hpp>, lie in include/tombolo/ and are linked there too: HEADERS names them.
# Sources are globbed: an algorithm, model or application is added by adding its file.
#
# Here as in a project that has found an installed Tombolo, a target is tombolo::FOLDER or tombolo::FOLDER_mpi. What
# belongs to the build alone (these include folders, the settings) stays behind; cmake/TomboloInstall.cmake installs.

# Installed libraries for MPICH, for Open MPI and for simulated platforms stand side by side, of the same names.
include(GNUInstallDirs)
set(TOMBOLO_ARCHIVES ${CMAKE_INSTALL_LIBDIR})
if(TOMBOLO_SIMULATED)
  set(TOMBOLO_ARCHIVES ${CMAKE_INSTALL_LIBDIR}/tombolo/simulated)
elseif(NOT TOMBOLO_MPI STREQUAL "mpich")
  set(TOMBOLO_ARCHIVES ${CMAKE_INSTALL_LIBDIR}/tombolo/${TOMBOLO_MPI})
endif()

# The pure libraries are the same whatever MPI is. A build may take those of another one, which has the same type, and
# save the time; it installs them too.
set(TOMBOLO_PURE_FROM "" CACHE PATH "A build folder whose pure libraries to use instead of building them here")
if(TOMBOLO_PURE_FROM)
  add_custom_target(pure_libraries
    COMMAND ${CMAKE_COMMAND} --build ${TOMBOLO_PURE_FROM} --target
      tombolo_platform tombolo_models tombolo_collectives tombolo_framework
    BYPRODUCTS ${TOMBOLO_PURE_FROM}/libtombolo_platform.a ${TOMBOLO_PURE_FROM}/libtombolo_models.a
      ${TOMBOLO_PURE_FROM}/libtombolo_collectives.a ${TOMBOLO_PURE_FROM}/libtombolo_framework.a)
endif()

function(_tombolo_make target folder entries sources headers)
  set(include ${CMAKE_BINARY_DIR}/include/${target})
  file(REMOVE_RECURSE ${include})
  file(MAKE_DIRECTORY ${include}/tombolo/${folder})
  foreach(entry IN LISTS entries)
    get_filename_component(name ${entry} NAME)
    file(CREATE_LINK ${entry} ${include}/tombolo/${folder}/${name} SYMBOLIC)
  endforeach()
  foreach(header IN LISTS headers)
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/include/tombolo/${header}.hpp ${include}/tombolo/${header}.hpp SYMBOLIC)
  endforeach()
  if(sources AND TOMBOLO_PURE_FROM AND NOT target MATCHES "_mpi$")
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
    target_link_libraries(${target} INTERFACE
      $<BUILD_INTERFACE:${TOMBOLO_PURE_FROM}/lib${target}.a>
      $<INSTALL_INTERFACE:$<INSTALL_PREFIX>/${TOMBOLO_ARCHIVES}/lib${target}.a>)
    install(FILES ${TOMBOLO_PURE_FROM}/lib${target}.a DESTINATION ${TOMBOLO_ARCHIVES})
    add_dependencies(${target} pure_libraries)
  elseif(sources)
    add_library(${target} STATIC ${sources})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:tombolo_settings>)
    get_property(first GLOBAL PROPERTY TOMBOLO_PRECOMPILED)
    if(first)
      tombolo_precompile(${target} REUSE_FROM ${first})
    else()
      tombolo_precompile(${target}
        <algorithm> <functional> <map> <memory> <optional> <span> <string> <vector> <fmt/format.h>)
      set_property(GLOBAL PROPERTY TOMBOLO_PRECOMPILED ${target})
    endif()
    tombolo_unite(${target})
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  string(REGEX REPLACE "^tombolo_" "" name ${target})
  add_library(tombolo::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(${target} ${scope} cxx_std_20)
  target_include_directories(${target} ${scope} $<BUILD_INTERFACE:${include}>)
  target_link_libraries(${target} ${scope} ${ARGN})
  set_property(GLOBAL APPEND PROPERTY TOMBOLO_HEADERS ${headers})
  set_property(GLOBAL APPEND PROPERTY TOMBOLO_LIBRARIES ${target})
endfunction()

function(tombolo_library folder)
  cmake_parse_arguments(ARG "" "" "HEADERS;USES" ${ARGN})
  set(root ${CMAKE_CURRENT_SOURCE_DIR}/${folder})
  file(GLOB entries CONFIGURE_DEPENDS LIST_DIRECTORIES true ${root}/*)
  list(FILTER entries EXCLUDE REGEX "/mpi$|\\.c(pp)?$|\\.md$")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${root}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "^${root}/mpi/|/main\\.cpp$")  # main: a program's own file
  _tombolo_make(tombolo_${folder} ${folder} "${entries}" "${sources}" "${ARG_HEADERS}" ${ARG_USES})
endfunction()

function(tombolo_mpi_library folder)
  cmake_parse_arguments(ARG "" "" "HEADERS;USES" ${ARGN})
  set(root ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/mpi)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${root}/*.cpp)
  # What differs between a real and a simulated machine stands in two folders, of which one is built.
  if(TOMBOLO_SIMULATED)
    list(FILTER sources EXCLUDE REGEX "/real/")
  else()
    list(FILTER sources EXCLUDE REGEX "/simulated/")
  endif()
  _tombolo_make(tombolo_${folder}_mpi ${folder} "${root}" "${sources}" "${ARG_HEADERS}" ${ARG_USES} MPI::MPI_CXX)
endfunction()
