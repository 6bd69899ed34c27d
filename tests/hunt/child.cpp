#include "hunt/child.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "taut/compare.hpp"
#include "taut/simulation.hpp"

namespace taut::hunt {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

double find(const std::vector<NamedValue>& values, const std::string& name) {
  const auto found = std::find_if(values.begin(), values.end(), [&](const auto& value) { return value.name == name; });
  return found == values.end() ? missing : found->value;
}

/// Times of the zeros of an event, whether it acts or not.
std::vector<double> zeros(const Summary& summary, const std::string& name) {
  std::vector<double> times;
  for (const Event& event : summary.events)
    if (event.name == name && (event.kind == "crossing" || event.kind == "action" || event.kind == "impact"))
      times.push_back(event.t);
  return times;
}

double event_figure(const Summary& summary, const std::string& name) {
  const auto open = name.find('('), comma = name.find(','), close = name.find(')');
  if (name.starts_with("events(")) return double(zeros(summary, name.substr(open + 1, close - open - 1)).size());
  const auto times = zeros(summary, name.substr(open + 1, comma - open - 1));
  const std::size_t k = std::stoul(name.substr(comma + 1));
  return k < times.size() ? times[k] : missing;
}

double figure(const Summary& summary, const std::string& name) {
  if (name == "t") return summary.t;
  if (name == "rank") return summary.rank_min == summary.rank_max ? summary.rank_max : missing;
  if (name == "freedoms") return summary.degrees_of_freedom;
  if (name.starts_with("event")) return event_figure(summary, name);
  if (name.ends_with('\'')) return find(summary.final_rates, name.substr(0, name.size() - 1));
  for (const auto* values : {&summary.final_coordinates, &summary.final_outputs, &summary.final_rates})
    if (const double value = find(*values, name); !std::isnan(value)) return value;
  return missing;
}

/// A folder for what a model refers to, in which the child works; gone with it.
class Folder {
 public:
  explicit Folder(const std::vector<ModelFile>& files) {
    if (files.empty()) return;
    path_ = std::filesystem::temp_directory_path() / fmt::format("taut-hunt-{}", getpid());
    std::filesystem::create_directories(path_);
    std::filesystem::current_path(path_);
    for (const ModelFile& file : files) std::ofstream(file.name) << file.text;
  }
  ~Folder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

 private:
  std::filesystem::path path_;
};

/// As the program judges a run.
End end_of(const Summary& summary) {
  const bool through = is_trusted(summary.verdict);
  return through && !summary.limit_broken ? End::done : End::said;
}

Summary simulate_text(const std::string& text, const Case& what, const Plan& plan) {
  const Model model = read_model(text, "case.yaml");
  Options options = options_of(model);
  apply_options(options_of(plan, what.until), options, "--");
  options.record = false;
  return simulate(model, options).summary;
}

Summary simulate_case(const Case& what, const Plan& plan) { return simulate_text(what.model, what, plan); }

/// Do two runs end alike, to the last bit? Names may differ, as left.x and left_x do.
bool end_alike(const Summary& a, const Summary& b) {
  const auto alike = [](const std::vector<NamedValue>& these, const std::vector<NamedValue>& those) {
    return std::ranges::equal(these, those,
                              [](const NamedValue& x, const NamedValue& y) { return x.value == y.value; });
  };
  return a.verdict == b.verdict && a.steps == b.steps && alike(a.final_coordinates, b.final_coordinates) &&
         alike(a.final_rates, b.final_rates);
}

std::vector<double> figures_of(const Summary& summary, const Case& what) {
  std::vector<double> figures;
  for (const Expected& expected : what.expected) figures.push_back(figure(summary, expected.name));
  return figures;
}

Result run_here(const Case& what) {
  Result result;
  const Summary summary = simulate_case(what, what.plan);
  result.end = end_of(summary);
  result.words = summary.reason.empty() ? summary.verdict_reason : summary.reason;
  result.figures = figures_of(summary, what);
  result.has_twin = what.twin.empty() || end_alike(summary, simulate_text(what.twin, what, what.plan));
  if (!what.plan.fixed()) return result;
  Plan halved = what.plan;
  *halved.step /= 2;
  result.halved = figures_of(simulate_case(what, halved), what);
  return result;
}

Result run_or_refuse(const Case& what) {
  const Folder folder(what.files);
  try {
    return run_here(what);
  } catch (const InputError& error) {
    return {.end = End::refused, .words = error.what()};
  } catch (const std::exception& error) {
    return {.end = End::crash, .words = error.what()};
  }
}

std::string on_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

// ---- through the pipe -------------------------------------------------------------------------

std::string packed(const Result& result) {
  std::ostringstream out;
  out.precision(17);
  out << static_cast<int>(result.end) << ' ' << result.has_twin << '\n'
      << on_one_line(result.words) << '\n'
      << result.figures.size();
  for (const double value : result.figures) out << ' ' << fmt::format("{:.17g}", value);
  out << '\n' << result.halved.size();
  for (const double value : result.halved) out << ' ' << fmt::format("{:.17g}", value);
  out << '\n';
  return out.str();
}

std::vector<double> unpacked_figures(std::istream& in) {
  std::size_t count = 0;
  in >> count;
  std::vector<double> values;
  for (std::string word; values.size() < count && in >> word;) values.push_back(std::strtod(word.c_str(), nullptr));
  return values;
}

Result unpacked(const std::string& text) {
  Result result;
  std::istringstream in(text);
  int end = 0;
  if (!(in >> end >> result.has_twin)) return result;
  result.end = static_cast<End>(end);
  in.ignore();
  std::getline(in, result.words);
  result.figures = unpacked_figures(in);
  result.halved = unpacked_figures(in);
  return result;
}

// ---- the process ------------------------------------------------------------------------------

void limit(int seconds) {
  const rlimit time{rlim_t(seconds), rlim_t(seconds) + 1};
  setrlimit(RLIMIT_CPU, &time);
  constexpr rlim_t bytes = 4'000'000'000;
  const rlimit memory{bytes, bytes};
  setrlimit(RLIMIT_AS, &memory);
  const rlimit core{0, 0};
  setrlimit(RLIMIT_CORE, &core);
}

[[noreturn]] void child(const Case& what, int seconds, int pipe_end) {
  limit(seconds);
  const std::string text = packed(run_or_refuse(what));
  const bool written = write(pipe_end, text.data(), text.size()) == ssize_t(text.size());
  _exit(written ? 0 : 1);
}

std::string read_all(int pipe_end) {
  std::string text;
  char buffer[4096];
  for (ssize_t n; (n = read(pipe_end, buffer, sizeof buffer)) > 0;) text.append(buffer, n);
  return text;
}

Result result_of(const std::string& text, int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    if (signal == SIGXCPU || signal == SIGKILL) return {.end = End::hang, .words = "beyond its processor time"};
    return {.end = End::crash, .words = strsignal(signal)};
  }
  return unpacked(text);
}

}  // namespace

Result run_in_child(const Case& what, int seconds) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t process = fork();
  if (process == 0) child(what, seconds, ends[1]);
  close(ends[1]);
  const std::string text = read_all(ends[0]);
  close(ends[0]);
  int status = 0;
  rusage used{};
  wait4(process, &status, 0, &used);
  Result result = result_of(text, status);
  result.seconds = double(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + 1e-6 * double(used.ru_utime.tv_usec);
  return result;
}

}  // namespace taut::hunt
