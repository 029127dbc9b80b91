#pragma once

// The products of PBLAS, as its own functions pdgemm_ and psgemm_ are called from C and Fortran (docs/products.md). A
// call that cannot be carried out prints one line and ends the program by MPI_Abort, as PBLAS does. Collective over the
// grid of the descriptors; ranks outside it return at once.

extern "C" {

void tombolo_pdgemm_(const char* transa, const char* transb, const int* m, const int* n, const int* k,
                     const double* alpha, const double* a, const int* ia, const int* ja, const int* desca,
                     const double* b, const int* ib, const int* jb, const int* descb, const double* beta, double* c,
                     const int* ic, const int* jc, const int* descc);

void tombolo_psgemm_(const char* transa, const char* transb, const int* m, const int* n, const int* k,
                     const float* alpha, const float* a, const int* ia, const int* ja, const int* desca, const float* b,
                     const int* ib, const int* jb, const int* descb, const float* beta, float* c, const int* ic,
                     const int* jc, const int* descc);
}
