# Language, warnings, sanitizers and output folders, the same for every target.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

option(TOMBOLO_WERROR "Treat warnings as errors" ON)
option(TOMBOLO_SANITIZE "Build with the address and undefined behaviour sanitizers" OFF)
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

find_program(TOMBOLO_CCACHE ccache)
if(TOMBOLO_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${TOMBOLO_CCACHE})
endif()
