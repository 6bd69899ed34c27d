#include "expression/native.hpp"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

#include "expression/emit_c.hpp"
#include "expression/native_cache.hpp"
#include "expression/system_compiler.hpp"
#include "random_formula.hpp"

namespace taut {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// An environment variable with another value, or none, while this lives.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    value ? setenv(name, value, 1) : unsetenv(name);
  }
  ~Variable() { old_ ? setenv(name_, old_->c_str(), 1) : unsetenv(name_); }
  Variable(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> old_;
};

/// A folder that is removed with this object.
class Folder {
 public:
  Folder() {
    std::string name = fs::temp_directory_path() / "taut-native-XXXXXX";
    path_ = mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Every test has a cache of its own.
struct NativeTest : ::testing::Test, FourSymbols {
  Folder home;
  Variable cache_home{"XDG_CACHE_HOME", home.path().c_str()};
  Variable compiler{"CC", nullptr};
  const Expression x = expressions[0];
  const Expression y = expressions[1];
  const Expression z = expressions[2];

  fs::path cache() const { return home.path() / "taut"; }

  Program compile(const std::vector<Expression>& outputs, std::array<int, 4> levels = {}) const {
    std::vector<Program::Input> inputs;
    for (std::size_t k = 0; k < 4; ++k) inputs.push_back({ids[k], levels[k]});
    return Program(graph, inputs, outputs);
  }
  Program simple() const { return compile({sin(x) * y + cos(x)}); }

  std::vector<Expression> random_formulas(std::uint64_t count) {
    Nodes reader = nodes();
    std::vector<Expression> all;
    for (std::uint64_t seed = 0; seed < count; ++seed) all.push_back(random_formula(reader, seed));
    return all;
  }

  std::vector<fs::path> entries() const {
    std::vector<fs::path> all;
    if (!fs::exists(cache())) return all;
    for (const auto& entry : fs::directory_iterator(cache())) all.push_back(entry.path());
    return all;
  }

  fs::path script(const std::string& text) const {
    const fs::path path = home.path() / "compiler";
    std::ofstream(path) << "#!/bin/sh\n" << text << "\n";
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }
};

NativeReport native(Program& program, Compiling compiling = Compiling::allowed) {
  Program* const one = &program;
  return make_native(std::span(&one, 1), compiling);
}

void set_inputs(Program::Workspace& workspace, std::uint64_t seed) {
  const Point point = random_point(seed);
  for (int k = 0; k < 4; ++k) *workspace.input(k) = static_cast<double>(point[static_cast<std::size_t>(k)]);
}

bool same_bits(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// Both programs at random points: one computes what the other computes, to the last bit.
void expect_same(const Program& a, const Program& b, std::uint64_t points) {
  Program::Workspace of_a = a.workspace(), of_b = b.workspace();
  for (std::uint64_t seed = 0; seed < points; ++seed) {
    set_inputs(of_a, seed);
    set_inputs(of_b, seed);
    for (int level = 0; level < a.levels(); ++level) {
      a.run(level, of_a);
      b.run(level, of_b);
    }
    for (int k = 0; k < a.outputs(); ++k)
      ASSERT_TRUE(same_bits(a.output(k, of_a), b.output(k, of_b)))
          << k << ": " << a.output(k, of_a) << " " << b.output(k, of_b);
  }
}

TEST_F(NativeTest, GivesBitForBitWhatTheInterpreterGives) {
  const std::vector<Expression> formulas = random_formulas(1000);
  for (const std::array<int, 4> levels : {std::array{0, 0, 0, 0}, std::array{0, 1, 2, 3}}) {
    const Program interpreted = compile(formulas, levels);
    Program compiled = compile(formulas, levels);
    const NativeReport report = native(compiled);
    ASSERT_TRUE(report.used) << report.reason;
    EXPECT_TRUE(compiled.is_native());
    expect_same(interpreted, compiled, 100);
  }
}

TEST_F(NativeTest, GivesTheSameWholePowers) {
  std::vector<Expression> powers;
  for (int n = -64; n <= 64; ++n) powers.push_back(pow(x, n));
  Program compiled = compile(powers);
  ASSERT_TRUE(native(compiled).used);
  expect_same(compile(powers), compiled, 100);
}

TEST_F(NativeTest, ReplacesNoFunctionByAFormulaThatRoundsOtherwise) {
  const std::vector<Expression> tempting = {sin(atan(x)),
                                            cos(atan(x)),
                                            tan(atan(x)),
                                            exp(log(x * x)),
                                            pow(Expression(2), x),
                                            pow(x * x, 0.5),
                                            sqrt(x) * sqrt(x),
                                            log(exp(x)),
                                            pow(x * x, 1.0 / 3),
                                            atan(tan(x)),
                                            cosh(x) + sinh(x),
                                            x / 3,
                                            sin(x) / cos(x),
                                            sin(-x),
                                            pow(exp(x), y),
                                            x * y + z,
                                            x * y - z};
  Program compiled = compile(tempting);
  ASSERT_TRUE(native(compiled).used);
  expect_same(compile(tempting), compiled, 2000);
}

TEST_F(NativeTest, PassesNaNOnThroughComparisons) {
  const std::vector<Expression> kinks = {min(x, y), min(y, x), max(x, y), max(z, x), sign(x), abs(x)};
  Program compiled = compile(kinks);
  ASSERT_TRUE(native(compiled).used);
  Program::Workspace workspace = compiled.workspace();
  *workspace.input(0) = std::nan("");
  compiled.run(0, workspace);
  for (int k = 0; k < compiled.outputs(); ++k) EXPECT_TRUE(std::isnan(compiled.output(k, workspace))) << k;
}

TEST_F(NativeTest, RunsLongProgramsInParts) {
  Expression sum = x;
  std::vector<Expression> outputs;
  for (int k = 0; k < 3000; ++k) {
    sum = sin(sum) + cos(k * y) * z;
    if (k % 100 == 0) outputs.push_back(sum);
  }
  outputs.push_back(sum);
  Program compiled = compile(outputs);
  ASSERT_GT(compiled.instructions(), 5 * CStyle{}.longest_function);
  ASSERT_TRUE(native(compiled).used);
  expect_same(compile(outputs), compiled, 20);
}

TEST_F(NativeTest, RunsManyLanesByTheInterpreter) {
  Program compiled = simple();
  ASSERT_TRUE(native(compiled).used);
  Program::Workspace many = compiled.workspace(3);
  for (int k = 0; k < 2; ++k) std::fill_n(many.input(k), 3, 0.5 + k);
  compiled.run(0, many);
  EXPECT_EQ(compiled.output(0, many, 2), std::sin(0.5) * 1.5 + std::cos(0.5));
}

TEST_F(NativeTest, ServesSeveralProgramsFromOneLibrary) {
  Program a = simple(), empty = compile({Expression(1)}), b = compile({x / y, exp(x)});
  Program* const all[] = {&a, &empty, &b};
  ASSERT_TRUE(make_native(all, Compiling::allowed).used);
  expect_same(simple(), a, 10);
  expect_same(compile({x / y, exp(x)}), b, 10);
  EXPECT_EQ(entries().size(), 1u);
}

TEST_F(NativeTest, SurvivesTheProgramThatLoadedIt) {
  auto first = std::make_unique<Program>(simple());
  ASSERT_TRUE(native(*first).used);
  const Program second = *first;
  first.reset();
  expect_same(simple(), second, 10);
}

TEST_F(NativeTest, StridedCodeWalksOverLanesSideBySide) {
  const Program program = compile({sin(x) * y + cos(x) / z});
  const fs::path source = home.path() / "strided.c", library = home.path() / "strided.so";
  std::ofstream(source) << c_prelude() << emit_c(program, "p", {.strided = true, .longest_function = 2});
  compile_library(find_system_compiler(), source, library, home.path());
  void* handle = dlopen(library.c_str(), RTLD_NOW);
  ASSERT_NE(handle, nullptr) << dlerror();
  const auto run = reinterpret_cast<void (*)(double*, std::size_t)>(dlsym(handle, "p_0"));
  ASSERT_NE(run, nullptr);
  constexpr int lanes = 5;
  Program::Workspace interpreted = program.workspace(lanes);
  std::vector<double> strided(static_cast<std::size_t>(program.registers() * lanes));
  for (int lane = 0; lane < lanes; ++lane)
    for (int k = 0; k < 4; ++k)
      interpreted.input(k)[lane] = strided[static_cast<std::size_t>(k * lanes + lane)] = 0.3 * lane + k + 1;
  program.run(0, interpreted);
  for (int lane = 0; lane < lanes; ++lane) {
    run(strided.data() + lane, lanes);
    EXPECT_EQ(strided[static_cast<std::size_t>(program.output_slots()[0] * lanes + lane)],
              program.output(0, interpreted, lane));
  }
  dlclose(handle);
}

// ---- the cache ----------------------------------------------------------------------------------

TEST_F(NativeTest, IsFoundInTheCacheTheSecondTime) {
  Program first = simple(), second = simple(), third = simple();
  EXPECT_THAT(native(first).reason, StartsWith("compiled by /"));
  EXPECT_EQ(native(second).reason, "found in the cache");
  EXPECT_TRUE(native(third, Compiling::not_worth_it).used);
  EXPECT_EQ(entries().size(), 1u);
  expect_same(first, third, 10);
}

TEST_F(NativeTest, IsNotMadeWhereItIsNotWorthIt) {
  Program program = simple();
  const NativeReport report = native(program, Compiling::not_worth_it);
  EXPECT_FALSE(report.used);
  EXPECT_FALSE(program.is_native());
  EXPECT_FALSE(fs::exists(cache()));
}

TEST_F(NativeTest, IsMadeAfreshForAnotherCompilerOrOtherOptions) {
  Program first = simple(), second = simple();
  ASSERT_TRUE(native(first).used);
  const Variable other("CC", "cc -g");
  EXPECT_THAT(native(second).reason, StartsWith("compiled"));
  EXPECT_EQ(entries().size(), 2u);
}

TEST_F(NativeTest, IsMadeAfreshWhereTheEntryIsCorrupt) {
  Program first = simple();
  ASSERT_TRUE(native(first).used);
  const fs::path entry = entries().front();
  const auto size = fs::file_size(entry);
  first = Program();
  for (const auto& [name, damage] : std::map<std::string, std::function<void()>>{
           {"cut short", [&] { fs::resize_file(entry, size / 2); }},
           {"empty", [&] { fs::resize_file(entry, 0); }},
           {"longer", [&] { std::ofstream(entry, std::ios::app) << "more"; }},
           {"a byte changed", [&] { std::fstream(entry).seekp(static_cast<std::streamoff>(size / 3)).put('!'); }}}) {
    damage();
    Program program = simple();
    const NativeReport refused = native(program, Compiling::not_worth_it);
    EXPECT_FALSE(refused.used) << name;
    EXPECT_THAT(native(program).reason, StartsWith("compiled")) << name;
    expect_same(simple(), program, 10);
    EXPECT_EQ(fs::file_size(entry), size) << name;
  }
}

TEST_F(NativeTest, DoesNotFollowALinkInPlaceOfAnEntry) {
  Program first = simple();
  ASSERT_TRUE(native(first).used);
  const fs::path entry = entries().front(), elsewhere = home.path() / "elsewhere.so";
  fs::rename(entry, elsewhere);
  fs::create_symlink(elsewhere, entry);
  Program second = simple();
  EXPECT_FALSE(native(second, Compiling::not_worth_it).used);
}

TEST_F(NativeTest, IsClosedToOthersWhateverTheUmask) {
  const mode_t before = umask(0);
  Program program = simple();
  const NativeReport report = native(program);
  umask(before);
  ASSERT_TRUE(report.used) << report.reason;
  EXPECT_EQ(fs::status(cache()).permissions(), fs::perms::owner_all);
  EXPECT_EQ(fs::status(entries().front()).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(NativeTest, RefusesACacheThatOthersCanWriteTo) {
  Program first = simple();
  ASSERT_TRUE(native(first).used);
  for (const fs::path& open : {cache(), home.path(), entries().front()}) {
    const fs::perms before = fs::status(open).permissions();
    fs::permissions(open, fs::perms::others_write, fs::perm_options::add);
    Program second = simple();
    EXPECT_FALSE(native(second, Compiling::not_worth_it).used) << open;
    if (open != entries().front()) {
      EXPECT_THAT(native(second).reason, HasSubstr(cache().string()));
      EXPECT_FALSE(second.is_native());
    }
    fs::permissions(open, before);
  }
  Program third = simple();
  EXPECT_TRUE(native(third).used);
}

TEST_F(NativeTest, RefusesACacheOfAnotherUser) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make a folder another user's";
  Program first = simple();
  ASSERT_TRUE(native(first).used);
  ASSERT_EQ(chown(cache().c_str(), 65534, 65534), 0);
  Program second = simple();
  EXPECT_FALSE(native(second).used);
}

TEST_F(NativeTest, KeepsOnlyWhatFits) {
  const fs::path folder = home.path() / "small", library = home.path() / "library";
  std::ofstream(library) << std::string(1000, 'x');
  fs::permissions(library, fs::perms::owner_read | fs::perms::owner_write);
  const NativeCache small(folder, 3500);
  { const NativeCache::Scratch makes_the_folder(small); }
  std::vector<fs::path> added;
  for (int k = 0; k < 5; ++k) {
    added.push_back(small.add(library, "number " + std::to_string(k)));
    fs::last_write_time(added.back(), fs::file_time_type::clock::now() - std::chrono::minutes(10 - k));
    if (k > 0) {
      EXPECT_TRUE(small.find("number 0")) << k;  // which marks it as used
    }
  }
  EXPECT_EQ(std::ranges::count_if(added, [](const fs::path& path) { return fs::exists(path); }), 3);
  EXPECT_TRUE(fs::exists(added[0]));
  EXPECT_TRUE(fs::exists(added[4]));
}

TEST_F(NativeTest, RemovesWhatADeadProcessLeft) {
  fs::create_directories(cache() / "making-oldone");
  fs::create_directories(cache() / "making-newone");
  fs::permissions(cache(), fs::perms::owner_all);
  fs::last_write_time(cache() / "making-oldone", fs::file_time_type::clock::now() - std::chrono::hours(2));
  Program program = simple();
  ASSERT_TRUE(native(program).used);
  EXPECT_FALSE(fs::exists(cache() / "making-oldone"));
  EXPECT_TRUE(fs::exists(cache() / "making-newone"));
}

TEST_F(NativeTest, IsSafeAgainstManyProcessesAtOnce) {
  std::vector<pid_t> children;
  for (int k = 0; k < 4; ++k) {
    const pid_t child = fork();
    if (child == 0) {
      Program program = simple();
      const bool used = native(program).used;
      Program::Workspace workspace = program.workspace();
      set_inputs(workspace, 1);
      program.run(0, workspace);
      const double a = *workspace.input(0), b = *workspace.input(1);
      _exit(used && program.output(0, workspace) == std::sin(a) * b + std::cos(a) ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(entries().size(), 1u);
}

// ---- what can stand in the way ------------------------------------------------------------------

TEST_F(NativeTest, SaysThatThereIsNoCompiler) {
  const Variable path("PATH", home.path().c_str());
  Program program = simple();
  const NativeReport report = native(program);
  EXPECT_FALSE(report.used);
  EXPECT_THAT(report.reason, HasSubstr("no C compiler"));
  expect_same(simple(), program, 3);
}

TEST_F(NativeTest, NamesTheCompilerThatIsMissing) {
  const Variable missing("CC", "no-such-compiler -O3");
  Program program = simple();
  EXPECT_THAT(native(program).reason, HasSubstr("'no-such-compiler'"));
}

TEST_F(NativeTest, NeverAsksAShell) {
  const fs::path witness = home.path() / "witness";
  for (const std::string& command :
       {"cc;touch " + witness.string(), "cc $(touch " + witness.string() + ")", "cc `touch " + witness.string() + "`",
        "cc | touch " + witness.string(), "cc && touch " + witness.string()}) {
    const Variable hostile("CC", command.c_str());
    Program program = simple();
    EXPECT_FALSE(native(program).used) << command;
    EXPECT_FALSE(fs::exists(witness)) << command;
  }
}

TEST_F(NativeTest, TellsTheCompilersComplaint) {
  const Variable failing("CC", script("echo 'ld: final link failed: No space left on device' >&2; exit 1").c_str());
  Program program = simple();
  EXPECT_THAT(native(program).reason, HasSubstr("No space left on device"));
  EXPECT_TRUE(entries().empty());
}

TEST_F(NativeTest, DoesNotTrustACompilerThatMakesNothing) {
  for (const char* text : {"exit 0", "while [ \"$1\" != -o ]; do shift; done; echo nonsense > \"$2\"", "kill -9 $$"}) {
    const Variable strange("CC", script(text).c_str());
    Program program = simple();
    const NativeReport report = native(program);
    EXPECT_FALSE(report.used) << text;
    EXPECT_FALSE(report.reason.empty()) << text;
    expect_same(simple(), program, 3);
  }
}

TEST_F(NativeTest, SaysThatTheCacheCannotBeWritten) {
  for (const char* place : {"/proc/self", "/dev/null", "/proc/nowhere/at/all"}) {
    const Variable read_only("XDG_CACHE_HOME", place);
    Program program = simple();
    const NativeReport report = native(program);
    EXPECT_FALSE(report.used) << place;
    EXPECT_THAT(report.reason, HasSubstr(place));
  }
}

TEST_F(NativeTest, SaysThatThereIsNoHome) {
  const Variable no_cache("XDG_CACHE_HOME", "relative/path"), no_home("HOME", nullptr);
  Program program = simple();
  EXPECT_THAT(native(program).reason, HasSubstr("HOME"));
}

TEST_F(NativeTest, LeavesNothingBehindWhenTheDiskIsFull) {
  // No file may grow: every write fails as on a full disk.
  const auto old_handler = signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit none{0, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &none);
  Program program = simple();
  const NativeReport report = native(program);
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, old_handler);
  EXPECT_FALSE(report.used);
  EXPECT_THAT(report.reason, HasSubstr("cannot write"));
  EXPECT_TRUE(entries().empty());
}

TEST_F(NativeTest, DeclinesWhatIsTooLarge) {
  Expression sum = x;
  for (std::size_t k = 0; k <= most_native_instructions / 2; ++k) sum = sum * y + z;
  Program program = compile({sum});
  ASSERT_GT(program.instructions(), most_native_instructions);
  EXPECT_THAT(native(program).reason, HasSubstr("too many"));
  EXPECT_FALSE(fs::exists(cache()));
}

TEST_F(NativeTest, HasNothingToDoForConstants) {
  Program program = compile({Expression(3)});
  EXPECT_FALSE(native(program).used);
  EXPECT_FALSE(fs::exists(cache()));
}

}  // namespace
}  // namespace taut
