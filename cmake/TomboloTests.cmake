# How tests are built, named, labelled and run.
#
#   pure       tests/FOLDER/**/*.cpp             one executable per folder, one test per file, without MPI
#   mpi        tests/FOLDER/mpi/**/*.cpp         one executable per folder, one test per number of ranks
#   app        tests/apps/*_test.py              Python, on the built commands, the examples and their twins
#   docs       tests/docs/*_test.py              the examples in the documentation
#   lab        tests/lab/*_test.py               the laboratory: emulated grids, from outside
#   structure  tests/structure/*_test.py         the source tree itself
#   install    tests/install/*_test.py           a project outside that uses an installed Tombolo
#
# ctest -L LABEL runs one kind; ctest -N lists them all.

find_package(Catch2 2 REQUIRED)
include(ProcessorCount)

set(TOMBOLO_TEST_RANKS 1 2 3 5 8)  # unless a folder has a file `ranks` of its own beside its tests
set(TOMBOLO_MPIRUN ${CMAKE_SOURCE_DIR}/tests/support/mpirun)
set(TOMBOLO_EXAMPLES test)
set(TOMBOLO_SIMULATE ${CMAKE_SOURCE_DIR}/scripts/simulate)
if(TOMBOLO_SANITIZE)
  set(TOMBOLO_TEST_RANKS 2 5)  # all numbers of them are for the fast builds
endif()
if(TOMBOLO_SIMULATED)
  set(TOMBOLO_EXAMPLES simulate)
  set(TOMBOLO_TEST_RANKS 9)  # more than most machines have cores for
endif()
set(TOMBOLO_WAIT_IN_KERNEL ${CMAKE_BINARY_DIR}/lib/libwait_in_kernel.so)

# Seconds after which a test is given up; nothing should ever take so long.
set(TOMBOLO_TEST_LIMIT 120)
set(TOMBOLO_MPI_TEST_LIMIT 300)
if(TOMBOLO_SIMULATED)
  set(TOMBOLO_MPI_TEST_LIMIT 900)  # nine ranks in one process, on one core
endif()
if(TOMBOLO_SANITIZE)
  set(TOMBOLO_TEST_LIMIT 1200)
  set(TOMBOLO_MPI_TEST_LIMIT 600)
endif()

ProcessorCount(TOMBOLO_CORES)
if(TOMBOLO_CORES EQUAL 0)
  set(TOMBOLO_CORES 1)
endif()

