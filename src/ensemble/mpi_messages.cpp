// Messages between the ranks of a sweep under mpirun, in a library of its own that the program loads where it was
// started so: it runs without MPI elsewhere.
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>
#include <unistd.h>

#include <limits>

extern "C" {

__attribute__((visibility("default"))) int taut_mpi_start(int* rank, int* size) {
  if (MPI_Init(nullptr, nullptr) != MPI_SUCCESS) return 1;
  MPI_Comm_rank(MPI_COMM_WORLD, rank);
  MPI_Comm_size(MPI_COMM_WORLD, size);
  return 0;
}

__attribute__((visibility("default"))) int taut_mpi_send(int to, const char* bytes, long count) {
  if (count > std::numeric_limits<int>::max()) return 1;
  return MPI_Send(bytes, static_cast<int>(count), MPI_BYTE, to, 0, MPI_COMM_WORLD) != MPI_SUCCESS;
}

/// The size of a message that is there, and who sent it; -1 after so many seconds without one. It sleeps meanwhile:
/// MPI's own wait would keep a core busy.
__attribute__((visibility("default"))) long taut_mpi_wait(double seconds, int* from) {
  constexpr unsigned pause = 200;  // µs
  for (double waited = 0;; waited += pause * 1e-6) {
    int is_there = 0, count = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &is_there, &status);
    if (is_there != 0) {
      MPI_Get_count(&status, MPI_BYTE, &count);
      *from = status.MPI_SOURCE;
      return count;
    }
    if (waited > seconds) return -1;
    usleep(pause);
  }
}

__attribute__((visibility("default"))) int taut_mpi_receive(int from, char* bytes, long count) {
  return MPI_Recv(bytes, static_cast<int>(count), MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE) != MPI_SUCCESS;
}

__attribute__((visibility("default"))) void taut_mpi_end() { MPI_Finalize(); }
__attribute__((visibility("default"))) void taut_mpi_abort() { MPI_Abort(MPI_COMM_WORLD, 1); }
}
