# Decisions that a program keeps for later runs hold for one state of the sources that decide plans. A hash of all of
# these is compiled into tombolo_collectives: a version would not change from one build of a developer to the next.
if(NOT TOMBOLO_PURE_FROM)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
    platform/*.[chd]* models/*.[chd]* collectives/*.[chd]* include/*.hpp)
  list(FILTER sources EXCLUDE REGEX "/mpi/")
  list(JOIN sources "\n" lines)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/planner_sources.txt CONTENT "${lines}\n")
  list(TRANSFORM sources PREPEND ${PROJECT_SOURCE_DIR}/)
  add_custom_command(
    OUTPUT ${CMAKE_BINARY_DIR}/planner_sources.cpp
    COMMAND ${CMAKE_COMMAND} -DLIST=${CMAKE_BINARY_DIR}/planner_sources.txt -DROOT=${PROJECT_SOURCE_DIR}
      -DOUTPUT=${CMAKE_BINARY_DIR}/planner_sources.cpp -P ${CMAKE_CURRENT_LIST_DIR}/planner_sources.cmake
    DEPENDS ${sources} ${CMAKE_BINARY_DIR}/planner_sources.txt ${CMAKE_CURRENT_LIST_DIR}/planner_sources.cmake
    COMMENT "Hashing the sources that decide plans")
  target_sources(tombolo_collectives PRIVATE ${CMAKE_BINARY_DIR}/planner_sources.cpp)
endif()
