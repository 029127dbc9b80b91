// The main program of every test that needs no mpiexec.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
