#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "expression/program.hpp"
#include "model/mesh.hpp"
#include "taut/model.hpp"

/// What bodies carry in a drawing, and meshes.
namespace taut {
namespace {

namespace fs = std::filesystem;
using Eigen::Vector3d;

class Folder {
 public:
  Folder()
      : path_(fs::temp_directory_path() /
              ("taut-drawing-" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) + "-" +
               std::to_string(reinterpret_cast<std::uintptr_t>(this)))) {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return (path_ / name).string();
  }

 private:
  fs::path path_;
};

double number(const Expression& e) { return e.value(); }
Vector3d numbers(const Vector3& a) { return {number(a.x), number(a.y), number(a.z)}; }

// ---- meshes -----------------------------------------------------------------------------------------

/// The volume that a closed mesh of outward triangles encloses: a sixth of the sum of their determinants.
double volume(const Mesh& mesh) {
  double sum = 0;
  for (const auto& triangle : mesh.triangles) {
    Eigen::Matrix3d corners;
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i)
        corners(i, k) =
            mesh.vertices[static_cast<std::size_t>(triangle[static_cast<std::size_t>(k)])][static_cast<std::size_t>(i)];
    sum += corners.determinant();
  }
  return sum / 6;
}

/// A corner of a cube of side 2, cut off: four triangles outwards, volume 8/6.
const std::vector<std::array<std::array<float, 3>, 3>> corner{{{{0, 0, 0}, {0, 2, 0}, {2, 0, 0}}},
                                                              {{{0, 0, 0}, {2, 0, 0}, {0, 0, 2}}},
                                                              {{{0, 0, 0}, {0, 0, 2}, {0, 2, 0}}},
                                                              {{{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}}};

std::string text_stl() {
  std::string text = "solid corner\n";
  for (const auto& triangle : corner) {
    text += " facet normal 0 0 0\n  outer loop\n";
    for (const auto& at : triangle)
      text += "   vertex " + std::to_string(at[0]) + " " + std::to_string(at[1]) + " " + std::to_string(at[2]) + "\n";
    text += "  endloop\n endfacet\n";
  }
  return text + "endsolid corner\n";
}

std::string binary_stl() {
  std::string bytes = "solid, as some programs write even here";
  bytes.resize(80, '\0');
  const auto add = [&](const void* from, std::size_t size) { bytes.append(static_cast<const char*>(from), size); };
  const std::uint32_t count = static_cast<std::uint32_t>(corner.size());
  add(&count, 4);
  for (const auto& triangle : corner) {
    bytes.append(12, '\0');
    for (const auto& at : triangle) add(at.data(), 12);
    bytes.append(2, '\0');
  }
  return bytes;
}

TEST(Meshes, AreReadFromStlOfText) {
  const Folder folder;
  const Mesh mesh = load_mesh(folder.write("corner.stl", text_stl()));
  EXPECT_EQ(mesh.vertices.size(), 4U);
  EXPECT_EQ(mesh.triangles.size(), 4U);
  EXPECT_NEAR(volume(mesh), 8.0 / 6, 1e-12);
}

TEST(Meshes, AreReadFromBinaryStl) {
  const Folder folder;
  const Mesh mesh = load_mesh(folder.write("corner.STL", binary_stl()));
  EXPECT_EQ(mesh.vertices.size(), 4U);
  EXPECT_NEAR(volume(mesh), 8.0 / 6, 1e-12);
}

TEST(Meshes, AreReadFromObjWithPolygonsAndIndicesFromTheEnd) {
  const Folder folder;
  // A cube of side 2 of six squares, one of them counted from the last vertex.
  const Mesh mesh = load_mesh(folder.write("cube.obj", R"(# a cube
o cube
v 0 0 0
v 2 0 0
v 2 2 0
v 0 2 0
v 0 0 2
v 2 0 2
v 2 2 2
v 0 2 2
vn 0 0 1
f 1//1 4//1 3//1 2//1
f 5 6 7 8
f 1 2 6 5
f 2/1 3/2 7/3 6/4
f 3 4 8 7
f -8 -4 -1 -5
)"));
  EXPECT_EQ(mesh.vertices.size(), 8U);
  EXPECT_EQ(mesh.triangles.size(), 12U);
  EXPECT_NEAR(volume(mesh), 8, 1e-12);
}

TEST(Meshes, AreRefusedWhereTheyAreBroken) {
  const Folder folder;
  const auto refused = [&](const std::string& name, const std::string& text) {
    try {
      load_mesh(folder.write(name, text));
    } catch (const InputError& error) {
      EXPECT_FALSE(error.remedy().empty());
      return error.place().line;
    }
    ADD_FAILURE() << name << " is read";
    return -1;
  };
  EXPECT_EQ(refused("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n"), 4);
  EXPECT_EQ(refused("b.obj", "v 0 0\n"), 1);
  EXPECT_EQ(refused("c.obj", "v 0 0 0\nv 1 0 0\nf 1 2\n"), 3);
  refused("d.obj",
          "\x7f"
          "ELF");
  refused("e.obj", "v 0 0 0\n");
  refused("f.stl", "once upon a time\n");
  refused("g.stl", binary_stl().substr(0, 200));
  refused("h.stl", "solid x\n vertex 0 0 0\n vertex 1 0 0\nendsolid\n");
  refused("i.step", "ISO-10303-21;\n");
  EXPECT_THROW(load_mesh("/nowhere/at/all.stl"), InputError);
}

// ---- what bodies carry --------------------------------------------------------------------------------

const std::string plate = R"(
bodies:
  plate: {mass: 2, inertia: [0, 0, 0.4], position: [3, 1, 0], orientation: {axis: [0, 0, 1], angle: pi/2}, planar: true}
)";

TEST(Drawings, OfSolidsAreRead) {
  const Folder folder;
  folder.write("part.stl", text_stl());
  const std::string file = folder.write("model.yaml", "parameters: {r: 0.25}\n" + plate + R"(
draw:
  - {box: [1, 2, 3], body: plate, at: [0.1, 0, 0], orientation: {axis: [1, 0, 0], angle: pi/2}, color: red, label: lid}
  - {cylinder: {radius: r, length: 2*r}, body: plate}
  - {sphere: r, at: [1, 2, 3], color: "#ff8800"}
  - {mesh: part.stl, body: plate, scale: 0.001}
  - {mesh: part.stl, body: plate, scale: [1, 2, 3]}
)");
  const Model model = load_model(file);
  ASSERT_EQ(model.drawing.size(), 5U);
  const Drawing& box = model.drawing[0];
  EXPECT_EQ(box.kind, "box");
  EXPECT_EQ(box.body, "plate");
  EXPECT_EQ(box.label, "lid");
  EXPECT_EQ(box.color, "red");
  EXPECT_EQ(number(box.solid->size[2]), 3);
  EXPECT_EQ(number(box.solid->at.x), 0.1);
  EXPECT_NEAR(number(box.solid->orientation.x), std::sqrt(0.5), 1e-15);
  EXPECT_TRUE(box.points.empty());
  EXPECT_EQ(model.drawing[1].solid->size.size(), 2U);
  EXPECT_EQ(model.drawing[2].body, "ground");
  EXPECT_EQ(model.drawing[2].color, "#ff8800");
  EXPECT_EQ(number(model.drawing[3].solid->size[1]), 0.001);
  EXPECT_EQ(number(model.drawing[4].solid->size[1]), 2);
  EXPECT_EQ(load_mesh(model.drawing[3].solid->file).triangles.size(), 4U);
}

/// A line in body axes goes where the body is: at the start turned by 90° about the centre of mass.
TEST(Drawings, OfLinesAreCarriedByTheirBody) {
  const Model model = read_model(plate + "draw:\n  - {line: [[0, 0], [1, 0]], body: plate}\n", "test.yaml");
  const InitialValues initial = initial_values(model);
  std::vector<double> values(model.graph->symbols(), 0.0);
  for (std::size_t i = 0; i < initial.coordinates.size(); ++i)
    values[model.coordinates[i].symbol] = initial.coordinates[i];
  const auto& points = model.drawing[0].points;
  EXPECT_NEAR(evaluate(points[0][0], values), 3, 1e-15);
  EXPECT_NEAR(evaluate(points[1][0], values), 3, 1e-15);
  EXPECT_NEAR(evaluate(points[1][1], values), 2, 1e-15);
}

TEST(Drawings, TakePointsOfBodies) {
  const Model model = read_model(plate + R"--(draw:
  - line: [[0, 0], "point(plate, [1, 0, 0])"]
  - point: point(plate, [1, 0, 0])
)--",
                                 "test.yaml");
  EXPECT_EQ(model.drawing[0].points[0].size(), 3U);
  EXPECT_EQ(model.drawing[1].points.size(), 1U);
}

}  // namespace
}  // namespace taut
