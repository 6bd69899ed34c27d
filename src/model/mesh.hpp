#pragma once

#include <array>
#include <string>
#include <vector>

namespace taut {

/// A surface of triangles.
struct Mesh {
  std::vector<std::array<float, 3>> vertices;
  std::vector<std::array<int, 3>> triangles;  ///< indices of vertices
};

/// Is there a mesh in this file, as far as its beginning tells? Throws InputError, without a place, if there is none.
void check_mesh(const std::string& path);
/// Reads an OBJ or STL file, of text or binary; polygons become fans of triangles. Throws InputError, whose place is
/// in that file where it has lines.
Mesh load_mesh(const std::string& path);

}  // namespace taut
