#include "cli/picture.hpp"

#include <librsvg/rsvg.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>

#include "taut/error.hpp"

namespace taut::cli {
namespace {

template <auto release>
struct Release {
  template <class Thing>
  void operator()(Thing* thing) const {
    release(thing);
  }
};
using Drawing = std::unique_ptr<RsvgHandle, Release<g_object_unref>>;
using Surface = std::unique_ptr<cairo_surface_t, Release<cairo_surface_destroy>>;
using Pen = std::unique_ptr<cairo_t, Release<cairo_destroy>>;

[[noreturn]] void fail(const std::string& file, const std::string& why) {
  throw std::runtime_error("cannot write '" + file + "': " + why);
}

void write_png(const std::string& file, const std::string& svg, double scale) {
  const Drawing drawing(rsvg_handle_new_from_data(reinterpret_cast<const guint8*>(svg.data()), svg.size(), nullptr));
  double width = 0, height = 0;
  if (!drawing || !rsvg_handle_get_intrinsic_size_in_pixels(drawing.get(), &width, &height))
    fail(file, "the drawing has no size");
  const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, static_cast<int>(std::ceil(width * scale)),
                                                   static_cast<int>(std::ceil(height * scale))));
  const Pen pen(cairo_create(surface.get()));
  const RsvgRectangle whole{0, 0, width * scale, height * scale};
  if (!rsvg_handle_render_document(drawing.get(), pen.get(), &whole, nullptr))
    fail(file, "the drawing cannot be drawn");
  errno = 0;
  const cairo_status_t status = cairo_surface_write_to_png(surface.get(), file.c_str());
  if (status != CAIRO_STATUS_SUCCESS) fail(file, errno != 0 ? std::strerror(errno) : cairo_status_to_string(status));
}

void write_svg(const std::string& file, const std::string& svg) {
  std::ofstream stream(file, std::ios::binary);
  stream << svg;
  stream.close();
  if (!stream) fail(file, std::strerror(errno));
}

std::string ending(const std::string& file) { return std::filesystem::path(file).extension().string(); }

}  // namespace

void check_picture_name(const std::string& file) {
  if (ending(file) != ".svg" && ending(file) != ".png")
    throw InputError("cannot write '" + file + "': its name does not end in a known format", "use .svg or .png");
}

void write_picture(const std::string& file, const std::string& svg, double scale) {
  check_picture_name(file);
  if (ending(file) == ".png") return write_png(file, svg, scale);
  write_svg(file, svg);
}

}  // namespace taut::cli
