#include "cli/http_request.hpp"

#include <algorithm>
#include <charconv>

namespace taut::cli {
namespace {

constexpr std::string_view line_end = "\r\n", head_end = "\r\n\r\n";

/// A sign that a method or a header's name may have: RFC 9110, section 5.6.2.
bool is_token_sign(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool is_token(std::string_view word) { return !word.empty() && std::all_of(word.begin(), word.end(), is_token_sign); }

/// No blanks and no control characters; bytes above 127 are no part of an address either.
bool is_target(std::string_view word) {
  return word.starts_with('/') && std::all_of(word.begin(), word.end(), [](char c) { return c > ' ' && c < 127; });
}

bool is_field_value(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return c == '\t' || (c >= ' ' && c != 127); });
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  return begin == std::string_view::npos ? "" : text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

}  // namespace

std::size_t HttpRequest::count(std::string_view name) const {
  return static_cast<std::size_t>(
      std::count_if(headers.begin(), headers.end(), [&](const auto& header) { return header.first == name; }));
}

std::string HttpRequest::header(std::string_view name) const {
  const auto at =
      std::find_if(headers.begin(), headers.end(), [&](const auto& header) { return header.first == name; });
  return at == headers.end() ? "" : at->second;
}

std::string HttpRequest::parameter(std::string_view name) const {
  std::string_view rest = query;
  while (!rest.empty()) {
    const std::string_view word = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    if (word.starts_with(name) && word.substr(name.size()).starts_with('='))
      return std::string(word.substr(name.size() + 1));
  }
  return "";
}

HttpReader::State HttpReader::refuse(int status, std::string reason) {
  status_ = status;
  reason_ = std::move(reason);
  held_.clear();
  held_.shrink_to_fit();
  return state_ = State::wrong;
}

HttpReader::State HttpReader::take(std::string_view bytes) {
  if (state_ == State::whole || state_ == State::wrong) return state_;
  if (state_ == State::body) {
    request_.body.append(bytes.substr(0, length_ - request_.body.size()));
    return state_ = request_.body.size() == length_ ? State::whole : State::body;
  }
  const std::size_t seen = held_.size();
  held_ += bytes;
  // The end of the head may begin in what was there before.
  const auto end = held_.find(head_end, seen < head_end.size() ? 0 : seen - head_end.size());
  if (std::min(end, held_.size()) > longest_head) return refuse(431, "The head of this request is too long.");
  return end == std::string::npos ? state_ : read_head();
}

HttpReader::State HttpReader::read_head() {
  const auto end = held_.find(head_end);
  std::string_view head(held_.data(), end);
  const std::string_view first = head.substr(0, head.find(line_end));
  if (!read_request_line(first)) return state_;
  head.remove_prefix(std::min(first.size() + line_end.size(), head.size()));
  while (!head.empty()) {
    const std::string_view line = head.substr(0, head.find(line_end));
    if (!read_header(line)) return state_;
    head.remove_prefix(std::min(line.size() + line_end.size(), head.size()));
  }
  if (!read_length()) return state_;
  held_.erase(0, end + head_end.size());
  return state_ = State::body;
}

bool HttpReader::read_request_line(std::string_view line) {
  const auto first = line.find(' '), last = line.rfind(' ');
  const bool three = first != std::string_view::npos && last > first;
  const std::string_view target = three ? line.substr(first + 1, last - first - 1) : "";
  const std::string_view version = three ? line.substr(last + 1) : "";
  if (!three || !is_token(line.substr(0, first)) || !is_target(target) ||
      (version != "HTTP/1.1" && version != "HTTP/1.0")) {
    refuse(400, "This is no request.");
    return false;
  }
  const auto question = std::min(target.find('?'), target.size());
  request_.method = line.substr(0, first);
  request_.path = target.substr(0, question);
  request_.query = target.substr(std::min(question + 1, target.size()));
  return true;
}

bool HttpReader::read_header(std::string_view line) {
  const auto colon = std::min(line.find(':'), line.size());
  const std::string_view value = line.substr(std::min(colon + 1, line.size()));
  if (colon == line.size() || !is_token(line.substr(0, colon)) || !is_field_value(value)) {
    refuse(400, "A header of this request is none.");
    return false;
  }
  if (request_.headers.size() == most_headers) {
    refuse(431, "This request has too many headers.");
    return false;
  }
  request_.headers.emplace_back(lower(line.substr(0, colon)), trimmed(value));
  return true;
}

bool HttpReader::read_length() {
  if (request_.count("transfer-encoding") > 0) {
    refuse(411, "A request must say its length; chunks are refused.");
    return false;
  }
  const std::string coding = lower(request_.header("content-encoding"));
  if (request_.count("content-encoding") > 1 || (!coding.empty() && coding != "identity")) {
    refuse(415, "A compressed request is refused.");
    return false;
  }
  const std::string text = request_.header("content-length");
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, length_);
  const bool none = request_.count("content-length") == 0;
  if (!none && (request_.count("content-length") > 1 || text.empty() || stopped != end ||
                (error != std::errc() && error != std::errc::result_out_of_range))) {
    refuse(400, "The length of this request is no number.");
    return false;
  }
  if (!none && (error == std::errc::result_out_of_range || length_ > longest_body)) {
    refuse(413, "This request is too long.");
    return false;
  }
  return true;
}

HttpReader::State HttpReader::begin_body() {
  if (state_ != State::body) return state_;
  std::string held;
  held.swap(held_);
  return take(held);
}

}  // namespace taut::cli
