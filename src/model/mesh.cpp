#include "model/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "model/file_text.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

namespace fs = std::filesystem;

const char* const formats = "give a file in one of the formats OBJ and STL";
/// Of a binary STL file: a comment of 80 bytes and the number of triangles, then 50 bytes for each of them.
constexpr std::size_t header_bytes = 84, triangle_bytes = 50;

std::string extension(const std::string& path) {
  std::string end = fs::path(path).extension().string();
  std::ranges::transform(end, end.begin(), [](unsigned char c) { return std::tolower(c); });
  return end;
}

void expect_known_format(const std::string& path) {
  const std::string end = extension(path);
  if (end != ".obj" && end != ".stl") throw InputError(fmt::format("'{}' is no mesh that can be read", path), formats);
}

std::ifstream open(const std::string& path) {
  std::error_code unknown;
  if (!fs::is_directory(path, unknown)) require_readable(path);
  std::ifstream stream(path, std::ios::binary);
  if (!stream || fs::is_directory(path, unknown))
    throw InputError(fmt::format("there is no mesh '{}'", path),
                     "give its path, starting from the folder of the model file");
  return stream;
}

std::string contents(const std::string& path) {
  std::ifstream stream = open(path);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// The number of triangles that the header of a binary STL file promises.
std::uint32_t promised_triangles(const char* header) {
  std::uint32_t count = 0;
  for (int k = 3; k >= 0; --k) count = count << 8 | static_cast<unsigned char>(header[80 + k]);
  return count;
}

/// Binary files may begin with the word of those of text, too: their size tells them apart.
bool is_binary_stl(const char* header, std::size_t read, std::uintmax_t size) {
  return read >= header_bytes && size == header_bytes + triangle_bytes * std::uintmax_t{promised_triangles(header)};
}

float number_at(const char* bytes) {
  std::uint32_t bits = 0;
  for (int k = 3; k >= 0; --k) bits = bits << 8 | static_cast<unsigned char>(bytes[k]);
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Gives each corner the number of the vertex at its place.
class Builder {
 public:
  void corner(const std::array<float, 3>& at) {
    const auto [found, is_new] = numbers_.emplace(at, static_cast<int>(mesh_.vertices.size()));
    if (is_new) mesh_.vertices.push_back(at);
    corners_.push_back(found->second);
    if (corners_.size() < 3) return;
    mesh_.triangles.push_back({corners_[0], corners_[1], corners_[2]});
    corners_.clear();
  }
  bool is_whole() const { return corners_.empty(); }
  Mesh take() { return std::move(mesh_); }

 private:
  Mesh mesh_;
  std::map<std::array<float, 3>, int> numbers_;
  std::vector<int> corners_;
};

Mesh read_binary_stl(const std::string& bytes) {
  Builder builder;
  for (std::size_t at = header_bytes; at < bytes.size(); at += triangle_bytes) {
    // The normal of 12 bytes comes first; it follows from the corners.
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const char* place = bytes.data() + at + 12 + 12 * corner;
      builder.corner({number_at(place), number_at(place + 4), number_at(place + 8)});
    }
  }
  return builder.take();
}

std::array<float, 3> three_numbers(std::istringstream& words, const Place& place) {
  std::array<float, 3> values{};
  for (float& value : values)
    if (!(words >> value)) throw InputError(place, "a vertex does not have three numbers", "repair the mesh file");
  return values;
}

/// The words that matter are `vertex X Y Z`, three in each facet.
Mesh read_text_stl(const std::string& text, const std::string& path) {
  Builder builder;
  std::istringstream lines(text);
  std::string line, word;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::istringstream words(line);
    words >> word;
    if (word == "vertex") builder.corner(three_numbers(words, {path, number, 1}));
    word.clear();
  }
  if (!builder.is_whole()) throw InputError(fmt::format("'{}' ends within a triangle", path), "repair the mesh file");
  return builder.take();
}

/// `v X Y Z` is a vertex; `f A B C ...` a polygon of vertices, counted from 1 or, below zero, from the last one.
class ObjReader {
 public:
  explicit ObjReader(std::string path) : path_(std::move(path)) {}

  Mesh read(const std::string& text) {
    std::istringstream lines(text);
    std::string line;
    for (place_ = {path_, 1, 1}; std::getline(lines, line); ++place_.line) {
      std::istringstream words(line);
      std::string word;
      words >> word;
      if (word == "v") mesh_.vertices.push_back(three_numbers(words, place_));
      if (word == "f") polygon(words);
    }
    return std::move(mesh_);
  }

 private:
  void polygon(std::istringstream& words) {
    std::vector<int> corners;
    // A corner may go on with its texture and normal: 3/1/2.
    for (std::string word; words >> word;) corners.push_back(vertex(word.substr(0, word.find('/'))));
    if (corners.size() < 3) throw InputError(place_, "a face has fewer than three corners", "repair the mesh file");
    for (std::size_t k = 2; k < corners.size(); ++k)
      mesh_.triangles.push_back({corners[0], corners[k - 1], corners[k]});
  }

  int vertex(const std::string& word) const {
    const int count = static_cast<int>(mesh_.vertices.size());
    char* end = nullptr;
    const long given = std::strtol(word.c_str(), &end, 10);
    const long index = given < 0 ? count + given : given - 1;
    if (*end != '\0' || index < 0 || index >= count)
      throw InputError(place_,
                       fmt::format("a face has the corner '{}', and there are {} vertices before it", word, count),
                       "repair the mesh file");
    return static_cast<int>(index);
  }

  std::string path_;
  Place place_;
  Mesh mesh_;
};

/// Does a text look like an OBJ file: is its first word, behind comments, one of the format's?
bool begins_as_obj(const std::string& text) {
  static const std::vector<std::string> first_words{"v", "vn", "vt", "vp", "o",      "g",
                                                    "s", "f",  "l",  "p",  "mtllib", "usemtl"};
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    if (!(words >> word) || word[0] == '#') continue;
    return std::ranges::find(first_words, word) != first_words.end();
  }
  return true;  // comments only, as far as was read
}

}  // namespace

void check_mesh(const std::string& path) {
  expect_known_format(path);
  std::ifstream stream = open(path);
  std::array<char, 4096> beginning{};
  stream.read(beginning.data(), beginning.size());
  const std::string read(beginning.data(), static_cast<std::size_t>(stream.gcount()));
  std::error_code unknown;
  const bool fits = extension(path) == ".obj" ? !read.empty() && read.find('\0') == read.npos && begins_as_obj(read)
                                              : is_binary_stl(read.data(), read.size(), fs::file_size(path, unknown)) ||
                                                    (read.starts_with("solid") && read.find('\0') == read.npos);
  if (!fits) throw InputError(fmt::format("'{}' does not begin as a mesh of its kind does", path), formats);
}

Mesh load_mesh(const std::string& path) {
  check_mesh(path);
  const std::string text = contents(path);
  Mesh mesh = extension(path) == ".obj"                              ? ObjReader(path).read(text)
              : is_binary_stl(text.data(), text.size(), text.size()) ? read_binary_stl(text)
                                                                     : read_text_stl(text, path);
  if (mesh.triangles.empty()) throw InputError(fmt::format("the mesh '{}' has no triangles", path), formats);
  return mesh;
}

}  // namespace taut
