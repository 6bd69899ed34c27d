// C that is written out must do what taut does: compiled by the system's compiler, run, and compared to the last bit.
#include "exporting/c_code.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scratch.hpp"

namespace taut {
namespace {

using testing::HasSubstr;

Options steps(const std::string& method, const std::string& integrator, double until) {
  Options options;
  options.method = Choice(method);
  options.integrator = Choice(integrator);
  options.step = 1e-3;
  options.until = until;
  return options;
}

void write(const Scratch& scratch, const std::vector<CodeFile>& files) {
  for (const CodeFile& file : files) scratch.write(file.name, file.text);
}

/// What the exported example prints in the end, after it was compiled with every warning an error.
Finished run_example(const Model& model, const Options& options, const CodeChoice& choice = {}) {
  const Scratch scratch;
  const ExportedModel exported(model, options);
  write(scratch, code_of(exported, choice));
  write(scratch, example_of(exported, model, choice));
  const std::string file = CodeNames(exported).file;
  const std::string compile = "cc -std=c99 -O1 -Wall -Wextra -Werror -pedantic -o example main.c " + file + ".c -lm";
  return run_in(scratch.folder(), compile + " && ./example");
}

void expect_same_bits(const std::string& name, const Options& options) {
  const Finished finished = run_example(load_model(name), options);
  EXPECT_EQ(finished.status, 0) << name << ": " << finished.output;
  EXPECT_THAT(finished.output, HasSubstr("largest difference from taut's own run: 0\n")) << name;
}

TEST(CExport, GivesTheBitsOfTautsOwnRunWithEveryMethodAndIntegrator) {
  for (const char* method : {"auto", "braun-goldfarb"})
    for (const char* integrator : {"rk4", "euler", "ab3"}) expect_same_bits("pendulum", steps(method, integrator, 2));
}

TEST(CExport, GivesTheBitsWhereRowsDependOnEachOther) {
  expect_same_bits("four-bar-redundant", steps("auto", "rk4", 2));
  expect_same_bits("bricard", steps("auto", "rk4", 1));
}

TEST(CExport, GivesTheBitsWithVelocityConstraintsAndQuaternions) {
  expect_same_bits("knife-edge", steps("auto", "rk4", 2));
  expect_same_bits("mechanisms/gyroscope", steps("auto", "rk4", 1));
}

// Next to a singular position matrices serve, with another order of operations than taut's kernels: what that leaves is
// rounding, amplified by the passage. The pivot falls to 1e-3 h or so, and rounding of 1e-16 grows to 1e-10 at most.
TEST(CExport, PassesSingularPositionsByItself) {
  const Finished finished = run_example(load_model("two-four-bars"), steps("auto", "rk4", 5));
  EXPECT_EQ(finished.status, 0) << finished.output;  // differs by less than 1e-9
}

TEST(CExport, InSinglePrecisionAgreesToAThousandth) {
  const Finished finished = run_example(load_model("pendulum"), steps("auto", "rk4", 2), {Precision::in_float});
  EXPECT_EQ(finished.status, 0) << finished.output;  // differs by less than 1e-3
}

// Names that C, its library, the example or exported code itself have already.
TEST(CExport, CompilesWhateverTheModelIsCalled) {
  for (const char* name : {"main", "model", "taut", "sin", "double", "fmu_step", "M", "7 up/.. é"}) {
    const std::string text = std::string("model: \"") + name +
                             "\"\nparameters: {none: 1, unix: 2, stdin: 3, NAN: 4, double: 5}\n"
                             "coordinates: {PI: 1, done: [2, unix], E: 0, speeds: 0}\n"
                             "kinetic_energy: (none*PI'^2 + stdin*done'^2 + NAN*E'^2 + double*speeds'^2)/2\n";
    const Model model = read_model(text, "names.yaml");
    const ExportedModel exported(model, steps("auto", "rk4", 1e-2));
    const Scratch scratch;
    write(scratch, code_of(exported, {}));
    write(scratch, example_of(exported, model, {}));
    const Finished finished = run_in(scratch.folder(), "make -s CFLAGS='-std=gnu11 -O0 -Wall -Wextra -Werror' check");
    EXPECT_EQ(finished.status, 0) << name << ": " << finished.output;
  }
}

TEST(CExport, RefusesWhatItCannotWrite) {
  Options options;
  options.method = Choice("baumgarte");
  EXPECT_THROW(ExportedModel(load_model("pendulum"), options), InputError);
  options.method = Choice("auto");
  options.energy = Choice("project");
  EXPECT_THROW(ExportedModel(load_model("pendulum"), options), InputError);
}

}  // namespace
}  // namespace taut
