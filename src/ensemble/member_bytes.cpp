#include "ensemble/member_bytes.hpp"

#include <cstring>
#include <stdexcept>

namespace taut {
namespace {

void put(std::string& bytes, std::uint64_t number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}
void put(std::string& bytes, const std::string& text) {
  put(bytes, text.size());
  bytes += text;
}
void put(std::string& bytes, const std::vector<double>& numbers) {
  put(bytes, numbers.size());
  bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double));
}

class Reader {
 public:
  explicit Reader(const std::string& bytes) : bytes_(bytes) {}
  bool has_more() const { return at_ < bytes_.size(); }

  std::uint64_t number() {
    std::uint64_t number = 0;
    std::memcpy(&number, take(sizeof number), sizeof number);
    return number;
  }
  std::string text() {
    const std::uint64_t size = number();
    const char* begin = take(size);
    return {begin, size};
  }
  std::vector<double> numbers() {
    const std::uint64_t count = number();
    if (count > bytes_.size()) throw std::runtime_error("a message is cut short");
    std::vector<double> list(count);
    const char* begin = take(count * sizeof(double));
    if (count > 0) std::memcpy(list.data(), begin, count * sizeof(double));
    return list;
  }

 private:
  const char* take(std::uint64_t count) {
    if (count > bytes_.size() - at_) throw std::runtime_error("a message is cut short");
    at_ += count;
    return bytes_.data() + at_ - count;
  }

  const std::string& bytes_;
  std::size_t at_ = 0;
};

}  // namespace

std::string to_bytes(const std::vector<MemberResult>& results) {
  std::string bytes;
  for (const MemberResult& result : results) {
    put(bytes, result.member);
    put(bytes, result.failed ? 1 : 0);
    put(bytes, result.reason);
    put(bytes, result.verdict);
    put(bytes, result.values);
    put(bytes, result.figures);
    put(bytes, result.not_kept);
  }
  return bytes;
}

std::vector<MemberResult> read_results(const std::string& bytes) {
  std::vector<MemberResult> results;
  for (Reader reader(bytes); reader.has_more();) {
    MemberResult& result = results.emplace_back();
    result.member = reader.number();
    result.failed = reader.number() != 0;
    result.reason = reader.text();
    result.verdict = reader.text();
    result.values = reader.numbers();
    result.figures = reader.numbers();
    result.not_kept = reader.text();
  }
  return results;
}

std::string to_bytes(const MemberRange& range) {
  std::string bytes;
  put(bytes, range.first);
  put(bytes, range.count);
  return bytes;
}

MemberRange read_range(const std::string& bytes) {
  Reader reader(bytes);
  const std::uint64_t first = reader.number();
  return {first, reader.number()};
}

}  // namespace taut
