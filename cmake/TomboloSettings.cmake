# Language, warnings, sanitizers and output folders, the same for every target.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

option(TOMBOLO_WERROR "Treat warnings as errors" ON)
option(TOMBOLO_SANITIZE "Build with the address and undefined behaviour sanitizers" OFF)
option(TOMBOLO_SIMULATED "Build for simulated platforms, over SimGrid's MPI" OFF)
option(TOMBOLO_FUZZ "Add the fuzzers, which take clang" OFF)

add_library(tombolo_settings INTERFACE)
target_compile_options(tombolo_settings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Wold-style-cast
  $<$<BOOL:${TOMBOLO_WERROR}>:-Werror>)

if(TOMBOLO_SANITIZE)
  # Every executable is linked with them, whatever it consists of.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

# Libraries of a build may become part of a shared object: a simulated program is one.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(TOMBOLO_SIMULATED)
  add_compile_options(-fPIC)  # also where CMake thinks that an executable is one
endif()

# GCC frees memory from 800 MB on only: a tenth of its time otherwise.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options("SHELL:--param ggc-min-expand=300" "SHELL:--param ggc-min-heapsize=800000")
endif()

# Headers that most files read, read once.
option(TOMBOLO_PRECOMPILE "Precompile the headers that most files read" ON)
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(TOMBOLO_PRECOMPILE OFF)
endif()

# tombolo_precompile(TARGET HEADER...): these headers, or those of another target: REUSE_FROM TARGET.
function(tombolo_precompile target)
  if(NOT TOMBOLO_PRECOMPILE)
    return()
  endif()
  if("${ARGV1}" STREQUAL "REUSE_FROM")
    target_precompile_headers(${target} REUSE_FROM ${ARGV2})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()

# A whole build in half the time, for scripts/test. After a change to one file others are compiled along, and
# scripts/tidy finds no files by themselves: not for daily work.
option(TOMBOLO_UNITY "Compile several files at once where their names allow it" OFF)
set(TOMBOLO_UNITY_MOST 32)  # files in one

# tombolo_unite(TARGET): as far as the option says so.
function(tombolo_unite target)
  if(NOT TOMBOLO_UNITY)
    return()
  endif()
  find_program(TOMBOLO_ANY_PYTHON python3 REQUIRED)
  get_target_property(sources ${target} SOURCES)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/unity_groups.py)
  execute_process(
    COMMAND ${TOMBOLO_ANY_PYTHON} -B ${PROJECT_SOURCE_DIR}/cmake/unity_groups.py
      ${TOMBOLO_UNITY_MOST} ${PROJECT_SOURCE_DIR} ${CMAKE_BINARY_DIR}/units/${target} ${sources}
    OUTPUT_VARIABLE lines COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+" lines "${lines}")
  foreach(line IN LISTS lines)
    string(REPLACE " " ";" line "${line}")
    list(GET line 0 unit)
    list(GET line 1 file)
    list(REMOVE_ITEM sources ${file})
    list(APPEND sources ${unit})
  endforeach()
  list(REMOVE_DUPLICATES sources)
  set_target_properties(${target} PROPERTIES SOURCES "${sources}")
  # It takes the one file that is read for the header of the others.
  target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
endfunction()

find_program(TOMBOLO_CCACHE ccache)
if(TOMBOLO_CCACHE)
  # Another clone of the project finds what this one has compiled.
  set(TOMBOLO_CCACHE_SETTINGS CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1)
  if(TOMBOLO_PRECOMPILE)  # what ccache asks for to keep what was compiled with them
    list(APPEND TOMBOLO_CCACHE_SETTINGS CCACHE_SLOPPINESS=pch_defines,time_macros)
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
  endif()
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env ${TOMBOLO_CCACHE_SETTINGS} ${TOMBOLO_CCACHE})
endif()
