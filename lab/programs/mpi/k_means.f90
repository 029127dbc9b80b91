! K-means of made-up points: centres by broadcast, sums and numbers of their points by allreduce, labels by gather.
program k_means
  use mpi
  implicit none
  integer, parameter :: points = 1000, dimensions = 64, centres = 128, rounds = 40
  double precision :: x(dimensions, points), centre(dimensions, centres), sums(dimensions, centres)
  double precision :: numbers(centres), distance, least
  integer :: label(points), rank, ranks, code, i, k, round
  integer(8) :: state, total
  integer, allocatable :: labels(:)

  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
  state = 12345 + 1000003_8 * rank
  do i = 1, points
    do k = 1, dimensions
      state = mod(state * 1103515245_8 + 12345_8, 2147483648_8)
      ! Small integers: sums are exact in any order.
      x(k, i) = dble(state / 2097152_8)
    end do
  end do
  if (rank == 0) centre = x(:, 1:centres)
  call MPI_Bcast(centre, dimensions * centres, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, code)
  do round = 1, rounds
    sums = 0
    numbers = 0
    do i = 1, points
      least = huge(least)
      do k = 1, centres
        distance = sum((x(:, i) - centre(:, k))**2)
        if (distance < least) then
          least = distance
          label(i) = k
        end if
      end do
      sums(:, label(i)) = sums(:, label(i)) + x(:, i)
      numbers(label(i)) = numbers(label(i)) + 1
    end do
    call MPI_Allreduce(MPI_IN_PLACE, sums, dimensions * centres, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, code)
    call MPI_Allreduce(MPI_IN_PLACE, numbers, centres, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, code)
    do k = 1, centres
      if (numbers(k) > 0) centre(:, k) = sums(:, k) / numbers(k)
    end do
  end do
  allocate(labels(points * ranks))
  call MPI_Gather(label, points, MPI_INTEGER, labels, points, MPI_INTEGER, 0, MPI_COMM_WORLD, code)
  if (rank == 0) then
    total = 0
    do i = 1, points * ranks
      total = mod(total * 31 + labels(i), 1000000007_8)
    end do
    print '(a, i0, a, es23.16)', 'labels ', total, ', centre ', centre(1, 1)
  end if
  call MPI_Finalize(code)
end program k_means
