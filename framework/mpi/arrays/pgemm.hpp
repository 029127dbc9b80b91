#pragma once

#include <complex>

// The products of PBLAS, as its own functions psgemm_, pdgemm_, pcgemm_ and pzgemm_ are called from C and Fortran
// (docs/products.md). A call that cannot be carried out prints one line and ends the program by MPI_Abort, as PBLAS
// does. Collective over the grid of the descriptors; ranks outside it return at once.

#define TOMBOLO_PGEMM(NAME, T)                                                                                 \
  extern "C" void NAME(const char* transa, const char* transb, const int* m, const int* n, const int* k,       \
                       const T* alpha, const T* a, const int* ia, const int* ja, const int* desca, const T* b, \
                       const int* ib, const int* jb, const int* descb, const T* beta, T* c, const int* ic,     \
                       const int* jc, const int* descc);
TOMBOLO_PGEMM(tombolo_psgemm_, float)
TOMBOLO_PGEMM(tombolo_pdgemm_, double)
TOMBOLO_PGEMM(tombolo_pcgemm_, std::complex<float>)
TOMBOLO_PGEMM(tombolo_pzgemm_, std::complex<double>)
#undef TOMBOLO_PGEMM