# A Python that has NumPy, which the first one on the PATH need not have.
function(_tombolo_python_has_numpy result candidate)
  execute_process(COMMAND ${candidate} -c "import numpy" RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  if(NOT status EQUAL 0)
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()
find_program(TOMBOLO_PYTHON python3 HINTS /usr/bin VALIDATOR _tombolo_python_has_numpy REQUIRED)

# Warnings and headers of every test.
add_library(tombolo_test_settings INTERFACE)
target_include_directories(tombolo_test_settings INTERFACE ${CMAKE_SOURCE_DIR}/tests)
target_link_libraries(tombolo_test_settings INTERFACE Catch2::Catch2 tombolo_settings)
if(TOMBOLO_SANITIZE)
  # What they test is instrumented. They themselves need not be, and would take four times as long to compile.
  target_compile_options(tombolo_test_settings INTERFACE -fno-sanitize=all)
endif()
# Tests are compiled more often than they run: what they test is optimised, they need not be.
target_compile_options(tombolo_test_settings INTERFACE $<$<CONFIG:Release>:-O1>)

# What all tests read first. GCC forgets the pragma by which Catch2 switches this warning off for its macros.
target_compile_options(tombolo_test_settings INTERFACE -Wno-parentheses)
add_executable(test_headers ${CMAKE_SOURCE_DIR}/tests/support/headers.cpp)
target_link_libraries(test_headers PRIVATE tombolo_test_settings fmt::fmt)
tombolo_precompile(test_headers <algorithm> <map> <memory> <random> <string> <vector> <catch2/catch.hpp> <fmt/format.h>)

# Sets what every test has, and the variables that the helper scripts read. A thread of OpenBLAS more is started and ended
# in every process, which takes longer than many a command.
function(_tombolo_test_properties test)
  cmake_parse_arguments(ARG "" "LABEL;TIMEOUT;RANKS" "" ${ARGN})
  # The longest first, also where no run before tells: by what they are allowed, on many ranks before few.
  set(cost ${ARG_TIMEOUT})
  if(ARG_RANKS)
    math(EXPR cost "${cost} + ${ARG_RANKS}")
  endif()
  set(processors 1)
  if(ARG_RANKS AND NOT TOMBOLO_SIMULATED)
    set(processors ${ARG_RANKS})
    if(processors GREATER TOMBOLO_CORES)
      set(processors ${TOMBOLO_CORES})
    endif()
  endif()
  # hwloc looks for devices in each rank, which takes a tenth of a short run and more; none is used here.
  set_tests_properties(${test} PROPERTIES
    LABELS ${ARG_LABEL}
    TIMEOUT ${ARG_TIMEOUT}
    PROCESSORS ${processors}
    COST ${cost}
    ENVIRONMENT "TOMBOLO_BIN=${CMAKE_RUNTIME_OUTPUT_DIRECTORY};TOMBOLO_MPIRUN=${TOMBOLO_MPIRUN};\
TOMBOLO_WAIT_IN_KERNEL=${TOMBOLO_WAIT_IN_KERNEL};TOMBOLO_MPIEXEC=${MPIEXEC_EXECUTABLE};\
TOMBOLO_SOURCE=${CMAKE_SOURCE_DIR};TOMBOLO_EXAMPLES=${TOMBOLO_EXAMPLES};TOMBOLO_CACHE=${CMAKE_BINARY_DIR}/cache;\
OPENBLAS_NUM_THREADS=1;UBSAN_OPTIONS=print_stacktrace=1;HWLOC_COMPONENTS=-pci,-linuxio,-gl,-opencl")
endfunction()

# All tests of the libraries, without the commands; and those of them that take no MPI.
add_custom_target(library_tests)
add_custom_target(pure_tests)

# Another build's compiled tests can be linked to the libraries of this one.
set(TOMBOLO_TESTS_FROM "" CACHE PATH "A build folder whose compiled pure tests to use instead of compiling them here")
if(TOMBOLO_TESTS_FROM)
  add_custom_target(compiled_tests COMMAND ${CMAKE_COMMAND} --build ${TOMBOLO_TESTS_FROM} --target pure_tests
    BYPRODUCTS ${TOMBOLO_TESTS_FROM}/tests/libcases_platform.a ${TOMBOLO_TESTS_FROM}/tests/libcases_models.a
      ${TOMBOLO_TESTS_FROM}/tests/libcases_collectives.a ${TOMBOLO_TESTS_FROM}/tests/libcases_framework.a
      ${TOMBOLO_TESTS_FROM}/tests/libcases_interpose.a ${TOMBOLO_TESTS_FROM}/tests/libcases_lab.a)
endif()
add_dependencies(library_tests pure_tests)

# tombolo_pure_tests(FOLDER): everything below tests/FOLDER except its mpi/, twins/ and programs/, linked to the folder's pure target only.
# Catch2 runs the test cases of one file by its name; files of the same name share one test.
function(tombolo_pure_tests folder)
  set(root ${CMAKE_SOURCE_DIR}/tests/${folder})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${root}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "^${root}/(mpi|twins|programs)/")
  if(NOT sources)
    return()
  endif()
  if(TOMBOLO_TESTS_FROM)
    set(main ${TOMBOLO_TESTS_FROM}/tests/CMakeFiles/pure_test_main.dir/support/pure_main.cpp.o)
    set(cases ${TOMBOLO_TESTS_FROM}/tests/libcases_${folder}.a)
    set_source_files_properties(${main} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
    add_executable(test_${folder} ${main})
    set_target_properties(test_${folder} PROPERTIES LINKER_LANGUAGE CXX LINK_DEPENDS ${cases})
    target_link_options(test_${folder} PRIVATE LINKER:--whole-archive ${cases} LINKER:--no-whole-archive)
    add_dependencies(test_${folder} compiled_tests)
  else()
    add_library(cases_${folder} STATIC ${sources})
    # As in executables, one of which has precompiled the headers.
    set_target_properties(cases_${folder} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(cases_${folder} PRIVATE -fPIE)
    tombolo_precompile(cases_${folder} REUSE_FROM test_headers)
    tombolo_unite(cases_${folder})
    target_link_libraries(cases_${folder} PRIVATE tombolo_${folder} tombolo_test_settings)
    add_executable(test_${folder} $<TARGET_OBJECTS:pure_test_main>)
    target_link_libraries(test_${folder} PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,cases_${folder}>)
  endif()
  target_link_libraries(test_${folder} PRIVATE tombolo_${folder} tombolo_test_settings)
  add_dependencies(pure_tests test_${folder})

  set(names "")
  foreach(source IN LISTS sources)
    file(STRINGS ${source} cases REGEX "^(TEMPLATE_)?(PRODUCT_)?(LIST_)?(TEST_CASE|SCENARIO)" LIMIT_COUNT 1)
    if(cases)  # else it only helps the others
      get_filename_component(name ${source} NAME_WE)
      list(APPEND names ${name})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES names)
  foreach(name IN LISTS names)
    set(test ${folder}/${name})
    add_test(NAME ${test} COMMAND test_${folder} --filenames-as-tags --warn NoTests "[#${name}]")
    _tombolo_test_properties(${test} LABEL pure TIMEOUT ${TOMBOLO_TEST_LIMIT})
  endforeach()
endfunction()

# tombolo_mpi_tests(FOLDER): everything below tests/FOLDER/mpi, run with every number of ranks.
function(tombolo_mpi_tests folder)
  set(root ${CMAKE_SOURCE_DIR}/tests/${folder}/mpi)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${root}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(test_${folder}_mpi ${sources})
  target_link_libraries(test_${folder}_mpi PRIVATE tombolo_${folder}_mpi mpi_test_main tombolo_test_settings)
  tombolo_precompile(test_${folder}_mpi REUSE_FROM test_headers)
  tombolo_unite(test_${folder}_mpi)
  add_dependencies(library_tests test_${folder}_mpi)

  set(ranks ${TOMBOLO_TEST_RANKS})
  if(EXISTS ${root}/ranks AND NOT TOMBOLO_SIMULATED)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${root}/ranks)
    file(STRINGS ${root}/ranks ranks)
    separate_arguments(ranks)
  endif()
  if(NOT TOMBOLO_SIMULATED)
    tombolo_add_mpi_test(NAME ${folder}/mpi LABEL mpi RANKS ${ranks} COMMAND $<TARGET_FILE:test_${folder}_mpi>)
    return()
  endif()
  # All ranks are in one process, which becomes slower the more it has simulated: one for each folder.
  file(GLOB entries LIST_DIRECTORIES true RELATIVE ${root} ${root}/*)
  set(direct "")
  foreach(entry IN LISTS entries)
    if(IS_DIRECTORY ${root}/${entry})
      file(GLOB_RECURSE within ${root}/${entry}/*.cpp)
      _tombolo_simulated_mpi_test(${folder}/mpi/${entry} test_${folder}_mpi "${ranks}" ${within})
    elseif(entry MATCHES "[.]cpp$")
      list(APPEND direct ${entry})
    endif()
  endforeach()
  if(direct)
    _tombolo_simulated_mpi_test(${folder}/mpi test_${folder}_mpi "${ranks}" ${direct})
  endif()
endfunction()

# Of the test cases of these files, which Catch2 finds by their names.
function(_tombolo_simulated_mpi_test name target ranks)
  set(tags "")
  foreach(source IN LISTS ARGN)
    get_filename_component(tag ${source} NAME_WE)
    list(APPEND tags "[#${tag}]~[.]")  # without those that other tests start
  endforeach()
  list(JOIN tags "," tags)
  tombolo_add_mpi_test(NAME ${name} LABEL mpi RANKS ${ranks} COMMAND $<TARGET_FILE:${target}> --filenames-as-tags "${tags}")
endfunction()

# tombolo_add_mpi_test(NAME name LABEL label RANKS n... COMMAND program [argument...]): one test per number of ranks.
function(tombolo_add_mpi_test)
  cmake_parse_arguments(ARG "" "NAME;LABEL" "RANKS;COMMAND" ${ARGN})
  foreach(ranks IN LISTS ARG_RANKS)
    set(test ${ARG_NAME}/${ranks})
    if(TOMBOLO_SIMULATED)
      add_test(NAME ${test} COMMAND ${TOMBOLO_SIMULATE} --ranks ${ranks} grid5000 -- ${ARG_COMMAND})
    else()
      add_test(NAME ${test} COMMAND ${TOMBOLO_MPIRUN} ${ranks} ${ARG_COMMAND})
    endif()
    _tombolo_test_properties(${test} LABEL ${ARG_LABEL} TIMEOUT ${TOMBOLO_MPI_TEST_LIMIT} RANKS ${ranks})
  endforeach()
endfunction()

# tombolo_add_app_test(NAME name [RANKS n...] COMMAND program [argument...]): a command of Tombolo must succeed, under
# mpiexec where RANKS says so, by itself otherwise.
function(tombolo_add_app_test)
  cmake_parse_arguments(ARG "" "NAME" "RANKS;COMMAND" ${ARGN})
  if(ARG_RANKS)
    tombolo_add_mpi_test(NAME apps/${ARG_NAME} LABEL app RANKS ${ARG_RANKS} COMMAND ${ARG_COMMAND})
  else()
    add_test(NAME apps/${ARG_NAME} COMMAND ${ARG_COMMAND})
    _tombolo_test_properties(apps/${ARG_NAME} LABEL app TIMEOUT ${TOMBOLO_TEST_LIMIT})
  endif()
endfunction()

# tombolo_python_tests(FOLDER LABEL label [RANKS n] [ALONE name...] [ONLY name...]): every tests/FOLDER/*_test.py, or those
# named by ONLY, is one test of plain unittest. RANKS is the largest number of ranks that they start at once. While those
# named by ALONE run, no other test does. One that says `skipped: REASON` was skipped.
function(tombolo_python_tests folder)
  cmake_parse_arguments(ARG "" "LABEL;RANKS" "ALONE;ONLY" ${ARGN})
  set(root ${CMAKE_SOURCE_DIR}/tests/${folder})
  file(GLOB files CONFIGURE_DEPENDS ${root}/*_test.py)
  foreach(file IN LISTS files)
    get_filename_component(module ${file} NAME_WE)
    string(REGEX REPLACE "_test$" "" name ${module})
    if(ARG_ONLY AND NOT name IN_LIST ARG_ONLY)
      continue()
    endif()
    set(test ${folder}/${name})
    add_test(NAME ${test} COMMAND ${TOMBOLO_PYTHON} -B -m unittest ${module} WORKING_DIRECTORY ${root})
    _tombolo_test_properties(${test} LABEL ${ARG_LABEL} TIMEOUT ${TOMBOLO_MPI_TEST_LIMIT} RANKS ${ARG_RANKS})
    set_tests_properties(${test} PROPERTIES SKIP_REGULAR_EXPRESSION "(^|\n)skipped: ")
    # Two ranks would use shared memory and their cores even while they wait, which other tests then have to do without.
    set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT TOMBOLO_RANKS_SLEEP=1)
    if(name IN_LIST ARG_ALONE)
      set_tests_properties(${test} PROPERTIES RUN_SERIAL TRUE)
    endif()
  endforeach()
endfunction()
