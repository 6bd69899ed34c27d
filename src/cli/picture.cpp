#include "cli/picture.hpp"

#include <librsvg/rsvg.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "cli/late_library.hpp"
#include "output/draft.hpp"
#include "taut/error.hpp"

namespace taut::cli {
namespace {

/// What we use of librsvg, and of cairo and GObject below it.
struct Painter {
  decltype(&rsvg_handle_new_from_data) read;
  decltype(&rsvg_handle_get_intrinsic_size_in_pixels) size;
  decltype(&rsvg_handle_render_document) render;
  decltype(&g_object_unref) close_drawing;
  decltype(&cairo_image_surface_create) create_surface;
  decltype(&cairo_surface_destroy) close_surface;
  decltype(&cairo_create) create_pen;
  decltype(&cairo_destroy) close_pen;
  decltype(&cairo_surface_write_to_png_stream) write_png;
  decltype(&cairo_status_to_string) describe;

  Painter() {
    const LateLibrary library("librsvg-2.so.2", "install librsvg2-2, or use .svg");
    library.find("rsvg_handle_new_from_data", read);
    library.find("rsvg_handle_get_intrinsic_size_in_pixels", size);
    library.find("rsvg_handle_render_document", render);
    library.find("g_object_unref", close_drawing);
    library.find("cairo_image_surface_create", create_surface);
    library.find("cairo_surface_destroy", close_surface);
    library.find("cairo_create", create_pen);
    library.find("cairo_destroy", close_pen);
    library.find("cairo_surface_write_to_png_stream", write_png);
    library.find("cairo_status_to_string", describe);
  }
};

const Painter& painter() {
  static const Painter loaded;
  return loaded;
}

[[noreturn]] void fail(const std::string& file, const std::string& why) {
  throw std::runtime_error("cannot write '" + file + "': " + why);
}

template <class Thing, class Release>
std::unique_ptr<Thing, Release> owned(Thing* thing, Release release) {
  return {thing, release};
}

void write_png(const std::string& file, const std::string& svg, double scale) {
  const Painter& use = painter();
  const auto drawing =
      owned(use.read(reinterpret_cast<const guint8*>(svg.data()), svg.size(), nullptr), use.close_drawing);
  double width = 0, height = 0;
  if (!drawing || !use.size(drawing.get(), &width, &height)) fail(file, "the drawing has no size");
  const auto surface = owned(use.create_surface(CAIRO_FORMAT_ARGB32, static_cast<int>(std::ceil(width * scale)),
                                                static_cast<int>(std::ceil(height * scale))),
                             use.close_surface);
  const auto pen = owned(use.create_pen(surface.get()), use.close_pen);
  const RsvgRectangle whole{0, 0, width * scale, height * scale};
  if (!use.render(drawing.get(), pen.get(), &whole, nullptr)) fail(file, "the drawing cannot be drawn");
  std::string png;
  const auto append = [](void* out, const unsigned char* bytes, unsigned length) {
    static_cast<std::string*>(out)->append(reinterpret_cast<const char*>(bytes), length);
    return CAIRO_STATUS_SUCCESS;
  };
  const cairo_status_t status = use.write_png(surface.get(), append, &png);
  if (status != CAIRO_STATUS_SUCCESS) fail(file, use.describe(status));
  write_whole(file, png);
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
  write_whole(file, svg);
}

}  // namespace taut::cli
