// taut_hunt: random models with independent truths, to find runs that say "done" and are wrong.
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <map>

#include "hunt/judgement.hpp"

namespace taut::hunt {
namespace {

struct Request {
  std::vector<std::string> families;  ///< names or their beginnings; none: all
  std::vector<std::string> without;   ///< likewise
  int runs = 200;
  std::uint64_t seed_from = 1;
  int limit = 20;  ///< s of processor time, of a run
  bool print = false, list = false, verbose = false;
};

using Counts = std::array<int, classes>;

struct Finding {
  std::string family;
  std::uint64_t seed;
  Judgement judgement;
};

std::uint64_t hash(const std::string& text) {
  std::uint64_t value = 1469598103934665603ULL;
  for (const unsigned char c : text) value = (value ^ c) * 1099511628211ULL;
  return value;
}

Case make(const Family& family, std::uint64_t seed) {
  // Mixed once more: streams that start a step apart would repeat each other.
  Dice dice(Dice(hash(family.name) ^ Dice(seed).next()).next());
  return family.make(dice);
}

bool begins_with_one(const std::string& name, const std::vector<std::string>& list) {
  for (const std::string& beginning : list)
    if (name.starts_with(beginning)) return true;
  return false;
}

std::vector<Family> chosen(const Request& request) {
  std::vector<Family> list;
  for (const Family& family : families()) {
    const bool asked = request.families.empty() || begins_with_one(family.name, request.families);
    if (asked && !begins_with_one(family.name, request.without)) list.push_back(family);
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
  std::cout << what.model << "\n# " << command_line(what) << '\n';
  if (what.truth == Truth::no_solution) std::cout << "# truth: no solution up to the end\n";
  for (const Expected& expected : what.expected)
    std::cout << fmt::format("# truth: {} = {:.17g}, sensitivity {:.3g}\n", expected.name, double(expected.value),
                             double(expected.sensitivity));
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
    print_findings();
    return total_[3] + total_[4] + total_[5] == 0;
  }

 private:
  void run_family(const Family& family, int count) {
    Counts counts{};
    double seconds = 0;
    for (int k = 0; k < count; ++k) seconds += run_one(family, request_.seed_from + k, counts);
    for (int k = 0; k < classes; ++k) total_[k] += counts[k];
    seconds_ += seconds;
    print_row(family.name, counts, seconds);
  }

  double run_one(const Family& family, std::uint64_t seed, Counts& counts) {
    const Case what = make(family, seed);
    if (request_.print) print_case(what);
    const Result result = run_in_child(what, request_.limit);
    const Judgement judgement = judge(what, result);
    ++counts[static_cast<int>(judgement.what)];
    const bool say = request_.verbose || judgement.what != Class::right;
    if (say) findings_.push_back({family.name, seed, judgement});
    return result.seconds;
  }

  void print_findings() const {
    for (const Finding& finding : findings_)
      if (request_.verbose || bad(finding.judgement.what))
        std::cout << fmt::format("{} --family {} --seed {}: {}{}\n", name_of(finding.judgement.what), finding.family,
                                 finding.seed, finding.judgement.words,
                                 finding.judgement.share > 0
                                     ? fmt::format(" ({:.2g} of what is allowed)", double(finding.judgement.share))
                                     : "");
  }

  Request request_;
  Counts total_{};
  double seconds_ = 0;
  std::vector<Finding> findings_;
};

[[noreturn]] void usage() {
  std::cerr
      << "taut_hunt [--family NAME]... [--without NAME]... [--runs N] [--seed-from N | --seed N | --seed-from clock]\n"
         "          [--limit SECONDS] [--print] [--verbose] [--list]\n";
  std::exit(2);
}

Request read(int argc, char** argv) {
  Request request;
  for (int k = 1; k < argc; ++k) {
    const std::string all = argv[k], word = all.substr(0, all.find('='));
    const auto value = [&]() -> std::string {
      if (word != all) return all.substr(word.size() + 1);
      return k + 1 < argc ? argv[++k] : (usage(), "");
    };
    if (word == "--family")
      request.families.push_back(value());
    else if (word == "--without")
      request.without.push_back(value());
    else if (word == "--runs")
      request.runs = std::stoi(value());
    else if (word == "--limit")
      request.limit = std::stoi(value());
    else if (word == "--print")
      request.print = true;
    else if (word == "--verbose")
      request.verbose = true;
    else if (word == "--list")
      request.list = true;
    else if (word == "--seed")
      request.seed_from = std::stoull(value()), request.runs = 1;
    else if (word == "--seed-from") {
      const std::string seed = value();
      request.seed_from = seed == "clock" ? static_cast<std::uint64_t>(std::time(nullptr)) : std::stoull(seed);
    } else
      usage();
  }
  return request;
}

int hunt(int argc, char** argv) {
  const Request request = read(argc, argv);
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
