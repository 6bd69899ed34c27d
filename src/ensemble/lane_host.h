/* Runs members in lanes: on a GPU where nvcc compiles it, else one after the other. Behind lane.h. */

enum { lane_in = lane_parameters + taut_coordinates + taut_speeds, lane_out = lane_figures + 6 };

#ifdef __CUDACC__
#include <stdio.h>

#ifndef LANE_BLOCK
#define LANE_BLOCK 64
#endif
/* What a block shares on every GPU, without being asked. */
#ifndef LANE_SHARED
#define LANE_SHARED 49152
#endif
/* Blocks at a time on one multiprocessor: fewer leave more registers to a lane. */
#ifndef LANE_BLOCKS
#define LANE_BLOCKS 4
#endif

enum {
  lane_shared_bytes = LANE_BLOCK * lane_room_numbers * (int)sizeof(double),
  lane_shares = lane_shared_bytes <= LANE_SHARED
};

__global__ void __launch_bounds__(LANE_BLOCK, LANE_BLOCKS)
    lane_kernel(const double* __restrict__ in, double* __restrict__ out, long members, double h, long steps) {
  extern __shared__ double lane_shared[];
  const long member = (long)blockIdx.x * blockDim.x + threadIdx.x;
  const struct lane_course course = {h, steps};
  struct lane_room own;
  if (member >= members) return;
  lane_member(in, out, members, member, course,
              lane_shares ? (struct lane_room*)(lane_shared + threadIdx.x * lane_room_numbers) : &own);
}

static char lane_message[256];
static int lane_check(cudaError_t code, const char* what) {
  if (code == cudaSuccess) return 0;
  snprintf(lane_message, sizeof lane_message, "%s: %s", what, cudaGetErrorString(code));
  return 1;
}

/* Memory of one chunk, kept from call to call. */
static struct {
  double *in, *out;
  long members;
} lane_memory;

static int lane_reserve(long members) {
  if (lane_memory.members >= members) return 0;
  cudaFree(lane_memory.in);
  cudaFree(lane_memory.out);
  lane_memory.in = lane_memory.out = 0;
  lane_memory.members = 0;
  if (lane_check(cudaMalloc((void**)&lane_memory.in, sizeof(double) * lane_in * members), "memory on the GPU") ||
      lane_check(cudaMalloc((void**)&lane_memory.out, sizeof(double) * lane_out * members), "memory on the GPU"))
    return 1;
  lane_memory.members = members;
  return 0;
}

extern "C" const char* lane_error(void) { return lane_message; }

extern "C" int lane_run(const double* in, double* out, long members, double h, long steps) {
  const unsigned blocks = (unsigned)((members + LANE_BLOCK - 1) / LANE_BLOCK);
  if (lane_reserve(members)) return 1;
  if (lane_check(cudaMemcpy(lane_memory.in, in, sizeof(double) * lane_in * members, cudaMemcpyHostToDevice), "to the GPU"))
    return 1;
  lane_kernel<<<blocks, LANE_BLOCK, lane_shares ? lane_shared_bytes : 0>>>(lane_memory.in, lane_memory.out, members, h, steps);
  if (lane_check(cudaGetLastError(), "starting on the GPU")) return 1;
  return lane_check(cudaMemcpy(out, lane_memory.out, sizeof(double) * lane_out * members, cudaMemcpyDeviceToHost),
                    "on the GPU");
}
#else
#ifdef __cplusplus
extern "C" {
#endif
const char* lane_error(void) { return ""; }

int lane_run(const double* in, double* out, long members, double h, long steps) {
  const struct lane_course course = {h, steps};
  struct lane_room room;
  long member;
  for (member = 0; member < members; ++member) lane_member(in, out, members, member, course, &room);
  return 0;
}
#ifdef __cplusplus
}
#endif
#endif

#ifdef __cplusplus
extern "C"
#endif
int lane_sizes(int which) {
  return which == 0   ? lane_parameters
         : which == 1 ? taut_coordinates
         : which == 2 ? taut_speeds
         : which == 3 ? lane_in
         : which == 4 ? lane_out
                      : (int)sizeof(taut_model);
}
