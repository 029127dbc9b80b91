/* PETSc's conjugate gradients with block Jacobi for the five-point Laplacian. */
#include <petscksp.h>

int main(int count, char** words) {
  PetscCall(PetscInitialize(&count, &words, NULL, NULL));
  PetscInt side = 256, begin = 0, end = 0, iterations = 0;
  PetscReal norm = 0;
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-side", &side, NULL));
  Mat a = NULL;
  Vec x = NULL, b = NULL;
  KSP solver = NULL;
  PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, side * side, side * side, 5, NULL, 2, NULL, &a));
  PetscCall(MatGetOwnershipRange(a, &begin, &end));
  for (PetscInt i = begin; i < end; ++i) {
    PetscCall(MatSetValue(a, i, i, 4, INSERT_VALUES));
    if (i >= side) PetscCall(MatSetValue(a, i, i - side, -1, INSERT_VALUES));
    if (i < side * (side - 1)) PetscCall(MatSetValue(a, i, i + side, -1, INSERT_VALUES));
    if (i % side > 0) PetscCall(MatSetValue(a, i, i - 1, -1, INSERT_VALUES));
    if (i % side < side - 1) PetscCall(MatSetValue(a, i, i + 1, -1, INSERT_VALUES));
  }
  PetscCall(MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY));
  PetscCall(MatCreateVecs(a, &x, &b));
  PetscCall(VecSet(b, 1));
  PetscCall(KSPCreate(PETSC_COMM_WORLD, &solver));
  PetscCall(KSPSetType(solver, KSPCG));
  PetscCall(KSPSetOperators(solver, a, a));
  PetscCall(KSPSetTolerances(solver, 1e-8, PETSC_DEFAULT, PETSC_DEFAULT, 10000));
  PetscCall(KSPSetFromOptions(solver));
  PetscCall(KSPSolve(solver, b, x));
  PetscCall(KSPGetIterationNumber(solver, &iterations));
  PetscCall(VecNorm(x, NORM_2, &norm));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%d iterations, norm %.6e\n", (int)iterations, (double)norm));
  PetscCall(KSPDestroy(&solver));
  PetscCall(VecDestroy(&x));
  PetscCall(VecDestroy(&b));
  PetscCall(MatDestroy(&a));
  PetscCall(PetscFinalize());
  return 0;
}
