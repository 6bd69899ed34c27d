#include "hunt/request.hpp"

#include <cstdlib>
#include <ctime>
#include <functional>
#include <iostream>
#include <map>

namespace taut::hunt {
namespace {

[[noreturn]] void explain_usage() {
  std::cerr << "taut_hunt [--family NAME]... [--without NAME]... [--method NAME] [--runs N] [--seed-from N|clock]\n"
               "          [--seed N] [--limit SECONDS] [--print] [--verbose] [--list]\n";
  std::exit(2);
}

std::uint64_t seed_of(const std::string& text) {
  return text == "clock" ? static_cast<std::uint64_t>(std::time(nullptr)) : std::stoull(text);
}

using Flags = std::map<std::string, std::function<void(Request&)>>;
const Flags flags = {
    {"--print", [](Request& request) { request.print = true; }},
    {"--verbose", [](Request& request) { request.verbose = true; }},
    {"--list", [](Request& request) { request.list = true; }},
};

using Values = std::map<std::string, std::function<void(Request&, const std::string&)>>;
const Values values = {
    {"--family", [](Request& request, const std::string& name) { request.families.push_back(name); }},
    {"--without", [](Request& request, const std::string& name) { request.without.push_back(name); }},
    {"--method", [](Request& request, const std::string& name) { request.method = name; }},
    {"--runs", [](Request& request, const std::string& number) { request.runs = std::stoi(number); }},
    {"--limit", [](Request& request, const std::string& number) { request.limit = std::stoi(number); }},
    {"--seed-from", [](Request& request, const std::string& seed) { request.seed_from = seed_of(seed); }},
    {"--seed",
     [](Request& request, const std::string& seed) {
       request.seed_from = seed_of(seed);
       request.runs = 1;
     }},
};

}  // namespace

Request read_request(int argc, char** argv) {
  Request request;
  const std::vector<std::string> words(argv + 1, argv + argc);
  for (std::size_t k = 0; k < words.size(); ++k) {
    const std::string name = words[k].substr(0, words[k].find('='));
    if (const auto flag = flags.find(name); flag != flags.end()) {
      flag->second(request);
      continue;
    }
    const bool attached = name != words[k];
    const auto value = values.find(name);
    if (value == values.end() || (!attached && k + 1 == words.size())) explain_usage();
    value->second(request, attached ? words[k].substr(name.size() + 1) : words[++k]);
  }
  return request;
}

}  // namespace taut::hunt
