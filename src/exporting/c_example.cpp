#include <fmt/format.h>
#include <fmt/ranges.h>

#include "exporting/c_code.hpp"
#include "exporting/c_names.hpp"
#include "taut/stepping.hpp"

namespace taut {
namespace {

/// Where taut's own run ended, by the names of coordinates and speeds; none where it could not be trusted.
struct Reference {
  double t = 0;
  Vector q, v;
};

Reference reference_of(const ExportedModel& model, const Model& source) {
  Options options = model.options;
  options.native = Native::automatic;
  Simulation run(source, options);
  while (run.step()) {
  }
  const Summary summary = run.summary();
  if (!is_trusted(summary.verdict)) return {};
  return {run.t(), run.q(), run.v()};
}

/// C has no empty arrays.
std::string values(const Vector& x) {
  std::vector<std::string> list;
  for (const double value : x) list.push_back(fmt::format("{:.17g}", value));
  return list.empty() ? "0" : fmt::format("{}", fmt::join(list, ", "));
}

constexpr const char* main_text = R"(/* Runs {1} and compares with where taut's own run ended.
 *
 *   ./{0}                runs to t = {4:g} in steps of {5:g} and compares
 *   ./{0} UNTIL          runs to UNTIL
 *   ./{0} UNTIL EVERY    and prints a row each EVERY seconds: t, coordinates, speeds */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "{0}.h"

#define H {5:.17g}
#define SLIVER (1e-9 * H)

static {1} model;
static const double expected_q[] = {{{6}}}, expected_v[] = {{{7}}};
static const int is_expected = {8};

static void print_row(void) {{
  int i;
  printf("%.17g", (double)model.t);
  for (i = 0; i < {2}_COORDINATES; ++i) printf(",%.17g", (double)model.q[i]);
  for (i = 0; i < {2}_SPEEDS; ++i) printf(",%.17g", (double)model.v[i]);
  printf("\n");
}}

/* The largest difference, relative to what is larger than 1. */
static double largest_difference(const {1}_real *x, const double *expected, int n) {{
  double most = 0;
  int i;
  for (i = 0; i < n; ++i) {{
    const double off = fabs(x[i] - expected[i]) / fmax(1, fabs(expected[i]));
    if (!(off <= most)) most = off;
  }}
  return most;
}}

static int run(double until, double every) {{
  double next = every;
  int status = {1}_init(&model);
  if (every > 0) print_row();
  while (status == {2}_DONE && model.t < until - SLIVER) {{
    const int last = model.t + H > until - SLIVER;
    status = last ? {1}_step_to(&model, ({1}_real)until) : {1}_step(&model, (({1}_real)H));
    if (every > 0 && model.t > next - SLIVER) {{
      print_row();
      next += every;
    }}
  }}
  if (status != {2}_DONE) fprintf(stderr, "t = %g: %s\n", (double)model.t, {1}_sentence(status));
  return status;
}}

int main(int argc, char **argv) {{
  const double until = argc > 1 ? atof(argv[1]) : {4:.17g};
  double off;
  {1}_defaults(&model);
  if (run(until, argc > 2 ? atof(argv[2]) : 0) != {2}_DONE) return 1;
  if (argc > 1 || !is_expected) {{
    if (argc <= 2) print_row();
    return 0;
  }}
  print_row();
  off = fmax(largest_difference(model.q, expected_q, {2}_COORDINATES),
             largest_difference(model.v, expected_v, {2}_SPEEDS));
  printf("largest difference from taut's own run: %.3g\n", off);
  return off <= {3} ? 0 : 1;
}}
)";

constexpr const char* makefile_text =
    R"(# make: builds the example; make check: runs it and compares with stored values; make small: the same digits from fewer
# bytes, for boards, without what the example does not call.
CC ?= cc
CFLAGS ?= -std=c99 -O2 -Wall -Wextra -Werror -pedantic -ffp-contract=off

{0}: main.c {0}.c {0}.h
	$(CC) $(CFLAGS) -o $@ main.c {0}.c -lm

check: {0}
	./{0}

SMALL = -Os -fno-asynchronous-unwind-tables -ffunction-sections -fdata-sections
small: main.c {0}.c {0}.h
	$(CC) $(CFLAGS) $(SMALL) -o {0}-small main.c {0}.c -Wl,--gc-sections -lm
	size {0}-small

clean:
	rm -f {0} {0}-small

.PHONY: check small clean
)";

}  // namespace

std::vector<CodeFile> example_of(const ExportedModel& model, const Model& source, const CodeChoice& choice) {
  const CodeNames names(model);
  const Reference end = reference_of(model, source);
  const bool is_expected = end.t > 0;
  const double until = is_expected ? end.t : model.options.until;
  const char* allowed = choice.precision == Precision::in_float ? "1e-3" : "1e-9";
  return {{"main.c", fmt::format(main_text, names.file, names.type, names.constant, allowed, until, *model.options.step,
                                 values(end.q), values(end.v), int{is_expected})},
          {"Makefile", fmt::format(makefile_text, names.file)}};
}

}  // namespace taut
