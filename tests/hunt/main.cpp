// taut_hunt: random models with independent truths, to find runs that say "done" and are wrong.
#include <array>
#include <iostream>
#include <stdexcept>

#include "hunt/judgement.hpp"
#include "hunt/request.hpp"

namespace taut::hunt {
namespace {

using Counts = std::array<int, classes>;

struct Finding {
  std::string family;
  std::uint64_t seed;
  Judgement judgement;
};

/// A case whose truth finds no answer, as at a contact that neither holds nor slides, is drawn again.
constexpr int most_draws = 5;

std::uint64_t hash(const std::string& text) {
  std::uint64_t value = 1469598103934665603ULL;
  for (const unsigned char c : text) value = (value ^ c) * 1099511628211ULL;
  return value;
}

Case make(const Family& family, std::uint64_t seed) {
  // Mixed once more: streams that start a step apart would repeat each other.
  Dice dice(Dice(hash(family.name) ^ Dice(seed).next()).next());
  for (int draws = 1;; ++draws) {
    try {
      return family.make(dice);
    } catch (const std::runtime_error&) {
      if (draws == most_draws) throw;  // the truth itself fails too often
    }
  }
}

bool is_family(const std::string& name) {
  for (const Family& family : families())
    if (family.name == name) return true;
  return false;
}

/// Is it one of them, or does it begin with one that is no family's whole name?
bool is_among(const std::string& name, const std::vector<std::string>& list) {
  for (const std::string& word : list)
    if (is_family(word) ? name == word : name.starts_with(word)) return true;
  return false;
}

std::vector<Family> chosen(const Request& request) {
  std::vector<Family> list;
  for (const Family& family : families()) {
    const bool asked = request.families.empty() || is_among(family.name, request.families);
    if (asked && !is_among(family.name, request.without)) list.push_back(family);
  }
  return list;
}

std::string command_line(const Case& what) {
  std::string line = "taut run case.yaml";
  for (const auto& [name, value] : options_of(what.plan, what.until)) {
    const bool plain = value.find_first_of("(*' ") == std::string::npos;
    line += " --" + name + (value == "on" && name == "assemble" ? "" : plain ? " " + value : " '" + value + "'");
  }
  return line;
}

void print_case(const Case& what) {
  for (const ModelFile& file : what.files) std::cout << "# " << file.name << '\n' << file.text << '\n';
  if (!what.twin.empty()) std::cout << "# as one file\n" << what.twin << '\n';
  std::cout << what.model << "\n# " << command_line(what) << '\n';
  if (what.truth == Truth::no_solution) std::cout << "# truth: no solution up to the end\n";
  for (const Expected& expected : what.expected)
    std::cout << fmt::format("# truth: {} = {:.17g}, sensitivity {:.3g}\n", expected.name, double(expected.value),
                             double(expected.sensitivity));
}

/// The same accuracy by another method, with what goes with it by itself.
Plan plan_with(const std::string& method, const Plan& drawn) {
  Plan plan;
  plan.method = method;
  plan.rtol = drawn.rtol;
  plan.more = drawn.more;
  return plan;
}

void print_row(const std::string& name, const Counts& counts, double seconds) {
  std::cout << fmt::format("| {:<34} |", name);
  for (const int count : counts) std::cout << fmt::format(" {:>7} |", count);
  std::cout << fmt::format(" {:>7.1f} |\n", seconds) << std::flush;
}

void print_head() {
  std::cout << fmt::format("| {:<34} |", "family");
  for (int k = 0; k < classes; ++k) std::cout << fmt::format(" {:>7} |", name_of(static_cast<Class>(k)));
  std::cout << fmt::format(" {:>7} |\n|{:-<36}|", "s", "");
  for (int k = 0; k <= classes; ++k) std::cout << fmt::format("{:->9}|", ":");
  std::cout << '\n';
}

bool bad(Class what) { return what == Class::wrong || what == Class::hang || what == Class::crash; }

bool none_bad(const Counts& counts) {
  for (int k = 0; k < classes; ++k)
    if (counts[k] > 0 && bad(static_cast<Class>(k))) return false;
  return true;
}

/// Counts of the whole hunt.
class Hunt {
 public:
  explicit Hunt(const Request& request) : request_(request) {}

  bool run() {
    const std::vector<Family> list = chosen(request_);
    print_head();
    const int share = static_cast<int>((request_.runs + list.size() - 1) / std::max<std::size_t>(1, list.size()));
    for (const Family& family : list) run_family(family, share);
    print_row("all", total_, seconds_);
    return none_bad(total_);
  }

 private:
  void run_family(const Family& family, int count) {
    Counts counts{};
    double seconds = 0;
    for (int k = 0; k < count; ++k) seconds += run_one(family, request_.seed_from + k, counts);
    for (int k = 0; k < classes; ++k) total_[k] += counts[k];
    seconds_ += seconds;
    print_row(family.name, counts, seconds);
    print_findings();
  }

  double run_one(const Family& family, std::uint64_t seed, Counts& counts) {
    Case what = make(family, seed);
    if (!request_.method.empty()) what.plan = plan_with(request_.method, what.plan);
    if (request_.print) print_case(what);
    const Result result = run_in_child(what, request_.limit);
    const Judgement judgement = judge(what, result);
    ++counts[static_cast<int>(judgement.what)];
    if (request_.verbose || bad(judgement.what)) findings_.push_back({family.name, seed, judgement});
    return result.seconds;
  }

  /// At once: a hunt may be ended by hand.
  void print_findings() {
    for (const Finding& finding : findings_)
      std::cout << fmt::format("{} --family {} --seed {}: {}{}\n", name_of(finding.judgement.what), finding.family,
                               finding.seed, finding.judgement.words,
                               finding.judgement.share > 0
                                   ? fmt::format(" ({:.2g} of what is allowed)", double(finding.judgement.share))
                                   : "");
    std::cout << std::flush;
    findings_.clear();
  }

  Request request_;
  Counts total_{};
  double seconds_ = 0;
  std::vector<Finding> findings_;  ///< of the family at hand
};

int hunt(int argc, char** argv) {
  const Request request = read_request(argc, argv);
  if (request.list) {
    for (const Family& family : chosen(request)) std::cout << fmt::format("{:<34} {}\n", family.name, family.about);
    return 0;
  }
  std::cout << "seeds from " << request.seed_from << "\n";
  return Hunt(request).run() ? 0 : 1;
}

}  // namespace
}  // namespace taut::hunt

int main(int argc, char** argv) { return taut::hunt::hunt(argc, argv); }
