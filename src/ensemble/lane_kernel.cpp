#include "ensemble/lane_kernel.hpp"

#include <fmt/format.h>

#include "exporting/c_code.hpp"

namespace taut {
namespace {

/// On a GPU sine and cosine are inlined: what they are handed would otherwise leave the registers. Those of the
/// library, which serve huge arguments, are not.
std::string inlined_sines(std::string text) {
  const std::string apart = "#define TAUT_FUNCTION static __device__ __noinline__\n";
  text.replace(text.find(apart), apart.size(), "#define TAUT_FUNCTION static __device__ __forceinline__\n");
  const std::string before = R"(#include <math.h>
#ifdef __CUDACC__
static __device__ __noinline__ double lane_sin(double x) { return sin(x); }
static __device__ __noinline__ double lane_cos(double x) { return cos(x); }
#define sin lane_sin
#define cos lane_cos
#endif

)";
  return before + text;
}

std::string put_parameters(const ExportedModel& model, const CodeNames& names) {
  std::string text =
      "TAUT_FUNCTION void lane_put_parameters(taut_model *m, const double *in, long members, long member) {\n"
      "  (void)m;\n  (void)in;\n  (void)members;\n  (void)member;\n";
  for (std::size_t k = 0; k < model.parameters.size(); ++k)
    text += fmt::format("  m->parameters.{} = in[{} * members + member];\n", names.parameters[k], k);
  return text + "}\n\n";
}

std::string names_of_model(const CodeNames& names) {
  std::string text = fmt::format("typedef {0} taut_model;\n", names.type);
  for (const char* function : {"defaults", "init"})
    text += fmt::format("#define taut_model_{0} {1}_{0}\n", function, names.type);
  return text +
         "#ifdef __CUDACC__\n#undef TAUT_FUNCTION\n#define TAUT_FUNCTION static __device__ __noinline__\n#endif\n\n";
}

}  // namespace

LaneKernel::LaneKernel(const ExportedModel& model)
    : parameters(static_cast<int>(model.parameters.size())),
      coordinates(model.shape.n_q()),
      speeds(model.shape.n_v()),
      figures(2 * coordinates + speeds + model.program("following").outputs() + model.program("outputs").outputs()) {
  const CodeNames names(model);
  const CodeChoice choice;
  text = inlined_sines(c_header(model, choice) + c_source(model, choice));
  const std::string include = fmt::format("#include \"{}.h\"\n", names.file);
  text.erase(text.find(include), include.size());
  text += fmt::format("enum {{ lane_parameters = {}, lane_following = {}, lane_figures = {} }};\n\n", parameters,
                      model.program("following").outputs(), figures);
  text += names_of_model(names) + put_parameters(model, names) + std::string(lane_text()) + "\n" +
          std::string(lane_host_text());
}

}  // namespace taut
