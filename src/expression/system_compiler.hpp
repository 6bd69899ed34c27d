#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

/// The C compiler of this machine: what $CC names, or else the first of cc, gcc and clang on the PATH. It is started
/// directly, never through a shell.
namespace taut {

struct SystemCompiler {
  std::vector<std::string> command;  ///< the program by its full path, then words of $CC and the options we add
  std::string identity;  ///< what its output depends on: the program's path, size and date, options, machine
  std::chrono::seconds patience{120};  ///< it is ended where it takes longer
};

/// How much a compiler does. Straight-line code is about as fast either way, and takes two thirds of the time to make
/// where the compiler does little.
enum class Optimising { fully, quickly };

/// Throws std::runtime_error that says why there is none.
SystemCompiler find_system_compiler(Optimising optimising = Optimising::fully);

/// NVIDIA's nvcc, for a GPU of this architecture (sm_90, say): on the PATH, in $CUDA_HOME or in
/// /usr/local/cuda. Throws std::runtime_error where there is none.
SystemCompiler find_cuda_compiler(const std::string& architecture);

/// Makes the shared library `library` of the C file `source`; temporary files go to `folder`. Throws
/// std::runtime_error with the compiler's first complaint.
void compile_library(const SystemCompiler& compiler, const std::filesystem::path& source,
                     const std::filesystem::path& library, const std::filesystem::path& folder);

}  // namespace taut
