#include "model/fmu/trial.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstring>

#include "base/nearest.hpp"

namespace taut::fmu {
namespace {

class Attempt {
 public:
  Attempt(const std::shared_ptr<Library>& library, Interface interface, const TrialPlan& plan)
      : description_(library->description()), plan_(plan), unit_(library, interface, "trial") {
    for (const std::string& name : plan.columns) columns_.push_back(port_of(variable(name, "variable")));
    for (const auto& [name, values] : plan.inputs) {
      inputs_.push_back(port_of(variable(name, "input")));
      values_.push_back(&values);
    }
  }

  Trial run() {
    Trial trial;
    trial.done = go(trial);
    if (!trial.done && trial.reason.empty()) trial.reason = unit_.wrong();
    return trial;
  }

 private:
  const Variable& variable(const std::string& name, const std::string& what) const {
    if (const Variable* found = description_.find(name)) return *found;
    std::vector<std::string> names;
    for (const Variable& v : description_.variables) names.push_back(v.name);
    throw InputError(fmt::format("the unit has no {} '{}'", what, name), did_you_mean(name, names));
  }

  std::vector<Setting> starts() const {
    std::vector<Setting> list;
    for (const auto& [name, text] : plan_.starts) {
      const Variable& v = variable(name, "variable");
      Setting& setting = list.emplace_back(Setting{port_of(v), 0.0});
      if (v.type == Type::string)
        setting.value = text;
      else
        setting.value = v.type == Type::boolean && text == "true" ? 1.0 : number(name, text);
    }
    return list;
  }

  static double number(const std::string& name, const std::string& text) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0')
      throw InputError(fmt::format("'{}' for '{}' is no number", text, name), "give one");
    return value;
  }

  std::vector<Setting> inputs_at(std::size_t k) const {
    std::vector<Setting> list;
    for (std::size_t i = 0; i < inputs_.size(); ++i) list.push_back({inputs_[i], (*values_[i])[k]});
    return list;
  }

  bool set_inputs(std::size_t k) {
    if (inputs_.empty()) return true;
    if (!unit_.begin_event()) return false;
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      if (!unit_.set(inputs_[i], (*values_[i])[k])) return false;
    return unit_.end_event();
  }

  bool record(Trial& trial) {
    std::vector<double> row(columns_.size());
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (!unit_.get(columns_[i], row[i])) return false;
      if (!std::isfinite(row[i])) {
        trial.reason = fmt::format("'{}' is no finite number at t = {:.9g}", plan_.columns[i], unit_.t());
        return false;
      }
    }
    trial.rows.push_back(std::move(row));
    return true;
  }

  bool go(Trial& trial) {
    const auto& times = plan_.times;
    if (!unit_.start(times.front(), times.back() > times.front() ? std::optional(times.back()) : std::nullopt, starts(),
                     inputs_at(0)))
      return false;
    if (!record(trial)) return false;
    for (std::size_t k = 1; k < times.size(); ++k) {
      if (k > 1 && !set_inputs(k - 1)) return false;
      if (!unit_.advance(times[k], plan_.tolerance) || !record(trial)) return false;
    }
    return unit_.finish();
  }

  const Description& description_;
  const TrialPlan& plan_;
  Instance unit_;
  std::vector<Port> columns_, inputs_;
  std::vector<const std::vector<double>*> values_;
};

// ---- from one process to the other ----------------------------------------------------------------

std::string packed(const Trial& trial) {
  std::string bytes;
  const auto put = [&](const void* from, std::size_t size) { bytes.append(static_cast<const char*>(from), size); };
  const std::size_t head[] = {trial.done ? std::size_t{1} : 0, trial.reason.size(), trial.rows.size(),
                              trial.rows.empty() ? 0 : trial.rows.front().size()};
  put(head, sizeof head);
  put(trial.reason.data(), trial.reason.size());
  for (const auto& row : trial.rows) put(row.data(), row.size() * sizeof(double));
  return bytes;
}

bool unpack(const std::string& bytes, Trial& trial) {
  std::size_t head[4];
  if (bytes.size() < sizeof head) return false;
  std::memcpy(head, bytes.data(), sizeof head);
  const auto [done, length, rows, columns] = head;
  if (bytes.size() != sizeof head + length + rows * columns * sizeof(double)) return false;
  trial.done = done == 1;
  trial.reason = bytes.substr(sizeof head, length);
  trial.rows.assign(rows, std::vector<double>(columns));
  const char* from = bytes.data() + sizeof head + length;
  for (auto& row : trial.rows) {
    std::memcpy(row.data(), from, columns * sizeof(double));
    from += columns * sizeof(double);
  }
  return true;
}

void write_all(int to, const std::string& bytes) {
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t count = write(to, bytes.data() + sent, bytes.size() - sent);
    if (count <= 0) return;
    sent += static_cast<std::size_t>(count);
  }
}

std::string read_all(int from) {
  std::string bytes;
  char buffer[65536];
  for (ssize_t count = 0; (count = read(from, buffer, sizeof buffer)) > 0;)
    bytes.append(buffer, static_cast<std::size_t>(count));
  return bytes;
}

}  // namespace

Trial try_unit(const std::shared_ptr<Library>& library, Interface interface, const TrialPlan& plan) {
  try {
    return Attempt(library, interface, plan).run();
  } catch (const std::exception& error) {
    return {false, error.what(), {}};
  }
}

Trial try_unit_apart(const std::shared_ptr<Library>& library, Interface interface, const TrialPlan& plan) {
  int ends[2];
  if (pipe(ends) != 0) return {false, "there is no pipe to another process", {}};
  const pid_t child = fork();
  if (child < 0) return {false, "there is no other process to run the unit in", {}};
  if (child == 0) {
    close(ends[0]);
    write_all(ends[1], packed(try_unit(library, interface, plan)));
    close(ends[1]);
    _exit(0);
  }
  close(ends[1]);
  const std::string bytes = read_all(ends[0]);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  Trial trial;
  if (unpack(bytes, trial)) return trial;
  if (WIFSIGNALED(status))
    return {false,
            fmt::format("the unit ended its process by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status))),
            {}};
  return {false, fmt::format("the unit ended its process with status {}", WEXITSTATUS(status)), {}};
}

}  // namespace taut::fmu
