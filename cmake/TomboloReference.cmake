# The target `reference`: a page for every installed header, in the build's folder reference/html. docs/Doxyfile says how.
find_program(DOXYGEN_EXECUTABLE doxygen)
if(DOXYGEN_EXECUTABLE)
  set(folder ${PROJECT_BINARY_DIR}/reference)
  add_custom_target(reference
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${folder}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND ${CMAKE_COMMAND} -E create_symlink ${PROJECT_SOURCE_DIR}/include/tombolo ${folder}/tombolo
    COMMAND ${CMAKE_COMMAND} -E create_symlink ${PROJECT_SOURCE_DIR}/docs ${folder}/docs
    COMMAND ${CMAKE_COMMAND} -E chdir ${folder}
      ${CMAKE_COMMAND} -E env TOMBOLO_VERSION=${PROJECT_VERSION} ${DOXYGEN_EXECUTABLE} docs/Doxyfile
    COMMAND ${CMAKE_COMMAND} -E echo "open ${folder}/html/index.html"
    VERBATIM)
else()
  add_custom_target(reference
    COMMAND ${CMAKE_COMMAND} -E echo "doxygen is missing: run scripts/setup, and cmake once more"
    COMMAND ${CMAKE_COMMAND} -E false)
endif()
