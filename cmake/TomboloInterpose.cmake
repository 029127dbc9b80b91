# libtombolo_mpich.so and libtombolo_openmpi.so, which tombolo-run loads before an unmodified program, and
# libtombolo_smpi.so for simulated ones: the MPI parts of the libraries and interpose/, compiled against one MPI library
# each, over the pure libraries of this build. Of each only the functions of MPI that it hides can be seen from outside.

# What of interpose/ calls no MPI.
set(pure ${PROJECT_SOURCE_DIR}/interpose/comparison.cpp ${PROJECT_SOURCE_DIR}/interpose/report.cpp)
set(include ${CMAKE_BINARY_DIR}/include/interpose)
file(MAKE_DIRECTORY ${include}/tombolo)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/interpose ${include}/tombolo/interpose SYMBOLIC)
add_library(tombolo_interpose STATIC ${pure})
target_include_directories(tombolo_interpose PUBLIC ${include})
target_link_libraries(tombolo_interpose PUBLIC tombolo_collectives PRIVATE tombolo_settings nlohmann_json::nlohmann_json)

# tombolo_interposer(MPI, the interface target of its headers and libraries)
function(tombolo_interposer mpi target)
  set(name tombolo_${mpi})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS platform/mpi/*.cpp models/mpi/*.cpp collectives/mpi/*.cpp interpose/*.cpp)
  set(elsewhere simulated)
  if(TOMBOLO_SIMULATED)
    set(elsewhere real)
  endif()
  list(FILTER sources EXCLUDE REGEX "/${elsewhere}/")
  list(REMOVE_ITEM sources ${pure})
  add_library(${name} SHARED ${sources})
  set_target_properties(${name} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_include_directories(${name} PRIVATE
    ${CMAKE_BINARY_DIR}/include/tombolo_platform_mpi ${CMAKE_BINARY_DIR}/include/tombolo_models_mpi
    ${CMAKE_BINARY_DIR}/include/tombolo_collectives_mpi)
  # Tombolo's own calls are not the program's: tools that see MPI_ functions see the program only.
  target_compile_options(${name} PRIVATE -include ${PROJECT_SOURCE_DIR}/interpose/own_calls.hpp)
  target_link_options(${name} PRIVATE LINKER:--exclude-libs,ALL LINKER:-z,defs LINKER:-Bsymbolic-functions)
  target_link_libraries(${name} PRIVATE tombolo_settings tombolo_interpose nlohmann_json::nlohmann_json ${target} ${CMAKE_DL_LIBS})
  tombolo_unite(${name})
  install(TARGETS ${name} DESTINATION ${CMAKE_INSTALL_LIBDIR}/tombolo)
endfunction()

_tombolo_script(run)
if(TOMBOLO_SIMULATED)
  tombolo_interposer(smpi MPI::MPI_CXX)
  target_compile_definitions(tombolo_smpi PRIVATE TOMBOLO_SIMULATED)
elseif(NOT TOMBOLO_SANITIZE)
  tombolo_interposer(${TOMBOLO_MPI} MPI::MPI_CXX)

  # Open MPI beside MPICH, where it is installed, by its own command's name. Debian installs the command without the
  # headers along with other packages.
  if(TOMBOLO_MPI STREQUAL "mpich")
    find_program(TOMBOLO_MPICC_OPENMPI mpicc.openmpi)
  endif()
  if(TOMBOLO_MPICC_OPENMPI)
    foreach(what IN ITEMS incdirs libdirs)
      execute_process(COMMAND ${TOMBOLO_MPICC_OPENMPI} --showme:${what} OUTPUT_VARIABLE openmpi_${what}
        OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
      separate_arguments(openmpi_${what})
    endforeach()
    find_path(TOMBOLO_OPENMPI_HEADERS mpi.h PATHS ${openmpi_incdirs} NO_DEFAULT_PATH)
    find_library(TOMBOLO_OPENMPI mpi HINTS ${openmpi_libdirs})
  endif()
  if(TOMBOLO_OPENMPI_HEADERS AND TOMBOLO_OPENMPI)
    add_library(openmpi INTERFACE)
    target_include_directories(openmpi SYSTEM INTERFACE ${openmpi_incdirs})
    target_compile_definitions(openmpi INTERFACE OMPI_SKIP_MPICXX)  # the C interface is all that is used
    target_link_directories(openmpi INTERFACE ${openmpi_libdirs})
    target_link_libraries(openmpi INTERFACE ${TOMBOLO_OPENMPI})
    tombolo_interposer(openmpi openmpi)
  endif()
endif()
